//! What a reader wants to see of a program beside its dice: comparisons of numbers, and names that were bound.
//!
//! ```text
//! count(less(a, gather(b)))     a < b as 0 or 1, if a and b are written in different places
//! some(less(a, gather(b)))      the same as a truth
//! let x = … in … x …            x, if it is as long in the text as its name
//! let p = … in … sum(largest(2, p)) …   what is made of the dice that a name holds, if the text begins with the name
//! ```
//!
//! Comparisons that a notation makes for a purpose of its own, such as "is this number a truth?", have their sides
//! in one place, and so are told apart: a question without words. What decides whether a loop goes on, or is done with
//! each member of a collection, is not shown: the dice tell.

use tumble_core::prim::Merge;
use tumble_core::{Compare, Prim, Program, Shape, Slot, Span, Term, TermId};

/// A comparison as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    pub(crate) left: Span,
    pub(crate) sign: Compare,
    pub(crate) right: Span,
    /// Whether the left side is the number that the row takes first.
    pub(crate) in_order: bool,
}

/// Something to show.
pub(crate) enum Sight {
    /// The row that compares.
    Check(Compared),
    /// The row that compares without words.
    Question,
    Name,
}

/// Visits what is worth showing in the main function; other functions may be called many times over.
pub(crate) fn each(program: &Program, mut visit: impl FnMut(TermId, Sight)) {
    let main = program.function(program.main());
    let mut bound = vec![false; main.slots.len()];
    let mut todo = vec![main.body];
    while let Some(id) = todo.pop() {
        let hidden = match program.term(id) {
            Term::Let { slots, .. } => {
                slots.iter().for_each(|slot| bound[slot.index()] = true);
                None
            }
            Term::Var(slot) => {
                if bound[slot.index()] && fits(program.span(id), &main.slots, *slot) {
                    visit(id, Sight::Name);
                }
                None
            }
            Term::Prim { .. } => {
                match (check(program, id), question(program, id)) {
                    (Some((row, compared)), _) => visit(row, Sight::Check(compared)),
                    (None, Some((asks, row))) if matches!(asks.shape, Shape::Fold(Merge::Or)) => {
                        visit(row, Sight::Question)
                    }
                    (None, _) if views_a_name(program, id, &bound) => visit(id, Sight::Name),
                    (None, _) => {}
                }
                None
            }
            Term::Until { stop: hidden, .. } | Term::Loop { test: hidden, .. } | Term::ForEach { body: hidden, .. } => {
                Some(*hidden)
            }
            Term::Lit(_) | Term::If { .. } | Term::Draw { .. } | Term::Repeat { .. } | Term::Call { .. } => None,
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => None,
        };
        program.term(id).children(|child| {
            if Some(child) != hidden {
                todo.push(child);
            }
        });
    }
}

/// Whether a row adds up or counts dice that a name holds, without a roll of its own: `p kh2`.
fn views_a_name(program: &Program, id: TermId, bound: &[bool]) -> bool {
    let (span, mut at) = (program.span(id), id);
    if !row(program, id).is_some_and(|(row, _)| matches!(row.shape, Shape::Fold(Merge::Add))) {
        return false;
    }
    loop {
        match program.term(at) {
            Term::Prim { prim, args } => match args.get(prim.over) {
                Some(over) if args.len() == prim.takes.len() && !matches!(prim.shape, Shape::Opaque) => at = *over,
                _ => return false,
            },
            Term::ForEach { pool, body, .. } if !rolls(program, *body) => at = *pool,
            Term::Var(slot) => return bound[slot.index()] && program.span(at).start == span.start,
            Term::Lit(_) | Term::Let { .. } | Term::If { .. } | Term::Draw { .. } => return false,
            Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } => return false,
            Term::Call { .. } | Term::Leave { .. } | Term::Ask { .. } => return false,
            Term::Emit { .. } | Term::Throw { .. } => return false,
        }
    }
}

/// Whether dice are rolled in a term.
fn rolls(program: &Program, id: TermId) -> bool {
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        if matches!(program.term(id), Term::Draw { .. } | Term::Call { .. } | Term::Throw { .. }) {
            return true;
        }
        program.term(id).children(|child| todo.push(child));
    }
    false
}

fn fits(span: Span, names: &[String], slot: Slot) -> bool {
    names.get(slot.index()).is_some_and(|name| name.len() == span.end.saturating_sub(span.start))
}

/// The row that compares, and what it compares, if a term asks how one comparison in the text came out.
pub(crate) fn check(program: &Program, id: TermId) -> Option<(TermId, Compared)> {
    let (_, filter) = question(program, id)?;
    let (prim, args) = row(program, filter).filter(|_| program.span(filter) == program.span(id))?;
    let sign = Compare::of(prim)?;
    let [number, pool] = *args else { return None };
    let (_, &[member]) = row(program, pool)? else { return None };
    let (first, second) = (program.span(number), program.span(member));
    let inside = |span: Span| span.start < span.end && span.start >= program.span(id).start;
    if !inside(first) || !inside(second) {
        return None;
    }
    if first.end <= second.start {
        return Some((filter, Compared { left: first, sign, right: second, in_order: true }));
    }
    let exchanged = Compared { left: second, sign: sign.flipped(), right: first, in_order: false };
    (second.end <= first.start).then_some((filter, exchanged))
}

/// The filter that a row asks how it came out for one value, and who asks.
fn question(program: &Program, id: TermId) -> Option<(&'static Prim, TermId)> {
    let (asks, &[filter]) = row(program, id)? else { return None };
    let (_, &[_, pool]) = row(program, filter).filter(|(prim, _)| matches!(prim.shape, Shape::Filter))? else {
        return None;
    };
    let (gather, [_]) = row(program, pool)? else { return None };
    (asks.counts && matches!(gather.shape, Shape::Union)).then_some((asks, filter))
}

/// A row of the table and its arguments.
pub(crate) fn row(program: &Program, id: TermId) -> Option<(&'static Prim, &[TermId])> {
    program.term(id).row()
}
