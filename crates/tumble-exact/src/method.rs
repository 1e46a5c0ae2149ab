//! What a method is, and what it works with.
//!
//! Methods are rows: a name, what it does in words, its price and how it runs. Each is in a file of its own in
//! [`algo`](crate::algo), beside what it charges, and all are in one [table](crate::algo::METHODS), which the choice, the
//! explanation, the refusals and the tests read.

use crate::dist::Dist;
use crate::explain::{Mark, Record};
use crate::outcome::Stop;
use crate::price::Price;
use crate::probe::Probe;
use crate::question::{Joint, Question};
use crate::rounding::Rounding;
use std::fmt;
use tumble_core::{Budget, Span, TermId};

/// A way to compute, which can be left out: that changes only speed, and for loops without end, how much can be told.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a plain sentence.
    pub does: &'static str,
    pub(crate) answers: Answers,
}

/// How a method answers questions.
#[derive(Clone, Copy)]
pub(crate) enum Answers {
    /// It wins by a factor wherever it fits, so nobody asks for its price before it starts.
    First(Row),
    /// If it has the lowest price.
    Cheapest(Row),
    /// It answers no question about collections; who can use it asks whether it may.
    None,
}

/// A price, and the work.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// At most about so much; none if it does not fit, or if that shows only on the way.
    pub(crate) price: fn(&Question<'_>) -> Option<Price>,
    /// The answer; none if it does not fit.
    pub(crate) run: fn(&mut Desk<'_>, &Question<'_>) -> Result<Option<Found>, Stop>,
}

/// What a method has found.
pub(crate) enum Found {
    /// The distribution of the only view.
    One(Dist),
    /// That of all views.
    All(Joint),
}

impl From<Found> for Joint {
    fn from(found: Found) -> Joint {
        match found {
            Found::One(dist) => dist.into(),
            Found::All(joint) => joint,
        }
    }
}

/// Rewriting a program before it is computed.
pub static REWRITING: Method =
    Method { name: "rewriting", does: "never lists a named roll that is only examined", answers: Answers::None };

/// Forgetting the dice of a hidden pool that nothing can ask for any more.
pub static FORGETTING: Method =
    Method { name: "forgetting", does: "drops what no later question can ask for", answers: Answers::None };

/// Going through the members of a hidden pool one after the other.
pub static PEELING: Method = Method {
    name: "peeling",
    does: "takes one member after the other, in any order where that makes no difference",
    answers: Answers::None,
};

/// Guessing what a fold over a hidden pool gives, where the pool is looked at again.
pub static CONDITIONING: Method = Method {
    name: "conditioning",
    does: "goes through each result of a first look, with the dice that can give it",
    answers: Answers::None,
};

impl Method {
    pub(crate) fn row(&self) -> Option<Row> {
        match self.answers {
            Answers::First(row) | Answers::Cheapest(row) => Some(row),
            Answers::None => None,
        }
    }
}

/// Every method is one static, so it is known by its place.
impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Method {}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What every part of a computation needs: the budget, what may be used, the wanted precision.
pub(crate) struct Desk<'a> {
    pub(crate) budget: Budget,
    /// Methods that must not be used.
    pub(crate) without: &'a [&'static Method],
    /// Loops are cut after this many rolls.
    pub(crate) iterations: Option<u64>,
    /// Answers are checked modulo this prime.
    pub(crate) probe: Option<Probe>,
    /// Unlisted mass of a solved loop is below two to the minus this.
    pub(crate) precision: u64,
    /// What was done so far, for those who want to know.
    pub(crate) record: Record,
    /// What rounding has cost, where it is allowed.
    pub(crate) rounding: Option<Rounding>,
}

impl Desk<'_> {
    /// The term that is worked on from now on.
    pub(crate) fn work_on(&mut self, term: TermId, span: Span) {
        self.record.at = span;
        if let Some(rounding) = &mut self.rounding {
            rounding.at(term);
        }
    }

    /// Whether a method may be used.
    pub(crate) fn allows(&self, method: &Method) -> bool {
        !self.without.iter().any(|other| std::ptr::eq(*other, method))
    }

    /// Tells of work that is no question about a collection; the closure says what and how.
    pub(crate) fn tell(&mut self, since: Mark, told: impl FnOnce() -> (String, String)) {
        self.record.tell(since, self.budget.used(), || {
            let (what, how) = told();
            (what, None, how, None)
        });
    }
}
