//! Everything that can be written, each piece once, for the reference.

use crate::row::{Piece, piece};

/// The pieces in the order of the reference.
pub(super) const PIECES: &[Piece] = &[
    piece("values", "7", "A whole number.", "156417856"),
    piece("values", "+7", "The same number; a leading `+` is only allowed before a number.", "4 + +4"),
    piece("values", "-a", "The negative.", "-d10"),
    piece("values", "(a)", "Grouping.", "2 * (1 + 1)"),
    piece("dice", "dN", "A die with faces 1 to N, all equally likely.", "d20"),
    piece("repetition", "NdM", "N independent rolls of a die, added up.", "8d6"),
    piece("repetition", "N(a)", "N independent rolls of anything, added up; N may be 0.", "4(d4 + 1)"),
    piece("repetition", "(n)dM", "The number of dice can be rolled.", "(d3)d4"),
    piece("repetition", "(n)(a)", "The number of rolls of anything can be rolled.", "(d2)(2d4 + 1)"),
    piece("keeping", "kh", "Keep only the highest roll of a repetition.", "2d20kh"),
    piece("keeping", "khN", "Keep only the N highest rolls.", "4d6kh3"),
    piece("keeping", "kl", "Keep only the lowest roll of a repetition.", "2d20kl"),
    piece("keeping", "klN", "Keep only the N lowest rolls.", "3d4kl2"),
    piece("arithmetic", "a * b", "The product; binds tighter than `+`, from left to right.", "2 * d10"),
    piece("arithmetic", "a × b", "The same.", "2 × d10"),
    piece("arithmetic", "a / b", "The quotient, rounded toward zero.", "d20 / 3"),
    piece("arithmetic", "a + b", "The sum.", "d10 + 10"),
    piece("arithmetic", "a - b", "The difference.", "d10 - d10"),
    piece("comparison", "a > b", "1 if a is greater than b, otherwise 0; only one comparison at a time.", "d10 > 5"),
    piece("comparison", "a >= b", "1 if a is at least b, otherwise 0.", "d20 + 5 >= d20 + 3"),
    piece("comparison", "a ≥ b", "The same.", "d10 ≥ 5"),
    piece("comparison", "a = b", "1 if both are equal, otherwise 0.", "d20 = d10 + 10"),
    piece("comparison", "a == b", "The same.", "d4 == d4"),
    piece("comparison", "a <= b", "1 if a is at most b, otherwise 0.", "d10 <= 5"),
    piece("comparison", "a ≤ b", "The same.", "d10 ≤ 5"),
    piece("comparison", "a < b", "1 if a is less than b, otherwise 0.", "d10 < 5"),
    piece(
        "bindings",
        "[NAME: a] b",
        "Rolls a once and uses the result wherever b names it. Names use capital letters.",
        "[ROLL: 1d4] ROLL + ROLL",
    ),
];
