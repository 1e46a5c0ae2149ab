//! The table of Troll's operators: how each is written and how tight it binds.
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

use crate::scan::Firsts;

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table shows the spelling")]
pub enum Prefix {
    Die,
    ZeroDie,
    Minus,
    Sum,
    Count,
    Min,
    Max,
    Minimal,
    Maximal,
    Median,
    Different,
    Choose,
    Sign,
    First,
    Second,
    Not,
    Text,
}

/// Operators between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table shows the spelling")]
pub enum Infix {
    Beside,
    StackLeft,
    StackRight,
    StackCentre,
    Range,
    Drop,
    Keep,
    Pick,
    Less,
    Union,
    And,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Layers,
    Equal,
    Unequal,
    Below,
    Above,
    AtMost,
    AtLeast,
    Repeat,
    Dice,
    ZeroDice,
}

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

/// How a prefix operator is written and how tight it binds.
pub(super) struct PrefixRow {
    pub(super) sign: &'static str,
    pub(super) op: Prefix,
    /// Its operand takes infix operators of this level or tighter.
    pub(super) operand: u8,
}

/// How an infix operator is written and how tight it binds.
pub(super) struct InfixRow {
    pub(super) sign: &'static str,
    pub(super) op: Infix,
    /// The larger, the tighter.
    pub(super) level: u8,
    /// Its right operand takes infix operators of this level or tighter: the same level for an
    /// operator that groups to the right, one more for the others.
    pub(super) right: u8,
}

/// The level of `..`, which cannot follow itself.
pub(super) const RANGE_LEVEL: u8 = 4;

/// The level of the prefix words, after whose operand a `'` cannot stand.
pub(super) const WORD_LEVEL: u8 = 10;

/// The level of `x ~ a`.
pub(super) const DEFAULT_LEVEL: u8 = 12;

const fn before(sign: &'static str, op: Prefix, operand: u8) -> PrefixRow {
    PrefixRow { sign, op, operand }
}

const fn left(sign: &'static str, op: Infix, level: u8) -> InfixRow {
    InfixRow { sign, op, level, right: level + 1 }
}

const fn right(sign: &'static str, op: Infix, level: u8) -> InfixRow {
    InfixRow { sign, op, level, right: level }
}

/// Every prefix operator.
pub(super) static PREFIXES: &[PrefixRow] = &[
    before("-", Prefix::Minus, 10),
    before("sum", Prefix::Sum, 11),
    before("count", Prefix::Count, 11),
    before("min", Prefix::Min, 11),
    before("max", Prefix::Max, 11),
    before("minimal", Prefix::Minimal, 11),
    before("maximal", Prefix::Maximal, 11),
    before("median", Prefix::Median, 11),
    before("different", Prefix::Different, 11),
    before("choose", Prefix::Choose, 11),
    before("sgn", Prefix::Sign, 11),
    before("%1", Prefix::First, 11),
    before("%2", Prefix::Second, 11),
    before("!", Prefix::Not, 11),
    before("'", Prefix::Text, 11),
    before("d", Prefix::Die, 13),
    before("z", Prefix::ZeroDie, 13),
];

/// Every infix operator, the loosest first.
pub(super) static INFIXES: &[InfixRow] = &[
    right("||", Infix::Beside, 3),
    right("|>", Infix::StackLeft, 3),
    right("<|", Infix::StackRight, 3),
    right("<>", Infix::StackCentre, 3),
    left("..", Infix::Range, RANGE_LEVEL),
    left("drop", Infix::Drop, 5),
    left("keep", Infix::Keep, 5),
    left("pick", Infix::Pick, 5),
    left("--", Infix::Less, 5),
    right("@", Infix::Union, 6),
    right("&", Infix::And, 6),
    left("+", Infix::Plus, 7),
    left("-", Infix::Minus, 7),
    left("*", Infix::Times, 8),
    left("/", Infix::Divide, 8),
    left("mod", Infix::Modulo, 8),
    // Seen from the left `'` binds like the prefix words, seen from the right like `#`.
    InfixRow { sign: "'", op: Infix::Layers, level: WORD_LEVEL, right: 12 },
    right("=", Infix::Equal, 11),
    right("=/=", Infix::Unequal, 11),
    right("<", Infix::Below, 11),
    right(">", Infix::Above, 11),
    right("<=", Infix::AtMost, 11),
    right(">=", Infix::AtLeast, 11),
    right("#", Infix::Repeat, 12),
    right("d", Infix::Dice, 12),
    right("z", Infix::ZeroDice, 12),
];

static FIRST_PREFIXES: Firsts = {
    let (mut firsts, mut place) = (Firsts::none(), PREFIXES.len());
    while place > 0 {
        place -= 1;
        firsts = firsts.with(PREFIXES[place].sign, place);
    }
    firsts
};

static FIRST_INFIXES: Firsts = {
    let (mut firsts, mut place) = (Firsts::none(), INFIXES.len());
    while place > 0 {
        place -= 1;
        firsts = firsts.with(INFIXES[place].sign, place);
    }
    firsts
};

/// The prefix operator that is written so.
pub(super) fn prefix(sign: &str) -> Option<&'static PrefixRow> {
    FIRST_PREFIXES.candidates(PREFIXES, sign).iter().find(|row| row.sign == sign)
}

/// The infix operator that is written so.
pub(super) fn infix(sign: &str) -> Option<&'static InfixRow> {
    FIRST_INFIXES.candidates(INFIXES, sign).iter().find(|row| row.sign == sign)
}

/// The operators that may stand as second step of a compositional function.
pub(super) const FOLD_PREFIXES: &[Prefix] = &[
    Prefix::Minus,
    Prefix::Die,
    Prefix::ZeroDie,
    Prefix::Sum,
    Prefix::Sign,
    Prefix::Count,
    Prefix::Min,
    Prefix::Max,
    Prefix::Minimal,
    Prefix::Maximal,
    Prefix::Choose,
    Prefix::Different,
];

/// The operators that may stand as third step of a compositional function.
pub(super) const FOLD_INFIXES: &[Infix] = &[Infix::Plus, Infix::Times, Infix::Union];

impl Prefix {
    pub(super) fn row(self) -> &'static PrefixRow {
        PREFIXES.iter().find(|row| row.op == self).unwrap_or(&PREFIXES[0])
    }
}

impl Infix {
    pub(super) fn row(self) -> &'static InfixRow {
        INFIXES.iter().find(|row| row.op == self).unwrap_or(&INFIXES[0])
    }

    /// Whether it is also a prefix operator, so that after the first operand of `least` it starts
    /// the second one.
    pub(super) fn starts_operand(self) -> bool {
        matches!(self, Infix::Minus | Infix::Dice | Infix::ZeroDice | Infix::Layers)
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
