//! How two numbers are compared: the one table behind the six rows that keep members by a comparison with a number.

use super::{AT_LEAST, AT_MOST, EQUAL, Interval, LESS, MORE, Prim, UNEQUAL};
use std::cmp::Ordering;

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a = b`
    Equal,
    /// `a != b`
    Unequal,
    /// `a >= b`
    AtLeast,
    /// `a > b`
    More,
}

impl Compare {
    /// All of them.
    pub const ALL: [Compare; 6] =
        [Compare::Less, Compare::AtMost, Compare::Equal, Compare::Unequal, Compare::AtLeast, Compare::More];

    /// The comparison that a row makes; none if it makes none.
    pub fn of(row: &Prim) -> Option<Compare> {
        Compare::ALL.into_iter().find(|compare| compare.row() == row)
    }

    /// The row that keeps `b` of `a` compared with `[b]`.
    pub fn row(self) -> &'static Prim {
        match self {
            Compare::Less => &LESS,
            Compare::AtMost => &AT_MOST,
            Compare::Equal => &EQUAL,
            Compare::Unequal => &UNEQUAL,
            Compare::AtLeast => &AT_LEAST,
            Compare::More => &MORE,
        }
    }

    /// Whether it holds for numbers in this order.
    pub fn allows(self, order: Ordering) -> bool {
        match self {
            Compare::Less => order.is_lt(),
            Compare::AtMost => order.is_le(),
            Compare::Equal => order.is_eq(),
            Compare::Unequal => order.is_ne(),
            Compare::AtLeast => order.is_ge(),
            Compare::More => order.is_gt(),
        }
    }

    /// Whether it holds for two numbers.
    pub fn holds(self, a: i64, b: i64) -> bool {
        self.allows(a.cmp(&b))
    }

    /// Whether it holds for all numbers of two intervals, or for none; none if that depends on the numbers.
    pub fn certain(self, a: Interval, b: Interval) -> Option<bool> {
        let below = |a: Option<i64>, b: Option<i64>| a.zip(b).is_none_or(|(a, b)| a < b);
        let less = (below(a.lo, b.hi), Ordering::Less);
        let greater = (below(b.lo, a.hi), Ordering::Greater);
        let mut orders = [less, (!a.apart(b), Ordering::Equal), greater].into_iter().filter(|(possible, _)| *possible);
        let first = self.allows(orders.next()?.1);
        orders.all(|(_, order)| self.allows(order) == first).then_some(first)
    }

    /// The same with its sides swapped: a member compared with a number.
    pub fn flipped(self) -> Compare {
        match self {
            Compare::Less => Compare::More,
            Compare::AtMost => Compare::AtLeast,
            Compare::AtLeast => Compare::AtMost,
            Compare::More => Compare::Less,
            Compare::Equal | Compare::Unequal => self,
        }
    }

    /// The negation.
    pub fn negated(self) -> Compare {
        match self {
            Compare::Less => Compare::AtLeast,
            Compare::AtMost => Compare::More,
            Compare::Equal => Compare::Unequal,
            Compare::Unequal => Compare::Equal,
            Compare::AtLeast => Compare::Less,
            Compare::More => Compare::AtMost,
        }
    }

    /// The sign as it is usually written.
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::Equal => "=",
            Compare::Unequal => "!=",
            Compare::AtLeast => ">=",
            Compare::More => ">",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;
    use crate::{Budget, Limits};

    /// The row, the sign turned round and the opposite all mean what the comparison says.
    #[test]
    fn rows_and_signs_agree() {
        let mut budget = Budget::new(Limits::default());
        for compare in Compare::ALL {
            assert_eq!(Compare::of(compare.row()), Some(compare));
            for (a, b) in [(1, 2), (2, 2), (3, 2)] {
                let kept = (compare.row().apply)(&[Value::int(a), Value::ints(&[b])], &mut budget).unwrap();
                assert_eq!(kept.as_pool().unwrap().len() == 1, compare.holds(a, b), "{a} {} {b}", compare.sign());
                assert_eq!(compare.flipped().holds(b, a), compare.holds(a, b));
                assert_eq!(compare.negated().holds(a, b), !compare.holds(a, b));
            }
        }
        assert_eq!(Compare::of(&crate::prim::SUM), None);
    }
}
