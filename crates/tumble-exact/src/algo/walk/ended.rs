//! What has ended of a walk that is listed grade by grade, in whole numbers over a denominator that grows.

use crate::fraction::lcm;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::weight::bits;
use dashu_int::UBig;
use tumble_core::Budget;
use tumble_core::sort;

/// What has ended so far, by grade. A weight is over the denominator that was the latest when it was touched last: what
/// ends in one grade only is brought to the final denominator once.
pub(super) struct Ended {
    pub(super) den: UBig,
    /// What has not ended.
    moving: UBig,
    /// By what the denominator has grown.
    factors: Vec<UBig>,
    pub(super) weights: HashMap<(i64, Outcome), (UBig, usize)>,
}

impl Ended {
    pub(super) fn new() -> Ended {
        Ended { den: UBig::ONE, moving: UBig::ONE, factors: vec![], weights: HashMap::default() }
    }

    /// Whether less than two to the minus `precision` has not ended.
    pub(super) fn little_left(&self, precision: u64) -> bool {
        bits(&self.moving) + precision < bits(&self.den)
    }

    /// Goes over to a denominator that this one divides; how weights over this one become weights over that.
    pub(super) fn over(&mut self, den: &UBig) -> UBig {
        let next = lcm(&self.den, den);
        let factor = &next / &self.den;
        self.moving *= &factor;
        self.factors.push(factor);
        self.den = next;
        &self.den / den
    }

    pub(super) fn add(&mut self, key: (i64, Outcome), weight: UBig, budget: &mut Budget) -> Result<(), Stop> {
        let now = self.factors.len();
        self.moving -= &weight;
        let (sum, since) = self.weights.entry(key).or_insert((UBig::ZERO, now));
        if *since < now {
            let factor: UBig = self.factors[*since..].iter().product();
            (*sum, *since) = (raised(sum, &factor, budget)?, now);
        }
        *sum += weight;
        Ok(())
    }

    /// Everything up to a grade with its weight over the latest denominator.
    pub(super) fn listed(&self, bound: Option<i64>, budget: &mut Budget) -> Result<Vec<(Outcome, UBig)>, Stop> {
        let inside = self.weights.iter().filter(|((grade, _), _)| bound.is_none_or(|bound| *grade <= bound));
        let mut weights: Vec<_> = inside.map(|((_, outcome), (weight, since))| (outcome, weight, *since)).collect();
        sort::by_key(&mut weights, |(_, _, since)| std::cmp::Reverse(*since));
        let (mut factor, mut at) = (UBig::ONE, self.factors.len());
        let mut listed = Vec::with_capacity(weights.len());
        for (outcome, weight, since) in weights {
            while at > since {
                at -= 1;
                factor *= &self.factors[at];
            }
            listed.push((outcome.clone(), raised(weight, &factor, budget)?));
        }
        sort::unstable_by(&mut listed, |a, b| a.0.cmp(&b.0));
        Ok(listed)
    }
}

/// `weight · factor`.
fn raised(weight: &UBig, factor: &UBig, budget: &mut Budget) -> Result<UBig, Stop> {
    budget.step(1 + (1 + bits(weight) / 64).saturating_mul(1 + bits(factor) / 64) / 32)?;
    Ok(weight * factor)
}
