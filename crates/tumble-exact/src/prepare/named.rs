//! Names for what goes through members one by one where something else looks at the same roll.
//!
//! ```text
//! sub(max(gather(each(i in L, a))), b)     let t = max(gather(each(i in L, a))) in sub(t, b)
//! if some(gather(each(i in L, a))) then b  let t = some(gather(each(i in L, a))) in if t then b
//! equal(max(x), gather(each(i in L, a)))   let t = max(x) in equal(t, gather(each(i in L, a)))
//! ```
//!
//! Here a and b look at the same variable. In one row both of them would have to know all of a hidden pool; after a binding
//! the program goes on with each result, and with the dice that can give it (`machine/condition.rs`). A look at one end of
//! the pool comes first, since it reveals little. Rows are strict, so that a name changes only the order of evaluation.

use super::{Form, Plan};
use crate::map::HashSet;
use tumble_core::prim::Sort;
use tumble_core::{Slot, Term, TermId};

/// In a larger program the others stay as they are.
const MOST_NAMES: usize = 50;

impl Plan {
    /// Names such looks of a function; facts must be known, and are again afterwards.
    pub(super) fn name_looks(&mut self, function: usize) {
        let body = self.functions[function].body;
        let numbers = self.numbers(body);
        let (mut open, mut names) = (vec![body], 0);
        while let Some(id) = open.pop() {
            let look = if names < MOST_NAMES { self.crowded(id, &numbers) } else { None };
            let Some(look) = look else {
                self.form(id).children(|child| open.push(child));
                continue;
            };
            names += 1;
            let place = self.top_of_rows(id);
            let slot = self.slot(function);
            let value = self.take(look);
            let value = self.add(value, look);
            self.forms[look.index()] = Form::Core(Term::Var(slot));
            let whole = self.take(place);
            let body = self.add(whole, place);
            self.forms[place.index()] = Form::Core(Term::Let { slots: vec![slot], value, body });
            self.find_facts();
            open.push(place);
        }
    }

    /// The outermost of the rows around a term.
    fn top_of_rows(&self, id: TermId) -> TermId {
        let (parents, mut place) = (self.parents(), id);
        let is_row = |id: &TermId| matches!(self.form(*id), Form::Core(Term::Prim { .. }));
        while let Some(parent) = parents[place.index()].filter(is_row).filter(|_| is_row(&place)) {
            place = parent;
        }
        place
    }

    /// What gets a name of what is directly inside a term.
    fn crowded(&self, id: TermId, numbers: &HashSet<Slot>) -> Option<TermId> {
        let shared = |a: TermId, b: TermId| {
            let both = |slot: &&Slot| self.free[b.index()].contains(slot) && !numbers.contains(slot);
            self.free[a.index()].iter().find(both).copied()
        };
        if let Form::Core(Term::If { test, then, other, .. }) = self.form(id) {
            let again = shared(*test, *then).or_else(|| shared(*test, *other));
            return again.filter(|_| self.goes_through(*test)).map(|_| *test);
        }
        let Form::Core(Term::Prim { args, .. }) = self.form(id) else { return None };
        let beside = |arg: TermId| args.iter().any(|other| *other != arg && shared(arg, *other).is_some());
        let look = *args.iter().find(|arg| self.goes_through(**arg) && beside(**arg))?;
        let at_an_end = |other: &&TermId| {
            **other != look && shared(look, **other).is_some_and(|slot| self.looks_at_an_end(**other, slot))
        };
        Some(*args.iter().find(at_an_end).unwrap_or(&look))
    }

    /// Whether chance has no part in a term but that of the rolls whose members it goes through.
    fn goes_through(&self, root: TermId) -> bool {
        let mut each = false;
        let plain = |id: TermId| match self.form(id) {
            Form::Core(term) => match term {
                Term::ForEach { .. } => {
                    each = true;
                    true
                }
                Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => true,
                Term::Draw { .. } | Term::Repeat { .. } | Term::Until { .. } | Term::Loop { .. } => false,
                Term::Call { .. } | Term::Leave { .. } | Term::Ask { .. } => false,
                Term::Emit { .. } | Term::Throw { .. } => false,
            },
            Form::Watch(_) | Form::Ahead { .. } | Form::Joint { .. } | Form::Several(_) | Form::Total(_) => false,
        };
        !self.pure[root.index()] && self.reachable(root).into_iter().all(plain) && each
    }

    /// Whether a term is a number that depends on some of the smallest or largest members of a variable.
    fn looks_at_an_end(&self, root: TermId, slot: Slot) -> bool {
        let number = matches!(self.form(root), Form::Core(Term::Prim { prim, .. }) if prim.gives == Sort::Int);
        number && self.pure[root.index()] && self.reachable(root).iter().any(|id| self.ranks_on(*id, slot).is_some())
    }

    /// The variables inside a term that hold no collection.
    fn numbers(&self, root: TermId) -> HashSet<Slot> {
        let mut numbers = HashSet::default();
        for id in self.reachable(root) {
            if let Form::Core(Term::ForEach { slot, .. }) = self.form(id) {
                numbers.insert(*slot);
            }
            if let Form::Core(Term::Let { slots, value, .. }) = self.form(id)
                && let Form::Core(Term::Prim { prim, .. }) = self.form(*value)
                && matches!(prim.gives, Sort::Int | Sort::Bool)
            {
                numbers.extend(slots);
            }
        }
        numbers
    }
}
