//! A distribution whose numbers are all in lowest terms: what every renderer reads.
//!
//! The probabilities are in lowest terms as the engine hands them over, and stay there: a long table
//! is never held twice. Each fraction is made when it is written.

use crate::render::json::value_written;
use tumble_core::Value;
use tumble_exact::{Fraction, Odds};

/// A distribution with every fraction in lowest terms, ready to be written.
#[derive(Clone, Debug)]
pub struct Reduced<'o> {
    /// What it was made from.
    pub odds: &'o Odds,
    /// The probability of what is not listed.
    pub unresolved: Fraction,
    /// The exact mean.
    pub mean: Option<Fraction>,
    /// The exact variance.
    pub variance: Option<Fraction>,
}

impl<'o> Reduced<'o> {
    /// The numbers of a distribution.
    pub fn new(odds: &'o Odds) -> Reduced<'o> {
        Reduced { odds, unresolved: odds.unresolved(), mean: odds.mean(), variance: odds.variance() }
    }

    /// The outcomes in order.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&'o Value, Fraction)> {
        self.odds.outcomes()
    }

    /// About how many bytes the outcomes take when they are written.
    pub fn written(&self) -> usize {
        // Two brackets, two quotes and two commas stand around each pair of numbers.
        self.odds.values().map(|value| 6 + value_written(value)).sum::<usize>() + self.odds.written()
    }
}
