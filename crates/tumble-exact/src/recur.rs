//! The coefficients of a power of a polynomial, one after the other.
//!
//! Meaning: `w(x)^n`, as far as it is asked for. With `w = p/q`, comparing `x·F'` for `F = w^n` gives
//! `Σ_m d_m·(k−m)·c_{k−m} = n·Σ_m e_m·c_{k−m}`, where `d = p·q` and `e = x·(p'q − pq')`: the next coefficient from as many as
//! `p·q` has terms. With `q = 1` that is Miller's recurrence, from as many as there are faces. Weights that fall off, or
//! stay, by one ratio every so many faces, as those of dice that explode, need few: `q = b − a·x^s`. For s equal weights,
//! `((1 − x^s)/(1 − x))^n`, three terms are enough,
//! `k·c_k = (n+k−1)·c_{k−1} − (ns+s−k)·c_{k−s} + (n(s−1)+s+1−k)·c_{k−s−1}`, and the second half mirrors
//! the first. Every division is exact.
//!
//! Short numbers are counted in 128 bits. Long ones are rows of words ([`limbs`]) as long as the
//! factors are words; the rows that are still needed stay in the cache.

use crate::limbs::{self, Divisor};
use crate::weight::{bits, cost_of};
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::collections::BTreeMap;

/// How the first `range` coefficients of a power follow one after the other; none of them takes more than `den_bits` bits.
pub(crate) struct Recurrence {
    first: UBig,
    times: u64,
    range: u64,
    den_bits: u64,
    by: By,
}

enum By {
    /// Three terms, for so many equal weights.
    Even(u64),
    /// The terms from the one that looks back by nothing on.
    Terms(Vec<Term<IBig>>),
}

/// A term that looks `back` so far, with the factor `n·e − (k−back)·d`.
struct Term<T> {
    back: usize,
    d: T,
    e: T,
}

impl Recurrence {
    pub(crate) fn new(weights: &[UBig], times: u64, range: u64, den_bits: u64) -> Recurrence {
        let faces = weights.len() as u64;
        let whole = (faces - 1).checked_mul(times).is_some_and(|last| range == last + 1);
        let even = whole && faces > 3 && weights.iter().all(|weight| *weight == weights[0]);
        let by = if even { By::Even(faces) } else { By::Terms(terms(weights, range as usize)) };
        Recurrence { first: weights[0].clone(), times, range, den_bits, by }
    }

    /// What it costs, in steps: for each coefficient, that of its terms, whose factors may be long too.
    pub(crate) fn price(&self) -> u64 {
        let words = |bits: usize| bits as u64 / 64;
        let one = |term: &Term<IBig>| cost_of(self.den_bits) + words(term.d.bit_len()) * (self.den_bits / 64) / 200;
        let each = match &self.by {
            By::Even(_) => 3 * cost_of(self.den_bits),
            By::Terms(terms) => terms.iter().map(one).fold(0, u64::saturating_add),
        };
        self.range.saturating_mul(each)
    }

    pub(crate) fn coefficients(&self) -> Vec<UBig> {
        let size = |n: u64| u64::from(64 - n.leading_zeros());
        let terms = match &self.by {
            By::Even(sides) => {
                let short = self.den_bits + bits(&self.first) + 2 * size(self.range) + size(self.times) + 10 < 126;
                return even(&self.first, Even { times: self.times, sides: *sides }, self.range, short);
            }
            By::Terms(terms) => terms,
        };
        let wide = |term: &Term<IBig>| {
            let (d, e) = (term.d.bit_len() as u64, term.e.bit_len() as u64);
            1 + u64::max(d + size(self.range), e + size(self.times)) + size(terms.len() as u64)
        };
        let wide = terms.iter().map(wide).max().unwrap_or(0);
        match (self.den_bits + wide < 126, wide < 61) {
            (true, _) => self.short(terms),
            (false, true) => self.words(terms),
            (false, false) => self.long(terms),
        }
    }

    fn start(&self) -> UBig {
        self.first.pow(usize::try_from(self.times).unwrap_or(usize::MAX))
    }

    fn short(&self, terms: &[Term<IBig>]) -> Vec<UBig> {
        let terms: Vec<Term<i128>> = narrowed(terms);
        let first = terms.first().map_or(1, |term| term.d);
        let mut table: Vec<i128> = vec![i128::try_from(self.start()).unwrap_or(i128::MAX)];
        for k in 1..self.range as usize {
            let mut sum = 0;
            for Term { back, d, e } in terms.iter().skip(1).take_while(|term| term.back <= k) {
                sum += (e * i128::from(self.times) - d * (k - back) as i128) * table[k - back];
            }
            table.push(sum / (k as i128 * first));
        }
        table.into_iter().map(|weight| UBig::from(weight.unsigned_abs())).collect()
    }

    /// Factors of one word: sums column by column, carried once for each coefficient.
    fn words(&self, terms: &[Term<IBig>]) -> Vec<UBig> {
        let terms: Vec<Term<i64>> = narrowed(terms);
        let first = terms.first().map_or(1, |term| term.d);
        let mut table = vec![self.start()];
        let mut columns = vec![0i128; self.den_bits as usize / 64 + 2];
        let mut row = vec![0; columns.len()];
        for k in 1..self.range as usize {
            let mut size = 1;
            for Term { back, d, e } in terms.iter().skip(1).take_while(|term| term.back <= k) {
                let words = limbs::words(&table[k - back]);
                size = size.max(words.len());
                limbs::add_columns(&mut columns, &words, e * self.times as i64 - d * (k - back) as i64);
            }
            let wide = (size + 2).min(row.len());
            Divisor::new(k as u64 * first.unsigned_abs()).quotient(&mut row[..wide], columns.iter().copied());
            columns[..wide].fill(0);
            table.push(limbs::number(&row[..limbs::length(&row[..wide])]));
        }
        table
    }

    fn long(&self, terms: &[Term<IBig>]) -> Vec<UBig> {
        let first = terms.first().map_or(UBig::ONE, |term| (&term.d).unsigned_abs());
        let mut table: Vec<IBig> = vec![IBig::from(self.start())];
        // The factors of the next coefficient that looks back so far.
        let mut factors: Vec<IBig> = terms.iter().map(|term| &term.e * self.times).collect();
        for k in 1..self.range as usize {
            let mut sum = IBig::ZERO;
            let near = terms.iter().zip(&mut factors).skip(1).take_while(|(term, _)| term.back <= k);
            for (Term { back, d, .. }, factor) in near {
                let before = &table[k - back];
                if !before.is_zero() {
                    sum += before * &*factor;
                }
                *factor -= d;
            }
            table.push(sum / IBig::from(&first * k));
        }
        table.into_iter().map(|weight| UBig::try_from(weight).unwrap_or(UBig::ZERO)).collect()
    }
}

/// The same terms in shorter numbers, in which they are known to fit.
fn narrowed<T: for<'a> TryFrom<&'a IBig> + Default>(terms: &[Term<IBig>]) -> Vec<Term<T>> {
    let short = |long: &IBig| T::try_from(long).unwrap_or_default();
    terms.iter().map(|Term { back, d, e }| Term { back: *back, d: short(d), e: short(e) }).collect()
}

/// The terms of the recurrence that look back by less than `range`.
fn terms(weights: &[UBig], range: usize) -> Vec<Term<IBig>> {
    let Some(Slope { every, less, all }) = slope(weights) else {
        let term = |(i, weight): (usize, &UBig)| Term { back: i, d: weight.clone().into(), e: IBig::from(weight * i) };
        return listed(weights).take_while(|(i, _)| *i < range).map(term).collect();
    };
    let mut sums: BTreeMap<usize, (IBig, IBig)> = BTreeMap::new();
    for place in (0..weights.len() + every).filter(|place| *place < range) {
        let p = change(weights, place, every, &less, &all);
        for (power, q) in [(0, IBig::from(all.clone())), (every, -IBig::from(less.clone()))] {
            let (d, e) = sums.entry(place + power).or_default();
            let product = &p * q;
            *e += &product * (place as i64 - power as i64);
            *d += product;
        }
    }
    let some = sums.into_iter().filter(|(back, (d, e))| *back < range && !(d.is_zero() && e.is_zero()));
    some.map(|(back, (d, e))| Term { back, d, e }).collect()
}

/// Weights that change by the ratio `less / all` every so many faces.
struct Slope {
    every: usize,
    less: UBig,
    all: UBig,
}

/// What a weight is beyond what the one before makes of it, times `all`.
fn change(weights: &[UBig], place: usize, every: usize, less: &UBig, all: &UBig) -> IBig {
    let before = place.checked_sub(every).and_then(|place| weights.get(place));
    let here = weights.get(place).map_or(IBig::ZERO, |weight| IBig::from(weight * all));
    here - before.map_or(IBig::ZERO, |weight| IBig::from(weight * less))
}

/// The slope that all but the fewest weights are on, if those are few.
fn slope(weights: &[UBig]) -> Option<Slope> {
    let mut few = listed(weights).count() / 3;
    let (from, _) = listed(weights).nth(few)?;
    let mut best = None;
    for every in 1..(weights.len() - from).div_ceil(2) {
        let [a, b, c] = [0, every, 2 * every].map(|more| &weights[from + more]);
        if b.is_zero() || a * c != b * b {
            continue;
        }
        let shared = a.gcd(b);
        let (less, all) = (b / &shared, a / &shared);
        let places = 0..weights.len() + every;
        let changes = places.filter(|place| !change(weights, *place, every, &less, &all).is_zero());
        let count = changes.take(few + 1).count();
        if count <= few {
            (few, best) = (count.saturating_sub(1), Some(Slope { every, less, all }));
        }
    }
    best
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
        let recurrence = Recurrence::new(&weights, times, range, den_bits);
        assert_eq!(recurrence.coefficients(), expected, "{name}");
        let terms = terms(&weights, range as usize);
        assert_eq!(recurrence.long(&terms), expected, "long {name}");
        if weights.iter().all(|weight| bits(weight) < 20) {
            assert_eq!(recurrence.words(&terms), expected, "words {name}");
        }
        if den_bits < 80 {
            assert_eq!(recurrence.short(&terms), expected, "short {name}");
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
        assert!(slope(&weights).is_some_and(|slope| slope.all == UBig::from(10u8)));
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
