//! The answer: every outcome with its exact probability, and what is known of the rest.
//!
//! Probabilities are held in lowest terms. What is not listed is stated exactly as `unresolved`; a
//! listed probability is complete, and where that cannot be had [`Odds::exact`] says so.

use crate::dist::Dist;
use crate::explain::Explanation;
use crate::fraction::{Fraction, written};
pub use crate::listing::Side;
pub(crate) use crate::listing::small_enough;
use crate::listing::{Listing, MOST_LISTED, much};
use crate::lowest::{Lowest, Over};
use crate::moments::{self, Sums};
pub use crate::outcome::{number, ratio};
use crate::tailed::Tailed;
use dashu_int::{IBig, UBig};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use tumble_core::{Fault, Value};

/// The exact distribution of a roll.
#[derive(Clone, Debug)]
pub struct Odds {
    den: UBig,
    /// The outcomes with the numerators of their probabilities in lowest terms.
    items: Vec<(Value, UBig)>,
    /// Which denominator goes with each, and the denominators.
    over: Vec<u32>,
    overs: Vec<Over>,
    rest: UBig,
    side: Side,
    /// How much of the rest lies below everything listed, where the rest has a side.
    below: UBig,
    exact: bool,
    whole: bool,
    moments: Option<(Fraction, Fraction)>,
    /// The whole number, where what is not listed falls off in a known way.
    tailed: Option<Tailed>,
    warnings: Vec<String>,
    explanation: Option<Explanation>,
}

impl fmt::Display for Odds {
    /// Every listed outcome and what is left: `2: 1/4, 3: 1/2, 4: 1/4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (value, chance)) in self.outcomes().enumerate() {
            write!(f, "{}{value}: {chance}", if place == 0 { "" } else { ", " })?;
        }
        let (rest, before) = (self.unresolved(), if self.is_empty() { "" } else { ", " });
        if rest.is_zero() { Ok(()) } else { write!(f, "{before}not listed: {rest}") }
    }
}

impl Odds {
    /// The answer. One that cannot be right is a mistake of the engine and is told as one.
    pub(crate) fn new(dist: Dist, warnings: Vec<String>) -> Result<Odds, Fault> {
        let Sums { mass, moments } = moments::sums(&dist.items, &dist.den);
        dist.audit(&mass)?;
        let tailed = Tailed::open(&dist, number);
        let Listing { den, mut items, rest, side, below, exact, whole } = Listing::new(dist);
        let (over, overs) = lowest_terms(&mut items, &den);
        Ok(Odds {
            den,
            items,
            over,
            overs,
            rest,
            side,
            below,
            exact,
            whole,
            moments,
            tailed,
            warnings,
            explanation: None,
        })
    }

    pub(crate) fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    pub(crate) fn explain(&mut self, explanation: Option<Explanation>) {
        self.explanation = explanation;
    }

    /// How the answer was found, if [`Options::explain`](crate::Options::explain) was on.
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    /// Whether little enough is left unlisted.
    pub(crate) fn is_small(&self) -> bool {
        small_enough(&self.rest, &self.den) || self.items.len() >= MOST_LISTED
    }

    /// The outcomes in ascending order with their probabilities.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&Value, Fraction)> {
        self.items.iter().enumerate().map(|(i, (value, _))| (value, self.chance(i)))
    }

    /// The outcomes alone, in ascending order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.items.iter().map(|(value, _)| value)
    }

    fn chance(&self, place: usize) -> Fraction {
        Fraction::lowest(&self.items[place].1, &self.overs[self.over[place] as usize].den)
    }

    /// The outcomes with their weights over the common denominator.
    fn weighted(&self) -> impl Iterator<Item = (&Value, Cow<'_, UBig>)> {
        self.items.iter().zip(&self.over).map(|((value, num), over)| {
            let shared = &self.overs[*over as usize].shared;
            (value, if shared.is_one() { Cow::Borrowed(num) } else { Cow::Owned(num * shared) })
        })
    }

    /// About how many bytes it takes to write the probabilities.
    pub fn written(&self) -> usize {
        self.items.iter().zip(&self.over).map(|((_, num), over)| written(num, &self.overs[*over as usize].den)).sum()
    }

    /// How many outcomes are listed.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether no outcome is listed.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The listed probability of one outcome.
    pub fn probability(&self, outcome: &Value) -> Fraction {
        match self.items.binary_search_by(|(value, _)| value.cmp(outcome)) {
            Ok(place) => self.chance(place),
            Err(_) => Fraction::zero(),
        }
    }

    /// The probability of everything that is not listed.
    pub fn unresolved(&self) -> Fraction {
        Fraction::part(&self.rest, &self.den)
    }

    /// Whether more than one part in a million is not listed.
    pub fn cut_short(&self) -> bool {
        much(&self.rest, &self.den)
    }

    /// Where the unlisted outcomes lie.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether every listed probability is complete.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// Warnings about the answer.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The exact mean; none if an outcome is not a number or too little is known of the rest.
    pub fn mean(&self) -> Option<Fraction> {
        self.moments.as_ref().map(|(mean, _)| mean.clone())
    }

    /// The exact variance, under the same conditions as the mean.
    pub fn variance(&self) -> Option<Fraction> {
        self.moments.as_ref().map(|(mean, square)| square - &(mean * mean))
    }

    /// The standard deviation.
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(|variance| variance.to_f64().sqrt())
    }

    /// The quantile: the smallest outcome such that it or a smaller one has at least this probability.
    pub fn quantile(&self, share: &Fraction) -> Option<&Value> {
        match self.side {
            Side::Nowhere | Side::Above | Side::Below | Side::Both => self.quantile_after(share, &self.below),
            // However much of the rest lies below, the answer must be the same.
            Side::Anywhere => {
                let least = self.quantile_after(share, &self.rest)?;
                self.quantile_after(share, &UBig::ZERO).filter(|most| *most == least)
            }
        }
    }

    /// The same with this weight below all that is listed; none if that is enough.
    fn quantile_after(&self, share: &Fraction, below: &UBig) -> Option<&Value> {
        // share <= sum / den, without a division for each outcome.
        let wanted = share.numerator() * IBig::from(self.den.clone());
        let reached = |sum: &UBig| IBig::from(sum * share.denominator()) >= wanted;
        let mut sum = below.clone();
        if !sum.is_zero() && reached(&sum) {
            return None;
        }
        for (value, weight) in self.weighted() {
            sum += weight.as_ref();
            if reached(&sum) {
                return Some(value);
            }
        }
        None
    }

    /// The median: the quantile of one half.
    pub fn median(&self) -> Option<&Value> {
        self.quantile(&Fraction::ratio(1, 2))
    }

    /// The most probable outcomes; none while another one could be more probable.
    pub fn mode(&self) -> Vec<&Value> {
        let Some(most) = self.weighted().map(|(_, weight)| weight).max() else { return vec![] };
        if *most <= self.rest {
            return vec![];
        }
        let might = |weight: &UBig| if self.exact { weight == &*most } else { weight + &self.rest >= *most };
        let likely: Vec<&Value> = self.weighted().filter(|(_, weight)| might(weight)).map(|(value, _)| value).collect();
        // What is not listed may add to one of several.
        if self.exact || likely.len() == 1 { likely } else { vec![] }
    }

    /// The probability of this outcome or a larger one; none where something unlisted may or may not belong to it.
    pub fn at_least(&self, outcome: &Value) -> Option<Fraction> {
        self.reach(|value| value.cmp(outcome), number(outcome))
    }

    /// The probability of this outcome or a smaller one, under the same condition.
    pub fn at_most(&self, outcome: &Value) -> Option<Fraction> {
        // Whatever is equal is not above.
        let above = |value: &Value| if value > outcome { Ordering::Greater } else { Ordering::Less };
        let next = number(outcome).and_then(|n| n.checked_add(1));
        self.reach(above, next).map(|above| &Fraction::one() - &above)
    }

    /// The probability of a number from `low` to `high`, where none leaves that end open; none if an outcome is not a
    /// number, or where something unlisted may or may not belong to it. Beyond the listed outcomes it is known where
    /// they fall off in a known way.
    pub fn between(&self, low: Option<i64>, high: Option<i64>) -> Option<Fraction> {
        if low.zip(high).is_some_and(|(low, high)| low > high) || self.values().any(|value| ratio(value).is_none()) {
            return None;
        }
        let from = |n: i64| self.reach(|value| ratio(value).map_or(Ordering::Less, |m| m.cmp(&n.into())), Some(n));
        let reached = low.map_or_else(|| Some(Fraction::one()), from)?;
        let above = |high: i64| {
            // Whatever is equal is not above.
            let order = |value: &Value| match ratio(value) {
                Some(n) if n > high.into() => Ordering::Greater,
                _ => Ordering::Less,
            };
            self.reach(order, high.checked_add(1))
        };
        match high.filter(|high| *high < i64::MAX) {
            Some(high) => above(high).map(|beyond| &reached - &beyond),
            None => Some(reached),
        }
    }

    /// `P(X >= a)`, for an order that says how each listed outcome compares with `a`, and the number that `a` is, if it is
    /// one. What is not listed belongs to it as a whole, or not at all, unless `a` lies beyond what is listed.
    fn reach(&self, order: impl Fn(&Value) -> Ordering, a: Option<i64>) -> Option<Fraction> {
        if !self.exact || self.side == Side::Anywhere {
            return None;
        }
        let above = &self.rest - &self.below;
        let (mut sum, mut some, mut all, mut met) = (UBig::ZERO, false, true, false);
        for (value, weight) in self.weighted() {
            match order(value) {
                Ordering::Less => all = false,
                order => {
                    sum += weight.as_ref();
                    (some, met) = (true, met || order == Ordering::Equal);
                }
            }
        }
        // The number next to the last one is the first that is not listed.
        let end = |value: Option<&Value>, step: i64| value.and_then(number).and_then(|n| n.checked_add(step));
        let is = |end: Option<i64>| self.whole && a.is_some() && a == end;
        let too_high = !some && !above.is_zero() && !is(end(self.values().next_back(), 1));
        let too_low = all && !met && !self.below.is_zero() && !is(end(self.values().next(), 0));
        match (too_high, too_low) {
            (true, _) => self.tailed.as_ref()?.at_least(a?),
            (_, true) => None,
            _ => Some(Fraction::part(&(sum + above), &self.den)),
        }
    }
}

/// The warning of an answer that lists too little. An answer to a single question shows bounds instead.
pub const CUT_SHORT: &str = "much is not listed because a limit was reached; use fewer dice, ask a \
                             question such as at least 15, or ask for an approximate answer";

/// The warning of an answer whose mean is unknown. An answer to a single question does not need it.
pub const NO_MEAN: &str = "the mean and variance are unknown, because not every outcome is listed";

/// Brings all weights to lowest terms, in place; which denominators, and all that occur. Many
/// distributions are symmetric, so the ends are taken together.
fn lowest_terms(items: &mut [(Value, UBig)], den: &UBig) -> (Vec<u32>, Vec<Over>) {
    let mut lowest = Lowest::new(den);
    let size = items.len();
    let mut over = vec![0; size];
    let (front, back) = items.split_at_mut(size.div_ceil(2));
    for (i, (_, weight)) in front.iter_mut().enumerate() {
        let twin = back.len().checked_sub(i + 1).map(|place| &mut back[place].1);
        let same = twin.as_ref().is_some_and(|twin| **twin == *weight);
        over[i] = lowest.reduce(weight);
        if let Some(twin) = twin {
            over[size - 1 - i] = if same {
                twin.clone_from(weight);
                over[i]
            } else {
                lowest.reduce(twin)
            };
        }
    }
    (over, lowest.found())
}
