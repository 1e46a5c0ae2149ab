//! Two rows of weights multiplied like polynomials, as one product of two long numbers.
//!
//! Meaning: `c[k] = Σ_i a[i] · b[k − i]`. A row is written into one number with a slot for each weight, wide enough
//! that no sum in it overflows; then the slots of the product are the sums. The product of numbers is the work of
//! `dashu-int`, which does not look at every pair of words. Cost: n·log n for a product of n words.

use crate::limbs;
use dashu_int::UBig;

/// A row: how many slots it has, and what is in those that hold something.
pub(crate) struct Row<'a> {
    pub(crate) slots: usize,
    pub(crate) weights: Vec<(usize, &'a UBig)>,
}

/// What the product costs in steps, for rows of so many slots whose products take so many bits.
pub(crate) fn price(slots: [u64; 2], bits: u64) -> u64 {
    let words = slots[0].saturating_add(slots[1]).saturating_mul(width(bits) as u64);
    words.saturating_mul(u64::from(words.checked_ilog2().unwrap_or(0)))
}

/// The weights of the sums; every one is less than `2^bits`.
pub(crate) fn product(a: &Row<'_>, b: &Row<'_>, bits: u64) -> Vec<UBig> {
    let width = width(bits);
    let product = a.written(width) * b.written(width);
    let mut sums: Vec<UBig> = limbs::words(&product).chunks(width).map(limbs::number).collect();
    sums.resize((a.slots + b.slots).saturating_sub(1), UBig::ZERO);
    sums
}

/// The words of a slot.
fn width(bits: u64) -> usize {
    bits.div_ceil(64).max(1) as usize
}

impl Row<'_> {
    /// The row as one number.
    fn written(&self, width: usize) -> UBig {
        let mut words = vec![0; self.slots * width];
        for (slot, weight) in &self.weights {
            let given = limbs::words(weight);
            words[slot * width..][..given.len()].copy_from_slice(&given);
        }
        limbs::number(&words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weight::bits;

    #[test]
    fn slots_hold_the_sums() {
        let mut seed = UBig::from(88_172_645_463_325_252u64);
        for (many, few, long) in [(1, 1, 1), (3, 2, 10), (17, 1, 64), (40, 33, 63), (25, 60, 200), (90, 80, 1000)] {
            let mut row = |slots: usize| -> Vec<UBig> {
                let mut next = || {
                    seed = (&seed * UBig::from(6_364_136_223_846_793_005u64) + UBig::ONE) % (UBig::ONE << 1279);
                    // Some are zero, as in a row of every other face.
                    if bits(&seed).is_multiple_of(5) { UBig::ZERO } else { &seed % (UBig::ONE << long) }
                };
                (0..slots).map(|_| next()).collect()
            };
            let (a, b) = (row(many), row(few));
            let mut plain = vec![UBig::ZERO; many + few - 1];
            for (i, x) in a.iter().enumerate() {
                b.iter().enumerate().for_each(|(k, y)| plain[i + k] += x * y);
            }
            let most = plain.iter().map(bits).max().unwrap_or(0);
            let [x, y] = [&a, &b].map(|row| Row { slots: row.len(), weights: row.iter().enumerate().collect() });
            let found = product(&x, &y, most);
            assert_eq!(found, plain, "{many} by {few}");
        }
    }
}
