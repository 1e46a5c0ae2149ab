//! Functions that can return.
//!
//! A term can end if all that it must evaluate can: a choice if its test and one of its branches can, a call if its
//! arguments and its function can. The functions that can are the least fixed point of this, found with a worklist.
//! A call of any other function never ends, whatever is rolled and whatever its arguments are.

use super::{Form, Plan};
use std::collections::VecDeque;
use tumble_core::{Term, TermId};

impl Plan {
    /// Marks the functions that can return.
    pub(super) fn find_endings(&mut self) {
        let bodies: Vec<Vec<TermId>> = self.functions.iter().map(|routine| self.reachable(routine.body)).collect();
        let callers = self.callers(&bodies);
        self.returns = vec![callers.iter().all(Vec::is_empty); bodies.len()];
        let mut ends = vec![false; self.forms.len()];
        let mut queued: Vec<bool> = self.returns.iter().map(|known| !known).collect();
        let mut queue: VecDeque<usize> = (0..bodies.len()).filter(|function| queued[*function]).collect();
        while let Some(function) = queue.pop_front() {
            queued[function] = false;
            // The terms inside come after those around them.
            bodies[function].iter().rev().for_each(|id| ends[id.index()] = self.can_end(*id, &ends));
            if !ends[self.functions[function].body.index()] || self.returns[function] {
                continue;
            }
            self.returns[function] = true;
            for &caller in &callers[function] {
                if !self.returns[caller] && !std::mem::replace(&mut queued[caller], true) {
                    queue.push_back(caller);
                }
            }
        }
    }

    /// The functions that call each function.
    fn callers(&self, bodies: &[Vec<TermId>]) -> Vec<Vec<usize>> {
        let mut callers = vec![vec![]; bodies.len()];
        for (caller, body) in bodies.iter().enumerate() {
            for id in body {
                if let Form::Core(Term::Call { function, .. }) = self.form(*id)
                    && callers[function.index()].last() != Some(&caller)
                {
                    callers[function.index()].push(caller);
                }
            }
        }
        callers
    }

    /// Whether a term can end, as far as that is known of the terms inside it.
    fn can_end(&self, id: TermId, ends: &[bool]) -> bool {
        let end = |id: &TermId| ends[id.index()];
        match self.form(id) {
            Form::Core(term) => match term {
                Term::Lit(_) | Term::Var(_) => true,
                Term::Let { value, body, .. } => end(value) && end(body),
                Term::If { test, then, other, .. } => end(test) && (end(then) || end(other)),
                Term::Prim { args, .. } => args.iter().all(end),
                Term::Draw { .. } => {
                    let mut all = true;
                    term.children(|child| all &= end(&child));
                    all
                }
                Term::Repeat { times, body } => end(times) && (end(body) || !self.is_positive(*times)),
                Term::ForEach { pool, .. } => end(pool),
                Term::Until { first, body, .. } => end(first.as_ref().unwrap_or(body)),
                Term::Loop { start, test, .. } => end(start) && end(test),
                Term::Call { function, args } => self.returns[function.index()] && args.iter().all(end),
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => true,
            },
            Form::Watch(watch) => end(&watch.source) && end(&watch.body),
            Form::Joint { source, body, .. } => end(source) && end(body),
            // What is computed ahead may never be used.
            Form::Ahead { body, .. } => end(body),
            Form::Several(_) => true,
            Form::Total(terms) => terms.iter().all(|(_, term)| end(term)),
        }
    }

    fn is_positive(&self, id: TermId) -> bool {
        matches!(self.form(id), Form::Core(Term::Lit(value)) if value.as_int().is_some_and(|n| n > 0))
    }
}
