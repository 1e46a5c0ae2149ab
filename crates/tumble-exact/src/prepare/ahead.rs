//! Bindings in a row as a question of their own.
//!
//! ```text
//! let x = (min{3,a}) d6 in let w = count 4<x in call f(a - w)
//! ⇒  ahead n = min{3,a} in joint (w) = (let x = n d6 in let w = count 4<x in several(w)) in call f(a - w)
//! ```
//!
//! The question in the middle depends on n alone, so its answer is shared by all a from 3 on. It is
//! made where what follows needs more of what is known around than the bindings do, or where much
//! follows from few of the variables. A value computed
//! ahead of its place must not fail before its place is reached: its error waits. Bindings that call a
//! function stay as they are, because the answer of a call may have to wait for other calls.

use super::{Form, Plan};
use crate::map::HashSet;
use tumble_core::prim::{Prim, Scan, Shape, Sort};
use tumble_core::sort;
use tumble_core::{Faces, Slot, Term, TermId};

/// Bindings one inside the other, and what follows them.
struct Row {
    bindings: Vec<TermId>,
    rest: TermId,
    bound: HashSet<Slot>,
}

impl Plan {
    /// Makes questions of the bindings of one function.
    pub(super) fn look_ahead(&mut self, function: usize) {
        self.before_calls(function);
        self.find_facts();
        let parents = self.parents();
        let waits = self.waiting(function);
        let starts: Vec<TermId> = self
            .reachable(self.functions[function].body)
            .into_iter()
            .filter(|id| self.form(*id).binding().is_some())
            .filter(|id| {
                let around = parents[id.index()].and_then(|parent| self.form(parent).binding());
                around.is_none_or(|(_, body)| body != *id)
            })
            .collect();
        for start in starts {
            let Some(row) = self.row_of(start, &waits) else { continue };
            let early = self.early(&row);
            let needed = self.needed(&row, &early);
            if self.free[start.index()].iter().any(|slot| !needed.contains(slot)) || self.narrows(&row) {
                self.ask_apart(function, start, row, early);
            }
        }
    }

    /// Looks at collections in the body of a `foreach` that are the same for all its members are made once, before the rows
    /// around it.
    pub(super) fn look_once(&mut self, function: usize, tallies: &[(TermId, TermId)]) {
        let parents = self.parents();
        let tallied: HashSet<TermId> = tallies.iter().map(|(id, _)| *id).collect();
        for each in self.reachable(self.functions[function].body) {
            let Form::Core(Term::ForEach { slot, body, .. }) = self.form(each) else { continue };
            let (slot, body) = (*slot, *body);
            let mut inner: HashSet<Slot> = HashSet::from_iter([slot]);
            self.reachable(body).iter().for_each(|id| inner.extend(self.form(*id).binds().0));
            let (mut early, mut open) = (vec![], vec![body]);
            while let Some(id) = open.pop() {
                let free = &self.free[id.index()];
                let same = !free.is_empty() && !free.iter().any(|slot| inner.contains(slot));
                // A tally may become a repetition again, which is not computed ahead.
                let stays = || !self.reachable(id).iter().any(|inside| tallied.contains(inside));
                if same && self.pure[id.index()] && self.looks_at_members(id) && stays() {
                    early.push(id);
                    continue;
                }
                self.form(id).children(|child| open.push(child));
            }
            let mut place = each;
            while let Some(parent) =
                parents[place.index()].filter(|id| matches!(self.form(*id), Form::Core(Term::Prim { .. })))
            {
                place = parent;
            }
            if !early.is_empty() {
                let whole = self.take(place);
                self.compute_first(function, place, whole, early);
            }
        }
    }

    /// Whether a term is a number that rows make of a collection, or a few of its members.
    fn looks_at_members(&self, id: TermId) -> bool {
        let row = |id: TermId| if let Form::Core(term) = self.form(id) { term.row() } else { None };
        let few = |row: &Prim| matches!(row.shape, Shape::Scan(Scan { reduces: true, .. }));
        let number = row(id).is_some_and(|(row, _)| matches!(row.gives, Sort::Int | Sort::Bool) || few(row));
        let looks = |id: TermId| row(id).is_some_and(|(row, _)| !matches!(row.shape, Shape::Opaque | Shape::Union));
        number && self.reachable(id).into_iter().any(looks)
    }

    /// What follows a call is computed as far as it goes without the result of the call: then the results
    /// of many calls are mixed before they are looked at.
    fn before_calls(&mut self, function: usize) {
        for id in self.reachable(self.functions[function].body) {
            let Form::Core(Term::Let { value, body, slots }) = self.form(id) else { continue };
            let body = *body;
            let mut inner: HashSet<Slot> = slots.iter().copied().collect();
            if !matches!(self.form(*value), Form::Core(Term::Call { .. })) || !self.pure[body.index()] {
                continue;
            }
            let mut early = Vec::new();
            let mut open = vec![body];
            self.reachable(body).iter().for_each(|id| inner.extend(self.form(*id).binds().0));
            while let Some(id) = open.pop() {
                let free = &self.free[id.index()];
                match self.form(id) {
                    Form::Core(Term::Prim { .. })
                        if !free.is_empty() && !free.iter().any(|slot| inner.contains(slot)) =>
                    {
                        early.push(id);
                    }
                    form => form.children(|child| open.push(child)),
                }
            }
            if !early.is_empty() {
                let whole = self.take(id);
                self.compute_first(function, id, whole, early);
            }
        }
    }

    /// Variables that may stand for a call which is not solved yet.
    fn waiting(&self, function: usize) -> HashSet<Slot> {
        let mut waits = HashSet::default();
        for id in self.reachable(self.functions[function].body) {
            if self.form(id).binding().is_some_and(|(value, _)| self.calls(value)) {
                waits.extend(self.form(id).binds().0);
            }
        }
        waits
    }

    fn calls(&self, id: TermId) -> bool {
        self.reachable(id).iter().any(|id| matches!(self.form(*id), Form::Core(Term::Call { .. })))
    }

    /// The bindings from here on that call nothing; none if there is no chance in them.
    fn row_of(&self, start: TermId, waits: &HashSet<Slot>) -> Option<Row> {
        let mut row = Row { bindings: vec![], rest: start, bound: HashSet::default() };
        let mut chance = false;
        while let Some((value, body)) = self.form(row.rest).binding() {
            if self.calls(value) || self.free[value.index()].iter().any(|slot| waits.contains(slot)) {
                break;
            }
            chance |= !self.pure[value.index()];
            row.bound.extend(self.form(row.rest).binds().0);
            row.bindings.push(row.rest);
            row.rest = body;
        }
        chance.then_some(row)
    }

    /// The largest pure terms in the bindings that only need what is bound around them.
    fn early(&self, row: &Row) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut open: Vec<TermId> = row.bindings.iter().filter_map(|id| Some(self.form(*id).binding()?.0)).collect();
        // Variables bound inside the values are not known ahead either.
        let mut inner: HashSet<Slot> = row.bound.clone();
        for value in open.clone() {
            self.reachable(value).iter().for_each(|id| inner.extend(self.form(*id).binds().0));
        }
        while let Some(id) = open.pop() {
            let free = &self.free[id.index()];
            let ready = !free.is_empty() && free.iter().all(|slot| !inner.contains(slot));
            match self.form(id) {
                Form::Core(Term::Prim { .. }) if self.pure[id.index()] && ready => found.push(id),
                form => form.children(|child| open.push(child)),
            }
        }
        found
    }

    /// What the bindings need of what is known around them, if the early terms are ready.
    fn needed(&self, row: &Row, early: &[TermId]) -> HashSet<Slot> {
        let mut needed: HashSet<Slot> = HashSet::default();
        for binding in &row.bindings {
            let Some((_, body)) = self.form(*binding).binding() else { continue };
            let mut open = Vec::new();
            self.form(*binding).children(|child| open.push(child));
            open.retain(|child| *child != body);
            while let Some(id) = open.pop() {
                match self.form(id) {
                    _ if early.contains(&id) => {}
                    Form::Core(Term::Var(slot)) => drop(needed.insert(*slot)),
                    form => form.children(|child| open.push(child)),
                }
            }
        }
        needed
    }

    /// Whether what follows is computed from fewer variables than the bindings have.
    fn narrows(&self, row: &Row) -> bool {
        let seen = self.free[row.rest.index()].iter().filter(|slot| row.bound.contains(slot)).count();
        let rows = |id: &TermId| matches!(self.form(*id), Form::Core(Term::Prim { .. }));
        let worth = |id: TermId| self.pure[id.index()] && self.reachable(id).iter().filter(|id| rows(id)).count() > 1;
        row.bindings.len() > 1 && seen < row.bound.len() && worth(row.rest)
    }

    fn ask_apart(&mut self, function: usize, start: TermId, row: Row, early: Vec<TermId>) {
        let mut slots: Vec<Slot> = self.needs(row.rest).into_iter().filter(|slot| row.bound.contains(slot)).collect();
        sort::sort(&mut slots);
        if slots.iter().any(|slot| self.may_hide(&row, *slot)) {
            return;
        }
        let several = self.add(Form::Several(slots.clone()), row.rest);
        if let Some(last) = row.bindings.last() {
            match &mut self.forms[last.index()] {
                Form::Core(Term::Let { body, .. }) => *body = several,
                Form::Watch(watch) => watch.body = several,
                _ => return,
            }
        }
        let first = self.take(start);
        let source = self.add(first, start);
        self.compute_first(function, start, Form::Joint { source, slots, body: row.rest }, early);
    }

    /// Whether a variable of some bindings may hold a pool that stays hidden: then it is not put into a row of values. What
    /// is made of numbers alone hides nothing.
    fn may_hide(&self, row: &Row, slot: Slot) -> bool {
        let number = |value: TermId| match self.form(value) {
            Form::Core(Term::Prim { prim, .. }) => matches!(prim.gives, Sort::Int | Sort::Bool),
            Form::Core(Term::Lit(_)) | Form::Total(_) => true,
            Form::Core(Term::Draw { faces }) => !matches!(faces, Faces::Members { .. }),
            _ => false,
        };
        let made = |value: TermId| {
            let known = |slot: &Slot| row.bound.contains(slot) && !self.may_hide(row, *slot);
            self.pure[value.index()] && self.free[value.index()].iter().all(known)
        };
        row.bindings.iter().any(|id| match self.form(*id) {
            Form::Core(Term::Let { slots, value, .. }) => slots.contains(&slot) && !number(*value) && !made(*value),
            _ => false,
        })
    }

    /// Puts a form in a place, with some of the terms inside it computed before.
    fn compute_first(&mut self, function: usize, place: TermId, mut whole: Form, early: Vec<TermId>) {
        for id in early {
            let slot = self.slot(function);
            let value = self.take(id);
            let value = self.add(value, id);
            self.forms[id.index()] = Form::Core(Term::Var(slot));
            let body = self.add(whole, place);
            whole = Form::Ahead { slot, value, body };
        }
        self.forms[place.index()] = whole;
    }
}
