//! Weights by a number that adds up: what `border` puts into its tables.
//!
//! Both kinds form a ring. For independent X and Y, the product of their sums are the sums of X + Y:
//! a [`Series`] has a weight for every number, and [`Means`] only mass, mean and mean square, which are
//! the first terms of `Σ weight · e^(number · t)`.

use crate::fraction::Fraction;
use crate::weight::{bits, cost_of_fraction};
use dashu_int::UBig;

/// Weights by number.
pub(crate) trait Sums: Clone {
    /// How far numbers are listed.
    type Room;
    /// The number 0 for certain.
    fn one() -> Self;
    /// Either of both.
    fn add(&mut self, other: &Self);
    /// The sums of two independent numbers.
    fn times(&self, other: &Self, room: &Self::Room) -> Self;
    /// The same with this added to the number.
    fn moved(self, by: i64) -> Self;
    /// How many numbers there are.
    fn size(&self) -> u64;
    /// The steps of a product.
    fn price(&self, other: &Self, room: &Self::Room) -> u64;
}

/// Whole weights of the numbers from `low` on.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    low: i64,
    weights: Vec<UBig>,
}

impl Series {
    /// One number.
    pub(crate) fn single(number: i64, weight: UBig) -> Series {
        Series { low: number, weights: vec![weight] }
    }

    /// How many words the longest weight has.
    fn words(&self) -> u64 {
        self.weights.iter().map(|weight| 1 + bits(weight) / 64).max().unwrap_or(0)
    }

    /// The numbers with their weights.
    pub(crate) fn items(self) -> impl Iterator<Item = (i64, UBig)> {
        let low = self.low;
        self.weights.into_iter().enumerate().map(move |(i, weight)| (low + i as i64, weight))
    }
}

impl Sums for Series {
    type Room = Option<i64>;

    fn one() -> Series {
        Series::single(0, UBig::ONE)
    }

    fn add(&mut self, other: &Series) {
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

    fn times(&self, other: &Series, most: &Option<i64>) -> Series {
        let low = self.low + other.low;
        let full = (self.weights.len() + other.weights.len()).saturating_sub(1);
        let room = most.map_or(full, |most| usize::try_from(most - low + 1).unwrap_or(0));
        let mut weights = vec![UBig::ZERO; full.min(room)];
        for (i, left) in self.weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let cells = weights.iter_mut().skip(i);
            cells.zip(&other.weights).for_each(|(cell, right)| *cell += left * right);
        }
        Series { low, weights }
    }

    fn moved(self, by: i64) -> Series {
        Series { low: self.low + by, weights: self.weights }
    }

    fn size(&self) -> u64 {
        self.weights.len() as u64
    }

    fn price(&self, other: &Series, most: &Option<i64>) -> u64 {
        // A product of long numbers takes a time that grows with the words of both; most take a step.
        let words = self.words() * other.words();
        let (left, right) = (self.size(), other.size());
        let room = most.map_or(u64::MAX, |most| u64::try_from(most - self.low - other.low + 1).unwrap_or(0));
        let cells = (0..left.min(room)).map(|i| right.min(room - i)).sum::<u64>();
        cells.saturating_mul(20 + words) / 25
    }
}

/// Mass, mean and mean square, the last two times the mass.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    pub(crate) mass: Fraction,
    pub(crate) mean: Fraction,
    pub(crate) square: Fraction,
}

impl Means {
    /// Nothing.
    pub(crate) fn zero() -> Means {
        Means { mass: Fraction::zero(), mean: Fraction::zero(), square: Fraction::zero() }
    }

    /// All three times a chance.
    pub(crate) fn scaled(&self, chance: &Fraction) -> Means {
        Means { mass: &self.mass * chance, mean: &self.mean * chance, square: &self.square * chance }
    }
}

impl Sums for Means {
    type Room = ();

    fn one() -> Means {
        Means { mass: Fraction::one(), ..Means::zero() }
    }

    fn add(&mut self, other: &Means) {
        self.mass = &self.mass + &other.mass;
        self.mean = &self.mean + &other.mean;
        self.square = &self.square + &other.square;
    }

    fn times(&self, other: &Means, (): &()) -> Means {
        let both = &self.mean * &other.mean;
        let own = &(&self.square * &other.mass) + &(&self.mass * &other.square);
        Means {
            mass: &self.mass * &other.mass,
            mean: &(&self.mean * &other.mass) + &(&self.mass * &other.mean),
            square: &own + &(&both + &both),
        }
    }

    fn moved(self, by: i64) -> Means {
        let by = &Fraction::whole(by);
        let once = by * &self.mass;
        let cross = by * &self.mean;
        let square = &(&self.square + &(&cross + &cross)) + &(by * &once);
        Means { mean: &self.mean + &once, mass: self.mass, square }
    }

    fn size(&self) -> u64 {
        1
    }

    fn price(&self, other: &Means, (): &()) -> u64 {
        let long = bits(self.square.denominator()) + bits(other.square.denominator());
        20 * cost_of_fraction(long)
    }
}
