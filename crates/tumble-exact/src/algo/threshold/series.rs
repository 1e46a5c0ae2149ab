//! Generating functions of a worth that adds up: a [`Series`] has a weight for every number, and [`Means`] only mass, mean
//! and mean square. Both are rings: for independent X and Y, the product is that of X + Y.

use crate::algo::walk::linear::{Closed, Ring};
use crate::algo::walk::moments::Means;
use crate::fraction::Fraction;
use crate::weight::{bits, cost_of_fraction};
use dashu_int::UBig;

/// Weights by a number that adds up.
pub(super) trait Sums: Ring {
    /// The same with this added to the number.
    fn moved(self, by: i64) -> Self;
    /// How many numbers there are.
    fn size(&self) -> u64;
    /// The steps of a product.
    fn price(&self, other: &Self) -> u64;
}

/// Whole weights of the numbers from `low` on; in a product no further than to `most`.
#[derive(Clone, Debug)]
pub(super) struct Series {
    low: i64,
    weights: Vec<UBig>,
    most: Option<i64>,
}

impl Series {
    /// One number.
    pub(super) fn single(number: i64, weight: UBig, most: Option<i64>) -> Series {
        Series { low: number, weights: vec![weight], most }
    }

    /// How many words the longest weight has.
    fn words(&self) -> u64 {
        self.weights.iter().map(|weight| 1 + bits(weight) / 64).max().unwrap_or(0)
    }

    /// How many numbers of a product are wanted, and how far.
    fn room(&self, other: &Series) -> (usize, Option<i64>) {
        let (full, low) = ((self.weights.len() + other.weights.len()).saturating_sub(1), self.low + other.low);
        let most = self.most.or(other.most);
        (most.map_or(full, |most| full.min(usize::try_from(most - low + 1).unwrap_or(0))), most)
    }

    /// The numbers with their weights.
    pub(super) fn items(self) -> impl Iterator<Item = (i64, UBig)> {
        let low = self.low;
        self.weights.into_iter().enumerate().map(move |(i, weight)| (low + i as i64, weight))
    }
}

impl Ring for Series {
    fn zero() -> Series {
        Series { low: 0, weights: vec![], most: None }
    }
    fn one() -> Series {
        Series::single(0, UBig::ONE, None)
    }
    fn is_zero(&self) -> bool {
        self.weights.iter().all(UBig::is_zero)
    }
    fn add(&mut self, other: &Series) {
        self.most = self.most.or(other.most);
        if self.weights.is_empty() {
            self.low = other.low;
        }
        let end = |series: &Series| series.low + series.weights.len() as i64;
        let (low, high) = (self.low.min(other.low), end(self).max(end(other)));
        if low < self.low {
            let missing = (self.low - low) as usize;
            self.weights.splice(0..0, std::iter::repeat_n(UBig::ZERO, missing));
            self.low = low;
        }
        self.weights.resize((high - low) as usize, UBig::ZERO);
        let cells = self.weights.iter_mut().skip((other.low - low) as usize);
        cells.zip(&other.weights).for_each(|(cell, weight)| *cell += weight);
    }
    fn times(&self, other: &Series) -> Series {
        let (room, most) = self.room(other);
        let mut weights = vec![UBig::ZERO; room];
        for (i, left) in self.weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let cells = weights.iter_mut().skip(i);
            cells.zip(&other.weights).for_each(|(cell, right)| *cell += left * right);
        }
        Series { low: self.low + other.low, weights, most }
    }
}

impl Sums for Series {
    fn moved(self, by: i64) -> Series {
        Series { low: self.low + by, ..self }
    }
    fn size(&self) -> u64 {
        self.weights.len() as u64
    }
    fn price(&self, other: &Series) -> u64 {
        // A product of long numbers takes a time that grows with the words of both; most take a step.
        let (room, words) = (self.room(other).0 as u64, self.words() * other.words());
        let cells = (0..self.size().min(room)).map(|i| other.size().min(room - i)).sum::<u64>();
        cells.saturating_mul(20 + words) / 25
    }
}

impl Sums for Means {
    fn moved(self, by: i64) -> Means {
        self.times(&Means::of(by, Fraction::one()))
    }
    fn size(&self) -> u64 {
        1
    }
    fn price(&self, other: &Means) -> u64 {
        20 * cost_of_fraction(self.long() + other.long())
    }
}
