//! What several notations need to lower a text: its terms and variables, and lists of faces.

use crate::Lowered;
use crate::build::{Build, bind};
use crate::mistake::{Mistake, Parsed};
use std::collections::BTreeMap;
use tumble_core::{Draft, Function, Slot, Span, TermId, Value};

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

    /// A term after values that its variables have, in their order.
    pub(crate) fn after(&mut self, span: Span, first: Vec<(Slot, TermId)>, term: TermId) -> TermId {
        first.into_iter().rev().fold(term, |term, (slot, value)| self.put(span, bind(slot, value, term)))
    }

    /// A term and all its parts, at a place of the text.
    pub(crate) fn put(&mut self, span: Span, made: impl Build) -> TermId {
        made.put(&mut self.draft, span)
    }
}
