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
    Infix(Infix, NodeId, NodeId),
    /// `[NAME: a] b`
    Bind(String, NodeId, NodeId),
}

/// Which rolls of a repetition count, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The best or the worst.
    pub end: End,
    /// How many.
    pub number: i64,
}

/// Which end of the sorted rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `kh`
    Highest,
    /// `kl`
    Lowest,
}

impl End {
    /// How it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            End::Highest => "kh",
            End::Lowest => "kl",
        }
    }
}

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

impl Infix {
    /// The operator of a sign, in the main spelling of the sign.
    pub(super) fn of(sign: &str) -> Option<Infix> {
        Some(match sign {
            "<" => Infix::Less,
            "<=" => Infix::AtMost,
            "=" => Infix::Equal,
            ">=" => Infix::AtLeast,
            ">" => Infix::More,
            "+" => Infix::Plus,
            "-" => Infix::Minus,
            "*" => Infix::Times,
            "/" => Infix::Divide,
            _ => return None,
        })
    }

    /// How tight it binds.
    pub(super) fn level(self) -> u8 {
        match self {
            Infix::Less | Infix::AtMost | Infix::Equal | Infix::AtLeast | Infix::More => COMPARISON,
            Infix::Plus | Infix::Minus => SUM,
            Infix::Times | Infix::Divide => PRODUCT,
        }
    }
}
