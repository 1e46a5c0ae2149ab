//! Ways into a state.
//!
//! What follows without chance and without a look at something hidden is no state: a step leads on through it, to the
//! next place where something is rolled or revealed, or to the end. There, what cannot matter any more is forgotten, and
//! equal states are one.

use super::flow::{Exit, Leaving};
use super::pools::{all_lent, has_pools, mass, state_of};
use super::pure::Lends;
use super::state::{Arrival, Landing, Place, Walk, Work, owned};
use super::{Machine, Slots, Values};
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Control, Form, Stream};
use crate::weight::bits;
use dashu_int::UBig;
use std::borrow::Cow;
use tumble_core::sort;
use tumble_core::{Slot, Term, TermId};

/// After so many steps without chance a state is made, so that a program that goes round in circles is found out.
const MOST_STEPS: usize = 64;

/// About what a place with its variables takes to be remembered.
const BYTES_EACH: u64 = 400;
const BYTES_OF_SIZE: u64 = 30;

/// What there is to do at a place.
enum Onward {
    /// Nothing but to go on, perhaps with work that waits for what comes of it.
    Straight(Option<Work>),
    /// This is the result.
    End(Outcome),
    /// Something is rolled or revealed: a state.
    State,
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
        let mut passed = Passed { keys: vec![], work: work.into_iter().collect() };
        for step in 0..=MOST_STEPS {
            let (last, begins) = (step == MOST_STEPS, self.begins(here.place));
            passed.work.extend(self.counted(&mut here));
            if begins && let Some(landing) = self.meets(walk, &mut here, &mut passed)? {
                return self.lands(walk, leaving, landing, passed, weight);
            }
            match if last { Onward::State } else { self.onward(&mut here)? } {
                Onward::Straight(work) => passed.work.extend(work),
                Onward::End(outcome) => return self.lands(walk, leaving, Landing::End(outcome), passed, weight),
                Onward::State if begins => break,
                Onward::State => match self.meets(walk, &mut here, &mut passed)? {
                    Some(landing) => return self.lands(walk, leaving, landing, passed, weight),
                    None => break,
                },
            }
        }
        let mass = mass(&here.slots);
        let landing = walk.add(here, mass);
        self.lands(walk, leaving, landing, passed, weight)
    }

    /// Forgets what cannot matter at a place; where it leads, if somebody came there before.
    fn meets(&mut self, walk: &Walk, here: &mut Arrival, passed: &mut Passed) -> Result<Option<Landing>, Stop> {
        self.drop_dead(here.place, &mut here.slots);
        let key = (here.place, self.live_values(here)?);
        let landing = walk.landings.get(&key).cloned();
        passed.keys.extend(landing.is_none().then_some((key, passed.work.len())));
        Ok(landing)
    }

    /// Whether a function, a pass of a loop or a body of a stream begins at a place.
    fn begins(&self, place: Place) -> bool {
        match place {
            Place::At(term) => self.plan.begins[term.index()],
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
        let long = bits(&weight) + bits(&cases);
        self.desk.budget.step(long / 32)?;
        let sizes = keys.iter().flat_map(|((_, seen), _)| seen).map(outcome::size).sum::<u64>();
        walk.bytes += BYTES_EACH * keys.len() as u64 + BYTES_OF_SIZE * sizes + long / 8;
        self.fits(walk.landings.len() as u64, walk.bytes)?;
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

    /// Goes on from a place, if no chance and no look is needed for that.
    fn onward(&mut self, here: &mut Arrival) -> Result<Onward, Stop> {
        self.desk.budget.step(4)?;
        match self.try_on(here) {
            Ok(Some(next)) => Ok(next),
            Ok(None) | Err(Stop::Need(_)) => {
                self.blamed = None;
                Ok(Onward::State)
            }
            Err(stop) => Err(stop),
        }
    }

    fn try_on(&mut self, here: &mut Arrival) -> Result<Option<Onward>, Stop> {
        let plan = self.plan;
        match here.place {
            Place::At(term) => {
                if plan.special[term.index()] {
                    if self.peelable(here.place, &here.slots).is_some() || self.streamed(term, &here.slots).is_some() {
                        return Ok(None);
                    }
                    if let Some((call, work)) = self.work_around(here.place, &here.slots)? {
                        return self.try_call(call, here, Some(work));
                    }
                }
                self.try_term(term, here)
            }
            Place::Head(term) => {
                if self.peelable(here.place, &here.slots).is_some() {
                    return Ok(None);
                }
                let Form::Core(Term::Loop { slots, test, body, .. }) = plan.form(term) else { return Ok(None) };
                match self.plainly(term, *test, &here.slots)?.and_then(truth) {
                    Some(true) => Ok(Some(here.on(Place::Inside(term, *body)))),
                    Some(false) if self.counter(term).is_some() => Ok(ended(Outcome::int(0))),
                    Some(false) => Ok(ended(state_of(&here.slots, slots, self.at)?)),
                    None => Ok(None),
                }
            }
            Place::Inside(of, term) => self.try_inside(of, term, here),
            Place::Turn(term) => match plan.streams.get(&term).filter(|_| cfg!(feature = "full")) {
                Some(stream) => self.try_turn(term, stream, here),
                None => Ok(None),
            },
        }
    }

    fn try_term(&mut self, term: TermId, here: &mut Arrival) -> Result<Option<Onward>, Stop> {
        if self.is_pure_in(term, &here.slots) {
            let lends = self.lends(term, &here.slots);
            return Ok(ended(self.computed_of(term, &here.slots, &lends)?));
        }
        match self.plan.form(term).control() {
            Control::Choose { test, then, other } => {
                let test = self.plainly(term, test, &here.slots)?.and_then(truth);
                Ok(test.map(|yes| here.on(Place::At(if yes { then } else { other }))))
            }
            Control::Bind { slots, value, body } => match self.plainly(term, value, &here.slots)? {
                Some(value) => self.bound(here, slots, value, Place::At(body)),
                None => Ok(None),
            },
            Control::Ahead { slot, value, body } => {
                let value = self.guarded_here(value, &here.slots)?;
                self.bound_all(here, &[slot], &[value], Place::At(body)).map(Some)
            }
            Control::Call { .. } if self.goes_on(term) => self.try_call(term, here, None),
            Control::Call { .. } | Control::Joint | Control::Loop | Control::None => Ok(None),
        }
    }

    /// A term at the end of a pass of a loop.
    fn try_inside(&mut self, of: TermId, term: TermId, here: &mut Arrival) -> Result<Option<Onward>, Stop> {
        let plan = self.plan;
        let names = plan.loop_slots(of);
        let (names, value, place) = match plan.form(term).control() {
            Control::Choose { test, then, other } => {
                let test = self.known_here(test, &here.slots)?.and_then(truth);
                return Ok(test.map(|yes| here.on(Place::Inside(of, if yes { then } else { other }))));
            }
            Control::Bind { slots, value, body } => (slots, value, Place::Inside(of, body)),
            Control::Ahead { slot, value, body } => {
                let value = self.guarded_here(value, &here.slots)?;
                return self.bound_all(here, &[slot], &[value], Place::Inside(of, body)).map(Some);
            }
            Control::Call { .. } | Control::Joint | Control::Loop | Control::None => (names, term, Place::Head(of)),
        };
        let next = if let Some(fields) = plan.fields_of(value, names.len()).filter(|_| names.len() > 1) {
            let mut values = Vec::with_capacity(fields.len());
            for field in fields {
                let Some(value) = self.known_here(*field, &here.slots)? else { return Ok(None) };
                values.push(value);
            }
            Some(self.bound_all(here, names, &values, place)?)
        } else {
            let Some(value) = self.known_here(value, &here.slots)? else { return Ok(None) };
            self.bound(here, names, value, place)?
        };
        here.distance += usize::from(next.is_some() && matches!(place, Place::Head(_)));
        Ok(next)
    }

    /// A call at the end whose arguments need no chance.
    fn try_call(&mut self, call: TermId, here: &mut Arrival, work: Option<Work>) -> Result<Option<Onward>, Stop> {
        let plan = self.plan;
        let Control::Call { function, args } = plan.form(call).control() else { return Ok(None) };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let Some(value) = self.argument(call, *arg, &here.slots)? else { return Ok(None) };
            values.push(value);
        }
        super::pools::hand_over(&mut values, Some(&here.slots), self.at)?;
        if !values.iter().all(is_known) {
            return Ok(None);
        }
        self.returning(function)?;
        self.nest(here.distance + 1)?;
        let routine = &plan.functions[function.index()];
        here.slots.clear();
        here.slots.resize(routine.slots, None);
        routine.params.iter().zip(values).for_each(|(param, value)| here.slots[param.index()] = Some(value));
        here.distance += 1;
        here.place = Place::At(routine.body);
        Ok(Some(Onward::Straight(work)))
    }

    /// An argument of a call at the end, if it needs no chance.
    fn argument(&mut self, call: TermId, arg: TermId, env: &Values) -> Result<Option<Outcome>, Stop> {
        let lends = self.lends_to_call(call, env);
        if let Form::Core(Term::Var(slot)) = self.plan.form(arg)
            && owned(env, slot)
            && !lends.has(*slot)
        {
            return Ok(env[slot.index()].clone());
        }
        self.plain_of(arg, env, &lends)
    }

    /// One more body of a stream, or its end, without chance.
    fn try_turn(&mut self, term: TermId, stream: &Stream, here: &mut Arrival) -> Result<Option<Onward>, Stop> {
        let lent = all_lent(&here.slots, self.at);
        let Some((member, cursor)) = self.stream_turn(stream, &lent)? else {
            let mut shown = self.stream_shown(stream, &lent)?;
            let Some(then) = stream.then else { return Ok(ended(shown.swap_remove(0))) };
            let names: Vec<Slot> = stream.chains.iter().map(|chain| chain.slot).collect();
            return self.bound_all(here, &names, &shown, Place::At(then)).map(Some);
        };
        if !self.plan.certain[stream.body.index()] {
            return Ok(None);
        }
        let mut slots = lent.to_vec();
        slots[stream.slot.index()] = Some(Outcome::Known(member));
        let given = match shallow(self.computed_in(stream.body, &mut slots))? {
            Some(Outcome::Pool(pool)) => Outcome::Known(pool.all_known()?),
            Some(given) if given.known().is_some() => given,
            _ => return Ok(None),
        };
        let fed = self.stream_fed(stream, &lent, &given)?;
        here.slots[stream.cursor.index()] = Some(cursor);
        here.slots[stream.so_far.index()] = Some(fed);
        Ok(Some(here.on(Place::Turn(term))))
    }

    /// The value of a term that needs no chance and looks at no pool that is its own, with some pools lent to it; none if
    /// calls in it are nested too deep.
    fn plain_of(&mut self, term: TermId, env: &Values, lends: &Lends<'_>) -> Result<Option<Outcome>, Stop> {
        let own = |slot: &Slot| owned(env, slot) && !lends.has(*slot);
        if !self.plan.certain[term.index()] || self.plan.free[term.index()].iter().any(own) {
            return Ok(None);
        }
        shallow(self.computed_of(term, env, lends))
    }

    /// The value of a term inside another, if it needs no chance and is known.
    fn plainly(&mut self, around: TermId, term: TermId, env: &Values) -> Result<Option<Outcome>, Stop> {
        let lends = self.lends(around, env);
        Ok(self.plain_of(term, env, &lends)?.filter(is_known))
    }

    /// The same where all pools belong to the current state.
    fn known_here(&mut self, term: TermId, env: &Values) -> Result<Option<Outcome>, Stop> {
        Ok(self.plain_of(term, env, &Lends::All(self.at))?.filter(is_known))
    }

    /// Goes on with variables bound to a value; not if that is lost.
    fn bound(&self, here: &mut Arrival, names: &[Slot], value: Outcome, place: Place) -> Result<Option<Onward>, Stop> {
        match (names, super::values::fields(value, names.len())?) {
            (_, Err(_)) => Ok(None),
            (_, Ok(fields)) => self.bound_all(here, names, &fields, place).map(Some),
        }
    }

    /// Goes on with variables bound to a value each.
    fn bound_all(&self, here: &mut Arrival, names: &[Slot], values: &[Outcome], place: Place) -> Result<Onward, Stop> {
        if values.iter().any(|value| matches!(value, Outcome::Pool(_))) {
            let mut slots = here.slots.clone();
            self.fill(&mut slots, &here.slots, place, names, values)?;
            here.slots = slots;
        } else {
            names.iter().zip(values).for_each(|(name, value)| here.slots[name.index()] = Some(value.clone()));
        }
        Ok(here.on(place))
    }
}

impl Arrival {
    /// Nothing but to go on from another place.
    fn on(&mut self, place: Place) -> Onward {
        self.place = place;
        Onward::Straight(None)
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
