//! Moments of order statistics: sums of kept dice, the largest and the smallest, of dice that go on without end, alike or not.
//!
//! Meaning: let g(m) be how many of m dice that show at least some face are kept, and `N_t` how many show at least t. The kept
//! sum is `k·(low − 1) + Σ_t g(N_t)`. With `q_i(t) = P(X_i >= t)`, the chance that each die of a set shows at least its face is
//! a product of such, and by Newton's forward differences of g
//!
//! ```text
//! E g(N_t)          = Σ_b Δ^b g(0) · Σ_B Π_B q_i(t)
//! E g(N_t)·g(N_u)   = Σ_b Σ_c Δ^b g(0) · Δ^c g(b) · Σ_B Σ_C Π_C q_i(t) · Π_B q_i(u)     for t < u
//! ```
//!
//! over all sets B of b dice, and C of c others. Every product falls off geometrically, so its sums over all t and u are
//! finite ones. Cost: the sets, counted by kinds of dice, times the first faces and one common period.

use super::{Far, LONGEST, Tailed, common};
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::{Bunch, Source};
use crate::outcome::{Outcome, Stop, number};
use crate::weight::{binomials, bits, cost_of};
use dashu_int::{IBig, UBig};
use tumble_core::Budget;

/// More dice, or more sets of them, are not gone through.
const MOST_DICE: u64 = 100;
const MOST_SETS: u64 = 400;

/// Gives the unlisted part of a kept sum, or of the one die that is kept, its law, where that can be known; `kept` tells
/// how many of m dice that show at least a face are kept, for every m up to all dice.
pub(crate) fn complete(
    sum: &mut Dist,
    bunch: &Bunch,
    kept: impl FnOnce(u64) -> Option<Vec<i64>>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let open = |(outcome, _): &(Outcome, UBig)| {
        matches!(outcome, Outcome::Above { far: None, .. } | Outcome::Below { far: None, .. })
    };
    let dice = bunch.parts.iter().fold(0u64, |dice, part| dice.saturating_add(part.times));
    if !sum.items.iter().any(open) || dice > MOST_DICE {
        return Ok(());
    }
    let Some(kept) = kept(dice) else { return Ok(()) };
    if let Some((bound, law)) = lone(bunch).filter(|_| kept.iter().skip(1).all(|count| *count == 1)) {
        let same = |outcome: &&mut (Outcome, UBig)| matches!(outcome.0, Outcome::Above { bound: b, .. } if b == bound);
        if let Some((Outcome::Above { far, .. }, _)) = sum.items.iter_mut().find(same) {
            *far = Some(law.clone());
        }
    } else if let Some(pool) = Pool::of(bunch, kept.iter().any(|count| *count > 1)) {
        // An answer without its mean is better than none.
        let price = pool.price();
        if price <= budget.limits().steps.saturating_sub(budget.used()) / 4 {
            budget.step(price)?;
            if let Some((mean, square)) = pool.moments(&kept) {
                super::complete(sum, &mean, &square);
            }
        }
    }
    Ok(())
}

/// The unlisted part above of the only die that goes on without end, if all others end below its bound: the largest die is
/// beyond it just when that die is.
fn lone(bunch: &Bunch) -> Option<(i64, &Far)> {
    let (mut far, mut highest) = (None, i64::MIN);
    for part in &bunch.parts {
        let Source::Each(each) = &part.source else { return None };
        for (outcome, _) in &each.items {
            match outcome {
                Outcome::Above { bound, far: Some(law), .. } if part.times == 1 && far.is_none() => {
                    far = Some((*bound, law));
                }
                other => highest = highest.max(number(other.known()?)?),
            }
        }
    }
    far.filter(|(bound, _)| highest <= *bound)
}

/// All dice, seen from a place below which all of them are.
struct Pool {
    low: i64,
    /// For each kind of dice, the powers of `P(X >= t)` from the first on, as many as there are dice.
    kinds: Vec<Vec<Tailed>>,
    sets: Vec<Sets>,
}

/// All choices of some dice to show at least u and of others to show at least t, of so many of each kind.
struct Sets {
    /// How many are chosen for u and for t, of each kind.
    chosen: Vec<[usize; 2]>,
    ways: UBig,
}

impl Pool {
    /// The dice of a collection; none if one of them is not known as far as it goes, or if there are too many sets. Sets for
    /// t are left out if none is chosen in `pairs`.
    fn of(bunch: &Bunch, pairs: bool) -> Option<Pool> {
        let die = |source: &Source| match source {
            Source::Each(each) => Tailed::of(each, number),
            Source::Chain(_) | Source::Deck(_) => None,
        };
        let all = bunch.parts.iter().map(|part| Some((die(&part.source)?, part.times))).collect::<Option<Vec<_>>>()?;
        let low = all.iter().map(|(die, _)| die.low).min()?;
        let mut sets = vec![Sets { chosen: vec![], ways: UBig::ONE }];
        let many = |n: u64| if pairs { (n + 1) * (n + 2) / 2 } else { n + 1 };
        if all.iter().fold(1u64, |sets, (_, n)| sets.saturating_mul(many(*n))) > MOST_SETS {
            return None;
        }
        for (_, n) in &all {
            sets = sets.iter().flat_map(|set| set.with(*n, pairs)).collect();
        }
        let powers = |(die, n): &(Tailed, u64)| {
            let mut powers = vec![die.reach(low)];
            while (powers.len() as u64) < *n {
                powers.push(powers[powers.len() - 1].times(&powers[0])?);
            }
            Some(powers)
        };
        Some(Pool { low, kinds: all.iter().map(powers).collect::<Option<_>>()?, sets })
    }

    /// For each set about three products as long as that of all dice.
    fn price(&self) -> u64 {
        let all: Vec<&Tailed> = self.kinds.iter().filter_map(|kind| kind.last()).collect();
        let period = all.iter().try_fold(1, |period, power| common(period, power.period)).unwrap_or(LONGEST);
        let longest = all.iter().map(|power| power.from() - self.low).max().unwrap_or(0) + period;
        let long = |power: &&Tailed| bits(&power.den) + (longest / power.period) as u64 * bits(&power.ratio.all);
        3 * self.sets.len() as u64 * longest as u64 * (4 + cost_of(all.iter().map(long).sum()))
    }

    /// Mean and mean square of the kept sum; none if a product is too long.
    fn moments(&self, kept: &[i64]) -> Option<(Fraction, Fraction)> {
        let squares: Vec<i64> = kept.iter().map(|count| count * count).collect();
        let (mut mean, mut square) = (Fraction::zero(), Fraction::zero());
        for set in &self.sets {
            let [b, c] = [0, 1].map(|which| set.chosen.iter().map(|chosen| chosen[which]).sum::<usize>());
            let first = difference(kept, b, 0);
            let [one, own, both] = match c {
                0 => [first.clone(), difference(&squares, b, 0), &first * difference(kept, 0, b)],
                _ => [IBig::ZERO, IBig::ZERO, &first * difference(kept, c, b)],
            };
            if [&one, &own, &both].into_iter().all(IBig::is_zero) {
                continue;
            }
            let times = |worth: IBig| Fraction::new(worth * IBig::from(set.ways.clone()), UBig::ONE);
            let product = self.product(set, 0)?;
            let sum = product.total();
            mean = &mean + &(&times(one) * &sum);
            square = &square + &(&times(own) * &sum);
            if !both.is_zero() {
                // Over all t < u: what is reached after t.
                let after = product.reach(self.low);
                let pairs = match c {
                    0 => &after.total() - &sum,
                    _ => self.product(set, 1)?.times(&after.moved(-1))?.total(),
                };
                square = &square + &(&times(both * IBig::from(2)) * &pairs);
            }
        }
        let base = Fraction::whole(kept.last()?.checked_mul(self.low - 1)?);
        let cross = &(&Fraction::whole(2) * &base) * &mean;
        Some((&base + &mean, &(&(&base * &base) + &cross) + &square))
    }

    /// The chance that all dice that are chosen for u, or for t, show at least that.
    fn product(&self, set: &Sets, which: usize) -> Option<Tailed> {
        let power = |(kind, chosen): (&'_ Vec<Tailed>, &[usize; 2])| kind.get(chosen[which].checked_sub(1)?).cloned();
        let mut powers = self.kinds.iter().zip(&set.chosen).filter_map(power);
        let first = powers.next()?;
        powers.try_fold(first, |product, power| product.times(&power))
    }
}

impl Sets {
    /// The same with dice of one more kind.
    fn with(&self, n: u64, pairs: bool) -> Vec<Sets> {
        let longer = |b: usize, c: usize, ways: UBig| {
            let chosen = self.chosen.iter().copied().chain([[b, c]]).collect();
            Sets { chosen, ways: &self.ways * ways }
        };
        let of = |(b, ways): (usize, &UBig)| {
            let others = binomials(n - b as u64);
            let some = others.iter().take(if pairs { usize::MAX } else { 1 }).enumerate();
            some.map(|(c, more)| longer(b, c, ways * more)).collect::<Vec<_>>()
        };
        binomials(n).iter().enumerate().flat_map(of).collect()
    }
}

/// The forward difference of this order, `Δ^order g(at)`.
fn difference(g: &[i64], order: usize, at: usize) -> IBig {
    let term = |(j, way): (usize, UBig)| {
        let term = IBig::from(way) * IBig::from(g[at + j]);
        if (order - j).is_multiple_of(2) { term } else { -term }
    };
    binomials(order as u64).into_iter().enumerate().map(term).sum()
}
