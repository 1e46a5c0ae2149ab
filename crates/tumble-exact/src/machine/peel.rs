//! Recursion over the members of a hidden pool, as an automaton that reads them: see `prepare/peeling.rs`.
//!
//! The states of the automaton are the values of the other variables. If its steps commute,
//!
//! ```text
//! step(step(a, f), g) = step(step(a, g), f)      for all faces f and g, at every state a with two members still to come
//! ```
//!
//! then by transpositions no order of the members makes a difference, and the dice can be read as they are: one
//! convolution for each die. That is looked up for every state that can be met, not assumed. Else the members are read
//! in their order: face by face, with how many dice show it.

use super::flow::{Exit, Leaving};
use super::fold::Layer;
use super::pools::mass;
use super::state::{Place, Walk};
use super::values::Numbers;
use super::{Env, Machine, Slots, Values};
use crate::hidden::Hidden;
use crate::law::Source;
use crate::map::HashMap;
use crate::method::PEELING;
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Peeling, Step};
use crate::weight::bits;
use dashu_int::UBig;
use std::collections::VecDeque;
use std::rc::Rc;
use tumble_core::{Fault, Slot, TermId, Value};

/// An automaton with more states is not asked whether its steps commute.
const MOST_STATES: usize = 100_000;

/// Weights of states.
type Weights = HashMap<usize, UBig>;

/// The automaton, as far as it is known.
struct Automaton<'a> {
    peeling: &'a Peeling,
    env: &'a Env,
    faces: Vec<Value>,
    states: Numbers<Vec<Value>>,
    /// Where each face leads from each state, if that was asked for.
    steps: Vec<Vec<Option<usize>>>,
}

impl Machine<'_> {
    /// Goes from the current state to the end of its peeling at once, if it is at the beginning of one.
    pub(super) fn peel(&mut self, walk: &mut Walk) -> Result<bool, Stop> {
        let Some(state) = walk.current() else { return Ok(false) };
        let env = state.env.clone();
        let Some((term, peeling, pool)) = self.peelable(state.place, &env) else { return Ok(false) };
        let since = self.desk.record.mark(self.desk.budget.used());
        let ends = match self.peeled(&peeling, &env, &pool) {
            // A step fails, or what it gives is not known: then who walks through it sees where.
            Err(Stop::Unsolvable) => {
                self.unpeeled.insert(term);
                return Ok(false);
            }
            ends => ends?,
        };
        let whole = pool.mass().clone();
        if ends.iter().map(|(_, weight)| weight).sum::<UBig>() != whole {
            return Err(Fault::mistake("internal error: the probabilities of members do not add up to 1").into());
        }
        self.desk.tell(since, || ("the members of a collection".into(), PEELING.does.into()));
        let mut leaving = Leaving::new(whole, mass(&env));
        ends.into_iter().for_each(|(end, weight)| leaving.shares(Exit::Known(end), weight));
        walk.close(leaving);
        Ok(true)
    }

    /// The peeling at a place and its pool, if nothing else is hidden.
    pub(super) fn peelable(&self, place: Place, env: &Values) -> Option<(TermId, Rc<Peeling>, Hidden)> {
        let (Place::At(term) | Place::Head(term)) = place else { return None };
        let peeling = self.plan.peelings.get(&term)?;
        let cut = self.depth.is_some() || self.desk.iterations.is_some();
        let begins = matches!(place, Place::Head(_)) == peeling.end.is_none();
        if cut || !begins || self.unpeeled.contains(&term) || !self.desk.allows(&PEELING) {
            return None;
        }
        let Some(Outcome::Pool(pool)) = &env[peeling.pool.index()] else { return None };
        let live = self.live(place);
        let known = |slot: &Slot| *slot == peeling.pool || matches!(&env[slot.index()], Some(Outcome::Known(_)));
        let own = pool.shared.is_empty() && !pool.is_tied();
        (own && live.iter().all(known)).then(|| (term, peeling.clone(), pool.clone()))
    }

    /// What comes after the last member, with weights that add up to the mass of the pool.
    fn peeled(&mut self, peeling: &Peeling, env: &Env, pool: &Hidden) -> Result<Vec<(Outcome, UBig)>, Stop> {
        let faces = (0..pool.faces()).map(|place| pool.face(place).clone()).collect();
        let mut automaton = Automaton { peeling, env, faces, states: Numbers::new(), steps: vec![] };
        if !self.ends_when_empty(&automaton, pool.count())? {
            return Err(Stop::Unsolvable);
        }
        let start = self.before_the_first(peeling, env)?;
        let start = automaton.states.of(start);
        let weights = match self.commutes(&mut automaton, start, pool.count())? {
            true => self.members_as_they_are(&mut automaton, start, pool)?,
            false => self.members_in_order(&mut automaton, start, pool)?,
        };
        let mut ends = Vec::with_capacity(weights.len());
        for (state, weight) in weights {
            ends.push((self.after_the_last(&automaton, state)?, weight));
        }
        Ok(ends)
    }

    /// The first state.
    fn before_the_first(&mut self, peeling: &Peeling, env: &Env) -> Result<Vec<Value>, Stop> {
        let mut slots = Vec::clone(env);
        slots[peeling.pool.index()] = Some(Outcome::Known(Value::pool(vec![])));
        match (&peeling.step, peeling.end) {
            (Step::Answer { .. }, Some(end)) => Ok(vec![known(self.tried(end, &mut slots)?)?]),
            (Step::Answer { .. } | Step::Onward { .. }, _) => {
                let value = |slot: &Slot| known(env[slot.index()].clone().unwrap_or(Outcome::Unknown));
                peeling.carried().iter().map(value).collect()
            }
        }
    }

    /// Whether the test holds for all numbers of members but none.
    fn ends_when_empty(&mut self, automaton: &Automaton<'_>, count: u64) -> Result<bool, Stop> {
        let (peeling, mut slots) = (automaton.peeling, Vec::clone(automaton.env));
        let Some(face) = automaton.faces.first() else { return Ok(false) };
        for n in 0..=count {
            let dice = (0..n).map(|_| face.clone()).collect();
            slots[peeling.pool.index()] = Some(Outcome::Known(Value::pool(dice)));
            let Outcome::Known(holds) = self.tried(peeling.test, &mut slots)? else { return Ok(false) };
            if holds.as_bool() != Some(peeling.more == (n > 0)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A pure term; an error is an outcome like others.
    fn tried(&mut self, term: TermId, slots: &mut Slots) -> Result<Outcome, Stop> {
        let computed = self.computed_in(term, slots);
        self.put_off(computed)
    }

    /// The variables in a state of the automaton, before some members.
    fn variables(automaton: &Automaton<'_>, state: usize, members: Vec<Value>) -> Slots {
        let (peeling, mut slots) = (automaton.peeling, Vec::clone(automaton.env));
        peeling.carried().iter().zip(&automaton.states.all[state]).for_each(|(slot, value)| {
            slots[slot.index()] = Some(Outcome::Known(value.clone()));
        });
        slots[peeling.pool.index()] = Some(Outcome::Known(Value::pool(members)));
        slots
    }

    /// Where a face leads: what is done with the collection of it alone.
    fn lead(&mut self, automaton: &mut Automaton<'_>, state: usize, face: usize) -> Result<usize, Stop> {
        if let Some(to) = automaton.steps.get(state).and_then(|steps| steps[face]) {
            return Ok(to);
        }
        let peeling = automaton.peeling;
        let mut slots = Machine::variables(automaton, state, vec![automaton.faces[face].clone()]);
        let next = match &peeling.step {
            Step::Answer { code, .. } => {
                let computed = self.computed_by(code, &mut slots);
                vec![known(self.put_off(computed)?)?]
            }
            Step::Onward { bound, fields } => {
                for (names, value) in bound {
                    let value = known(self.tried(*value, &mut slots)?)?;
                    let [name] = names.as_slice() else { return Err(Stop::Unsolvable) };
                    slots[name.index()] = Some(Outcome::Known(value));
                }
                let others = fields.iter().enumerate().filter(|(i, _)| *i != peeling.place);
                others.map(|(_, field)| known(self.tried(*field, &mut slots)?)).collect::<Result<_, Stop>>()?
            }
        };
        let to = automaton.states.of(next);
        automaton.steps.resize(automaton.states.all.len(), vec![None; automaton.faces.len()]);
        automaton.steps[state][face] = Some(to);
        self.affordable(automaton.states.all.len() as u64)?;
        Ok(to)
    }

    /// Whether no order of the members makes a difference.
    fn commutes(&mut self, automaton: &mut Automaton<'_>, start: usize, count: u64) -> Result<bool, Stop> {
        let mut open = VecDeque::from([(start, 0)]);
        let mut met = vec![true];
        while let Some((state, depth)) = open.pop_front() {
            if depth + 2 > count {
                continue;
            }
            let faces = automaton.faces.len();
            let mut leads = Vec::with_capacity(faces);
            for face in 0..faces {
                leads.push(self.lead(automaton, state, face)?);
            }
            for f in 0..faces {
                self.desk.budget.step(faces as u64)?;
                for g in 0..f {
                    if self.lead(automaton, leads[f], g)? != self.lead(automaton, leads[g], f)? {
                        return Ok(false);
                    }
                }
            }
            if automaton.states.all.len() > MOST_STATES {
                return Ok(false);
            }
            met.resize(automaton.states.all.len(), false);
            for lead in leads {
                if !std::mem::replace(&mut met[lead], true) {
                    open.push_back((lead, depth + 1));
                }
            }
        }
        Ok(true)
    }

    /// The dice one after the other.
    fn members_as_they_are(
        &mut self,
        automaton: &mut Automaton<'_>,
        start: usize,
        pool: &Hidden,
    ) -> Result<Weights, Stop> {
        let bunch = pool.bunch()?;
        let mut weights = Weights::from_iter([(start, UBig::ONE)]);
        for part in &bunch.parts {
            let Source::Each(dist) = &part.source else { return self.members_in_order(automaton, start, pool) };
            for _ in 0..part.times {
                let mut next = Weights::default();
                for (outcome, times) in &dist.items {
                    let Some(members) = outcome.known().and_then(outcome::chunk) else { return Err(Stop::Unsolvable) };
                    let place = |member| automaton.faces.binary_search(member).ok();
                    let Some(faces) = members.iter().map(place).collect::<Option<Vec<usize>>>() else {
                        return Err(Stop::Unsolvable);
                    };
                    for (state, weight) in &weights {
                        self.desk.budget.step(1 + bits(weight) / 64)?;
                        let mut to = *state;
                        for face in &faces {
                            to = self.lead(automaton, to, *face)?;
                        }
                        let more = if times.is_one() { weight.clone() } else { weight * times };
                        *next.entry(to).or_insert(UBig::ZERO) += more;
                    }
                }
                weights = next;
            }
        }
        Ok(weights)
    }

    /// Face by face, from the end where the members are taken.
    fn members_in_order(
        &mut self,
        automaton: &mut Automaton<'_>,
        start: usize,
        pool: &Hidden,
    ) -> Result<Weights, Stop> {
        let mut pools = Numbers::new();
        let mut layer = Layer::default();
        layer.entry(pools.of(pool.clone())).or_default().insert(start, UBig::ONE);
        let count = automaton.faces.len();
        for place in 0..count {
            let face = if automaton.peeling.top { count - 1 - place } else { place };
            let mut next = Layer::default();
            for (left, states) in layer {
                let before = std::slice::from_ref(&pools.all[left]).to_vec();
                for (ways, shows, mut rest) in self.fold_split(&before, &automaton.faces[face])? {
                    let rest = rest.swap_remove(0);
                    let to = next.entry(pools.of(rest)).or_default();
                    for (state, weight) in &states {
                        self.desk.budget.step(1 + bits(weight) / 64)?;
                        let mut lead = *state;
                        for _ in 0..shows[0] {
                            lead = self.lead(automaton, lead, face)?;
                        }
                        *to.entry(lead).or_insert(UBig::ZERO) += weight * &ways;
                    }
                }
            }
            layer = next;
        }
        let mut weights = Weights::default();
        for (left, states) in layer {
            let rest = pools.all[left].mass().clone();
            states.into_iter().for_each(|(state, w)| *weights.entry(state).or_insert(UBig::ZERO) += w * &rest);
        }
        Ok(weights)
    }

    /// What a function gives, or the variables of a loop.
    fn after_the_last(&mut self, automaton: &Automaton<'_>, state: usize) -> Result<Outcome, Stop> {
        let (peeling, mut slots) = (automaton.peeling, Machine::variables(automaton, state, vec![]));
        match (&peeling.step, peeling.end) {
            (Step::Answer { .. }, _) => automaton.states.all[state].first().cloned().map(Outcome::Known),
            (Step::Onward { .. }, Some(end)) => Some(Outcome::Known(known(self.tried(end, &mut slots)?)?)),
            (Step::Onward { .. }, None) => {
                let value = |slot: &Slot| slots[slot.index()].as_ref().and_then(Outcome::known).cloned();
                let fields: Option<Vec<Value>> = peeling.slots.iter().map(value).collect();
                fields.map(|fields| Outcome::Known(Value::tuple(fields)))
            }
        }
        .ok_or(Stop::Unsolvable)
    }
}

/// What is known; else all must be walked through.
fn known(outcome: Outcome) -> Result<Value, Stop> {
    match outcome {
        Outcome::Known(value) => Ok(value),
        _ => Err(Stop::Unsolvable),
    }
}
