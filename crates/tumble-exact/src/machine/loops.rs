//! Repetition on laws: so many times, once per member, until something holds, with a carried state.

use super::values::{Truth, beyond, with};
use super::{Env, Job, Machine, Next, Then};
use crate::algo::union::append;
use crate::algo::{begin, chain, solve};
use crate::dist::{Dist, Pile};
use crate::fraction::lcm;
use crate::law::{Bunch, Chain, End, Law, Part, Source, Step};
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::prepare::Form;
use crate::weight::{bits, cost_of_fraction};
use dashu_int::UBig;
use std::collections::BTreeSet;
use std::rc::Rc;
use tumble_core::{Budget, Fault, Keep, Term, TermId, Value, chance};

/// About what one collection that is not listed takes.
const BYTES_PER_COUNT: u64 = 1_000;

/// How often to repeat, with weights.
pub(super) struct Counts {
    den: UBig,
    times: Vec<(u64, UBig)>,
    others: Vec<(Outcome, UBig)>,
}

impl Machine<'_> {
    /// `repeat`: the count is known; the body is wanted unless it is never rolled.
    pub(super) fn times(&mut self, term: TermId, env: &Env, count: &Law) -> Result<Next, Stop> {
        let Form::Core(Term::Repeat { body, .. }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let dist = self.desk.settle(count)?;
        let mut counts = Counts { den: dist.den.clone(), times: vec![], others: vec![] };
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => counts.times.push((chance::times(value)?, weight.clone())),
                _ => counts.others.push((beyond(std::slice::from_ref(outcome))?, weight.clone())),
            }
        }
        if counts.times.iter().all(|(times, _)| *times == 0) {
            let none = Law::one(Outcome::Known(Value::NOTHING));
            return Ok(Next::Done(Rc::new(self.copies(term, &counts, &none)?)));
        }
        Ok(Next::More(vec![Job::Eval(*body, env.clone())], Then::Copies(counts)))
    }

    /// `repeat`: the list of so many independent evaluations.
    pub(super) fn copies(&mut self, term: TermId, counts: &Counts, body: &Law) -> Result<Law, Stop> {
        if body.has_holes() {
            return Err(Stop::Unsolvable);
        }
        let blind = self.plan.blind[term.index()];
        self.holdable(counts.times.len() as u64)?;
        let once = self.once(body)?;
        let mut parts: Vec<(UBig, Law)> = Vec::new();
        for (times, weight) in &counts.times {
            let law = match *times {
                0 => Law::one(Outcome::Known(Value::list(vec![]))),
                times if blind => Law::bunch(repeated(&once, times)),
                times => self.in_order(body, times)?.into(),
            };
            parts.push((weight.clone(), law));
        }
        parts.extend(counts.others.iter().map(|(outcome, weight)| (weight.clone(), Law::one(outcome.clone()))));
        Law::mix(parts, counts.den.clone(), &mut self.desk.budget)
    }

    /// Refuses so many different numbers of copies that their collections cannot be held.
    fn holdable(&self, counts: u64) -> Result<(), Fault> {
        if counts.saturating_mul(BYTES_PER_COUNT) > self.desk.budget.limits().bytes {
            return Err(Fault::limit(format!("{counts} possible numbers of dice are too many to try"))
                .hint("let the number of dice vary less"));
        }
        Ok(())
    }

    /// The parts of one evaluation of a body.
    fn once(&mut self, body: &Law) -> Result<Vec<Part>, Stop> {
        if let ([], [(bunch, _)]) = (body.known.as_slice(), body.lazy.as_slice())
            && bunch.stages.is_empty()
            && !bunch.list
            && !bunch.dealt()
        {
            return Ok(bunch.parts.clone());
        }
        if let Some(walk) = begin::walk(body, &mut self.desk.budget)? {
            return Ok(vec![Part { times: 1, source: Source::Chain(Rc::new(walk)) }]);
        }
        let each = self.desk.settle(body)?.map(&mut self.desk.budget, |outcome, _| alone(outcome))?;
        Ok(vec![Part { times: 1, source: Source::Each(Rc::new(each)) }])
    }

    /// All lists, in order.
    fn in_order(&mut self, body: &Law, times: u64) -> Result<Dist, Stop> {
        let each = self.desk.settle(body)?.map(&mut self.desk.budget, |outcome, _| alone(outcome))?;
        let lists = (each.items.len() as f64).powf(times as f64);
        if lists * times as f64 > self.desk.budget.limits().steps as f64 {
            let message = format!("{times} results in order have too many outcomes to list");
            return Err(Fault::limit(message).hint("ask for fewer, or for something that ignores their order").into());
        }
        let mut all = Dist::one(Outcome::Known(Value::list(vec![])));
        for _ in 0..times {
            all = all.cross(&each, &mut self.desk.budget, append)?;
        }
        Ok(all)
    }

    /// `each`: the collection is known; the body is wanted for every value a member can have.
    pub(super) fn each(&mut self, term: TermId, env: &Env, pool: &Rc<Law>) -> Result<Next, Stop> {
        let Form::Core(Term::ForEach { slot, body, .. }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        if pool.has_holes() {
            return Err(Stop::Unsolvable);
        }
        let staged = pool.lazy.iter().any(|(bunch, _)| !bunch.stages.is_empty());
        let pool = match staged || !self.plan.blind[term.index()] {
            true => Rc::new(Dist::clone(&*self.desk.settle(pool)?).into()),
            false => pool.clone(),
        };
        let mut values: BTreeSet<Value> = BTreeSet::new();
        let mut take = |outcome: &Outcome| -> Result<(), Stop> {
            if let Outcome::Known(value) = outcome {
                values.extend(chance::members(value)?.iter().cloned());
            }
            Ok(())
        };
        pool.known.iter().try_for_each(|(outcome, _)| take(outcome))?;
        for part in pool.lazy.iter().flat_map(|(bunch, _)| &bunch.parts) {
            match &part.source {
                Source::Each(dist) => dist.items.iter().try_for_each(|(outcome, _)| take(outcome))?,
                Source::Chain(walk) => walk.states.iter().flatten().try_for_each(|step| take(&step.emit))?,
                Source::Deck(deck) => {
                    let cards = deck.iter().map(|(card, _)| card.clone()).collect();
                    take(&Outcome::Known(Value::pool(cards)))?;
                }
            }
        }
        self.affordable(values.len() as u64)?;
        let values: Vec<Value> = values.into_iter().collect();
        let job = |value: &Value| Job::Eval(*body, with(env, &[(*slot, Outcome::Known(value.clone()))]));
        Ok(Next::More(values.iter().map(job).collect(), Then::Bodies(pool, values)))
    }

    /// `each`: the list of one evaluation per member.
    pub(super) fn bodies(&mut self, term: TermId, pool: &Law, values: &[Value], laws: &[Rc<Law>]) -> Result<Law, Stop> {
        let blind = self.plan.blind[term.index()];
        let mut images: HashMap<Value, Rc<Dist>> = HashMap::default();
        for (value, law) in values.iter().zip(laws) {
            if law.has_holes() {
                return Err(Stop::Unsolvable);
            }
            let settled = self.desk.settle(law)?;
            let image = settled.map(&mut self.desk.budget, |outcome, _| alone(outcome))?;
            images.insert(value.clone(), Rc::new(image));
        }
        let images = Images { images, blind };
        let budget = &mut self.desk.budget;
        if let Some(Outcome::Known(value)) = pool.certain()
            && blind
        {
            let part =
                |member: &Value| Some(Part { times: 1, source: Source::Each(images.images.get(member)?.clone()) });
            let members = chance::members(value)?;
            budget.step(10 * members.len() as u64)?;
            let parts = members.iter().filter_map(part).collect();
            return Ok(Law::bunch(Bunch::list(parts)));
        }
        let mut parts: Vec<(UBig, Law)> = Vec::new();
        if !pool.known.is_empty() {
            let weight: UBig = pool.known.iter().map(|(_, weight)| weight).sum();
            let known = Dist { den: weight.clone(), items: pool.known.clone() };
            parts.push((weight, images.of_dist(&known, budget)?.into()));
        }
        for (bunch, weight) in &pool.lazy {
            parts.push((weight.clone(), Law::bunch(images.of_bunch(bunch, budget)?)));
        }
        Law::mix(parts, pool.den.clone(), budget)
    }

    /// `until`: a pass is known; whether it stops is wanted for every outcome. `first` is the first pass, if
    /// that was another roll.
    pub(super) fn pass(&mut self, term: TermId, env: Env, first: Option<Box<Split>>, body: &Law) -> Result<Next, Stop> {
        let Form::Core(Term::Until { slot, stop, .. }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        if body.has_holes() {
            return Err(Stop::Unsolvable);
        }
        let pass = self.desk.settle(body)?;
        self.affordable(pass.items.len() as u64)?;
        let job = |(outcome, _): &(Outcome, UBig)| Job::Eval(*stop, with(&env, &[(*slot, outcome.clone())]));
        let jobs = pass.items.iter().map(job).collect();
        Ok(Next::More(jobs, Then::Stops(env, first, pass)))
    }

    /// `until`: passes that stop and passes that go on.
    pub(super) fn stops(
        &mut self,
        term: TermId,
        env: Env,
        first: Option<Box<Split>>,
        pass: &Dist,
        laws: &[Rc<Law>],
    ) -> Result<Next, Stop> {
        let Form::Core(Term::Until { first: own, body, most, keep, .. }) = self.plan.form(term) else {
            return Err(Stop::mistake("another form than before"));
        };
        let split = self.split(pass, laws)?;
        let goes_on = !split.go.is_empty() || !split.unsure.is_zero();
        // What is never rolled is never asked.
        if own.is_some() && first.is_none() && goes_on && most.is_none_or(|most| most > 1) {
            return Ok(Next::More(vec![Job::Eval(*body, env.clone())], Then::Pass(env, Some(Box::new(split)))));
        }
        if split.stop.is_empty() && split.unsure.is_zero() && most.is_none() {
            return Err(solve::endless().into());
        }
        let law = match keep {
            Keep::Last => match first {
                Some(first) => first.then_last(split, *most, &mut self.desk.budget)?,
                None => split.last(*most, &mut self.desk.budget)?,
            },
            Keep::All => {
                let end = match (most, self.desk.iterations) {
                    (Some(most), _) => End::After(*most),
                    (None, Some(most)) => End::Cut(most),
                    (None, None) => End::Open,
                };
                let walk = match first {
                    Some(first) => first.then_chain(split, end)?,
                    None => split.chain(end)?,
                };
                match self.plan.blind[term.index()] {
                    true => Law::bunch(Bunch::list(vec![Part { times: 1, source: Source::Chain(Rc::new(walk)) }])),
                    false => chain::in_order(&mut self.desk, &walk)?.into(),
                }
            }
        };
        Ok(Next::Done(Rc::new(law)))
    }

    fn split(&mut self, pass: &Dist, laws: &[Rc<Law>]) -> Result<Split, Stop> {
        let mut truths = Vec::with_capacity(laws.len());
        for law in laws {
            truths.push(Truth::of(&*self.desk.settle(law)?)?);
        }
        let shared = truths.iter().fold(UBig::ONE, |shared, truth| lcm(&shared, &truth.den));
        let mut split = Split { den: &pass.den * &shared, stop: vec![], go: vec![], unsure: UBig::ZERO };
        for ((outcome, weight), truth) in pass.items.iter().zip(truths) {
            let scale = weight * (&shared / &truth.den);
            if outcome.is_lost() {
                split.unsure += &truth.den * &scale;
                continue;
            }
            if !truth.yes.is_zero() {
                split.stop.push((outcome.clone(), &truth.yes * &scale));
            }
            if !truth.no.is_zero() {
                split.go.push((outcome.clone(), &truth.no * &scale));
            }
            truth.others.iter().for_each(|(_, weight)| split.unsure += weight * &scale);
        }
        Ok(split)
    }
}

/// So many copies of each part.
fn repeated(once: &[Part], times: u64) -> Bunch {
    let copies = |part: &Part| Part { times: part.times.saturating_mul(times), source: part.source.clone() };
    Bunch::list(once.iter().map(copies).collect())
}

/// The laws of a body for the values of members.
struct Images {
    images: HashMap<Value, Rc<Dist>>,
    blind: bool,
}

impl Images {
    /// The pieces for one collection, joined.
    fn of_pool(&self, pool: &Outcome, budget: &mut Budget) -> Result<Dist, Stop> {
        let Outcome::Known(value) = pool else { return Ok(Dist::one(beyond(std::slice::from_ref(pool))?)) };
        let mut all = Dist::one(Outcome::Known(Value::list(vec![])));
        for member in chance::members(value)? {
            let Some(image) = self.images.get(member) else { continue };
            let join = if self.blind { crate::algo::union::join } else { append };
            all = all.cross(image, budget, join)?;
        }
        Ok(all)
    }

    fn of_dist(&self, pools: &Dist, budget: &mut Budget) -> Result<Dist, Stop> {
        let mut parts = Vec::with_capacity(pools.items.len());
        for (pool, weight) in &pools.items {
            parts.push((weight.clone(), self.of_pool(pool, budget)?));
        }
        let views: Vec<(UBig, &Dist)> = parts.iter().map(|(weight, dist)| (weight.clone(), dist)).collect();
        Dist::mix(&views, &pools.den, budget)
    }

    fn of_bunch(&self, bunch: &Bunch, budget: &mut Budget) -> Result<Bunch, Stop> {
        let mut parts = Vec::with_capacity(bunch.parts.len());
        for part in &bunch.parts {
            let source = match &part.source {
                Source::Each(dist) => Source::Each(Rc::new(self.of_dist(dist, budget)?)),
                Source::Chain(walk) => Source::Chain(Rc::new(self.of_chain(walk, budget)?)),
                Source::Deck(deck) => {
                    parts.push(self.of_deck(deck, part.times, budget)?);
                    continue;
                }
            };
            parts.push(Part { times: part.times, source });
        }
        Ok(Bunch::list(parts))
    }

    /// Cards: one certain member for each is a deck again, else every deal is listed.
    fn of_deck(&self, deck: &[(Value, u64)], times: u64, budget: &mut Budget) -> Result<Part, Stop> {
        let image = |(card, copies): &(Value, u64)| {
            let image = self.images.get(card)?.certain()?.known()?;
            let [card] = crate::outcome::chunk(image)? else { return None };
            Some((card.clone(), *copies))
        };
        if let Some(cards) = deck.iter().map(image).collect::<Option<Vec<_>>>() {
            return Ok(Part { times, source: Source::deck(cards) });
        }
        let deals = self.of_dist(&crate::law::deals(deck, times, budget)?, budget)?;
        Ok(Part { times: 1, source: Source::Each(Rc::new(deals)) })
    }

    /// A step that collects a random piece becomes one step for each.
    fn of_chain(&self, walk: &Chain, budget: &mut Budget) -> Result<Chain, Stop> {
        let mut pieces: Vec<Vec<(Dist, UBig, Option<usize>)>> = Vec::new();
        for steps in &walk.states {
            let piece = |step: &Step, budget: &mut Budget| {
                Ok((self.of_pool(&step.emit, budget)?, step.weight.clone(), step.next))
            };
            pieces.push(steps.iter().map(|step| piece(step, budget)).collect::<Result<Vec<_>, Stop>>()?);
        }
        let shared = pieces.iter().flatten().fold(UBig::ONE, |shared, (dist, ..)| lcm(&shared, &dist.den));
        let split = |(dist, weight, next): &(Dist, UBig, Option<usize>)| -> Vec<Step> {
            let scale = weight * (&shared / &dist.den);
            dist.items.iter().map(|(emit, w)| Step { weight: w * &scale, emit: emit.clone(), next: *next }).collect()
        };
        let states = pieces.iter().map(|steps| steps.iter().flat_map(split).collect()).collect();
        Ok(Chain { den: &walk.den * &shared, states, start: walk.start, end: walk.end })
    }
}

/// Passes of a loop that stop it and passes that do not.
pub(super) struct Split {
    den: UBig,
    stop: Vec<(Outcome, UBig)>,
    go: Vec<(Outcome, UBig)>,
    unsure: UBig,
}

impl Split {
    /// The last pass: a pass given that it stops, or the last one allowed.
    fn last(self, most: Option<u64>, budget: &mut Budget) -> Result<Law, Stop> {
        let weight = |items: &[(Outcome, UBig)]| items.iter().map(|(_, weight)| weight).sum::<UBig>();
        let mut pile = Pile::default();
        let Some(most) = most else {
            let den = weight(&self.stop) + &self.unsure;
            self.stop.into_iter().for_each(|(outcome, weight)| pile.add(outcome, &weight));
            pile.add(Outcome::Unknown, &self.unsure);
            return Ok(pile.over(den).into());
        };
        let most = most.max(1);
        let long = cost_of_fraction(most.saturating_mul(bits(&self.den)));
        let all = (2 + self.stop.len() + self.go.len()) as u64;
        let power = usize::try_from(most).map_err(|_| chain::too_long(most))?;
        budget.step(all.saturating_mul(long)).map_err(|_| chain::too_long(most))?;
        // With g the chance to go on: stop·(1 + g + … + g^(n-1)) + go·g^(n-1), and the sum is (1 - g^n) / (1 - g).
        let go = weight(&self.go) + &self.unsure;
        let before_last = go.pow(power - 1);
        let den = self.den.pow(power);
        let stops = &self.den - &go;
        let sum = if stops.is_zero() { UBig::ZERO } else { (&den - &before_last * &go) / stops };
        self.stop.into_iter().for_each(|(outcome, weight)| pile.add(outcome, &(weight * &sum)));
        self.go.into_iter().for_each(|(outcome, weight)| pile.add(outcome, &(weight * &before_last)));
        pile.add(Outcome::Unknown, &(self.unsure * &before_last));
        Ok(pile.over(den).into())
    }

    /// All passes together, as a walk with one state.
    fn chain(self, end: End) -> Result<Chain, Stop> {
        Ok(Chain { den: self.den.clone(), states: vec![self.steps(0, &UBig::ONE)?], start: 0, end })
    }

    /// The steps of one pass; those that go on lead to state `next`.
    fn steps(self, next: usize, scale: &UBig) -> Result<Vec<Step>, Stop> {
        let mut steps = Vec::with_capacity(self.stop.len() + self.go.len() + 1);
        let stop = self.stop.into_iter().map(|item| (item, None));
        for ((outcome, weight), next) in stop.chain(self.go.into_iter().map(|item| (item, Some(next)))) {
            steps.push(Step { weight: weight * scale, emit: alone(&outcome)?, next });
        }
        if !self.unsure.is_zero() {
            steps.push(Step { weight: self.unsure * scale, emit: Outcome::Unknown, next: None });
        }
        Ok(steps)
    }

    /// All passes together, this being the first.
    fn then_chain(self, others: Split, end: End) -> Result<Chain, Stop> {
        let den = lcm(&self.den, &others.den);
        let (here, there) = (&den / &self.den, &den / &others.den);
        Ok(Chain { states: vec![self.steps(1, &here)?, others.steps(1, &there)?], den, start: 0, end })
    }

    /// The last pass, this being the first.
    fn then_last(self, others: Split, most: Option<u64>, budget: &mut Budget) -> Result<Law, Stop> {
        let weight = |items: &[(Outcome, UBig)]| items.iter().map(|(_, weight)| weight).sum::<UBig>();
        let (stops, goes) = (weight(&self.stop), weight(&self.go));
        let stopped: Law = Dist { den: stops.clone(), items: self.stop }.into();
        let unsure = Law::one(Outcome::Unknown);
        let others = others.last(most.map(|most| most - 1), budget)?;
        let parts = vec![(stops, stopped), (goes, others), (self.unsure, unsure)];
        Law::mix(parts.into_iter().filter(|(weight, _)| !weight.is_zero()).collect(), self.den, budget)
    }
}

/// A value as a list of one.
fn alone(outcome: &Outcome) -> Result<Outcome, Stop> {
    Ok(match outcome {
        Outcome::Known(value) => Outcome::Known(Value::list(vec![value.clone()])),
        // What is not listed stays what it is, in a collection of its own.
        Outcome::Above { bound, far, .. } => Outcome::Above { bound: *bound, pooled: true, far: far.clone() },
        Outcome::Below { bound, far, .. } => Outcome::Below { bound: *bound, pooled: true, far: far.clone() },
        Outcome::Pool(pool) => Outcome::Known(Value::list(vec![pool.all_known()?])),
        other => other.clone(),
    })
}
