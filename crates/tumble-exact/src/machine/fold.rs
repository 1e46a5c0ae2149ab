//! A stream over a hidden pool that asks each face only for itself, by dynamic programming.
//!
//! ```text
//! count foreach i in 1..6 do 2 <= (count i=x)
//! ```
//!
//! What the rows around have seen so far is an automaton that reads one face after the other, with how many dice show it;
//! the rest of the pool goes along as how many dice of each kind are left. It is the walk of `stream`, without a
//! state for every step: what a face gives is computed once for each number of dice that show it, and where that
//! leads once for each state of the automaton. The order of the faces is free, since nothing sees it; from the top down,
//! dice that have shown none of the higher faces become alike.

use super::stream::Cursor;
use super::{Env, Machine};
use crate::hidden::{Faces, Hidden};
use crate::law::Law;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::prepare::Stream;
use crate::weight::bits;
use dashu_int::UBig;
use std::hash::Hash;
use std::rc::Rc;
use tumble_core::prim::{Extent, Rank};
use tumble_core::{Fault, Slot, TermId, Value};

/// More members are not gone through this way.
const MOST_MEMBERS: usize = 500;

/// Outcomes of all chains, with weights that add up to the mass of the pool.
type Shown = (UBig, Vec<(Vec<Outcome>, UBig)>);

/// A stream that is a fold over the faces of one pool.
struct Fold<'a> {
    stream: &'a Stream,
    slot: Slot,
    /// The row that keeps some of the dice of each face, where the members are those of the pool.
    rows: Option<Vec<TermId>>,
    env: &'a Env,
    count: u64,
}

/// Things by number.
struct Numbers<T> {
    all: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers { all: vec![], places: HashMap::default() }
    }

    fn of(&mut self, thing: T) -> usize {
        let next = self.all.len();
        *self.places.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            next
        })
    }
}

/// The weights by pool that is left and state of the automaton.
type Layer = HashMap<usize, HashMap<usize, UBig>>;

impl Machine<'_> {
    /// What the chains of a stream show of a pool that nothing else looks at; none if it is no such fold.
    pub(super) fn folded(&mut self, stream: &Stream, env: &Env, laws: &[Rc<Law>]) -> Result<Option<Shown>, Stop> {
        let Some((slot, pool)) = self.only_pool(stream, env) else { return Ok(None) };
        let Some((members, rows)) = self.fold_members(stream, env, laws)? else { return Ok(None) };
        if !members.iter().all(|member| self.asks_itself(stream, slot, &pool, member, env)) {
            return Ok(None);
        }
        let fold = Fold { stream, slot, rows, env, count: pool.count() };
        let Ok(unit) = self.stream_unit(stream, env) else { return Ok(None) };
        let (mut pools, mut seen) = (Numbers::new(), Numbers::new());
        let mut layer = Layer::default();
        let start = (pools.of(pool.clone()), seen.of(unit));
        layer.entry(start.0).or_default().insert(start.1, UBig::ONE);
        for member in members.iter().rev() {
            layer = self.fold_face(&fold, member, layer, &mut pools, &mut seen)?;
        }
        let mut items: HashMap<usize, UBig> = HashMap::default();
        for (left, states) in layer {
            let rest = pools.all[left].mass();
            states.into_iter().for_each(|(state, w)| *items.entry(state).or_insert(UBig::ZERO) += w * &rest);
        }
        let mut shown = Vec::with_capacity(items.len());
        for (state, weight) in items {
            shown.push((self.stream_shows(stream, env, &seen.all[state])?, weight));
        }
        shown.sort();
        let mass = pool.mass();
        if shown.iter().map(|(_, weight)| weight).sum::<UBig>() != mass {
            return Err(Fault::mistake("internal error: the probabilities of a fold do not add up to 1").into());
        }
        Ok(Some((mass, shown)))
    }

    /// The pool that the bodies look at, if it is the only one and nothing else will.
    fn only_pool(&self, stream: &Stream, env: &Env) -> Option<(Slot, Hidden)> {
        if !self.plan.pure[stream.body.index()] || !self.desk.allows(crate::plan::Method::Forget) {
            return None;
        }
        let pool = |slot: &Slot| match &env[slot.index()] {
            Some(Outcome::Pool(pool)) => Some((*slot, pool.clone())),
            _ => None,
        };
        let mut pools = self.plan.free[stream.body.index()].iter().filter_map(pool);
        let (slot, pool) = pools.next()?;
        let arguments = stream.chains.iter().flat_map(crate::prepare::Watched::arguments);
        let elsewhere = { arguments }.any(|arg| self.plan.free[arg.index()].contains(&slot));
        let only = pools.next().is_none() && !elsewhere && !self.plan.after(stream).contains(&slot);
        (only && pool.shared.is_empty()).then_some((slot, pool))
    }

    /// The members in ascending order, each once; and the rows if they are the faces of the pool.
    fn fold_members(
        &mut self,
        stream: &Stream,
        env: &Env,
        laws: &[Rc<Law>],
    ) -> Result<Option<(Vec<Value>, Option<Vec<TermId>>)>, Stop> {
        let lent = super::pools::all_lent(env, self.at);
        let Ok((_, starts)) = self.stream_starts(stream, &lent, laws) else { return Ok(None) };
        let [(start, _)] = starts.as_slice() else { return Ok(None) };
        let (mut members, rows) = match Cursor::of(start.first()) {
            Some(Cursor::Members(members)) => (members, None),
            Some(Cursor::Faces { faces, .. }) => (faces, self.face_source(stream).map(|(_, rows)| rows)),
            None => return Ok(None),
        };
        let all = members.len();
        members.sort();
        members.dedup();
        Ok((members.len() == all && all <= MOST_MEMBERS).then_some((members, rows)))
    }

    /// Whether a body asks the pool only how many dice show its own member.
    fn asks_itself(&self, stream: &Stream, slot: Slot, pool: &Hidden, member: &Value, env: &Env) -> bool {
        let mut known = self.known_at(stream.body, env);
        known.insert(stream.slot, Extent::Known(member.clone()));
        let own = pool.places(|face| face == member);
        let asked = self.kept_by(stream.body, slot, pool, &known, &mut vec![]);
        asked.is_some_and(|asked| asked.faces.without(&own).is_empty())
    }

    /// One face: some of the dice that are left show it.
    fn fold_face(
        &mut self,
        fold: &Fold<'_>,
        member: &Value,
        layer: Layer,
        pools: &mut Numbers<Hidden>,
        seen: &mut Numbers<Outcome>,
    ) -> Result<Layer, Stop> {
        let mut next = Layer::default();
        let mut given: HashMap<u64, Outcome> = HashMap::default();
        let mut leads: HashMap<(usize, u64, u64), usize> = HashMap::default();
        for (left, states) in layer {
            let pool = pools.all[left].clone();
            let place = pool.places(|face| face == member);
            for (ways, part) in pool.revealed(&place, &mut self.desk.budget)? {
                let here = match place.single() {
                    Some(place) => part.showing(place).map_err(|_| super::walk::lost_track())?,
                    None => 0,
                };
                let rest = part.remembering(&Faces::all(part.faces() as usize).without(&place), false);
                let rank = Rank { below: pool.count() - here, here, above: fold.count - pool.count() };
                let stay = self.fold_stays(fold, member, rank)?;
                let to = next.entry(pools.of(rest)).or_default();
                for (state, weight) in &states {
                    self.desk.budget.step(1 + bits(weight) / 64)?;
                    let lead = match leads.get(&(*state, here, stay)) {
                        Some(lead) => *lead,
                        None => {
                            let fed =
                                self.fold_fed(fold, member, &seen.all[*state].clone(), (here, stay), &mut given)?;
                            let lead = seen.of(fed);
                            leads.insert((*state, here, stay), lead);
                            lead
                        }
                    };
                    *to.entry(lead).or_insert(UBig::ZERO) += weight * &ways;
                }
            }
            self.affordable((seen.all.len() + pools.all.len()) as u64)?;
        }
        Ok(next)
    }

    /// How many bodies there are for a face.
    fn fold_stays(&mut self, fold: &Fold<'_>, member: &Value, rank: Rank) -> Result<u64, Stop> {
        match &fold.rows {
            None => Ok(1),
            Some(rows) => self.staying(rows, fold.env, member, rank),
        }
    }

    /// What the chains have seen after the bodies for a face.
    fn fold_fed(
        &mut self,
        fold: &Fold<'_>,
        member: &Value,
        so_far: &Outcome,
        (here, stay): (u64, u64),
        given: &mut HashMap<u64, Outcome>,
    ) -> Result<Outcome, Stop> {
        let mut slots = Vec::clone(fold.env);
        slots[fold.stream.slot.index()] = Some(Outcome::Known(member.clone()));
        let dice = (0..here).map(|_| member.clone()).collect();
        slots[fold.slot.index()] = Some(Outcome::Known(Value::pool(dice)));
        let gives = match given.get(&here) {
            Some(gives) => gives.clone(),
            None if stay == 0 => return Ok(so_far.clone()),
            None => {
                let gives = self.computed_in(fold.stream.body, &mut slots)?;
                given.insert(here, gives.clone());
                gives
            }
        };
        let mut fed = so_far.clone();
        for _ in 0..stay {
            slots[fold.stream.so_far.index()] = Some(fed);
            fed = self.stream_fed(fold.stream, &Rc::new(slots.clone()), &gives)?;
        }
        Ok(fed)
    }
}
