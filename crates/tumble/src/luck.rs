//! How lucky a roll was: which share of all rolls it beats, which gives the same, which beats it.
//!
//! The shares are exact wherever the odds are and the result is listed among them. A result that is no
//! number beats nothing: then only the share of the same is told.

use crate::ask::Answer;
use crate::near::Near;
use tumble_core::Value;
use tumble_exact::{Fraction, Odds, number};

/// How a result stands among all rolls.
#[derive(Clone, Debug, PartialEq)]
pub enum Luck {
    /// Certain.
    Exact(Shares<Fraction>),
    /// From an approximate answer, or because the result lies among what is not listed.
    Near(Shares<f64>),
}

/// The shares of all rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares<N> {
    /// The share of smaller and of larger results; none if the results are not numbers.
    pub others: Option<(N, N)>,
    /// The share of the same result.
    pub same: N,
}

impl Luck {
    /// The luck of a result among the rolls of this answer.
    pub fn of(answer: &Answer, result: &Value) -> Luck {
        match answer {
            Answer::Exact(odds, _) => exact(odds, result).map_or_else(|| listed(odds, result), Luck::Exact),
            Answer::Near(near, _) => Luck::Near(near_shares(near, result)),
        }
    }
}

fn exact(odds: &Odds, result: &Value) -> Option<Shares<Fraction>> {
    let same = odds.probability(result);
    if !odds.exact() || same.is_zero() {
        return None;
    }
    if number(result).is_none() || !odds.values().all(|value| number(value).is_some()) {
        return Some(Shares { others: None, same });
    }
    let below = &Fraction::one() - &odds.at_least(result)?;
    let above = &Fraction::one() - &odds.at_most(result)?;
    Some(Shares { others: Some((below, above)), same })
}

/// What the listed outcomes say: what is not listed counts as neither.
fn listed(odds: &Odds, result: &Value) -> Luck {
    let outcomes = odds.outcomes().map(|(value, chance)| (value, chance.to_f64()));
    Luck::Near(shares(outcomes, result))
}

fn near_shares(near: &Near, result: &Value) -> Shares<f64> {
    shares(near.outcomes.iter().map(|outcome| (&outcome.value, outcome.share)), result)
}

fn shares<'v>(outcomes: impl Iterator<Item = (&'v Value, f64)>, result: &Value) -> Shares<f64> {
    let (mut below, mut same, mut above, mut numbers) = (0.0, 0.0, 0.0, number(result).is_some());
    for (value, share) in outcomes {
        numbers &= number(value).is_some();
        match value.cmp(result) {
            std::cmp::Ordering::Less => below += share,
            std::cmp::Ordering::Equal => same += share,
            std::cmp::Ordering::Greater => above += share,
        }
    }
    Shares { others: numbers.then_some((below, above)), same }
}
