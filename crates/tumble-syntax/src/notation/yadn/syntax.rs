//! The tree of a YADN text.
//!
//! ```text
//! text       = roll { ";" roll } [ ";" ]
//! roll       = map | mapping
//! map        = "{" text "=" pair { "," pair } "}"          pair = scalar ":" scalar
//! mapping    = choice { ("m" | "m=") text }
//! choice     = compare [ "?" mapping ":" choice ]
//! compare    = sum [ (">" | ">=" | "==" | "!=" | "<=" | "<") sum ]
//! sum        = product { ("+" | "-") product }
//! product    = power { ("*" | "/" | "%") power }
//! power      = dice [ "^" power ]
//! dice       = count { ("d" | "d!" | "dc" | "dh" | "dl" | "dw") count }
//! count      = pool { ("ns" | "nb" | "ss") pool }
//! pool       = gen { ("pa" | "pb" | "pc" | "pf" | "ph" | "pl" | "pr" | "p%") gen }
//! gen        = primary { ("dp" | "g!") primary }
//! primary    = number | text | "T" | "F" | "[" [ scalar { "," scalar } ] "]" | "(" mapping ")"
//!            | "-" primary | ("C" | "N" | "S") pool | ("d" | "d!") count
//! scalar     = [ "-" ] number | text
//! ```
//!
//! Parentheses leave no node. Neither do other spellings: `g`, `p`, `d20`
//! and `d%` are read as `dp`, `dp`, `1d20` and `d100`.

pub use super::operator::{INFIXES, Infix, REDUCES, Reduce};
pub use crate::tree::NodeId;

/// The table of nodes.
pub type Nodes = crate::tree::Nodes<Expr>;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All its expressions.
    pub nodes: Nodes,
    /// Its parts between semicolons.
    pub rolls: Vec<Roll>,
}

/// What is between two semicolons.
#[derive(Clone, Debug)]
pub enum Roll {
    /// `{"coin" = 1: "heads", 2: "tails"}`: gives no result
    Define(Definition),
    /// `2d6 + 1`
    Result(NodeId),
}

/// A map with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its keys with their values, in the order written.
    pub pairs: Vec<(Scalar, Scalar)>,
}

/// A literal number or text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `-3`
    Number(i64),
    /// `"a"`
    Text(String),
}

/// The forms of an expression; each variant shows its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `7`, `-7`
    Number(i64),
    /// `"a"`: what is between the quotes
    Text(String),
    /// `T`, `F`
    Truth(bool),
    /// `[1, -2, "a"]`
    Pool(Vec<Scalar>),
    /// `-a`, where `a` is not a literal number
    Minus(NodeId),
    /// `S a`
    Reduce(&'static Reduce, NodeId),
    /// `a + b`
    Infix(&'static Infix, NodeId, NodeId),
    /// `a ? b : c`
    Choice(NodeId, NodeId, NodeId),
    /// `a m "name"`
    Map(NodeId, String),
}
