//! Mean and mean square of a whole distribution, from its rows and the law of what is not listed.

use crate::fraction::Fraction;
use crate::limbs;
use crate::outcome::{Outcome, ratio};
use dashu_int::{IBig, UBig};
use std::collections::BTreeMap;

/// What is summed up over all outcomes: a distribution can be long, so it is gone through once.
pub(crate) struct Sums {
    /// The sum of all weights.
    pub(crate) mass: IBig,
    /// Mean and mean square, where every part has them.
    pub(crate) moments: Option<(Fraction, Fraction)>,
}

/// Mean and mean square, where every part has them.
pub(crate) fn of(items: &[(Outcome, UBig)], den: &UBig) -> Option<(Fraction, Fraction)> {
    sums(items, den).moments
}

/// The mass, and the moments where every part has them.
pub(crate) fn sums(items: &[(Outcome, UBig)], den: &UBig) -> Sums {
    let mut numbers = Vec::with_capacity(items.len());
    // The numerators over each denominator.
    let mut parts: BTreeMap<i64, Vec<(i64, &UBig)>> = BTreeMap::new();
    let (mut far, mut far_mean, mut far_square) = (UBig::ZERO, Fraction::zero(), Fraction::zero());
    for (outcome, weight) in items {
        match (outcome, outcome.known().and_then(ratio)) {
            (_, Some(n)) => match n.whole() {
                Some(n) => numbers.push((n, weight)),
                None => parts.entry(n.denominator()).or_default().push((n.numerator(), weight)),
            },
            (Outcome::Above { far: Some(law), .. } | Outcome::Below { far: Some(law), .. }, None) => {
                let part = Fraction::part(weight, den);
                far += weight;
                far_mean = &far_mean + &(&part * law.mean());
                far_square = &far_square + &(&part * law.square());
            }
            _ => return Sums { mass: limbs::sum(items.iter().map(|(_, weight)| weight)), moments: None },
        }
    }
    let [mut mass, mean, square] = weighted(&numbers);
    for (below, numerators) in parts {
        let [more, mean, square] = weighted(&numerators);
        let below = UBig::from(below.unsigned_abs());
        mass += more;
        far_mean = &far_mean + &Fraction::new(mean, den * &below);
        far_square = &far_square + &Fraction::new(square, den * &below * &below);
    }
    let over = |sum: IBig, far: Fraction| match far.is_zero() {
        true => Fraction::new(sum, den.clone()),
        false => &Fraction::new(sum, den.clone()) + &far,
    };
    Sums { mass: mass + IBig::from(far), moments: Some((over(mean, far_mean), over(square, far_square))) }
}

/// `Σ w`, `Σ n·w` and `Σ n²·w`.
pub(crate) fn weighted(numbers: &[(i64, &UBig)]) -> [IBig; 3] {
    let largest = numbers.iter().map(|(n, _)| n.unsigned_abs()).max().unwrap_or(0);
    let all = u128::from(largest.max(1)).pow(2).saturating_mul(numbers.len() as u128);
    if all < 1 << 62 {
        return weighted_columns(numbers, limbs::widest(numbers.iter().map(|(_, weight)| *weight)));
    }
    numbers.iter().fold([IBig::ZERO, IBig::ZERO, IBig::ZERO], |[mass, mean, square], (n, weight)| {
        let weight = IBig::from((*weight).clone());
        let weighted = &weight * IBig::from(*n);
        [mass + weight, mean + &weighted, square + weighted * IBig::from(*n)]
    })
}

/// The same where no column of words can overflow: one pass, carried once at the end.
fn weighted_columns(numbers: &[(i64, &UBig)], wide: usize) -> [IBig; 3] {
    let mut sums = [(); 3].map(|()| vec![0i128; wide]);
    let mut add = |weight: &UBig, factors: [i64; 3]| {
        let words = limbs::words(weight);
        sums.iter_mut().zip(factors).for_each(|(sum, factor)| limbs::add_columns(sum, &words, factor));
    };
    // Many distributions are symmetric: equal weights at both ends are added together.
    let (mut left, mut right) = (0, numbers.len());
    while left < right {
        right -= 1;
        let ((n, weight), (m, other)) = (numbers[left], numbers[right]);
        if left < right && weight == other {
            add(weight, [2, n + m, n * n + m * m]);
        } else {
            add(weight, [1, n, n * n]);
            if left < right {
                add(other, [1, m, m * m]);
            }
        }
        left += 1;
    }
    sums.map(|sum| limbs::carried(&sum))
}
