//! Recursion over the members of a collection, one after the other from one end: *peeling*.
//!
//! ```text
//! loop (p, a) while some(p):  let m = only(largest(1, p)) in (minus(p, gather(m)), step(m, a))
//! f(p, a) = if some(p) then f(minus(p, largest(1, p)), step(only(largest(1, p)), a)) else end(a)
//! ```
//!
//! Nothing is seen of the collection but its largest (or least) member and whether there is any. So it is an automaton
//! that reads the members in order: what it does with a member m is what it does with the collection of m alone.

use super::{Control, Form, Plan};
use std::rc::Rc;
use tumble_core::{Slot, Term, TermId};

pub(crate) struct Peeling {
    /// The variable with the collection, and its place among the variables that go on.
    pub(crate) pool: Slot,
    pub(crate) place: usize,
    /// The variables of the loop, or the parameters.
    pub(crate) slots: Vec<Slot>,
    /// Whether the largest member goes first.
    pub(crate) top: bool,
    pub(crate) turn: Turn,
}

/// Variables with their values, in order.
pub(super) type Bound = Vec<(Vec<Slot>, TermId)>;

/// One turn of a loop or function.
pub(crate) struct Turn {
    pub(crate) test: TermId,
    /// What the test says if there is another turn.
    pub(crate) more: bool,
    /// What is bound on the way, and the values of the variables afterwards.
    pub(crate) bound: Bound,
    pub(crate) fields: Vec<TermId>,
    /// What a function gives after the last turn; a loop gives its variables.
    pub(crate) end: Option<TermId>,
}

impl Turn {
    /// What is computed in it besides the test.
    fn values(&self) -> impl Iterator<Item = TermId> + '_ {
        self.bound.iter().map(|(_, value)| *value).chain(self.fields.iter().copied())
    }

    fn is_certain(&self, certain: &[bool]) -> bool {
        self.values().chain([self.test]).chain(self.end).all(|id| certain[id.index()])
    }
}

impl Plan {
    /// Finds all peelings, by the loop or the body of the function.
    pub(super) fn find_peelings(&mut self) {
        let repeats = |form: &Form| matches!(form, Form::Core(Term::Loop { .. } | Term::Call { .. }));
        if !self.forms.iter().any(repeats) {
            return;
        }
        let certain = self.certainty();
        for function in 0..self.functions.len() {
            let body = self.functions[function].body;
            let mut found: Vec<(TermId, Peeling)> =
                self.peeling_function(function, &certain).map(|one| (body, one)).into_iter().collect();
            for id in self.reachable(body) {
                found.extend(self.peeling_loop(id, &certain).map(|one| (id, one)));
            }
            self.peelings.extend(found.into_iter().map(|(id, one)| (id, Rc::new(one))));
        }
    }

    fn peeling_loop(&self, id: TermId, certain: &[bool]) -> Option<Peeling> {
        let Form::Core(Term::Loop { slots, test, body, .. }) = self.form(id) else { return None };
        let (bound, tail) = self.bound_before(*body);
        let fields = self.fields_of(tail, slots.len())?.to_vec();
        let turn = Turn { bound, fields, test: *test, more: true, end: None };
        turn.is_certain(certain).then(|| self.peeling(slots, turn))?
    }

    fn peeling_function(&self, function: usize, certain: &[bool]) -> Option<Peeling> {
        let routine = &self.functions[function];
        let Form::Core(Term::If { test, then, other, .. }) = self.form(routine.body) else { return None };
        [(*then, *other, true), (*other, *then, false)].into_iter().find_map(|(go, end, more)| {
            let (bound, tail) = self.bound_before(go);
            let Form::Core(Term::Call { function: called, args }) = self.form(tail) else { return None };
            if called.index() != function {
                return None;
            }
            let turn = Turn { bound, fields: args.clone(), test: *test, more, end: Some(end) };
            turn.is_certain(certain).then(|| self.peeling(&routine.params, turn))?
        })
    }

    /// The bindings at the beginning of a term, and what comes after them.
    fn bound_before(&self, id: TermId) -> (Bound, TermId) {
        let (mut bound, mut here) = (vec![], id);
        loop {
            let (slots, value, body) = match self.form(here).control() {
                Control::Bind { slots, value, body } => (slots.to_vec(), value, body),
                Control::Ahead { slot, value, body } => (vec![slot], value, body),
                Control::Choose { .. } | Control::Call { .. } | Control::Joint | Control::Loop | Control::None => {
                    return (bound, here);
                }
            };
            bound.push((slots, value));
            here = body;
        }
    }

    fn peeling(&self, slots: &[Slot], turn: Turn) -> Option<Peeling> {
        let ends = |place: usize| Some((place, self.rest(turn.fields[place], slots[place], &turn.bound)?));
        let (place, top) = (0..slots.len()).find_map(ends)?;
        let pool = slots[place];
        let counted = |id| self.is_counted(id, pool);
        let end = |id| self.is_end(id, pool, top);
        let mut others = turn.values().filter(|id| *id != turn.fields[place]);
        let fits = self.free[turn.test.index()] == [pool]
            && self.sees_only(turn.test, pool, counted)
            && others.all(|id| self.sees_only(id, pool, end))
            && turn.end.is_none_or(|end| !self.free[end.index()].contains(&pool));
        drop(others);
        let slots = slots.to_vec();
        fits.then_some(Peeling { pool, place, slots, top, turn })
    }

    /// Whether a term asks only how many members a collection has.
    fn is_counted(&self, id: TermId, pool: Slot) -> bool {
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return false };
        prim.counts && args.len() == 1 && self.is_variable(args[prim.over], pool)
    }

    /// Whether a term looks at a variable only in some ways.
    fn sees_only(&self, id: TermId, pool: Slot, fits: impl Fn(TermId) -> bool) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !self.free[id.index()].contains(&pool) || fits(id) {
                continue;
            }
            if self.is_variable(id, pool) || matches!(self.form(id), Form::Several(_) | Form::Watch(_)) {
                return false;
            }
            self.form(id).children(|child| open.push(child));
        }
        true
    }
}
