//! Recursion over the members of a collection, one after the other from one end: *peeling*.
//!
//! ```text
//! loop (p, a) while some(p):  let m = only(largest(1, p)) in (minus(p, gather(m)), step(m, a))
//! f(p, a) = if some(p) then f(minus(p, largest(1, p)), step(only(largest(1, p)), a)) else end(a)
//! f(p)    = if some(p) then step(only(largest(1, p)), f(minus(p, largest(1, p)))) else end
//! ```
//!
//! Nothing is seen of the collection but its largest (or least) member and whether there is any. So it is an automaton
//! that reads the members in order: what it does with a member m is what it does with the collection of m alone. In the
//! last case its states are the answers, and it reads from the other end: the first answer is that for no members.

use super::{Code, Control, Form, Plan};
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
    pub(crate) test: TermId,
    /// What the test says if there are members left.
    pub(crate) more: bool,
    pub(crate) step: Step,
    /// What a function gives for no members; a loop gives its variables.
    pub(crate) end: Option<TermId>,
}

/// Variables with their values, in order.
pub(super) type Bound = Vec<(Vec<Slot>, TermId)>;

/// The body of a function: if the test says so it goes on, else it ends.
struct Branches {
    test: TermId,
    more: bool,
    go: TermId,
    end: TermId,
}

/// What is done with a member.
pub(crate) enum Step {
    /// What is bound on the way, and what the variables are afterwards.
    Onward { bound: Bound, fields: Vec<TermId> },
    /// The answer for the members before, in a variable, becomes the answer with this one too.
    Answer { so_far: Slot, code: Rc<Code> },
}

impl Peeling {
    /// The variables that go from member to member.
    pub(crate) fn carried(&self) -> Vec<Slot> {
        match &self.step {
            Step::Answer { so_far, .. } => vec![*so_far],
            Step::Onward { .. } => self.slots.iter().filter(|slot| **slot != self.pool).copied().collect(),
        }
    }
}

impl Plan {
    /// Finds all peelings, by the loop or the body of the function.
    pub(super) fn find_peelings(&mut self) {
        let repeats = |form: &Form| matches!(form, Form::Core(Term::Loop { .. } | Term::Call { .. }));
        if !self.forms.iter().any(repeats) {
            return;
        }
        let certain = self.certain.clone();
        for function in 0..self.functions.len() {
            let body = self.functions[function].body;
            let mut found: Vec<(TermId, Peeling)> = vec![];
            for id in self.reachable(body) {
                found.extend(self.peeling_loop(id, &certain).map(|one| (id, one)));
            }
            if certain[body.index()] {
                let called = self.peeling_onward(function).or_else(|| self.peeling_answer(function));
                found.extend(called.map(|one| (body, one)));
            }
            self.peelings.extend(found.into_iter().map(|(id, one)| (id, Rc::new(one))));
        }
    }

    fn peeling_loop(&self, id: TermId, certain: &[bool]) -> Option<Peeling> {
        let Form::Core(Term::Loop { slots, test, body, .. }) = self.form(id) else { return None };
        let (bound, tail) = self.bound_before(*body);
        let fields = self.fields_of(tail, slots.len())?;
        if !certain[test.index()] || !certain[body.index()] {
            return None;
        }
        let (pool, place, top) = self.peeled(slots, fields, &bound)?;
        let fits = self.is_only_counted(*test, pool) && self.sees_ends(&bound, fields, (pool, place, top));
        let step = Step::Onward { fields: fields.to_vec(), bound };
        fits.then_some(Peeling { pool, place, slots: slots.clone(), top, test: *test, more: true, step, end: None })
    }

    /// Both ways to see a function that is a choice: which branch goes on, and which is the end.
    fn branches(&self, function: usize) -> Vec<Branches> {
        match self.form(self.functions[function].body).control() {
            Control::Choose { test, then, other } => vec![
                Branches { test, more: true, go: then, end: other },
                Branches { test, more: false, go: other, end: then },
            ],
            Control::Bind { .. } | Control::Ahead { .. } | Control::Call { .. } => vec![],
            Control::Joint | Control::Loop | Control::None => vec![],
        }
    }

    /// A function that ends with a call of itself.
    fn peeling_onward(&self, function: usize) -> Option<Peeling> {
        let params = &self.functions[function].params;
        self.branches(function).into_iter().find_map(|Branches { test, more, go, end }| {
            let (bound, tail) = self.bound_before(go);
            let fields = self.arguments(tail, function)?;
            let (pool, place, top) = self.peeled(params, fields, &bound)?;
            let fits = self.is_only_counted(test, pool)
                && self.sees_ends(&bound, fields, (pool, place, top))
                && !self.free[end.index()].contains(&pool);
            let (slots, step) = (params.clone(), Step::Onward { fields: fields.to_vec(), bound });
            fits.then_some(Peeling { pool, place, slots, top, test, more, step, end: Some(end) })
        })
    }

    /// A function that makes its answer of that for the rest.
    fn peeling_answer(&mut self, function: usize) -> Option<Peeling> {
        let params = self.functions[function].params.clone();
        let found = self.branches(function).into_iter().find_map(|branches| {
            let Branches { test, go, end, .. } = branches;
            let calls: Vec<TermId> =
                self.reachable(go).into_iter().filter(|id| self.arguments(*id, function).is_some()).collect();
            let fields = self.arguments(*calls.first()?, function)?;
            let (pool, place, top) = self.peeled(&params, fields, &vec![])?;
            let rest =
                |id: TermId| self.arguments(id, function).is_some_and(|args| self.hands_on(args, &params, place, top));
            let fits = self.is_only_counted(test, pool)
                && calls.iter().all(|id| rest(*id))
                && self.sees_only(go, pool, |id| rest(id) || self.is_end(id, pool, top))
                && !self.free[end.index()].contains(&pool);
            fits.then_some((branches, calls, (pool, place, top)))
        });
        let (Branches { test, more, go, end }, calls, (pool, place, top)) = found?;
        let so_far = self.slot(function);
        let calls: Vec<(TermId, Slot)> = calls.into_iter().map(|call| (call, so_far)).collect();
        let step = Step::Answer { so_far, code: Rc::new(Code::with(self, go, &calls)) };
        // The members are read from the other end.
        Some(Peeling { pool, place, slots: params, top: !top, test, more, step, end: Some(end) })
    }

    /// The arguments of a call of a function.
    fn arguments(&self, id: TermId, function: usize) -> Option<&[TermId]> {
        let Form::Core(Term::Call { function: called, args }) = self.form(id) else { return None };
        (called.index() == function).then_some(args)
    }

    /// Whether a call gets the rest of the members, and everything else as it is.
    fn hands_on(&self, args: &[TermId], params: &[Slot], place: usize, top: bool) -> bool {
        let same = |(i, arg): (usize, &TermId)| i == place || self.is_variable(*arg, params[i]);
        self.rest(args[place], params[place], &vec![]) == Some(top) && args.iter().enumerate().all(same)
    }

    /// The first of some variables that goes on without the member at one end; its place, and whether that is the largest.
    fn peeled(&self, slots: &[Slot], fields: &[TermId], bound: &Bound) -> Option<(Slot, usize, bool)> {
        let ends = |place: usize| Some((slots[place], place, self.rest(fields[place], slots[place], bound)?));
        (0..slots.len()).find_map(ends)
    }

    /// Whether nothing is seen of a collection but the member at one end, besides what is left of it.
    fn sees_ends(&self, bound: &Bound, fields: &[TermId], (pool, place, top): (Slot, usize, bool)) -> bool {
        let values = bound.iter().map(|(_, value)| value).chain(fields.iter().filter(|id| **id != fields[place]));
        values.into_iter().all(|id| self.sees_only(*id, pool, |id| self.is_end(id, pool, top)))
    }

    /// Whether a test asks only how many members there are.
    fn is_only_counted(&self, test: TermId, pool: Slot) -> bool {
        self.free[test.index()] == [pool] && self.sees_only(test, pool, |id| self.is_counted(id, pool))
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
