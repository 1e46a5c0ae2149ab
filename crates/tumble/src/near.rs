//! Answers that are not exact: counted from many rolls, and marked as such wherever they are shown.
//!
//! ```text
//! share = rolls that show the outcome / all rolls
//! low, high: Wilson's interval; it holds the true probability in 99 of 100 cases
//! ```
//!
//! An approximate answer is given only where it is allowed and the exact one is over its limit. The
//! same seed and number of rolls give the same answer, on any machine and any number of cores.

use crate::prepared::{Prepared, nth_seed};
use std::sync::atomic::{AtomicBool, Ordering};
use tumble_core::{Code, Diagnostic, Limits, Value};
use tumble_exact::number;
use tumble_roll::{Samples, Waiting, samples_until};

/// An approximate distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The outcomes that were seen, in their order.
    pub outcomes: Vec<NearOutcome>,
    /// The mean and its standard error, if every outcome is a number.
    pub mean: Option<(f64, f64)>,
    /// The standard deviation, if every outcome is a number.
    pub deviation: Option<f64>,
    /// How many rolls were made.
    pub rolls: u64,
    /// How many of them were given up because they passed a limit.
    pub given_up: u64,
    /// The seed of the rolls.
    pub seed: u64,
    /// Whether somebody stopped before all rolls were made.
    pub stopped: bool,
}

/// An outcome with its estimated probability.
#[derive(Clone, Debug, PartialEq)]
pub struct NearOutcome {
    /// The outcome.
    pub value: Value,
    /// How many rolls show it.
    pub count: u64,
    /// The share of rolls that show it.
    pub share: f64,
    /// The interval that holds its probability, in 99 of 100 cases.
    pub interval: (f64, f64),
}

/// How to roll many times.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// How many rolls; without it as many as are worth waiting for.
    pub rolls: Option<u64>,
    /// Where the dice come from.
    pub seed: u64,
    /// On how many cores; the answer is the same on any number.
    pub threads: usize,
    /// Set it to have what was reached so far.
    pub stop: Option<&'static AtomicBool>,
    /// Told how many rolls are made, and how many are wanted.
    pub progress: fn(u64, u64),
}

/// The most rolls that are made unasked, and the dice rolled in all of them.
const ROLLS: u64 = 1_000_000;
const DICE: u64 = 1_000_000_000;
/// The fewest rolls that say anything.
const LEAST: u64 = 1_000;
/// Rolls made first, to see how many dice one takes.
const FIRST: u64 = 8;

/// 99 % of a normal distribution lie within this many deviations.
const DEVIATIONS: f64 = 2.575_829_303_548_900_4;

impl Prepared {
    /// The distribution as it shows in many rolls.
    pub fn sample(&self, limits: &Limits, how: &Sampling) -> Result<Near, Diagnostic> {
        let wanted = how.rolls.unwrap_or_else(|| self.worth(limits, how.seed));
        let never = AtomicBool::new(false);
        let stop = how.stop.unwrap_or(&never);
        (how.progress)(0, wanted);
        let waiting = Waiting { stop, progress: &|made| (how.progress)(made, wanted) };
        let samples = samples_until(self.program(), how.seed, wanted, limits, how.threads, waiting)?;
        (how.progress)(samples.rolls, samples.rolls);
        match &samples.failure {
            Some(error) if error.code != Code::Limit => return Err(error.clone()),
            Some(error) if samples.counts.is_empty() => return Err(error.clone()),
            _ => {}
        }
        Ok(Near::of(samples, how.seed, stop.load(Ordering::Relaxed)))
    }

    /// How many rolls are worth waiting for: fewer if one takes many dice.
    fn worth(&self, limits: &Limits, seed: u64) -> u64 {
        let dice = |n| self.roll(nth_seed(seed, n), limits).map_or(limits.draws, |rolled| rolled.draws.len() as u64);
        let each = (0..FIRST).map(dice).fold(0, u64::saturating_add) / FIRST + 10;
        (DICE / each).clamp(LEAST, ROLLS)
    }
}

impl Near {
    fn of(samples: Samples, seed: u64, stopped: bool) -> Near {
        let rolls = samples.rolls;
        let outcomes: Vec<NearOutcome> = samples
            .counts
            .into_iter()
            .map(|(value, count)| NearOutcome {
                value,
                count,
                share: count as f64 / rolls.max(1) as f64,
                interval: wilson(count, rolls),
            })
            .collect();
        let (mean, deviation) = match moments(&outcomes) {
            Some((mean, deviation)) if samples.failed == 0 => {
                (Some((mean, deviation / (rolls.max(1) as f64).sqrt())), Some(deviation))
            }
            _ => (None, None),
        };
        Near { outcomes, mean, deviation, rolls, given_up: samples.failed, seed, stopped }
    }

    /// An outcome that was never seen has a probability below this, in 99 of 100 cases.
    pub fn unseen(&self) -> f64 {
        wilson(0, self.rolls).1
    }
}

/// Mean and deviation, if every outcome is a number.
fn moments(outcomes: &[NearOutcome]) -> Option<(f64, f64)> {
    let numbers: Option<Vec<(f64, f64)>> =
        outcomes.iter().map(|outcome| Some((number(&outcome.value)? as f64, outcome.share))).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
    let mean: f64 = numbers.iter().map(|(n, share)| n * share).sum();
    let variance: f64 = numbers.iter().map(|(n, share)| (n - mean) * (n - mean) * share).sum();
    Some((mean, variance.sqrt()))
}

/// Wilson's interval for a share of `count` in `rolls`.
pub(crate) fn wilson(count: u64, rolls: u64) -> (f64, f64) {
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
            if let (Some((mean, error)), Some(exact)) = (near.mean, odds.mean()) {
                assert!((mean - exact.to_f64()).abs() < 4.0 * error, "{text}: {mean} ± {error}");
            }
        }
        assert!(all > 60 && held * 100 >= all * 96, "{held} of {all}");
    }
}
