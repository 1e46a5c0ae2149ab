//! The forgetting rule: what a look revealed stays in the state while a later look can ask for it again.
//!
//! Of a hidden pool, the dice that show no face which a later look can name are forgotten. Which faces those are follows
//! from the looks of the program from that place on (`prepare/looks.rs`) and from what the variables in them can still
//! be: a member of what a `foreach` has left, or a number from where a parameter is now in the direction that every call
//! moves it. Where this cannot be shown, nothing is forgotten: more states, never another answer.

use super::Machine;
use super::walk::Place;
use crate::hidden::{Faces, Hidden};
use crate::map::HashMap;
use crate::method::FORGETTING;
use crate::outcome::Outcome;
use crate::prepare::Way;
use tumble_core::prim::{Extent, Interval};
use tumble_core::{FnId, Slot, TermId, Value};

type Values = [Option<Outcome>];

impl Machine<'_> {
    /// Forgets what no look from a place on can ask for.
    pub(super) fn forget(&self, place: Place, slots: &mut Values) {
        if !self.desk.allows(&FORGETTING) {
            return;
        }
        for i in 0..slots.len() {
            let Some(Outcome::Pool(pool)) = &slots[i] else { continue };
            if pool.shared.is_empty()
                && let Some(asked) = self.asked(place, Slot(i as u32), slots, pool)
            {
                slots[i] = Some(pool.remembering(&asked).outcome());
            }
        }
    }

    /// The same for the arguments of a call.
    pub(super) fn forget_arguments(&self, function: FnId, args: Vec<Outcome>) -> Vec<Outcome> {
        if !args.iter().any(|arg| matches!(arg, Outcome::Pool(_))) {
            return args;
        }
        let routine = &self.plan.functions[function.index()];
        let mut slots = vec![None; routine.slots];
        routine.params.iter().zip(args).for_each(|(param, arg)| slots[param.index()] = Some(arg));
        self.forget(Place::At(routine.body), &mut slots);
        routine.params.iter().map(|param| slots[param.index()].take().unwrap_or(Outcome::Unknown)).collect()
    }

    /// The faces of a pool that looks from a place on can ask for; none if that may be all.
    fn asked(&self, place: Place, slot: Slot, slots: &Values, pool: &Hidden) -> Option<Faces> {
        match place {
            Place::At(term) => self.kept_by(term, slot, pool, &self.known_at(term, slots)),
            Place::Head(_) | Place::Pass(_) => None,
            Place::Turn(term) => {
                let stream = self.plan.streams.get(&term)?;
                if self.plan.after(stream).contains(&slot) {
                    return None;
                }
                let (left, faces) = self.stream_left(stream, slots)?;
                let mut known = self.known_at(stream.body, slots);
                known.insert(stream.slot, Extent::Number(left));
                let asked = self.kept_by(stream.body, slot, pool, &known)?;
                // A stream that goes through the faces of the pool asks for those that are left.
                let own = pool.places(|face| faces.contains(face));
                Some(Faces::collect((0..pool.faces()).filter(|place| asked.contains(*place) || own.contains(*place))))
            }
        }
    }

    /// The faces that the looks inside a term can keep.
    fn kept_by(&self, term: TermId, slot: Slot, pool: &Hidden, known: &HashMap<Slot, Extent>) -> Option<Faces> {
        let looks = self.plan.looks(term, slot)?;
        Some(pool.places(|face: &Value| looks.iter().any(|look| self.plan.may_keep(look, face, known))))
    }

    /// What the variables can be from a term on; in a function that calls itself, in later calls too.
    fn known_at(&self, term: TermId, slots: &Values) -> HashMap<Slot, Extent> {
        let function = self.plan.functions.iter().position(|routine| routine.body == term);
        let ways = function.map(|function| self.plan.ways(function)).unwrap_or_default();
        let params = function.map_or(&[][..], |function| &self.plan.functions[function].params);
        let mut known = HashMap::default();
        for slot in &self.plan.free[term.index()] {
            let Some(Outcome::Known(value)) = &slots[slot.index()] else { continue };
            let extent = match params.iter().position(|param| param == slot).map(|place| ways[place]) {
                None | Some(Some(Way::Same)) => Extent::Known(value.clone()),
                Some(Some(way)) => match value.as_int() {
                    Some(n) if way == Way::Up => Extent::Number(Interval { lo: Some(n), hi: None }),
                    Some(n) => Extent::Number(Interval { lo: None, hi: Some(n) }),
                    None => Extent::Any,
                },
                Some(None) => Extent::Any,
            };
            known.insert(*slot, extent);
        }
        known
    }
}
