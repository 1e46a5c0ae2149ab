//! Work around one call, at the end of a function: a call at the end up to what is made of its result.
//!
//! ```text
//! (count (max a) > (max b)) + call wins(a -- (max a), b -- (max b))      ⇒      p + r, with r what the call gives
//! ```
//!
//! What does not need the result is computed before the call, so nothing is left to do but to change each result. A
//! function that calls itself twice on one way has no such end.

use super::{Code, Form, Plan};
use std::rc::Rc;
use tumble_core::{Slot, Term, TermId};

/// A term that makes its value of what one call gives.
pub(crate) struct Around {
    pub(crate) call: TermId,
    /// What is computed before the call, and the variables that hold it.
    pub(crate) parts: Vec<(TermId, Slot)>,
    /// The variable that holds what the call gives.
    pub(crate) result: Slot,
    /// The rest, of these variables, among so many.
    pub(crate) code: Code,
    pub(crate) slots: usize,
}

impl Plan {
    /// Finds all such ends of the functions that some calls lead back to.
    pub(super) fn find_around(&mut self) {
        for (function, circle) in self.circles().iter().enumerate().filter(|(_, circle)| !circle.is_empty()) {
            let (body, ends) = (self.functions[function].body, self.ends(self.functions[function].body));
            let inside = self.reachable(body).into_iter().filter(|id| !ends.contains(id));
            let entered: Vec<TermId> = inside.filter(|id| self.leads_back(*id, circle)).collect();
            self.entered.extend(entered);
            for id in ends {
                if let Some(around) = self.around(function, id, circle) {
                    self.around.insert(id, Rc::new(around));
                }
            }
        }
    }

    /// Whether a term is a call of a function of a circle.
    fn leads_back(&self, id: TermId, circle: &[usize]) -> bool {
        matches!(self.form(id), Form::Core(Term::Call { function, .. }) if circle.contains(&function.index()))
    }

    /// The terms at the end of a term, and those that bind before them.
    fn ends(&self, root: TermId) -> Vec<TermId> {
        let (mut ends, mut open) = (vec![], vec![root]);
        while let Some(id) = open.pop() {
            ends.push(id);
            open.extend(self.tails(id));
        }
        ends
    }

    fn around(&mut self, function: usize, root: TermId, circle: &[usize]) -> Option<Around> {
        let (call, mut parts) = self.way_to_call(root, circle)?;
        parts.retain(|part| !matches!(self.form(*part), Form::Core(Term::Lit(_))));
        let result = self.slot(function);
        let parts: Vec<(TermId, Slot)> = parts.into_iter().map(|part| (part, self.slot(function))).collect();
        let replaced: Vec<(TermId, Slot)> = parts.iter().copied().chain([(call, result)]).collect();
        let slots = self.functions[function].slots;
        Some(Around { call, code: Code::with(self, root, &replaced), parts, result, slots })
    }

    /// The only call of a circle inside a term, if it is made in any case and chance is nowhere but in its arguments; and
    /// what can be computed before.
    fn way_to_call(&self, root: TermId, circle: &[usize]) -> Option<(TermId, Vec<TermId>)> {
        let leads_back = |id: &TermId| self.leads_back(*id, circle);
        let has_call = |id: TermId| self.reachable(id).iter().any(leads_back);
        // What is computed ahead has errors that wait.
        if self.reachable(root).iter().any(|id| matches!(self.form(*id), Form::Ahead { .. })) {
            return None;
        }
        let (mut here, mut parts) = (root, vec![]);
        loop {
            let beside: Vec<TermId> = match self.form(here) {
                Form::Core(Term::Call { args, .. }) => {
                    let alone = leads_back(&here) && here != root && !args.iter().any(|arg| has_call(*arg));
                    return alone.then_some((here, parts));
                }
                Form::Core(Term::Prim { args, .. }) => args.clone(),
                Form::Total(terms) => terms.iter().map(|(_, term)| *term).collect(),
                Form::Core(Term::Let { slots, value, body }) => {
                    if has_call(*body) || !self.certain[body.index()] {
                        return None;
                    }
                    parts.extend(self.before(*body, slots));
                    vec![*value]
                }
                Form::Core(
                    Term::Lit(_)
                    | Term::Var(_)
                    | Term::If { .. }
                    | Term::Draw { .. }
                    | Term::Repeat { .. }
                    | Term::ForEach { .. }
                    | Term::Until { .. }
                    | Term::Loop { .. }
                    | Term::Leave { .. }
                    | Term::Ask { .. }
                    | Term::Emit { .. }
                    | Term::Throw { .. },
                )
                | Form::Watch(_)
                | Form::Ahead { .. }
                | Form::Joint { .. }
                | Form::Several(_) => return None,
            };
            let mut calling = beside.iter().filter(|id| has_call(**id));
            let (Some(next), None) = (calling.next(), calling.next()) else { return None };
            let others = beside.iter().filter(|id| *id != next);
            if !others.clone().all(|id| self.certain[id.index()]) {
                return None;
            }
            parts.extend(others);
            here = *next;
        }
    }

    /// The largest terms inside one that need none of some variables, nor any that is bound inside.
    fn before(&self, body: TermId, slots: &[Slot]) -> Vec<TermId> {
        let mut bound = slots.to_vec();
        self.reachable(body).iter().for_each(|id| bound.extend(self.form(*id).binds().0));
        let (mut found, mut open) = (vec![], vec![body]);
        while let Some(id) = open.pop() {
            if !self.free[id.index()].iter().any(|slot| bound.contains(slot)) {
                found.push(id);
                continue;
            }
            self.form(id).children(|child| open.push(child));
        }
        found
    }
}
