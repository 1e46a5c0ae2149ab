//! The states of a walk as a graph: which can be reached, whether all can end, and which lead back to each other.

use crate::law::Chain;

/// Whether a walk can always end, wherever it comes.
pub(crate) fn can_end(walk: &Chain) -> bool {
    let size = walk.states.len();
    let (mut before, mut ends) = (vec![vec![]; size], vec![]);
    for (from, steps) in walk.states.iter().enumerate() {
        steps.iter().filter_map(|step| step.next).for_each(|to: usize| before[to].push(from));
        ends.extend(steps.iter().any(|step| step.next.is_none()).then_some(from));
    }
    let ending = reached(ends, size, |state| before[state].iter().copied());
    let met = reached(vec![walk.start], size, |state| walk.states[state].iter().filter_map(|step| step.next));
    ending.iter().zip(met).all(|(ends, met)| *ends || !met)
}

/// Which states can be reached from these.
fn reached<I: Iterator<Item = usize>>(from: Vec<usize>, size: usize, next: impl Fn(usize) -> I) -> Vec<bool> {
    let (mut met, mut open) = (vec![false; size], from);
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut met[state], true) {
            open.extend(next(state).filter(|to| !met[*to]));
        }
    }
    met
}

/// The strongly connected components in the order of the walk (Tarjan, with its own stack).
pub(super) fn components<K>(edges: &[Vec<(usize, K)>]) -> Vec<Vec<usize>> {
    let size = edges.len();
    let (index, low, on_stack) = (vec![None; size], vec![0; size], vec![false; size]);
    let mut search = Search { edges, index, low, next: 0, open: vec![], on_stack, found: vec![] };
    for state in 0..size {
        if search.index[state].is_none() {
            search.from(state);
        }
    }
    search.found.reverse();
    search.found
}

struct Search<'a, K> {
    edges: &'a [Vec<(usize, K)>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    next: usize,
    open: Vec<usize>,
    on_stack: Vec<bool>,
    found: Vec<Vec<usize>>,
}

impl<K> Search<'_, K> {
    fn from(&mut self, start: usize) {
        let mut work = vec![(start, 0)];
        while let Some((state, edge)) = work.pop() {
            if edge == 0 {
                self.index[state] = Some(self.next);
                self.low[state] = self.next;
                self.next += 1;
                self.open.push(state);
                self.on_stack[state] = true;
            }
            match self.edges[state].get(edge) {
                Some((to, _)) => {
                    work.push((state, edge + 1));
                    match self.index[*to] {
                        None => work.push((*to, 0)),
                        Some(index) if self.on_stack[*to] => self.low[state] = self.low[state].min(index),
                        Some(_) => {}
                    }
                }
                None => self.close(state, work.last().map(|(parent, _)| *parent)),
            }
        }
    }

    fn close(&mut self, state: usize, parent: Option<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[state]);
        }
        if Some(self.low[state]) != self.index[state] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.on_stack[member] = false;
            component.push(member);
            if member == state {
                break;
            }
        }
        self.found.push(component);
    }
}
