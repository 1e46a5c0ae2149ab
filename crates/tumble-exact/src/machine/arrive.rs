//! Ways into a state.
//!
//! What follows without chance and without a look at something hidden is no state: a step leads on through it, to the
//! next place where something is rolled or revealed, or to the end. There, what cannot matter any more is forgotten, and
//! equal states are one.

use super::around::Work;
use super::flow::{Exit, Leaving};
use super::pools::{all_lent, has_pools, mass, state_of};
use super::pure::Lends;
use super::state::{Arrival, Landing, Place, Walk, owned};
use super::{Env, Machine, Slots};
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Control, Form, Stream};
use dashu_int::UBig;
use std::borrow::Cow;
use std::rc::Rc;
use tumble_core::sort;
use tumble_core::{FnId, Slot, Term, TermId};

/// After so many steps without chance a state is made, so that a program that goes round in circles is found out.
const MOST_STEPS: usize = 64;

/// About what a place with its variables takes to be remembered.
const BYTES_EACH: u64 = 400;
const BYTES_OF_SIZE: u64 = 30;

/// What there is to do at a place.
enum Onward {
    /// Nothing but to go on, perhaps with work that waits for what comes of it.
    Straight(Arrival, Option<Work>),
    /// This is the result.
    End(Outcome),
    /// Something is rolled or revealed: a state.
    State(Arrival),
}

/// The places that a step has passed, each with how much work waited before it, and that work from the outside in.
struct Passed {
    keys: Vec<((Place, Vec<Outcome>), usize)>,
    work: Vec<Work>,
}

impl Machine<'_> {
    /// A step out of the current state: to a state, or straight to the end. The weight is one of so many cases.
    pub(super) fn arrive(
        &mut self,
        walk: &mut Walk,
        leaving: &mut Leaving,
        here: Arrival,
        weight: (UBig, UBig),
    ) -> Result<(), Stop> {
        self.arrive_with(walk, leaving, here, weight, None)
    }

    /// The same with work around what comes of it.
    pub(super) fn arrive_with(
        &mut self,
        walk: &mut Walk,
        leaving: &mut Leaving,
        mut here: Arrival,
        weight: (UBig, UBig),
        work: Option<Work>,
    ) -> Result<(), Stop> {
        let (mut passed, mut met) = (Passed { keys: vec![], work: work.into_iter().collect() }, false);
        for _ in 0..MOST_STEPS {
            self.drop_dead(here.place, &mut here.slots);
            met = self.begins(here.place);
            if met {
                let key = (here.place, self.live_values(&here)?);
                if let Some(landing) = walk.landings.get(&key).cloned() {
                    return self.lands(walk, leaving, landing, passed, weight);
                }
                passed.keys.push((key, passed.work.len()));
            }
            match self.onward(here)? {
                Onward::Straight(next, work) => {
                    passed.work.extend(work);
                    (here, met) = (next, false);
                }
                Onward::End(outcome) => return self.lands(walk, leaving, Landing::End(outcome), passed, weight),
                Onward::State(at) => {
                    here = at;
                    break;
                }
            }
        }
        if !met {
            self.drop_dead(here.place, &mut here.slots);
            let key = (here.place, self.live_values(&here)?);
            if let Some(landing) = walk.landings.get(&key).cloned() {
                return self.lands(walk, leaving, landing, passed, weight);
            }
            passed.keys.push((key, passed.work.len()));
        }
        let mass = mass(&here.slots);
        let landing = walk.add(here, mass);
        self.lands(walk, leaving, landing, passed, weight)
    }

    /// Whether a function, a pass of a loop or a body of a stream begins at a place.
    fn begins(&self, place: Place) -> bool {
        match place {
            Place::At(term) => self.plan.functions.iter().any(|routine| routine.body == term),
            Place::Head(_) | Place::Turn(_) => true,
            Place::Inside(..) => false,
        }
    }

    /// What is known of the variables that matter at a place.
    fn live_values(&mut self, here: &Arrival) -> Result<Vec<Outcome>, Stop> {
        let value = |slot: &Slot| here.slots[slot.index()].clone().unwrap_or(Outcome::Unknown);
        let seen = self.live(here.place).iter().map(value).collect::<Vec<_>>();
        self.desk.budget.step(5 + seen.iter().map(outcome::size).sum::<u64>() / 4)?;
        Ok(seen)
    }

    /// Where a step leads in the end. Who comes to one of these places again goes there at once.
    fn lands(
        &mut self,
        walk: &mut Walk,
        leaving: &mut Leaving,
        landing: Landing,
        passed: Passed,
        (weight, cases): (UBig, UBig),
    ) -> Result<(), Stop> {
        let Passed { keys, work } = passed;
        if !keys.is_empty() {
            let sizes = keys.iter().flat_map(|((_, seen), _)| seen).map(outcome::size).sum::<u64>();
            walk.bytes += BYTES_EACH * keys.len() as u64 + BYTES_OF_SIZE * sizes;
            self.fits(walk.landings.len() as u64, walk.bytes)?;
        }
        for (key, before) in keys {
            let landing = self.lands_with(walk, landing.clone(), &work[before..])?;
            walk.landings.insert(key, landing);
        }
        match self.lands_with(walk, landing, &work)? {
            Landing::End(outcome) => leaving.ends(Exit::Known(outcome), weight * cases),
            // Pools that were forgotten on the way are a factor.
            Landing::State(to, after, work) if after == cases => leaving.to(to, weight, work),
            Landing::State(to, after, work) => leaving.to(to, weight * cases / after, work),
        }
        Ok(())
    }

    /// The same with some work around it, from the outside in.
    fn lands_with(&mut self, walk: &mut Walk, landing: Landing, work: &[Work]) -> Result<Landing, Stop> {
        if work.is_empty() {
            return Ok(landing);
        }
        let outward = work.iter().rev().cloned();
        Ok(match landing {
            Landing::End(outcome) => Landing::End(self.worked(outcome, &outward.collect::<Vec<_>>())?),
            Landing::State(to, mass, inner) => {
                let all = walk.work.all[inner].iter().cloned().chain(outward).collect();
                Landing::State(to, mass, walk.work.of(all))
            }
        })
    }

    /// Forgets the pools that do not matter from a place on, and what no look there can ask for.
    fn drop_dead(&self, place: Place, slots: &mut Slots) {
        if !has_pools(slots) {
            return;
        }
        let live = self.live(place);
        for (i, value) in slots.iter_mut().enumerate() {
            if matches!(value, Some(Outcome::Pool(_))) && !live.contains(&Slot(i as u32)) {
                *value = None;
            }
        }
        self.forget(place, slots);
    }

    /// The variables that matter at a place.
    pub(super) fn live(&self, place: Place) -> Cow<'_, [Slot]> {
        let plan = self.plan;
        match place {
            Place::At(term) => Cow::Borrowed(&plan.free[term.index()]),
            Place::Head(of) => Cow::Borrowed(&plan.looped[of.index()]),
            Place::Inside(of, term) => {
                // The variables of the loop itself are bound anew at the end.
                let outside = plan.looped[of.index()].iter().filter(|slot| !plan.loop_slots(of).contains(slot));
                let mut live: Vec<Slot> = plan.free[term.index()].iter().chain(outside).copied().collect();
                sort::sort(&mut live);
                live.dedup();
                Cow::Owned(live)
            }
            Place::Turn(term) => Cow::Borrowed(plan.streams.get(&term).map_or(&[][..], |stream| &stream.live)),
        }
    }

    /// What a place leads to, if no chance and no look is needed.
    fn onward(&mut self, here: Arrival) -> Result<Onward, Stop> {
        self.desk.budget.step(4)?;
        let Arrival { place, slots, distance } = here;
        let env = Rc::new(slots);
        if cfg!(feature = "full") && self.peelable(place, &env).is_some() {
            return Ok(Onward::State(Arrival { place, slots: Rc::unwrap_or_clone(env), distance }));
        }
        let next = match self.try_on(place, &env, distance) {
            Ok(Some(next)) => return Ok(next),
            Ok(None) | Err(Stop::Need(_)) => Rc::unwrap_or_clone(env),
            Err(stop) => return Err(stop),
        };
        self.blamed = None;
        Ok(Onward::State(Arrival { place, slots: next, distance }))
    }

    fn try_on(&mut self, place: Place, env: &Env, distance: usize) -> Result<Option<Onward>, Stop> {
        let plan = self.plan;
        let on = |place, slots, distance| Ok(Some(Onward::Straight(Arrival { place, slots, distance }, None)));
        match place {
            Place::At(term) => self.try_term(term, env, distance),
            Place::Head(term) => {
                let Form::Core(Term::Loop { slots, test, body, .. }) = plan.form(term) else { return Ok(None) };
                match self.plainly(term, *test, env)?.and_then(truth) {
                    Some(true) => on(Place::Inside(term, *body), Vec::clone(env), distance),
                    Some(false) => Ok(ended(state_of(env, slots, self.at)?)),
                    None => Ok(None),
                }
            }
            Place::Inside(of, term) => self.try_inside(of, term, env, distance),
            Place::Turn(term) => match plan.streams.get(&term) {
                Some(stream) => self.try_turn(term, stream, env, distance),
                None => Ok(None),
            },
        }
    }

    fn try_term(&mut self, term: TermId, env: &Env, distance: usize) -> Result<Option<Onward>, Stop> {
        if self.streamed(term, env).is_some() {
            return Ok(None);
        }
        if self.is_pure_in(term, env) {
            return Ok(ended(self.computed_inside(term, term, env)?));
        }
        let plan = self.plan;
        if let Some((call, work)) = self.work_around(Place::At(term), env)? {
            return match plan.form(call).control() {
                Control::Call { function, args } => self.try_call(call, (function, args), env, distance, Some(work)),
                _ => Ok(None),
            };
        }
        let on = |place, slots| Onward::Straight(Arrival { place, slots, distance }, None);
        Ok(match plan.form(term).control() {
            Control::Choose { test, then, other } => {
                let test = self.plainly(term, test, env)?.and_then(truth);
                test.map(|yes| on(Place::At(if yes { then } else { other }), Vec::clone(env)))
            }
            Control::Bind { slots, value, body } => {
                let Some(value) = self.plainly(term, value, env)? else { return Ok(None) };
                let place = Place::At(body);
                self.bound(env, slots, value, place)?.map(|slots| on(place, slots))
            }
            Control::Ahead { slot, value, body } => {
                let value = self.guarded_here(value, env)?;
                let mut slots = Vec::clone(env);
                let place = Place::At(body);
                self.fill(&mut slots, env, place, &[slot], &[value])?;
                Some(on(place, slots))
            }
            Control::Call { function, args } if self.depth.is_none() => {
                self.try_call(term, (function, args), env, distance, None)?
            }
            Control::Call { .. } | Control::Joint | Control::Loop | Control::None => None,
        })
    }

    /// A term at the end of a pass of a loop.
    fn try_inside(&mut self, of: TermId, term: TermId, env: &Env, distance: usize) -> Result<Option<Onward>, Stop> {
        let plan = self.plan;
        let names = plan.loop_slots(of);
        let on = |place, slots, distance| Onward::Straight(Arrival { place, slots, distance }, None);
        let (names, value, place, distance) = match plan.form(term).control() {
            Control::Choose { test, then, other } => {
                let test = self.known_here(test, env)?.and_then(truth);
                let place = |yes| Place::Inside(of, if yes { then } else { other });
                return Ok(test.map(|yes| on(place(yes), Vec::clone(env), distance)));
            }
            Control::Bind { slots, value, body } => (slots, value, Place::Inside(of, body), distance),
            Control::Ahead { slot, value, body } => {
                let value = self.guarded_here(value, env)?;
                let (mut slots, place) = (Vec::clone(env), Place::Inside(of, body));
                self.fill(&mut slots, env, place, &[slot], &[value])?;
                return Ok(Some(on(place, slots, distance)));
            }
            Control::Call { .. } | Control::Joint | Control::Loop | Control::None => {
                (names, term, Place::Head(of), distance + 1)
            }
        };
        let mut slots = Vec::clone(env);
        if let Some(fields) = plan.fields_of(value, names.len()).filter(|_| names.len() > 1) {
            let mut values = Vec::with_capacity(fields.len());
            for field in fields {
                let Some(value) = self.known_here(*field, env)? else { return Ok(None) };
                values.push(value);
            }
            self.fill(&mut slots, env, place, names, &values)?;
            return Ok(Some(on(place, slots, distance)));
        }
        let Some(value) = self.known_here(value, env)? else { return Ok(None) };
        Ok(self.bound(env, names, value, place)?.map(|slots| on(place, slots, distance)))
    }

    /// A call at the end whose arguments need no chance.
    fn try_call(
        &mut self,
        term: TermId,
        (function, args): (FnId, &[TermId]),
        env: &Env,
        distance: usize,
        work: Option<Work>,
    ) -> Result<Option<Onward>, Stop> {
        let lent = self.lent_to_call(term, args, env, true);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            if let Form::Core(Term::Var(slot)) = self.plan.form(*arg)
                && owned(&lent, slot)
            {
                values.extend(lent[slot.index()].clone());
            } else {
                let Some(value) = self.plain(*arg, &lent)? else { return Ok(None) };
                values.push(value);
            }
        }
        super::pools::hand_over(&mut values, Some(env), self.at)?;
        if !values.iter().all(is_known) {
            return Ok(None);
        }
        self.returning(function)?;
        self.nest(distance + 1)?;
        let routine = &self.plan.functions[function.index()];
        let mut slots = vec![None; routine.slots];
        routine.params.iter().zip(values).for_each(|(param, value)| slots[param.index()] = Some(value));
        Ok(Some(Onward::Straight(Arrival { place: Place::At(routine.body), slots, distance: distance + 1 }, work)))
    }

    /// One more body of a stream, or its end, without chance.
    fn try_turn(&mut self, term: TermId, stream: &Stream, env: &Env, distance: usize) -> Result<Option<Onward>, Stop> {
        let lent = all_lent(env, self.at);
        let on = |place, slots| Some(Onward::Straight(Arrival { place, slots, distance }, None));
        let Some((member, cursor)) = self.stream_turn(stream, &lent)? else {
            let mut shown = self.stream_shown(stream, &lent)?;
            let Some(then) = stream.then else { return Ok(ended(shown.swap_remove(0))) };
            let names: Vec<Slot> = stream.chains.iter().map(|chain| chain.slot).collect();
            let (mut slots, place) = (Vec::clone(env), Place::At(then));
            self.fill(&mut slots, env, place, &names, &shown)?;
            return Ok(on(place, slots));
        };
        if !self.plan.certain[stream.body.index()] {
            return Ok(None);
        }
        let mut slots = Vec::clone(&lent);
        slots[stream.slot.index()] = Some(Outcome::Known(member));
        let given = match self.computed_in(stream.body, &mut slots) {
            Err(Stop::Unsolvable) => return Ok(None),
            Ok(Outcome::Pool(pool)) => Outcome::Known(pool.all_known()?),
            computed => computed?,
        };
        if given.known().is_none() {
            return Ok(None);
        }
        let fed = self.stream_fed(stream, &lent, &given)?;
        let mut slots = Vec::clone(env);
        slots[stream.cursor.index()] = Some(cursor);
        slots[stream.so_far.index()] = Some(fed);
        Ok(on(Place::Turn(term), slots))
    }

    /// Whether a term needs no chance, and looks at no pool that is its own.
    fn is_plain(&self, term: TermId, env: &Env) -> bool {
        self.plan.certain[term.index()] && !self.plan.free[term.index()].iter().any(|slot| owned(env, slot))
    }

    /// The value of such a term; none if calls in it are nested too deep.
    fn plain(&mut self, term: TermId, env: &Env) -> Result<Option<Outcome>, Stop> {
        if !self.is_plain(term, env) {
            return Ok(None);
        }
        shallow(self.computed(term, env))
    }

    /// The value of a pure term inside another, to which pools are lent as to all inside that.
    fn computed_inside(&mut self, around: TermId, term: TermId, env: &Env) -> Result<Outcome, Stop> {
        match self.lends(around, env) {
            Some(lends) => self.computed_of(term, env, lends),
            None => self.computed(term, &self.lent(around, env)),
        }
    }

    /// The value of a term inside another, if it needs no chance and is known.
    fn plainly(&mut self, around: TermId, term: TermId, env: &Env) -> Result<Option<Outcome>, Stop> {
        let plan = self.plan;
        let Some(lends) = self.lends(around, env) else { return self.known(term, &self.lent(around, env)) };
        let own = |slot: &Slot| owned(env, slot) && !plan.shared[around.index()].contains(slot);
        if !plan.certain[term.index()] || plan.free[term.index()].iter().any(own) {
            return Ok(None);
        }
        let value = shallow(self.computed_of(term, env, lends))?;
        Ok(value.filter(is_known))
    }

    /// The same where all pools belong to the current state.
    fn known_here(&mut self, term: TermId, env: &Env) -> Result<Option<Outcome>, Stop> {
        if !self.plan.certain[term.index()] {
            return Ok(None);
        }
        let value = shallow(self.computed_of(term, env, Lends::All(self.at)))?;
        Ok(value.filter(is_known))
    }

    /// The value of a term, if it needs no chance and is known.
    fn known(&mut self, term: TermId, env: &Env) -> Result<Option<Outcome>, Stop> {
        Ok(self.plain(term, env)?.filter(is_known))
    }

    /// Variables bound to a value.
    fn bound(&self, env: &Env, names: &[Slot], value: Outcome, place: Place) -> Result<Option<Slots>, Stop> {
        let Ok(fields) = super::values::fields(value, names.len())? else { return Ok(None) };
        let mut slots = Vec::clone(env);
        self.fill(&mut slots, env, place, names, &fields)?;
        Ok(Some(slots))
    }
}

fn is_known(value: &Outcome) -> bool {
    matches!(value, Outcome::Known(_) | Outcome::Pool(_))
}

/// A value; none if calls in it are nested too deep.
fn shallow(computed: Result<Outcome, Stop>) -> Result<Option<Outcome>, Stop> {
    match computed {
        Err(Stop::Unsolvable) => Ok(None),
        computed => computed.map(Some),
    }
}

fn truth(value: Outcome) -> Option<bool> {
    value.known().and_then(tumble_core::Value::as_bool)
}

/// A result that is no pool and no failure.
fn ended(outcome: Outcome) -> Option<Onward> {
    matches!(outcome, Outcome::Known(_)).then_some(Onward::End(outcome))
}
