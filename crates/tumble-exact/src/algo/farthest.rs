//! Exact moments of the one largest or smallest of different dice that explode without end.
//!
//! Meaning: mean and mean square of `M = max X_i`. With `s = t − low + 1`, `M − low + 1` is the number of t from `low`
//! on with `M >= t`, and its square the sum of `2s − 1` over them, so both means are sums of `P(M >= t)`. That is
//! `1 − Π (1 − q_i(t))` in the chances `q_i(t) = P(X_i >= t)`, and multiplied out a sum of products of them; for
//! the smallest it is just `Π q_i(t)`. Far out each chance falls off by a fixed ratio each period of its own, so a
//! product does each common period, and the sums over all t are geometric series. Cost: the terms of the product
//! times the first faces and one common period.

use crate::algo::tail::Chances;
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::outcome::Stop;
use crate::tailed::power;
use crate::weight::binomials;
use dashu_int::{IBig, UBig};
use tumble_core::Budget;

/// More terms or places than this are not summed.
const MOST_TERMS: u64 = 256;
const MOST_PLACES: i64 = 2_000;

/// Mean and mean square; none if a tail is not known or there is too much to sum.
pub(super) fn moments(
    dice: &[(&Dist, u64)],
    largest: bool,
    budget: &mut Budget,
) -> Result<Option<(Fraction, Fraction)>, Stop> {
    let terms = dice.iter().fold(1u64, |terms, (_, times)| terms.saturating_mul(times.saturating_add(1)));
    let Some(grid) = Grid::of(dice).filter(|_| terms <= MOST_TERMS) else { return Ok(None) };
    budget.step(terms * grid.places() * 10 * dice.len() as u64)?;
    let (mut mean, mut square) = (Fraction::zero(), Fraction::zero());
    for (powers, factor) in products(dice, largest) {
        let (once, odd) = grid.sums(&powers);
        mean = &mean + &(&factor * &once);
        square = &square + &(&factor * &odd);
    }
    let base = Fraction::whole(grid.low - 1);
    let cross = &(&Fraction::whole(2) * &base) * &mean;
    Ok(Some((&base + &mean, &(&(&base * &base) + &cross) + &square)))
}

/// The products whose sum is `P(M >= t)`: the power of each chance, and a factor.
fn products(dice: &[(&Dist, u64)], largest: bool) -> Vec<(Vec<u64>, Fraction)> {
    let times = |(_, times): &(&Dist, u64)| *times;
    if !largest {
        return vec![(dice.iter().map(times).collect(), Fraction::one())];
    }
    // 1 − Π (1 − q)^n has every term of the product but the first, with the other sign.
    let mut terms = vec![(Vec::new(), IBig::from(-1))];
    for n in dice.iter().map(times) {
        let ways = binomials(n);
        let longer = |(powers, factor): &(Vec<u64>, IBig)| {
            let (powers, factor) = (powers.clone(), factor.clone());
            let one = move |(e, way): (usize, &UBig)| {
                let sign = if e % 2 == 0 { 1 } else { -1 };
                let powers: Vec<u64> = powers.iter().copied().chain([e as u64]).collect();
                (powers, &factor * IBig::from(way.clone()) * IBig::from(sign))
            };
            ways.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        terms = terms.iter().flat_map(longer).collect();
    }
    terms.retain(|(powers, _)| powers.iter().any(|e| *e > 0));
    terms.into_iter().map(|(powers, factor)| (powers, Fraction::new(factor, UBig::ONE))).collect()
}

/// The chances of all dice at the same places, from the lowest face on, up to one common period after all tails begin.
struct Grid {
    low: i64,
    rows: Vec<Vec<Fraction>>,
    /// Where the common period begins.
    tail: usize,
    /// By how much each row falls off in it.
    ratios: Vec<Fraction>,
}

impl Grid {
    fn of(dice: &[(&Dist, u64)]) -> Option<Grid> {
        let all = dice
            .iter()
            .map(|(each, _)| Chances::of(each).or_else(|| Chances::ended(each)))
            .collect::<Option<Vec<_>>>()?;
        let low = all.iter().map(|chances| chances.low).min()?;
        let from = all.iter().map(Chances::from).max()?;
        let period = all.iter().try_fold(1, |common, chances| multiple(common, chances.period()))?;
        let places = from.checked_sub(low)?.checked_add(period)?;
        let row = |chances: &Chances| (low..low + places).map(|t| chances.at(t)).collect();
        let ratio = |chances: &Chances| power(&chances.ratio, (period / chances.period()).unsigned_abs());
        (places <= MOST_PLACES).then(|| Grid {
            low,
            rows: all.iter().map(row).collect(),
            tail: (places - period) as usize,
            ratios: all.iter().map(ratio).collect(),
        })
    }

    fn places(&self) -> u64 {
        self.rows.first().map_or(0, |row| row.len() as u64)
    }

    /// `Σ g(t)` and `Σ (2s − 1) · g(t)` over all t, where g is the product of these powers of the chances.
    fn sums(&self, powers: &[u64]) -> (Fraction, Fraction) {
        let product = |of: &dyn Fn(usize) -> Fraction| {
            let factors = powers.iter().enumerate().filter(|(_, e)| **e > 0);
            factors.fold(Fraction::one(), |product, (i, e)| &product * &power(&of(i), *e))
        };
        let ratio = product(&|i| self.ratios[i].clone());
        let stays = &Fraction::one() - &ratio;
        let period = self.places() as i64 - self.tail as i64;
        // The series of r^j and of j·r^j.
        let (once, late) = (&Fraction::one() / &stays, &ratio / &(&stays * &stays));
        let (mut sum, mut odd) = (Fraction::zero(), Fraction::zero());
        for t in 0..self.places() as usize {
            let g = product(&|i| self.rows[i][t].clone());
            let weighted = &g * &Fraction::whole(2 * t as i64 + 1);
            if t < self.tail {
                (sum, odd) = (&sum + &g, &odd + &weighted);
            } else {
                let later = &(&g * &Fraction::whole(2 * period)) * &late;
                (sum, odd) = (&sum + &(&g * &once), &(&odd + &(&weighted * &once)) + &later);
            }
        }
        (sum, odd)
    }
}

/// The least common multiple, as far as it is worth it.
fn multiple(a: i64, b: i64) -> Option<i64> {
    (1..=MOST_PLACES / a.max(1)).map(|n| n * a).find(|n| n % b == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::tail;
    use crate::tailed::tests::exploding;
    use tumble_core::Limits;

    /// Equal dice given one by one are those given together.
    #[test]
    fn equal_dice_agree_with_kept_dice() {
        let mut budget = Budget::new(Limits::default());
        for (sides, dice) in [(2, 1), (4, 2), (6, 2), (6, 3), (10, 4)] {
            let die = exploding(sides);
            for largest in [true, false] {
                let count = |m: i64| if largest { m.min(1) } else { i64::from(m == dice) };
                let kept = tail::kept_moments(&die, &(0..=dice).map(count).collect(), &mut budget).unwrap();
                let one_by_one = vec![(&die, 1); dice as usize];
                assert_eq!(moments(&one_by_one, largest, &mut budget).unwrap(), kept, "{dice}d{sides}");
                let split = [(&die, 1), (&die, dice as u64 - 1)];
                assert_eq!(moments(&split, largest, &mut budget).unwrap(), kept, "{dice}d{sides}, split");
            }
        }
    }
}
