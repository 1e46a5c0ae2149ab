//! What the machine tells while it runs. Nobody listens to a sample; a roll has a [`Scribe`].
//!
//! [`Scribe`]: crate::scribe::Scribe

use crate::play::{Asked, Shown, Thrown};
use crate::sight::Compared;
use crate::source::Die;
use crate::trace::Step;
use std::ops::Range;
use tumble_core::{Budget, Fault, Keep, Mark, Prim, Span, Value};

/// A listener; one that wants nothing costs nothing.
#[expect(unused_variables, reason = "who wants nothing looks at nothing")]
pub(crate) trait Watch {
    /// Whether paths are wanted.
    const TRACED: bool;

    /// A construct begins.
    fn open(&mut self, what: impl FnOnce() -> Step, span: Span) {}

    /// The construct opened last has this value.
    fn close(&mut self, value: &Value) {}

    /// How much is open now.
    fn level(&self) -> Level {
        Level::default()
    }

    /// The construct that began at this level has this value; what is still open inside it is given up.
    fn cut_back(&mut self, to: Level, value: &Value) {}

    /// A die fell; the answer marks what it shows.
    fn die(&mut self, die: &Die<'_>, face: u64, shown: &Value, span: Span) -> Mark {
        Mark::NONE
    }

    /// A row was applied; the answer marks a number that was computed from dice.
    fn applied(
        &mut self,
        row: &Applied<'_>,
        args: &[Value],
        result: &Value,
        budget: &mut Budget,
    ) -> Result<Mark, Fault> {
        Ok(Mark::NONE)
    }

    /// Of the members of a collection, these were chosen by chance.
    fn chosen(&mut self, from: &Value, taken: &[Value], budget: &mut Budget) -> Result<(), Fault> {
        Ok(())
    }

    /// A value decided how something is rolled.
    fn used(&mut self, value: &Value, budget: &mut Budget) -> Result<(), Fault> {
        Ok(())
    }

    /// A pass in which these dice fell and which came to this value led to another one; the answer is the die that
    /// the next ones come from.
    fn led(&mut self, value: &Value, dice: Range<u64>, keep: Keep, budget: &mut Budget) -> Result<Option<u64>, Fault> {
        Ok(None)
    }

    /// What is asked from now on is asked about this value: whether a loop goes on after it, or how a member of a
    /// collection is judged.
    fn about(&mut self, value: &Value) {}

    /// That is over.
    fn answered(&mut self) {}

    /// These dice were rolled because of the die `from`: in its place, or beside it.
    fn follow(&mut self, dice: Range<u64>, from: u64, keep: Keep) {}

    /// Something is repeated as often as this number says. If it is a count of dice, the answer is the number of
    /// their list, for [`Watch::counted`]; else it is used.
    fn counts(&mut self, number: &Value, budget: &mut Budget) -> Result<Option<usize>, Fault> {
        Ok(None)
    }

    /// These dice fell in such a repetition, because of the die with this place in the list.
    fn counted(&mut self, list: usize, place: u64, dice: Range<u64>) {}

    /// A member of a collection was judged alone: this is what came out; it may be given marks.
    fn judged(&mut self, member: &Value, result: &mut Value, budget: &mut Budget) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether what a script does besides computing is wanted.
    const PLAYS: bool = false;

    /// Dice of a script fell together.
    fn thrown(&mut self, thrown: Thrown) -> Result<(), Fault> {
        Ok(())
    }

    /// A question was met.
    fn asked(&mut self, asked: Asked) -> Result<(), Fault> {
        Ok(())
    }

    /// Something is shown.
    fn shown(&mut self, shown: Shown, span: Span) -> Result<(), Fault> {
        Ok(())
    }

    /// A name that is bound in the text was read.
    fn named(&mut self, value: &Value, span: Span) {}
}

/// How many constructs are open, and how many values are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) parts: usize,
    pub(crate) topics: usize,
}

/// A row that was applied.
pub(crate) struct Applied<'a> {
    pub(crate) prim: &'a Prim,
    pub(crate) span: Span,
    /// Whether it only answers a question.
    pub(crate) looking: Option<Question>,
    /// The comparison in the text that it makes, and its place.
    pub(crate) check: Option<(&'a Compared, Span)>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The reader: it is written in the main function, so the number that it is about counts.
    Written,
    /// A loop about its pass, a function about its argument, or a notation.
    Inner,
}

/// Nobody listens.
pub(crate) struct Nobody;

impl Watch for Nobody {
    const TRACED: bool = false;
}
