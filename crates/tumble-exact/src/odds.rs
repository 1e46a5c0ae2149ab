//! The answer: every outcome with its exact probability, and what is known of the rest.
//!
//! Outcomes are listed until less than 10^-12 of mass is left or 100,000 are listed. What is not
//! listed is stated exactly as `unresolved`; a listed probability is complete, and where that cannot
//! be had [`Odds::exact`] says so.

use crate::dist::Dist;
use crate::explain::Explanation;
use crate::fraction::{Fraction, Reducer};
use crate::outcome::Outcome;
use dashu_int::{IBig, UBig};
use tumble_core::{Data, Value};

/// The exact distribution of a roll.
#[derive(Clone, Debug)]
pub struct Odds {
    den: UBig,
    items: Vec<(Value, UBig)>,
    rest: UBig,
    side: Side,
    exact: bool,
    moments: Option<(Fraction, Fraction)>,
    warnings: Vec<String>,
    explanation: Option<Explanation>,
}

/// Where the unlisted outcomes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// There are none.
    Nowhere,
    /// All are larger than every listed outcome.
    Above,
    /// All are smaller than every listed outcome.
    Below,
    /// Anywhere.
    Anywhere,
}

const MOST_LISTED: usize = 100_000;

/// Less than this share may stay unlisted: one in 10^12.
pub(crate) fn small_enough(weight: &UBig, den: &UBig) -> bool {
    weight * UBig::from(1_000_000_000_000u64) < *den
}

impl Odds {
    pub(crate) fn new(dist: Dist, warnings: Vec<String>) -> Odds {
        let mut odds = Odds {
            den: dist.den,
            items: vec![],
            rest: UBig::ZERO,
            side: Side::Nowhere,
            exact: true,
            moments: None,
            warnings,
            explanation: None,
        };
        odds.moments = moments(&dist.items, &odds.den);
        let (mut lowest, mut highest) = (None::<i64>, None::<i64>);
        let mut larger = None::<u64>;
        for (outcome, weight) in dist.items {
            match outcome {
                Outcome::Known(value) => odds.items.push((value, weight)),
                Outcome::Above { bound, .. } => {
                    highest = Some(highest.map_or(bound, |h| h.min(bound)));
                    odds.rest += weight;
                }
                Outcome::Below { bound, .. } => {
                    lowest = Some(lowest.map_or(bound, |l| l.max(bound)));
                    odds.rest += weight;
                }
                Outcome::Larger(size) => {
                    larger = Some(larger.map_or(size, |l| l.min(size)));
                    odds.rest += weight;
                }
                Outcome::Cut => {
                    odds.side = Side::Anywhere;
                    odds.rest += weight;
                }
                Outcome::Unknown | Outcome::Hole { .. } | Outcome::Failed(_) => {
                    (odds.side, odds.exact) = (Side::Anywhere, false);
                    odds.rest += weight;
                }
            }
        }
        odds.complete(lowest, highest, larger);
        odds
    }

    /// Moves outcomes that the rest could still add to out of the list, then lists no more than asked.
    fn complete(&mut self, lowest: Option<i64>, highest: Option<i64>, larger: Option<u64>) {
        let inside = |value: &Value| {
            let by_number =
                number(value).is_none_or(|n| highest.is_none_or(|h| n <= h) && lowest.is_none_or(|l| n >= l));
            by_number && larger.is_none_or(|most| members(value) <= most)
        };
        let (kept, open): (Vec<_>, Vec<_>) = self.items.drain(..).partition(|(value, _)| inside(value));
        self.items = kept;
        open.into_iter().for_each(|(_, weight)| self.rest += weight);
        if self.side == Side::Nowhere {
            self.side = match (lowest, highest, larger) {
                (None, None, None) => Side::Nowhere,
                (None, Some(_), None) => Side::Above,
                (Some(_), None, None) => Side::Below,
                _ => Side::Anywhere,
            };
        }
        match self.side {
            Side::Above => self.trim(|items| items.pop()),
            Side::Below => self.trim(|items| if items.is_empty() { None } else { Some(items.remove(0)) }),
            Side::Anywhere if larger.is_some() && self.exact => self.trim_sizes(),
            Side::Nowhere | Side::Anywhere => {}
        }
    }

    /// The same for collections, which are complete size by size: the largest go first.
    fn trim_sizes(&mut self) {
        while let Some(most) = self.items.iter().map(|(value, _)| members(value)).max() {
            let largest = self.items.iter().filter(|(value, _)| members(value) == most);
            let rest = largest.fold(self.rest.clone(), |sum, (_, weight)| sum + weight);
            if !small_enough(&rest, &self.den) {
                return;
            }
            self.items.retain(|(value, _)| members(value) < most);
            self.rest = rest;
        }
    }

    /// Stops the list where the rest first falls below the threshold, or at the longest list.
    fn trim(&mut self, take: impl Fn(&mut Vec<(Value, UBig)>) -> Option<(Value, UBig)>) {
        loop {
            let before = self.items.len();
            let Some((value, weight)) = take(&mut self.items) else { return };
            let rest = &self.rest + &weight;
            if before <= MOST_LISTED && !small_enough(&rest, &self.den) {
                let back = if self.side == Side::Above { self.items.len() } else { 0 };
                self.items.insert(back, (value, weight));
                return;
            }
            self.rest = rest;
        }
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
        let reducer = Reducer::new(&self.den);
        self.items.iter().map(move |(value, weight)| (value, reducer.part(weight)))
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
            Ok(place) => Fraction::part(&self.items[place].1, &self.den),
            Err(_) => Fraction::zero(),
        }
    }

    /// The probability of everything that is not listed.
    pub fn unresolved(&self) -> Fraction {
        Fraction::part(&self.rest, &self.den)
    }

    /// Where the unlisted outcomes lie.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether every listed probability is complete.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// Things the asker should know.
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

    /// The smallest outcome that is reached or stayed below with at least this probability.
    pub fn quantile(&self, share: &Fraction) -> Option<&Value> {
        if self.side == Side::Anywhere {
            return None;
        }
        let mut sum = if self.side == Side::Below { self.rest.clone() } else { UBig::ZERO };
        if self.side == Side::Below && Fraction::part(&sum, &self.den) >= *share {
            return None;
        }
        for (value, weight) in &self.items {
            sum += weight;
            if Fraction::part(&sum, &self.den) >= *share {
                return Some(value);
            }
        }
        None
    }

    /// The median: the quantile of one half.
    pub fn median(&self) -> Option<&Value> {
        self.quantile(&Fraction::ratio(1, 2))
    }

    /// The most probable outcomes; none while an unlisted one could be more probable.
    pub fn mode(&self) -> Vec<&Value> {
        let Some(most) = self.items.iter().map(|(_, weight)| weight).max() else { return vec![] };
        if *most <= self.rest {
            return vec![];
        }
        self.items.iter().filter(|(_, weight)| weight == most).map(|(value, _)| value).collect()
    }

    /// The probability of this outcome or a larger one.
    pub fn at_least(&self, outcome: &Value) -> Option<Fraction> {
        self.tail(Side::Above, |value| value >= outcome)
    }

    /// The probability of this outcome or a smaller one.
    pub fn at_most(&self, outcome: &Value) -> Option<Fraction> {
        self.tail(Side::Below, |value| value <= outcome)
    }

    /// The mass of the listed outcomes in a tail, with the rest if it lies there. Where the rest lies
    /// beyond the last listed outcome, and the question does too, there is no answer.
    fn tail(&self, toward: Side, holds: impl Fn(&Value) -> bool) -> Option<Fraction> {
        let mut sum = UBig::ZERO;
        let mut some = false;
        let mut all = true;
        for (value, weight) in &self.items {
            if holds(value) {
                sum += weight;
                some = true;
            } else {
                all = false;
            }
        }
        match self.side {
            Side::Nowhere => {}
            Side::Anywhere => return None,
            side if side == toward && some => sum += &self.rest,
            side if side == toward => return None,
            _ if all => return None,
            _ => {}
        }
        Some(Fraction::part(&sum, &self.den))
    }
}

/// The number an outcome stands for: itself, or the only member of a collection.
pub fn number(value: &Value) -> Option<i64> {
    match &value.data {
        Data::Int(n) => Some(*n),
        Data::Pool(items) => match &items[..] {
            [one] => one.as_int(),
            _ => None,
        },
        _ => None,
    }
}

fn members(value: &Value) -> u64 {
    crate::outcome::chunk(value).map_or(0, |items| items.len() as u64)
}

/// Mean and mean square, where every part has them.
pub(crate) fn moments(items: &[(Outcome, UBig)], den: &UBig) -> Option<(Fraction, Fraction)> {
    let (mut mean, mut square) = (IBig::ZERO, IBig::ZERO);
    let (mut far_mean, mut far_square) = (Fraction::zero(), Fraction::zero());
    for (outcome, weight) in items {
        match outcome {
            Outcome::Known(value) => {
                let n = IBig::from(number(value)?);
                let weighted = &n * IBig::from(weight.clone());
                square += &weighted * n;
                mean += weighted;
            }
            Outcome::Above { moments: Some(m), .. } | Outcome::Below { moments: Some(m), .. } => {
                let part = Fraction::part(weight, den);
                far_mean = &far_mean + &(&part * m.mean());
                far_square = &far_square + &(&part * m.square());
            }
            _ => return None,
        }
    }
    let over = |sum: IBig, far: Fraction| &Fraction::new(sum, den.clone()) + &far;
    Some((over(mean, far_mean), over(square, far_square)))
}
