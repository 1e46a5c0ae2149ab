//! The operators and how tightly they bind.
//!
//! ```text
//!  0  m                       left; after it stands the name of a map
//!  1  ? :                     right
//!  2  > >= == != <= <         one only
//!  3  + -                     left
//!  4  * / %                   left
//!  5  ^                       right
//!  6  d d! dc dh dl dw        left
//!  7  ns nb ss                left
//!  8  C N S                   before their operand
//!  9  pa pb pc pf ph pl pr p% left
//! 10  dp g!                   left
//! ```

use tumble_core::Compare;

pub(super) const MAP_LEVEL: u8 = 0;
pub(super) const CHOICE_LEVEL: u8 = 1;
pub(super) const COMPARE_LEVEL: u8 = 2;
const SUM_LEVEL: u8 = 3;
const PRODUCT_LEVEL: u8 = 4;
const POWER_LEVEL: u8 = 5;
pub(super) const DICE_LEVEL: u8 = 6;
const COUNT_LEVEL: u8 = 7;
/// What `C`, `N` and `S` take.
pub(super) const POOL_LEVEL: u8 = 9;
const GENERATE_LEVEL: u8 = 10;
/// Tighter than every operator.
pub(super) const PRIMARY_LEVEL: u8 = 11;

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `x dp y`: a pool of x dice with y sides
    Pool,
    /// `x g! y`: the same, each die exploding
    ExplodingPool,
    /// `p pa y`: the members of at least y
    Above,
    /// `p pb y`: the members of at most y
    Below,
    /// `p pc y`: no member above y
    Cap,
    /// `p pf y`: no member below y
    Floor,
    /// `p ph y`: the y highest
    High,
    /// `p pl y`: the y lowest
    Low,
    /// `p pr y`: without the members that equal y
    Remove,
    /// `p p% y`: each member modulo y
    EachModulo,
    /// `p ns y`: how many members are at least y
    Successes,
    /// `p nb y`: the same, less the ones
    Botches,
    /// `p ss y`: "success" if the sum is at least y, else "failure"
    SumSuccess,
    /// `x d y`: the sum of x dice
    Dice,
    /// `x d! y`: the sum of x exploding dice
    Exploding,
    /// `x dc y`: the last digits of x dice, joined
    Concat,
    /// `x dh y`: the highest of x dice
    Highest,
    /// `x dl y`: the lowest of x dice
    Lowest,
    /// `x dw y`: x dice, the first of them wild
    Wild,
    /// `x ^ y`
    Power,
    /// `x * y`
    Times,
    /// `x / y`, rounded down
    Divide,
    /// `x % y`, with the sign of y
    Modulo,
    /// `x + y`
    Plus,
    /// `x - y`
    Minus,
    /// `x > y`
    More,
    /// `x >= y`
    AtLeast,
    /// `x == y`
    Equal,
    /// `x != y`
    Unequal,
    /// `x <= y`
    AtMost,
    /// `x < y`
    Less,
}

/// A word before a pool that turns it into a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// `C p`: the digits of all members, joined
    Digits,
    /// `N p`: how many members there are
    Count,
    /// `S p`: the sum
    Sum,
}

/// The row of an infix operator.
pub(super) struct InfixRow {
    pub(super) op: Infix,
    pub(super) sign: &'static str,
    /// How tightly it binds.
    pub(super) level: u8,
    /// The loosest operator that its right operand may have without parentheses.
    pub(super) right: u8,
}

const fn row(op: Infix, sign: &'static str, level: u8) -> InfixRow {
    InfixRow { op, sign, level, right: if level == POWER_LEVEL { level } else { level + 1 } }
}

/// All infix operators, in the order of [`Infix`].
pub(super) const INFIXES: &[InfixRow] = &[
    row(Infix::Pool, "dp", GENERATE_LEVEL),
    row(Infix::ExplodingPool, "g!", GENERATE_LEVEL),
    row(Infix::Above, "pa", POOL_LEVEL),
    row(Infix::Below, "pb", POOL_LEVEL),
    row(Infix::Cap, "pc", POOL_LEVEL),
    row(Infix::Floor, "pf", POOL_LEVEL),
    row(Infix::High, "ph", POOL_LEVEL),
    row(Infix::Low, "pl", POOL_LEVEL),
    row(Infix::Remove, "pr", POOL_LEVEL),
    row(Infix::EachModulo, "p%", POOL_LEVEL),
    row(Infix::Successes, "ns", COUNT_LEVEL),
    row(Infix::Botches, "nb", COUNT_LEVEL),
    row(Infix::SumSuccess, "ss", COUNT_LEVEL),
    row(Infix::Dice, "d", DICE_LEVEL),
    row(Infix::Exploding, "d!", DICE_LEVEL),
    row(Infix::Concat, "dc", DICE_LEVEL),
    row(Infix::Highest, "dh", DICE_LEVEL),
    row(Infix::Lowest, "dl", DICE_LEVEL),
    row(Infix::Wild, "dw", DICE_LEVEL),
    row(Infix::Power, "^", POWER_LEVEL),
    row(Infix::Times, "*", PRODUCT_LEVEL),
    row(Infix::Divide, "/", PRODUCT_LEVEL),
    row(Infix::Modulo, "%", PRODUCT_LEVEL),
    row(Infix::Plus, "+", SUM_LEVEL),
    row(Infix::Minus, "-", SUM_LEVEL),
    row(Infix::More, ">", COMPARE_LEVEL),
    row(Infix::AtLeast, ">=", COMPARE_LEVEL),
    row(Infix::Equal, "==", COMPARE_LEVEL),
    row(Infix::Unequal, "!=", COMPARE_LEVEL),
    row(Infix::AtMost, "<=", COMPARE_LEVEL),
    row(Infix::Less, "<", COMPARE_LEVEL),
];

impl Infix {
    pub(super) fn row(self) -> &'static InfixRow {
        &INFIXES[self as usize]
    }

    /// Whether it rolls dice: its right side is the number of sides.
    pub(super) fn rolls(self) -> bool {
        matches!(self.row().level, DICE_LEVEL | GENERATE_LEVEL)
    }

    /// Whether its dice roll again on their highest face.
    pub(super) fn explodes(self) -> bool {
        matches!(self, Infix::ExplodingPool | Infix::Exploding | Infix::Wild)
    }

    /// Which comparison it is.
    pub(super) fn compares(self) -> Option<Compare> {
        match self {
            Infix::More => Some(Compare::More),
            Infix::AtLeast => Some(Compare::AtLeast),
            Infix::Equal => Some(Compare::Equal),
            Infix::Unequal => Some(Compare::Unequal),
            Infix::AtMost => Some(Compare::AtMost),
            Infix::Less => Some(Compare::Less),
            _ => None,
        }
    }
}

impl Reduce {
    /// How it is written.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Reduce::Digits => "C",
            Reduce::Count => "N",
            Reduce::Sum => "S",
        }
    }
}

/// The operator with this sign.
pub(super) fn infix(sign: &str) -> Option<&'static InfixRow> {
    INFIXES.iter().find(|row| row.sign == sign)
}

/// The word with this letter.
pub(super) fn reduce(sign: &str) -> Option<Reduce> {
    [Reduce::Digits, Reduce::Count, Reduce::Sum].into_iter().find(|reduce| reduce.sign() == sign)
}
