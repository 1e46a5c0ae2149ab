//! What can still come of a state that was not followed to its end.

use super::machine::{Machine, Point};
use crate::outcome::Outcome;

/// The results that are possible from a point.
pub(super) fn beyond(_machine: &Machine<'_>, _point: &Point) -> Outcome {
    Outcome::Unknown
}
