//! The table of Troll's operators: how each is written, how tight it binds, and what it is in the core. Lexer, parser,
//! lowering, speller and writer read it. Everything that can be written is listed for the reference at the end.
//!
//! ```text
//! 13  d z before a number            8  * / mod
//! 12  # ~ and d z ' in between       7  + -
//! 11  = =/= < > <= >=                6  @ &
//! 10  words, %1 %2 ! '               5  drop keep pick --
//!  9  - before a number              4  ..
//!                                    3  || |> <| <>
//! ```
//!
//! The constructs with words (`if`, `foreach`, `:=` and so on) reach as far to the right as they can.

use crate::row::{Piece, piece};
use crate::scan::row_of;
use tumble_core::{Prim, prim};

/// `least` and `largest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the spelling is the name")]
pub enum Extreme {
    Least,
    Largest,
}

/// Which rolls of a loop count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// `repeat`: the last
    Repeat,
    /// `accumulate`: all
    Accumulate,
}

/// How the condition of a loop is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `until c`
    Until,
    /// `while c`
    While,
}

/// An operator before its operand: how it is written, how tight it binds, and what it does.
#[derive(Debug, PartialEq)]
pub struct Prefix {
    /// How it is written.
    pub sign: &'static str,
    /// Its operand takes infix operators of this level or tighter.
    pub(super) operand: u8,
    pub(super) does: Does,
}

/// An operator between its operands, in the same way.
#[derive(Debug, PartialEq)]
pub struct Infix {
    /// How it is written.
    pub sign: &'static str,
    /// The larger, the tighter.
    pub(super) level: u8,
    /// Its right operand takes infix operators of this level or tighter: the same level for an
    /// operator that groups to the right, one more for the others.
    pub(super) right: u8,
    pub(super) joins: Joins,
}

/// What a prefix operator does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Does {
    /// It is this row of the core.
    Row(Of, &'static Prim),
    /// Rolls a die whose lowest face is this.
    Die(i64),
    Choose,
    /// Gives the first (0) or second value of a pair.
    Field(i64),
    Not,
    Text,
}

/// What an infix operator does; all but the first two may evaluate the right side several times, or not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Joins {
    /// It is this row of the core, which evaluates every side once.
    Row(Between, &'static Prim),
    Union,
    Pick,
    And,
    Layers,
    Repeat,
    /// Rolls dice whose lowest face is this.
    Dice(i64),
}

/// What a prefix operator takes and gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Of {
    /// A number of a number.
    Number,
    /// A number of a collection.
    Pool,
    /// A collection of a collection.
    Members,
    /// One of the members.
    Member,
    /// The first or last of the members in order, or none.
    End,
}

/// What an infix operator needs on its two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Between {
    /// Two numbers; it gives a number.
    Numbers,
    /// Two numbers; it gives a collection.
    Ends,
    /// A number and a collection.
    Filter,
    /// Two collections.
    Pools,
    /// Two texts, made from whatever there is.
    Texts,
}

/// The level of `..`, which cannot follow itself.
pub(super) const RANGE_LEVEL: u8 = 4;

/// The level of the prefix words, after whose operand a `'` cannot stand.
pub(super) const WORD_LEVEL: u8 = 10;

/// The level of `x ~ a`.
pub(super) const DEFAULT_LEVEL: u8 = 12;

const fn before(sign: &'static str, operand: u8, does: Does) -> Prefix {
    Prefix { sign, operand, does }
}

const fn left(sign: &'static str, level: u8, joins: Joins) -> Infix {
    Infix { sign, level, right: level + 1, joins }
}

const fn right(sign: &'static str, level: u8, joins: Joins) -> Infix {
    Infix { sign, level, right: level, joins }
}

/// Every prefix operator.
pub static PREFIXES: &[Prefix] = &[
    before("-", 10, Does::Row(Of::Number, &prim::NEG)),
    before("sum", 11, Does::Row(Of::Pool, &prim::SUM)),
    before("count", 11, Does::Row(Of::Pool, &prim::COUNT)),
    before("min", 11, Does::Row(Of::End, &prim::LEAST)),
    before("max", 11, Does::Row(Of::End, &prim::LARGEST)),
    before("minimal", 11, Does::Row(Of::Members, &prim::MINIMAL)),
    before("maximal", 11, Does::Row(Of::Members, &prim::MAXIMAL)),
    before("median", 11, Does::Row(Of::Member, &prim::MEDIAN)),
    before("different", 11, Does::Row(Of::Members, &prim::DIFFERENT)),
    before("matching", 11, Does::Row(Of::Pool, &prim::MATCHING)),
    before("choose", 11, Does::Choose),
    before("sgn", 11, Does::Row(Of::Number, &prim::SIGN)),
    before("%1", 11, Does::Field(0)),
    before("%2", 11, Does::Field(1)),
    before("!", 11, Does::Not),
    before("'", 11, Does::Text),
    before("d", 13, Does::Die(1)),
    before("z", 13, Does::Die(0)),
];

/// Every infix operator, the loosest first.
pub static INFIXES: &[Infix] = &[
    right("||", 3, Joins::Row(Between::Texts, &prim::BESIDE)),
    right("|>", 3, Joins::Row(Between::Texts, &prim::STACK_LEFT)),
    right("<|", 3, Joins::Row(Between::Texts, &prim::STACK_RIGHT)),
    right("<>", 3, Joins::Row(Between::Texts, &prim::STACK_CENTRE)),
    left("..", RANGE_LEVEL, Joins::Row(Between::Ends, &prim::RANGE)),
    left("drop", 5, Joins::Row(Between::Pools, &prim::WITHOUT)),
    left("keep", 5, Joins::Row(Between::Pools, &prim::AMONG)),
    left("pick", 5, Joins::Pick),
    left("--", 5, Joins::Row(Between::Pools, &prim::MINUS)),
    right("@", 6, Joins::Union),
    right("&", 6, Joins::And),
    left("+", 7, Joins::Row(Between::Numbers, &prim::ADD)),
    left("-", 7, Joins::Row(Between::Numbers, &prim::SUB)),
    left("*", 8, Joins::Row(Between::Numbers, &prim::MUL)),
    left("/", 8, Joins::Row(Between::Numbers, &prim::DIV)),
    left("mod", 8, Joins::Row(Between::Numbers, &prim::MOD)),
    // Seen from the left `'` binds like the prefix words, seen from the right like `#`.
    Infix { sign: "'", level: WORD_LEVEL, right: 12, joins: Joins::Layers },
    right("=", 11, Joins::Row(Between::Filter, &prim::EQUAL)),
    right("=/=", 11, Joins::Row(Between::Filter, &prim::UNEQUAL)),
    right("<", 11, Joins::Row(Between::Filter, &prim::LESS)),
    right(">", 11, Joins::Row(Between::Filter, &prim::MORE)),
    right("<=", 11, Joins::Row(Between::Filter, &prim::AT_MOST)),
    right(">=", 11, Joins::Row(Between::Filter, &prim::AT_LEAST)),
    right("#", 12, Joins::Repeat),
    right("d", 12, Joins::Dice(1)),
    right("z", 12, Joins::Dice(0)),
];

/// The prefix operator that is written so.
pub(super) fn prefix(sign: &str) -> Option<&'static Prefix> {
    row_of(PREFIXES, |row| row.sign, sign)
}

/// The infix operator that is written so.
pub(super) fn infix(sign: &str) -> Option<&'static Infix> {
    row_of(INFIXES, |row| row.sign, sign)
}

/// The operators that may stand as second step of a compositional function.
pub(super) const FOLD_PREFIXES: &[&str] =
    &["-", "d", "z", "sum", "sgn", "count", "min", "max", "minimal", "maximal", "choose", "different"];

/// The operators that may stand as third step of a compositional function.
pub(super) const FOLD_INFIXES: &[&str] = &["+", "*", "@"];

impl Infix {
    /// Whether it is also a prefix operator, so that after the first operand of `least` it starts
    /// the second one.
    pub(super) fn starts_operand(&self) -> bool {
        prefix(self.sign).is_some()
    }
}

impl Extreme {
    pub(super) fn word(self) -> &'static str {
        match self {
            Extreme::Least => "least",
            Extreme::Largest => "largest",
        }
    }
}

impl Loop {
    pub(super) fn word(self) -> &'static str {
        match self {
            Loop::Repeat => "repeat",
            Loop::Accumulate => "accumulate",
        }
    }
}

impl Stop {
    pub(super) fn word(self) -> &'static str {
        match self {
            Stop::Until => "until",
            Stop::While => "while",
        }
    }
}

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
    piece(
        "counting and arithmetic",
        "matching e",
        "The size of the largest group of equal members: how many of a kind.",
        "count 3 <= matching 5d6",
    ),
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
    use super::{INFIXES, PIECES, PREFIXES};

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
