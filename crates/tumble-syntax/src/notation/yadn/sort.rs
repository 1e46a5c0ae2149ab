//! What an expression can be, found before anything is rolled.
//!
//! A [`Sort`] is a set of kinds of values: a choice between a number and a text may be either. Where every value of
//! the set is wrong, the text is wrong; where some are, the roll finds out.

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
    pub(super) const fn or(self, other: Sort) -> Sort {
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
    pub(super) const fn pools() -> Sort {
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
