//! A stream over hidden pools that asks for each face by itself, by dynamic programming.
//!
//! ```text
//! count foreach i in 1..6 do 2 <= (count i=x)
//! ```
//!
//! What the rows around have seen so far is an automaton that reads one face after the other, with how many dice show it;
//! the rest of the pools goes along as how many dice of each kind are left. It is the walk of `stream`, without a
//! state for every step: what a face gives is computed once for each number of dice that show it, and where that
//! leads once for each state of the automaton. The order of the faces is free, since nothing sees it; from the top down,
//! dice that have shown none of the higher faces become alike.

use super::stream::Cursor;
use super::values::Numbers;
use super::{Env, Machine};
use crate::hidden::{Faces, Hidden};
use crate::law::Law;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::prepare::Stream;
use crate::weight::bits;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::prim::{Extent, Rank};
use tumble_core::sort;
use tumble_core::{Fault, Slot, TermId, Value};

/// More members are not gone through this way.
const MOST_MEMBERS: usize = 500;

/// Outcomes of all chains, with weights that add up to the mass of the pools.
type Shown = (UBig, Vec<(Vec<Outcome>, UBig)>);

/// A stream that is a fold over the faces of some pools.
pub(super) struct Fold<'a> {
    pub(super) stream: &'a Stream,
    pub(super) slots: Vec<Slot>,
    /// The row that keeps some of the dice of each face, where the members are those of the only pool.
    pub(super) rows: Option<Vec<TermId>>,
    pub(super) env: &'a Env,
    pub(super) count: u64,
}

/// The members of a stream, and the rows that keep some of them if they are those of its pool.
pub(super) type Members = (Vec<Value>, Option<Vec<TermId>>);

/// The pools, with as much as is left of them.
pub(super) type Pools = Vec<Hidden>;

/// The weights by what is left of the pools and state of the automaton.
pub(super) type Layer = HashMap<usize, HashMap<usize, UBig>>;

impl Machine<'_> {
    /// What the chains of a stream show of pools that nothing else looks at; none if it is no such fold.
    pub(super) fn folded(&mut self, stream: &Stream, env: &Env, laws: &[Rc<Law>]) -> Result<Option<Shown>, Stop> {
        let Some((slots, start)) = self.fold_pools(stream, env) else { return Ok(None) };
        let Some((members, rows)) = self.fold_members(stream, env, laws)? else { return Ok(None) };
        let alone = |member: &Value| {
            slots.iter().zip(&start).all(|(slot, pool)| self.asks_itself(stream, *slot, pool, member, env))
        };
        if (rows.is_some() && slots.len() > 1) || !members.iter().all(alone) {
            return Ok(None);
        }
        let mass: UBig = start.iter().map(Hidden::mass).product();
        let fold = Fold { stream, slots, rows, env, count: start.iter().map(Hidden::count).sum() };
        let Ok(unit) = self.stream_unit(stream, env) else { return Ok(None) };
        let (mut pools, mut seen) = (Numbers::new(), Numbers::new());
        let mut layer = Layer::default();
        let start = (pools.of(start), seen.of(unit));
        layer.entry(start.0).or_default().insert(start.1, UBig::ONE);
        for (face, fed) in to_read(members, &pools.all[start.0]).iter().rev() {
            layer = self.fold_face(&fold, (face, *fed), layer, &mut pools, &mut seen)?;
        }
        let mut items: HashMap<usize, UBig> = HashMap::default();
        for (left, states) in layer {
            let rest: UBig = pools.all[left].iter().map(Hidden::mass).product();
            states.into_iter().for_each(|(state, w)| *items.entry(state).or_insert(UBig::ZERO) += w * &rest);
        }
        let mut shown = Vec::with_capacity(items.len());
        for (state, weight) in items {
            shown.push((self.stream_shows(stream, env, &seen.all[state])?, weight));
        }
        sort::sort(&mut shown);
        if shown.iter().map(|(_, weight)| weight).sum::<UBig>() != mass {
            return Err(Fault::mistake("internal error: the probabilities of a fold do not add up to 1").into());
        }
        Ok(Some((mass, shown)))
    }

    /// The pools that the bodies look at, if nothing else will.
    fn fold_pools(&self, stream: &Stream, env: &Env) -> Option<(Vec<Slot>, Pools)> {
        if !self.plan.pure[stream.body.index()] || !self.desk.allows(&crate::method::FORGETTING) {
            return None;
        }
        let pool = |slot: &Slot| match &env[slot.index()] {
            Some(Outcome::Pool(pool)) => Some((*slot, pool.clone())),
            _ => None,
        };
        let (slots, pools): (Vec<Slot>, Pools) = self.plan.free[stream.body.index()].iter().filter_map(pool).unzip();
        let elsewhere = slots.iter().any(|slot| self.plan.looks_beside(stream, *slot));
        let own = pools.iter().all(|pool| pool.shared.is_empty());
        (own && !pools.is_empty() && !elsewhere).then_some((slots, pools))
    }

    /// The members in ascending order, each once; and the rows if they are the faces of the pool.
    pub(super) fn fold_members(
        &mut self,
        stream: &Stream,
        env: &Env,
        laws: &[Rc<Law>],
    ) -> Result<Option<Members>, Stop> {
        let lent = super::pools::all_lent(env, self.at);
        let Ok((_, starts)) = self.stream_starts(stream, &lent, laws) else { return Ok(None) };
        let [(start, _)] = starts.as_slice() else { return Ok(None) };
        let Some(cursor) = Cursor::of(start.first()) else { return Ok(None) };
        let rows = match cursor {
            Cursor::Members(_) => None,
            Cursor::Faces { .. } => self.face_source(stream).map(|(_, rows)| rows),
        };
        let mut members = self.lists.members(cursor.list());
        let all = members.len();
        sort::sort(&mut members);
        members.dedup();
        Ok((members.len() == all && all <= MOST_MEMBERS).then_some((members, rows)))
    }

    /// Whether a body asks the pool only how many dice show its own member.
    pub(super) fn asks_itself(&self, stream: &Stream, slot: Slot, pool: &Hidden, member: &Value, env: &Env) -> bool {
        let mut known = self.known_at(stream.body, env);
        known.insert(stream.slot, Extent::Known(member.clone()));
        let own = pool.places(|face| face == member);
        let asked = self.kept_by(stream.body, slot, pool, &known, &mut vec![]);
        asked.is_some_and(|asked| asked.ranks.is_none() && asked.faces.without(&own).is_empty())
    }

    /// One face: some of the dice that are left show it.
    fn fold_face(
        &mut self,
        fold: &Fold<'_>,
        (member, fed): (&Value, bool),
        layer: Layer,
        pools: &mut Numbers<Pools>,
        seen: &mut Numbers<Outcome>,
    ) -> Result<Layer, Stop> {
        let mut next = Layer::default();
        let mut given: HashMap<Vec<u64>, Outcome> = HashMap::default();
        let mut steps: Numbers<(Vec<u64>, u64)> = Numbers::new();
        let mut leads: HashMap<(usize, usize), usize> = HashMap::default();
        for (left, states) in layer {
            let count: u64 = pools.all[left].iter().map(Hidden::count).sum();
            for (ways, shows, rest) in self.fold_split(&pools.all[left], member)? {
                let here = shows.iter().sum();
                let rank = Rank { below: count - here, here, above: fold.count - count };
                let stay = if fed { self.fold_stays(fold, member, rank)? } else { 0 };
                let by = steps.of((shows, stay));
                let to = next.entry(pools.of(rest)).or_default();
                for (state, weight) in &states {
                    self.desk.budget.step(1 + bits(weight) / 64)?;
                    let lead = match leads.get(&(*state, by)) {
                        Some(lead) => *lead,
                        None => {
                            let (so_far, (shows, stay)) = (seen.all[*state].clone(), &steps.all[by]);
                            let lead = seen.of(self.fold_fed(fold, member, &so_far, (shows, *stay), &mut given)?);
                            leads.insert((*state, by), lead);
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

    /// In how many ways how many dice of each pool show a face, and what is left of the pools then.
    pub(super) fn fold_split(
        &mut self,
        pools: &[Hidden],
        member: &Value,
    ) -> Result<Vec<(UBig, Vec<u64>, Pools)>, Stop> {
        let mut all = vec![(UBig::ONE, vec![], vec![])];
        for pool in pools {
            let place = pool.places(|face| face == member);
            let parts = pool.revealed(&place, None, &mut self.desk.budget)?;
            let mut longer = Vec::with_capacity(all.len() * parts.len());
            for (ways, shows, rests) in &all {
                self.desk.budget.step(4 * parts.len() as u64)?;
                for (more, part) in &parts {
                    let here = match place.single() {
                        Some(place) => part.showing(place).map_err(|_| super::state::lost_track())?,
                        None => 0,
                    };
                    let rest = part.remembering(&Faces::all(part.faces() as usize).without(&place), false);
                    let (shows, rests): (&Vec<u64>, &Pools) = (shows, rests);
                    let shows = shows.iter().copied().chain([here]).collect();
                    longer.push((ways * more, shows, rests.iter().cloned().chain([rest]).collect()));
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// How many bodies there are for a face.
    pub(super) fn fold_stays(&mut self, fold: &Fold<'_>, member: &Value, rank: Rank) -> Result<u64, Stop> {
        match &fold.rows {
            None => Ok(1),
            Some(rows) => self.staying(rows, fold.env, member, rank),
        }
    }

    /// What the chains have seen after the bodies for a face.
    pub(super) fn fold_fed(
        &mut self,
        fold: &Fold<'_>,
        member: &Value,
        so_far: &Outcome,
        (shows, stay): (&[u64], u64),
        given: &mut HashMap<Vec<u64>, Outcome>,
    ) -> Result<Outcome, Stop> {
        let mut slots = Vec::clone(fold.env);
        let gives = match given.get(shows) {
            Some(gives) => gives.clone(),
            None if stay == 0 => return Ok(so_far.clone()),
            None => {
                self.desk.budget.step(10 + shows.iter().sum::<u64>())?;
                let mut slots = slots.clone();
                slots[fold.stream.slot.index()] = Some(Outcome::Known(member.clone()));
                for (slot, here) in fold.slots.iter().zip(shows) {
                    let dice = (0..*here).map(|_| member.clone()).collect();
                    slots[slot.index()] = Some(Outcome::Known(Value::pool(dice)));
                }
                let gives = self.computed_in(fold.stream.body, &mut slots)?;
                given.insert(shows.to_vec(), gives.clone());
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

/// The faces to read in ascending order, each with whether it is a member; a pool that is given reads all of its own.
fn to_read(members: Vec<Value>, pools: &[Hidden]) -> Vec<(Value, bool)> {
    let mut faces: Vec<(Value, bool)> = members.into_iter().map(|member| (member, true)).collect();
    for pool in pools.iter().filter(|pool| pool.is_given()) {
        for face in (0..pool.faces()).map(|place| pool.face(place)) {
            if let Err(place) = faces.binary_search_by(|(other, _)| other.cmp(face)) {
                faces.insert(place, (face.clone(), false));
            }
        }
    }
    faces
}
