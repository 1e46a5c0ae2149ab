//! Means and means of squares: of a whole distribution, and of the numbers that are not listed, with
//! how their chances fall off ([`Tail`]).

use crate::fraction::Fraction;
use crate::limbs;
use crate::outcome::{Outcome, number};
use crate::tailed::Tail;
use dashu_int::{IBig, UBig};
use std::rc::Rc;

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
    let (mut far, mut far_mean, mut far_square) = (UBig::ZERO, Fraction::zero(), Fraction::zero());
    for (outcome, weight) in items {
        match (outcome, outcome.known().and_then(number)) {
            (_, Some(n)) => numbers.push((n, weight)),
            (Outcome::Above { moments: Some(m), .. } | Outcome::Below { moments: Some(m), .. }, None) => {
                let part = Fraction::part(weight, den);
                far += weight;
                far_mean = &far_mean + &(&part * m.mean());
                far_square = &far_square + &(&part * m.square());
            }
            _ => return Sums { mass: limbs::sum(items.iter().map(|(_, weight)| weight)), moments: None },
        }
    }
    let [mass, mean, square] = weighted(&numbers);
    let over = |sum: IBig, far: Fraction| match far.is_zero() {
        true => Fraction::new(sum, den.clone()),
        false => &Fraction::new(sum, den.clone()) + &far,
    };
    Sums { mass: mass + IBig::from(far), moments: Some((over(mean, far_mean), over(square, far_square))) }
}

/// `Σ w`, `Σ n·w` and `Σ n²·w`.
pub(crate) fn weighted(numbers: &[(i64, &UBig)]) -> [IBig; 3] {
    let largest = numbers.iter().map(|(n, _)| n.unsigned_abs()).max().unwrap_or(0);
    let all = u128::from(largest.max(1)).pow(2) * numbers.len() as u128;
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

/// The exact mean of an unlisted part and of its square, given that it happens, and how it falls off if that is known.
/// All of it speaks of the part alone, so it stays true when the listed outcomes change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Moments(Rc<Inner>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Inner {
    mean: Fraction,
    square: Fraction,
    tail: Option<Tail>,
}

impl Moments {
    /// From mean and mean square.
    pub(crate) fn new(mean: Fraction, square: Fraction) -> Moments {
        Moments(Rc::new(Inner { mean, square, tail: None }))
    }

    /// Those of a part above this bound with this tail.
    pub(crate) fn falling(bound: i64, tail: Tail) -> Moments {
        let (mean, square) = tail.distance();
        Moments(Rc::new(Inner { mean, square, tail: Some(tail) })).affine(1, bound)
    }

    /// The same with a tail.
    pub(crate) fn with_tail(&self, tail: Tail) -> Moments {
        Moments(Rc::new(Inner { tail: Some(tail), ..Inner::clone(&self.0) }))
    }

    /// The mean.
    pub(crate) fn mean(&self) -> &Fraction {
        &self.0.mean
    }

    /// The mean of the square.
    pub(crate) fn square(&self) -> &Fraction {
        &self.0.square
    }

    /// How the part falls off from its bound, if that is known.
    pub(crate) fn tail(&self) -> Option<&Tail> {
        self.0.tail.as_ref()
    }

    /// The moments of `a·X + c`. Seen from the bound nothing changes but the distances, which are a times as long.
    pub(crate) fn affine(&self, a: i64, c: i64) -> Moments {
        let tail = self.tail().and_then(|tail| match a.unsigned_abs() {
            1 => Some(tail.clone()),
            n => tail.stretched(n),
        });
        let (mean, square) = (self.mean(), self.square());
        let (a, c) = (&Fraction::whole(a), &Fraction::whole(c));
        let twice = &(&Fraction::whole(2) * a) * c;
        let square = &(&(&(a * a) * square) + &(&twice * mean)) + &(c * c);
        Moments(Rc::new(Inner { mean: &(a * mean) + c, square, tail }))
    }

    /// The moments of the sum of two independent parts.
    pub(crate) fn plus(&self, other: &Moments) -> Moments {
        let product = self.mean() * other.mean();
        let square = &(self.square() + other.square()) + &(&Fraction::whole(2) * &product);
        Moments::new(self.mean() + other.mean(), square)
    }

    /// Whether numbers beyond a bound can have these moments: the mean lies beyond it, the variance is not negative, and
    /// a tail has just these. `up` says on which side the numbers are.
    pub(crate) fn possible(&self, bound: i64, up: bool) -> bool {
        let (mean, square) = (self.mean(), self.square());
        let nearest = Fraction::whole(bound.saturating_add(if up { 1 } else { -1 }));
        let beyond = if up { *mean >= nearest } else { *mean <= nearest };
        let falls = self.tail().is_none_or(|tail| {
            let away = Moments::falling(0, tail.clone()).affine(if up { 1 } else { -1 }, bound);
            away.mean() == mean && away.square() == square
        });
        beyond && *square >= mean * mean && falls
    }
}
