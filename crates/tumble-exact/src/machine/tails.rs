//! Functions that end in calls of themselves, followed forward.
//!
//! Such a call is not entered where it stands: it is a hole, "whatever that call gives", and waits.
//! When the body of the first call is known, the waiting calls follow one after the other, each once
//! for its arguments. Then every call is an equation that passes its weight on to others, and the
//! weight of the first call flows along them to the results ([`Flow`]).

use super::{Job, Machine, Next, Then};
use crate::algo::walk::flow::{Equation, Flow, Places};
use crate::dist::Dist;
use crate::law::Law;
use crate::outcome::{Outcome, Stop, Wrap};
use std::collections::VecDeque;
use std::rc::Rc;
use tumble_core::{FnId, TermId};

/// A first call and those that wait behind it.
pub(super) struct Walk {
    first: usize,
    /// How many calls lead from the first to the one whose body is under way.
    distance: usize,
    waiting: VecDeque<(usize, FnId, Vec<Outcome>, usize)>,
}

impl Machine<'_> {
    /// Whether a call term passes on its result and is followed forward.
    pub(super) fn follows(&self, term: TermId) -> bool {
        self.depth.is_none() && self.plan.tail[term.index()] && !self.calls.walks.is_empty()
    }

    /// Whether a call is on the innermost walk.
    pub(super) fn walking(&self, call: usize) -> bool {
        let first = self.calls.walks.last().map(|walk| walk.first);
        first.is_some_and(|first| self.calls.active.last() == Some(&first) && call >= first)
    }

    /// Begins a walk if the function is one.
    pub(super) fn begin(&mut self, function: FnId, call: usize) {
        if self.depth.is_none() && self.plan.walks[function.index()] {
            self.calls.walks.push(Walk { first: call, distance: 0, waiting: VecDeque::new() });
        }
    }

    /// A call at the end of a body: whatever it gives.
    pub(super) fn later(&mut self, function: FnId, args: Vec<Outcome>) -> Result<Outcome, Stop> {
        self.returning(function)?;
        self.desk.budget.step(40 + 8 * args.iter().map(crate::outcome::size).sum::<u64>())?;
        let key = (function, args, 0);
        let call = match self.calls.met.get(&key) {
            Some(call) => *call,
            None => {
                let distance = self.calls.walks.last().ok_or(Stop::Unsolvable)?.distance + 1;
                self.nest(distance)?;
                let Some(walk) = self.calls.walks.last_mut() else { return Err(Stop::Unsolvable) };
                let call = self.calls.all.len();
                self.calls.all.push(super::calls::Call::new(call));
                walk.waiting.push_back((call, function, key.1.clone(), distance));
                self.calls.met.insert(key, call);
                call
            }
        };
        Ok(Outcome::Hole { call, wrap: Wrap::Same })
    }

    /// The body of a call of the walk is known: the next one, or all together.
    pub(super) fn walked(&mut self, call: usize, law: Rc<Law>) -> Result<Next, Stop> {
        self.calls.all[call].law = Some(law);
        let Some(walk) = self.calls.walks.last_mut() else { return Err(Stop::Unsolvable) };
        if let Some((next, function, args, distance)) = walk.waiting.pop_front() {
            walk.distance = distance;
            let job = self.body(function, args);
            return Ok(Next::More(vec![job], Then::Return(next)));
        }
        let first = walk.first;
        self.calls.walks.pop();
        self.calls.active.pop();
        self.calls.open.pop();
        let law = self.followed(first)?;
        Ok(Next::Done(Law::clone(&law)))
    }

    /// The body of a function with these arguments.
    pub(super) fn body(&self, function: FnId, args: Vec<Outcome>) -> Job {
        let routine = &self.plan.functions[function.index()];
        let mut slots = vec![None; routine.slots];
        routine.params.iter().zip(args).for_each(|(param, arg)| slots[param.index()] = Some(arg));
        Job::Eval(routine.body, Rc::new(slots))
    }

    /// What a call gives, from the equations of all calls behind it.
    pub(super) fn followed(&mut self, first: usize) -> Result<Rc<Law>, Stop> {
        let found = self.flow(first)?.solve(&mut self.desk.budget)?;
        let law = Rc::new(Law::from(Dist::listed(found.items, found.den).reduced()));
        self.calls.all[first].law = Some(law.clone());
        self.calls.all[first].solved = true;
        Ok(law)
    }

    /// All calls that can be reached from one, itself as number 0.
    fn flow(&mut self, first: usize) -> Result<Flow<Outcome>, Stop> {
        let (mut calls, mut flow) = (Places::default(), Flow { states: vec![] });
        calls.of(first);
        while let Some(call) = calls.all.get(flow.states.len()) {
            let law = self.calls.all[*call].law.clone().ok_or(Stop::Unsolvable)?;
            let dist = self.desk.settle(&law)?;
            self.desk.budget.step(10 + dist.items.len() as u64)?;
            let (mut passed, mut results) = (vec![], vec![]);
            for (outcome, weight) in &dist.items {
                if let Outcome::Hole { call, wrap: Wrap::Same } = outcome {
                    passed.push((calls.of(*call), weight.clone()));
                } else {
                    results.push((outcome.clone(), weight.clone()));
                }
            }
            flow.states.push(Equation { den: dist.den.clone(), passed, results });
        }
        Ok(flow)
    }
}
