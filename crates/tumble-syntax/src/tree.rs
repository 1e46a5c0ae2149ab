//! The table in which the nodes of a tree lie, shared by all notations.
//!
//! Nodes name each other by number, so that a deep tree is dropped, compared and walked without deep recursion.
//! Parentheses leave no node; they only widen a place.

use tumble_core::Span;

/// The number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place in the table.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of nodes.
#[derive(Clone, Debug)]
pub struct Nodes<Expr>(Vec<Node<Expr>>);

/// An expression with its place.
#[derive(Clone, Debug)]
struct Node<Expr> {
    expr: Expr,
    /// Without the parentheses around it.
    own: Span,
    /// With them.
    span: Span,
}

impl<Expr> Default for Nodes<Expr> {
    fn default() -> Nodes<Expr> {
        Nodes(Vec::new())
    }
}

impl<Expr> Nodes<Expr> {
    /// No nodes yet, and room for so many.
    pub(crate) fn with_room(nodes: usize) -> Nodes<Expr> {
        Nodes(Vec::with_capacity(nodes))
    }

    /// Adds a node.
    pub fn add(&mut self, span: Span, expr: Expr) -> NodeId {
        let id = NodeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(Node { expr, own: span, span });
        id
    }

    /// The expression of the node.
    pub fn expr(&self, id: NodeId) -> &Expr {
        &self.0[id.0 as usize].expr
    }

    /// Where the node is, with the parentheses around it.
    pub fn span(&self, id: NodeId) -> Span {
        self.0[id.0 as usize].span
    }

    /// Where the node stands, without them.
    pub(crate) fn own(&self, id: NodeId) -> Span {
        self.0[id.0 as usize].own
    }

    /// Widens the place of a node to the parentheses around it.
    pub(crate) fn widen(&mut self, id: NodeId, span: Span) {
        self.0[id.0 as usize].span = span;
    }

    /// Puts another expression in the place of a node.
    pub(crate) fn replace(&mut self, id: NodeId, expr: Expr) {
        self.0[id.0 as usize].expr = expr;
    }

    /// Moves every node to another place.
    pub(crate) fn respan(&mut self, place: impl Fn(Span) -> Span) {
        for node in &mut self.0 {
            (node.own, node.span) = (place(node.own), place(node.span));
        }
    }

    /// Changes every node.
    pub(crate) fn change(&mut self, change: impl Fn(&mut Expr)) {
        self.0.iter_mut().for_each(|node| change(&mut node.expr));
    }

    /// All nodes in the order in which they were read.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (NodeId, &Expr)> + DoubleEndedIterator {
        self.0.iter().enumerate().map(|(at, node)| (NodeId(at as u32), &node.expr))
    }
}
