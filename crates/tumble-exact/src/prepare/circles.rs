//! Functions that go on after calling themselves.
//!
//! A call at the very end passes on its result, and is one more step of the same walk. A function with another call that
//! leads back to it (`1 + call f(…)`) is a summary that many ask for: it is memoised on its arguments.

use super::{Form, Plan};
use tumble_core::{Term, TermId};

impl Plan {
    /// Marks the terms of functions with a call that leads back to them and is not the last thing they do.
    pub(super) fn find_summed(&mut self) {
        let calls: Vec<Vec<(usize, bool)>> =
            (0..self.functions.len()).map(|function| self.calls_of(function)).collect();
        if calls.iter().all(Vec::is_empty) {
            return;
        }
        let reach: Vec<Vec<bool>> = (0..calls.len()).map(|from| reached(&calls, from)).collect();
        let together = |a: usize, b: usize| reach[a][b] && reach[b][a];
        for function in 0..calls.len() {
            let circle = (0..calls.len()).filter(|other| together(function, *other));
            let inner = |other: usize| calls[other].iter().filter(move |(to, _)| together(other, *to));
            if { circle }.any(|other| inner(other).any(|(_, last)| !last)) {
                self.summed.extend(self.reachable(self.functions[function].body));
            }
        }
    }

    /// The functions a function calls, and whether that is the last thing it does.
    fn calls_of(&self, function: usize) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        let mut open = vec![(self.functions[function].body, true)];
        while let Some((id, last)) = open.pop() {
            if let Form::Core(Term::Call { function, .. }) = self.form(id) {
                found.push((function.index(), last));
            }
            let passes_on: Vec<TermId> = match self.form(id) {
                Form::Core(term) => {
                    let mut tails = vec![];
                    term.parts(|child, role| tails.extend(role.tail.then_some(child)));
                    tails
                }
                Form::Watch(watch) => vec![watch.body],
                Form::Ahead { body, .. } | Form::Joint { body, .. } => vec![*body],
                Form::Several(_) | Form::Total(_) => vec![],
            };
            self.form(id).children(|child| open.push((child, last && passes_on.contains(&child))));
        }
        found
    }
}

/// Which functions can be reached from one by calls.
fn reached(calls: &[Vec<(usize, bool)>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; calls.len()];
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for (to, _) in &calls[function] {
            if !std::mem::replace(&mut reached[*to], true) {
                open.push(*to);
            }
        }
    }
    reached
}
