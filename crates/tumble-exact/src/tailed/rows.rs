//! What a row that divides makes of numbers that are not listed.
//!
//! A quasi-linear row ([`Told::Steps`]) puts the tail together again from its classes modulo the divisor: a quotient has a
//! geometric tail itself, and a remainder has finitely many values with known shares.

use super::{Far, LONGEST, Tailed, common};
use crate::dist::{Dist, over_one_denominator};
use crate::fraction::Fraction;
use crate::outcome::number;
use crate::outcome::{self, Beyond, Outcome, Stop};
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use tumble_core::prim::{Prim, Told};
use tumble_core::{Budget, Value};

/// More remainders than this are not told apart.
const MOST_CLASSES: i64 = 1_000;
/// Longer common periods of a tail and a divisor are not gone through.
const MOST_COMMON: i64 = 20_000;

/// The law of a quotient, whose values are on the side of what was found; none if that of the dividend is not known.
pub(crate) fn quotient(row: &Prim, args: &[Outcome], found: &Outcome, budget: &mut Budget) -> Option<Far> {
    let Told::Steps { place, period, rise, .. } = outcome::told(row, args) else { return None };
    let (from, to) = (args[place].beyond()?, found.beyond()?);
    let tail = from.far?.tail().filter(|_| period <= MOST_CLASSES)?;
    let first = (1..=period).map(|d| {
        let value = number(&from.value(row, args, place, d, budget)?)?;
        value.checked_sub(to.bound)?.checked_mul(to.side())
    });
    let first = first.collect::<Option<Vec<i64>>>()?;
    let put = tail.put(&first, rise * from.side() * to.side(), budget)?;
    Some(Far::falling(0, &put)?.affine(to.side(), to.bound))
}

/// The distribution of a row on the outcomes of one argument, if it gives remainders of what is not listed; the other
/// arguments are known.
pub(crate) fn remainders(
    row: &Prim,
    args: &[Outcome],
    place: usize,
    dist: &Dist,
    budget: &mut Budget,
) -> Result<Option<Dist>, Stop> {
    let with = |outcome: &Outcome| {
        let own = |(i, arg): (usize, &Outcome)| if i == place { outcome.clone() } else { arg.clone() };
        args.iter().enumerate().map(own).collect::<Vec<Outcome>>()
    };
    let (mut shares, mut apart) = (Vec::new(), false);
    // What is not listed comes last: whether there is any remainder of it is found out first.
    for (outcome, weight) in dist.items.iter().rev() {
        let (args, share) = (with(outcome), Fraction::part(weight, &dist.den));
        let classes = if outcome.known().is_some() { None } else { classes(row, &args, place, budget) };
        apart |= classes.is_some();
        match classes {
            Some(classes) => shares.extend(classes.into_iter().map(|(outcome, part)| (outcome, &share * &part))),
            None if outcome.known().is_some() && !apart => return Ok(None),
            None => shares.push((outcome::apply(row, &args, budget)?, share)),
        }
    }
    if apart { over_one_denominator(shares, budget).map(Some) } else { Ok(None) }
}

/// The values that a row repeats on an argument that is not listed, with their shares.
fn classes(row: &Prim, args: &[Outcome], place: usize, budget: &mut Budget) -> Option<Vec<(Outcome, Fraction)>> {
    let from = args[place].beyond()?;
    let tail = from.far?.tail()?;
    let Told::Steps { place: told, period, rise: 0, .. } = outcome::told(row, args) else { return None };
    if told != place || period > MOST_CLASSES {
        return None;
    }
    let shares = tail.classes(period, budget)?;
    let class = |(share, d)| Some((Outcome::Known(from.value(row, args, place, d, budget)?), share));
    shares.into_iter().zip(1..).map(class).collect()
}

impl Beyond<'_> {
    /// What the row makes of the number at this distance.
    fn value(&self, row: &Prim, args: &[Outcome], place: usize, distance: i64, budget: &mut Budget) -> Option<Value> {
        let n = self.bound.checked_add(distance.checked_mul(self.side())?)?;
        let own = if self.pooled { Value::ints(&[n]) } else { Value::int(n) };
        let value = |(i, arg): (usize, &Outcome)| if i == place { Some(own.clone()) } else { arg.known().cloned() };
        (row.apply)(&args.iter().enumerate().map(value).collect::<Option<Vec<Value>>>()?, budget).ok()
    }
}

impl Tailed {
    /// A common period with classes of so many, if it is short, and what it takes to list it, in steps.
    fn divided(&self, period: i64) -> Option<(i64, u64)> {
        let common = common(self.period, period).filter(|common| *common <= MOST_COMMON)?;
        let long = bits(&self.den) + (common / self.period) as u64 * bits(&self.ratio.all);
        Some((common, (self.terms.len() as u64 + common as u64) * (4 + cost_of(long))))
    }

    /// The sums of all terms at the places `d`, `d + period`, …, for each d from 1 on; none if that is too long.
    fn classes(&self, period: i64, budget: &mut Budget) -> Option<Vec<Fraction>> {
        let (common, price) = self.divided(period)?;
        budget.step(price).ok()?;
        let (places, ratio) = (self.low..self.from() + common, self.ratio.pow(common / self.period));
        let (terms, den) = self.listed(places.clone());
        let (stays, mut sums) = (ratio.stays(), vec![UBig::ZERO; period as usize]);
        for (term, n) in terms.iter().zip(places) {
            // What is in the tail goes on in its class.
            sums[(n - 1).rem_euclid(period) as usize] += term * if n < self.from() { &stays } else { &ratio.all };
        }
        let den = den * stays;
        Some(sums.iter().map(|sum| Fraction::part(sum, &den)).collect())
    }

    /// The term at each place from 1 on put where a function has it that rises by `rise` each time its first values are
    /// repeated; none if it does not rise, or if that is too long.
    fn put(&self, first: &[i64], rise: i64, budget: &mut Budget) -> Option<Tailed> {
        let (least, most, width) = (*first.iter().min()?, *first.iter().max()?, first.len() as i64);
        let (common, price) = self.divided(width).filter(|_| rise > 0 && least > 0)?;
        budget.step(price).ok()?;
        let period = rise.checked_mul(common / width)?;
        // From here on, all that is put in one place comes from the tail.
        let from = most.checked_add(rise.checked_mul(self.from() / width + 1)?)?;
        let end = from.checked_add(period).filter(|end| *end <= LONGEST)?;
        let (terms, den) = self.listed(1..width * (end / rise + 2));
        let mut sums = vec![UBig::ZERO; (end - 1) as usize];
        for (d, term) in terms.iter().enumerate() {
            let place = first[d % first.len()] - 1 + rise * (d as i64 / width);
            if let Some(sum) = usize::try_from(place).ok().and_then(|place| sums.get_mut(place)) {
                *sum += term;
            }
        }
        Some(Tailed { low: 1, terms: sums, den, period, ratio: self.ratio.pow(common / self.period) }.lowest())
    }
}
