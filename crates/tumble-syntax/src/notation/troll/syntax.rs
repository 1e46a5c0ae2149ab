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
//! Nodes lie in one table and name each other by number, so that a deep tree is dropped, compared
//! and walked without deep recursion. Parentheses leave no node; they only widen a place.

pub use super::operator::{Extreme, Infix, Loop, Prefix, Stop};
use tumble_core::Span;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

/// The table of nodes.
#[derive(Clone, Debug, Default)]
pub struct Nodes(Vec<Node>);

/// A text, understood.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All its expressions.
    pub nodes: Nodes,
    /// What the text rolls.
    pub main: NodeId,
    /// Its functions, in the order of the text.
    pub declarations: Vec<Declaration>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What is written.
    pub expr: Expr,
    /// Where, with the parentheses around it.
    pub span: Span,
}

/// The forms of an expression; each variant shows its spelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `7`
    Number(i64),
    /// `x`
    Name(String),
    /// `"a|>b"`: what stands between the quotes
    Text(String),
    /// `?0.25`: the digits after the dot, without zeros at the end
    Chance(String),
    /// `{a, b}`
    Group(Vec<NodeId>),
    /// `[a, b]`
    Pair(NodeId, NodeId),
    /// `sum a`
    Prefix(Prefix, NodeId),
    /// `a + b`
    Infix(Infix, NodeId, NodeId),
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

/// What may be declared beside the roll itself.
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
    Compositional(NodeId, Step<Prefix>, Step<Infix>),
}

/// A step of a compositional function: a function of the text or an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<Operator> {
    /// `f`
    Named(String),
    /// `sum`, `+`
    Operator(Operator),
}

impl Nodes {
    /// No nodes yet, and room for so many.
    pub(super) fn with_room(nodes: usize) -> Nodes {
        Nodes(Vec::with_capacity(nodes))
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a node.
    pub fn add(&mut self, span: Span, expr: Expr) -> NodeId {
        let id = NodeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(Node { expr, span });
        id
    }

    /// What the node says.
    pub fn expr(&self, id: NodeId) -> &Expr {
        &self.0[id.0 as usize].expr
    }

    /// Where the node stands.
    pub fn span(&self, id: NodeId) -> Span {
        self.0[id.0 as usize].span
    }

    /// Widens the place of a node to the parentheses around it.
    pub(super) fn widen(&mut self, id: NodeId, span: Span) {
        self.0[id.0 as usize].span = span;
    }
}

impl Tree {
    /// Whether every function that is called is declared.
    pub(super) fn calls_only_its_own(&self) -> bool {
        let declared = |name: &String| self.declarations.iter().any(|declaration| declaration.name == *name);
        self.nodes.0.iter().all(|node| if let Expr::Call(name, _) = &node.expr { declared(name) } else { true })
    }
}
