//! Members that are made one after the other: `foreach` with what looks at its results.
//!
//! ```text
//! max(gather(each(i in 1..6, count(equal(i, x)))))
//! ```
//!
//! The bodies are independent unless they look at the same hidden pool. Then they are gone through in order, and what the
//! rows around them have seen so far is all that is kept of their results.

use super::{Form, Plan, Watched, others};
use crate::question::Goal;
use std::rc::Rc;
use tumble_core::prim::{Merge, Prim, Shape};
use tumble_core::sort;
use tumble_core::{Slot, Term, TermId};

/// A `foreach` and the chains of rows that look at all its results together.
pub(crate) struct Stream {
    pub(crate) each: TermId,
    /// The row that puts the results together.
    pub(crate) union: &'static Prim,
    pub(crate) slot: Slot,
    pub(crate) pool: TermId,
    pub(crate) body: TermId,
    pub(crate) chains: Vec<Watched>,
    /// What is left to go through, and what the chains have seen so far.
    pub(crate) cursor: Slot,
    pub(crate) so_far: Slot,
    /// What follows with the chains as variables; without it, the only chain is the result.
    pub(crate) then: Option<TermId>,
    /// The variables that matter on the way.
    pub(crate) live: Vec<Slot>,
}

impl Stream {
    /// Whether its result is only the sum of what it has seen.
    pub(crate) fn adds(&self) -> bool {
        let [Watched { rows, goal: Goal::Fold(row), .. }] = &self.chains[..] else { return false };
        let single = |(row, _): &(&Prim, _)| matches!(row.shape, Shape::Forget | Shape::Filter | Shape::Map { .. });
        self.then.is_none() && matches!(row.shape, Shape::Fold(Merge::Add)) && rows.iter().all(single)
    }
}

impl Plan {
    /// Finds the streams of all functions, by the term they are the value of.
    pub(super) fn find_streams(&mut self) {
        let parents = self.parents();
        for function in 0..self.functions.len() {
            for id in self.reachable(self.functions[function].body) {
                if !matches!(self.form(id), Form::Core(Term::ForEach { .. })) || !self.blind[id.index()] {
                    continue;
                }
                if let Some((top, mut stream)) = self.stream(id, &parents) {
                    (stream.cursor, stream.so_far) = (self.slot(function), self.slot(function));
                    stream.live = self.live_in(&stream);
                    self.streams.insert(top, Rc::new(stream));
                }
            }
        }
    }

    fn stream(&self, each: TermId, parents: &[Option<TermId>]) -> Option<(TermId, Stream)> {
        let Form::Core(Term::ForEach { slot, pool, body }) = self.form(each) else { return None };
        let mut top = parents[each.index()]?;
        let Form::Core(Term::Prim { prim: union, args }) = self.form(top) else { return None };
        if !matches!(union.shape, Shape::Union) || args.len() != 1 {
            return None;
        }
        let mut chain = Watched { slot: Slot(0), rows: vec![], goal: Goal::Members };
        let mut chains = None;
        let mut then = None;
        while let Some(parent) = parents[top.index()] {
            if let Form::Watch(watch) = self.form(parent)
                && watch.source == top
                && watch.total.is_none()
            {
                let longer = |inner: &Watched| Watched {
                    rows: chain.rows.iter().chain(&inner.rows).cloned().collect(),
                    ..inner.clone()
                };
                chains = Some(watch.chains.iter().map(longer).collect());
                then = Some(watch.body);
                top = parent;
                break;
            }
            let Form::Core(Term::Prim { prim, args }) = self.form(parent) else { break };
            if args.get(prim.over) != Some(&top) || !others(prim, args).all(|arg| self.pure[arg.index()]) {
                break;
            }
            match prim.shape {
                Shape::Forget | Shape::Filter | Shape::Map { .. } | Shape::Scan(_) => {
                    chain.rows.push((prim, args.clone()));
                }
                Shape::Fold(_) => {
                    chain.goal = Goal::Fold(prim);
                    top = parent;
                    break;
                }
                Shape::Union | Shape::Opaque => break,
            }
            top = parent;
        }
        let chains = chains.unwrap_or_else(|| vec![chain]);
        let (slot, pool, body) = (*slot, *pool, *body);
        let (cursor, so_far, live) = (Slot(0), Slot(0), vec![]);
        Some((top, Stream { each, union, slot, pool, body, chains, cursor, so_far, then, live }))
    }

    fn live_in(&self, stream: &Stream) -> Vec<Slot> {
        let arguments = stream.chains.iter().flat_map(Watched::arguments);
        let mut live: Vec<Slot> = [stream.body]
            .into_iter()
            .chain(arguments)
            .flat_map(|id| self.free[id.index()].iter().copied())
            .filter(|slot| *slot != stream.slot)
            .chain([stream.cursor, stream.so_far])
            .collect();
        live.extend(self.after(stream));
        sort::sort(&mut live);
        live.dedup();
        live
    }

    /// The variables that matter after a stream.
    fn after(&self, stream: &Stream) -> Vec<Slot> {
        let bound: Vec<Slot> = stream.chains.iter().map(|chain| chain.slot).collect();
        let free = stream.then.iter().flat_map(|then| &self.free[then.index()]);
        free.filter(|slot| !bound.contains(slot)).copied().collect()
    }

    /// Whether the rows of a stream have arguments that look at a variable; they do so again at every turn.
    pub(crate) fn asks_of(&self, stream: &Stream, slot: Slot) -> bool {
        stream.chains.iter().flat_map(Watched::arguments).any(|arg| self.free[arg.index()].contains(&slot))
    }

    /// Whether not only the bodies of a stream look at a variable, but its rows or what follows as well.
    pub(crate) fn looks_beside(&self, stream: &Stream, slot: Slot) -> bool {
        self.asks_of(stream, slot) || self.after(stream).contains(&slot)
    }
}
