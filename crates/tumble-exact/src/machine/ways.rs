//! Going on after a binding: the body for every way its variables can be.
//!
//! Evaluating the body once per way is always right. It is done together where that is the same: a body
//! without chance is straight code; a binding that is independent of those before it crosses with them;
//! what all ways compute or choose alike is done for all; a call whose result is only combined with few
//! of the variables is mixed over the others first.

use super::forms::fields;
use super::shares::Given;
use super::{Env, Job, Machine, Mixture, Next, Then};
use crate::dist::{Dist, Pile};
use crate::law::Law;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::prepare::Form;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{FnId, Slot, Term, TermId, Value};

/// Ways to bind variables: their values, or what took their place, with weights that add up to `den`.
pub(super) struct Ways {
    pub(super) den: UBig,
    pub(super) slots: Vec<Slot>,
    pub(super) ways: Vec<(Result<Vec<Outcome>, Outcome>, UBig)>,
}

impl Ways {
    /// The ways of one variable; a value that is lost loses what follows.
    pub(super) fn of_one(slot: Slot, dist: &Dist) -> Ways {
        let ways = dist.items.iter().map(|(outcome, weight)| match outcome {
            lost if lost.is_lost() => (Err(lost.clone()), weight.clone()),
            outcome => (Ok(vec![outcome.clone()]), weight.clone()),
        });
        Ways { den: dist.den.clone(), slots: vec![slot], ways: ways.collect() }
    }

    /// The ways of several variables that take the fields of one value.
    pub(super) fn of_fields(slots: &[Slot], dist: &Dist) -> Result<Ways, Stop> {
        let way = |(outcome, weight): &(Outcome, UBig)| Ok((fields(outcome.clone(), slots.len())?, weight.clone()));
        let ways = dist.items.iter().map(way).collect::<Result<Vec<_>, Stop>>()?;
        Ok(Ways { den: dist.den.clone(), slots: slots.to_vec(), ways })
    }

    /// All variables for each way, or what took their place.
    fn envs<'a>(&'a self, env: &'a Env) -> impl Iterator<Item = (Result<Env, Outcome>, UBig)> + 'a {
        self.ways.iter().map(move |(seen, weight)| {
            let bound = |seen: &Vec<Outcome>| {
                let mut slots = Vec::clone(env);
                fill(&mut slots, &self.slots, seen);
                Rc::new(slots)
            };
            (seen.as_ref().map(bound).map_err(Outcome::clone), weight.clone())
        })
    }

    /// Where a variable is used more than once, its moments would be taken for those of several.
    pub(super) fn bound(mut self, linear: bool) -> Ways {
        if !linear {
            let far = |seen: &Outcome| matches!(seen, Outcome::Above { .. } | Outcome::Below { .. });
            let all = self.ways.iter_mut().filter_map(|(seen, _)| seen.as_mut().ok()).flatten();
            all.filter(|seen| far(seen)).for_each(|seen| *seen = seen.clone().without_moments());
        }
        self
    }

    /// All ways of these together with all ways of others that are independent of them.
    fn and(self, others: &Ways) -> Ways {
        let mut ways = Vec::with_capacity(self.ways.len() * others.ways.len());
        for (seen, weight) in &self.ways {
            let seen = match seen {
                Ok(seen) => seen,
                Err(lost) => {
                    ways.push((Err(lost.clone()), weight * &others.den));
                    continue;
                }
            };
            let longer = |more: &Vec<Outcome>| seen.iter().chain(more).cloned().collect();
            let both = |more: &Result<Vec<Outcome>, Outcome>| more.as_ref().map(longer).map_err(Outcome::clone);
            ways.extend(others.ways.iter().map(|(more, w)| (both(more), weight * w)));
        }
        let slots = self.slots.into_iter().chain(others.slots.iter().copied()).collect();
        Ways { den: self.den * &others.den, slots, ways }
    }
}

/// Ways in which what follows sees the same, and the laws of a value in each.
struct Group {
    key: Vec<Outcome>,
    mixture: Mixture,
    laws: Vec<Given>,
}

impl Machine<'_> {
    /// The body once for each way its variables can be; at once where there is no more chance in it.
    pub(super) fn go_on(&mut self, env: &Env, mut ways: Ways, body: TermId) -> Result<Next, Stop> {
        let body = self.further(env, &mut ways, body)?;
        if self.plan.pure[body.index()] {
            return self.straight(env, &ways, None, body).map(Next::Done);
        }
        if self.follows(body) && self.with_pure_arguments(body).is_some() {
            return self.calls_later(env, &ways, body).map(Next::Done);
        }
        if let Some(source) = self.independent(body, &ways.slots) {
            return Ok(Next::More(vec![Job::Eval(source, env.clone())], Then::Cross(env.clone(), ways, body)));
        }
        self.affordable(ways.ways.len() as u64)?;
        self.desk.budget.step(ways.ways.len() as u64 * (40 + env.len() as u64))?;
        if let Form::Core(Term::Let { value, body: rest, slots }) = self.plan.form(body)
            && let [slot] = slots.as_slice()
            && self.plan.pure[rest.index()]
            && self.plan.free[rest.index()].contains(slot)
            && ways.ways.iter().all(|(seen, _)| seen.is_ok())
        {
            let jobs = ways.envs(env).filter_map(|(env, _)| Some(Job::Eval(*value, env.ok()?))).collect();
            return Ok(Next::More(jobs, Then::Together(env.clone(), ways, body)));
        }
        let mut mixture = Mixture { den: ways.den.clone(), weights: vec![], others: vec![] };
        let mut jobs = Vec::with_capacity(ways.ways.len());
        for (env, weight) in ways.envs(env) {
            match env {
                Ok(env) => {
                    jobs.push(Job::Eval(body, env));
                    mixture.weights.push(weight);
                }
                Err(lost) => mixture.others.push((lost, weight)),
            }
        }
        Ok(Next::More(jobs, Then::Mix(mixture)))
    }

    /// Goes on as far as all ways go together: values computed ahead, and choices that all make alike.
    fn further(&mut self, env: &Env, ways: &mut Ways, body: TermId) -> Result<TermId, Stop> {
        let mut body = body;
        while !self.plan.pure[body.index()] {
            match self.plan.form(body) {
                Form::Ahead { slot, value, body: rest } => {
                    let mut slots = Vec::clone(env);
                    for (seen, _) in &mut ways.ways {
                        let Ok(seen) = seen else { continue };
                        fill(&mut slots, &ways.slots, seen);
                        seen.push(self.guarded_in(*value, &mut slots)?);
                    }
                    ways.slots.push(*slot);
                    body = *rest;
                }
                Form::Core(Term::If { test, then, other, .. }) if self.plan.pure[test.index()] => {
                    match self.all_alike(env, ways, *test)? {
                        Some(truth) => body = if truth { *then } else { *other },
                        None => break,
                    }
                }
                _ => break,
            }
        }
        Ok(body)
    }

    /// What a test gives, if it gives the same for all ways.
    fn all_alike(&mut self, env: &Env, ways: &Ways, test: TermId) -> Result<Option<bool>, Stop> {
        let mut slots = Vec::clone(env);
        let mut truth = None;
        for (seen, _) in &ways.ways {
            let Ok(seen) = seen else { continue };
            fill(&mut slots, &ways.slots, seen);
            let now = self.guarded_in(test, &mut slots)?.known().and_then(Value::as_bool);
            if now.is_none() || truth.is_some_and(|truth| Some(truth) != now) {
                return Ok(None);
            }
            truth = now;
        }
        Ok(truth)
    }

    /// A binding whose value is known for all ways, and a body without chance: ways in which the body
    /// sees the same are mixed before it is computed.
    pub(super) fn together(&mut self, env: &Env, ways: &Ways, term: TermId, laws: &[Rc<Law>]) -> Result<Next, Stop> {
        let Form::Core(Term::Let { slots, body, .. }) = self.plan.form(term) else { return Err(Stop::Unsolvable) };
        let ([slot], body) = (slots.as_slice(), *body) else { return Err(Stop::Unsolvable) };
        let slot = *slot;
        let free = &self.plan.free[body.index()];
        if !free.contains(&slot) && laws.iter().any(|law| law.has_holes()) {
            return Err(Stop::Unsolvable);
        }
        let places: Vec<usize> = (0..ways.slots.len()).filter(|place| free.contains(&ways.slots[*place])).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut found: HashMap<Vec<Outcome>, usize> = HashMap::default();
        for ((seen, weight), law) in ways.ways.iter().zip(laws) {
            let Ok(seen) = seen else { continue };
            let key: Vec<Outcome> = places.iter().map(|place| seen[*place].clone()).collect();
            let next = groups.len();
            let place = *found.entry(key).or_insert_with_key(|key| {
                let mixture = Mixture { den: UBig::ZERO, weights: vec![], others: vec![] };
                groups.push(Group { key: key.clone(), mixture, laws: vec![] });
                next
            });
            let group = &mut groups[place];
            group.mixture.den += weight;
            group.mixture.weights.push(weight.clone());
            group.laws.push(Given::Law(law.clone()));
        }
        let linear = self.plan.linear[term.index()];
        let mut parts = Vec::with_capacity(groups.len());
        for Group { key, mixture, laws } in groups {
            let den = mixture.den.clone();
            let mixed = self.mixed(mixture, laws)?;
            let mixed = self.flat(&mixed)?;
            let dist = self.desk.settle(&mixed)?;
            let mut slots = Vec::clone(env);
            places.iter().zip(&key).for_each(|(place, seen)| slots[ways.slots[*place].index()] = Some(seen.clone()));
            let bound = Ways::of_one(slot, &dist).bound(linear);
            parts.push((den, self.straight(&Rc::new(slots), &bound, None, body)?));
        }
        Law::mix(parts, ways.den.clone(), &mut self.desk.budget).map(Next::Done)
    }

    /// The source of a watched binding that needs none of these variables.
    fn independent(&self, body: TermId, slots: &[Slot]) -> Option<TermId> {
        let Form::Watch(watch) = self.plan.form(body) else { return None };
        let apart = |term: TermId| !self.plan.free[term.index()].iter().any(|slot| slots.contains(slot));
        let all = watch.chains.iter().flat_map(|chain| chain.arguments()).chain([watch.source]);
        { all }.all(apart).then_some(watch.source)
    }

    /// A watched binding that is independent of the variables bound before it.
    pub(super) fn cross(&mut self, env: &Env, ways: Ways, term: TermId, source: &Law) -> Result<Next, Stop> {
        let Form::Watch(watch) = self.plan.form(term) else { return Err(Stop::Unsolvable) };
        let body = watch.body;
        let more = self.watched(term, env, source)?;
        if self.plan.pure[body.index()] {
            return self.straight(env, &ways, Some(&more), body).map(Next::Done);
        }
        self.affordable(ways.ways.len() as u64 * more.ways.len() as u64)?;
        self.go_on(env, ways.and(&more), body)
    }

    fn with_pure_arguments(&self, body: TermId) -> Option<(FnId, &[TermId])> {
        match self.plan.form(body) {
            Form::Core(Term::Call { function, args }) if args.iter().all(|arg| self.plan.pure[arg.index()]) => {
                Some((*function, args))
            }
            _ => None,
        }
    }

    /// A call that passes on its result, for all ways its arguments can be.
    fn calls_later(&mut self, env: &Env, ways: &Ways, body: TermId) -> Result<Law, Stop> {
        let mut pile = Pile::default();
        let mut slots = Vec::clone(env);
        for (seen, weight) in &ways.ways {
            let seen = match seen {
                Ok(seen) => seen,
                Err(lost) => {
                    pile.add(lost.clone(), weight);
                    continue;
                }
            };
            fill(&mut slots, &ways.slots, seen);
            let Some((function, args)) = self.with_pure_arguments(body) else { return Err(Stop::Unsolvable) };
            let args: Vec<TermId> = args.to_vec();
            let mut values = Vec::with_capacity(args.len());
            for arg in args {
                values.push(self.computed_in(arg, &mut slots)?.without_moments());
            }
            let outcome = match values.iter().find(|arg| arg.is_lost()) {
                Some(lost) => lost.clone(),
                None if values.iter().any(|arg| matches!(arg, Outcome::Hole { .. })) => return Err(Stop::Unsolvable),
                None => self.later(function, values)?,
            };
            pile.add(outcome, weight);
        }
        Ok(pile.over(ways.den.clone()).into())
    }

    /// A body without chance for all ways of one or two independent bindings.
    fn straight(&mut self, env: &Env, ways: &Ways, more: Option<&Ways>, body: TermId) -> Result<Law, Stop> {
        let mut pile = Pile::default();
        let mut slots = Vec::clone(env);
        let one = Ways { den: UBig::ONE, slots: vec![], ways: vec![(Ok(vec![]), UBig::ONE)] };
        let more = more.unwrap_or(&one);
        let den = &ways.den * &more.den;
        let each = cost_of(bits(&den)) / 2;
        for (seen, weight) in &ways.ways {
            match seen {
                Ok(seen) => fill(&mut slots, &ways.slots, seen),
                Err(lost) => {
                    pile.add(lost.clone(), &(weight * &more.den));
                    continue;
                }
            }
            for (seen, w) in &more.ways {
                let outcome = match seen {
                    Ok(seen) => {
                        fill(&mut slots, &more.slots, seen);
                        self.computed_in(body, &mut slots)?
                    }
                    Err(lost) => lost.clone(),
                };
                self.desk.budget.step(each)?;
                pile.add(outcome, &(weight * w));
                pile.check(&self.desk.budget)?;
            }
        }
        Ok(pile.over(den).reduced().into())
    }
}

/// Binds variables in place.
fn fill(slots: &mut [Option<Outcome>], names: &[Slot], seen: &[Outcome]) {
    names.iter().zip(seen).for_each(|(slot, outcome)| slots[slot.index()] = Some(outcome.clone()));
}
