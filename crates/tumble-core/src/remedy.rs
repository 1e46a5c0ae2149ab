//! What the caller can do about a message, as data.
//!
//! ```text
//! message   this needs more than 50,000,000 steps
//! hint      ask for a smaller roll                      what to do about the expression itself: words
//! remedies  raise the limit of steps; approximate       what to do about the call: data
//! ```
//!
//! A command line words a remedy as an option, a request as a field, a web page as a button. So no part below the
//! program names an option of it.

use std::borrow::Cow;

/// A limit that the caller may raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The steps of an answer.
    Steps,
    /// The dice of one roll.
    Dice,
    /// The depth of nested calls.
    Depth,
}

impl Limit {
    /// The name used on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Steps => "steps",
            Limit::Dice => "dice",
            Limit::Depth => "depth",
        }
    }
}

/// Something the caller can change so that there is an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Remedy {
    /// Raise this limit, to about this much where that is known.
    Raise(Limit, Option<u64>),
    /// Accept an approximate answer.
    Approximate,
    /// Cut loops after fewer rolls.
    CutEarlier,
    /// Read the expression in this notation, in which it is valid.
    Notation(Cow<'static, str>),
    /// Give this name a value.
    Set(String),
    /// Supply the value of one more die.
    Supply,
}
