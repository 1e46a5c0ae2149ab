//! Functions that end in calls of themselves, followed forward.
//!
//! Such a call is not entered where it stands: it is a hole, "whatever that call gives", and waits.
//! When the body of the first call is known, the waiting calls follow one after the other, each once
//! for its arguments. Then every call is an equation that passes its weight on to others, and the
//! weight of the first call flows along them to the results: in whole numbers if no call leads back to
//! itself, else by a linear system.

use super::{Job, Machine, Next, Then};
use crate::algo::solve::{self, Edges};
use crate::dist::{Dist, Pile};
use crate::fraction::{Fraction, lcm};
use crate::law::Law;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop, Wrap};
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::collections::VecDeque;
use std::rc::Rc;
use tumble_core::{FnId, TermId};

/// More bits than this are not worth one denominator for all.
const MOST_BITS: u64 = 1 << 16;

/// A first call and those that wait behind it.
pub(super) struct Walk {
    first: usize,
    /// How many calls lead from the first to the one whose body is under way.
    distance: usize,
    waiting: VecDeque<(usize, FnId, Vec<Outcome>, usize)>,
}

/// The calls behind a first one, which is number 0.
struct Flow {
    out: Vec<Equation>,
}

/// Where the weight of a call goes: to other calls and to results, over a denominator of its own.
struct Equation {
    den: UBig,
    passed: Vec<(usize, UBig)>,
    results: Vec<(Outcome, UBig)>,
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
        let flow = self.flow(first)?;
        let dist = match flow.in_order() {
            Some(order) => match flow.straight(&order, &mut self.desk.budget)? {
                Some(dist) => dist,
                None => flow.solved(&mut self.desk.budget)?,
            },
            None => flow.solved(&mut self.desk.budget)?,
        };
        let law = Rc::new(Law::from(dist));
        self.calls.all[first].law = Some(law.clone());
        self.calls.all[first].solved = true;
        Ok(law)
    }

    /// All calls that can be reached from one, itself as number 0.
    fn flow(&mut self, first: usize) -> Result<Flow, Stop> {
        let mut places: HashMap<usize, usize> = HashMap::from_iter([(first, 0)]);
        let mut calls = vec![first];
        let mut flow = Flow { out: vec![] };
        while flow.out.len() < calls.len() {
            let law = self.calls.all[calls[flow.out.len()]].law.clone().ok_or(Stop::Unsolvable)?;
            let dist = self.desk.settle(&law)?;
            self.desk.budget.step(10 + dist.items.len() as u64)?;
            let (mut passed, mut results) = (vec![], vec![]);
            for (outcome, weight) in &dist.items {
                if let Outcome::Hole { call, wrap: Wrap::Same } = outcome {
                    let next = calls.len();
                    let place = *places.entry(*call).or_insert(next);
                    if place == next {
                        calls.push(*call);
                    }
                    passed.push((place, weight.clone()));
                } else {
                    results.push((outcome.clone(), weight.clone()));
                }
            }
            flow.out.push(Equation { den: dist.den.clone(), passed, results });
        }
        Ok(flow)
    }
}

impl Flow {
    /// The calls so that weight only flows forward; none if some lead back.
    fn in_order(&self) -> Option<Vec<usize>> {
        let mut before = vec![0; self.out.len()];
        self.out.iter().flat_map(|call| &call.passed).for_each(|(to, _)| before[*to] += 1);
        let mut order: Vec<usize> = if before[0] == 0 { vec![0] } else { vec![] };
        let mut at = 0;
        while at < order.len() {
            for (to, _) in &self.out[order[at]].passed {
                before[*to] -= 1;
                if before[*to] == 0 {
                    order.push(*to);
                }
            }
            at += 1;
        }
        (order.len() == self.out.len()).then_some(order)
    }

    /// Weights in whole numbers: those of a call at the end of at most k others are over `shared^k`.
    fn straight(&self, order: &[usize], budget: &mut tumble_core::Budget) -> Result<Option<Dist>, Stop> {
        let shared = self.out.iter().fold(UBig::ONE, |shared, call| lcm(&shared, &call.den));
        let mut rank = vec![0usize; self.out.len()];
        for &from in order {
            self.out[from].passed.iter().for_each(|(to, _)| rank[*to] = rank[*to].max(rank[from] + 1));
        }
        let most = rank.iter().max().map_or(1, |rank| rank + 1);
        let width = (bits(&shared)).saturating_mul(most as u64);
        if width > MOST_BITS {
            return Ok(None);
        }
        let edges: u64 = self.out.iter().map(|call| (call.passed.len() + call.results.len()) as u64).sum();
        budget.step(edges.saturating_mul(2 + cost_of(width)))?;
        let mut powers = vec![UBig::ONE];
        (0..most).for_each(|k| powers.push(&powers[k] * &shared));
        let mut weights = vec![UBig::ZERO; self.out.len()];
        weights[0] = UBig::ONE;
        let mut pile = Pile::default();
        for &from in order {
            let Equation { den, passed, results } = &self.out[from];
            let weight = std::mem::take(&mut weights[from]) * (&shared / den);
            for (to, w) in passed {
                weights[*to] += &weight * w * &powers[rank[*to] - rank[from] - 1];
            }
            results
                .iter()
                .for_each(|(outcome, w)| pile.add(outcome.clone(), &(&weight * w * &powers[most - rank[from] - 1])));
        }
        Ok(Some(pile.over(powers[most].clone()).reduced()))
    }

    /// Weights by a linear system.
    fn solved(&self, budget: &mut tumble_core::Budget) -> Result<Dist, Stop> {
        let edge = |call: &Equation| -> Edges {
            call.passed.iter().map(|(to, weight)| (*to, Fraction::part(weight, &call.den))).collect()
        };
        let edges: Vec<Edges> = self.out.iter().map(edge).collect();
        let mut start = vec![Fraction::zero(); edges.len()];
        start[0] = Fraction::one();
        let visits = solve::visits(&edges, start, budget)?;
        let mut shares: HashMap<Outcome, Fraction> = HashMap::default();
        for (count, Equation { den, results, .. }) in visits.iter().zip(&self.out) {
            for (outcome, weight) in results {
                budget.step(10)?;
                let share = shares.entry(outcome.clone()).or_insert_with(Fraction::zero);
                *share = &*share + &(count * &Fraction::part(weight, den));
            }
        }
        let mut shares: Vec<(Outcome, Fraction)> = shares.into_iter().collect();
        shares.sort_by(|a, b| a.0.cmp(&b.0));
        crate::algo::chain::over_one_denominator(shares, budget)
    }
}
