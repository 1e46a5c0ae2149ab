//! The table of nice-dice's operators: lexer, parser, lowering and speller read it.

use tumble_core::{Compare, Prim, prim};

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `a < b`
    Less,
    /// `a <= b`, `a ≤ b`
    AtMost,
    /// `a = b`, `a == b`
    Equal,
    /// `a >= b`, `a ≥ b`
    AtLeast,
    /// `a > b`
    More,
    /// `a + b`
    Plus,
    /// `a - b`
    Minus,
    /// `a * b`, `a × b`
    Times,
    /// `a / b`
    Divide,
}

/// The level of comparisons, the loosest.
pub(super) const COMPARISON: u8 = 1;
/// The level of `+` and `-`.
pub(super) const SUM: u8 = 2;
/// The level of `*` and `/`.
pub(super) const PRODUCT: u8 = 3;

/// An operator: its sign, how it is spelled, how tight it binds, and what it is in the core.
pub(super) struct Row {
    pub(super) sign: &'static str,
    /// With the blanks around it.
    pub(super) spelled: &'static str,
    infix: Infix,
    pub(super) level: u8,
    pub(super) core: Core,
}

/// What an operator is in the core.
#[derive(Clone, Copy)]
pub(super) enum Core {
    /// A row of two numbers.
    Row(&'static Prim),
    /// A comparison, which gives 1 or 0.
    Compare(Compare),
}

const fn row(sign: &'static str, spelled: &'static str, infix: Infix, level: u8, core: Core) -> Row {
    Row { sign, spelled, infix, level, core }
}

/// All operators, in the order of [`Infix`].
pub(super) const OPERATORS: &[Row] = &[
    row("<", " < ", Infix::Less, COMPARISON, Core::Compare(Compare::Less)),
    row("<=", " ≤ ", Infix::AtMost, COMPARISON, Core::Compare(Compare::AtMost)),
    row("=", " = ", Infix::Equal, COMPARISON, Core::Compare(Compare::Equal)),
    row(">=", " ≥ ", Infix::AtLeast, COMPARISON, Core::Compare(Compare::AtLeast)),
    row(">", " > ", Infix::More, COMPARISON, Core::Compare(Compare::More)),
    row("+", "+", Infix::Plus, SUM, Core::Row(&prim::ADD)),
    row("-", "-", Infix::Minus, SUM, Core::Row(&prim::SUB)),
    row("*", " * ", Infix::Times, PRODUCT, Core::Row(&prim::MUL)),
    row("/", " / ", Infix::Divide, PRODUCT, Core::Row(&prim::QUOT)),
];

impl Infix {
    /// The operator of a sign, in the main spelling of the sign.
    pub(super) fn of(sign: &str) -> Option<Infix> {
        OPERATORS.iter().find(|row| row.sign == sign).map(|row| row.infix)
    }

    pub(super) fn row(self) -> &'static Row {
        &OPERATORS[self as usize]
    }

    /// How tight it binds.
    pub(super) fn level(self) -> u8 {
        self.row().level
    }
}
