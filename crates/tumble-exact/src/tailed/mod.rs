//! Numbers that go on without end and fall off geometrically, as those of an exploding die do.
//!
//! A [`Tailed`] is a sequence with a geometric tail: its generating function is a polynomial over `1 − ratio·x^period`. It
//! holds `P(X = n)` of a number, or `P(X >= n)`, or a product of such, which is one as well; so a sum of products over all n
//! is a finite sum. A number is put together from the rows of a distribution and the law of its unlisted part ([`Far`]),
//! which speaks of that part alone. From where on *all* of it falls off is found in the rows each time anew: nothing is
//! assumed that the rows do not show.
//!
//! | what is asked of it | where |
//! |---|---|
//! | sums of copies | `copies` |
//! | differences and comparisons of two | `pair` |
//! | order statistics: the moments of kept sums, of the largest and of the smallest | `order` |
//! | what a row makes of it | `rows` |

mod complete;
mod copies;
mod far;
mod order;
mod pair;
mod rows;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use complete::complete;
pub(crate) use copies::power as copies;
pub(crate) use far::Far;
pub(crate) use order::complete as complete_kept;
pub(crate) use pair::{compared, difference};
pub(crate) use rows::{quotient, remainders};

use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::outcome::Outcome;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use std::ops::Range;
use tumble_core::Value;

/// No sequence is written further than this.
const LONGEST: i64 = 100_000;
/// Chances that fell off more often than this are too long to be written.
const MOST_PERIODS: i64 = 1_000;
/// Numbers beyond this are too near to what overflows.
const FARTHEST: i64 = 1 << 40;

/// A sequence with a geometric tail: `f(n + period) = less / all · f(n)` from some place on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tailed {
    /// Before this place there is nothing.
    low: i64,
    /// What is at each place from there on, over `den`; with the last `period` of them the tail begins.
    terms: Vec<UBig>,
    den: UBig,
    period: i64,
    ratio: Ratio,
}

/// By how much a tail falls off: `less / all`, less than one. It is zero for what ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Ratio {
    less: UBig,
    all: UBig,
}

impl Ratio {
    fn zero() -> Ratio {
        Ratio { less: UBig::ZERO, all: UBig::ONE }
    }

    /// What is left of one when this is taken away, times `all`.
    fn stays(&self) -> UBig {
        &self.all - &self.less
    }

    fn pow(&self, times: i64) -> Ratio {
        let times = times.unsigned_abs() as usize;
        Ratio { less: self.less.pow(times), all: self.all.pow(times) }
    }
}

impl Tailed {
    /// The distances from a bound beyond which all falls off, from their weights in one period; none if it does not fall.
    pub(crate) fn beyond(weights: Vec<UBig>, ratio: &Fraction) -> Option<Tailed> {
        let ratio = Ratio { less: ratio.positive(), all: ratio.denominator().clone() };
        let (falls, period) = (ratio.less < ratio.all && !weights.is_empty(), weights.len() as i64);
        falls.then(|| Tailed { low: 1, terms: weights, den: UBig::ONE, period, ratio }.lowest())
    }

    /// In lowest terms, and with the tail from where it begins.
    fn lowest(mut self) -> Tailed {
        let (period, Ratio { less, all }) = (self.period as usize, &self.ratio);
        while let Some(before) = self.terms.len().checked_sub(period + 1)
            && &self.terms[before + period] * all == &self.terms[before] * less
        {
            self.terms.pop();
        }
        let shared = self.terms.iter().fold(self.den.clone(), |shared, term| shared.gcd(term));
        if !shared.is_one() {
            self.terms.iter_mut().for_each(|term| *term /= &shared);
            self.den /= shared;
        }
        self
    }

    /// The number of a distribution whose outcomes are numbers, but for one unlisted part above with a known tail; none for
    /// any other. Where nothing is unlisted, it is one that ends.
    fn of(dist: &Dist, number: impl Fn(&Value) -> Option<i64>) -> Option<Tailed> {
        let mut unlisted: Option<(&Tailed, i64, &UBig)> = None;
        let mut listed: Vec<(i64, &UBig)> = Vec::with_capacity(dist.items.len());
        for (outcome, weight) in &dist.items {
            match outcome {
                Outcome::Known(value) => listed.push((number(value)?, weight)),
                Outcome::Above { bound, far, .. } if unlisted.is_none() => {
                    unlisted = Some((far.as_ref()?.tail()?, *bound, weight));
                }
                _ => return None,
            }
        }
        let next = unlisted.map(|(_, bound, _)| bound.saturating_add(1));
        let low = listed.iter().map(|row| row.0).chain(next).min().filter(|low| *low >= -FARTHEST)?;
        let high = listed.iter().map(|row| row.0).chain(next).max().filter(|high| *high <= FARTHEST)?;
        let nothing = Tailed { low: 1, terms: vec![UBig::ZERO], den: UBig::ONE, period: 1, ratio: Ratio::zero() };
        let (tail, bound, rest) = unlisted.unwrap_or((&nothing, high, &nothing.den));
        let end = (bound + tail.from()).max(high + 1) + tail.period;
        let mut terms =
            vec![UBig::ZERO; usize::try_from(end - low).ok().filter(|size| *size <= 10 * LONGEST as usize)?];
        let (beyond, scale) = tail.listed(1..end - bound);
        for (n, weight) in listed {
            terms[(n - low) as usize] += weight * &scale;
        }
        for (term, weight) in terms.iter_mut().skip((bound + 1 - low) as usize).zip(beyond) {
            *term += weight * rest;
        }
        let Tailed { period, ratio, .. } = tail.clone();
        Some(Tailed { low, terms, den: &dist.den * scale, period, ratio }.lowest()).filter(Tailed::is_short)
    }

    /// The same, if it goes on without end. Most distributions have nothing unlisted: those are not gone through.
    pub(crate) fn open(dist: &Dist, number: impl Fn(&Value) -> Option<i64>) -> Option<Tailed> {
        let far = |(outcome, _): &(Outcome, UBig)| matches!(outcome, Outcome::Above { far: Some(_), .. });
        if dist.items.iter().any(far) { Tailed::of(dist, number) } else { None }
    }

    fn is_short(&self) -> bool {
        self.terms.len() as i64 <= LONGEST
    }

    /// Where the tail begins.
    fn from(&self) -> i64 {
        self.low + self.terms.len() as i64 - self.period
    }

    /// The terms at these places, and what they are over: that grows with every period they go on.
    fn listed(&self, places: Range<i64>) -> (Vec<UBig>, UBig) {
        let later = |n: i64| (n - self.from()).max(0) / self.period;
        let most = later(places.end - 1);
        let scales: Vec<UBig> =
            (0..=most).map(|m| self.ratio.less.pow(m as usize) * self.ratio.all.pow((most - m) as usize)).collect();
        let term = |n: i64| {
            let place = usize::try_from(n - self.low - later(n) * self.period).ok();
            let term = place.and_then(|place| self.terms.get(place));
            term.map_or(UBig::ZERO, |term| term * &scales[later(n) as usize])
        };
        (places.map(term).collect(), &self.den * self.ratio.all.pow(most as usize))
    }

    /// The sum of all terms.
    fn total(&self) -> Fraction {
        let (head, tail) = self.terms.split_at(self.terms.len() - self.period as usize);
        let stays = self.ratio.stays();
        let sum = head.iter().sum::<UBig>() * &stays + tail.iter().sum::<UBig>() * &self.ratio.all;
        Fraction::part(&sum, &(&self.den * stays))
    }

    /// The same from a place on, without what is before.
    fn since(&self, low: i64) -> Tailed {
        let (terms, den) = self.listed(low..self.from().max(low) + self.period);
        Tailed { low, terms, den, ..self.clone() }
    }

    /// `Σ f(u)` over all u from t on, as a sequence in t from `low` on.
    fn reach(&self, low: i64) -> Tailed {
        let Tailed { terms, den, period, ratio, .. } = self.since(low);
        let (stays, later) = (ratio.stays(), terms[terms.len() - period as usize..].iter().sum::<UBig>());
        let mut sum = later * &ratio.less;
        let mut sums: Vec<UBig> = Vec::with_capacity(terms.len());
        for term in terms.iter().rev() {
            sum += term * &stays;
            sums.push(sum.clone());
        }
        sums.reverse();
        Tailed { low, terms: sums, den: den * stays, period, ratio }
    }

    /// Where the product term by term is to be listed, and its period; none if that is too long.
    fn together(&self, other: &Tailed) -> Option<(Range<i64>, i64)> {
        let ends = self.ratio.less.is_zero() || other.ratio.less.is_zero();
        let period = if ends { 1 } else { common(self.period, other.period)? };
        let low = self.low.max(other.low);
        let end = self.from().max(other.from()).max(low) + period;
        (end - low <= LONGEST).then_some((low..end, period))
    }

    /// The product term by term; none if it is too long.
    fn times(&self, other: &Tailed) -> Option<Tailed> {
        let (places, period) = self.together(other)?;
        let [(a, c), (b, d)] = [self, other].map(|one| one.listed(places.clone()));
        let terms = a.iter().zip(&b).map(|(a, b)| a * b).collect();
        let [r, s] = [self, other].map(|one| one.ratio.pow((period / one.period).max(1)));
        let ratio = Ratio { less: r.less * s.less, all: r.all * s.all };
        Some(Tailed { low: places.start, terms, den: c * d, period, ratio })
    }

    /// What the product takes, in steps.
    fn price_of_times(&self, other: &Tailed) -> u64 {
        let Some((Range { start, end }, _)) = self.together(other) else { return 1 };
        let periods = |one: &Tailed| ((end - one.from()) / one.period).unsigned_abs();
        let long = |one: &Tailed| bits(&one.den).saturating_add(periods(one).saturating_mul(bits(&one.ratio.all)));
        (end - start).unsigned_abs().saturating_mul(4 + cost_of(long(self).saturating_add(long(other))))
    }

    /// The term at n put at `n + by`.
    fn moved(&self, by: i64) -> Tailed {
        Tailed { low: self.low + by, ..self.clone() }
    }

    /// `P(X >= n)`; none below everything listed, and none too far out to be written.
    pub(crate) fn at_least(&self, n: i64) -> Option<Fraction> {
        let near = n >= self.low && n.checked_sub(self.from())? / self.period <= MOST_PERIODS;
        near.then(|| self.since(n).total())
    }
}

/// The least common multiple, if it is not too long.
fn common(a: i64, b: i64) -> Option<i64> {
    let shared = i64::try_from(a.unsigned_abs().gcd(b.unsigned_abs())).ok()?;
    a.checked_mul(b / shared).filter(|period| *period <= LONGEST)
}
