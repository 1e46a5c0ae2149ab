//! Weights: whole numbers over a denominator that is known in advance.
//!
//! An algorithm that fills tables is generic over [`Weight`] and runs in the narrowest of six lanes,
//! chosen before it starts from the size of the final denominator: 64, 128, 256, 512 or 768 bits, or big
//! integers. No weight can exceed that denominator, so no lane overflows.

use crate::limbs;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};
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
    /// Adds the product of two numbers.
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += &a.times(b);
    }
    /// Adds a number, where a sum that does not fit will come back.
    fn more(&mut self, other: &Self);
    /// Takes away a number; where it is larger, others must make up for it before the number is looked at.
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
            fn add_product(&mut self, a: &$lane, b: &$lane) {
                *self = self.wrapping_add(a.wrapping_mul(*b));
            }
            fn more(&mut self, other: &$lane) {
                *self = self.wrapping_add(*other);
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

/// Big integers have a sign, as the other lanes have room to turn around in.
impl Weight for IBig {
    fn zero() -> IBig {
        IBig::ZERO
    }
    fn narrow(big: &UBig) -> IBig {
        IBig::from(big.clone())
    }
    fn widen(self) -> UBig {
        self.unsigned_abs()
    }
    fn times(&self, other: &IBig) -> IBig {
        self.mul(other)
    }
    fn more(&mut self, other: &IBig) {
        *self += other;
    }
    fn less(&mut self, other: &IBig) {
        *self -= other;
    }
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
}

/// A number of N words, lowest first: big enough for most pools, and never allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> AddAssign<&Wide<N>> for Wide<N> {
    fn add_assign(&mut self, other: &Wide<N>) {
        let mut carry = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            let (sum, first) = a.overflowing_add(*b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*a, carry) = (sum, first || second);
        }
    }
}

impl<const N: usize> Weight for Wide<N> {
    fn zero() -> Wide<N> {
        Wide([0; N])
    }
    fn narrow(big: &UBig) -> Wide<N> {
        let mut words = [0; N];
        words.iter_mut().zip(limbs::words(big).iter()).for_each(|(word, given)| *word = *given);
        Wide(words)
    }
    fn widen(self) -> UBig {
        limbs::number(&self.0)
    }
    fn times(&self, other: &Wide<N>) -> Wide<N> {
        let mut product = Wide([0; N]);
        product.add_product(self, other);
        product
    }
    fn add_product(&mut self, a: &Wide<N>, b: &Wide<N>) {
        // Most factors are far shorter than the lane.
        let (a, b) = (&a.0[..limbs::length(&a.0)], &b.0[..limbs::length(&b.0)]);
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        for (i, x) in short.iter().enumerate() {
            let mut carry = 0u128;
            let (low, high) = self.0[i..].split_at_mut(long.len().min(N - i));
            for (cell, y) in low.iter_mut().zip(long) {
                carry += u128::from(*cell) + u128::from(*x) * u128::from(*y);
                (*cell, carry) = (carry as u64, carry >> 64);
            }
            for cell in high {
                if carry == 0 {
                    break;
                }
                carry += u128::from(*cell);
                (*cell, carry) = (carry as u64, carry >> 64);
            }
        }
    }
    fn more(&mut self, other: &Wide<N>) {
        *self += other;
    }
    fn less(&mut self, other: &Wide<N>) {
        let mut borrow = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            let (rest, first) = a.overflowing_sub(*b);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*a, borrow) = (rest, first || second);
        }
    }
    fn is_nothing(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// The narrowest lane for numbers of this many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Word,
    Double,
    Four,
    Eight,
    Twelve,
    Big,
}

impl Lane {
    /// The lane for numbers up to and including `bits` bits.
    pub(crate) fn of(bits: u64) -> Lane {
        match bits {
            0..=64 => Lane::Word,
            65..=128 => Lane::Double,
            129..=256 => Lane::Four,
            257..=512 => Lane::Eight,
            513..=768 => Lane::Twelve,
            _ => Lane::Big,
        }
    }
}

/// The numbers of two lanes. A browser has to load every lane of every algorithm, so there the next wider one, which
/// is nearly as fast, serves for both.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type DoubleLane = u128;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type EightLane = Wide<8>;
#[cfg(target_arch = "wasm32")]
pub(crate) type DoubleLane = Wide<4>;
#[cfg(target_arch = "wasm32")]
pub(crate) type EightLane = Wide<12>;

/// Runs a function that is generic over [`Weight`] in the lane for `bits`.
macro_rules! in_lane {
    ($bits:expr, $function:ident, $($arg:expr),*) => {
        match $crate::weight::Lane::of($bits) {
            $crate::weight::Lane::Word => $function::<u64>($($arg),*),
            $crate::weight::Lane::Double => $function::<$crate::weight::DoubleLane>($($arg),*),
            $crate::weight::Lane::Four => $function::<$crate::weight::Wide<4>>($($arg),*),
            $crate::weight::Lane::Eight => $function::<$crate::weight::EightLane>($($arg),*),
            $crate::weight::Lane::Twelve => $function::<$crate::weight::Wide<12>>($($arg),*),
            $crate::weight::Lane::Big => $function::<dashu_int::IBig>($($arg),*),
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
    first_binomials(n, n)
}

/// The binomial coefficients `C(n, 0..=most)`, as far as they are not 0.
pub(crate) fn first_binomials(n: u64, most: u64) -> Vec<UBig> {
    let mut row = vec![UBig::ONE];
    for k in 0..most.min(n) {
        let next = &row[k as usize] * UBig::from(n - k) / UBig::from(k + 1);
        row.push(next);
    }
    row
}

/// The binomial coefficient `C(n, k)`.
pub(crate) fn chosen(n: &UBig, k: u64) -> UBig {
    let mut ways = UBig::ONE;
    for i in 0..k {
        if *n <= UBig::from(i) {
            return UBig::ZERO;
        }
        ways = ways * (n - UBig::from(i)) / UBig::from(i + 1);
    }
    ways
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

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<W: Weight>(a: &UBig, b: &UBig) {
        let (x, y) = (W::narrow(a), W::narrow(b));
        assert_eq!(x.times(&y).widen(), a * b);
        let mut more = y.clone();
        more.add_product(&x, &y);
        assert_eq!(more.widen(), a * b + b);
        let mut sum = x.clone();
        sum += &y;
        assert_eq!(sum.clone().widen(), a + b);
        sum.less(&y);
        assert_eq!(sum.widen(), *a);
        assert_eq!(x.is_nothing(), a.is_zero());
    }

    #[test]
    fn every_lane_computes_alike() {
        let mut seed = UBig::from(88_172_645_463_325_252u64);
        for bits in [0, 1, 20, 31, 32, 60, 63, 64, 100, 120, 127, 200, 250] {
            for _ in 0..50 {
                seed = (&seed * UBig::from(6_364_136_223_846_793_005u64) + UBig::ONE) % (UBig::ONE << 521);
                let a = &seed % (UBig::ONE << bits);
                let b = (&seed >> 7) % (UBig::ONE << (bits / 2));
                let product = super::bits(&(&a * &b + &b)).max(super::bits(&(&a + &b)));
                for lane in [64, 128, 256, 512, 768, 1024].into_iter().filter(|lane| *lane >= product) {
                    in_lane!(lane, agrees, &a, &b);
                }
            }
        }
    }
}
