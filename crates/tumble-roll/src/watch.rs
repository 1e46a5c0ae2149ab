//! What the machine tells while it runs. Nobody listens to a sample; a roll has a [`Scribe`].
//!
//! [`Scribe`]: crate::scribe::Scribe

use crate::source::Die;
use crate::trace::Step;
use std::ops::Range;
use tumble_core::{Budget, Fault, Keep, Mark, Prim, Span, Value};

/// A listener; one that wants nothing costs nothing.
pub(crate) trait Watch {
    /// Whether paths are wanted.
    const TRACED: bool;

    /// A construct begins.
    fn open(&mut self, what: impl FnOnce() -> Step, span: Span);

    /// The construct opened last has this value.
    fn close(&mut self, value: &Value);

    /// A die fell; the answer marks what it shows.
    fn die(&mut self, die: &Die<'_>, face: u64, shown: &Value, span: Span) -> Mark;

    /// A row was applied; the answer marks a number that was computed from dice.
    fn applied(
        &mut self,
        row: &Applied<'_>,
        args: &[Value],
        result: &Value,
        budget: &mut Budget,
    ) -> Result<Mark, Fault>;

    /// Of the members of a collection, these were chosen by chance.
    fn chosen(&mut self, from: &Value, taken: &[Value], budget: &mut Budget) -> Result<(), Fault>;

    /// A value decided how something is rolled.
    fn used(&mut self, value: &Value, budget: &mut Budget) -> Result<(), Fault>;

    /// These dice led to another pass.
    fn led(&mut self, dice: Range<u64>, keep: Keep);

    /// These dice were rolled because of the die `from`.
    fn follow(&mut self, dice: Range<u64>, from: u64);
}

/// A row that was applied.
pub(crate) struct Applied<'a> {
    pub(crate) prim: &'a Prim,
    /// Whether it is a filter that only answers a question.
    pub(crate) looking: bool,
}

/// Nobody listens.
pub(crate) struct Nobody;

impl Watch for Nobody {
    const TRACED: bool = false;

    #[inline]
    fn open(&mut self, _: impl FnOnce() -> Step, _: Span) {}

    #[inline]
    fn close(&mut self, _: &Value) {}

    #[inline]
    fn die(&mut self, _: &Die<'_>, _: u64, _: &Value, _: Span) -> Mark {
        Mark::NONE
    }

    #[inline]
    fn applied(&mut self, _: &Applied<'_>, _: &[Value], _: &Value, _: &mut Budget) -> Result<Mark, Fault> {
        Ok(Mark::NONE)
    }

    #[inline]
    fn chosen(&mut self, _: &Value, _: &[Value], _: &mut Budget) -> Result<(), Fault> {
        Ok(())
    }

    #[inline]
    fn used(&mut self, _: &Value, _: &mut Budget) -> Result<(), Fault> {
        Ok(())
    }

    #[inline]
    fn led(&mut self, _: Range<u64>, _: Keep) {}

    #[inline]
    fn follow(&mut self, _: Range<u64>, _: u64) {}
}
