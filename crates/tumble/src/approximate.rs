//! Answers that are not exact, and marked as such wherever they are shown.
//!
//! ```text
//! floating point   sums of very many dice; the bounds are certain
//! sampling         share = rolls that show the outcome / all rolls; the bounds are Wilson's interval,
//!                  which holds the true probability in 99 of 100 cases
//! ```
//!
//! A roll that was given up at a limit might have shown anything: the upper bound of every outcome counts it, the lower
//! bound does not.
//!
//! An approximate answer is given only where it is allowed and the exact one is over its limit. The
//! same seed and number of rolls give the same answer, on any machine and any number of cores.

use crate::prepared::{Prepared, nth_seed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tumble_core::{Code, Diagnostic, Limits, Span, Value};
use tumble_exact::{Options, Rounded, ratio, rounded};
use tumble_roll::{Control, Samples, samples_until};

/// An approximate distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Approximate {
    /// The outcomes in order; sampling knows only those that were seen.
    pub outcomes: Vec<ApproximateOutcome>,
    /// The mean, if every outcome is a number.
    pub mean: Option<f64>,
    /// The standard deviation, if every outcome is a number.
    pub deviation: Option<f64>,
    /// Where the numbers come from.
    pub by: ApproximatedBy,
}

/// How an approximate answer was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ApproximatedBy {
    /// In floating point.
    Floats {
        /// The true probability is at least the number less this share of it.
        relative: f64,
        /// It is at most the number, this share of it more, and this besides: what was dropped on the way, being too
        /// rare to be kept, may belong to any outcome.
        dropped: f64,
    },
    /// By rolling many times.
    Rolls {
        /// How many rolls were made.
        rolls: u64,
        /// How many of them were given up because they passed a limit.
        given_up: u64,
        /// The seed of the rolls.
        seed: u64,
        /// Whether somebody stopped before all rolls were made.
        stopped: bool,
    },
}

/// An outcome with its approximate probability.
#[derive(Clone, Debug, PartialEq)]
pub struct ApproximateOutcome {
    /// The outcome.
    pub value: Value,
    /// Its approximate probability.
    pub share: f64,
    /// The bounds of its true probability.
    pub interval: (f64, f64),
    /// How many rolls show it.
    count: u64,
}

/// How to roll many times.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// How many rolls; by default as many as are worth waiting for.
    pub rolls: Option<u64>,
    /// The seed of the dice.
    pub seed: u64,
    /// How many threads to use; the answer does not depend on it.
    pub threads: usize,
    /// Set it to stop and get the rolls made so far.
    pub stop: Option<Arc<AtomicBool>>,
    /// Called with how many rolls are made, and how many are wanted.
    pub progress: fn(u64, u64),
}

impl Default for Sampling {
    /// On one core, with seed 0, as many rolls as are worth waiting for, and nobody who watches.
    fn default() -> Sampling {
        Sampling { rolls: None, seed: 0, threads: 1, stop: None, progress: |_, _| {} }
    }
}

/// The most rolls that are made unasked.
const ROLLS: u64 = 1_000_000;
/// The dice of all of them, for each step that one evaluation may take: a billion by default.
const DICE_PER_STEP: u64 = 20;
/// The fewest rolls that say anything.
const LEAST: u64 = 1_000;
/// Rolls made first, to see how many dice one takes.
const FIRST: u64 = 8;

/// About as many steps of a roll take as long as one die.
const STEPS_PER_DIE: u64 = 8;
/// Somebody who cannot stop the rolls may ask for so many times those that are worth waiting for.
const PATIENCE: u64 = 10;

/// 99 % of a normal distribution lie within this many standard deviations.
const DEVIATIONS: f64 = 2.575_829_303_548_900_4;

impl Prepared {
    /// The distribution in floating point; none if it has too few sums for that to help.
    pub fn round(&self, limits: &Limits) -> Option<Approximate> {
        let options = Options { limits: limits.clone(), ..Options::default() };
        rounded(self.counted(), &options).ok().flatten().map(Approximate::from)
    }

    /// The distribution estimated from many rolls.
    pub fn sample(&self, limits: &Limits, how: &Sampling) -> Result<Approximate, Diagnostic> {
        let worth = self.worth(limits, how.seed)?;
        let wanted = how.rolls.unwrap_or(worth);
        if how.stop.is_none() && wanted > worth.saturating_mul(PATIENCE) {
            return Err(self.too_long(worth.saturating_mul(PATIENCE)));
        }
        let never = AtomicBool::new(false);
        let stop = how.stop.as_deref().unwrap_or(&never);
        (how.progress)(0, wanted);
        let waiting = Control { stop, progress: &|made| (how.progress)(made, wanted) };
        let samples = samples_until(self.counted(), how.seed, wanted, limits, how.threads, waiting)?;
        (how.progress)(samples.rolls, samples.rolls);
        match &samples.failure {
            Some(error) if error.code != Code::Limit => return Err(error.clone()),
            Some(error) if samples.counts.is_empty() => return Err(error.clone()),
            _ => {}
        }
        Ok(Approximate::of(samples, how.seed, stop.load(Ordering::Relaxed)))
    }

    /// How many rolls are worth waiting for: fewer if one takes many dice or many steps. An error if none of the
    /// first ones comes to an end.
    fn worth(&self, limits: &Limits, seed: u64) -> Result<u64, Diagnostic> {
        let tries = (3..8).map(|power| 10u64.pow(power)).filter(|steps| *steps < limits.steps).chain([limits.steps]);
        let all = limits.steps.saturating_mul(DICE_PER_STEP);
        let rolls = |each: u64| (all / (each + 10)).clamp(LEAST, ROLLS);
        let roll = |n: u64, limits: &Limits| Ok(self.roll(nth_seed(seed, n), limits)?.draws.len() as u64);
        for steps in tries {
            let few = Limits { steps, ..limits.clone() };
            if let Ok(dice) = (0..FIRST).map(|n| roll(n, &few)).sum::<Result<u64, Diagnostic>>() {
                return Ok(rolls((dice / FIRST).max(steps / STEPS_PER_DIE)));
            }
        }
        let failed = (0..FIRST).map_while(|n| roll(n, limits).err());
        match failed.enumerate().last() {
            Some((last, error)) if last as u64 + 1 == FIRST => Err(error),
            _ => Ok(rolls(limits.draws.max(limits.steps / STEPS_PER_DIE))),
        }
    }

    fn too_long(&self, most: u64) -> Diagnostic {
        let message = format!("this many rolls would take too long; ask for at most {most}");
        Diagnostic::new(Code::Limit, Span::new(0, self.text().len()), message).hint("ask for fewer `samples`")
    }
}

impl ApproximateOutcome {
    /// Whether only one roll shows it.
    pub(crate) fn seen_once(&self) -> bool {
        self.count == 1
    }
}

impl From<Rounded> for Approximate {
    fn from(rounded: Rounded) -> Approximate {
        let by = ApproximatedBy::Floats { relative: rounded.relative, dropped: rounded.dropped };
        let outcome = |(value, share, interval)| ApproximateOutcome { value, share, interval, count: 0 };
        Approximate::new(rounded.outcomes.into_iter().map(outcome).collect(), by)
    }
}

impl Approximate {
    fn new(outcomes: Vec<ApproximateOutcome>, by: ApproximatedBy) -> Approximate {
        let moments = moments(&outcomes).filter(|_| !matches!(by, ApproximatedBy::Rolls { given_up: 1.., .. }));
        Approximate {
            mean: moments.map(|(mean, _)| mean),
            deviation: moments.map(|(_, deviation)| deviation),
            outcomes,
            by,
        }
    }

    fn of(samples: Samples, seed: u64, stopped: bool) -> Approximate {
        let (rolls, given_up) = (samples.rolls, samples.failed);
        let outcome = |(value, count): (Value, u64)| ApproximateOutcome {
            value,
            share: count as f64 / rolls.max(1) as f64,
            interval: bounds(count, given_up, rolls),
            count,
        };
        let outcomes = samples.counts.into_iter().map(outcome).collect();
        Approximate::new(outcomes, ApproximatedBy::Rolls { rolls, given_up, seed, stopped })
    }

    /// The standard error of a mean that comes from rolls.
    pub fn mean_error(&self) -> Option<f64> {
        match self.by {
            ApproximatedBy::Rolls { rolls, .. } => Some(self.deviation? / (rolls.max(1) as f64).sqrt()),
            ApproximatedBy::Floats { .. } => None,
        }
    }

    /// An upper bound on the probability of an outcome that is not listed; with sampling, at 99 %
    /// confidence.
    pub fn unseen(&self) -> f64 {
        self.together(&[]).1.1
    }

    /// The share of the rolls that were given up, with its bounds; none if there are none.
    pub(crate) fn given_up(&self) -> Option<(f64, (f64, f64))> {
        match self.by {
            ApproximatedBy::Rolls { rolls, given_up: given_up @ 1.., .. } => {
                Some((given_up as f64 / rolls.max(1) as f64, wilson(given_up, rolls)))
            }
            ApproximatedBy::Rolls { .. } | ApproximatedBy::Floats { .. } => None,
        }
    }

    /// The share of some outcomes together, with its bounds; of none, those of what is not listed.
    pub(crate) fn together(&self, outcomes: &[&ApproximateOutcome]) -> (f64, (f64, f64)) {
        // An empty sum of floats is -0.
        let sum = |of: &dyn Fn(&ApproximateOutcome) -> f64| outcomes.iter().fold(0.0, |sum, outcome| sum + of(outcome));
        let share = sum(&|outcome| outcome.share);
        let bounds = match self.by {
            ApproximatedBy::Rolls { rolls, given_up, .. } => {
                bounds(outcomes.iter().map(|outcome| outcome.count).sum(), given_up, rolls)
            }
            ApproximatedBy::Floats { relative, dropped } => {
                let off = relative + outcomes.len() as f64 * f64::EPSILON;
                (share * (1.0 - off), (share * (1.0 + off) + dropped).min(1.0))
            }
        };
        (share, bounds)
    }
}

/// The bounds of a share of `count` in `rolls`, of which some were given up and might have shown the same.
fn bounds(count: u64, given_up: u64, rolls: u64) -> (f64, f64) {
    (wilson(count, rolls).0, wilson(count + given_up, rolls).1)
}

/// Mean and standard deviation, if every outcome is a number.
fn moments(outcomes: &[ApproximateOutcome]) -> Option<(f64, f64)> {
    let numbers: Option<Vec<(f64, f64)>> =
        outcomes.iter().map(|outcome| Some((float(ratio(&outcome.value)?), outcome.share))).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
    let whole: f64 = numbers.iter().map(|(_, share)| share).sum();
    let mean = numbers.iter().map(|(n, share)| n * share).sum::<f64>() / whole;
    let variance = numbers.iter().map(|(n, share)| (n - mean) * (n - mean) * share).sum::<f64>() / whole;
    Some((mean, variance.sqrt()))
}

fn float(number: tumble_core::Ratio) -> f64 {
    number.numerator() as f64 / number.denominator() as f64
}

/// Wilson's interval for a share of `count` in `rolls`.
fn wilson(count: u64, rolls: u64) -> (f64, f64) {
    if rolls == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (rolls as f64, DEVIATIONS);
    let share = count as f64 / n;
    let scale = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let low = if count == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if count == rolls { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, compile};

    #[test]
    fn intervals_are_those_of_wilson() {
        for (count, rolls, low, high) in
            [(0, 10, 0.0, 0.398_857), (5, 10, 0.184_238, 0.815_762), (10, 10, 0.601_143, 1.0), (0, 0, 0.0, 1.0)]
        {
            let found = wilson(count, rolls);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{count} of {rolls}: {found:?}");
        }
    }

    /// Of many intervals for known probabilities, about one in a hundred may miss.
    #[test]
    fn intervals_hold_what_they_promise() {
        let (mut held, mut all) = (0, 0);
        for (text, seed) in [("sum 3d6", 1), ("sum largest 3 4d6", 2), ("count 4 < 9d6", 3), ("2d4", 4), ("d20", 5)] {
            let prepared = compile("troll", text, &Default::default()).unwrap();
            let odds = prepared.odds(&Options::default()).unwrap();
            let how = Sampling { rolls: Some(20_000), seed, threads: 2, stop: None, progress: |_, _| {} };
            let near = prepared.sample(&Limits::default(), &how).unwrap();
            assert_eq!(near, prepared.sample(&Limits::default(), &Sampling { threads: 1, ..how }).unwrap(), "{text}");
            for outcome in &near.outcomes {
                let share = odds.probability(&outcome.value).to_f64();
                all += 1;
                held += usize::from(outcome.interval.0 <= share && share <= outcome.interval.1);
            }
            if let (Some(mean), Some(error), Some(exact)) = (near.mean, near.mean_error(), odds.mean()) {
                assert!((mean - exact.to_f64()).abs() < 4.0 * error, "{text}: {mean} ± {error}");
            }
        }
        assert!(all > 60 && held * 100 >= all * 96, "{held} of {all}");
    }
}
