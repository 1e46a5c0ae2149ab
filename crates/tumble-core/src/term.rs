//! The forms of the calculus, kept in a table and named by number.
//!
//! A term is a tree: each entry of the table has exactly one parent. `Draw` is the only chance.

use crate::diagnostic::Span;
use crate::play::{Event, Exit, Question, Throw};
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
    /// `let x = value in body`: `value` is evaluated once;
    /// `let (x, y) = value in body`: it is a tuple of just so many fields, one for each variable
    Let { slots: Vec<Slot>, value: TermId, body: TermId },
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
    /// `loop(s = start, while test, body)`: the state after the last pass;
    /// `loop((s, t) = start, while test, body)`: the state is a tuple, one variable for each field
    Loop { slots: Vec<Slot>, start: TermId, test: TermId, body: TermId },
    /// `f(a, b)`: a function of the program
    Call { function: FnId, args: Vec<TermId> },
    /// `leave(call, value)`, `leave(loop, value)`: what is inside ends here, with this value
    Leave { exit: Exit, value: TermId },
    /// `ask(option, owner, tag, prompt, form)`: a player's decision
    Ask { question: Question, args: Vec<TermId> },
    /// `emit(line, text, style)`: something to show
    Emit { event: Event, args: Vec<TermId> },
    /// `throw(total, text)`: dice that fall together
    Throw { throw: Throw, args: Vec<TermId> },
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

/// How a form evaluates one of the terms directly inside it.
#[derive(Clone, Copy, Debug)]
pub struct Role<'a> {
    /// How often, each time the form is evaluated.
    pub times: Times,
    /// Whether its value is the value of the form, and the last thing the form does is to evaluate it.
    pub tail: bool,
    /// The variables that the form binds for it.
    pub sees: &'a [Slot],
}

/// How often something is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Exactly once.
    Once,
    /// Once or not at all.
    Perhaps,
    /// Any number of times.
    Again,
}

impl Role<'static> {
    const ONCE: Role<'static> = Role { times: Times::Once, tail: false, sees: &[] };
    const BRANCH: Role<'static> = Role { times: Times::Perhaps, tail: true, sees: &[] };
    const AGAIN: Role<'static> = Role { times: Times::Again, tail: false, sees: &[] };
}

impl Term {
    /// Visits the terms directly inside this one in the order of evaluation, with what becomes of them. It is the only
    /// place that knows how a form evaluates its parts.
    #[inline]
    pub fn parts<'a>(&'a self, mut visit: impl FnMut(TermId, Role<'a>)) {
        let again = |sees: &'a [Slot]| Role { sees, ..Role::AGAIN };
        match self {
            Term::Lit(_) | Term::Var(_) => {}
            Term::Let { slots, value, body } => {
                visit(*value, Role::ONCE);
                visit(*body, Role { tail: true, sees: slots, ..Role::ONCE });
            }
            Term::If { test, then, other, .. } => {
                visit(*test, Role::ONCE);
                visit(*then, Role::BRANCH);
                visit(*other, Role::BRANCH);
            }
            Term::Prim { args, .. } | Term::Call { args, .. } => args.iter().for_each(|arg| visit(*arg, Role::ONCE)),
            Term::Ask { args, .. } | Term::Emit { args, .. } | Term::Throw { args, .. } => {
                args.iter().for_each(|arg| visit(*arg, Role::ONCE));
            }
            Term::Leave { value, .. } => visit(*value, Role::ONCE),
            Term::Draw { faces } => faces.parts(|part| visit(part, Role::ONCE)),
            Term::Repeat { times, body } => {
                visit(*times, Role::ONCE);
                visit(*body, Role::AGAIN);
            }
            Term::ForEach { slot, pool, body } => {
                visit(*pool, Role::ONCE);
                visit(*body, again(std::slice::from_ref(slot)));
            }
            Term::Until { slot, first, body, stop, .. } => {
                first.iter().for_each(|first| visit(*first, Role::ONCE));
                visit(*body, Role::AGAIN);
                visit(*stop, again(std::slice::from_ref(slot)));
            }
            Term::Loop { slots, start, test, body } => {
                visit(*start, Role::ONCE);
                visit(*test, again(slots));
                visit(*body, again(slots));
            }
        }
    }

    /// Visits the terms directly inside this one, in the order of evaluation.
    #[inline]
    pub fn children(&self, mut visit: impl FnMut(TermId)) {
        self.parts(|child, _| visit(child));
    }
}

impl Term {
    /// The value, if it is known.
    #[inline]
    pub fn lit(&self) -> Option<&Value> {
        if let Term::Lit(value) = self { Some(value) } else { None }
    }

    /// The row and its arguments, if it is a pure operation.
    #[inline]
    pub fn row(&self) -> Option<(&'static Prim, &[TermId])> {
        if let Term::Prim { prim, args } = self { Some((prim, args)) } else { None }
    }
}

impl Faces {
    /// Visits the terms that say what is drawn from, in the order of evaluation.
    #[inline]
    pub fn parts(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Faces::Range { lo, hi } => [lo, hi].into_iter().for_each(|part| visit(*part)),
            Faces::Weighted(_) => {}
            Faces::Member { pool } => visit(*pool),
            Faces::Members { pool, count } => [pool, count].into_iter().for_each(|part| visit(*part)),
        }
    }
}

#[cfg(all(test, feature = "arbitrary"))]
mod tests {
    use crate::read;

    /// What a form does with each of its parts: how often, whether it passes its value on, how many variables it sees.
    const CASES: &[(&str, &str)] = &[
        ("7", ""),
        ("let x = 1 in x", "once, once tail 1"),
        ("let (x, y) = tuple(1, 2) in x", "once, once tail 2"),
        ("if true then 1 else 2", "once, perhaps tail, perhaps tail"),
        ("add(1, 2)", "once, once"),
        ("draw(1..6)", "once, once"),
        ("draw(of [1])", "once"),
        ("draw(2 of [1])", "once, once"),
        ("draw(1 x1 or 2 x1)", ""),
        ("repeat(2, 1)", "once, again"),
        ("each(x in [1], x)", "once, again 1"),
        ("until(x = 1, true)", "again, again 1"),
        ("until(x = 1 then 2, true)", "once, again, again 1"),
        ("loop(x = 1, while false, x)", "once, again 1, again 1"),
        ("loop((x, y) = tuple(1, 2), while false, tuple(y, x))", "once, again 2, again 2"),
        ("f(a) = a; f(1)", "once"),
        ("leave(call, 1)", "once"),
        ("ask(number, nothing, nothing, \"?\", 1, 2, 1, nothing)", "once, once, once, once, once, once, once"),
        ("emit(close)", ""),
        ("throw(plain, 1, 6)", "once, once"),
    ];

    #[test]
    fn every_form_says_what_it_does_with_its_parts() {
        for (text, expected) in CASES {
            let program = read::program(text);
            let mut found = Vec::new();
            program.term(program.function(program.main()).body).parts(|_, role| {
                let tail = if role.tail { " tail" } else { "" };
                let sees = if role.sees.is_empty() { String::new() } else { format!(" {}", role.sees.len()) };
                found.push(format!("{:?}{tail}{sees}", role.times).to_lowercase());
            });
            assert_eq!(found.join(", "), *expected, "{text}");
        }
    }
}
