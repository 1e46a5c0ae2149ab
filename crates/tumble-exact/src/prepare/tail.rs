//! Calls whose result is passed on as it is.
//!
//! A function that calls itself only at the very end (`call f(…)` as the last thing it does) is a walk
//! from arguments to arguments. That can be followed forward, from where it starts; all calls around
//! the circle must be of this kind.

use super::{Form, Plan};
use tumble_core::{Term, TermId};

impl Plan {
    /// Marks the calls that pass on their result, to functions that lead back to where they stand.
    pub(super) fn find_tails(&mut self, wanted: bool) {
        self.tail = vec![false; self.forms.len()];
        self.walks = vec![false; self.functions.len()];
        let calls: Vec<Vec<(TermId, usize, bool)>> =
            (0..self.functions.len()).map(|function| self.calls_of(function)).collect();
        if !wanted || calls.iter().all(Vec::is_empty) {
            return;
        }
        let reach: Vec<Vec<bool>> = (0..calls.len()).map(|from| reached(&calls, from)).collect();
        let together = |a: usize, b: usize| reach[a][b] && reach[b][a];
        let inner = |from: usize| calls[from].iter().filter(move |(_, to, _)| together(from, *to));
        for (function, reached) in reach.iter().enumerate() {
            let circle = (0..calls.len()).filter(|other| together(function, *other));
            if { circle }.all(|other| inner(other).all(|(.., last)| *last)) {
                inner(function).for_each(|(call, ..)| self.tail[call.index()] = true);
                self.walks[function] = reached[function];
            }
        }
    }

    /// The calls in a function: which function they call, and whether that is the last thing done.
    fn calls_of(&self, function: usize) -> Vec<(TermId, usize, bool)> {
        let mut found = Vec::new();
        let mut open = vec![(self.functions[function].body, true)];
        while let Some((id, last)) = open.pop() {
            let passes_on: Vec<TermId> = match self.form(id) {
                Form::Core(term) => {
                    if let Term::Call { function, .. } = term {
                        found.push((id, function.index(), last));
                    }
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
fn reached(calls: &[Vec<(TermId, usize, bool)>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; calls.len()];
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for (_, to, _) in &calls[function] {
            if !std::mem::replace(&mut reached[*to], true) {
                open.push(*to);
            }
        }
    }
    reached
}
