//! Pools of which only the order matters (`prepare/ordered.rs`), in the states of a walk.
//!
//! Their faces are revealed together, from the end where one is asked for: what is known of one pool then lies on one side
//! of all that the others can still show. Known members are written with the lowest faces that compare in the same way, so
//! that states are one that differ only in faces nobody asks for.

use super::state::{Place, State};
use super::{Machine, Values};
use crate::hidden::{Faces, lowest};
use crate::outcome::{Need, Outcome};
use tumble_core::{Data, Slot, Value};

/// With more faces, members stay as they are.
const MOST_FACES: usize = 300;
/// How often the faces of all pools are looked at, until none is lower.
const MOST_ROUNDS: usize = 8;

/// What the members of a pool show, and what those can show that are not known.
struct Shown {
    slot: Slot,
    known: Vec<i64>,
    open: Vec<i64>,
}

impl Machine<'_> {
    /// The pools of a state, if it only matters how their members compare: at least one of them hidden.
    fn compared(&self, place: Place, slots: &Values) -> Option<Vec<Slot>> {
        if !self.desk.allows(&crate::method::FORGETTING) || !cfg!(feature = "full") {
            return None;
        }
        let live = self.live(place);
        let pool = |slot: &Slot| match &slots[slot.index()] {
            Some(Outcome::Pool(pool)) => Some((true, pool.shared.is_empty() && !pool.is_tied())),
            Some(Outcome::Known(Value { data: Data::Pool(_), .. })) => Some((false, true)),
            _ => None,
        };
        let (mut pools, mut hidden) = (vec![], false);
        for slot in live.iter() {
            let Some((is_hidden, own)) = pool(slot) else { continue };
            if !own {
                return None;
            }
            hidden |= is_hidden;
            pools.push(*slot);
        }
        if !hidden || pools.len() < 2 {
            return None;
        }
        let sees = match place {
            Place::At(term) => self.plan.sees_order(term, &pools),
            Place::Turn(term) => self.plan.stream_sees_order(self.plan.streams.get(&term)?, &pools),
            Place::Head(_) | Place::Inside(..) => false,
        };
        sees.then_some(pools)
    }

    /// Lets the known members of such pools show the lowest faces that compare as theirs do.
    pub(super) fn lower(&self, place: Place, slots: &mut Values) {
        let Some(pools) = self.compared(place, slots) else { return };
        let Some(mut shown) = pools.iter().map(|slot| shown(*slot, slots)).collect::<Option<Vec<Shown>>>() else {
            return;
        };
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for at in 0..shown.len() {
                if let Some(lower) = lowered(&shown, at, slots) {
                    (shown[at].known, changed) = (lower, true);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The pool whose face is revealed in place of one that is asked for.
    pub(super) fn in_step(&self, state: &State, need: &Need, slot: Slot) -> Option<(Slot, Faces)> {
        let [asked] = &need.faces[..] else { return None };
        let pools = self.compared(state.place, &state.env)?;
        let ends = |slot: &Slot| match &state.env[slot.index()] {
            Some(Outcome::Pool(pool)) => pool.open_ends().map(|(low, high)| (*slot, low, high)),
            _ => None,
        };
        let all: Vec<(Slot, &Value, &Value)> = pools.iter().filter_map(ends).collect();
        let (_, low, high) = *all.iter().find(|(own, ..)| *own == slot)?;
        let (first, face) = match (asked == high, asked == low) {
            (true, _) => all.iter().map(|(slot, _, high)| (*slot, *high)).max_by(|a, b| a.1.cmp(b.1))?,
            (_, true) => all.iter().map(|(slot, low, _)| (*slot, *low)).min_by(|a, b| a.1.cmp(b.1))?,
            (false, false) => return None,
        };
        let Some(Outcome::Pool(pool)) = &state.env[first.index()] else { return None };
        (face != asked).then(|| (first, pool.places(|other| other == face)))
    }
}

/// What the known members of one of these pools show from now on, if that is something else.
fn lowered(shown: &[Shown], at: usize, slots: &mut Values) -> Option<Vec<i64>> {
    let others = shown.iter().enumerate().filter(|(i, _)| *i != at);
    let mut others: Vec<i64> = others.flat_map(|(_, other)| other.known.iter().chain(&other.open)).copied().collect();
    others.sort_unstable();
    let Shown { slot, known, open } = &shown[at];
    match &mut slots[slot.index()] {
        Some(Outcome::Pool(pool)) => pool.lowered(&others),
        Some(Outcome::Known(value)) => {
            // With nothing below, it is the number before the next one.
            let before = |n: i64| others.iter().find(|other| **other > n).map_or(0, |other| other - 1);
            let lower = |n: &i64| lowest(*n, &others, open).unwrap_or_else(|| before(*n));
            let lower: Vec<i64> = known.iter().map(lower).collect();
            (lower != *known).then(|| {
                *value = Value::ints(&lower);
                lower
            })
        }
        _ => None,
    }
}

fn shown(slot: Slot, slots: &Values) -> Option<Shown> {
    match &slots[slot.index()] {
        Some(Outcome::Pool(pool)) => {
            let (known, open) = pool.numbers(MOST_FACES)?;
            Some(Shown { slot, known, open })
        }
        Some(Outcome::Known(value)) => {
            let members = value.as_pool()?;
            let mut known: Vec<i64> = members.iter().map(Value::as_int).collect::<Option<_>>()?;
            known.sort_unstable();
            (known.len() <= MOST_FACES).then_some(Shown { slot, known, open: vec![] })
        }
        _ => None,
    }
}
