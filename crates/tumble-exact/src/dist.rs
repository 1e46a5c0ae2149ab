//! Distributions: outcomes with whole weights over one denominator. Weights add up to it, always:
//! mass is never lost and never moved.

use crate::fraction::{Fraction, lcm, reduce};
use crate::map::HashMap;
use crate::outcome::{self, Beyond, Outcome, Stop};
use crate::tailed::Far;
use crate::weight::{bits, cost_of, cost_of_fraction};
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use tumble_core::sort;
use tumble_core::{Budget, Fault};

/// Outcomes, each once and in order, with positive weights that add up to `den`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dist {
    pub(crate) den: UBig,
    pub(crate) items: Vec<(Outcome, UBig)>,
}

/// Outcomes on their way into a distribution. They often come in order, and as long as they do
/// nothing has to be looked up.
#[derive(Default)]
pub(crate) struct Pile {
    ascending: Vec<(Outcome, UBig)>,
    weights: HashMap<Outcome, UBig>,
    bytes: u64,
}

impl Pile {
    /// Adds weight to an outcome.
    pub(crate) fn add(&mut self, outcome: Outcome, weight: &UBig) {
        if weight.is_zero() {
            return;
        }
        let size = 64 + 24 * outcome::size(&outcome) + bits(weight) / 8;
        if self.weights.is_empty() {
            match self.ascending.last_mut().map(|last| (last.0.cmp(&outcome), last)) {
                None | Some((Ordering::Less, _)) => {
                    self.bytes += size;
                    self.ascending.push((outcome, weight.clone()));
                    return;
                }
                Some((Ordering::Equal, (_, sum))) => {
                    *sum += weight;
                    return;
                }
                Some((Ordering::Greater, _)) => self.weights.extend(self.ascending.drain(..)),
            }
        }
        *self.weights.entry(outcome).or_insert_with(|| {
            self.bytes += size;
            UBig::ZERO
        }) += weight;
    }

    /// Refuses to grow beyond a fair part of what may be held at once: others are held too.
    pub(crate) fn check(&self, budget: &Budget) -> Result<(), Fault> {
        if self.bytes > budget.limits().bytes / 4 {
            return Err(Fault::limit(format!("more than {} outcomes are too many to list", self.len()))
                .hint("ask for less, such as a sum, a count, or the largest few"));
        }
        Ok(())
    }

    /// How many outcomes there are.
    pub(crate) fn len(&self) -> usize {
        self.ascending.len() + self.weights.len()
    }

    /// The outcomes in order.
    pub(crate) fn into_items(self) -> Vec<(Outcome, UBig)> {
        let mut items = self.ascending;
        if !self.weights.is_empty() {
            items.extend(self.weights);
            sort::unstable_by(&mut items, |a, b| a.0.cmp(&b.0));
        }
        lump(&mut items);
        items
    }

    /// The distribution; the weights must add up to `den`.
    pub(crate) fn over(self, den: UBig) -> Dist {
        Dist::sorted(self.into_items(), den)
    }
}

impl Dist {
    /// From different outcomes in order, with positive weights that add up to `den`.
    pub(crate) fn sorted(items: Vec<(Outcome, UBig)>, den: UBig) -> Dist {
        let dist = Dist { den, items };
        debug_assert!(dist.items.is_sorted_by(|a, b| a.0 < b.0), "each once and in order");
        debug_assert_eq!(dist.items.iter().map(|(_, weight)| weight).sum::<UBig>(), dist.den, "mass is kept");
        dist
    }

    /// From different outcomes in any order, with weights that add up to `den`.
    pub(crate) fn listed(mut items: Vec<(Outcome, UBig)>, den: UBig) -> Dist {
        items.retain(|(_, weight)| !weight.is_zero());
        sort::by(&mut items, |a, b| a.0.cmp(&b.0));
        lump(&mut items);
        Dist::sorted(items, den)
    }

    /// Whether this can be an answer at all, in every build: its mass is one, and the moments that its unlisted parts
    /// state are possible beyond their bounds. What is wrong by more than the rest would have to be made good by next to
    /// nothing: then the mean of the rest is on the wrong side of its bound, or so far out that its variance is negative.
    /// `mass` is the sum of its weights.
    pub(crate) fn audit(&self, mass: &IBig) -> Result<(), Fault> {
        if *mass != IBig::from(self.den.clone()) {
            return Err(Fault::mistake("internal error: the probabilities of the answer do not add up to 1"));
        }
        let possible = |(outcome, _): &(Outcome, UBig)| match outcome.beyond() {
            Some(Beyond { bound, up, far: Some(far), .. }) => far.possible(bound, up),
            _ => true,
        };
        match self.items.iter().all(possible) {
            true => Ok(()),
            false => Err(Fault::mistake(
                "internal error: the mean and variance of the answer do not match its probabilities",
            )),
        }
    }

    /// One certain outcome.
    pub(crate) fn one(outcome: Outcome) -> Dist {
        Dist { den: UBig::ONE, items: vec![(outcome, UBig::ONE)] }
    }

    /// The only outcome, if there is only one.
    pub(crate) fn certain(&self) -> Option<&Outcome> {
        match self.items.as_slice() {
            [(outcome, _)] => Some(outcome),
            _ => None,
        }
    }

    /// The distribution of a function of the outcome.
    pub(crate) fn map(
        &self,
        budget: &mut Budget,
        mut f: impl FnMut(&Outcome, &mut Budget) -> Result<Outcome, Stop>,
    ) -> Result<Dist, Stop> {
        let mut pile = Pile::default();
        for (outcome, weight) in &self.items {
            budget.step(5 + outcome::size(outcome))?;
            pile.add(f(outcome, budget)?, weight);
            pile.check(budget)?;
        }
        Ok(pile.over(self.den.clone()))
    }

    /// The distribution of a function of two independent outcomes.
    pub(crate) fn cross(
        &self,
        other: &Dist,
        budget: &mut Budget,
        mut f: impl FnMut(&Outcome, &Outcome, &mut Budget) -> Result<Outcome, Stop>,
    ) -> Result<Dist, Stop> {
        let den = &self.den * &other.den;
        let mut pile = Pile::default();
        for (a, v) in &self.items {
            for (b, w) in &other.items {
                budget.step(4 + (outcome::size(a) + outcome::size(b)) / 2 + cost_of(bits(&den)))?;
                pile.add(f(a, b, budget)?, &(v * w));
                pile.check(budget)?;
            }
        }
        Ok(pile.over(den))
    }

    /// The mixture of distributions; the weights of the parts add up to `den`.
    pub(crate) fn mix(parts: &[(UBig, &Dist)], den: &UBig, budget: &mut Budget) -> Result<Dist, Stop> {
        if let Some((low, size)) = dense(parts) {
            return Dist::mix_numbers(parts, den, low, size, budget);
        }
        let shared = parts.iter().fold(UBig::ONE, |shared, (_, part)| lcm(&shared, &part.den));
        let mut pile = Pile::default();
        for (weight, part) in parts {
            let scale = weight * (&shared / &part.den);
            for (outcome, w) in &part.items {
                budget.step(1 + cost_of(bits(&shared)))?;
                pile.add(outcome.clone(), &(w * &scale));
                pile.check(budget)?;
            }
        }
        Ok(pile.over(den * shared).reduced())
    }

    /// The mixture of numbers in a table. Small denominators come first: what is there is then scaled
    /// by little at a time, where many parts times one large number would be long products.
    fn mix_numbers(
        parts: &[(UBig, &Dist)],
        den: &UBig,
        low: i64,
        size: usize,
        budget: &mut Budget,
    ) -> Result<Dist, Stop> {
        let mut order: Vec<&(UBig, &Dist)> = parts.iter().collect();
        sort::by_key(&mut order, |(_, part)| bits(&part.den));
        let mut table = vec![UBig::ZERO; size];
        let mut shared = UBig::ONE;
        for (weight, part) in order {
            let next = lcm(&shared, &part.den);
            let more = &next / &shared;
            shared = next;
            budget.step((1 + cost_of(bits(&shared))).saturating_mul(part.items.len() as u64))?;
            if !more.is_one() {
                budget.step((size as u64 / 4).saturating_mul(cost_of(bits(&shared))))?;
                table.iter_mut().filter(|cell| !cell.is_zero()).for_each(|cell| *cell *= &more);
            }
            let scale = weight * (&shared / &part.den);
            for (outcome, w) in &part.items {
                let place = outcome.as_int().map_or(0, |n| (n - low) as usize);
                table[place] += w * &scale;
            }
        }
        let some = table.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        let items = some.map(|(i, weight)| (Outcome::int(low + i as i64), weight)).collect();
        Ok(Dist::sorted(items, den * shared).reduced())
    }

    /// The same distribution over a smaller denominator, if the numbers have become long.
    pub(crate) fn reduced(mut self) -> Dist {
        if bits(&self.den) <= 128 {
            return self;
        }
        // The shortest weight first: most often that is the end of it.
        let shortest = self.items.iter().map(|(_, weight)| weight).min_by_key(|weight| bits(weight));
        let shared = shortest.map_or(UBig::ONE, |weight| (&self.den).gcd(weight));
        reduce(shared, &mut self.den, &mut self.items);
        self
    }
}

/// Shares as weights over one denominator; what they miss to one is an error in the caller.
pub(crate) fn over_one_denominator(shares: Vec<(Outcome, Fraction)>, budget: &mut Budget) -> Result<Dist, Stop> {
    let mut den = UBig::ONE;
    for (_, share) in &shares {
        budget.step(2 * cost_of_fraction(bits(&den)))?;
        den = lcm(&den, share.denominator());
    }
    let mut pile = Pile::default();
    for (outcome, share) in shares {
        let weight = share.positive() * (&den / share.denominator());
        pile.add(outcome, &weight);
    }
    Ok(pile.over(den))
}

/// Where a table for all outcomes would begin and how long it would be, if they are numbers that stand
/// close together.
fn dense(parts: &[(UBig, &Dist)]) -> Option<(i64, usize)> {
    let (mut low, mut high, mut count) = (i64::MAX, i64::MIN, 0);
    for (outcome, _) in parts.iter().flat_map(|(_, part)| &part.items) {
        let n = outcome.as_int()?;
        (low, high, count) = (low.min(n), high.max(n), count + 1);
    }
    let size = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
    (size <= 2 * count).then_some((low, size))
}

/// Puts all "above" outcomes together, and all "below": the lowest bound holds for all of them.
fn lump(items: &mut Vec<(Outcome, UBig)>) {
    if items.iter().filter(|(outcome, _)| outcome.beyond().is_some()).count() < 2 {
        return;
    }
    let (unlisted, mut listed): (Vec<_>, Vec<_>) = items.drain(..).partition(|(outcome, _)| outcome.beyond().is_some());
    for (up, pooled) in [(true, false), (false, false), (true, true), (false, true)] {
        let alike = unlisted.iter().filter_map(|(outcome, weight)| Some((outcome.beyond()?, weight)));
        let alike: Vec<_> = alike.filter(|(part, _)| (part.up, part.pooled) == (up, pooled)).collect();
        let Some(nearest) = alike.iter().map(|(part, _)| part.bound * part.side()).min() else { continue };
        let far = Far::mixed(&alike.iter().map(|(part, weight)| (*weight, part.far)).collect::<Vec<_>>());
        let outcome = match up {
            true => Outcome::Above { bound: nearest, pooled, far },
            false => Outcome::Below { bound: -nearest, pooled, far },
        };
        listed.push((outcome, alike.iter().map(|(_, weight)| *weight).sum()));
    }
    sort::by(&mut listed, |a, b| a.0.cmp(&b.0));
    *items = listed;
}
