//! Walks with work around their calls (`prepare/around.rs`), solved backward: the distribution of each state from those of
//! the states it leads to, each result changed by the work around the call.
//!
//! ```text
//! law(state) = Σ ways · work(law(next)) + Σ cases · result
//! ```
//!
//! This is dynamic programming; a walk that leads back to where it was has no last state to begin with, and its functions
//! are solved as equations instead (`calls`).

use super::flow::{Exit, Leaving};
use super::state::{Arrival, Place, Walk, Work};
use super::values::Numbers;
use super::{Machine, Values};
use crate::algo::chain;
use crate::algo::walk::graph::components;
use crate::algo::walk::linear::endless;
use crate::dist::Pile;
use crate::fraction::lcm;
use crate::law::{Chain, End, Law, Step};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::weight::bits;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::Merge;
use tumble_core::{Budget, Fault, TermId};

/// The distribution of a state: outcomes by number, whose weights add up to so many times the cases of the state.
struct Later {
    den: UBig,
    items: Vec<(usize, UBig)>,
}

/// What is used for all states.
struct Backward {
    outcomes: Numbers<Outcome>,
    /// What some work makes of an outcome.
    changed: HashMap<(usize, usize), usize>,
    /// The weight of each outcome in the state at hand, and which have one.
    sums: Vec<UBig>,
    met: Vec<usize>,
}

impl Backward {
    fn add(&mut self, outcome: usize, weight: UBig) {
        self.sums.resize(self.sums.len().max(outcome + 1), UBig::ZERO);
        if self.sums[outcome].is_zero() {
            self.met.push(outcome);
        }
        self.sums[outcome] += weight;
    }
}

impl Machine<'_> {
    /// The call at a place and the work around it, if what must be computed before is known by now.
    pub(super) fn work_around(&mut self, place: Place, env: &Values) -> Result<Option<(TermId, Work)>, Stop> {
        let Place::At(term) = place else { return Ok(None) };
        let plan = self.plan;
        let Some(around) = plan.around.get(&term) else { return Ok(None) };
        if !cfg!(feature = "full") || self.depth.is_some() || self.as_equations.contains(&term) {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(around.parts.len());
        for (part, _) in &around.parts {
            let part = self.guarded_here(*part, env)?;
            if !matches!(part, Outcome::Known(_) | Outcome::Failed(_)) {
                return Ok(None);
            }
            parts.push(part);
        }
        Ok(Some((around.call, Rc::new((term, parts)))))
    }

    /// A result after some work, from the inside out.
    pub(super) fn worked(&mut self, outcome: Outcome, work: &[Work]) -> Result<Outcome, Stop> {
        let (plan, mut outcome) = (self.plan, outcome);
        for one in work {
            let (term, parts) = &**one;
            let Some(around) = plan.around.get(term) else {
                outcome = outcome::merge(Merge::Add, &outcome, &parts[0], &mut self.desk.budget)?;
                continue;
            };
            let mut slots = vec![None; around.slots];
            slots[around.result.index()] = Some(outcome);
            around.parts.iter().zip(parts).for_each(|((_, slot), part)| slots[slot.index()] = Some(part.clone()));
            outcome = self.computed_by(&around.code, &mut slots)?;
        }
        Ok(outcome)
    }

    /// What a walk with work gives; none if it leads back to where it was.
    pub(super) fn walked_back(&mut self, walk: &Walk) -> Result<Option<Rc<Law>>, Stop> {
        let next = |from: usize| walk.out[from].edges.iter().map(|(to, ..)| *to);
        let order = components(walk.out.len(), next);
        let plain = |from: usize| walk.out[from].edges.iter().all(|(to, _, work)| *to != from || *work == 0);
        if order.len() < walk.out.len() || !(0..walk.out.len()).all(plain) {
            return self.counted_walk(walk);
        }
        let mut uses = vec![0usize; walk.out.len()];
        (0..walk.out.len()).flat_map(next).for_each(|to| uses[to] += 1);
        let mut later: Vec<Option<Later>> = walk.out.iter().map(|_| None).collect();
        let mut all = Backward { outcomes: Numbers::new(), changed: HashMap::default(), sums: vec![], met: vec![] };
        let mut held = 0;
        for from in order.into_iter().flatten().collect::<Vec<_>>().into_iter().rev() {
            let own = self.law_before(walk, from, &later, &mut all)?;
            held += own.items.len() as u64;
            self.affordable(held / 8)?;
            for (to, ..) in &walk.out[from].edges {
                uses[*to] -= 1;
                if uses[*to] == 0 && *to != from {
                    held -= later[*to].take().map_or(0, |law| law.items.len() as u64);
                }
            }
            later[from] = Some(own);
        }
        let Some(Later { den, items }) = later.swap_remove(0) else { return Err(super::state::lost_track()) };
        let mut pile = Pile::default();
        items.into_iter().for_each(|(outcome, weight)| pile.add(all.outcomes.all[outcome].clone(), &weight));
        let dist = pile.over(den * &walk.out[0].own).reduced();
        Ok(Some(Rc::new(dist.into())))
    }

    /// The only variable of a loop that is wanted, if that is summed up on the way.
    pub(super) fn counter(&self, term: TermId) -> Option<usize> {
        self.plan.counters.get(&term).copied().filter(|_| !self.as_equations.contains(&term))
    }

    /// At the head of a loop that only counts, and in a stream that only adds up: what was added so far is work that waits,
    /// and no part of the state.
    pub(super) fn counted(&self, here: &mut Arrival) -> Option<Work> {
        // Neither is in the everyday notation.
        if !cfg!(feature = "full") {
            return None;
        }
        let (term, slot, zero) = match here.place {
            Place::Head(term) => (term, self.plan.loop_slots(term)[self.counter(term)?], Outcome::int(0)),
            Place::Turn(term) => {
                let stream = self.plan.streams.get(&term).filter(|stream| stream.adds())?;
                (term, stream.so_far, Outcome::Several([Outcome::int(0)].into()))
            }
            Place::At(_) | Place::Inside(..) => return None,
        };
        if self.as_equations.contains(&term) || here.slots[slot.index()].as_ref() == Some(&zero) {
            return None;
        }
        let so_far = match here.slots[slot.index()].as_ref()? {
            Outcome::Several(fields) => fields.first()?.clone(),
            number => number.clone(),
        };
        if !matches!(so_far, Outcome::Known(_)) {
            return None;
        }
        here.slots[slot.index()] = Some(zero);
        Some(Rc::new((term, vec![so_far])))
    }

    /// A walk that only counts, as a walk that adds numbers on its way (`algo/walk`); none if it does anything else.
    fn counted_walk(&mut self, walk: &Walk) -> Result<Option<Rc<Law>>, Stop> {
        let mut sums = Vec::with_capacity(walk.work.all.len());
        for work in &walk.work.all {
            if work.iter().any(|work| self.plan.around.contains_key(&work.0)) {
                return Ok(None);
            }
            sums.push(self.worked(Outcome::int(0), work)?);
        }
        let den = |state: &Leaving| &state.den * &state.own;
        let shared = walk.out.iter().fold(UBig::ONE, |shared, state| lcm(&shared, &den(state)));
        let mut states = Vec::with_capacity(walk.out.len());
        for state in &walk.out {
            let scale = &shared / den(state);
            let step = |(to, ways, work): &(usize, UBig, usize)| Step {
                weight: ways * &walk.out[*to].own * &scale,
                emit: sums[*work].clone(),
                next: Some(*to),
            };
            let mut steps: Vec<Step> = state.edges.iter().map(step).collect();
            for (exit, cases) in &state.results {
                let Exit::Known(emit) = exit else { return Ok(None) };
                steps.push(Step { weight: cases * &scale, emit: emit.clone(), next: None });
            }
            states.push(steps);
        }
        let chain = Chain { den: shared, states, start: 0, end: End::Open };
        Ok(Some(Rc::new(chain::added(&mut self.desk, &chain)?.into())))
    }

    /// What a walk gives; the number of a loop that only counts as one of its variables.
    pub(super) fn as_fields(&mut self, walk: &Walk, law: Rc<Law>) -> Result<Rc<Law>, Stop> {
        let Place::At(term) = walk.states[0].place else { return Ok(law) };
        let Some(only) = self.counter(term) else { return Ok(law) };
        let width = self.plan.loop_slots(term).len();
        let dist = self.desk.settle(&law)?;
        let fields = |number: &Outcome, _: &mut Budget| {
            let field = |i: usize| if i == only { number.clone() } else { Outcome::int(0) };
            Ok(if number.is_lost() { number.clone() } else { Outcome::Several((0..width).map(field).collect()) })
        };
        Ok(Rc::new(dist.map(&mut self.desk.budget, fields)?.into()))
    }

    /// The law of a state from those of the states it leads to.
    fn law_before(
        &mut self,
        walk: &Walk,
        from: usize,
        later: &[Option<Later>],
        all: &mut Backward,
    ) -> Result<Later, Stop> {
        let Leaving { den, own, edges, results } = &walk.out[from];
        let back: UBig = edges.iter().filter(|(to, ..)| *to == from).map(|(_, ways, _)| ways).sum();
        let leave = den - back;
        if leave.is_zero() {
            return Err(endless().into());
        }
        let outer = || edges.iter().filter(|(to, ..)| *to != from);
        let mut laws = Vec::new();
        for (exit, cases) in results.iter().filter_map(|(exit, cases)| Some((exit.law()?, cases))) {
            laws.push((self.desk.settle(exit)?, cases));
        }
        let mut shared = UBig::ONE;
        for den in
            outer().filter_map(|(to, ..)| Some(&later[*to].as_ref()?.den)).chain(laws.iter().map(|(law, _)| &law.den))
        {
            if !den.is_one() && *den != shared {
                shared = lcm(&shared, den);
            }
        }
        for (to, ways, work) in outer() {
            let Some(law) = &later[*to] else { return Err(super::state::lost_track()) };
            let scaled;
            let ways = match law.den == shared {
                true => ways,
                false => {
                    scaled = ways * (&shared / &law.den);
                    &scaled
                }
            };
            for (outcome, weight) in &law.items {
                self.desk.budget.step(1 + bits(weight) / 64)?;
                let changed = self.changed(walk, *work, *outcome, all)?;
                all.add(changed, weight * ways);
            }
        }
        for (exit, cases) in results {
            if let Exit::Known(outcome) = exit {
                let outcome = all.outcomes.of(outcome.clone());
                all.add(outcome, cases * &shared);
            }
        }
        for (law, cases) in laws {
            let scale = cases * (&shared / &law.den);
            for (outcome, weight) in &law.items {
                self.desk.budget.step(4)?;
                let outcome = all.outcomes.of(outcome.clone());
                all.add(outcome, weight * &scale);
            }
        }
        let den = leave * shared;
        let items: Vec<(usize, UBig)> =
            all.met.drain(..).map(|outcome| (outcome, std::mem::take(&mut all.sums[outcome]))).collect();
        if items.iter().map(|(_, weight)| weight).sum::<UBig>() != &den * own {
            return Err(Fault::mistake("internal error: the probabilities of a walk do not add up to 1").into());
        }
        Ok(Later { den, items })
    }

    fn changed(&mut self, walk: &Walk, work: usize, outcome: usize, all: &mut Backward) -> Result<usize, Stop> {
        if work == 0 {
            return Ok(outcome);
        }
        if let Some(changed) = all.changed.get(&(work, outcome)) {
            return Ok(*changed);
        }
        let before = all.outcomes.all[outcome].clone();
        let changed = self.worked(before, &walk.work.all[work])?;
        let changed = all.outcomes.of(changed);
        all.changed.insert((work, outcome), changed);
        Ok(changed)
    }
}
