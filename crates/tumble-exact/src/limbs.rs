//! Long numbers as rows of 64-bit words, lowest first: the inner loops of long sums.
//!
//! A table of thousands of long numbers costs what its inner loop costs, so these loops allocate
//! nothing and never divide. Division by a word is exact wherever it is used here, and an exact
//! quotient can be found from the low end: `q ≡ x · d⁻¹ (mod 2^64)` for odd d, word after word with a
//! borrow; the twos of d are a shift. Words above the true length may hold anything on the way, since
//! all is right modulo a power of two and the result is known to fit.

use dashu_int::{IBig, UBig};
use std::borrow::Cow;

/// The words of a number.
#[cfg(target_pointer_width = "64")]
pub(crate) fn words(n: &UBig) -> Cow<'_, [u64]> {
    Cow::Borrowed(n.as_words())
}

/// The words of a number, two by two.
#[cfg(not(target_pointer_width = "64"))]
pub(crate) fn words(n: &UBig) -> Cow<'_, [u64]> {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    Cow::Owned(n.to_le_bytes().chunks(8).map(word).collect())
}

/// The number with these words.
#[cfg(target_pointer_width = "64")]
pub(crate) fn number(words: &[u64]) -> UBig {
    UBig::from_words(words)
}

/// The number with these words.
#[cfg(not(target_pointer_width = "64"))]
pub(crate) fn number(words: &[u64]) -> UBig {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// A word that divides without a rest: `2^shift · odd`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    shift: u32,
    odd: u64,
    inverse: u64,
}

impl Divisor {
    /// From a positive word.
    pub(crate) fn new(word: u64) -> Divisor {
        let shift = word.trailing_zeros() % 64;
        let odd = word >> shift;
        // Newton's step doubles the right bits; the first guess has three.
        let inverse = (0..5).fold(odd, |guess, _| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess))));
        Divisor { shift, odd, inverse }
    }

    /// Writes the quotient of `Σ columns[i] · 2^(64·i)`, which must fit; columns are far below 2^127 in
    /// size. Says whether an odd divisor leaves nothing over; otherwise the quotient means nothing.
    pub(crate) fn quotient(self, out: &mut [u64], columns: impl IntoIterator<Item = i128>) -> bool {
        let mut columns = columns.into_iter();
        let first = columns.next().unwrap_or(0);
        let (mut low, mut carry, mut borrow) = (first as u64, first >> 64, 0);
        for cell in out {
            let sum = carry + columns.next().unwrap_or(0);
            let word = sum as u64;
            carry = sum >> 64;
            // A shift by 64 bits takes two steps.
            let shifted = (low >> self.shift) | (word << 1 << (63 - self.shift));
            let (rest, under) = shifted.overflowing_sub(borrow);
            *cell = rest.wrapping_mul(self.inverse);
            borrow = (wide(*cell, self.odd) >> 64) as u64 + u64::from(under);
            low = word;
        }
        borrow == 0
    }
}

/// The whole product of two words.
fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// `a·x − b·y + c·z`, divided; all rows are as long as `out` and the factors below 2^60.
pub(crate) fn three_terms(out: &mut [u64], rows: [&[u64]; 3], factors: [u64; 3], by: Divisor) {
    let ([x, y, z], [a, b, c]) = (rows, factors);
    let term = |word: &u64, factor: u64| wide(*word, factor) as i128;
    let columns = x.iter().zip(y).zip(z).map(|((x, y), z)| term(x, a) - term(y, b) + term(z, c));
    by.quotient(out, columns);
}

/// Adds `factor · words` column by column, without carrying.
pub(crate) fn add_columns(columns: &mut [i128], words: &[u64], factor: i64) {
    let size = factor.unsigned_abs();
    if factor < 0 {
        columns.iter_mut().zip(words).for_each(|(column, word)| *column -= wide(*word, size) as i128);
    } else {
        columns.iter_mut().zip(words).for_each(|(column, word)| *column += wide(*word, size) as i128);
    }
}

/// How many words the longest of these numbers has.
pub(crate) fn widest<'a>(numbers: impl IntoIterator<Item = &'a UBig>) -> usize {
    numbers.into_iter().map(|one| words(one).len()).max().unwrap_or(0)
}

/// The sum of numbers: columns of words are added without carrying, which a machine does several at a time.
pub(crate) fn sum<'a>(numbers: impl Iterator<Item = &'a UBig> + Clone) -> IBig {
    let mut columns = vec![0i128; widest(numbers.clone())];
    for one in numbers {
        columns.iter_mut().zip(words(one).iter()).for_each(|(column, word)| *column += i128::from(*word));
    }
    carried(&columns)
}

/// The number that columns stand for.
pub(crate) fn carried(columns: &[i128]) -> IBig {
    let mut carry = 0i128;
    let words: Vec<u64> = columns
        .iter()
        .map(|column| {
            let sum = column + carry;
            carry = sum >> 64;
            sum as u64
        })
        .collect();
    IBig::from(number(&words)) + (IBig::from(carry) << (64 * columns.len()))
}

/// How many words there are up to the highest that is not zero.
pub(crate) fn length(words: &[u64]) -> usize {
    words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1)
}

/// What is left after division by a small number, for many numbers.
pub(crate) struct Residue {
    modulus: u64,
    /// `2^(64·i)` modulo the modulus.
    powers: Vec<u64>,
}

impl Residue {
    /// For a modulus below 2^32 and numbers of up to so many words.
    pub(crate) fn new(modulus: u32, most: usize) -> Residue {
        let modulus = u64::from(modulus);
        let base = ((1u128 << 64) % u128::from(modulus)) as u64;
        let next = |power: &u64| Some(power * base % modulus);
        Residue { modulus, powers: std::iter::successors(Some(1 % modulus), next).take(most).collect() }
    }

    /// The rest of this number, which has no more words than were promised.
    pub(crate) fn of(&self, words: &[u64]) -> u64 {
        // Each product is below 2^96, so the sum of up to 2^32 of them cannot overflow.
        let products = words.iter().zip(&self.powers).map(|(word, power)| u128::from(*word) * u128::from(*power));
        (products.sum::<u128>() % u128::from(self.modulus)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every length around the borders of words.
    fn numbers() -> Vec<UBig> {
        let mut seed = UBig::from(88_172_645_463_325_252u64);
        let mut all = vec![UBig::ZERO, UBig::ONE];
        for bits in [1, 31, 63, 64, 65, 127, 128, 129, 191, 192, 193, 1000] {
            seed = (&seed * UBig::from(6_364_136_223_846_793_005u64) + UBig::ONE) % (UBig::ONE << 1021);
            all.push(&seed % (UBig::ONE << bits));
            all.push((UBig::ONE << bits) - UBig::ONE);
            all.push(UBig::ONE << bits);
        }
        all
    }

    const WORDS: [u64; 12] = [1, 2, 3, 4, 6, 7, 96, 1 << 31, (1 << 32) - 1, (1 << 40) + 8, 1 << 62, (1 << 62) - 1];

    fn row(n: &UBig, size: usize) -> Vec<u64> {
        let mut row = words(n).to_vec();
        row.resize(size, 0);
        row
    }

    #[test]
    fn words_make_the_number_again() {
        for n in numbers() {
            assert_eq!(number(&words(&n)), n);
            assert_eq!(length(&row(&n, 20)), words(&n).len());
        }
    }

    #[test]
    fn exact_quotients_are_found_from_the_low_end() {
        for n in numbers() {
            for by in WORDS {
                let product = row(&(&n * UBig::from(by)), 18);
                let mut out = vec![1; 17];
                Divisor::new(by).quotient(&mut out, product.iter().map(|word| i128::from(*word)));
                assert_eq!(number(&out), n, "{n} · {by} / {by}");
                if by % 2 == 1 && by > 1 {
                    let longer = row(&(&n * UBig::from(by) + UBig::ONE), 18);
                    assert!(Divisor::new(by).quotient(&mut out, product.iter().map(|word| i128::from(*word))));
                    assert!(!Divisor::new(by).quotient(&mut out, longer.iter().map(|word| i128::from(*word))));
                }
            }
        }
    }

    #[test]
    fn three_terms_are_summed_and_divided() {
        let all = numbers();
        for (i, x) in all.iter().enumerate() {
            let (z, by) = (&all[(i * 7 + 3) % all.len()], WORDS[i % 10]);
            // (by·x − 1·x·by + by·z·…) with y = x·by: only z is left.
            let rows = [row(x, 19), row(&(x * UBig::from(by)), 19), row(z, 19)];
            let mut out = vec![7; 19];
            let [a, b, c] = &rows;
            three_terms(&mut out, [a, b, c], [by, 1, by], Divisor::new(by));
            assert_eq!(number(&out), *z);
        }
    }

    #[test]
    fn residues_are_those_of_division() {
        for modulus in [1, 2, 3, 45, 3_486_784_401, u32::MAX] {
            let residue = Residue::new(modulus, 17);
            for n in numbers() {
                assert_eq!(UBig::from(residue.of(&words(&n))), &n % UBig::from(modulus), "{n} mod {modulus}");
            }
        }
    }

    #[test]
    fn columns_are_added() {
        for n in numbers() {
            let mut columns = vec![0; 18];
            add_columns(&mut columns, &words(&n), 1 << 40);
            add_columns(&mut columns, &words(&n), -5);
            let expected = IBig::from(n.clone()) * IBig::from((1u64 << 40) - 5);
            assert_eq!(carried(&columns), expected);
            let mut out = vec![0; 18];
            Divisor::new(1).quotient(&mut out, columns.iter().copied());
            assert_eq!(IBig::from(number(&out)), expected);
            add_columns(&mut columns, &words(&n), -1 << 41);
            assert_eq!(carried(&columns), expected - (IBig::from(n) << 41));
        }
    }
}
