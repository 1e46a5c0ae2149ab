//! Best play as a person would say it: the decisions of one place together, without what does not matter for them, as
//! thresholds where one number decides.
//!
//! ```text
//! Again?: yes if x is at most 3
//! Again?: left = 2: yes if x is at most 4
//! ```
//!
//! A variable does not matter if one answer is best whatever it is, all else being the same; so what is said is best play
//! in every situation. Where two answers are worth the same, the one that makes the rule shorter is taken.

use super::answers::words;
use super::{Best, Decision, Group, Shape};
use std::collections::BTreeSet;
use tumble_core::sort;
use tumble_core::{Data, Value};
use tumble_exact::Fraction;

/// What to do at one place.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Whose decision it is, and what about.
    pub group: Group,
    /// What to do, in a line if it is simple.
    pub rules: Vec<String>,
    /// Otherwise what was seen, and the best answer.
    pub rows: Vec<(String, String)>,
}

/// At most so many situations besides the number that decides have a rule each.
const MOST_RULES: usize = 50;

/// More pieces than this are no rule that can be remembered.
const MOST_PIECES: usize = 4;

/// What matters of situations that are alike, and the answers that are best in all of them.
#[derive(Clone)]
struct Case {
    known: Vec<(String, Value)>,
    good: BTreeSet<Value>,
    /// How many answers there are, if that is the same for all.
    answers: usize,
}

/// What to do at each place, in the order in which they are met. If there are more decisions than were found, those of
/// the last place are not all there.
pub fn advice(best: &Best, shape: &Shape) -> Vec<Advice> {
    let all = best.decisions.len() == best.of;
    // What was not followed makes a good answer look a little worse than it is.
    let slack = if best.unresolved.is_zero() { Fraction::zero() } else { Fraction::ratio(1, 1_000_000) };
    let mut places: Vec<Vec<&Decision>> = vec![];
    for decision in &best.decisions {
        match places.iter_mut().find(|place| place[0].place == decision.place && place[0].group == decision.group) {
            Some(place) => place.push(decision),
            None => places.push(vec![decision]),
        }
    }
    let last = places.len().saturating_sub(1);
    let one = |(at, place): (usize, &Vec<&Decision>)| {
        let mut group = Advice { group: place[0].group.clone(), rules: vec![], rows: vec![] };
        let (cases, same) = cases(place, shape, &slack);
        // What is known of some situations is no rule for all.
        let cases = if all || at < last { simplified(cases) } else { cases };
        match rules(&cases, &group.group.form, shape).filter(|_| all || at < last) {
            _ if same => group.rules = vec!["makes no difference".to_owned()],
            Some(rules) => group.rules = rules,
            None => group.rows = cases.iter().map(|case| row(case, &group.group.form, shape)).collect(),
        }
        group
    };
    places.iter().enumerate().map(one).collect()
}

/// The situations of one place with their best answers, and whether all answers are equally good everywhere.
fn cases(place: &[&Decision], shape: &Shape, slack: &Fraction) -> (Vec<Case>, bool) {
    let known = shape.differing(&place.iter().map(|one| one.known.as_slice()).collect::<Vec<_>>());
    let mut same = true;
    let mut cases = vec![];
    for (decision, known) in place.iter().zip(known) {
        let good = best_of(decision, slack);
        same &= good.len() == decision.answers.len();
        cases.push(Case { known, good, answers: decision.answers.len() });
    }
    (cases, same)
}

/// All answers that are worth as much as the best one.
fn best_of(decision: &Decision, slack: &Fraction) -> BTreeSet<Value> {
    let Some((_, best)) = decision.answers.get(decision.best) else { return BTreeSet::new() };
    let near = |other: &Fraction| (if other > best { other - best } else { best - other }) <= *slack;
    decision.answers.iter().filter(|(_, value)| near(value)).map(|(answer, _)| answer.clone()).collect()
}

/// Without the variables that do not matter: first those that say little, then those of callers.
fn simplified(mut cases: Vec<Case>) -> Vec<Case> {
    let mut names: Vec<String> =
        cases.first().map_or_else(Vec::new, |case| case.known.iter().map(|(name, _)| name.clone()).collect());
    let alike = |case: &Case| case.known.iter().map(|(name, _)| name).eq(&names);
    if !cases.iter().all(alike) {
        return cases;
    }
    let number = |name: &String| cases[0].known.iter().any(|(other, value)| other == name && value.as_int().is_some());
    names.reverse();
    sort::by_key(&mut names, |name| match name {
        name if name.starts_with("pass_of_") => 0,
        // The name of a record mostly tells what is in it.
        name if name.contains('.') => 1,
        name if !number(name) => 2,
        _ => 3,
    });
    for name in names {
        if let Some(fewer) = without(&cases, &name) {
            cases = fewer;
        }
    }
    cases
}

/// The cases without a variable, if it does not matter.
fn without(cases: &[Case], name: &str) -> Option<Vec<Case>> {
    let mut places: std::collections::HashMap<Vec<(String, Value)>, usize> = std::collections::HashMap::new();
    let mut fewer: Vec<Case> = vec![];
    for case in cases {
        let known: Vec<(String, Value)> = case.known.iter().filter(|(other, _)| other != name).cloned().collect();
        let at = *places.entry(known.clone()).or_insert_with(|| {
            fewer.push(Case { known, ..case.clone() });
            fewer.len() - 1
        });
        let merged = &mut fewer[at];
        merged.good = merged.good.intersection(&case.good).cloned().collect();
        if merged.good.is_empty() {
            return None;
        }
        if merged.answers != case.answers {
            merged.answers = 0;
        }
    }
    Some(fewer)
}

fn row(case: &Case, form: &str, shape: &Shape) -> (String, String) {
    let answer = case.good.first();
    let said = answer.and_then(|answer| members(answer, case)).or_else(|| Some(shape.answer(form, answer?)));
    (words(&case.known, shape), said.unwrap_or_default())
}

/// The members of the only list that was seen, if an answer selects some of as many as it has: `1 1 of ds`.
fn members(answer: &Value, case: &Case) -> Option<String> {
    let mut lists = case.known.iter().filter_map(|(name, value)| Some((name, value.as_pool()?)));
    let ((name, list), None) = (lists.next()?, lists.next()) else { return None };
    let places = answer.as_pool().filter(|places| !places.is_empty())?;
    if u32::try_from(list.len()).ok().and_then(|count| 1usize.checked_shl(count)) != Some(case.answers) {
        return None;
    }
    let member = |at: &Value| Some(list.get(usize::try_from(at.as_int()?).ok()?)?.as_int()?.to_string());
    let members: Vec<String> = places.iter().map(member).collect::<Option<_>>()?;
    Some(format!("{} of {name}", members.join(" ")))
}

/// One rule for each situation besides the number that decides, if they are few.
fn rules(cases: &[Case], form: &str, shape: &Shape) -> Option<Vec<String>> {
    let first = cases.first()?;
    if let ([only], true) = (cases, first.known.is_empty()) {
        let answer = shape.answer(form, only.good.first()?);
        return Some(vec![format!("always {answer}")]);
    }
    let deciding = deciding(cases, first.known.len())?;
    let mut situations: Vec<(String, Vec<&Case>)> = vec![];
    for case in cases {
        let mut others = case.known.clone();
        others.remove(deciding);
        let words = words(&others, shape);
        match situations.iter_mut().find(|(other, _)| *other == words) {
            Some((_, members)) => members.push(case),
            None => situations.push((words, vec![case])),
        }
    }
    if situations.len() > MOST_RULES {
        return None;
    }
    let rule = |(words, members): &(String, Vec<&Case>)| {
        let rule = threshold(members, deciding, form, shape)?;
        Some(if words.is_empty() { rule } else { format!("{words}: {rule}") })
    };
    situations.iter().map(rule).collect()
}

/// The number with the most values.
fn deciding(cases: &[Case], count: usize) -> Option<usize> {
    let values = |at: &usize| {
        let numbers: Option<BTreeSet<i64>> = cases.iter().map(|case| case.known.get(*at)?.1.as_int()).collect();
        numbers.map(|numbers| numbers.len())
    };
    (0..count).rev().filter(|at| values(at).is_some()).max_by_key(values)
}

/// Numbers from the first to the second, and what is best there.
struct Piece {
    from: i64,
    to: i64,
    good: BTreeSet<Value>,
}

/// `yes if x is at most 3`
fn threshold(cases: &[&Case], at: usize, form: &str, shape: &Shape) -> Option<String> {
    let number = |case: &&Case| Some((case.known.get(at)?.1.as_int()?, case.good.clone()));
    let mut sorted: Vec<(i64, BTreeSet<Value>)> = cases.iter().map(number).collect::<Option<_>>()?;
    sort::by_key(&mut sorted, |(n, _)| *n);
    // Numbers with two best answers can belong to the piece before them or to the one after them.
    let (upward, downward) = (pieces(sorted.iter()), pieces(sorted.iter().rev()));
    let effort =
        |pieces: &[Piece]| (pieces.len(), pieces.iter().filter(|piece| acts(piece)).map(Piece::count).sum::<i64>());
    let pieces = if effort(&downward) < effort(&upward) { downward } else { upward };
    if pieces.len() > MOST_PIECES {
        return None;
    }
    let (name, first, last) = (&cases.first()?.known.get(at)?.0, sorted.first()?.0, sorted.last()?.0);
    let name = name.replace("pass_of_", "pass of ");
    let mut parts: Vec<(&Value, Vec<String>)> = vec![];
    for piece in &pieces {
        let (answer, place) = (piece.good.first()?, range(piece, first, last));
        match parts.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, places)) => places.push(place),
            None => parts.push((answer, vec![place])),
        }
    }
    if let [(answer, _)] = parts.as_slice() {
        return Some(format!("always {}", shape.answer(form, answer)));
    }
    // Yes says it all.
    parts.retain(|(answer, _)| !matches!(answer.data, Data::Bool(false)));
    let said = parts
        .iter()
        .map(|(answer, places)| format!("{} if {name} is {}", shape.answer(form, answer), places.join(" or ")));
    Some(said.collect::<Vec<_>>().join("; "))
}

/// The numbers in as few pieces as can be.
fn pieces<'s>(sorted: impl Iterator<Item = &'s (i64, BTreeSet<Value>)>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = vec![];
    for (n, good) in sorted {
        match pieces.last_mut() {
            Some(piece) if !piece.good.is_disjoint(good) => {
                (piece.from, piece.to) = (piece.from.min(*n), piece.to.max(*n));
                piece.good = piece.good.intersection(good).cloned().collect();
            }
            _ => pieces.push(Piece { from: *n, to: *n, good: good.clone() }),
        }
    }
    sort::by_key(&mut pieces, |piece| piece.from);
    pieces
}

/// Whether the answer there is anything but no, nothing, or the first.
fn acts(piece: &Piece) -> bool {
    let idle = |answer: &Value| match &answer.data {
        Data::Bool(truth) => !truth,
        Data::Int(n) => *n == 0,
        Data::Pool(items) => items.is_empty(),
        Data::Nothing | Data::Ratio(_) | Data::Text(_) | Data::Tuple(_) | Data::List(_) | Data::Tag(_) => false,
    };
    !piece.good.first().is_some_and(idle)
}

impl Piece {
    fn count(&self) -> i64 {
        self.to.saturating_sub(self.from).saturating_add(1)
    }
}

fn range(piece: &Piece, first: i64, last: i64) -> String {
    match (piece.from, piece.to) {
        (from, to) if from == to => from.to_string(),
        (from, to) if from == first => format!("at most {to}"),
        (from, to) if to == last => format!("at least {from}"),
        (from, to) => format!("{from} to {to}"),
    }
}
