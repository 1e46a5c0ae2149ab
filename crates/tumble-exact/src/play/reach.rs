//! What can still come of a state that was not followed to its end.

use super::bounds::Bounds;
use super::machine::{Machine, Point};
use crate::outcome::{self, Outcome};

/// The results that are possible from a point, as one outcome.
pub(super) fn beyond(machine: &mut Machine<'_>, point: &Point) -> Outcome {
    let held = machine.held_at(point.function, point.at, &point.live);
    // What is chosen here can be anything, so it is not held, and the operation itself comes next.
    one(Bounds::from_here(machine, (point.function, point.at), &held, point.below))
}

/// The results that are possible from a branch that cannot be decided.
pub(super) fn undecided(machine: &mut Machine<'_>, (function, at): (usize, usize), below: Option<u32>) -> Outcome {
    let held = machine.held_before(function, at);
    one(Bounds::from_here(machine, (function, at), &held, below))
}

fn one(extent: tumble_core::prim::Extent) -> Outcome {
    outcome::outcome_in(extent).unwrap_or(Outcome::Unknown)
}
