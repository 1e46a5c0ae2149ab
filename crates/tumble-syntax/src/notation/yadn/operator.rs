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
use crate::scan::row_of;
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
#[derive(Debug, PartialEq)]
pub struct Infix {
    /// How it is written.
    pub sign: &'static str,
    /// How tightly it binds.
    pub(super) level: u8,
    /// The loosest operator that its right operand may have without parentheses.
    pub(super) right: u8,
    pub(super) does: Does,
}

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Does {
    /// `x d y`: rolls dice, exploding or not, and makes this of them.
    Roll(Total, bool),
    /// `p pa y`: what the row of the core makes of a pool.
    Pool(&'static Prim),
    /// `p ns y`: how many members that leaves.
    Count(&'static Prim),
    /// `p nb y`: how many members are at least y, less the ones.
    Botches,
    /// `p ss y`: "success" if the sum is at least y, else "failure".
    SumSuccess,
    /// `x + y`: what the row makes of two numbers.
    Number(&'static Prim),
    Compare(Compare),
}

/// What becomes of dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Total {
    Pool,
    Sum,
    /// The last digits, joined.
    Digits,
    Highest,
    Lowest,
    /// The sum, unless the first of them, which explodes, shows a 1.
    Wild,
}

const fn row(sign: &'static str, level: u8, does: Does) -> Infix {
    Infix { sign, level, right: if level == POWER_LEVEL { level } else { level + 1 }, does }
}

/// All infix operators.
pub static INFIXES: &[Infix] = &[
    row("dp", GENERATE_LEVEL, Does::Roll(Total::Pool, false)),
    row("g!", GENERATE_LEVEL, Does::Roll(Total::Pool, true)),
    row("pa", POOL_LEVEL, Does::Pool(&prim::AT_MOST)),
    row("pb", POOL_LEVEL, Does::Pool(&prim::AT_LEAST)),
    row("pc", POOL_LEVEL, Does::Pool(&prim::CAP)),
    row("pf", POOL_LEVEL, Does::Pool(&prim::LIFT)),
    row("ph", POOL_LEVEL, Does::Pool(&prim::LARGEST)),
    row("pl", POOL_LEVEL, Does::Pool(&prim::LEAST)),
    row("pr", POOL_LEVEL, Does::Pool(&prim::UNEQUAL)),
    row("p%", POOL_LEVEL, Does::Pool(&prim::EACH_MOD)),
    row("ns", COUNT_LEVEL, Does::Count(&prim::AT_MOST)),
    row("nb", COUNT_LEVEL, Does::Botches),
    row("ss", COUNT_LEVEL, Does::SumSuccess),
    row("d", DICE_LEVEL, Does::Roll(Total::Sum, false)),
    row("d!", DICE_LEVEL, Does::Roll(Total::Sum, true)),
    row("dc", DICE_LEVEL, Does::Roll(Total::Digits, false)),
    row("dh", DICE_LEVEL, Does::Roll(Total::Highest, false)),
    row("dl", DICE_LEVEL, Does::Roll(Total::Lowest, false)),
    row("dw", DICE_LEVEL, Does::Roll(Total::Wild, true)),
    row("^", POWER_LEVEL, Does::Number(&prim::POW)),
    row("*", PRODUCT_LEVEL, Does::Number(&prim::MUL)),
    row("/", PRODUCT_LEVEL, Does::Number(&prim::DIV)),
    row("%", PRODUCT_LEVEL, Does::Number(&prim::MOD)),
    row("+", SUM_LEVEL, Does::Number(&prim::ADD)),
    row("-", SUM_LEVEL, Does::Number(&prim::SUB)),
    row(">", COMPARE_LEVEL, Does::Compare(Compare::More)),
    row(">=", COMPARE_LEVEL, Does::Compare(Compare::AtLeast)),
    row("==", COMPARE_LEVEL, Does::Compare(Compare::Equal)),
    row("!=", COMPARE_LEVEL, Does::Compare(Compare::Unequal)),
    row("<=", COMPARE_LEVEL, Does::Compare(Compare::AtMost)),
    row("<", COMPARE_LEVEL, Does::Compare(Compare::Less)),
];

impl Infix {
    /// Whether it rolls dice: its right side is the number of sides.
    pub(super) fn rolls(&self) -> bool {
        matches!(self.does, Does::Roll(..))
    }

    /// The row of the core that it is.
    pub(super) fn core(&self) -> Option<&'static Prim> {
        match self.does {
            Does::Pool(row) | Does::Number(row) => Some(row),
            Does::Compare(by) => Some(by.row()),
            Does::Roll(..) | Does::Count(_) | Does::Botches | Does::SumSuccess => None,
        }
    }
}

/// A word before a pool that turns it into a number, the row of the core that it is, and the pools that it takes.
#[derive(Debug, PartialEq)]
pub struct Reduce {
    /// Its letter.
    pub sign: &'static str,
    pub(super) core: &'static Prim,
    pub(super) takes: Sort,
}

const NUMBERS_IN: Sort = Sort::POOL.or(Sort::MIXED);

/// All of them.
pub static REDUCES: &[Reduce] = &[
    Reduce { sign: "C", core: &prim::DIGITS, takes: NUMBERS_IN },
    Reduce { sign: "N", core: &prim::COUNT, takes: Sort::pools() },
    Reduce { sign: "S", core: &prim::SUM, takes: NUMBERS_IN },
    Reduce { sign: "K", core: &prim::MATCHING, takes: Sort::pools() },
];

/// The operator with this sign.
pub(super) fn infix(sign: &str) -> Option<&'static Infix> {
    row_of(INFIXES, |row| row.sign, sign)
}

/// The word with this letter.
pub(super) fn reduce(sign: &str) -> Option<&'static Reduce> {
    row_of(REDUCES, |row| row.sign, sign)
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
