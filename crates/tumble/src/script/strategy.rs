//! Best play as a person would say it: the decisions of one place together, as thresholds where one number decides.
//!
//! ```text
//! Again?: yes if x is at most 3
//! Again?: with left = 2, yes if x is at most 4
//! ```
//!
//! Where two answers are worth the same, the one that makes the rule shorter is taken.

use super::answers::known;
use super::{Best, Decision, Group, Shape};
use tumble_core::{Data, Value};
use tumble_exact::Fraction;

/// What to do at one place.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Whose decision it is, and what about.
    pub group: Group,
    /// What to do, in a line if it is simple.
    pub rules: Vec<String>,
    /// Otherwise what was seen, and the best answer with its value.
    pub rows: Vec<(String, String, String)>,
}

/// At most so many situations besides the number that decides have a rule each.
const MOST_RULES: usize = 50;

/// More pieces than this are no rule that can be remembered.
const MOST_PIECES: usize = 4;

/// What to do at each place, in the order in which they are met. If there are more decisions than were found, those of
/// the last place are not all there.
pub fn advice(best: &Best, shape: &Shape) -> Vec<Advice> {
    let (decisions, all) = (&best.decisions, best.decisions.len() == best.of);
    // What was not followed makes a good answer look a little worse than it is.
    let slack = if best.unresolved.is_zero() { Fraction::zero() } else { Fraction::ratio(1, 1_000_000) };
    let mut places: Vec<Vec<&Decision>> = vec![];
    for decision in decisions {
        match places.iter_mut().find(|place| place[0].place == decision.place && place[0].group == decision.group) {
            Some(place) => place.push(decision),
            None => places.push(vec![decision]),
        }
    }
    let last = places.len().saturating_sub(1);
    let one = |(at, place): (usize, &Vec<&Decision>)| {
        let group = place[0].group.clone();
        match rules(place, shape, &slack).filter(|_| all || at < last) {
            Some(rules) => Advice { group, rules, rows: vec![] },
            None => Advice { group, rules: vec![], rows: place.iter().map(|decision| row(decision, shape)).collect() },
        }
    };
    places.iter().enumerate().map(one).collect()
}

fn row(decision: &Decision, shape: &Shape) -> (String, String, String) {
    let (answer, value) = match decision.answers.get(decision.best) {
        Some((answer, value)) => {
            let words = members(answer, decision).unwrap_or_else(|| shape.answer(&decision.group.form, answer));
            (words, value.decimal(2))
        }
        None => (String::new(), String::new()),
    };
    (known(decision, shape), answer, value)
}

/// The members of the only list that was seen, if an answer selects some of as many as it has: `1 1 of ds`.
fn members(answer: &Value, decision: &Decision) -> Option<String> {
    let mut lists = decision.known.iter().filter_map(|(name, value)| Some((name, value.as_pool()?)));
    let ((name, list), None) = (lists.next()?, lists.next()) else { return None };
    let places = answer.as_pool().filter(|places| !places.is_empty())?;
    if u32::try_from(list.len()).ok().and_then(|count| 1usize.checked_shl(count)) != Some(decision.answers.len()) {
        return None;
    }
    let member = |at: &Value| Some(list.get(usize::try_from(at.as_int()?).ok()?)?.as_int()?.to_string());
    let members: Vec<String> = places.iter().map(member).collect::<Option<_>>()?;
    Some(format!("{} of {name}", members.join(" ")))
}

/// One rule for each situation besides the number that decides, if they are few.
fn rules(place: &[&Decision], shape: &Shape, slack: &Fraction) -> Option<Vec<String>> {
    let first = place.first()?;
    let no_matter = |one: &&Decision| best_of(one, slack).len() == one.answers.len();
    if place.iter().all(no_matter) {
        return Some(vec!["makes no difference".to_owned()]);
    }
    let names: Vec<&str> = first.known.iter().map(|(name, _)| name.as_str()).collect();
    let alike = |one: &&Decision| one.known.iter().map(|(name, _)| name.as_str()).eq(names.iter().copied());
    if !place.iter().all(alike) {
        return None;
    }
    let Some(deciding) = deciding(place, names.len()) else {
        let (answer, _) = first.answers.get(first.best).filter(|_| names.is_empty() && place.len() == 1)?;
        return Some(vec![shape.answer(&first.group.form, answer)]);
    };
    let mut situations: Vec<(String, Vec<&Decision>)> = vec![];
    for decision in place {
        let others = Decision { known: without(decision, deciding), ..(*decision).clone() };
        let words = known(&others, shape);
        match situations.iter_mut().find(|(other, _)| *other == words) {
            Some((_, members)) => members.push(decision),
            None => situations.push((words, vec![decision])),
        }
    }
    if situations.len() > MOST_RULES {
        return None;
    }
    let rule = |(_, members): &(String, Vec<&Decision>)| threshold(members, deciding, (names[deciding], slack), shape);
    let rules: Vec<String> = situations.iter().map(rule).collect::<Option<_>>()?;
    Some(match rules.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => vec![first.clone()],
        _ => situations.iter().zip(rules).map(|((words, _), rule)| join(words, &rule)).collect(),
    })
}

/// A rule with the situation it is for.
fn join(words: &str, rule: &str) -> String {
    if words.is_empty() { rule.to_owned() } else { format!("{words}: {rule}") }
}

fn without(decision: &Decision, at: usize) -> Vec<(String, Value)> {
    let others = decision.known.iter().enumerate().filter(|(other, _)| *other != at);
    others.map(|(_, known)| known.clone()).collect()
}

/// The number with the most values.
fn deciding(place: &[&Decision], count: usize) -> Option<usize> {
    let values = |at: &usize| {
        let numbers: Option<Vec<i64>> = place.iter().map(|one| one.known.get(*at)?.1.as_int()).collect();
        let mut numbers = numbers?;
        numbers.sort_unstable();
        numbers.dedup();
        Some(numbers.len())
    };
    (0..count).rev().filter(|at| values(at).is_some()).max_by_key(values)
}

/// Numbers from the first to the second, and what is best there.
struct Piece {
    from: i64,
    to: i64,
    answers: Vec<usize>,
}

/// `yes if x is at most 3`
fn threshold(members: &[&Decision], at: usize, (name, slack): (&str, &Fraction), shape: &Shape) -> Option<String> {
    let mut sorted: Vec<(i64, &Decision)> =
        members.iter().map(|one| Some((one.known.get(at)?.1.as_int()?, *one))).collect::<Option<_>>()?;
    sorted.sort_by_key(|(n, _)| *n);
    if sorted.windows(2).any(|two| two[0].0 == two[1].0) {
        return None;
    }
    let mut pieces: Vec<Piece> = vec![];
    for (n, decision) in &sorted {
        let good = best_of(decision, slack);
        match pieces.last_mut() {
            Some(piece) if piece.answers.iter().any(|answer| good.contains(answer)) => {
                piece.to = *n;
                piece.answers.retain(|answer| good.contains(answer));
            }
            _ => pieces.push(Piece { from: *n, to: *n, answers: good }),
        }
    }
    let (first, last) = (sorted.first()?.0, sorted.last()?.0);
    let decision = sorted.first()?.1;
    let form = &decision.group.form;
    let word = |piece: &Piece| Some(shape.answer(form, &decision.answers.get(*piece.answers.first()?)?.0));
    let sames = |other: &(i64, &Decision)| other.1.answers.len() == decision.answers.len();
    if pieces.len() > MOST_PIECES || !sorted.iter().all(sames) {
        return None;
    }
    let yes_or_no = matches!(decision.answers.first()?.0.data, Data::Bool(_));
    match pieces.as_slice() {
        [only] if yes_or_no => Some(if word(only)? == "yes" { "always yes" } else { "always no" }.to_owned()),
        [only] => Some(format!("always {}", word(only)?)),
        _ => {
            let mut parts: Vec<(String, Vec<String>)> = vec![];
            for piece in &pieces {
                let (word, place) = (word(piece)?, range(piece, first, last));
                match parts.iter_mut().find(|(other, _)| *other == word) {
                    Some((_, places)) => places.push(place),
                    None => parts.push((word, vec![place])),
                }
            }
            // Yes says it all.
            parts.retain(|(word, _)| !yes_or_no || word == "yes");
            let said = parts.iter().map(|(word, places)| format!("{word} if {name} is {}", places.join(" or ")));
            Some(said.collect::<Vec<_>>().join("; "))
        }
    }
}

/// All answers that are worth as much as the best one.
fn best_of(decision: &Decision, slack: &Fraction) -> Vec<usize> {
    let Some((_, best)) = decision.answers.get(decision.best) else { return vec![] };
    let near = |other: &Fraction| (if other > best { other - best } else { best - other }) <= *slack;
    let equal = |(_, (_, other)): &(usize, &(Value, Fraction))| near(other);
    decision.answers.iter().enumerate().filter(equal).map(|(at, _)| at).collect()
}

fn range(piece: &Piece, first: i64, last: i64) -> String {
    match (piece.from, piece.to) {
        (from, to) if from == to => from.to_string(),
        (from, to) if from == first => format!("at most {to}"),
        (from, to) if to == last => format!("at least {from}"),
        (from, to) => format!("{from} to {to}"),
    }
}
