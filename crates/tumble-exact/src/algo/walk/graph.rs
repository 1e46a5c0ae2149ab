//! The states of a walk as a graph: which can be reached, whether all can end, and which lead back to each other.

use crate::law::Chain;
use std::mem::replace;

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
        if !replace(&mut met[state], true) {
            open.extend(next(state).filter(|to| !met[*to]));
        }
    }
    met
}

/// The strongly connected components in the order of the walk (Kosaraju, with its own stack): of the states that are left
/// last on a depth-first way through all, each begins a component of those that lead to it and are in none before.
pub(crate) fn components<I: Iterator<Item = usize>>(size: usize, next: impl Fn(usize) -> I) -> Vec<Vec<usize>> {
    let (mut before, mut met, mut left) = (vec![vec![]; size], vec![false; size], Vec::with_capacity(size));
    for start in 0..size {
        let mut path = if replace(&mut met[start], true) { vec![] } else { vec![(start, next(start))] };
        while let Some((state, rest)) = path.last_mut() {
            match rest.next() {
                Some(to) => {
                    before[to].push(*state);
                    if !replace(&mut met[to], true) {
                        path.push((to, next(to)));
                    }
                }
                None => left.extend(path.pop().map(|(state, _)| state)),
            }
        }
    }
    let mut taken = vec![false; size];
    let component = |root: &usize| {
        let (mut open, mut found) = (vec![*root], vec![]);
        while let Some(state) = open.pop() {
            if !replace(&mut taken[state], true) {
                found.push(state);
                open.extend(&before[state]);
            }
        }
        found
    };
    left.iter().rev().map(component).filter(|found| !found.is_empty()).collect()
}
