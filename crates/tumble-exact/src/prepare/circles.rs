//! Functions that lead back to themselves.

use super::{Form, Plan};
use tumble_core::{Term, TermId};

impl Plan {
    /// Which functions call each other in a circle with each one, itself among them; none if none does.
    pub(super) fn circles(&self) -> Vec<Vec<usize>> {
        let calls: Vec<Vec<usize>> = (0..self.functions.len()).map(|function| self.calls_of(function)).collect();
        let reach: Vec<Vec<bool>> = (0..calls.len()).map(|from| reached(&calls, from)).collect();
        (0..calls.len()).map(|a| (0..calls.len()).filter(|b| reach[a][*b] && reach[*b][a]).collect()).collect()
    }

    /// The functions a function calls.
    fn calls_of(&self, function: usize) -> Vec<usize> {
        let called = |id| {
            let Form::Core(Term::Call { function, .. }) = self.form(id) else { return None };
            Some(function.index())
        };
        self.reachable(self.functions[function].body).into_iter().filter_map(called).collect()
    }

    /// The terms inside one whose value it passes on.
    pub(super) fn tails(&self, id: TermId) -> Vec<TermId> {
        match self.form(id) {
            Form::Core(term) => {
                let mut tails = vec![];
                term.parts(|child, role| tails.extend(role.tail.then_some(child)));
                tails
            }
            Form::Watch(watch) => vec![watch.body],
            Form::Ahead { body, .. } | Form::Joint { body, .. } => vec![*body],
            Form::Several(_) | Form::Total(_) => vec![],
        }
    }
}

/// Which functions can be reached from one by calls.
fn reached(calls: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; calls.len()];
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for to in &calls[function] {
            if !std::mem::replace(&mut reached[*to], true) {
                open.push(*to);
            }
        }
    }
    reached
}
