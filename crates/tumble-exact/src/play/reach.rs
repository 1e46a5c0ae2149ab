//! What can still come of a state that was not followed to its end.

use super::bounds::{Bounds, extent_of};
use super::machine::Machine;
use super::request::Point;
use crate::outcome::{self, Outcome};
use tumble_core::prim::Extent;

/// The results that are possible from a point, as one outcome.
pub(super) fn beyond(machine: &mut Machine<'_>, point: &Point) -> Outcome {
    let seen = point.sees();
    let mut held = machine.held_at(point.function, point.at, seen, &point.live);
    let chosen = machine.remembered(&point.request).map_or(Extent::Any, |ways| extent_of(&ways));
    if let Some(reg) = seen {
        held.push((reg, chosen));
        return returned(machine, (point.function, point.at), &held, point.below);
    }
    held.extend(machine.routines[point.function].ops[point.at].chooses().map(|to| (to, chosen)));
    returned(machine, (point.function, point.at + 1), &held, point.below)
}

impl Machine<'_> {
    /// The results that are possible from a branch that cannot be decided.
    pub(super) fn undecided(&mut self, (function, at): (usize, usize), below: Option<u32>) -> Outcome {
        let held = self.held_before(function, at);
        returned(self, (function, at), &held, below)
    }
}

/// What comes back to the outermost call that is open, one call after the other.
fn returned(
    machine: &mut Machine<'_>,
    place: (usize, usize),
    held: &[(usize, Extent)],
    mut below: Option<u32>,
) -> Outcome {
    let mut extent = Bounds::from_here(machine, place, held);
    while let Some(number) = below {
        let (caller, at, mut held, next) = machine.open_call(number);
        held.extend(machine.routines[caller].ops[at].chooses().map(|to| (to, extent)));
        extent = Bounds::from_here(machine, (caller, at + 1), &held);
        below = next;
    }
    outcome::outcome_in(extent).unwrap_or(Outcome::Unknown)
}
