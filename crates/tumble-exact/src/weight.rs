//! Weights: whole numbers over a denominator that is known in advance.
//!
//! An algorithm that fills tables is generic over [`Weight`] and runs in the narrowest of three
//! lanes, chosen before it starts from the size of the final denominator: 64 bits, 128 bits, or big
//! integers. No weight can exceed that denominator, so no lane overflows.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use std::ops::{AddAssign, Mul};

/// A number a table can be made of.
pub(crate) trait Weight: Clone + for<'a> AddAssign<&'a Self> {
    /// Zero.
    fn zero() -> Self;
    /// From a big integer that is known to fit.
    fn narrow(big: &UBig) -> Self;
    /// To a big integer.
    fn widen(self) -> UBig;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// Takes away a number that is not larger.
    fn less(&mut self, other: &Self);
    /// Whether it is zero.
    fn is_nothing(&self) -> bool;
}

macro_rules! machine_weight {
    ($lane:ty) => {
        impl Weight for $lane {
            fn zero() -> $lane {
                0
            }
            fn narrow(big: &UBig) -> $lane {
                <$lane>::try_from(big).unwrap_or(<$lane>::MAX)
            }
            fn widen(self) -> UBig {
                UBig::from(self)
            }
            fn times(&self, other: &$lane) -> $lane {
                self.wrapping_mul(*other)
            }
            fn less(&mut self, other: &$lane) {
                *self = self.wrapping_sub(*other);
            }
            fn is_nothing(&self) -> bool {
                *self == 0
            }
        }
    };
}

machine_weight!(u64);
machine_weight!(u128);

impl Weight for UBig {
    fn zero() -> UBig {
        UBig::ZERO
    }
    fn narrow(big: &UBig) -> UBig {
        big.clone()
    }
    fn widen(self) -> UBig {
        self
    }
    fn times(&self, other: &UBig) -> UBig {
        self.mul(other)
    }
    fn less(&mut self, other: &UBig) {
        *self -= other;
    }
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

/// The narrowest lane for numbers of this many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Word,
    Double,
    Big,
}

impl Lane {
    /// The lane for numbers up to and including `bits` bits.
    pub(crate) fn of(bits: u64) -> Lane {
        match bits {
            0..=64 => Lane::Word,
            65..=128 => Lane::Double,
            _ => Lane::Big,
        }
    }
}

/// Runs a function that is generic over [`Weight`] in the lane for `bits`.
macro_rules! in_lane {
    ($bits:expr, $function:ident, $($arg:expr),*) => {
        match $crate::weight::Lane::of($bits) {
            $crate::weight::Lane::Word => $function::<u64>($($arg),*),
            $crate::weight::Lane::Double => $function::<u128>($($arg),*),
            $crate::weight::Lane::Big => $function::<dashu_int::UBig>($($arg),*),
        }
    };
}
pub(crate) use in_lane;

/// How many bits a number takes.
pub(crate) fn bits(n: &UBig) -> u64 {
    n.bit_len() as u64
}

/// What one operation on numbers of this size costs, in steps; a step is about a tenth of a
/// microsecond.
pub(crate) fn cost_of(bits: u64) -> u64 {
    1 + bits / 2048
}

/// What bringing a fraction of this size to lowest terms costs, in steps.
pub(crate) fn cost_of_fraction(bits: u64) -> u64 {
    let words = bits / 64;
    1 + words.saturating_mul(words) / 40
}

/// The binomial coefficients `C(n, 0..=n)`.
pub(crate) fn binomials(n: u64) -> Vec<UBig> {
    let mut row = vec![UBig::ONE];
    for k in 0..n {
        let next = &row[k as usize] * UBig::from(n - k) / UBig::from(k + 1);
        row.push(next);
    }
    row
}

/// The powers `base^0 ..= base^most`.
pub(crate) fn powers(base: &UBig, most: u64) -> Vec<UBig> {
    let mut row = vec![UBig::ONE];
    for k in 0..most {
        let next = &row[k as usize] * base;
        row.push(next);
    }
    row
}
