//! What an expression can be, found before anything is rolled.
//!
//! A [`Sort`] is a set of kinds of values: a choice between a number and a text may be either. Where every value of
//! the set is wrong, the text is wrong; where some are, the roll finds out. [`Bounds`] hold every number that an
//! expression can give, or every number in the pools that it can give, so that most checks on the numbers of dice and sides need
//! not be made by each roll.

/// A set of kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort(u8);

impl Sort {
    pub(super) const NUMBER: Sort = Sort(1);
    pub(super) const TRUTH: Sort = Sort(2);
    pub(super) const TEXT: Sort = Sort(4);
    /// A pool of numbers.
    pub(super) const POOL: Sort = Sort(8);
    /// A pool in which numbers and texts may stand together.
    pub(super) const MIXED: Sort = Sort(16);
    /// A pool of texts.
    pub(super) const TEXTS: Sort = Sort(32);

    const ANY_POOL: Sort = Sort(8 | 16 | 32);

    /// Every kind of one or the other.
    pub(super) fn or(self, other: Sort) -> Sort {
        Sort(self.0 | other.0)
    }

    /// The kinds that are in both.
    pub(super) fn among(self, other: Sort) -> Sort {
        Sort(self.0 & other.0)
    }

    /// Whether it can be nothing else.
    pub(super) fn is_only(self, other: Sort) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether it can be one of these at all.
    pub(super) fn may_be(self, other: Sort) -> bool {
        self.0 & other.0 != 0
    }

    /// Any pool.
    pub(super) fn pools() -> Sort {
        Sort::ANY_POOL
    }

    /// The pool whose members can be this.
    pub(super) fn pool_of(members: Sort) -> Sort {
        if members.is_only(Sort::NUMBER) {
            Sort::POOL
        } else if members.is_only(Sort::TEXT) {
            Sort::TEXTS
        } else {
            Sort::MIXED
        }
    }

    /// What to call it in a message.
    pub(super) fn words(self) -> &'static str {
        match self {
            Sort::NUMBER => "a number",
            Sort::TRUTH => "T or F",
            Sort::TEXT => "text",
            Sort::TEXTS => "a pool of text",
            _ if self.is_only(Sort::ANY_POOL) => "a pool",
            _ => "another kind of value",
        }
    }
}

/// Every number from the first to the last may occur, no other can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Bounds {
    pub(super) const ALL: Bounds = Bounds { lo: i64::MIN, hi: i64::MAX };
    pub(super) const COUNT: Bounds = Bounds { lo: 0, hi: i64::MAX };

    pub(super) fn new(lo: i64, hi: i64) -> Bounds {
        Bounds { lo, hi }
    }

    /// The bounds of some numbers.
    pub(super) fn of(numbers: impl Iterator<Item = i64> + Clone) -> Bounds {
        match (numbers.clone().min(), numbers.max()) {
            (Some(lo), Some(hi)) => Bounds { lo, hi },
            _ => Bounds::ALL,
        }
    }

    /// Whatever is in one or the other.
    pub(super) fn or(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// A number beyond 64 bits is never a value, so the ends stay inside.
    pub(super) fn plus(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.saturating_add(other.lo), hi: self.hi.saturating_add(other.hi) }
    }

    pub(super) fn negated(self) -> Bounds {
        Bounds { lo: self.hi.saturating_neg(), hi: self.lo.saturating_neg() }
    }

    pub(super) fn times(self, other: Bounds) -> Bounds {
        let ends = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        Bounds::of(ends.into_iter().map(|(a, b)| a.saturating_mul(b)))
    }

    /// The smaller of two numbers.
    pub(super) fn least(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The larger of two numbers.
    pub(super) fn most(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(super) fn holds(self, number: i64) -> bool {
        self.lo <= number && number <= self.hi
    }
}
