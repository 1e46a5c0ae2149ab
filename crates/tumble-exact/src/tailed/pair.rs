//! Two independent numbers that both go on without end: their difference, and how they compare.
//!
//! Meaning: `P(X − Y = d) = Σ_y P(Y = y)·P(X = y + d)`, and the chance that x stays in `less(n, {x})` is `P(X = x)·P(N < x)`.
//! Both are sums without end of products term by term, so they have a value ([`Tailed::total`]). Far out the difference
//! falls off like X above and like Y below. Cost: one common period and the first faces, for every difference that is listed.

use super::{Far, Tailed, common};
use crate::dist::{Dist, over_one_denominator};
use crate::fraction::{Fraction, lcm};
use crate::outcome::{Outcome, Stop};
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::cmp::Ordering;
use tumble_core::{Budget, Compare, Fault, Value};

/// More chances or differences than this are not listed.
const MOST: i64 = 10_000;

/// Up to where a number that goes on without end is listed, and the number as a whole; it is in a collection of its own if
/// `pooled`.
fn endless(dist: &Dist, pooled: bool) -> Option<(i64, Tailed)> {
    let number = |value: &Value| crate::outcome::number(value).filter(|_| value.as_int().is_none() == pooled);
    let whole = Tailed::open(dist, number).filter(|whole| whole.terms.len() as i64 <= MOST)?;
    let end = |outcome: &Outcome| match outcome {
        Outcome::Above { bound, pooled: own, .. } => Some(*bound).filter(|_| *own == pooled),
        other => number(other.known()?),
    };
    let ends = dist.items.iter().map(|(outcome, _)| end(outcome)).collect::<Option<Vec<i64>>>()?;
    Some((ends.into_iter().max()?, whole))
}

/// The distribution of `a − b`; none if not both go on without end in a known way.
pub(crate) fn difference(a: &Dist, b: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let (Some((x_end, x)), Some((y_end, y))) = (endless(a, false), endless(b, false)) else { return Ok(None) };
    let (highest, lowest) = (x_end - y.low, x.low - y_end);
    if highest - lowest > MOST || common(x.period, y.period).is_none_or(|period| period > MOST) {
        return Ok(None);
    }
    let mut shares = Vec::new();
    for d in lowest..=highest {
        shares.push((Outcome::int(d), x.minus(&y, d, budget)?));
    }
    let (up, down) = (x.over(&y, highest, budget)?, y.over(&x, -lowest, budget)?);
    let (Some((above, up)), Some((below, down))) = (up, down) else { return Ok(None) };
    shares.push((Outcome::Above { bound: highest, pooled: false, far: Some(up) }, above));
    shares.push((Outcome::Below { bound: lowest, pooled: false, far: Some(down.affine(-1, 0)) }, below));
    over_one_denominator(shares, budget).map(Some)
}

/// The distribution of what a comparison of a number with one member leaves; none if not both go on without end in a known
/// way. With p and q the chances that the number is x, or at least x, it is smaller with `1 − q`, equal with p, and larger
/// with `q − p`.
pub(crate) fn compared(by: Compare, n: &Dist, x: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let (Some((_, n)), Some((end, x))) = (endless(n, false), endless(x, true)) else { return Ok(None) };
    let reach = n.reach(n.low.min(x.low));
    budget.step(x.price_of_times(&reach) + x.price_of_times(&n))?;
    let (Some(reached), Some(met)) = (x.times(&reach), x.times(&n)) else { return Ok(None) };
    let [less, equal, more] =
        [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|order| i64::from(by.allows(order)));
    let parts = [(less, &x), (more - less, &reached), (equal - more, &met)];
    let sum = |chance: &dyn Fn(&Tailed) -> Fraction| {
        let part = |sum: Fraction, (by, part): &(i64, &Tailed)| &sum + &(&Fraction::whole(*by) * &chance(part));
        parts.iter().fold(Fraction::zero(), part)
    };
    let (lists, places) = (parts.map(|(by, part)| (by, part.listed(x.low..end + 1))), (end + 1 - x.low) as u64);
    budget.step(places * (4 + lists.iter().map(|(_, (_, den))| cost_of(bits(den))).sum::<u64>()))?;
    let mut shares = vec![(Outcome::Known(Value::ints(&[])), &Fraction::one() - &sum(&Tailed::total))];
    for (k, member) in (x.low..=end).enumerate() {
        let chance = lists.iter().fold(Fraction::zero(), |sum, (by, (terms, den))| {
            &sum + &(&Fraction::whole(*by) * &Fraction::part(&terms[k], den))
        });
        shares.push((Outcome::Known(Value::ints(&[member])), chance));
    }
    let beyond = sum(&|part| part.since(end + 1).total());
    shares.push((Outcome::Above { bound: end, pooled: true, far: None }, beyond));
    over_one_denominator(shares, budget).map(Some)
}

impl Tailed {
    /// The chance that this number minus the other is d.
    fn minus(&self, other: &Tailed, d: i64, budget: &mut Budget) -> Result<Fraction, Stop> {
        let (moved, too_long) = (self.moved(-d), "internal error: a product of two short tails is long");
        budget.step(moved.price_of_times(other))?;
        Ok(moved.times(other).ok_or_else(|| Fault::mistake(too_long))?.total())
    }

    /// Mass and law of this number minus the other, above a bound that is far out: there it falls off as this number does.
    fn over(&self, other: &Tailed, bound: i64, budget: &mut Budget) -> Result<Option<(Fraction, Far)>, Stop> {
        let from = (self.from() - other.low).max(bound + 1);
        let chances = (bound + 1..from + self.period).map(|d| self.minus(other, d, budget));
        let chances = chances.collect::<Result<Vec<_>, Stop>>()?;
        let den = chances.iter().fold(UBig::ONE, |den, chance| lcm(&den, chance.denominator()));
        let terms = chances.iter().map(|chance| chance.positive() * (&den / chance.denominator())).collect();
        let tail = Tailed { low: 1, terms, den, ..self.clone() }.lowest();
        Ok(Far::falling(bound, &tail).map(|far| (tail.total(), far)))
    }
}
