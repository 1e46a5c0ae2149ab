//! Functions that go on after calling themselves.
//!
//! A call at the very end passes on its result, and is one more step of the same walk. A function with another call that
//! leads back to it (`1 + call f(…)`) is a summary that many ask for: it is memoised on its arguments.

use super::{Form, Plan};
use tumble_core::{Term, TermId};

impl Plan {
    /// Finds the work around calls, and marks the terms of functions with a call that leads back to them and is neither the
    /// last thing they do nor the only one in what they do last.
    pub(super) fn find_summed(&mut self) {
        let calls: Vec<Vec<(usize, bool)>> =
            (0..self.functions.len()).map(|function| self.calls_of(function)).collect();
        if calls.iter().all(Vec::is_empty) {
            return;
        }
        let reach: Vec<Vec<bool>> = (0..calls.len()).map(|from| reached(&calls, from)).collect();
        let circle = |a: usize| (0..calls.len()).filter(|b| reach[a][*b] && reach[*b][a]).collect();
        let circles: Vec<Vec<usize>> = (0..calls.len()).map(circle).collect();
        self.find_around(&circles);
        let inner: Vec<bool> = (0..calls.len())
            .map(|from| self.calls_of(from).iter().any(|(to, last)| !last && circles[from].contains(to)))
            .collect();
        for (function, circle) in circles.iter().enumerate() {
            if circle.iter().any(|other| inner[*other]) {
                self.summed.extend(self.reachable(self.functions[function].body));
            }
        }
    }

    /// The functions a function calls, and whether nothing but work around the result comes after that.
    fn calls_of(&self, function: usize) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        let mut open = vec![(self.functions[function].body, true)];
        while let Some((id, last)) = open.pop() {
            if let Form::Core(Term::Call { function, .. }) = self.form(id) {
                found.push((function.index(), last));
            }
            let around = self.around.get(&id).filter(|_| last).map(|around| around.call);
            if let Some(Form::Core(Term::Call { function, .. })) = around.map(|call| self.form(call)) {
                found.push((function.index(), true));
                continue;
            }
            let tails = self.tails(id);
            self.form(id).children(|child| open.push((child, last && tails.contains(&child))));
        }
        found
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
