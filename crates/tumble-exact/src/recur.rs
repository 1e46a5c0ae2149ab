//! The coefficients of a power of a polynomial, one after the other.
//!
//! Meaning: `w(x)^n`, as far as it is asked for. Miller's recurrence gives the next coefficient from
//! as many as there are faces, `k·w₀·c_k = Σᵢ (i·(n+1) − k)·wᵢ·c_{k−i}`; for s equal weights,
//! `((1 − x^s)/(1 − x))^n`, three terms are enough,
//! `k·c_k = (n+k−1)·c_{k−1} − (ns+s−k)·c_{k−s} + (n(s−1)+s+1−k)·c_{k−s−1}`, and the second half mirrors
//! the first. Every division is exact.
//!
//! Short numbers are counted in 128 bits. Long ones are rows of words ([`limbs`]) as long as the
//! factors are words; the rows that are still needed stay in the cache.

use crate::limbs::{self, Divisor};
use crate::weight::bits;
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};

/// The first `range` coefficients of the power; none of them takes more than `den_bits` bits.
pub(crate) fn coefficients(weights: &[UBig], times: u64, range: u64, den_bits: u64) -> Vec<UBig> {
    let size = |n: u64| u64::from(64 - n.leading_zeros());
    let widest = weights.iter().map(bits).max().unwrap_or(0);
    let faces = weights.len() as u64;
    let short = den_bits + widest + 2 * size(range) + size(times) + 10 < 126;
    let whole = (faces - 1).checked_mul(times).is_some_and(|last| range == last + 1);
    if whole && faces > 3 && weights.iter().all(|weight| *weight == weights[0]) {
        return even(&weights[0], Even { times, sides: faces }, range, short);
    }
    let words = widest + size(times) + 2 * size(range) < 60;
    match (short, words) {
        (true, _) => miller_short(weights, times, range),
        (false, true) => miller_words(weights, times, range, den_bits),
        (false, false) => sloped(weights, times, range).unwrap_or_else(|| miller_big(weights, times, range)),
    }
}

/// A die that explodes at most so many times has long weights, each about a tenth of the one before:
/// `wᵢ = uᵢ · g^(m−i)` with short `uᵢ`. Then `c_k` is `g^(m·n−k)` times that of the short ones.
fn sloped(weights: &[UBig], times: u64, range: u64) -> Option<Vec<UBig>> {
    let (g, m) = slope(weights)?;
    let power = |exponent: u64| UBig::from(g).pow(usize::try_from(exponent).unwrap_or(usize::MAX));
    let scaled = |(i, weight): (usize, &UBig)| match m.checked_sub(i as u64) {
        Some(more) => weight / power(more),
        None => weight * power(i as u64 - m),
    };
    let short: Vec<UBig> = weights.iter().enumerate().map(scaled).collect();
    let den_bits = bits(&short.iter().sum::<UBig>()).saturating_mul(times);
    let mut table = coefficients(&short, times, range, den_bits);
    let middle = m.checked_mul(times)?;
    let mut scale = UBig::ONE;
    for k in (0..range.min(middle)).rev() {
        scale = if k + 1 == range.min(middle) { power(middle - k) } else { scale * g };
        table[k as usize] *= &scale;
    }
    for k in middle + 1..range {
        table[k as usize] /= power(k - middle);
    }
    Some(table)
}

/// The g and m of [`sloped`], if the weights are like that.
fn slope(weights: &[UBig]) -> Option<(u64, u64)> {
    let last = weights.len() - 1;
    let shared = |m: usize| weights[..m].iter().fold(UBig::ZERO, |shared, weight| (&shared).gcd(weight));
    let slope = |m: usize| {
        let shared = shared(m);
        (2..100u64).filter(|p| (2..*p).all(|q| p % q != 0)).fold(1u64, |g, p| {
            let often = |(i, weight): (usize, &UBig)| weight.clone().remove(&UBig::from(p)).unwrap_or(0) / (m - i);
            match (&shared % p) == 0 {
                true => g.saturating_mul(p.saturating_pow(listed(&weights[..m]).map(often).min().unwrap_or(0) as u32)),
                false => g,
            }
        })
    };
    let found = (last.saturating_sub(2)..=last).filter(|m| *m > 2).map(|m| (slope(m), m as u64));
    found.filter(|(g, _)| *g > 1 && *g < 1 << 20).max_by_key(|(g, _)| *g)
}

/// Even dice: `times` dice with `sides` sides.
#[derive(Clone, Copy)]
struct Even {
    times: u64,
    sides: u64,
}

impl Even {
    /// The factors of `c_{k−1}`, `−c_{k−s}` and `c_{k−s−1}`.
    fn factors(self, k: u64) -> [u64; 3] {
        let (n, s) = (self.times, self.sides);
        [n + k - 1, n * s + s - k, n * (s - 1) + s + 1 - k]
    }
}

/// Even dice: half of the coefficients by the recurrence of three terms, half by symmetry.
fn even(weight: &UBig, dice: Even, range: u64, short: bool) -> Vec<UBig> {
    let half = range.div_ceil(2) as usize;
    let mut all = Vec::with_capacity(range as usize);
    if short {
        even_short(dice, half, &mut all)
    } else {
        even_long(dice, half, &mut all)
    }
    if !weight.is_one() {
        let scale = weight.pow(usize::try_from(dice.times).unwrap_or(usize::MAX));
        all.iter_mut().for_each(|cell| *cell *= &scale);
    }
    for k in (0..range as usize - half).rev() {
        all.push(all[k].clone());
    }
    all
}

fn even_short(dice: Even, half: usize, out: &mut Vec<UBig>) {
    let sides = dice.sides as usize;
    let mut table: Vec<i128> = Vec::with_capacity(half);
    table.push(1);
    for k in 1..half {
        let [a, b, c] = dice.factors(k as u64).map(i128::from);
        let before = |back: usize| k.checked_sub(back).map_or(0, |place| table[place]);
        let sum = a * before(1) - b * before(sides) + c * before(sides + 1);
        table.push(sum / k as i128);
    }
    out.extend(table.into_iter().map(|cell| UBig::from(cell.unsigned_abs())));
}

/// The last `sides + 2` coefficients in a ring of rows. Up to the middle they only grow, by less than
/// a word at a time: `c_k / c_{k−1} <= n`.
fn even_long(dice: Even, half: usize, out: &mut Vec<UBig>) {
    let ring = dice.sides as usize + 2;
    let mut rows: Vec<Vec<u64>> = vec![vec![0; 2]; ring];
    rows[0][0] = 1;
    out.push(UBig::ONE);
    let mut size = 1;
    for k in 1..half {
        // One word to grow by, one for the factor k that is divided out again.
        let wide = size + 2;
        let place = |back: usize| (k + ring - back) % ring;
        let mut row = std::mem::take(&mut rows[k % ring]);
        row.resize(wide, 0);
        for back in [1, dice.sides as usize, dice.sides as usize + 1] {
            rows[place(back)].resize(wide, 0);
        }
        let terms = [1, dice.sides as usize, dice.sides as usize + 1].map(|back| rows[place(back)].as_slice());
        limbs::three_terms(&mut row, terms, dice.factors(k as u64), Divisor::new(k as u64));
        size = limbs::length(&row);
        out.push(limbs::number(&row[..size]));
        rows[k % ring] = row;
    }
}

fn miller_short(weights: &[UBig], times: u64, range: u64) -> Vec<UBig> {
    let faces: Vec<(i128, i128)> =
        listed(weights).map(|(i, weight)| (i as i128, i128::try_from(weight).unwrap_or(i128::MAX))).collect();
    let first = faces.first().map_or(1, |(_, weight)| *weight);
    let mut table: Vec<i128> = vec![(0..times).fold(1, |power, _| power * first)];
    for k in 1..range as i128 {
        let mut sum = 0;
        for &(i, weight) in faces.iter().skip(1).take_while(|(i, _)| *i <= k) {
            sum += (i * (i128::from(times) + 1) - k) * weight * table[(k - i) as usize];
        }
        table.push(sum / (k * first));
    }
    table.into_iter().map(|weight| UBig::from(weight.unsigned_abs())).collect()
}

/// Factors of one word: sums column by column, carried once for each coefficient.
fn miller_words(weights: &[UBig], times: u64, range: u64, den_bits: u64) -> Vec<UBig> {
    let faces: Vec<(usize, i64)> =
        listed(weights).map(|(i, weight)| (i, i64::try_from(weight).unwrap_or(i64::MAX))).collect();
    let first = faces.first().map_or(1, |(_, weight)| *weight);
    let mut table = vec![UBig::from(first.unsigned_abs()).pow(usize::try_from(times).unwrap_or(usize::MAX))];
    let mut columns = vec![0i128; den_bits as usize / 64 + 2];
    let mut row = vec![0; columns.len()];
    for k in 1..range as usize {
        let mut size = 1;
        for &(i, weight) in faces.iter().skip(1).take_while(|(i, _)| *i <= k) {
            let words = limbs::words(&table[k - i]);
            size = size.max(words.len());
            limbs::add_columns(&mut columns, &words, ((i as i64) * (times as i64 + 1) - k as i64) * weight);
        }
        let wide = (size + 2).min(row.len());
        Divisor::new(k as u64 * first.unsigned_abs()).quotient(&mut row[..wide], columns.iter().copied());
        columns[..wide].fill(0);
        table.push(limbs::number(&row[..limbs::length(&row[..wide])]));
    }
    table
}

fn miller_big(weights: &[UBig], times: u64, range: u64) -> Vec<UBig> {
    let faces: Vec<(u64, IBig)> = listed(weights).map(|(i, weight)| (i as u64, IBig::from(weight.clone()))).collect();
    let first = weights.first().cloned().unwrap_or(UBig::ONE);
    let mut table: Vec<IBig> = vec![IBig::from(first.pow(usize::try_from(times).unwrap_or(usize::MAX)))];
    for k in 1..range {
        let mut sum = IBig::ZERO;
        for (i, weight) in faces.iter().skip(1).take_while(|(i, _)| *i <= k) {
            let factor = i128::from(*i) * (i128::from(times) + 1) - i128::from(k);
            sum += &table[(k - i) as usize] * (weight * IBig::from(factor));
        }
        table.push(sum / (IBig::from(k) * IBig::from(first.clone())));
    }
    table.into_iter().map(|weight| UBig::try_from(weight).unwrap_or(UBig::ZERO)).collect()
}

/// The faces that can happen.
fn listed(weights: &[UBig]) -> impl Iterator<Item = (usize, &UBig)> {
    weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meaning: a product of as many polynomials.
    fn multiplied(weights: &[UBig], times: u64, range: u64) -> Vec<UBig> {
        let mut power = vec![UBig::ONE];
        for _ in 0..times {
            let mut next = vec![UBig::ZERO; (power.len() + weights.len() - 1).min(range as usize)];
            for (i, a) in power.iter().enumerate() {
                for (cell, b) in next[i..].iter_mut().zip(weights) {
                    *cell += a * b;
                }
            }
            power = next;
        }
        power.resize(range as usize, UBig::ZERO);
        power
    }

    /// Every way that fits, against the meaning.
    fn check(weights: &[u64], times: u64, range: u64) {
        let weights: Vec<UBig> = weights.iter().map(|weight| UBig::from(*weight)).collect();
        let expected = multiplied(&weights, times, range);
        let den_bits = bits(&weights.iter().sum::<UBig>()) * times;
        let name = format!("{weights:?}^{times}, {range}");
        assert_eq!(coefficients(&weights, times, range, den_bits), expected, "{name}");
        assert_eq!(miller_big(&weights, times, range), expected, "big {name}");
        if let Some(sloped) = sloped(&weights, times, range) {
            assert_eq!(sloped, expected, "sloped {name}");
        }
        if weights.iter().all(|weight| bits(weight) < 20) {
            assert_eq!(miller_words(&weights, times, range, den_bits), expected, "words {name}");
        }
        if den_bits < 80 {
            assert_eq!(miller_short(&weights, times, range), expected, "short {name}");
        }
        if range == (weights.len() as u64 - 1) * times + 1 && weights.iter().all(|weight| *weight == weights[0]) {
            let dice = Even { times, sides: weights.len() as u64 };
            assert_eq!(even(&weights[0], dice, range, false), expected, "even {name}");
            if den_bits < 80 {
                assert_eq!(even(&weights[0], dice, range, true), expected, "even and short {name}");
            }
        }
    }

    #[test]
    fn even_dice() {
        for sides in [2, 3, 4, 6, 7, 10, 20] {
            for times in [1, 2, 3, 4, 7, 20, 24, 25, 26, 31, 49, 50, 64, 100] {
                check(&vec![1; sides], times, (sides as u64 - 1) * times + 1);
            }
            check(&vec![5; sides], 40, (sides as u64 - 1) * 40 + 1);
            check(&vec![1; sides], 60, sides as u64);
        }
    }

    #[test]
    fn exploding_dice() {
        let ten = |times: u32| 10u64.pow(times);
        let ten_times: Vec<u64> = (0..13).map(|i| 7 * ten(12 - i) + 2 * ten(12 - i) / 10).chain([3]).collect();
        let sixth: Vec<u64> = (0..9).flat_map(|i| [6u64.pow(8 - i), 0, 5 * 6u64.pow(8 - i)]).collect();
        for weights in [&ten_times, &sixth] {
            for times in [2, 5, 20] {
                let range = (weights.len() as u64 - 1) * times + 1;
                check(weights, times, range);
                check(weights, times, range / 2);
                check(weights, times, weights.len() as u64);
            }
        }
        let weights: Vec<UBig> = ten_times.iter().map(|weight| UBig::from(*weight)).collect();
        assert!(slope(&weights).is_some_and(|(g, _)| g == 10));
    }

    #[test]
    fn uneven_dice() {
        for weights in [&[7, 3][..], &[1, 0, 0, 5], &[3, 0, 1 << 19, 1, 0, 9], &[1 << 40, 7, 1 << 62], &[12]] {
            for times in [1, 2, 5, 11, 30, 90] {
                let range = (weights.len() as u64 - 1) * times + 1;
                check(weights, times, range);
                check(weights, times, range.div_ceil(3));
            }
        }
    }
}
