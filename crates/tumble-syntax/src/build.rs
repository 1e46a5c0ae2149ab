//! Terms of the core, written as they are read: a term and all its parts are one expression.
//!
//! ```text
//! a < b          some(less(a, gather(b)))        a truth; so for every comparison of two numbers
//! not t          if t then false else true
//! a and b        if a then b else false          the right side only if it matters; likewise "or"
//! 1 if t         if t then 1 else 0
//! n dice         gather(repeat(n, die))
//! ```

use tumble_core::{Code, Compare, Draft, Faces, Fork, Prim, Slot, Span, Term, TermId, Value, prim};

/// What becomes a term: one that is there already, a number, a truth, a variable, or what is made of them.
pub(crate) trait Build {
    /// The term, at this place of the text.
    fn put(self, draft: &mut Draft, span: Span) -> TermId;
}

impl<Make: FnOnce(&mut Draft, Span) -> TermId> Build for Make {
    // Trees share their parts this way, and the engine of the page has a limit of size.
    #[inline(never)]
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        self(draft, span)
    }
}

impl Build for TermId {
    fn put(self, _: &mut Draft, _: Span) -> TermId {
        self
    }
}

impl Build for Term {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        draft.add(span, self)
    }
}

impl Build for Value {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        draft.lit(span, self)
    }
}

impl Build for i64 {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        Value::int(self).put(draft, span)
    }
}

impl Build for bool {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        Value::bool(self).put(draft, span)
    }
}

impl Build for Slot {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        Term::Var(self).put(draft, span)
    }
}

/// A number that is known, or that was found before.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Known(i64),
    Rolled(Slot),
}

impl Build for Number {
    fn put(self, draft: &mut Draft, span: Span) -> TermId {
        match self {
            Number::Known(n) => n.put(draft, span),
            Number::Rolled(slot) => slot.put(draft, span),
        }
    }
}

/// A row of any number of terms.
pub(crate) fn all(row: &'static Prim, args: Vec<TermId>) -> impl Build {
    Term::Prim { prim: row, args }
}

/// A row of one term.
pub(crate) fn one(row: &'static Prim, a: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| all(row, vec![a.put(draft, span)]).put(draft, span)
}

/// A row of two terms.
pub(crate) fn two(row: &'static Prim, a: impl Build, b: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| all(row, vec![a.put(draft, span), b.put(draft, span)]).put(draft, span)
}

/// A row of three terms.
pub(crate) fn three(row: &'static Prim, a: impl Build, b: impl Build, c: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        all(row, vec![a.put(draft, span), b.put(draft, span), c.put(draft, span)]).put(draft, span)
    }
}

/// A collection with the members of one term.
pub(crate) fn gather(part: impl Build) -> impl Build {
    one(&prim::GATHER, part)
}

/// A collection without members.
pub(crate) fn nothing() -> impl Build {
    all(&prim::GATHER, vec![])
}

pub(crate) fn sum(pool: impl Build) -> impl Build {
    one(&prim::SUM, pool)
}

pub(crate) fn count(pool: impl Build) -> impl Build {
    one(&prim::COUNT, pool)
}

/// One of several values; the first has the number 0.
pub(crate) fn field(number: i64, tuple: impl Build) -> impl Build {
    two(&prim::FIELD, number, tuple)
}

/// `let slot = value in body`
pub(crate) fn bind(slot: Slot, value: impl Build, body: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (value, body) = (value.put(draft, span), body.put(draft, span));
        Term::Let { slots: vec![slot], value, body }.put(draft, span)
    }
}

/// One of two, by a truth; the fork says how draws inside are told apart.
pub(crate) fn fork(fork: Fork, test: impl Build, then: impl Build, other: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (test, then, other) = (test.put(draft, span), then.put(draft, span), other.put(draft, span));
        Term::If { fork, test, then, other }.put(draft, span)
    }
}

/// One of two, by a truth.
pub(crate) fn either(test: impl Build, then: impl Build, other: impl Build) -> impl Build {
    fork(Fork::Branch, test, then, other)
}

pub(crate) fn not(truth: impl Build) -> impl Build {
    either(truth, false, true)
}

/// Both truths; the second is evaluated only if the first holds.
pub(crate) fn and(test: impl Build, then: impl Build) -> impl Build {
    fork(Fork::ShortCut, test, then, false)
}

/// One of two truths; the second is evaluated only if the first does not hold.
pub(crate) fn or(test: impl Build, other: impl Build) -> impl Build {
    fork(Fork::ShortCut, test, true, other)
}

/// 1 for yes and 0 for no.
pub(crate) fn as_number(truth: impl Build) -> impl Build {
    either(truth, 1, 0)
}

/// Two numbers compared: a truth. What a row says of unlisted numbers it says of its collection, so a number that is
/// known stands outside.
pub(crate) fn compare(by: Compare, a: impl Build, b: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (a, b) = (a.put(draft, span), b.put(draft, span));
        let known = matches!(draft.node(b).term, Term::Lit(_));
        let (by, a, b) = if known { (by.flipped(), b, a) } else { (by, a, b) };
        one(&prim::SOME, two(by.row(), a, gather(b))).put(draft, span)
    }
}

/// The members that compare so with a number.
pub(crate) fn those(by: Compare, number: impl Build, pool: impl Build) -> impl Build {
    two(by.flipped().row(), number, pool)
}

/// A die with faces from one number to another.
pub(crate) fn die(lo: impl Build, hi: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let faces = Faces::Range { lo: lo.put(draft, span), hi: hi.put(draft, span) };
        Term::Draw { faces }.put(draft, span)
    }
}

/// So many independent evaluations, one after the other.
pub(crate) fn repeat(times: impl Build, body: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (times, body) = (times.put(draft, span), body.put(draft, span));
        Term::Repeat { times, body }.put(draft, span)
    }
}

/// The collection of so many independent evaluations.
pub(crate) fn times(times: impl Build, body: impl Build) -> impl Build {
    gather(repeat(times, body))
}

/// What is made of each member of a collection, one after the other.
pub(crate) fn each(slot: Slot, pool: impl Build, body: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (pool, body) = (pool.put(draft, span), body.put(draft, span));
        Term::ForEach { slot, pool, body }.put(draft, span)
    }
}

/// Values that change together while a test holds; the first of them in the end.
pub(crate) fn looped(slots: Vec<Slot>, start: impl Build, test: impl Build, body: impl Build) -> impl Build {
    move |draft: &mut Draft, span: Span| {
        let (start, test, body) = (start.put(draft, span), test.put(draft, span), body.put(draft, span));
        field(0, Term::Loop { slots, start, test, body }).put(draft, span)
    }
}

/// Stops the roll if it gets here.
pub(crate) fn fail(code: Code, kind: &str, message: &str, hint: &str) -> impl Build {
    let words = [code.name(), kind, message, hint].map(Value::text);
    move |draft: &mut Draft, span: Span| {
        let args = words.map(|word| word.put(draft, span)).to_vec();
        all(&prim::FAIL, args).put(draft, span)
    }
}

/// The same at a place of its own.
pub(crate) fn at(place: Span, made: impl Build) -> impl Build {
    move |draft: &mut Draft, _: Span| made.put(draft, place)
}
