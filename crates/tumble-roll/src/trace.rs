//! The story of a roll, as data: every die in the order it fell, and a tree shaped like the text.
//!
//! What became of a die:
//!
//! ```text
//! rerolled   it was in a pass of an until that was not the last
//! dropped    a row that selects members removed it, or a choice left it, and nothing else used it
//! exploded   it was in a pass of an accumulate that was not the last
//! kept       all others, also a die that was only looked at
//! ```
//!
//! The first line that fits decides. A die is *used* by a row that turns it into a text or a truth, by
//! deciding how something else is rolled, and by being part of the result; joining, sorting and pairing do not
//! use it, and neither does the question whether a collection has members. A number computed from dice, such as
//! a sum, stands for them: they are used when it is, and dropped when it is. A filter that directly feeds a
//! question removes nothing: it only looks.

use crate::source::Sides;
use std::fmt;
use tumble_core::{Span, Value};

/// A roll with its story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The result.
    pub value: Value,
    /// What was rolled where in the text.
    pub trace: Trace,
    /// Every die, in the order it fell.
    pub draws: Vec<Drawn>,
}

impl fmt::Display for Rolled {
    /// The result alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A die that fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Where in the evaluation.
    pub path: String,
    /// Which of the dice with this path.
    pub index: u64,
    /// Its faces.
    pub sides: Sides,
    /// The number of its face, from 0.
    pub face: u64,
    /// What it shows.
    pub shown: Value,
    /// The dice term in the text.
    pub span: Span,
    /// What became of it.
    pub state: DieState,
    /// The die whose result led to this one, for an explosion or a reroll.
    pub from: Option<usize>,
}

/// What became of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieState {
    /// It counts, or was looked at.
    Kept,
    /// A row that selects members removed it, or a choice left it, and nothing else used it.
    Dropped,
    /// Another roll replaced it.
    Rerolled,
    /// It counts, and led to another roll.
    Exploded,
}

/// A part of the roll in which dice fell. The tree is at most 64 deep: what lies deeper is told by
/// the dice of the deepest part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its place in the text.
    pub span: Span,
    /// What it is.
    pub what: Step,
    /// The dice rolled directly in it, as places in [`Rolled::draws`].
    pub dice: Vec<usize>,
    /// Its value; not kept once the values of a trace have a million members.
    pub value: Option<Value>,
    /// The parts of it in which dice fell, in the order of evaluation.
    pub inside: Vec<Trace>,
}

/// What a part of a roll is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The whole roll.
    Whole,
    /// A dice term: dice rolled together.
    Dice,
    /// A loop of any kind; inside are its passes.
    Loop,
    /// A pass of a loop, counted from 1.
    Pass(u64),
    /// A call of the function with this name.
    Call(String),
    /// A row of the primitive table, by name: a sub-total.
    Row(&'static str),
}
