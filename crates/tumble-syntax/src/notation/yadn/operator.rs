//! The operators: how tightly they bind and what they are in the core. Everything that can be written is listed for the
//! reference at the end.
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
//!  8  C K N S                 before their operand
//!  9  pa pb pc pf ph pl pr p% left
//! 10  dp g!                   left
//! ```

use super::sort::Sort;
use crate::row::{Piece, piece};
use tumble_core::{Compare, Prim, prim};

pub(super) const MAP_LEVEL: u8 = 0;
pub(super) const CHOICE_LEVEL: u8 = 1;
pub(super) const COMPARE_LEVEL: u8 = 2;
const SUM_LEVEL: u8 = 3;
const PRODUCT_LEVEL: u8 = 4;
const POWER_LEVEL: u8 = 5;
pub(super) const DICE_LEVEL: u8 = 6;
const COUNT_LEVEL: u8 = 7;
/// What `C`, `K`, `N` and `S` take.
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
    /// `K p`: how many of a kind
    Kind,
}

/// The row of an infix operator.
pub(super) struct InfixRow {
    pub(super) op: Infix,
    pub(super) sign: &'static str,
    /// How tightly it binds.
    pub(super) level: u8,
    /// The loosest operator that its right operand may have without parentheses.
    pub(super) right: u8,
    /// The row of the core, for arithmetic, comparisons and what is done with a pool.
    pub(super) core: Option<&'static Prim>,
}

const fn row(op: Infix, sign: &'static str, level: u8, core: Option<&'static Prim>) -> InfixRow {
    InfixRow { op, sign, level, right: if level == POWER_LEVEL { level } else { level + 1 }, core }
}

/// All infix operators, in the order of [`Infix`].
pub(super) const INFIXES: &[InfixRow] = &[
    row(Infix::Pool, "dp", GENERATE_LEVEL, None),
    row(Infix::ExplodingPool, "g!", GENERATE_LEVEL, None),
    row(Infix::Above, "pa", POOL_LEVEL, Some(&prim::AT_MOST)),
    row(Infix::Below, "pb", POOL_LEVEL, Some(&prim::AT_LEAST)),
    row(Infix::Cap, "pc", POOL_LEVEL, Some(&prim::CAP)),
    row(Infix::Floor, "pf", POOL_LEVEL, Some(&prim::LIFT)),
    row(Infix::High, "ph", POOL_LEVEL, Some(&prim::LARGEST)),
    row(Infix::Low, "pl", POOL_LEVEL, Some(&prim::LEAST)),
    row(Infix::Remove, "pr", POOL_LEVEL, Some(&prim::UNEQUAL)),
    row(Infix::EachModulo, "p%", POOL_LEVEL, Some(&prim::EACH_MOD)),
    row(Infix::Successes, "ns", COUNT_LEVEL, Some(&prim::AT_MOST)),
    row(Infix::Botches, "nb", COUNT_LEVEL, None),
    row(Infix::SumSuccess, "ss", COUNT_LEVEL, None),
    row(Infix::Dice, "d", DICE_LEVEL, None),
    row(Infix::Exploding, "d!", DICE_LEVEL, None),
    row(Infix::Concat, "dc", DICE_LEVEL, None),
    row(Infix::Highest, "dh", DICE_LEVEL, None),
    row(Infix::Lowest, "dl", DICE_LEVEL, None),
    row(Infix::Wild, "dw", DICE_LEVEL, None),
    row(Infix::Power, "^", POWER_LEVEL, Some(&prim::POW)),
    row(Infix::Times, "*", PRODUCT_LEVEL, Some(&prim::MUL)),
    row(Infix::Divide, "/", PRODUCT_LEVEL, Some(&prim::DIV)),
    row(Infix::Modulo, "%", PRODUCT_LEVEL, Some(&prim::MOD)),
    row(Infix::Plus, "+", SUM_LEVEL, Some(&prim::ADD)),
    row(Infix::Minus, "-", SUM_LEVEL, Some(&prim::SUB)),
    row(Infix::More, ">", COMPARE_LEVEL, Some(&prim::MORE)),
    row(Infix::AtLeast, ">=", COMPARE_LEVEL, Some(&prim::AT_LEAST)),
    row(Infix::Equal, "==", COMPARE_LEVEL, Some(&prim::EQUAL)),
    row(Infix::Unequal, "!=", COMPARE_LEVEL, Some(&prim::UNEQUAL)),
    row(Infix::AtMost, "<=", COMPARE_LEVEL, Some(&prim::AT_MOST)),
    row(Infix::Less, "<", COMPARE_LEVEL, Some(&prim::LESS)),
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
        self.row().core.filter(|_| self.row().level == COMPARE_LEVEL).and_then(Compare::of)
    }
}

/// A word before a pool, the row of the core that it is, and the pools that it takes.
pub(super) struct ReduceRow {
    pub(super) op: Reduce,
    pub(super) sign: &'static str,
    pub(super) core: &'static Prim,
    pub(super) takes: Sort,
}

const NUMBERS_IN: Sort = Sort::POOL.or(Sort::MIXED);

/// All of them, in the order of [`Reduce`].
pub(super) const REDUCES: &[ReduceRow] = &[
    ReduceRow { op: Reduce::Digits, sign: "C", core: &prim::DIGITS, takes: NUMBERS_IN },
    ReduceRow { op: Reduce::Count, sign: "N", core: &prim::COUNT, takes: Sort::pools() },
    ReduceRow { op: Reduce::Sum, sign: "S", core: &prim::SUM, takes: NUMBERS_IN },
    ReduceRow { op: Reduce::Kind, sign: "K", core: &prim::MATCHING, takes: Sort::pools() },
];

impl Reduce {
    pub(super) fn row(self) -> &'static ReduceRow {
        &REDUCES[self as usize]
    }
}

/// The operator with this sign.
pub(super) fn infix(sign: &str) -> Option<&'static InfixRow> {
    INFIXES.iter().find(|row| row.sign == sign)
}

/// The word with this letter.
pub(super) fn reduce(sign: &str) -> Option<Reduce> {
    REDUCES.iter().find(|row| row.sign == sign).map(|row| row.op)
}

const DICE: &str = "Dice that give a number";
const POOLS: &str = "Pools";
const CHANGES: &str = "Operators on pools";
const NUMBERS: &str = "From a pool to a number or text";
const ARITHMETIC: &str = "Arithmetic";
const CHOICES: &str = "Comparisons and choices";
const MAPS: &str = "Maps";
const ROLLS: &str = "Several rolls";

/// All pieces, in the order of the reference.
pub(super) const PIECES: &[Piece] = &[
    piece(DICE, "x d y", "The sum of x dice with y sides; `D` is the same as `d`.", "3d6"),
    piece(DICE, "d y", "One die: `d20` is `1d20`.", "d20 + 5"),
    piece(DICE, "d %", "A die with 100 sides.", "d%"),
    piece(
        DICE,
        "x d! y",
        "The same with exploding dice: a die that shows y is rolled again and added; `d!6` is `1d!6`.",
        "2d!6",
    ),
    piece(DICE, "x dc y", "The last digits of x dice, joined into one number.", "2dc10"),
    piece(DICE, "x dh y", "The highest of x dice.", "2dh20"),
    piece(DICE, "x dl y", "The lowest of x dice.", "2dl20"),
    piece(DICE, "x dw y", "A wild die that explodes and x - 1 plain dice; 0 if the wild die first shows 1.", "4dw6"),
    piece(DICE, "-x d y", "A negative number of dice gives the negative of as many dice.", "-1d6"),
    piece(POOLS, "x dp y", "A pool of x dice with y sides, in the order they fall; also `g` and `p`.", "4dp6"),
    piece(
        POOLS,
        "x g! y",
        "A pool of x exploding dice, each rolled again and added when it shows y; also `dp!`.",
        "3g!6",
    ),
    piece(POOLS, "[a, b]", "A pool of the listed numbers and text.", "[3, -1, 9]"),
    piece(POOLS, "[]", "The empty pool.", "N []"),
    piece(CHANGES, "p pa y", "Keeps the members of at least y.", "5dp10 pa 7"),
    piece(CHANGES, "p pb y", "Keeps the members of at most y.", "5dp10 pb 7"),
    piece(CHANGES, "p pc y", "Members above y become y.", "5dp10 pc 7"),
    piece(CHANGES, "p pf y", "Members below y become y.", "5dp10 pf 7"),
    piece(CHANGES, "p ph y", "Keeps the y highest members; of equal ones the earliest is dropped first.", "4dp6 ph 3"),
    piece(CHANGES, "p pl y", "Keeps the y lowest members.", "4dp6 pl 3"),
    piece(CHANGES, "p pr y", "Removes the members that equal y.", "4dp6 pr 1"),
    piece(CHANGES, "p p% y", "Each member modulo y; also `pz`.", "2dp20 p% 10"),
    piece(NUMBERS, "p ns y", "How many members are at least y; also `ps`.", "5dp10 ns 7"),
    piece(NUMBERS, "p nb y", "How many members are at least y, minus the number of ones.", "5dp10 nb 7"),
    piece(NUMBERS, "p ss y", "\"success\" if the sum is at least y, otherwise \"failure\".", "6dp6 ss 20"),
    piece(NUMBERS, "S p", "The sum.", "S 4dp6 ph 3"),
    piece(NUMBERS, "N p", "The number of members.", "N 6dp6 pa 5"),
    piece(NUMBERS, "K p", "How many of a kind: the size of the largest group of equal members.", "K 5dp6 >= 3"),
    piece(NUMBERS, "C p", "The digits of all members, read as one number.", "C 3dp4"),
    piece(ARITHMETIC, "7", "A whole number; leading zeros are allowed.", "007"),
    piece(
        ARITHMETIC,
        "-x",
        "The negative; a minus applies to the number or group right after it, so `-2^2` is 4.",
        "-(1d4 + 1)",
    ),
    piece(ARITHMETIC, "x ^ y", "Power, grouped to the right: `2^3^2` is 512.", "2^3^2"),
    piece(ARITHMETIC, "x * y", "Product.", "2 * 1d6"),
    piece(ARITHMETIC, "x / y", "Quotient, rounded down.", "1d6 / 2"),
    piece(ARITHMETIC, "x % y", "The remainder of that division, with the sign of y.", "1d10 % 3"),
    piece(ARITHMETIC, "x + y", "Sum.", "1d8 + 1d6 + 5"),
    piece(ARITHMETIC, "x - y", "Difference.", "10 - 1d6"),
    piece(ARITHMETIC, "( )", "Grouping.", "(1d4)d6"),
    piece(CHOICES, "> >= <= <", "Compares two numbers.", "3d6 >= 12"),
    piece(CHOICES, "== !=", "Compares two numbers, two pieces of text, or T and F.", "1d6 != 1d6"),
    piece(CHOICES, "T F", "True and false; also `true` and `false`.", "T == F"),
    piece(CHOICES, "c ? a : b", "a if c is T, otherwise b; only the chosen one is rolled.", "1d20 >= 11 ? 2d6 : 0"),
    piece(CHOICES, "\"text\"", "Text: anything but a double quote.", "T ? \"hit\" : \"miss\""),
    piece(
        MAPS,
        "{\"name\" = k: v, …}",
        "Defines a map; a separate roll without a result.",
        "{\"coin\" = 1: \"heads\", 2: \"tails\"}; 1d2 m \"coin\"",
    ),
    piece(MAPS, "x m \"name\"", "What the map has for x; also `m=`.", "1d8 m= \"ability\""),
    piece(MAPS, "p m \"name\"", "What the map has for each member.", "4dp3 m \"fate\""),
    piece(
        MAPS,
        "x m \"a\" m \"b\"",
        "Looks up in one map after another.",
        "{\"a\" = 1: 3, 2: 1}; 1d2 m \"a\" m \"fudge\"",
    ),
    piece(ROLLS, "a; b", "Several results.", "2dp10; 5dp10"),
];
