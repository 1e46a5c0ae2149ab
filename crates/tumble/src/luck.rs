//! How lucky a roll was: which share of all rolls it beats, which gives the same, which beats it.
//!
//! The shares are exact wherever the odds are and the result is listed among them. Where it is not, or rolls that are
//! not listed may lie on either side of it, each share has bounds. A result that is no number beats nothing: then only
//! the share of the same result is shown.

use crate::approximate::{Approximate, Sampling};
use crate::ask::{Answer, Query};
use crate::prepared::Prepared;
use std::cmp::Ordering;
use std::ops::Add;
use tumble_core::{Code, Data, Diagnostic, Limits, Value};
use tumble_exact::{Fraction, Odds, ratio};
use tumble_roll::Rolled;

/// So many rolls show how lucky one is to about a percent.
const FEW: u64 = 5_000;

/// How a result compares with all rolls.
#[derive(Clone, Debug, PartialEq)]
pub enum Luck {
    /// Exact.
    Exact(Shares<Fraction>),
    /// Each share is at least this and at most `rest` more, because a part is not listed.
    Between {
        /// What is listed.
        least: Shares<Fraction>,
        /// What is not.
        rest: Fraction,
    },
    /// From an approximate answer.
    Approximate(Shares<f64>),
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
            Answer::Exact(odds, _) => exact(odds, result).map_or_else(|| between(odds, result), Luck::Exact),
            Answer::Approximate(near, _) => Luck::Approximate(approximate_shares(near, result)),
        }
    }
}

impl Prepared {
    /// The odds to compare a roll with: exact where that is quick, otherwise approximate.
    pub fn odds_for_luck(&self, limits: &Limits) -> Result<Answer, Diagnostic> {
        let limits = Limits { steps: limits.steps / 10, ..limits.clone() };
        let ask =
            |approx, samples| self.ask(&Query { approx, samples, ..Query::default() }, &limits, &Sampling::default());
        match ask(false, None) {
            Err(error) if error.code == Code::Limit => ask(true, None),
            // Rolls that the engine can list only in part take many dice each; a line about luck is not worth minutes.
            Ok(Answer::Exact(odds, _)) if odds.cut_short() => ask(true, Some(FEW)),
            other => other,
        }
    }

    /// The luck of the result, or of each result where the odds are those of one of several rolls.
    ///
    /// ```
    /// use tumble::{Limits, Prepared};
    ///
    /// let (stats, limits): (Prepared, Limits) = ("3d6".parse()?, Limits::default());
    /// let odds = stats.odds_for_luck(&limits)?;
    /// let lucks = stats.lucks(&stats.roll(3, &limits)?, &odds);
    /// assert!(lucks[0].to_string().starts_with("better than "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lucks(&self, rolled: &Rolled, odds: &Answer) -> Vec<Luck> {
        let results: &[Value] = match &rolled.value.data {
            Data::List(items) if self.counts_one() => items,
            _ => std::slice::from_ref(&rolled.value),
        };
        results.iter().map(|result| Luck::of(odds, result)).collect()
    }
}

fn exact(odds: &Odds, result: &Value) -> Option<Shares<Fraction>> {
    let same = odds.probability(result);
    if !odds.exact() || same.is_zero() {
        return None;
    }
    if ratio(result).is_none() || !odds.values().all(|value| ratio(value).is_some()) {
        return Some(Shares { others: None, same });
    }
    let below = &Fraction::one() - &odds.at_least(result)?;
    let above = &Fraction::one() - &odds.at_most(result)?;
    Some(Shares { others: Some((below, above)), same })
}

/// What the listed outcomes say.
fn between(odds: &Odds, result: &Value) -> Luck {
    Luck::Between { least: shares(odds.outcomes(), Fraction::zero(), result), rest: odds.unresolved() }
}

fn approximate_shares(near: &Approximate, result: &Value) -> Shares<f64> {
    shares(near.outcomes.iter().map(|outcome| (&outcome.value, outcome.share)), 0.0, result)
}

fn shares<'v, N: Clone>(outcomes: impl Iterator<Item = (&'v Value, N)>, none: N, result: &Value) -> Shares<N>
where
    for<'n> &'n N: Add<&'n N, Output = N>,
{
    let (mut below, mut same, mut above) = (none.clone(), none.clone(), none);
    let mut numbers = ratio(result).is_some();
    for (value, share) in outcomes {
        numbers &= ratio(value).is_some();
        let sum = match value.cmp(result) {
            Ordering::Less => &mut below,
            Ordering::Equal => &mut same,
            Ordering::Greater => &mut above,
        };
        *sum = &*sum + &share;
    }
    Shares { others: numbers.then_some((below, above)), same }
}
