//! The tree of a Troll text, and the table of its operators.
//!
//! ```text
//! program     = { declaration } expr { declaration }
//! declaration = "function" name "(" name { "," name } ")" "=" expr
//!             | "compositional" name "(" expr "," (name | prefix) "," (name | infix) ")"
//! expr        = number | name | text | "?" chance | "(" expr ")"
//!             | "{" [ expr { "," expr } ] "}" | "[" expr "," expr "]"
//!             | prefix expr | expr infix expr | ("least" | "largest") expr expr
//!             | name "~" expr | name ":=" expr ";" expr
//!             | "if" expr "then" expr "else" expr | "foreach" name "in" expr "do" expr
//!             | ("repeat" | "accumulate") name ":=" expr ("until" | "while") expr
//!             | "call" name "(" expr { "," expr } ")"
//! ```
//!
//! Parentheses leave no node.

pub use super::operator::{Extreme, INFIXES, Infix, Loop, PREFIXES, Prefix, Stop};
pub use crate::tree::NodeId;
use tumble_core::Span;

/// The table of nodes.
pub type Nodes = crate::tree::Nodes<Expr>;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All its expressions.
    pub nodes: Nodes,
    /// What it rolls.
    pub main: NodeId,
    /// Its functions, in the order written.
    pub declarations: Vec<Declaration>,
}

/// The forms of an expression; each variant shows its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `7`
    Number(i64),
    /// `x`
    Name(String),
    /// `"a|>b"`: what is between the quotes
    Text(String),
    /// `?0.25`: the digits after the dot, without zeros at the end
    Chance(String),
    /// `{a, b}`
    Group(Vec<NodeId>),
    /// `[a, b]`
    Pair(NodeId, NodeId),
    /// `sum a`
    Prefix(&'static Prefix, NodeId),
    /// `a + b`
    Infix(&'static Infix, NodeId, NodeId),
    /// `least n a`, `largest n a`
    Extreme(Extreme, NodeId, NodeId),
    /// `x ~ a`
    Default(String, NodeId),
    /// `x := a; b`
    Let(String, NodeId, NodeId),
    /// `if a then b else c`
    If(NodeId, NodeId, NodeId),
    /// `foreach x in a do b`
    ForEach(String, NodeId, NodeId),
    /// `repeat x := a until c`
    Loop(Loop, String, NodeId, Stop, NodeId),
    /// `call f(a, b)`
    Call(String, Vec<NodeId>),
}

/// A declared function.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The name of the function.
    pub name: String,
    /// Where it is declared, up to its parameters.
    pub span: Span,
    /// How it is declared.
    pub body: Body,
}

/// The two ways to declare a function.
#[derive(Clone, Debug)]
pub enum Body {
    /// `function f(x, y) = a`
    Function(Vec<String>, NodeId),
    /// `compositional f(a, sum, +)`
    Compositional(NodeId, Step<&'static Prefix>, Step<&'static Infix>),
}

/// A step of a compositional function: a declared function or an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<Operator> {
    /// `f`
    Named(String),
    /// `sum`, `+`
    Operator(Operator),
}

impl Tree {
    /// Whether every function that is called is declared.
    pub(super) fn calls_only_its_own(&self) -> bool {
        let declared = |name: &String| self.declarations.iter().any(|declaration| declaration.name == *name);
        self.nodes.iter().all(|(_, expr)| if let Expr::Call(name, _) = expr { declared(name) } else { true })
    }
}
