//! What players want, and what best play is told as.

use super::answers::Group;
use crate::fraction::Fraction;
use crate::outcome::Outcome;
use tumble_core::{Code, Fault, Value};

/// What players want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A high result on average.
    Mean,
    /// This result or a higher one.
    AtLeast(i64),
    /// This result or a lower one.
    AtMost(i64),
    /// Just this result.
    Exactly(Value),
}

/// Who plays how.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Owners that play against all others.
    pub minimise: Vec<Option<String>>,
    /// Owners that keep their answers.
    pub fixed: Vec<Option<String>>,
}

/// The value of best play.
#[derive(Clone, Debug)]
pub struct Best {
    /// The value.
    pub value: Fraction,
    /// How much of the probability could not be followed to its end; its value counts as 0.
    pub unresolved: Fraction,
    /// The same with every question at its default.
    pub all_default: Option<Fraction>,
    /// The decisions, those met first at the beginning.
    pub decisions: Vec<Decision>,
    /// How many decisions there are in all.
    pub of: usize,
    /// Situations that were told apart.
    pub states: usize,
}

/// One decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The path of its question.
    pub path: String,
    /// The question.
    pub prompt: String,
    /// Whose it is, and what about.
    pub group: Group,
    /// The place of the question in the program: the function and where in it; equal for decisions that are met there.
    pub place: (usize, usize),
    /// What was seen that matters, by the names of variables.
    pub known: Vec<(String, Value)>,
    /// What each answer is worth.
    pub answers: Vec<(Value, Fraction)>,
    /// Which of them is best.
    pub best: usize,
}

/// A value, and the probability that nothing is known.
pub(super) type Worth = (Fraction, Fraction);

impl Goal {
    /// What a result is worth; none if too little is known of it.
    pub(super) fn worth(&self, outcome: &Outcome) -> Result<Option<Fraction>, Fault> {
        let sure = |holds: bool| Ok(Some(Fraction::whole(i64::from(holds))));
        let number = outcome.known().map(|value| value.as_int().ok_or_else(|| not_a_number(self))).transpose();
        match (self, outcome.beyond()) {
            (Goal::Exactly(wanted), None) => {
                Ok(outcome.known().map(|value| Fraction::whole(i64::from(value == wanted))))
            }
            (Goal::Exactly(wanted), Some(beyond)) => match wanted.as_int() {
                Some(n) if (n <= beyond.bound) == beyond.up || n == beyond.bound => sure(false),
                Some(_) => Ok(None),
                None => sure(false),
            },
            (Goal::Mean, None) => Ok(number?.map(Fraction::whole)),
            (Goal::Mean, Some(beyond)) => Ok(beyond.far.map(|far| far.mean().clone())),
            (Goal::AtLeast(t), None) => Ok(number?.map(|n| Fraction::whole(i64::from(n >= *t)))),
            (Goal::AtMost(t), None) => Ok(number?.map(|n| Fraction::whole(i64::from(n <= *t)))),
            (Goal::AtLeast(t), Some(beyond)) => match beyond.up {
                true if beyond.bound >= t - 1 => sure(true),
                false if beyond.bound <= *t => sure(false),
                _ => Ok(None),
            },
            (Goal::AtMost(t), Some(beyond)) => match beyond.up {
                true if beyond.bound >= *t => sure(false),
                false if beyond.bound <= t + 1 => sure(true),
                _ => Ok(None),
            },
        }
    }
}

fn not_a_number(goal: &Goal) -> Fault {
    let what = if *goal == Goal::Mean { "a mean" } else { "a highest or lowest" };
    Fault::new(Code::Request, format!("the result is not a number, so it has no {}", what.trim_start_matches("a ")))
        .hint("ask for one result exactly")
}
