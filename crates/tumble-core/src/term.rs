//! The forms of the calculus, kept in a table and named by number.
//!
//! A term is a tree: each entry of the table has exactly one parent. `Draw` is the only chance.

use crate::diagnostic::Span;
use crate::prim::Prim;
use crate::value::Value;
use std::sync::Arc;

/// The index of a term in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The term at a place of its table; for a pass that keeps a table of its own.
    pub fn new(index: usize) -> TermId {
        TermId(index as u32)
    }

    /// Its place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a variable in its function; every binder has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

impl Slot {
    /// Its place in the function's frame.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a function in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub u32);

impl FnId {
    /// Its place in the list of functions.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The forms; each variant shows its canonical spelling.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the spelling names the fields")]
pub enum Term {
    /// `7`
    Lit(Value),
    /// `x`
    Var(Slot),
    /// `let x = value in body`: `value` is evaluated once
    Let { slot: Slot, value: TermId, body: TermId },
    /// `if test then … else …`: the test is a truth; only one branch is evaluated
    If { fork: Fork, test: TermId, then: TermId, other: TermId },
    /// `p(a, b)`: a pure operation, a row of the primitive table
    Prim { prim: &'static Prim, args: Vec<TermId> },
    /// `draw(1..6)`: the only chance
    Draw { faces: Faces },
    /// `repeat(n, body)`: the list of n independent evaluations
    Repeat { times: TermId, body: TermId },
    /// `each(x in pool, body)`: the list of one evaluation per member
    ForEach { slot: Slot, pool: TermId, body: TermId },
    /// `until(x = body, stop)`: the same roll again until `stop` (a truth) holds, at most `most` times;
    /// `until(x = first then body, stop)`: the first time another roll
    Until { slot: Slot, first: Option<TermId>, body: TermId, stop: TermId, most: Option<u64>, keep: Keep },
    /// `loop(s = start, while test, body)`: the state after the last pass
    Loop { slot: Slot, start: TermId, test: TermId, body: TermId },
    /// `f(a, b)`: a function of the program
    Call { function: FnId, args: Vec<TermId> },
}

/// What a draw chooses from, with equal probability per unit of weight.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the spelling names the fields")]
pub enum Faces {
    /// `lo..hi`: whole numbers, both ends included, never listed
    Range { lo: TermId, hi: TermId },
    /// Values with their weights, known in advance.
    Weighted(Arc<Vec<(Value, u64)>>),
    /// One member of a collection.
    Member { pool: TermId },
    /// `count` members of a collection without replacement, all of them if there are fewer.
    Members { pool: TermId, count: TermId },
}

/// Which letters a branch leaves in the path of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// An `if`: `t` or `f`, then `i`; pushed before the test.
    Branch,
    /// The right side of an "and" or "or": `s`, then `o`; pushed after the test.
    ShortCut,
}

/// What an `Until` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The value of the last pass.
    Last,
    /// The list of the values of all passes.
    All,
}

/// A term with its place in the expression.
#[derive(Clone, Debug)]
pub struct Node {
    /// The form.
    pub term: Term,
    /// Where it was written.
    pub span: Span,
}

/// A function of a program; the main term is one without parameters.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name as written.
    pub name: String,
    /// The variables that take the arguments.
    pub params: Vec<Slot>,
    /// The names of all its variables, by slot.
    pub slots: Vec<String>,
    /// What it computes.
    pub body: TermId,
}

/// Terms that are not yet checked.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub(crate) nodes: Vec<Node>,
}

impl Draft {
    /// An empty table.
    pub fn new() -> Draft {
        Draft::default()
    }

    /// An empty table with room for so many terms.
    pub fn with_room(terms: usize) -> Draft {
        Draft { nodes: Vec::with_capacity(terms) }
    }

    /// Adds a term.
    pub fn add(&mut self, span: Span, term: Term) -> TermId {
        let id = TermId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { term, span });
        id
    }

    /// Adds a use of a primitive.
    pub fn prim(&mut self, span: Span, prim: &'static Prim, args: Vec<TermId>) -> TermId {
        self.add(span, Term::Prim { prim, args })
    }

    /// Adds a known value.
    pub fn lit(&mut self, span: Span, value: Value) -> TermId {
        self.add(span, Term::Lit(value))
    }

    /// The term with this number.
    pub fn node(&self, id: TermId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Term {
    /// Visits the terms directly inside this one, in the order of evaluation.
    #[inline]
    pub fn children(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Term::Lit(_) | Term::Var(_) => {}
            Term::Let { value, body, .. } => [value, body].into_iter().for_each(|&t| visit(t)),
            Term::If { test, then, other, .. } => [test, then, other].into_iter().for_each(|&t| visit(t)),
            Term::Prim { args, .. } | Term::Call { args, .. } => args.iter().for_each(|&t| visit(t)),
            Term::Draw { faces } => match faces {
                Faces::Range { lo, hi } => [lo, hi].into_iter().for_each(|&t| visit(t)),
                Faces::Weighted(_) => {}
                Faces::Member { pool } => visit(*pool),
                Faces::Members { pool, count } => [pool, count].into_iter().for_each(|&t| visit(t)),
            },
            Term::Repeat { times, body } => [times, body].into_iter().for_each(|&t| visit(t)),
            Term::ForEach { pool, body, .. } => [pool, body].into_iter().for_each(|&t| visit(t)),
            Term::Until { first, body, stop, .. } => first.iter().chain([body, stop]).for_each(|&t| visit(t)),
            Term::Loop { start, test, body, .. } => [start, test, body].into_iter().for_each(|&t| visit(t)),
        }
    }

    /// The variable this form binds, and the children that see it.
    #[inline]
    pub fn binds(&self) -> Option<(Slot, Vec<TermId>)> {
        match *self {
            Term::Let { slot, body, .. } | Term::ForEach { slot, body, .. } => Some((slot, vec![body])),
            Term::Until { slot, stop, .. } => Some((slot, vec![stop])),
            Term::Loop { slot, test, body, .. } => Some((slot, vec![test, body])),
            _ => None,
        }
    }
}
