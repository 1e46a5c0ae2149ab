//! The law of an unlisted part: the conditional distribution of the numbers beyond a bound.
//!
//! Mean and mean square are known, and often the chance of every distance from the bound: the tail. All of it speaks of the
//! part alone, given that it happens, so it stays true whatever becomes of the listed rows: they may be rerolled, capped, or
//! mixed with others.

use super::Tailed;
use crate::fraction::Fraction;
use dashu_int::{IBig, UBig};
use std::rc::Rc;

/// What is known of the numbers beyond a bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Far(Rc<Inner>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Inner {
    mean: Fraction,
    square: Fraction,
    /// The chance of each distance from the bound, from 1 on.
    tail: Option<Tailed>,
}

impl Far {
    /// From mean and mean square.
    pub(crate) fn new(mean: Fraction, square: Fraction) -> Far {
        Far(Rc::new(Inner { mean, square, tail: None }))
    }

    /// Numbers above this bound whose distances from it, from 1 on, have these weights; none if all are zero. With
    /// `q(t) = P(X >= t)` the mean distance is `Σ q(t)` and the mean square `Σ (2t − 1)·q(t)`, where `Σ t·q(t)` is the sum of
    /// all sums of q from a place on.
    pub(crate) fn falling(bound: i64, weights: &Tailed) -> Option<Far> {
        let whole = weights.total();
        if whole.is_zero() {
            return None;
        }
        let mut tail = Tailed { den: &weights.den * whole.positive(), ..weights.clone() };
        tail.terms.iter_mut().for_each(|term| *term *= whole.denominator());
        let tail = tail.lowest();
        let reach = tail.reach(1);
        let mean = reach.total();
        let square = &(&Fraction::whole(2) * &reach.reach(1).total()) - &mean;
        Some(Far(Rc::new(Inner { mean, square, tail: Some(tail) })).affine(1, bound))
    }

    /// The same with the tail of another.
    pub(crate) fn with_tail_of(&self, other: &Far) -> Far {
        Far(Rc::new(Inner { tail: other.0.tail.clone(), ..Inner::clone(&self.0) }))
    }

    /// The mean.
    pub(crate) fn mean(&self) -> &Fraction {
        &self.0.mean
    }

    /// The mean of the square.
    pub(crate) fn square(&self) -> &Fraction {
        &self.0.square
    }

    /// The chance of each distance from the bound, if they are known.
    pub(crate) fn tail(&self) -> Option<&Tailed> {
        self.0.tail.as_ref()
    }

    /// The law of `a·X + c`. Seen from the bound nothing changes but the distances, which are a times as long.
    pub(crate) fn affine(&self, a: i64, c: i64) -> Far {
        let tail = self.tail().and_then(|tail| tail.stretched(a.unsigned_abs()));
        let (mean, square) = (self.mean(), self.square());
        let (a, c) = (&Fraction::whole(a), &Fraction::whole(c));
        let twice = &(&Fraction::whole(2) * a) * c;
        let square = &(&(&(a * a) * square) + &(&twice * mean)) + &(c * c);
        Far(Rc::new(Inner { mean: &(a * mean) + c, square, tail }))
    }

    /// The moments of `X / by`; `by` is not zero. It has no tail of whole numbers.
    pub(crate) fn over(&self, by: i64) -> Far {
        let part = &Fraction::new(IBig::from(by.signum()), UBig::from(by.unsigned_abs()));
        Far::new(self.mean() * part, self.square() * &(part * part))
    }

    /// The moments of the sum of two independent numbers.
    pub(crate) fn plus(&self, other: &Far) -> Far {
        let product = self.mean() * other.mean();
        let square = &(self.square() + other.square()) + &(&Fraction::whole(2) * &product);
        Far::new(self.mean() + other.mean(), square)
    }

    /// The moments of a mixture, with their weights.
    pub(crate) fn mixed(parts: &[(&UBig, Option<&Far>)]) -> Option<Far> {
        let whole: UBig = parts.iter().map(|(weight, _)| *weight).sum();
        let mean = |pick: fn(&Far) -> &Fraction| {
            parts.iter().try_fold(Fraction::zero(), |sum, (weight, far)| {
                Some(&sum + &(&Fraction::part(weight, &whole) * pick((*far)?)))
            })
        };
        Some(Far::new(mean(Far::mean)?, mean(Far::square)?))
    }

    /// Whether numbers beyond a bound can have this law: the mean lies beyond it, the variance is not negative, and a tail
    /// has just these moments. `up` says on which side the numbers are.
    pub(crate) fn possible(&self, bound: i64, up: bool) -> bool {
        let (mean, square) = (self.mean(), self.square());
        let nearest = Fraction::whole(bound.saturating_add(if up { 1 } else { -1 }));
        let beyond = if up { *mean >= nearest } else { *mean <= nearest };
        let falls = self.tail().is_none_or(|tail| {
            let away = Far::falling(0, tail).map(|far| far.affine(if up { 1 } else { -1 }, bound));
            away.is_some_and(|away| away == *self)
        });
        beyond && *square >= mean * mean && falls
    }
}

impl Tailed {
    /// The term at each distance d from a bound put at `n·d − n + 1`, which is its distance when all is n times as far; none
    /// if that is too long.
    fn stretched(&self, n: u64) -> Option<Tailed> {
        let n = usize::try_from(n).ok().filter(|n| *n > 0)?;
        let mut terms =
            vec![UBig::ZERO; self.terms.len().checked_mul(n).filter(|size| *size <= super::LONGEST as usize)?];
        for (place, term) in self.terms.iter().enumerate() {
            terms[place * n] = term.clone();
        }
        Some(Tailed { low: (self.low - 1) * n as i64 + 1, terms, period: self.period * n as i64, ..self.clone() })
    }
}
