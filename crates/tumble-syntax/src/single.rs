//! Values that are used just once stand where they are used: `x := 3d6; max x` is `max 3d6`.
//!
//! ```text
//! let x = v in b     is b with v for x, if b has x once and rolls that place no more often than the whole
//! ```

use std::collections::BTreeMap;
use tumble_core::{Program, Slot, Term, TermId, Times};

/// For every term of a program the one that is read in its place; most are read as they are.
pub(crate) struct SingleUses(Vec<TermId>);

/// A binding on the way: where it is, its value and its body, and how often the place around it is rolled anew.
struct Binding {
    id: TermId,
    value: TermId,
    body: TermId,
    level: usize,
    /// The places where the value is used, and their levels.
    uses: Vec<(TermId, usize)>,
}

impl SingleUses {
    pub(crate) fn of(program: &Program) -> SingleUses {
        let mut reads: Vec<TermId> = program.ids().collect();
        // Slots are numbered for each function; with several, nothing is moved.
        if let [main] = program.functions() {
            for binding in bindings(program, main.body).into_values() {
                if let [(place, level)] = binding.uses[..]
                    && level == binding.level
                {
                    reads[place.index()] = binding.value;
                    reads[binding.id.index()] = binding.body;
                }
            }
        }
        SingleUses(reads)
    }

    /// The term that is read in this place.
    pub(crate) fn read(&self, id: TermId) -> TermId {
        let mut id = id;
        // A value lies outside of what it is used in, so this goes outward and ends.
        while let Some(next) = self.0.get(id.index()).copied().filter(|next| *next != id) {
            id = next;
        }
        id
    }
}

fn bindings(program: &Program, body: TermId) -> BTreeMap<Slot, Binding> {
    let mut found: BTreeMap<Slot, Binding> = BTreeMap::new();
    // A level counts the loops around a place.
    let mut open = vec![(body, 0)];
    while let Some((id, level)) = open.pop() {
        let term = program.term(id);
        if let Term::Let { slots, value, body } = term
            && let [slot] = slots.as_slice()
        {
            let (value, body) = (*value, *body);
            found.insert(*slot, Binding { id, value, body, level, uses: Vec::new() });
        }
        if let Term::Var(slot) = term {
            found.entry(*slot).and_modify(|binding| binding.uses.push((id, level)));
        }
        term.parts(|child, role| open.push((child, level + usize::from(role.times == Times::Again))));
    }
    found
}
