//! The table of nice-dice's operators: lexer, parser, lowering and speller read it.

use crate::scan::row_of;
use tumble_core::{Compare, Prim, prim};

/// An operator between two expressions.
#[derive(Debug, PartialEq)]
pub struct Infix {
    /// How it is written.
    pub sign: &'static str,
    /// How it is spelled, with the blanks around it.
    pub(super) spelled: &'static str,
    /// How tight it binds.
    pub(super) level: u8,
    pub(super) core: Core,
}

/// The level of comparisons, the loosest.
pub(super) const COMPARISON: u8 = 1;
/// The level of `+` and `-`.
pub(super) const SUM: u8 = 2;
/// The level of `*` and `/`.
pub(super) const PRODUCT: u8 = 3;

/// What an operator is in the core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Core {
    /// A row of two numbers.
    Row(&'static Prim),
    /// A comparison, which gives 1 or 0.
    Compare(Compare),
}

const fn row(sign: &'static str, spelled: &'static str, level: u8, core: Core) -> Infix {
    Infix { sign, spelled, level, core }
}

/// All operators.
pub static OPERATORS: &[Infix] = &[
    row("<", " < ", COMPARISON, Core::Compare(Compare::Less)),
    row("<=", " ≤ ", COMPARISON, Core::Compare(Compare::AtMost)),
    row("=", " = ", COMPARISON, Core::Compare(Compare::Equal)),
    row(">=", " ≥ ", COMPARISON, Core::Compare(Compare::AtLeast)),
    row(">", " > ", COMPARISON, Core::Compare(Compare::More)),
    row("+", "+", SUM, Core::Row(&prim::ADD)),
    row("-", "-", SUM, Core::Row(&prim::SUB)),
    row("*", " * ", PRODUCT, Core::Row(&prim::MUL)),
    row("/", " / ", PRODUCT, Core::Row(&prim::QUOT)),
];

/// The operator of a sign, in the main spelling of the sign.
pub(super) fn infix(sign: &str) -> Option<&'static Infix> {
    row_of(OPERATORS, |row| row.sign, sign)
}
