//! The difference of two independent numbers that both go on without end.
//!
//! Meaning: `P(X − Y = d) = Σ_y P(Y = y) · P(X = y + d)`, a sum without end. It has a value where the
//! chances of both fall off by a fixed ratio each period ([`Tail`]), as those of an exploding die do:
//! from some y on, the terms of a common period are those of the period before times both ratios, a
//! geometric series. Far out the difference falls off like X above and like Y below, which gives the
//! rest on each side with its mean and mean square. Cost: one period and the first faces, for every
//! difference that is listed.

use crate::algo::chain::over_one_denominator;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::moments::{Moments, Tail};
use crate::outcome::{Outcome, Stop};
use crate::weight::{bits, cost_of_fraction};
use dashu_int::ops::Gcd;
use tumble_core::Budget;

/// Longer common periods than this, or more differences, are not listed.
const MOST: i64 = 10_000;

/// The distribution of `a − b`; none if not both have a tail like this.
pub(crate) fn run(a: &Dist, b: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let (Some(x), Some(y)) = (Falling::of(a), Falling::of(b)) else { return Ok(None) };
    let (Some(highest), Some(lowest)) = (x.bound.checked_sub(y.low), x.low.checked_sub(y.bound)) else {
        return Ok(None);
    };
    if x.common(&y).is_none() || highest.checked_sub(lowest).is_none_or(|range| range > MOST) {
        return Ok(None);
    }
    let mut shares = Vec::new();
    for d in lowest..=highest {
        shares.push((Outcome::int(d), x.minus(&y, d, budget)?));
    }
    let (mass, moments) = x.beyond(&y, highest, budget)?;
    shares.push((Outcome::Above { bound: highest, pooled: false, moments: Some(moments) }, mass));
    let (mass, moments) = y.beyond(&x, -lowest, budget)?;
    let moments = Some(moments.affine(-1, 0));
    shares.push((Outcome::Below { bound: lowest, pooled: false, moments }, mass));
    over_one_denominator(shares, budget).map(Some)
}

/// A number whose chances fall off.
struct Falling {
    low: i64,
    /// The chances from `low` on, up to one period after the tail begins.
    chances: Vec<Fraction>,
    tail: Tail,
    /// What is listed ends here.
    bound: i64,
}

impl Falling {
    fn of(dist: &Dist) -> Option<Falling> {
        let mut far: Option<(&Tail, i64)> = None;
        let mut listed = Vec::new();
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => listed.push((value.as_int()?, weight)),
                Outcome::Above { bound, moments, .. } if far.is_none() => {
                    far = Some((moments.as_ref()?.tail()?, *bound));
                }
                _ => return None,
            }
        }
        let (tail, bound) = far?;
        let low = listed.iter().map(|(n, _)| *n).min()?;
        let from = tail.from.max(low);
        let end = from.checked_add(tail.period)?;
        // Far from all numbers that overflow, with the whole tail listed once.
        let near = low > -(1 << 40) && bound < 1 << 40 && end - low <= MOST;
        if !near || end - 1 > bound || tail.period <= 0 {
            return None;
        }
        let mut chances = vec![Fraction::zero(); usize::try_from(end - low).ok()?];
        for (n, weight) in listed.into_iter().filter(|(n, _)| *n < end) {
            chances[(n - low) as usize] = Fraction::part(weight, &dist.den);
        }
        Some(Falling { low, chances, tail: Tail { from, ..tail.clone() }, bound })
    }

    /// The chance of a number, however far out.
    fn at(&self, n: i64) -> Fraction {
        let Tail { from, period, ratio } = &self.tail;
        let periods = if n < *from { 0 } else { (n - from) / period };
        let place = usize::try_from(n - periods * period - self.low).ok();
        let first = place.and_then(|place| self.chances.get(place)).cloned().unwrap_or_else(Fraction::zero);
        if first.is_zero() { first } else { &first * &power(ratio, periods) }
    }

    /// A period of both, if it is short.
    fn common(&self, other: &Falling) -> Option<i64> {
        let (p, q) = (self.tail.period, other.tail.period);
        let shared = i64::try_from(p.unsigned_abs().gcd(q.unsigned_abs())).ok()?;
        p.checked_mul(q / shared).filter(|common| *common <= MOST)
    }

    /// The chance that this number minus the other is d.
    fn minus(&self, other: &Falling, d: i64, budget: &mut Budget) -> Result<Fraction, Stop> {
        let common = self.common(other).unwrap_or(1);
        let start = other.low.max(self.low - d);
        let tail = other.tail.from.max(self.tail.from - d).max(start);
        let (mut before, mut within) = (Fraction::zero(), Fraction::zero());
        for y in start..tail + common {
            let term = &other.at(y) * &self.at(y + d);
            budget.step(4 + 2 * cost_of_fraction(bits(term.denominator())))?;
            let sum = if y < tail { &mut before } else { &mut within };
            *sum = &*sum + &term;
        }
        let falls =
            &power(&self.tail.ratio, common / self.tail.period) * &power(&other.tail.ratio, common / other.tail.period);
        Ok(&before + &(&within / &(&Fraction::one() - &falls)))
    }

    /// Mass and moments of this number minus the other, above a bound that is far out: with c a number of
    /// the first period there, the others are `c + m · period`, with the m-th power of the ratio.
    fn beyond(&self, other: &Falling, bound: i64, budget: &mut Budget) -> Result<(Fraction, Moments), Stop> {
        let Tail { period, ratio, .. } = &self.tail;
        let stays = &Fraction::one() - ratio;
        // Σ r^m, Σ m·r^m and Σ m²·r^m.
        let none = &Fraction::one() / &stays;
        let first = &(ratio * &none) * &none;
        let second = &(&first * &(&Fraction::one() + ratio)) * &none;
        let step = &Fraction::whole(*period);
        let (mut mass, mut mean, mut square) = (Fraction::zero(), Fraction::zero(), Fraction::zero());
        for c in bound + 1..=bound + period {
            let chance = self.minus(other, c, budget)?;
            let c = &Fraction::whole(c);
            let cross = &(c * step) * &first;
            mass = &mass + &(&chance * &none);
            mean = &mean + &(&chance * &(&(c * &none) + &(step * &first)));
            let squares = &(&(c * c) * &none) + &(&(step * step) * &second);
            square = &square + &(&chance * &(&squares + &(&cross + &cross)));
        }
        let tail = Tail { from: self.tail.from - other.low, period: *period, ratio: ratio.clone() };
        let moments = Moments::new(&mean / &mass, &square / &mass).with_tail(tail);
        Ok((mass, moments))
    }
}

fn power(base: &Fraction, exponent: i64) -> Fraction {
    let (mut result, mut square, mut left) = (Fraction::one(), base.clone(), exponent.max(0));
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
