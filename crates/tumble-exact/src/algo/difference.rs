//! The difference of two independent numbers that both go on without end.
//!
//! Meaning: `P(X − Y = d) = Σ_y P(Y = y) · P(X = y + d)`, a sum without end. It has a value where the
//! chances of both fall off by a fixed ratio each period ([`Tailed`]), as those of an exploding die do:
//! from some y on, the terms of a common period are those of the period before times both ratios, a
//! geometric series. Far out the difference falls off like X above and like Y below, which gives the
//! rest on each side with its mean and mean square. Cost: one period and the first faces, for every
//! difference that is listed.

use crate::algo::chain::over_one_denominator;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::moments::Moments;
use crate::outcome::{Outcome, Stop};
use crate::tailed::{Tail, Tailed, power};
use crate::weight::{bits, cost_of_fraction};
use dashu_int::ops::Gcd;
use tumble_core::{Budget, Value};

/// Longer common periods than this, or more differences, are not listed.
const MOST: i64 = 10_000;

/// The distribution of `a − b`; none if not both have a tail like this.
pub(crate) fn run(a: &Dist, b: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let of = |dist| Tailed::of(dist, MOST, Value::as_int);
    let (Some(x), Some(y)) = (of(a), of(b)) else { return Ok(None) };
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
    let (Some((above, up)), Some((below, down))) = (x.beyond(&y, highest, budget)?, y.beyond(&x, -lowest, budget)?)
    else {
        return Ok(None);
    };
    shares.push((Outcome::Above { bound: highest, pooled: false, moments: Some(up) }, above));
    shares.push((Outcome::Below { bound: lowest, pooled: false, moments: Some(down.affine(-1, 0)) }, below));
    over_one_denominator(shares, budget).map(Some)
}

impl Tailed {
    /// A period of both, if it is short.
    fn common(&self, other: &Tailed) -> Option<i64> {
        let (p, q) = (self.period, other.period);
        let shared = i64::try_from(p.unsigned_abs().gcd(q.unsigned_abs())).ok()?;
        p.checked_mul(q / shared).filter(|common| *common <= MOST)
    }

    /// The chance that this number minus the other is d.
    fn minus(&self, other: &Tailed, d: i64, budget: &mut Budget) -> Result<Fraction, Stop> {
        let common = self.common(other).unwrap_or(1);
        let start = other.low.max(self.low - d);
        let tail = other.from.max(self.from - d).max(start);
        let (mut before, mut within) = (Fraction::zero(), Fraction::zero());
        for y in start..tail + common {
            let term = &other.at(y) * &self.at(y + d);
            budget.step(4 + 2 * cost_of_fraction(bits(term.denominator())))?;
            let sum = if y < tail { &mut before } else { &mut within };
            *sum = &*sum + &term;
        }
        let falls = |one: &Tailed| power(&one.ratio, (common / one.period).unsigned_abs());
        let falls = &falls(self) * &falls(other);
        Ok(&before + &(&within / &(&Fraction::one() - &falls)))
    }

    /// Mass and moments of this number minus the other, above a bound that is far out: there it falls off as this number
    /// does. None for a tail that is too long.
    fn beyond(&self, other: &Tailed, bound: i64, budget: &mut Budget) -> Result<Option<(Fraction, Moments)>, Stop> {
        let mut chances = Vec::new();
        for c in bound + 1..=bound + self.period {
            chances.push(self.minus(other, c, budget)?);
        }
        let first = chances.iter().fold(Fraction::zero(), |sum, chance| &sum + chance);
        let mass = &first / &(&Fraction::one() - &self.ratio);
        let tail = Tail::of_chances(&chances, self.ratio.clone());
        Ok(tail.map(|tail| (mass, Moments::falling(bound, tail))))
    }
}
