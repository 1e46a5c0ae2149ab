//! Exact moments of kept dice that explode without end.
//!
//! Meaning: mean and mean square of the sum of the k largest (or smallest) of n equal dice. With
//! `N_t` the number of kept dice that show at least t, the sum is `k·(low − 1) + Σ_t N_t`, and the
//! means of `N_t` and `N_t·N_u` are polynomials in the chances `q(t) = P(X >= t)`. Far out those fall
//! off by a fixed ratio each period ([`Tailed`]), so the sums over all t are geometric series.
//! Cost: `n^4` small steps for the polynomials, `n²` times the listed faces for the sums.

use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::odds;
use crate::outcome::{Outcome, Stop};
use crate::tailed::{Tailed, power};
use crate::weight::binomials;
use dashu_int::{IBig, UBig};
use tumble_core::Budget;

/// More chances than this are not summed.
const MOST_PLACES: i64 = 100_000;
/// More dice than this make the polynomials too long.
pub(crate) const MOST_DICE: u64 = 24;

/// How many of the dice that show at least t are kept, by how many there are.
pub(crate) type Kept = Vec<i64>;

/// Mean and mean square of the kept sum; none if the tail is not known or there are too many dice.
pub(crate) fn kept_moments(
    each: &Dist,
    kept: &Kept,
    budget: &mut Budget,
) -> Result<Option<(Fraction, Fraction)>, Stop> {
    let dice = kept.len() as u64 - 1;
    let Some(chances) = Chances::of(each).filter(|_| dice <= MOST_DICE) else { return Ok(None) };
    budget.step(dice.pow(4) + dice * dice * chances.listed.len() as u64 * 20)?;
    let all = kept[kept.len() - 1];
    let base = Fraction::whole(all.saturating_mul(chances.low - 1));
    let one = polynomial(kept, 1);
    let own = polynomial(kept, 2);
    let mean = weigh(&one, &chances);
    let mut square = weigh(&own, &chances);
    for (a, row) in products(kept).iter().enumerate() {
        for (b, factor) in row.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            let twice = Fraction::new(factor * IBig::from(2), UBig::ONE);
            square = &square + &(&twice * &chances.pairs(a, b));
        }
    }
    // (base + Σ)² has the mean base² + 2·base·E + S.
    let cross = &(&Fraction::whole(2) * &base) * &mean;
    Ok(Some((&base + &mean, &(&(&base * &base) + &cross) + &square)))
}

/// `P(X >= t)` from the lowest t on, up to one period after the tail begins.
pub(super) struct Chances {
    pub(super) low: i64,
    listed: Vec<Fraction>,
    /// Where in the list the last period begins.
    tail: usize,
    pub(super) ratio: Fraction,
}

impl Chances {
    /// The chances of a die that goes on without end in a known way.
    pub(super) fn of(each: &Dist) -> Option<Chances> {
        let Tailed { low, chances, from, ratio, .. } = Tailed::of(each, MOST_PLACES, odds::number)?;
        let mut left = Fraction::one();
        let at_least = |chance: &Fraction| {
            let next = &left - chance;
            std::mem::replace(&mut left, next)
        };
        Some(Chances {
            low,
            listed: chances.iter().map(at_least).collect(),
            tail: usize::try_from(from - low).ok()?,
            ratio,
        })
    }

    /// The chances of a die that ends: after its last face there is nothing.
    pub(super) fn ended(each: &Dist) -> Option<Chances> {
        let number = |outcome: &Outcome| odds::number(outcome.known()?);
        let mut numbers =
            each.items.iter().map(|(outcome, weight)| Some((number(outcome)?, weight))).collect::<Option<Vec<_>>>()?;
        numbers.sort_by_key(|(n, _)| *n);
        let (low, high) = (numbers.first()?.0, numbers.last()?.0);
        let end = high.checked_add(2).filter(|end| end - low <= MOST_PLACES)?;
        let listed = at_least(&each.den, &numbers, low..end);
        Some(Chances { low, tail: listed.len() - 1, listed, ratio: Fraction::zero() })
    }

    /// Where the tail begins.
    pub(super) fn from(&self) -> i64 {
        self.low + self.tail as i64
    }

    /// After how many faces the tail falls off by its ratio.
    pub(super) fn period(&self) -> i64 {
        (self.listed.len() - self.tail) as i64
    }

    /// `P(X >= t)` for any t.
    pub(super) fn at(&self, t: i64) -> Fraction {
        let Ok(place) = usize::try_from(t - self.low) else { return Fraction::one() };
        let far = place.saturating_sub(self.tail) / (self.listed.len() - self.tail);
        let near = place - far * (self.listed.len() - self.tail);
        &self.listed[near] * &power(&self.ratio, far as u64)
    }

    /// `Σ_t q(t)^p` over all t from the lowest on.
    fn sum(&self, p: usize) -> Fraction {
        self.series(p, |t| power(&self.listed[t], p as u64))
    }

    /// `Σ q(t)^a · q(u)^b` over all t < u.
    fn pairs(&self, a: usize, b: usize) -> Fraction {
        let mut after = self.sum(b);
        let mut beyond: Vec<Fraction> = Vec::with_capacity(self.listed.len());
        for chance in &self.listed {
            after = &after - &power(chance, b as u64);
            beyond.push(after.clone());
        }
        self.series(a + b, |t| &power(&self.listed[t], a as u64) * &beyond[t])
    }

    /// The sum over all t of terms that fall off by `ratio^p` each period.
    fn series(&self, p: usize, term: impl Fn(usize) -> Fraction) -> Fraction {
        let sum = |places: std::ops::Range<usize>| places.fold(Fraction::zero(), |sum, t| &sum + &term(t));
        let stays = &Fraction::one() - &power(&self.ratio, p as u64);
        &sum(0..self.tail) + &(&sum(self.tail..self.listed.len()) / &stays)
    }
}

/// `P(X >= t)` for these t, from the lowest number on; numbers ascend.
fn at_least(den: &UBig, numbers: &[(i64, &UBig)], places: std::ops::Range<i64>) -> Vec<Fraction> {
    let mut left = den.clone();
    let mut next = numbers.iter().peekable();
    let chance = |t| {
        let chance = Fraction::part(&left, den);
        while let Some((_, weight)) = next.next_if(|(n, _)| *n <= t) {
            left -= *weight;
        }
        chance
    };
    places.map(chance).collect()
}

fn weigh(polynomial: &[IBig], chances: &Chances) -> Fraction {
    let terms = polynomial.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
    terms.fold(Fraction::zero(), |sum, (p, factor)| {
        &sum + &(&Fraction::new(factor.clone(), UBig::ONE) * &chances.sum(p))
    })
}

/// The mean of `kept(m)^e` for m dice of n that show at least t, as a polynomial in `q(t)`.
fn polynomial(kept: &Kept, e: u32) -> Vec<IBig> {
    let n = kept.len() - 1;
    let mut sum = vec![IBig::ZERO; n + 1];
    let ways = binomials(n as u64);
    for m in 0..=n {
        let factor = IBig::from(ways[m].clone()) * IBig::from(kept[m].pow(e));
        // q^m · (1 − q)^(n − m)
        for (i, way) in binomials((n - m) as u64).iter().enumerate() {
            let sign = if i % 2 == 0 { 1 } else { -1 };
            sum[m + i] += &factor * IBig::from(way.clone()) * IBig::from(sign);
        }
    }
    sum
}

/// The mean of `kept(#>=t) · kept(#>=u)` for t < u, as a polynomial in `q(t)` (rows) and `q(u)`.
fn products(kept: &Kept) -> Vec<Vec<IBig>> {
    let n = kept.len() - 1;
    let mut sum = vec![vec![IBig::ZERO; n + 1]; n + 1];
    let outer = binomials(n as u64);
    for i in 0..=n {
        // i dice show at least u, j more show at least t, the rest less: q(u)^i (q(t)−q(u))^j (1−q(t))^l
        let inner = binomials((n - i) as u64);
        for j in 0..=n - i {
            let ways = IBig::from(&outer[i] * &inner[j]);
            let factor = ways * IBig::from(kept[i]) * IBig::from(kept[i + j]);
            let l = n - i - j;
            for (x, way) in binomials(j as u64).iter().enumerate() {
                for (y, other) in binomials(l as u64).iter().enumerate() {
                    let sign = if (x + y) % 2 == 0 { 1 } else { -1 };
                    sum[j - x + y][i + x] += &factor * IBig::from(way * other) * IBig::from(sign);
                }
            }
        }
    }
    sum
}
