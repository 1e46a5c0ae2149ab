//! Everything that can be written in YADN, for the reference.

use crate::row::{Piece, piece};

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
