//! Exact fractions in lowest terms: what an answer is made of.
//!
//! Fractions are made when an answer is read or a loop is solved; the weights inside a distribution
//! are plain integers over one denominator.

use crate::lowest::Lowest;
use dashu_int::ops::{Abs, BitTest, DivRem, Gcd, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Sub};
use std::str::FromStr;

/// An exact fraction in lowest terms; the denominator is positive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    num: IBig,
    den: UBig,
}

impl Fraction {
    /// `num / den` in lowest terms; a denominator of zero counts as one.
    pub(crate) fn new(num: IBig, den: UBig) -> Fraction {
        if num.is_zero() || den.is_zero() {
            return Fraction { num, den: UBig::ONE };
        }
        if den.bit_len() > Fraction::LONG {
            return Fraction::of_long(num, &den);
        }
        let shared = num.clone().unsigned_abs().gcd(&den);
        if shared.is_one() { Fraction { num, den } } else { Fraction { num: num / &shared, den: den / shared } }
    }

    /// From this many bits on, looking for the small primes of a denominator is quicker than Euclid.
    const LONG: usize = 1 << 15;

    fn of_long(num: IBig, den: &UBig) -> Fraction {
        let (sign, mut part) = num.into_parts();
        let mut lowest = Lowest::new(den);
        lowest.reduce(&mut part);
        let den = lowest.found().pop().map_or(UBig::ONE, |over| over.den);
        Fraction { num: IBig::from_parts(sign, part), den }
    }

    /// A part of a whole, as weights.
    pub(crate) fn part(weight: &UBig, total: &UBig) -> Fraction {
        Fraction::new(IBig::from(weight.clone()), total.clone())
    }

    /// A part that is in lowest terms already.
    pub(crate) fn lowest(num: &UBig, den: &UBig) -> Fraction {
        Fraction { num: IBig::from(num.clone()), den: den.clone() }
    }

    /// A whole number.
    pub fn whole(n: i64) -> Fraction {
        Fraction { num: IBig::from(n), den: UBig::ONE }
    }

    /// Zero.
    pub fn zero() -> Fraction {
        Fraction::whole(0)
    }

    /// One.
    pub fn one() -> Fraction {
        Fraction::whole(1)
    }

    /// `num / den`, for constants.
    pub fn ratio(num: i64, den: u64) -> Fraction {
        Fraction::new(IBig::from(num), UBig::from(den))
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    pub(crate) fn numerator(&self) -> &IBig {
        &self.num
    }

    /// The numerator of a fraction that is not negative.
    pub(crate) fn positive(&self) -> UBig {
        self.num.clone().unsigned_abs()
    }

    pub(crate) fn denominator(&self) -> &UBig {
        &self.den
    }

    /// The nearest floating-point number, for reading only.
    pub fn to_f64(&self) -> f64 {
        let (num, den) = (self.num.clone().unsigned_abs(), &self.den);
        if num.is_zero() {
            return 0.0;
        }
        // Scale so that the whole quotient holds 64 significant bits, then undo the scale.
        let shift = 64 + den.bit_len() as i64 - num.bit_len() as i64;
        let quotient = if shift >= 0 { (num << shift as usize) / den } else { num / (den << (-shift) as usize) };
        let size = quotient.to_f64().value() * 2f64.powi((-shift / 2) as i32) * 2f64.powi((-shift - -shift / 2) as i32);
        if self.num.sign() == Sign::Negative { -size } else { size }
    }

    /// `digits` decimals, rounded to nearest, ties away from zero.
    pub fn decimal(&self, digits: usize) -> String {
        let scale = UBig::from(10u8).pow(digits);
        let (num, den) = (self.num.clone().unsigned_abs() * &scale * UBig::from(2u8) + &self.den, &self.den << 1);
        let (whole, rest) = (num / den).div_rem(scale);
        let sign = if self.num.sign() == Sign::Negative && !(whole.is_zero() && rest.is_zero()) { "-" } else { "" };
        if digits == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{:0>digits$}", rest.to_string()) }
    }

    /// Numerator and denominator in lower-case hexadecimal, as `num/den`.
    pub fn hex(&self) -> String {
        let sign = if self.num.sign() == Sign::Negative { "-" } else { "" };
        format!("{sign}{:x}/{:x}", self.num.clone().abs(), self.den)
    }

    /// About how many bytes it takes to write.
    pub fn written(&self) -> usize {
        written(&self.num, &self.den)
    }
}

/// How many bytes it takes to write a fraction, about.
pub(crate) fn written(num: &impl BitTest, den: &UBig) -> usize {
    (num.bit_len() + den.bit_len()) * 3 / 10 + 3
}

/// `3/4`, or `2` for a whole number.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl FromStr for Fraction {
    type Err = String;

    fn from_str(text: &str) -> Result<Fraction, String> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        let wrong = || format!("`{text}` is not a fraction");
        let den = UBig::from_str(den.trim()).map_err(|_| wrong())?;
        if den.is_zero() {
            return Err(wrong());
        }
        Ok(Fraction::new(IBig::from_str(num.trim()).map_err(|_| wrong())?, den))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.num * IBig::from(other.den.clone())).cmp(&(&other.num * IBig::from(self.den.clone())))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        if self.den == other.den {
            return Fraction::new(&self.num + &other.num, self.den.clone());
        }
        let (less, more) = if self.den < other.den { (self, other) } else { (other, self) };
        if more.den.bit_len() > Fraction::LONG {
            let (factor, rest) = (&more.den).div_rem(&less.den);
            if rest.is_zero() {
                return Fraction::new(&less.num * IBig::from(factor) + &more.num, more.den.clone());
            }
        }
        let num = &self.num * IBig::from(other.den.clone()) + &other.num * IBig::from(self.den.clone());
        Fraction::new(num, &self.den * &other.den)
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: &Fraction) -> Fraction {
        self + &Fraction { num: -&other.num, den: other.den.clone() }
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: &Fraction) -> Fraction {
        Fraction::new(&self.num * &other.num, &self.den * &other.den)
    }
}

impl Div for &Fraction {
    type Output = Fraction;

    fn div(self, other: &Fraction) -> Fraction {
        let sign = IBig::from(if other.num.sign() == Sign::Negative { -1 } else { 1 });
        let num = &self.num * IBig::from(other.den.clone()) * sign;
        Fraction::new(num, &self.den * other.num.clone().unsigned_abs())
    }
}

/// Takes what all weights and `shared` have in common out of the weights and their denominator.
pub(crate) fn reduce<T>(mut shared: UBig, den: &mut UBig, items: &mut [(T, UBig)]) {
    for (_, weight) in items.iter() {
        if shared.is_one() {
            return;
        }
        shared = shared.gcd(weight);
    }
    if !shared.is_one() {
        *den /= &shared;
        items.iter_mut().for_each(|(_, weight)| *weight /= &shared);
    }
}

/// The least common multiple.
pub(crate) fn lcm(a: &UBig, b: &UBig) -> UBig {
    if a == b {
        return a.clone();
    }
    a / a.gcd(b) * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        for (text, spelled) in [("2/4", "1/2"), ("6/3", "2"), ("0/5", "0"), ("-3/9", "-1/3"), ("7", "7")] {
            assert_eq!(f(text).to_string(), spelled);
        }
        assert!("1/0".parse::<Fraction>().is_err());
    }

    #[test]
    fn arithmetic() {
        assert_eq!(&f("1/2") + &f("1/3"), f("5/6"));
        assert_eq!(&f("1/2") - &f("2/3"), f("-1/6"));
        assert_eq!(&f("2/3") * &f("3/4"), f("1/2"));
        assert_eq!(&f("2/3") / &f("-4/3"), f("-1/2"));
        assert!(f("1/3") < f("1/2") && f("-1/2") < f("1/3"));
    }

    #[test]
    fn decimals_are_rounded() {
        for (text, digits, spelled) in
            [("1/3", 2, "0.33"), ("2/3", 2, "0.67"), ("-1/8", 2, "-0.13"), ("5/2", 0, "3"), ("1/1000", 2, "0.00")]
        {
            assert_eq!(f(text).decimal(digits), spelled);
        }
    }

    #[test]
    fn floats_are_near() {
        assert_eq!(f("1/3").to_f64(), 1.0 / 3.0);
        assert_eq!(f("-7/2").to_f64(), -3.5);
        let tiny = Fraction::part(&UBig::ONE, &UBig::from(10u8).pow(50));
        assert!((tiny.to_f64() / 1e-50 - 1.0).abs() < 1e-12);
        assert_eq!(Fraction::part(&UBig::ONE, &UBig::from(10u8).pow(5000)).to_f64(), 0.0);
    }
}
