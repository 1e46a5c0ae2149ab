//! The story of a roll, as data: every die in the order it fell, and a tree shaped like the text.
//!
//! What became of a die:
//!
//! ```text
//! rerolled   it was in the value of a pass of an until that was not the last
//! dropped    it is not used: a row that selects members removed it, a choice left it, or nothing ever asked for it
//! exploded   it was in the value of a pass of an accumulate that was not the last
//! kept       all others, also a die that was only looked at
//! ```
//!
//! The first line that fits decides. A die is *used* by being part of the result or of a number that is compared in
//! the main function, by a row that turns it into a text or a truth, and by deciding how something else is rolled;
//! joining, sorting and pairing do not use it. A number computed from dice, such as a sum, stands for them: they are
//! used when it is, and dropped when it is. The same holds for what they were judged to be. All other questions only
//! look: whether a collection has members, whether a loop goes on, how many dice explode.
//!
//! Beside its state a die may have a number that it counts as instead of its face (`mi`, penetrating dice), or a
//! score: the number that it adds where each die is judged on its own (successes and failures).

use crate::sides::Sides;
use std::fmt;
use std::ops::Range;
use tumble_core::{Compare, Span, Value};

/// The full record of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The result.
    pub value: Value,
    /// What was rolled where in the expression.
    pub trace: Trace,
    /// Every die, in the order rolled.
    pub draws: Vec<Drawn>,
    /// Comparisons and names, in the order of evaluation; only the first of very many.
    pub events: Vec<Event>,
}

impl fmt::Display for Rolled {
    /// The result alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A rolled die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Where in the evaluation it was rolled.
    pub path: String,
    /// Which of the dice with this path it is.
    pub index: u64,
    /// Its faces.
    pub sides: Sides,
    /// The number of its face, from 0.
    pub face: u64,
    /// What it shows.
    pub shown: Value,
    /// The dice term in the expression.
    pub span: Span,
    /// What happened to it.
    pub state: DieState,
    /// The die whose result led to this one, for an explosion or a reroll.
    pub from: Option<usize>,
    /// Whether it replaced that die instead of being added to it.
    pub replaces: bool,
    /// The number it counts as, if that is not what it shows.
    pub became: Option<i64>,
    /// What it adds to a number of successes: -1 for a failure, 0 for a die that does not count.
    pub score: Option<i64>,
    /// Whether it is the only die of its dice term that counts, and its number does; in a repetition that is the whole
    /// roll, the only one in its pass.
    pub alone: bool,
}

impl Drawn {
    /// A natural 1 or 20: on a d20 that counts as rolled, alone or kept alone of several.
    pub fn natural(&self) -> Option<i64> {
        let plain = self.alone && self.state == DieState::Kept && self.became.is_none() && self.score.is_none();
        let number = self.shown.as_int().filter(|n| matches!(n, 1 | 20));
        number.filter(|_| plain && self.sides == Sides::Range { lo: 1, hi: 20 })
    }

    /// Whether it adds nothing: it was dropped, or is not a success.
    pub fn is_out(&self) -> bool {
        self.state == DieState::Dropped || self.score == Some(0)
    }
}

/// What happened in a roll besides the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Two numbers were compared.
    Check(Check),
    /// A name bound in the expression was read.
    Named(Side),
    /// A bound was applied to a total, or to one beside it.
    Changed(Change),
}

/// A total in a collection, before and after a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place of the bound in the expression.
    pub span: Span,
    /// Which member of the collection it is, from 0.
    pub place: usize,
    /// The first and the last of its dice, as places in [`Rolled::draws`].
    pub dice: Option<(usize, usize)>,
    /// The number before.
    pub from: i64,
    /// The number after.
    pub to: i64,
}

/// A comparison in the expression, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its place in the expression.
    pub span: Span,
    /// The left side.
    pub left: Side,
    /// The comparison.
    pub sign: Compare,
    /// The right side.
    pub right: Side,
    /// Whether it holds.
    pub holds: bool,
}

/// A number, and its place in the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its place in the expression.
    pub span: Span,
    /// The number.
    pub value: i64,
}

/// What happened to a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieState {
    /// It counts, or was examined.
    Kept,
    /// It is in no number that is shown: a selection or a choice left it out, or nothing used it.
    Dropped,
    /// Another roll replaced it.
    Rerolled,
    /// It counts, and led to another roll.
    Exploded,
}

/// A part of the roll in which dice were rolled. The tree is at most 64 deep: what is deeper is shown by
/// the dice of the deepest part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its place in the expression.
    pub span: Span,
    /// What it is.
    pub what: Step,
    /// The dice rolled directly in it, as places in [`Rolled::draws`].
    pub dice: Vec<usize>,
    /// Its value; not kept once the values of a trace have a million members.
    pub value: Option<Value>,
    /// The parts of it in which dice were rolled, in the order of evaluation.
    pub inside: Vec<Trace>,
    /// What happened during it, as places in [`Rolled::events`].
    pub events: Range<usize>,
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
    /// A row of the primitive table, by name: a subtotal.
    Row(&'static str),
}
