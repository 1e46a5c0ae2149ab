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
//!
//! Beside its state a die may have a number that it counts as instead of its face (`mi`, penetrating dice), or a
//! score: the number that it adds where each die is judged on its own (successes and failures).

use crate::source::Sides;
use std::fmt;
use std::ops::Range;
use tumble_core::{Compare, Span, Value};

/// A roll with its story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The result.
    pub value: Value,
    /// What was rolled where in the text.
    pub trace: Trace,
    /// Every die, in the order it fell.
    pub draws: Vec<Drawn>,
    /// Comparisons and names, in the order of evaluation; only the first of very many.
    pub asides: Vec<Aside>,
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
    /// Whether it replaced that die, and was not added to it.
    pub replaces: bool,
    /// The number it counts as, where that is not its face.
    pub became: Option<i64>,
    /// What it adds to a number of successes: -1 for a failure, 0 for a die that does not count.
    pub score: Option<i64>,
}

impl Drawn {
    /// 1 or 20, on a d20 with the usual faces that counts as it fell.
    pub fn natural(&self) -> Option<i64> {
        let plain = self.state == DieState::Kept && self.became.is_none() && self.score.is_none();
        let number = self.shown.as_int().filter(|n| matches!(n, 1 | 20));
        number.filter(|_| plain && self.sides == Sides::Range { lo: 1, hi: 20 })
    }

    /// Whether it adds nothing: it was dropped, or judged and found to be no success.
    pub fn is_out(&self) -> bool {
        self.state == DieState::Dropped || self.score == Some(0)
    }
}

/// What a reader wants to know beside the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// Two numbers were compared.
    Check(Check),
    /// A name that is bound in the text was read.
    Named(Side),
}

/// A comparison in the text, and how it came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its place in the text.
    pub span: Span,
    /// What is written first.
    pub left: Side,
    /// How it is compared with the other side.
    pub sign: Compare,
    /// What is written last.
    pub right: Side,
    /// Whether it holds.
    pub holds: bool,
}

/// A number, and its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its place in the text.
    pub span: Span,
    /// The number.
    pub value: i64,
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
    /// What was noted during it, as places in [`Rolled::asides`].
    pub asides: Range<usize>,
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
