//! What each answer at an open option is worth: every die of the run is known, all others are random.
//!
//! A run with its answers is made first. Its dice, by their identity, are what is known; for each possible answer the
//! rest of the program is then computed exactly, with the other options as answered, or played best.

use super::{Before, Entry, Given, MetOption, Outcome};
use std::collections::HashMap;
use tumble_core::{Answers, Code, Diagnostic, Limits, Span, Value};
use tumble_exact::play::{Goal, KnownDie, Players, Sides};
use tumble_exact::{Fraction, Odds};
use tumble_roll::Source;

/// Options with more answers than this are refused.
const MOST_ITEMS: usize = 12;
const MOST_NUMBERS: i64 = 1000;

/// What is wanted at an option.
#[derive(Clone, Debug)]
pub struct Wish {
    /// What an answer is measured by.
    pub goal: Goal,
    /// Who plays how afterwards, if options that follow and were not answered are played best.
    pub best: Option<Players>,
    /// Which field of the result is asked for, if it is a record.
    pub field: Option<usize>,
}

/// What the answers at an option are worth.
#[derive(Clone, Debug)]
pub struct OpenWorth {
    /// The option.
    pub option: MetOption,
    /// Every answer with its value.
    pub answers: Vec<(Value, Fraction)>,
}

impl Entry {
    /// What every answer at an option of a run is worth, given all dice of that run.
    pub fn worth<S: Source>(
        &self,
        before: Before,
        source: S,
        path: &str,
        wish: &Wish,
        limits: &Limits,
    ) -> Result<OpenWorth, Diagnostic> {
        let answers = before.answers.clone();
        let outcome = self.run(before, source, limits)?;
        self.worth_in(&outcome, &answers, path, wish, limits)
    }

    /// The same for a run that was made, with the answers it was made with.
    pub fn worth_in(
        &self,
        outcome: &Outcome,
        answers: &HashMap<String, Value>,
        path: &str,
        wish: &Wish,
        limits: &Limits,
    ) -> Result<OpenWorth, Diagnostic> {
        let option = outcome.options.iter().find(|option| option.asked.path == path);
        let option = option.ok_or_else(|| not_met(outcome, path))?.clone();
        let possible = possible(&option)?;
        let mut given =
            Given { answers: answers.clone(), dice: dice_of(outcome), field: wish.field, ..Given::default() };
        if let Some(players) = &wish.best {
            // What was passed on the way here is decided; only what follows is still open.
            let before = outcome.options.iter().take_while(|other| other.asked.path != path);
            for other in before {
                given.answers.entry(other.asked.path.clone()).or_insert_with(|| other.asked.value.clone());
            }
            if let Some(answers) = self.decided(&mut given, path, &wish.goal, players, limits)? {
                return Ok(OpenWorth { option, answers });
            }
        }
        let mut limits = limits.clone();
        let mut found = vec![];
        for answer in possible {
            given.answers.insert(path.to_owned(), answer.clone());
            let value = match &wish.best {
                Some(players) => self.best(&given, &wish.goal, players, 0, &limits)?.value,
                None => {
                    let answered = self.odds(&given, false, &limits)?;
                    // All answers together have one budget.
                    limits.steps = limits.steps.saturating_sub(answered.effort.steps);
                    reached(&wish.goal, &answered.odds)?
                }
            };
            found.push((answer, value));
        }
        Ok(OpenWorth { option, answers: found })
    }
}

impl Entry {
    /// The same from one solution of all that follows: with everything before it known, the option is the first decision.
    fn decided(
        &self,
        given: &mut Given,
        path: &str,
        goal: &Goal,
        players: &Players,
        limits: &Limits,
    ) -> Result<Option<Vec<(Value, Fraction)>>, Diagnostic> {
        given.answers.remove(path);
        let first = self.best(given, goal, players, 1, limits)?.decisions.into_iter().next();
        Ok(first.filter(|first| first.path == path).map(|first| first.answers))
    }
}

/// The dice of a run.
pub fn dice_of(outcome: &Outcome) -> Vec<KnownDie> {
    let known = &outcome.dice.known;
    let mut dice = vec![];
    for (path, sides, index) in outcome.rolls.iter().flat_map(|roll| &roll.identities) {
        let place = usize::try_from(*index).unwrap_or(usize::MAX);
        let kept = known.get(path).and_then(|kinds| kinds.get(sides)).and_then(|list| list.get(place)?.as_ref());
        let face = kept.and_then(|kept| kept.versions.get(kept.now)).map(|version| version.face);
        dice.extend(face.map(|face| KnownDie { path: path.clone(), sides: engine_sides(*sides), index: *index, face }));
    }
    dice
}

fn engine_sides(sides: tumble_roll::Sides) -> Sides {
    match sides {
        tumble_roll::Sides::Range { lo, hi } => Sides::Range { lo, hi },
        tumble_roll::Sides::Pick { of } => Sides::Pick { of },
    }
}

/// What a distribution is worth.
pub fn reached(goal: &Goal, odds: &Odds) -> Result<Fraction, Diagnostic> {
    let value = match goal {
        Goal::Mean => odds.mean(),
        Goal::AtLeast(t) => odds.between(Some(*t), None),
        Goal::AtMost(t) => odds.between(None, Some(*t)),
        Goal::Exactly(value) => match value.as_int() {
            Some(n) => odds.between(Some(n), Some(n)).or_else(|| Some(odds.probability(value))),
            None => Some(odds.probability(value)),
        },
    };
    value.ok_or_else(|| match goal {
        Goal::Mean if odds.values().any(|value| value.as_int().is_none()) => {
            refused("the result is not a number, so it has no mean").hint("ask for one result exactly")
        }
        Goal::Mean => refused("the mean of the result is not known exactly").hint("ask for at least a number"),
        _ => refused("the result is not a number, so it can't be compared with one").hint("ask for one result exactly"),
    })
}

/// Everything that can be answered.
fn possible(option: &MetOption) -> Result<Vec<Value>, Diagnostic> {
    let place = option.asked.span;
    let limit = |message: String| Err(Diagnostic::new(Code::Limit, place, message));
    match &option.asked.answers {
        Answers::Option => Ok(vec![Value::bool(false), Value::bool(true)]),
        Answers::Choice(texts) => Ok((0..texts.len() as i64).map(Value::int).collect()),
        Answers::Number { low, high, .. } => match high.checked_sub(*low) {
            Some(width) if width < MOST_NUMBERS => Ok((*low..=*high).map(Value::int).collect()),
            _ => limit(format!("this asks for a number from {low} to {high}; at most {MOST_NUMBERS} can be compared")),
        },
        Answers::Select(items) if items.len() > MOST_ITEMS => {
            let count = items.len();
            limit(format!("this lets choose among {count} items; selections of at most {MOST_ITEMS} can be compared"))
        }
        Answers::Select(items) => {
            let chosen = |set: u32| (0..items.len() as i64).filter(|at| set >> at & 1 == 1).collect::<Vec<_>>();
            Ok((0..1u32 << items.len()).map(|set| Value::ints(&chosen(set))).collect())
        }
    }
}

fn not_met(outcome: &Outcome, path: &str) -> Diagnostic {
    let error = refused(format!("no option was met at `{path}` in this run"));
    let mut met: Vec<String> = outcome.options.iter().map(|option| format!("`{}`", option.asked.path)).collect();
    met.truncate(5);
    match met.is_empty() {
        true => error.hint("this run met no options at all"),
        false => error.hint(format!("options were met at {}", met.join(", "))),
    }
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}
