//! Terms that several notations write, over a draft of the core.
//!
//! ```text
//! a < b          some(less(a, gather(b)))        a truth; so for every comparison of two numbers
//! not t          if t then false else true
//! a and b        if a then b else false          the right side only if it matters; likewise "or"
//! 1 if t         if t then 1 else 0
//! n dice         gather(repeat(n, die))
//! ```

use crate::Lowered;
use crate::mistake::{Mistake, Parsed};
use std::collections::BTreeMap;
use tumble_core::{Code, Compare, Draft, Faces, Fork, Function, Prim, Slot, Span, Term, TermId, Value, prim};

/// How many faces a list may have; a range alone may have any number.
const MOST_FACES: u128 = 100_000;

/// The faces of `d{1, 1, 5..7}` with their weights, the smallest first.
pub(crate) fn faces_listed(items: &[(i64, i64)], span: Span) -> Parsed<Vec<(Value, u64)>> {
    let length = |&(from, to): &(i64, i64)| (i128::from(to) - i128::from(from)).unsigned_abs() + 1;
    if items.iter().map(length).sum::<u128>() > MOST_FACES {
        let message = "a list can have at most 100,000 faces; a plain range, as in `d[1..1000000]`, can be longer";
        return Mistake::limit(span, message).fail();
    }
    let mut faces = BTreeMap::new();
    for face in items.iter().flat_map(|&(from, to)| from..=to) {
        *faces.entry(face).or_insert(0u64) += 1;
    }
    Ok(faces.into_iter().map(|(face, weight)| (Value::int(face), weight)).collect())
}

/// Faces with those in a row together: of 1, 1, 2, 3, 5 the parts 1, 1..3 and 5. Two in a row stay apart.
pub(crate) fn in_rows(faces: &[i64]) -> Vec<(i64, i64)> {
    let mut rows = Vec::new();
    for row in faces.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        match row {
            [first, _, .., last] => rows.push((*first, *last)),
            few => rows.extend(few.iter().map(|face| (*face, *face))),
        }
    }
    rows
}

/// `1, 1, 5..7`
pub(crate) fn faces_written(items: &[(i64, i64)]) -> String {
    let item = |&(from, to): &(i64, i64)| if from == to { from.to_string() } else { format!("{from}..{to}") };
    items.iter().map(item).collect::<Vec<_>>().join(", ")
}

/// The terms of a text without functions of its own.
#[derive(Default)]
pub(crate) struct Kit {
    pub(crate) draft: Draft,
    slots: Vec<String>,
    /// How many of the variables come from outside.
    given: usize,
}

impl Kit {
    /// Terms that see numbers with these names.
    pub(crate) fn new(names: &[&str]) -> Kit {
        Kit { slots: names.iter().map(|name| (*name).to_owned()).collect(), given: names.len(), ..Kit::default() }
    }

    /// The variables with the names that were given.
    pub(crate) fn given(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.given as u32).map(Slot)
    }

    /// The expression whose result is this term.
    pub(crate) fn finish(self, body: TermId) -> Lowered {
        let params = self.given().collect();
        Lowered::new(self.draft, vec![Function { name: "roll".to_owned(), params, slots: self.slots, body }])
    }

    /// A new variable; `name` is for people.
    pub(crate) fn slot(&mut self, name: &str) -> Slot {
        self.slots.push(name.to_owned());
        Slot(self.slots.len() as u32 - 1)
    }

    pub(crate) fn add(&mut self, span: Span, term: Term) -> TermId {
        self.draft.add(span, term)
    }

    pub(crate) fn prim(&mut self, span: Span, row: &'static Prim, args: Vec<TermId>) -> TermId {
        self.draft.prim(span, row, args)
    }

    pub(crate) fn lit(&mut self, span: Span, value: Value) -> TermId {
        self.draft.lit(span, value)
    }

    pub(crate) fn int(&mut self, span: Span, n: i64) -> TermId {
        self.lit(span, Value::int(n))
    }

    pub(crate) fn truth(&mut self, span: Span, truth: bool) -> TermId {
        self.lit(span, Value::bool(truth))
    }

    pub(crate) fn var(&mut self, span: Span, slot: Slot) -> TermId {
        self.add(span, Term::Var(slot))
    }

    /// `let slot = value in body`
    pub(crate) fn bind(&mut self, span: Span, slot: Slot, value: TermId, body: TermId) -> TermId {
        self.add(span, Term::Let { slots: vec![slot], value, body })
    }

    /// Several values as one.
    pub(crate) fn tuple(&mut self, span: Span, fields: Vec<TermId>) -> TermId {
        self.prim(span, &prim::TUPLE, fields)
    }

    /// One of several values; the first has the number 0.
    pub(crate) fn field(&mut self, span: Span, number: i64, tuple: TermId) -> TermId {
        let number = self.int(span, number);
        self.prim(span, &prim::FIELD, vec![number, tuple])
    }

    /// One of two, by a truth.
    pub(crate) fn either(&mut self, span: Span, test: TermId, then: TermId, other: TermId) -> TermId {
        self.add(span, Term::If { fork: Fork::Branch, test, then, other })
    }

    /// Two numbers compared: a truth. What a row says of unlisted numbers it says of its collection, so a number that is
    /// known stands outside.
    pub(crate) fn compare(&mut self, span: Span, by: Compare, a: TermId, b: TermId) -> TermId {
        let known = matches!(self.draft.node(b).term, Term::Lit(_));
        let (by, a, b) = if known { (by.flipped(), b, a) } else { (by, a, b) };
        let pool = self.prim(span, &prim::GATHER, vec![b]);
        let left = self.prim(span, by.row(), vec![a, pool]);
        self.prim(span, &prim::SOME, vec![left])
    }

    pub(crate) fn not(&mut self, span: Span, truth: TermId) -> TermId {
        let (no, yes) = (self.truth(span, false), self.truth(span, true));
        self.either(span, truth, no, yes)
    }

    /// Both truths; the second is evaluated only if the first holds.
    pub(crate) fn and(&mut self, span: Span, test: TermId, then: TermId) -> TermId {
        let other = self.truth(span, false);
        self.add(span, Term::If { fork: Fork::ShortCut, test, then, other })
    }

    /// One of two truths; the second is evaluated only if the first does not hold.
    pub(crate) fn or(&mut self, span: Span, test: TermId, other: TermId) -> TermId {
        let then = self.truth(span, true);
        self.add(span, Term::If { fork: Fork::ShortCut, test, then, other })
    }

    /// 1 for yes and 0 for no.
    pub(crate) fn as_number(&mut self, span: Span, truth: TermId) -> TermId {
        let (one, zero) = (self.int(span, 1), self.int(span, 0));
        self.either(span, truth, one, zero)
    }

    /// A die with the faces `lo` to `hi`.
    pub(crate) fn die(&mut self, span: Span, lo: i64, hi: i64) -> TermId {
        let (lo, hi) = (self.int(span, lo), self.int(span, hi));
        self.add(span, Term::Draw { faces: Faces::Range { lo, hi } })
    }

    /// The collection of so many independent evaluations.
    pub(crate) fn times(&mut self, span: Span, times: TermId, body: TermId) -> TermId {
        let list = self.add(span, Term::Repeat { times, body });
        self.prim(span, &prim::GATHER, vec![list])
    }

    pub(crate) fn sum(&mut self, span: Span, pool: TermId) -> TermId {
        self.prim(span, &prim::SUM, vec![pool])
    }

    /// Stops the roll if it gets here.
    pub(crate) fn fail(&mut self, span: Span, code: Code, kind: &str, message: &str, hint: &str) -> TermId {
        let words = [code.name(), kind, message, hint];
        let args = words.into_iter().map(|word| self.lit(span, Value::text(word))).collect();
        self.prim(span, &prim::FAIL, args)
    }
}
