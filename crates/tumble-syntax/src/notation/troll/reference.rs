//! Everything that can be written in Troll, piece by piece.

use crate::row::{Piece, piece};

/// The rows of the reference.
pub(super) const PIECES: &[Piece] = &[
    piece("dice", "d n", "One die with faces 1 to n; D is the same.", "d20"),
    piece("dice", "m d n", "A collection of m such dice; they are not added up.", "3d6"),
    piece("dice", "z n", "One die with faces 0 to n; Z is the same.", "z9"),
    piece("dice", "m z n", "A collection of m such dice.", "2z9"),
    piece("dice", "m # e", "The members of m independent rolls of e.", "6 # sum largest 3 4d6"),
    piece("dice", "?p", "1 with probability p, written like 0.25, otherwise empty.", "count ?0.25"),
    piece("dice", "choose e", "One member, all equally likely.", "choose {1, 1, 2}"),
    piece("dice", "e pick n", "n members without replacement; all of them if there are fewer.", "(1..52) pick 2"),
    piece("collections", "{a, b}", "All their members together; {} is empty.", "{d6, 2d8, 3}"),
    piece("collections", "a .. b", "The whole numbers from a to b.", "1..6"),
    piece("collections", "a @ b", "The members of both; U is the same.", "2d6 @ d8"),
    piece("collections", "a -- b", "a without one equal member for each member of b.", "2d6 -- {6}"),
    piece("collections", "a drop b", "The members of a that are not in b.", "4d6 drop {1, 2}"),
    piece("collections", "a keep b", "The members of a that are in b.", "4d6 keep (5..6)"),
    piece("collections", "different e", "Each member once.", "count different 5d6"),
    piece("choosing by size", "largest n e", "The n largest members.", "sum largest 3 4d6"),
    piece("choosing by size", "least n e", "The n smallest members.", "sum least 3 4d6"),
    piece("choosing by size", "max e", "The largest member; empty if there is none.", "max 2d20"),
    piece("choosing by size", "min e", "The smallest member; empty if there is none.", "min 2d20"),
    piece("choosing by size", "maximal e", "All members equal to the largest.", "count maximal 5d6"),
    piece("choosing by size", "minimal e", "All members equal to the smallest.", "count minimal 5d6"),
    piece("choosing by size", "median e", "The middle member; the larger one if two are in the middle.", "median 3d20"),
    piece("counting and arithmetic", "sum e", "The members added up.", "sum 3d6"),
    piece("counting and arithmetic", "count e", "The number of members.", "count 4 < 6d6"),
    piece("counting and arithmetic", "a + b", "The sum of two numbers.", "d20 + 5"),
    piece("counting and arithmetic", "a - b", "The difference of two numbers; -a is the negative.", "d20 - 2"),
    piece("counting and arithmetic", "a * b", "The product of two numbers.", "d6 * 10"),
    piece("counting and arithmetic", "a / b", "The quotient of two numbers, rounded down.", "d100 / 10"),
    piece("counting and arithmetic", "a mod b", "The remainder of that division, with the sign of b.", "d100 mod 10"),
    piece("counting and arithmetic", "sgn e", "-1, 0 or 1: the sign of a number.", "sgn (d6 - d6)"),
    piece("filters", "n < e", "The members that are greater than n.", "count 4 < 5d6"),
    piece("filters", "n > e", "The members that are less than n.", "count 3 > 5d6"),
    piece("filters", "n <= e", "The members that are at least n.", "count 5 <= 5d6"),
    piece("filters", "n >= e", "The members that are at most n.", "count 2 >= 5d6"),
    piece("filters", "n = e", "The members equal to n.", "count 6 = 5d6"),
    piece("filters", "n =/= e", "The members not equal to n.", "sum 1 =/= 5d6"),
    piece(
        "conditions",
        "if c then a else b",
        "a if c has members, otherwise b; so 0 counts as true and {} as false.",
        "if 15 <= (d20 + 5) then sum 2d6 else 0",
    ),
    piece("conditions", "a & b", "b if a has members, otherwise empty.", "count (5 < d6) & 7"),
    piece("conditions", "! e", "1 if there are no members, otherwise empty.", "count ! (6 = 3d6)"),
    piece(
        "names",
        "x := e; …",
        "Rolls e once and names the result x in what follows; names have only letters.",
        "x := 2d6; (max x) - (min x)",
    ),
    piece("names", "x ~ e", "The value given for x from outside, otherwise e.", "sum (N ~ 3) d6"),
    piece(
        "loops",
        "repeat x := e until c",
        "Rolls e until the condition on x holds, and gives the last roll.",
        "repeat x := d6 until x > 2",
    ),
    piece(
        "loops",
        "repeat x := e while c",
        "Rerolls e as long as the condition holds.",
        "repeat x := 2d6 while 7 = sum x",
    ),
    piece(
        "loops",
        "accumulate x := e until c",
        "The same, but gives the members of all rolls.",
        "count accumulate x := d6 until x = 1",
    ),
    piece(
        "loops",
        "accumulate x := e while c",
        "The same, as long as the condition holds.",
        "sum accumulate x := d6 while x = 6",
    ),
    piece(
        "loops",
        "foreach x in e do f",
        "The members of f for every member x of e.",
        "sum foreach x in {4, 6, 8} do d x",
    ),
    piece(
        "functions",
        "function f(x, y) = e",
        "Declares a function, before or after the roll; it can only use its parameters.",
        "function twice(x) = x + x\ncall twice(d6)",
    ),
    piece(
        "functions",
        "call f(a, b)",
        "Calls a function, which may call itself.",
        "call more(0)\nfunction more(n) = if 6 = d6 then call more(n + 1) else n",
    ),
    piece(
        "functions",
        "compositional f(e, g, h)",
        "Declares a fold: e for the empty collection, g of each member, combined by h.",
        "compositional product(1, sum, *)\ncall product(3d6)",
    ),
    piece("pairs", "[a, b]", "A pair of values.", "[d6, d8]"),
    piece("pairs", "%1 e", "The first value of a pair.", "%1 [d6, d8]"),
    piece("pairs", "%2 e", "The second value of a pair.", "%2 [d6, d8]"),
    piece("texts", "\"…\"", "Text.", "if 10 < d20 then \"hit\" else \"miss\""),
    piece("texts", "' e", "The members as text.", "' 3d6"),
    piece("texts", "n ' e", "Text of n lines, each a separate roll.", "6 ' sum largest 3 4d6"),
    piece("texts", "a || b", "Text side by side.", "\"d6: \" || ' d6"),
    piece("texts", "a |> b", "One above the other, left-aligned.", "\"attack\" |> ' d20"),
    piece("texts", "a <| b", "One above the other, right-aligned.", "\"attack\" <| ' d20"),
    piece("texts", "a <> b", "One above the other, centred.", "\"attack\" <> ' d20"),
    piece("comments", "\\ …", "A comment, up to the end of the line.", "sum 3d6 \\ strength"),
];

#[cfg(test)]
mod tests {
    use super::PIECES;
    use crate::notation::troll::NOTATION;
    use crate::notation::troll::operator::{INFIXES, PREFIXES};
    use crate::{Vars, compile};

    #[test]
    fn every_example_can_be_read() {
        for piece in PIECES {
            let read = compile(&NOTATION, piece.example, &Vars::new());
            assert!(read.is_ok(), "{}: {read:?}", piece.example);
        }
    }

    #[test]
    fn every_operator_has_a_row() {
        let has =
            |sign: &str, place: usize| PIECES.iter().any(|piece| piece.spelling.split(' ').nth(place) == Some(sign));
        for row in PREFIXES.iter().filter(|row| row.sign != "-") {
            assert!(has(row.sign, 0), "{}", row.sign);
        }
        for row in INFIXES {
            assert!(has(row.sign, 1), "{}", row.sign);
        }
    }
}
