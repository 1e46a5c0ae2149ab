//! The forgetting rule: what a look revealed stays in the state while a later look can ask for it again.
//!
//! Of a hidden pool, the dice that show no face which a later look can name are forgotten. Which faces those are follows
//! from the looks of the program from that place on (`prepare/looks.rs`) and from what the variables in them can still
//! be: a member of what a `foreach` has left, or a number from where a parameter is now in the direction that every call
//! moves it. Of looks that only ask whether any die shows a face, that is all that stays. Looks at members by their place
//! in the order see no difference if other members show something else, as long as the order stays. Where this cannot be shown,
//! nothing is forgotten: more states, never another answer.

use super::state::Place;
use super::{Machine, Values};
use crate::hidden::{Faces, Hidden, KindsId};
use crate::map::HashMap;
use crate::method::FORGETTING;
use crate::outcome::Outcome;
use crate::prepare::Way;
use std::cell::RefCell;
use std::rc::Rc;
use tumble_core::prim::Extent;
use tumble_core::{FnId, Slot, TermId, Value};

/// Functions inside one another that are looked into.
const MOST_FUNCTIONS: usize = 16;

/// What later looks can ask for: these faces, and whether they count the dice that show them.
pub(super) struct Asked {
    pub(super) faces: Faces,
    counts: bool,
    /// In place of faces: which of all members in ascending order, whatever they show.
    pub(super) ranks: Option<Vec<bool>>,
}

impl Asked {
    /// What both ask for; none if faces and places in the order don't go together.
    fn and(self, other: Asked) -> Option<Asked> {
        let ranks = match (self.ranks, other.ranks) {
            (Some(a), Some(b)) => Some(a.iter().zip(b).map(|(a, b)| *a || b).collect()),
            (ranks, None) | (None, ranks) => ranks,
        };
        let faces = self.faces.or(&other.faces);
        let fits = ranks.is_none() || faces.is_empty();
        fits.then_some(Asked { faces, counts: self.counts || other.counts, ranks })
    }
}

/// What was found out, by place, variable, kinds of dice and what the looks depend on.
pub(super) type Memory = RefCell<HashMap<(Place, Slot, KindsId, Vec<Option<Outcome>>), Option<Rc<Asked>>>>;

impl Machine<'_> {
    /// Forgets what no look from a place on can ask for.
    pub(super) fn forget(&self, place: Place, slots: &mut Values) {
        if !self.desk.allows(&FORGETTING) {
            return;
        }
        for i in 0..slots.len() {
            if let Some(Outcome::Pool(pool)) = &slots[i]
                && pool.shared.is_empty()
                && let Some(left) = self.forgotten(place, Slot(i as u32), slots, pool)
            {
                slots[i] = Some(left);
            }
        }
        self.lower(place, slots);
    }

    /// A pool without what no look from a place on can ask for; none if it stays as it is.
    fn forgotten(&self, place: Place, slot: Slot, slots: &Values, pool: &Hidden) -> Option<Outcome> {
        let (body, cursor, turn) = match place {
            Place::At(term) => (term, None, 0),
            Place::Head(_) | Place::Inside(..) => return None,
            Place::Turn(term) => {
                let stream = self.plan.streams.get(&term)?;
                (stream.body, Some(stream.cursor), 1)
            }
        };
        let looks = self.plan.looks(body, slot)?;
        let site = (2 * body.index() as u32 + turn, slot.0);
        let depends = looks.depends.iter().chain(&cursor).map(|slot| &slots[slot.index()]);
        if let Some(left) = pool.forgot(site, depends.clone()) {
            return Some(left);
        }
        let asked = self.asked(place, slot, slots, pool)?;
        let left = match &asked.ranks {
            Some(ranks) => pool.levelled(ranks),
            None => pool.remembering(&asked.faces, !asked.counts),
        };
        pool.forgets(site, depends, &left);
        Some(left.outcome())
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

    /// What looks from a place on can ask for, if they only ask whether any die shows it.
    pub(super) fn asks_at_all(&self, place: Place, slot: Slot, slots: &Values, pool: &Hidden) -> Option<Rc<Asked>> {
        let asked = if self.desk.allows(&FORGETTING) { self.asked(place, slot, slots, pool) } else { None };
        asked.filter(|asked| !asked.counts && asked.ranks.is_none())
    }

    /// What looks from a place on can ask for, found out once for equal variables; none if that may be all.
    fn asked(&self, place: Place, slot: Slot, slots: &Values, pool: &Hidden) -> Option<Rc<Asked>> {
        let (body, cursor) = match place {
            Place::At(term) => (term, None),
            Place::Head(_) | Place::Inside(..) => return None,
            Place::Turn(term) => {
                let stream = self.plan.streams.get(&term)?;
                (stream.body, Some(stream.cursor))
            }
        };
        let looks = self.plan.looks(body, slot)?;
        let seen = looks.depends.iter().chain(&cursor).map(|slot| slots[slot.index()].clone()).collect();
        let key = (place, slot, pool.kinds_id(), seen);
        if let Some(asked) = self.asked.borrow().get(&key) {
            return asked.clone();
        }
        let asked = self.find_asked(place, slot, slots, pool).map(Rc::new);
        self.asked.borrow_mut().insert(key, asked.clone());
        asked
    }

    fn find_asked(&self, place: Place, slot: Slot, slots: &Values, pool: &Hidden) -> Option<Asked> {
        match place {
            Place::At(term) => self.kept_by(term, slot, pool, &self.known_at(term, slots), &mut vec![]),
            Place::Head(_) | Place::Inside(..) => None,
            Place::Turn(term) => {
                let stream = self.plan.streams.get(&term)?;
                if self.plan.looks_beside(stream, slot) {
                    return None;
                }
                let (left, faces) = self.stream_left(stream, slots)?;
                let mut known = self.known_at(stream.body, slots);
                known.insert(stream.slot, Extent::Number(left));
                let asked = self.kept_by(stream.body, slot, pool, &known, &mut vec![])?;
                // A stream that goes through the faces of the pool asks for those that are left.
                let own = pool.places(|face| faces.contains(face));
                let rows = self.face_source(stream).map_or(vec![], |(_, rows)| rows);
                let counts = !own.is_empty() && !self.stays_once(&rows, pool.count());
                asked.and(Asked { faces: own, counts, ranks: None })
            }
        }
    }

    /// What the looks inside a term can ask for, and those of the functions it hands the pool to.
    pub(super) fn kept_by(
        &self,
        term: TermId,
        slot: Slot,
        pool: &Hidden,
        known: &HashMap<Slot, Extent>,
        inside: &mut Vec<FnId>,
    ) -> Option<Asked> {
        let plan = self.plan;
        let looks = plan.looks(term, slot)?;
        let faces = pool.places(|face: &Value| looks.filters.iter().any(|look| plan.may_keep(look, face, known)));
        let mut asked = Asked { faces, counts: looks.counts, ranks: None };
        for rows in &looks.ranks {
            let ranks = Some(plan.may_keep_ranks(rows, pool.count() as usize, known)?);
            asked = asked.and(Asked { faces: Faces::default(), counts: false, ranks })?;
        }
        for (function, place, args) in &looks.calls {
            if inside.contains(function) || inside.len() > MOST_FUNCTIONS {
                return None;
            }
            let routine = &plan.functions[function.index()];
            let ways = plan.ways(function.index());
            let given = args.iter().map(|arg| plan.extent(*arg, known));
            let later = given.zip(ways.iter()).map(|(now, way)| Way::widened(*way, now));
            let params = routine.params.iter().copied().zip(later).collect();
            inside.push(*function);
            let more = self.kept_by(routine.body, routine.params[*place], pool, &params, inside)?;
            inside.pop();
            asked = asked.and(more)?;
        }
        Some(asked)
    }

    /// What the variables can be from a term on; in a function that calls itself, in later calls too.
    pub(super) fn known_at(&self, term: TermId, slots: &Values) -> HashMap<Slot, Extent> {
        let function = self.plan.functions.iter().position(|routine| routine.body == term);
        let ways = function.map(|function| self.plan.ways(function));
        let params = function.map_or(&[][..], |function| &self.plan.functions[function].params);
        let mut known = HashMap::default();
        for slot in &self.plan.free[term.index()] {
            let Some(Outcome::Known(value)) = &slots[slot.index()] else { continue };
            let place = params.iter().position(|param| param == slot);
            let way = place.zip(ways.as_ref()).map_or(Some(Way::Same), |(place, ways)| ways[place]);
            known.insert(*slot, Way::widened(way, Extent::Known(value.clone())));
        }
        known
    }
}
