//! Numbers that go on without end and fall off geometrically, as those of an exploding die do.
//!
//! A [`Tail`] is what an unlisted part knows of itself: the chance of the number at distance `1 + j + m·period` from its
//! bound is `share(j) · ratio^m`, for every j below the period. It speaks of the part alone, never of what is listed, so
//! it stays true whatever becomes of the listed rows: they may be rerolled, capped, or mixed with others.
//!
//! A [`Tailed`] is a whole number (a random variable) put together from the rows of a distribution and the tail of its
//! unlisted part. From where on *all* of it is geometric is found in the rows each time anew: nothing is assumed that
//! the rows do not show. Its generating function is a polynomial over `1 − ratio·x^period`, which is what sums of copies,
//! differences, and the moments of kept dice are computed from.

use crate::dist::Dist;
use crate::fraction::{Fraction, lcm};
use crate::outcome::Outcome;
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use tumble_core::Value;

/// Longer periods than this are not kept.
const MOST_PERIOD: usize = 100_000;
/// Chances that fell off more often than this are too long to be written.
const MOST_PERIODS: i64 = 1_000;
/// Numbers beyond this are too near to what overflows.
const FARTHEST: i64 = 1 << 40;

/// How an unlisted part falls off, seen from its bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tail {
    /// Weights of the first period, without a common factor; they say what one number is worth against another.
    first: Vec<UBig>,
    ratio: Fraction,
}

impl Tail {
    /// From the weights of the first period beyond the bound, in any common unit; none if that is no geometric tail.
    pub(crate) fn new(mut first: Vec<UBig>, ratio: Fraction) -> Option<Tail> {
        let falls = ratio > Fraction::zero() && ratio < Fraction::one();
        if !falls || first.len() > MOST_PERIOD {
            return None;
        }
        let shared = first.iter().fold(UBig::ZERO, |shared, weight| gcd(&shared, weight));
        if shared.is_zero() {
            return None;
        }
        first.iter_mut().for_each(|weight| *weight /= &shared);
        Some(Tail { first, ratio })
    }

    /// The same from chances.
    pub(crate) fn of_chances(chances: &[Fraction], ratio: Fraction) -> Option<Tail> {
        let (weights, _) = over_one(chances)?;
        Tail::new(weights, ratio)
    }

    /// After how many numbers the chances have fallen off by the ratio.
    fn period(&self) -> i64 {
        self.first.len() as i64
    }

    fn whole(&self) -> UBig {
        self.first.iter().sum()
    }

    /// The chance of the number at this distance from the bound, given the part; distances begin with 1.
    fn chance(&self, distance: i64) -> Fraction {
        let Some(place) = usize::try_from(distance - 1).ok() else { return Fraction::zero() };
        let (j, m) = (place % self.first.len(), place / self.first.len());
        let first = Fraction::part(&self.first[j], &self.whole());
        &(&first * &(&Fraction::one() - &self.ratio)) * &power(&self.ratio, m as u64)
    }

    /// Mean and mean square of the distance from the bound. It is `J + period·M` with J from the first period and an
    /// independent M that is geometric: `E M = r / (1 − r)`, `E M² = r·(1 + r) / (1 − r)²`.
    pub(crate) fn distance(&self) -> (Fraction, Fraction) {
        let whole = self.whole();
        let places = self.first.iter().enumerate().map(|(j, weight)| (j as i64 + 1, weight));
        let sum = |e: u32| {
            let terms = places.clone().map(|(j, weight)| weight * UBig::from(j.unsigned_abs()).pow(e as usize));
            Fraction::part(&terms.sum(), &whole)
        };
        let (near, near_square) = (sum(1), sum(2));
        let stays = &Fraction::one() - &self.ratio;
        let far = &self.ratio / &stays;
        let far_square = &(&far * &(&Fraction::one() + &self.ratio)) / &stays;
        let period = &Fraction::whole(self.period());
        let cross = &(&Fraction::whole(2) * period) * &(&near * &far);
        let square = &(&near_square + &cross) + &(&(period * period) * &far_square);
        (&near + &(period * &far), square)
    }

    /// The tail of the part when every number of it is multiplied by n; none if the period becomes too long.
    pub(crate) fn stretched(&self, n: u64) -> Option<Tail> {
        let n = usize::try_from(n).ok().filter(|n| *n > 0)?;
        let length = self.first.len().checked_mul(n).filter(|length| *length <= MOST_PERIOD)?;
        let mut first = vec![UBig::ZERO; length];
        for (j, weight) in self.first.iter().enumerate() {
            first[j * n] = weight.clone();
        }
        Some(Tail { first, ratio: self.ratio.clone() })
    }
}

/// A number with a geometric tail above: `P(X = n + period) = ratio · P(X = n)` for every `n >= from`.
#[derive(Clone, Debug)]
pub(crate) struct Tailed {
    pub(crate) low: i64,
    /// `P(X = n)` from `low` on, up to one period after `from`.
    pub(crate) chances: Vec<Fraction>,
    pub(crate) from: i64,
    pub(crate) period: i64,
    pub(crate) ratio: Fraction,
    /// What is listed ends here.
    pub(crate) bound: i64,
}

impl Tailed {
    /// The number of a distribution whose listed outcomes are numbers and whose only unlisted part is above them with a
    /// tail; none for any other, and none if more than `most` chances would have to be told.
    pub(crate) fn of(dist: &Dist, most: i64, number: impl Fn(&Value) -> Option<i64>) -> Option<Tailed> {
        // Most distributions have nothing unlisted: those are not gone through with copies.
        if !dist.items.iter().any(|(outcome, _)| matches!(outcome, Outcome::Above { moments: Some(_), .. })) {
            return None;
        }
        let mut far: Option<(&Tail, i64, &UBig)> = None;
        let mut listed: Vec<(i64, UBig)> = Vec::with_capacity(dist.items.len());
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => listed.push((number(value)?, weight.clone())),
                Outcome::Above { bound, moments, .. } if far.is_none() => {
                    far = Some((moments.as_ref()?.tail()?, *bound, weight));
                }
                _ => return None,
            }
        }
        let (tail, bound, rest) = far?;
        merge_equal(&mut listed);
        let (low, high) = (listed.first()?.0, listed.last()?.0);
        if low < -FARTHEST || bound.max(high) > FARTHEST || bound < low {
            return None;
        }
        let rows = Rows { listed: &listed, bound, tail, rest, den: &dist.den };
        let from = if high > bound { high + 1 } else { rows.onset() };
        let end = from.checked_add(tail.period()).filter(|end| *end - low <= most)?;
        let chances = (low..end).map(|n| rows.chance(n)).collect();
        Some(Tailed { low, chances, from, period: tail.period(), ratio: tail.ratio.clone(), bound: bound.max(high) })
    }

    /// The chance of a number, however far out.
    pub(crate) fn at(&self, n: i64) -> Fraction {
        let periods = if n < self.from { 0 } else { (n - self.from) / self.period };
        let place = usize::try_from(n - periods * self.period - self.low).ok();
        let first = place.and_then(|place| self.chances.get(place)).cloned().unwrap_or_else(Fraction::zero);
        if first.is_zero() { first } else { &first * &power(&self.ratio, periods.unsigned_abs()) }
    }
}

impl Tailed {
    /// `P(X >= n)`; none below everything listed, and none too far out to be written.
    pub(crate) fn reach(&self, n: i64) -> Option<Fraction> {
        let from = n.max(self.from);
        if n < self.low || from.checked_sub(self.from)? / self.period > MOST_PERIODS {
            return None;
        }
        let sum = |from: i64, to: i64| (from..to).fold(Fraction::zero(), |sum, n| &sum + &self.at(n));
        let tail = &sum(from, from.checked_add(self.period)?) / &(&Fraction::one() - &self.ratio);
        Some(&sum(n, from) + &tail)
    }
}

/// The rows of a distribution, which end in a tail.
struct Rows<'a> {
    /// In ascending order, each number once.
    listed: &'a [(i64, UBig)],
    bound: i64,
    tail: &'a Tail,
    rest: &'a UBig,
    den: &'a UBig,
}

impl Rows<'_> {
    fn weight(&self, n: i64) -> Option<&UBig> {
        self.listed.binary_search_by_key(&n, |(number, _)| *number).ok().map(|place| &self.listed[place].1)
    }

    fn chance(&self, n: i64) -> Fraction {
        let listed = self.weight(n).map_or_else(Fraction::zero, |weight| Fraction::part(weight, self.den));
        match n > self.bound {
            true => &listed + &(&Fraction::part(self.rest, self.den) * &self.tail.chance(n - self.bound)),
            false => listed,
        }
    }

    /// The first number from which on every row is the ratio times the row a period before, down from the bound. All
    /// listed numbers are within the bound.
    fn onset(&self) -> i64 {
        let low = self.listed.first().map_or(0, |(n, _)| *n);
        let (less, all) = (self.tail.ratio.numerator(), IBig::from(self.tail.ratio.denominator().clone()));
        let whole = IBig::from(self.tail.whole());
        let beyond = IBig::from(self.rest.clone()) * (&all - less);
        let zero = UBig::ZERO;
        let weight = |n: i64| IBig::from(self.weight(n).unwrap_or(&zero).clone());
        let falls = |n: i64| {
            let next = n + self.tail.period();
            match usize::try_from(next - self.bound - 1) {
                // The row is in the part: its weight is rest · first / whole · (1 − ratio).
                Ok(j) => &beyond * IBig::from(self.tail.first[j].clone()) == weight(n) * less * &whole,
                Err(_) => weight(next) * &all == weight(n) * less,
            }
        };
        let mut from = self.bound + 1;
        while from > low && falls(from - 1) {
            from -= 1;
        }
        from
    }
}

/// Sorts, and adds up the weights of equal numbers.
fn merge_equal(listed: &mut Vec<(i64, UBig)>) {
    listed.sort_by_key(|(n, _)| *n);
    listed.dedup_by(|(n, weight), (kept, sum)| {
        let same = n == kept;
        if same {
            *sum += &*weight;
        }
        same
    });
}

/// Chances as whole weights, and their common denominator; none if one is negative.
pub(crate) fn over_one(chances: &[Fraction]) -> Option<(Vec<UBig>, UBig)> {
    let den = chances.iter().fold(UBig::ONE, |den, chance| lcm(&den, chance.denominator()));
    let weight =
        |chance: &Fraction| Some(UBig::try_from(chance.numerator().clone()).ok()? * (&den / chance.denominator()));
    Some((chances.iter().map(weight).collect::<Option<_>>()?, den))
}

fn gcd(a: &UBig, b: &UBig) -> UBig {
    match (a.is_zero(), b.is_zero()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.gcd(b),
    }
}

/// `base^exponent`, by squaring.
pub(crate) fn power(base: &Fraction, exponent: u64) -> Fraction {
    let (mut result, mut square, mut left) = (Fraction::one(), base.clone(), exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = &result * &square;
        }
        left /= 2;
        if left > 0 {
            square = &square * &square;
        }
    }
    result
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::moments::{self, Moments};

    /// A die that is rolled again and added on its largest face, listed for a few periods.
    pub(crate) fn exploding(sides: u64) -> Dist {
        let den = UBig::from(sides).pow(5);
        let face = |n: u64| (Outcome::int(n as i64), UBig::from(sides).pow(4 - (n / sides) as usize));
        let mut items: Vec<_> = (1..5 * sides).filter(|n| n % sides != 0).map(face).collect();
        let bound = 5 * sides as i64 - 1;
        // The first number of each period, a multiple of the sides, never comes.
        let first = (0..sides).map(|j| UBig::from(u64::from(j > 0))).collect();
        let moments = Some(Moments::falling(bound, Tail::new(first, Fraction::ratio(1, sides)).unwrap()));
        items.push((Outcome::Above { bound, pooled: false, moments }, UBig::ONE));
        Dist::listed(items, den)
    }

    fn audited(dist: &Dist) -> Result<(), tumble_core::Fault> {
        dist.audit(&moments::sums(&dist.items, &dist.den).mass)
    }

    /// Mean and mean square of a die that is rolled again and added on its largest face.
    fn moments_of_exploding(sides: i64) -> (Fraction, Fraction) {
        // X is N below the sides, or the sides plus another X, so E X = s/(s−1) · (s+1)/2 and E X² follows likewise.
        let [p, s] = [Fraction::ratio(1, sides as u64), Fraction::whole(sides)];
        let sum = |e: u32| Fraction::whole((1..=sides).map(|n| n.pow(e)).sum());
        let stays = &Fraction::one() - &p;
        let mean = &(&sum(1) * &p) / &stays;
        let cross = &(&Fraction::whole(2) * &s) * &(&p * &mean);
        let square = &(&(&sum(2) * &p) + &cross) / &stays;
        (mean, square)
    }

    #[test]
    fn the_tail_of_a_die_has_its_moments() {
        for sides in [2, 3, 6, 20] {
            let die = exploding(sides);
            let expected = moments_of_exploding(sides as i64);
            assert_eq!(moments::of(&die.items, &die.den), Some(expected), "d{sides}");
            assert!(audited(&die).is_ok(), "d{sides}");
        }
    }

    /// However the rows below are changed, what is beyond them stays as it is, and the number is whole.
    #[test]
    fn changed_rows_keep_their_tail() {
        type Change = fn(i64) -> i64;
        let changes: [(&str, Change, i64); 4] = [
            ("nothing", |n| n, 1),
            ("at least 2", |n| n.max(2), 3),
            ("7 becomes 3", |n| if n == 7 { 3 } else { n }, 8),
            ("everything listed becomes 0", |n| if n < 30 { 0 } else { n }, 30),
        ];
        for (name, change, from) in changes {
            let die = exploding(6);
            let items = die.items.iter().map(|(outcome, weight)| match outcome.as_int() {
                Some(n) => (Outcome::int(change(n)), weight.clone()),
                None => (outcome.clone(), weight.clone()),
            });
            let mut pile = crate::dist::Pile::default();
            items.for_each(|(outcome, weight)| pile.add(outcome, &weight));
            let number = Tailed::of(&pile.over(die.den.clone()), 1000, Value::as_int).unwrap();
            assert_eq!(number.from, from, "{name}");
            let plain = Tailed::of(&die, 1000, Value::as_int).unwrap();
            for n in from..200 {
                assert_eq!(number.at(n), plain.at(n), "{name}: {n}");
            }
            let whole = (-10..400).fold(Fraction::zero(), |sum, n| &sum + &number.at(n));
            assert!(&Fraction::one() - &whole < power(&Fraction::ratio(1, 6), 60), "{name}");
        }
    }

    /// What is far out is known one by one and all together.
    #[test]
    fn what_is_reached_is_what_is_left() {
        let die = exploding(6);
        let number = Tailed::of(&die, 1000, Value::as_int).unwrap();
        for n in 1..100 {
            let below = (0..n).fold(Fraction::zero(), |sum, n| &sum + &number.at(n));
            assert_eq!(&number.reach(n).unwrap() + &below, Fraction::one(), "{n}");
        }
        assert!(number.reach(0).is_none() && number.reach(i64::MAX).is_none());
    }

    /// Rows beyond the bound are added to the tail.
    #[test]
    fn rows_may_lie_beyond_the_bound() {
        let die = exploding(6);
        let mut items: Vec<_> = die.items.iter().map(|(outcome, weight)| (outcome.clone(), weight.clone())).collect();
        items.push((Outcome::int(100), die.den.clone()));
        let mixed = Dist::listed(items, &die.den * UBig::from(2u8));
        let (number, plain) = (Tailed::of(&mixed, 1000, Value::as_int), Tailed::of(&die, 1000, Value::as_int));
        let (number, plain, half) = (number.unwrap(), plain.unwrap(), Fraction::ratio(1, 2));
        for n in 1..300 {
            let fixed = if n == 100 { half.clone() } else { Fraction::zero() };
            assert_eq!(number.at(n), &fixed + &(&half * &plain.at(n)), "{n}");
        }
    }

    /// Moments that would need a rest far out, or on the wrong side, or of another tail, are seen.
    #[test]
    fn impossible_moments_are_seen() {
        let tail = || Tail::new(vec![UBig::ONE, UBig::ONE], Fraction::ratio(1, 2)).unwrap();
        let right = Moments::falling(10, tail());
        let plain = Moments::new(right.mean().clone(), right.square().clone());
        let of = |mean: i64, square: i64| Moments::new(Fraction::whole(mean), Fraction::whole(square));
        for (name, moments, bound, up, possible) in [
            ("its own tail", right.clone(), 10, true, true),
            ("turned", right.affine(-1, 0), -10, false, true),
            ("three times as far", right.affine(3, 0), 32, true, true),
            ("no tail", plain.clone(), 10, true, true),
            ("of another bound", right.clone(), 9, true, false),
            ("on the wrong side", plain, 10, false, false),
            ("below its bound", of(10, 101), 10, true, false),
            ("with a negative variance", of(1 << 40, 1 << 41), 10, true, false),
            ("of another tail", of(14, 200).with_tail(tail()), 10, true, false),
        ] {
            assert_eq!(moments.possible(bound, up), possible, "{name}");
        }
    }

    #[test]
    fn lost_mass_is_seen() {
        let die = exploding(6);
        assert!(audited(&Dist { den: &die.den + UBig::ONE, items: die.items }).is_err());
    }
}
