//! How many faces a die has.

use std::fmt;

/// The faces of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the first line of each variant names the fields")]
pub enum Sides {
    /// The whole numbers from `lo` to `hi`; face 0 is `lo`.
    Range { lo: i64, hi: i64 },
    /// One of `of` members of a collection, or of `of` units of weight.
    Pick { of: u64 },
}

impl Sides {
    /// The number of the last face; a die with sides has at least face 0.
    pub fn last(self) -> u64 {
        match self {
            // The difference of two 64-bit numbers always fits an unsigned one.
            Sides::Range { lo, hi } => hi.wrapping_sub(lo) as u64,
            Sides::Pick { of } => of.saturating_sub(1),
        }
    }

    /// A short name: `d6`, `-1..1`, `1 of 7`.
    pub fn kind(self) -> String {
        match self {
            Sides::Range { lo: 1, hi } => format!("d{hi}"),
            Sides::Range { lo, hi } => format!("{lo}..{hi}"),
            Sides::Pick { of } => format!("1 of {of}"),
        }
    }

    /// How many faces there are; up to 2^64.
    pub fn count(self) -> u128 {
        u128::from(self.last()) + 1
    }
}

/// `1 to 6`, `one of 5`
impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sides::Range { lo, hi } => write!(f, "{lo} to {hi}"),
            Sides::Pick { of } => write!(f, "one of {of}"),
        }
    }
}
