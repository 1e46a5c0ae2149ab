//! Loops of which not everything is wanted.
//!
//! ```text
//! let (s, n, x) = loop((s, n, x) = (0, 0, 0), while s is no six, (draw, n + 1, x + draw)) in n
//! ```
//!
//! A variable that neither the result nor what goes on needs is faint: it stays as it is. If only one variable is wanted,
//! and all that ever happens to it is that something is added, it is a sum over the walk and no part of its states.

use super::{Form, Plan};
use tumble_core::prim::{Extent, Fails, Interval, Told};
use tumble_core::{Slot, Term, TermId, Value};

impl Plan {
    /// Narrows the loops whose results are taken apart at once.
    pub(super) fn narrow_loops(&mut self) {
        for id in (0..self.forms.len()).map(TermId::new) {
            let Form::Core(Term::Let { slots, value, body }) = self.form(id) else { continue };
            let wanted: Vec<bool> = slots.iter().map(|slot| self.free[body.index()].contains(slot)).collect();
            self.narrow(*value, wanted);
        }
    }

    fn narrow(&mut self, id: TermId, wanted: Vec<bool>) {
        let Form::Core(Term::Loop { slots, start, test, body }) = self.form(id) else { return };
        let (slots, start, test, body) = (slots.clone(), *start, *test, *body);
        let mut fixed = vec![test];
        let Some(ends) = self.ends_of_pass(body, slots.len(), &mut fixed) else { return };
        if slots.len() < 2 || self.fields_of(start, slots.len()).is_none() || wanted.len() != slots.len() {
            return;
        }
        let asks = |plan: &Plan, id: &TermId, i: usize| plan.free[id.index()].contains(&slots[i]);
        let steers = |plan: &Plan, i: usize| fixed.iter().any(|id| asks(plan, id, i));
        let mut needed: Vec<bool> = (0..slots.len()).map(|i| wanted[i] || steers(self, i)).collect();
        while let Some(more) = (0..slots.len()).find(|i| {
            let used = |end: &Vec<TermId>| (0..slots.len()).any(|j| needed[j] && asks(self, &end[j], *i));
            !needed[*i] && ends.iter().any(used)
        }) {
            needed[more] = true;
        }
        for i in (0..slots.len()).filter(|i| !needed[*i]) {
            if ends.iter().all(|end| self.is_harmless(end[i])) {
                ends.iter().for_each(|end| self.forms[end[i].index()] = Form::Core(Term::Lit(Value::int(0))));
            }
        }
        if let [only] = (0..slots.len()).filter(|i| wanted[*i]).collect::<Vec<_>>()[..] {
            let elsewhere =
                |end: &Vec<TermId>| (0..slots.len()).any(|j| j != only && needed[j] && asks(self, &end[j], only));
            let changes = |end: &Vec<TermId>| !matches!(self.form(end[only]), Form::Core(Term::Var(_)));
            let adds = ends.iter().all(|end| self.only_adds(end[only], slots[only])) && ends.iter().any(changes);
            if adds && !steers(self, only) && !ends.iter().any(elsewhere) {
                self.counters.insert(id, only);
            }
        }
    }

    /// The fields at each end of a pass; what decides on the way is added to a list.
    fn ends_of_pass(&self, body: TermId, width: usize, fixed: &mut Vec<TermId>) -> Option<Vec<Vec<TermId>>> {
        let (mut ends, mut open) = (vec![], vec![body]);
        while let Some(id) = open.pop() {
            let tails = self.tails(id);
            if tails.is_empty() {
                ends.push(self.fields_of(id, width)?.to_vec());
                continue;
            }
            self.form(id).children(|child| fixed.extend((!tails.contains(&child)).then_some(child)));
            open.extend(tails);
        }
        Some(ends)
    }

    /// Whether nothing would be missed of a term that nobody wants: it ends, and does not fail but by numbers that no budget
    /// reaches.
    fn is_harmless(&self, id: TermId) -> bool {
        let never_fails = |id: &TermId| {
            let form = self.form(*id);
            matches!(form, Form::Core(Term::Prim { prim, .. }) if !matches!(prim.fails, Fails::Maybe))
                || matches!(form, Form::Core(Term::Lit(_) | Term::Var(_) | Term::Draw { .. }))
        };
        self.reachable(id).iter().all(never_fails)
    }

    /// Whether a term is a variable, perhaps with something added that does not depend on it.
    fn only_adds(&self, id: TermId, slot: Slot) -> bool {
        let is_own = |id: &TermId| matches!(self.form(*id), Form::Core(Term::Var(own)) if *own == slot);
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return is_own(&id) };
        let Some(place) = args.iter().position(is_own) else { return false };
        let numbers = vec![Extent::Number(Interval::ALL); args.len()];
        let kept = match (prim.tell)(&numbers) {
            Told::Linear { parts, pooled: false, .. } => parts.contains(&(place, 1)),
            _ => false,
        };
        let others = args.iter().enumerate().filter(|(i, _)| *i != place);
        kept && others.into_iter().all(|(_, arg)| !self.free[arg.index()].contains(&slot))
    }
}
