//! Sums of many equal dice that explode without end, as far as they matter.
//!
//! Meaning: `f(x)^n` for a series whose weights fall off by a ratio r every p faces ([`Tailed`]). Then
//! `f = A / (1 − r·x^p)` with a polynomial A, so `f^n = A^n · Σ_j C(n+j−1, j) · r^j · x^(p·j)`: the power of a short
//! polynomial, times a row that is known at once. Accepts listed numbers with one such tail, where the listed ones do not
//! reach as far as the sum. Cost: that of both rows and of their product.

use super::{Ratio, Tailed};
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::moments;
use crate::outcome::{Outcome, Stop};
use crate::packed::{self, Row};
use crate::recur::Recurrence;
use crate::weight::{bits, cost_of};
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use tumble_core::{Budget, Value};

/// A series as a fraction of polynomials: `A / (1 − ratio·x^period)`, from `low` on.
struct Falling {
    low: i64,
    /// A, over `den`.
    top: Vec<UBig>,
    den: UBig,
    period: usize,
    /// The ratio is `less / all`.
    less: UBig,
    all: UBig,
}

/// The sum of so many copies, listed until next to nothing is left; none if the numbers are not like that, or if
/// the first `known` of them are enough.
pub(crate) fn power(each: &Dist, times: u64, known: u64, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let Some(falling) = Falling::of(each) else { return Ok(None) };
    let Some(range) = falling.enough(each, times) else { return Ok(None) };
    let base = i64::try_from(times).ok().and_then(|times| falling.low.checked_mul(times));
    let Some(base) = base.filter(|base| range > known && base.checked_add_unsigned(range).is_some()) else {
        return Ok(None);
    };
    let later = (range - 1) / falling.period as u64;
    let top_bits = bits(&falling.den).saturating_mul(times);
    let all_bits = top_bits.saturating_add(bits(&falling.all).saturating_mul(later));
    if range.saturating_mul(24 + all_bits / 8) > budget.limits().bytes / 4 {
        return Ok(None);
    }
    let faces = falling.top.iter().filter(|weight| !weight.is_zero()).count() as u64;
    let powers = range.saturating_mul(faces).saturating_mul(cost_of(top_bits));
    let price = powers.saturating_add(packed::price([range, range], all_bits));
    // What is too much as a whole may still be listed in part.
    if price > budget.limits().steps.saturating_sub(budget.used()) {
        return Ok(None);
    }
    budget.step(price)?;
    let table = falling.table(times, range, later, (top_bits, all_bits));
    let den = falling.den.pow(times as usize) * falling.all.pow(later as usize);
    let left = &den - table.iter().sum::<UBig>();
    let mut items: Vec<(Outcome, UBig)> =
        table.into_iter().enumerate().map(|(k, weight)| (Outcome::int(base + k as i64), weight)).collect();
    items.push((Outcome::Above { bound: base + range as i64 - 1, pooled: false, far: None }, left));
    Ok(Some(Dist::listed(items, den)))
}

impl Falling {
    /// From the number to A: what is left of each term when it takes away what comes from a period before. None if that is
    /// negative somewhere: a row that is less than the tail would make of the row a period before. It must add up to what the
    /// series needs to be a whole.
    fn of(each: &Dist) -> Option<Falling> {
        let Tailed { low, terms, den, period, ratio: Ratio { less, all } } = Tailed::open(each, Value::as_int)?;
        let period = usize::try_from(period).ok()?;
        let before = |k: usize| k.checked_sub(period).map_or(UBig::ZERO, |k| &terms[k] * &less);
        let top = (0..terms.len()).map(|k| UBig::try_from(IBig::from(&terms[k] * &all) - IBig::from(before(k))).ok());
        let mut top: Vec<UBig> = top.collect::<Option<_>>()?;
        while top.last().is_some_and(UBig::is_zero) {
            top.pop();
        }
        let shared = top.iter().fold(&den * &all, |shared, weight| shared.gcd(weight));
        top.iter_mut().for_each(|weight| *weight /= &shared);
        let den = den * &all / shared;
        let whole = top.iter().sum::<UBig>() * &all == &den * (&all - &less);
        let begins = top.first().is_some_and(|first| !first.is_zero());
        (whole && begins).then_some(Falling { low, top, den, period, less, all })
    }

    /// The first coefficients of the power, over `den^times · all^later`.
    fn table(&self, times: u64, range: u64, later: u64, (top_bits, all_bits): (u64, u64)) -> Vec<UBig> {
        let full = (self.top.len() as u64 - 1).saturating_mul(times).saturating_add(1);
        let tops = Recurrence::new(&self.top, times, range.min(full), top_bits).coefficients();
        let mut term = self.all.pow(later as usize);
        let mut laters = vec![term.clone()];
        for j in 1..=later {
            // C(n+j−1, j) · less^j · all^(later−j), from the one before.
            term = term * &self.less * UBig::from(times + j - 1) / (&self.all * UBig::from(j));
            laters.push(term.clone());
        }
        let row = |row: &'_ [UBig], every: usize| (row.len() - 1) * every + 1;
        let [one, two] = [(&tops, 1), (&laters, self.period)].map(|(weights, every)| Row {
            slots: row(weights, every),
            weights: weights.iter().enumerate().map(|(k, weight)| (k * every, weight)).collect(),
        });
        let mut table = packed::product(&one, &two, all_bits);
        table.resize(range as usize, UBig::ZERO);
        table
    }

    /// How many sums from the lowest on hold all but next to nothing: the mean, ten standard deviations, and what the tail of one
    /// die takes to fall off.
    fn enough(&self, each: &Dist, times: u64) -> Option<u64> {
        let (mean, square) = moments::of(&each.items, &each.den)?;
        let (mean, n) = (mean.to_f64(), times as f64);
        let deviation = (square.to_f64() - mean * mean).max(0.0).sqrt();
        let ratio = Fraction::part(&self.less, &self.all).to_f64();
        let (mut left, mut periods) = (1.0, 0.0);
        while left > 1e-13 && periods < 10_000.0 {
            (left, periods) = (left * ratio, periods + 1.0);
        }
        let range = (mean - self.low as f64) * n + 10.0 * deviation * n.sqrt() + (periods + 1.0) * self.period as f64;
        (range.is_finite() && range < 1e7).then_some(range.max(1.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::power;
    use crate::tailed::tests::exploding;
    use tumble_core::Limits;

    /// As far as the plain power of what is listed goes, both are the same.
    #[test]
    fn sums_agree_with_plain_powers() {
        let mut budget = Budget::new(Limits::default());
        for (sides, times) in [(2, 2), (4, 3), (6, 2), (6, 7), (10, 5)] {
            let die = exploding(sides);
            let sum = power(&die, times, 0, &mut budget).unwrap().unwrap();
            let chance = |dist: &Dist, n: i64| {
                let found = dist.items.iter().find(|(outcome, _)| outcome.as_int() == Some(n));
                found.map_or(Fraction::zero(), |(_, weight)| Fraction::part(weight, &dist.den))
            };
            // Dice that end after a few periods are as good up to there.
            let ended = die.items.iter().map(|(outcome, weight)| match outcome {
                Outcome::Above { bound, .. } => (Outcome::int(bound + 1), weight.clone()),
                known => (known.clone(), weight.clone()),
            });
            let ended = Dist::listed(ended.collect(), die.den.clone());
            let plain = power::power(&ended, times, &mut budget).unwrap();
            for n in times as i64..5 * sides as i64 {
                assert_eq!(chance(&sum, n), chance(&plain, n), "{n} with {times}d{sides}");
            }
        }
    }
}
