//! What variables hold, and what becomes of outcomes on the way into them.

use super::Env;
use crate::dist::Dist;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::hash::Hash;
use std::rc::Rc;
use tumble_core::{Fault, Slot, prim};

/// More ways than this to choose among collections in parts are listed instead.
pub(super) const MOST_ALTERNATIVES: usize = 64;

/// Outcomes of several laws together with their weights, which add up to the first number.
pub(super) type Combinations = (UBig, Vec<(Vec<Outcome>, UBig)>);

/// Things by number.
pub(super) struct Numbers<T> {
    pub(super) all: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    pub(super) fn new() -> Numbers<T> {
        Numbers { all: vec![], places: HashMap::default() }
    }

    pub(super) fn of(&mut self, thing: T) -> usize {
        let next = self.all.len();
        *self.places.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            next
        })
    }
}

/// The variables with some more bound.
pub(super) fn with(env: &Env, values: &[(Slot, Outcome)]) -> Env {
    let mut slots = Vec::clone(env);
    for (slot, outcome) in values {
        slots[slot.index()] = Some(outcome.clone());
    }
    Rc::new(slots)
}

/// What so many variables take of an outcome: one takes it whole, several take a field each. Or what is lost with it.
pub(super) fn fields(outcome: Outcome, width: usize) -> Result<Result<Vec<Outcome>, Outcome>, Stop> {
    match outcome {
        lost if lost.is_lost() => Ok(Err(lost)),
        whole if width == 1 => Ok(Ok(vec![whole])),
        Outcome::Several(values) if values.len() == width => Ok(Ok(values.to_vec())),
        Outcome::Known(value) => Ok(Ok(prim::fields(&value, width)?.iter().cloned().map(Outcome::Known).collect())),
        other => beyond(&[other]).map(Err),
    }
}

/// What an operation on something unlisted gives when nothing more can be said.
pub(super) fn beyond(args: &[Outcome]) -> Result<Outcome, Stop> {
    if args.iter().any(|arg| matches!(arg, Outcome::Hole { .. })) {
        return Err(Stop::Unsolvable);
    }
    if let Some(Outcome::Pool(pool)) = args.iter().find(|arg| matches!(arg, Outcome::Pool(_))) {
        pool.all_known()?;
    }
    Ok(if args.contains(&Outcome::Cut) { Outcome::Cut } else { Outcome::Unknown })
}

/// The weights of a truth.
pub(super) struct Truth {
    pub(super) den: UBig,
    pub(super) yes: UBig,
    pub(super) no: UBig,
    pub(super) others: Vec<(Outcome, UBig)>,
}

impl Truth {
    pub(super) fn of(dist: &Dist) -> Result<Truth, Stop> {
        let mut truth = Truth { den: dist.den.clone(), yes: UBig::ZERO, no: UBig::ZERO, others: vec![] };
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => match value.as_bool() {
                    Some(true) => truth.yes += weight,
                    Some(false) => truth.no += weight,
                    None => {
                        return Err(Fault::wrong_type(format!("expected true or false, not {}", value.sort())).into());
                    }
                },
                other => truth.others.push((beyond(std::slice::from_ref(other))?, weight.clone())),
            }
        }
        Ok(truth)
    }
}
