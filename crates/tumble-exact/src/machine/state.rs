//! The states of a walk: a place in the program with the variables that are live there.

use super::flow::Leaving;
use super::values::{Numbers, fields};
use super::{Env, Slots, Values};
use crate::explain::Mark;
use crate::hidden::Owner;
use crate::map::HashMap;
use crate::outcome::{Need, Outcome, Stop};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Fault, Slot, TermId};

/// The work around one call: the term, and what was computed before the call.
pub(super) type Work = Rc<(TermId, Vec<Outcome>)>;

/// Where a state is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Before a term whose value is the result.
    At(TermId),
    /// Before the test of a loop, whose variables are bound.
    Head(TermId),
    /// In a pass of a loop, before a term whose value is that of its variables then.
    Inside(TermId, TermId),
    /// Before one more body of a stream.
    Turn(TermId),
}

pub(super) struct State {
    pub(super) place: Place,
    pub(super) env: Env,
    /// How many calls and passes lead here.
    pub(super) distance: usize,
}

/// The states met so far; those with equations are done.
pub(super) struct Walk {
    pub(super) id: u32,
    pub(super) states: Vec<State>,
    /// The states, and where places lead that were passed without chance and without a look.
    pub(super) landings: HashMap<(Place, Vec<Outcome>), Landing>,
    /// About how much room the landings take.
    pub(super) bytes: u64,
    pub(super) out: Vec<Leaving>,
    /// The work around calls, from the inside out; the first is none.
    pub(super) work: Numbers<Vec<Work>>,
    /// Where the work stood when it began.
    pub(super) since: Mark,
}

/// Ways to bind variables: their values, or what took their place, with weights that add up to `den`.
pub(super) struct Ways {
    pub(super) den: UBig,
    pub(super) slots: Vec<Slot>,
    pub(super) ways: Vec<(Result<Vec<Outcome>, Outcome>, UBig)>,
}

impl Ways {
    /// The ways of some variables that one value gives; a value that is lost loses what follows.
    pub(super) fn of(slots: &[Slot], items: &[(Outcome, UBig)], den: UBig) -> Result<Ways, Stop> {
        let way = |(outcome, weight): &(Outcome, UBig)| Ok((fields(outcome.clone(), slots.len())?, weight.clone()));
        let ways = items.iter().map(way).collect::<Result<_, Stop>>()?;
        Ok(Ways { den, slots: slots.to_vec(), ways })
    }

    /// Where a variable is used more than once, its law would be taken for that of several.
    pub(super) fn bound(mut self, linear: bool) -> Ways {
        if !linear {
            let all = self.ways.iter_mut().filter_map(|(seen, _)| seen.as_mut().ok()).flatten();
            all.filter(|seen| seen.beyond().is_some()).for_each(|seen| *seen = seen.clone().without_law());
        }
        self
    }
}

/// Where a step leads.
#[derive(Clone)]
pub(super) enum Landing {
    /// A state, the mass it stands for, and the work around what it gives.
    State(usize, UBig, usize),
    /// The result.
    End(Outcome),
}

impl Walk {
    pub(super) fn new(id: u32, place: Place, env: Env, since: Mark) -> Walk {
        let start = State { place, env, distance: 0 };
        let mut work = Numbers::new();
        work.of(vec![]);
        Walk { id, states: vec![start], landings: HashMap::default(), bytes: 0, out: vec![], work, since }
    }

    /// The same from the beginning.
    pub(super) fn anew(&self, id: u32) -> Box<Walk> {
        let start = &self.states[0];
        Box::new(Walk::new(id, start.place, start.env.clone(), self.since))
    }

    /// The state whose equation is wanted next.
    pub(super) fn current(&self) -> Option<&State> {
        self.states.get(self.out.len())
    }

    /// One more state; the mass it stands for.
    pub(super) fn add(&mut self, here: Arrival, mass: UBig) -> Landing {
        let Arrival { place, slots, distance } = here;
        self.states.push(State { place, env: Rc::new(slots), distance });
        Landing::State(self.states.len() - 1, mass, 0)
    }

    /// Whether a pool that must be revealed belongs to this walk.
    pub(super) fn owns(&self, need: &Need) -> bool {
        need.owners.iter().any(|owner| self.current().is_some_and(|state| owned_by(&state.env, owner, self.id)))
    }

    pub(super) fn close(&mut self, leaving: Leaving) {
        self.out.push(leaving);
    }
}

/// Where a step leads, and with which variables.
pub(super) struct Arrival {
    pub(super) place: Place,
    pub(super) slots: Slots,
    /// How many calls and passes lead here.
    pub(super) distance: usize,
}

/// Whether a pool is owned by a variable of the current state.
pub(super) fn owned_by(env: &Values, (walk, slot): &Owner, at: u32) -> bool {
    *walk == at && owned(env, slot)
}

/// Whether a variable holds a pool that belongs to nobody else.
pub(super) fn owned(env: &Values, slot: &Slot) -> bool {
    matches!(&env[slot.index()], Some(Outcome::Pool(pool)) if pool.shared.is_empty())
}

/// A state that is not there.
pub(super) fn lost_track() -> Stop {
    Fault::mistake("internal error: lost track of the program").into()
}
