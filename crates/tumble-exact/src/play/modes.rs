//! Which calls are found once for their arguments, and what is remembered of them.
//!
//! A function in which a player is free to decide is a part of whoever calls it, because the best decision depends on
//! what the caller does with the result. So is one that leads back to itself with the same arguments, or without end: that
//! shows only when it is tried, and then everything is begun again.

use super::code::{Op, Routine};
use super::machine::Machine;
use super::request::{Mode, Request, Ways};
use std::rc::Rc;

impl Machine<'_> {
    /// Decides for every function what is done with its calls.
    pub(super) fn find_modes(&mut self) {
        let count = self.routines.len();
        let mut reach = vec![vec![false; count]; count];
        let (mut chance, mut asks) = (vec![false; count], vec![false; count]);
        let (free, alone) = (self.answering.free.is_some(), self.without.sharing);
        for (at, routine) in self.routines.iter().enumerate() {
            for op in &routine.ops {
                match op {
                    Op::Call { function, .. } => reach[at][function.index()] = true,
                    Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } => chance[at] = true,
                    Op::Ask { .. } => asks[at] = true,
                    Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => {}
                    Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } | Op::Members { .. } | Op::Next { .. } => {}
                    Op::Push { .. } | Op::Count { .. } | Op::Down { .. } | Op::Letter { .. } | Op::Emit { .. } => {}
                }
            }
        }
        let called: Vec<Vec<bool>> = (0..count).map(|from| reached(&reach, from)).collect();
        self.modes = (0..count)
            .map(|at| {
                let any = |of: &[bool]| of[at] || (0..count).any(|other| called[at][other] && of[other]);
                let circle = called[at][at] && self.inlines_circles;
                match (circle, any(&chance), any(&asks)) {
                    _ if alone => Mode::Inline,
                    (false, true, asks) if !(free && asks) => Mode::Shared,
                    (false, false, false) if !called[at][at] && !is_short(&self.routines[at]) => Mode::Pure,
                    _ => Mode::Inline,
                }
            })
            .collect();
    }

    /// The ways of a request that was answered before.
    pub(super) fn remembered(&mut self, request: &Request) -> Option<Rc<Ways>> {
        match request {
            Request::Call { .. } => {
                let (ways, met) = self.calls.get(request)?;
                self.answering.met_inside(met);
                Some(Rc::clone(ways))
            }
            _ => self.laws.get(request).map(Rc::clone),
        }
    }

    pub(super) fn remember(&mut self, request: Request, ways: Rc<Ways>) {
        self.held += 200 + 100 * ways.items.len() as u64;
        let met = Rc::from(std::mem::take(&mut self.inside));
        self.calls.insert(request, (ways, met));
    }

    /// Forgets the calls in which an option is met, because it will be answered in another way.
    pub(super) fn forget(&mut self, option: usize) {
        self.calls.retain(|_, (_, met)| !met.contains(&option));
    }
}

/// Whether it is quicker to run a function than to look up its result.
fn is_short(routine: &Routine) -> bool {
    let repeats = |(at, op): (usize, &Op)| matches!(op, Op::Call { .. }) || op.next().0.iter().any(|to| *to <= at);
    !routine.ops.iter().enumerate().any(repeats)
}

/// The functions that can be called from one, directly or not.
fn reached(calls: &[Vec<bool>], from: usize) -> Vec<bool> {
    let (mut met, mut open) = (vec![false; calls.len()], vec![from]);
    while let Some(at) = open.pop() {
        for to in 0..calls.len() {
            if calls[at][to] && !std::mem::replace(&mut met[to], true) {
                open.push(to);
            }
        }
    }
    met
}
