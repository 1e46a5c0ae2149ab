//! Fractions: a numerator and a denominator of 64 bits, in lowest terms, checked.
//!
//! Every number of the calculus is a [`Ratio`]; as a value, a whole one is always a plain number, so that a fraction
//! never equals one. What has no place in 64 bits has no result.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms; its denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i64,
    denominator: i64,
}

impl Ratio {
    /// The quotient of two numbers in lowest terms; none by zero, or if it has no place in 64 bits.
    pub fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        let shared = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        let sign = denominator.signum();
        let part = |n: i128| i64::try_from(n.checked_div(shared)?.checked_mul(sign)?).ok();
        Some(Ratio { numerator: part(numerator)?, denominator: part(denominator).filter(|den| *den > 0)? })
    }

    /// What stands above the line.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// What stands below the line; at least 1.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// The number, if it is whole.
    pub fn whole(self) -> Option<i64> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The largest whole number that is not above it.
    pub fn floor(self) -> i64 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The smallest whole number that is not below it.
    pub fn ceil(self) -> i64 {
        self.floor() + i64::from(self.denominator != 1)
    }

    /// The whole number in front of the point.
    pub fn trunc(self) -> i64 {
        self.numerator / self.denominator
    }

    /// The sum.
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (self.wide(), other.wide());
        // Two products of 64-bit numbers always have room in 128 bits, and so has their sum.
        Ratio::new(a.0 * b.1 + b.0 * a.1, a.1 * b.1)
    }

    /// The difference.
    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (self.wide(), other.wide());
        Ratio::new(a.0 * b.1 - b.0 * a.1, a.1 * b.1)
    }

    /// The product.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (self.wide(), other.wide());
        Ratio::new(a.0 * b.0, a.1 * b.1)
    }

    /// The quotient; none by zero.
    pub fn over(self, other: Ratio) -> Option<Ratio> {
        let (a, b) = (self.wide(), other.wide());
        Ratio::new(a.0 * b.1, a.1 * b.0)
    }

    /// It with a decimal point, if few digits say all of it.
    pub fn decimal(self) -> Option<String> {
        const MOST_DIGITS: u32 = 6;
        let ten = |digits: u32| 10i128.pow(digits);
        let digits = (0..=MOST_DIGITS).find(|digits| ten(*digits) % i128::from(self.denominator) == 0)?;
        let scaled = i128::from(self.numerator) * (ten(digits) / i128::from(self.denominator));
        let (sign, size) = (if scaled < 0 { "-" } else { "" }, scaled.unsigned_abs());
        let (whole, part) = (size / ten(digits).unsigned_abs(), size % ten(digits).unsigned_abs());
        Some(match digits {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{part:0width$}", width = digits as usize),
        })
    }

    fn wide(self) -> (i128, i128) {
        (self.numerator.into(), self.denominator.into())
    }
}

impl From<i64> for Ratio {
    fn from(n: i64) -> Ratio {
        Ratio { numerator: n, denominator: 1 }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let (a, b) = (self.wide(), other.wide());
        (a.0 * b.1).cmp(&(b.0 * a.1))
    }
}

/// `27/2`, or `13` if it is whole.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole() {
            Some(n) => write!(f, "{n}"),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i128, denominator: i128) -> Ratio {
        Ratio::new(numerator, denominator).unwrap()
    }

    #[test]
    fn lowest_terms() {
        assert_eq!(ratio(6, -4).to_string(), "-3/2");
        assert_eq!(ratio(-6, -3).to_string(), "2");
        assert_eq!(ratio(0, -3), Ratio::from(0));
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(0, 0), None);
        assert_eq!(Ratio::new(1, i128::from(i64::MAX) + 1), None);
        assert_eq!(Ratio::new(i128::MIN, 1), None);
        assert_eq!(ratio(i128::from(i64::MIN), -1 << 62).to_string(), "2");
    }

    #[test]
    fn rounding_and_order() {
        let half = ratio(-7, 2);
        assert_eq!((half.floor(), half.ceil(), half.trunc()), (-4, -3, -3));
        assert_eq!((ratio(7, 2).floor(), ratio(7, 2).ceil(), ratio(4, 2).ceil()), (3, 4, 2));
        assert!(half < ratio(-3, 1) && ratio(1, 3) < ratio(1, 2));
    }

    #[test]
    fn decimals() {
        let cases =
            [((27, 2), "13.5"), ((-1, 8), "-0.125"), ((4, 2), "2"), ((1, 20), "0.05"), ((1, 1_000_000), "0.000001")];
        for ((numerator, denominator), text) in cases {
            assert_eq!(ratio(numerator, denominator).decimal().as_deref(), Some(text));
        }
        assert_eq!(ratio(1, 3).decimal(), None);
        assert_eq!(ratio(1, 1 << 20).decimal(), None);
    }

    #[test]
    fn arithmetic() {
        let (a, b) = (ratio(1, 2), ratio(1, 3));
        assert_eq!(a.plus(b), Some(ratio(5, 6)));
        assert_eq!(a.minus(b), Some(ratio(1, 6)));
        assert_eq!(a.times(b), Some(ratio(1, 6)));
        assert_eq!(a.over(b), Some(ratio(3, 2)));
        assert_eq!(a.over(Ratio::from(0)), None);
        assert_eq!(Ratio::from(i64::MIN).over(Ratio::from(-1)), None);
        assert_eq!(ratio(1, i128::from(i64::MAX)).times(a), None);
    }
}
