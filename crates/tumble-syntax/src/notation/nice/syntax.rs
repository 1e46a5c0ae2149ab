//! The tree of a nice-dice text.
//!
//! ```text
//! expression = "[" NAME ":" expression "]" expression | sum [ compare sum ]
//! compare    = ">=" | "≥" | ">" | "==" | "=" | "<=" | "≤" | "<"
//! sum        = product { ("+" | "-") product }
//! product    = factor { ("*" | "×" | "/") factor }
//! factor     = [ "-" ] ( repetition | die | [ "+" ] NUMBER | NAME | "(" expression ")" )
//! repetition = ( NUMBER | "(" expression ")" ) ( die | "(" expression ")" ) [ ("kh" | "kl") [ NUMBER ] ]
//! die        = "d" NUMBER
//! ```
//!
//! Parentheses leave no node.

pub use super::operator::{Infix, OPERATORS};
pub use crate::tree::NodeId;

/// The table of nodes.
pub type Nodes = crate::tree::Nodes<Expr>;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All its expressions.
    pub nodes: Nodes,
    /// What it rolls.
    pub main: NodeId,
}

/// The forms of an expression; each variant shows its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `7`, `+7`; never negative
    Number(i64),
    /// `ATK`
    Name(String),
    /// `d6`
    Die(i64),
    /// `(count)(body)`, `4d6kh3`: roll the body so many times, and add all or the kept ones
    Repeat(NodeId, NodeId, Option<Keep>),
    /// `-a`
    Negative(NodeId),
    /// `a + b`
    Infix(&'static Infix, NodeId, NodeId),
    /// `[NAME: a] b`
    Bind(String, NodeId, NodeId),
}

/// Which rolls of a repetition count, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The highest, `kh`, or the lowest, `kl`.
    pub highest: bool,
    /// How many.
    pub number: i64,
}

impl Keep {
    /// How it is written, without the number.
    pub(super) fn word(self) -> &'static str {
        if self.highest { "kh" } else { "kl" }
    }
}
