//! A distribution whose numbers are all in lowest terms: what every renderer reads.
//!
//! Reducing is the last piece of work and a large one, so it is done once and not by each renderer.

use crate::render::json::value_written;
use tumble_core::Value;
use tumble_exact::{Fraction, Odds};

/// A distribution with every number in lowest terms, ready to be written.
#[derive(Clone, Debug)]
pub struct Reduced<'o> {
    /// What it was made from.
    pub odds: &'o Odds,
    /// The outcomes in their order.
    pub outcomes: Vec<(&'o Value, Fraction)>,
    /// The probability of what is not listed.
    pub unresolved: Fraction,
    /// The exact mean.
    pub mean: Option<Fraction>,
    /// The exact variance.
    pub variance: Option<Fraction>,
}

impl<'o> Reduced<'o> {
    /// Reduces every number of a distribution.
    pub fn new(odds: &'o Odds) -> Reduced<'o> {
        Reduced {
            odds,
            outcomes: odds.outcomes().collect(),
            unresolved: odds.unresolved(),
            mean: odds.mean(),
            variance: odds.variance(),
        }
    }

    /// About how many bytes the outcomes take when they are written.
    pub fn written(&self) -> usize {
        // Two brackets, two quotes and two commas stand around each pair of numbers.
        self.outcomes.iter().map(|(value, chance)| 6 + value_written(value) + chance.written()).sum()
    }
}
