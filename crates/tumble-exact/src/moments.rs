//! What is known of numbers that are not listed: their mean, the mean of their squares, and how their
//! chances fall off.

use crate::fraction::Fraction;
use std::rc::Rc;

/// The exact mean of an unlisted part and of its square, given that it happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Moments(Rc<Inner>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Inner {
    mean: Fraction,
    square: Fraction,
    tail: Option<Tail>,
}

/// How the chances of the whole number fall off: `P(X >= t + period) = ratio · P(X >= t)` for every
/// `t >= from`. An explosion on one face is like that.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tail {
    pub(crate) from: i64,
    pub(crate) period: i64,
    pub(crate) ratio: Fraction,
}

impl Moments {
    /// From mean and mean square.
    pub(crate) fn new(mean: Fraction, square: Fraction) -> Moments {
        Moments(Rc::new(Inner { mean, square, tail: None }))
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

    /// How the chances fall off, if that is known.
    pub(crate) fn tail(&self) -> Option<&Tail> {
        self.0.tail.as_ref()
    }

    /// The moments of `a·X + c`.
    pub(crate) fn affine(&self, a: i64, c: i64) -> Moments {
        let tail = self.tail().filter(|_| a == 1).and_then(|tail| {
            Some(Tail { from: tail.from.checked_add(c)?, period: tail.period, ratio: tail.ratio.clone() })
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
}
