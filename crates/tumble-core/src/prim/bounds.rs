//! What a row makes of values of which only bounds are known: its interval semantics.
//!
//! ```text
//! x in X, y in Y   implies   f(x, y) in f#(X, Y), wherever f(x, y) is defined
//! ```
//!
//! An [`Extent`] is a set of values: one value, the numbers of an interval, or the collections with so many
//! members from an interval. A row says which set its result is in, or, if it can, that its result *is* a linear function
//! of its arguments there, which says more: a mean goes through it. A property test holds every row against its `apply`.

use super::compare::Compare;
use crate::value::{Data, Value};

/// Numbers from `lo` to `hi`, both included, fractions too; none leaves that end open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least number.
    pub lo: Option<i64>,
    /// The largest number.
    pub hi: Option<i64>,
}

/// A set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// This value alone.
    Known(Value),
    /// The numbers of an interval.
    Number(Interval),
    /// The collections with `least` to `most` members, all of them numbers of the interval if there is one.
    Pool {
        /// What the members are.
        members: Option<Interval>,
        /// The fewest members.
        least: u64,
        /// The most members; none if there is no limit.
        most: Option<u64>,
    },
    /// All values.
    Any,
}

/// What a row says of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It is in this set.
    Within(Extent),
    /// It is the sum of these arguments, each times a number, and of a constant; a collection of just that number if it
    /// is `pooled`. Arguments may be numbers or collections of one number.
    Linear {
        /// The arguments by their places, and what they are multiplied by.
        parts: Vec<(usize, i64)>,
        /// What is added.
        constant: i64,
        /// Whether the result is a collection.
        pooled: bool,
    },
    /// It is in this set, and it is one argument, a number, divided by another number.
    Part {
        /// The argument by its place.
        place: usize,
        /// What it is divided by.
        by: i64,
        /// The set.
        within: Extent,
    },
    /// It is in this set, and quasi-linear in one argument: where that is larger by `period`, the result, a number or a
    /// collection of one, is larger by `rise`.
    Steps {
        /// The argument by its place.
        place: usize,
        /// After how much the result repeats itself, but for the rise.
        period: i64,
        /// By how much it is larger then.
        rise: i64,
        /// The set.
        within: Extent,
    },
}

impl Interval {
    /// All numbers.
    pub const ALL: Interval = Interval { lo: None, hi: None };

    /// One number.
    pub fn one(n: i64) -> Interval {
        Interval { lo: Some(n), hi: Some(n) }
    }

    /// The only number, if there is only one.
    pub fn single(self) -> Option<i64> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    /// Whether all its numbers are at least this.
    pub fn from(self, n: i64) -> bool {
        self.lo.is_some_and(|lo| lo >= n)
    }

    /// Whether all its numbers are at most this.
    pub fn up_to(self, n: i64) -> bool {
        self.hi.is_some_and(|hi| hi <= n)
    }

    /// Whether the two have no number in common.
    pub fn apart(self, other: Interval) -> bool {
        let below = |a: Option<i64>, b: Option<i64>| a.zip(b).is_some_and(|(a, b)| a < b);
        below(self.hi, other.lo) || below(other.hi, self.lo)
    }

    /// The sums of two numbers. An end that no whole number can have is open.
    pub fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Interval { lo: add(self.lo, other.lo), hi: add(self.hi, other.hi) }
    }

    /// The multiples by a number.
    pub fn times(self, n: i64) -> Interval {
        let by = |end: Option<i64>| end?.checked_mul(n);
        match n {
            0 => Interval::one(0),
            1.. => Interval { lo: by(self.lo), hi: by(self.hi) },
            _ => Interval { lo: by(self.hi), hi: by(self.lo) },
        }
    }

    /// The products of two numbers.
    pub fn by(self, other: Interval) -> Interval {
        let mul = |a: Option<i64>, b: Option<i64>| a?.checked_mul(b?);
        if self.from(0) && other.from(0) {
            return Interval { lo: mul(self.lo, other.lo), hi: mul(self.hi, other.hi) };
        }
        let ends = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let products: Option<Vec<i64>> = ends.into_iter().map(|(a, b)| mul(a, b)).collect();
        products
            .map_or(Interval::ALL, |ends| Interval { lo: ends.iter().min().copied(), hi: ends.iter().max().copied() })
    }

    /// The smallest interval with these numbers; all numbers if there are none.
    pub fn of(numbers: impl IntoIterator<Item = i64>) -> Interval {
        numbers.into_iter().map(Interval::one).reduce(Interval::hull).unwrap_or(Interval::ALL)
    }

    /// The smaller of two numbers.
    pub fn least(self, other: Interval) -> Interval {
        Interval { lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)), hi: self.hi.into_iter().chain(other.hi).min() }
    }

    /// The larger of two numbers.
    pub fn most(self, other: Interval) -> Interval {
        Interval { lo: self.lo.into_iter().chain(other.lo).max(), hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)) }
    }

    /// The numbers of both and all between.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)), hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)) }
    }

    /// What a function that never falls makes of it.
    pub fn rising(self, f: impl Fn(i64) -> Option<i64>) -> Interval {
        Interval { lo: self.lo.and_then(&f), hi: self.hi.and_then(&f) }
    }
}

impl Interval {
    /// The sums of `least` to `most` numbers, each of this interval.
    pub fn summed(self, least: u64, most: Option<u64>) -> Interval {
        let times = |n: i64, count: Option<u64>| n.checked_mul(i64::try_from(count?).ok()?);
        let end = |end: Option<i64>, few: bool| end.and_then(|n| times(n, if few { Some(least) } else { most }));
        Interval { lo: end(self.lo, self.from(0)), hi: end(self.hi, self.up_to(0)) }
    }
}

impl From<&Value> for Extent {
    fn from(value: &Value) -> Extent {
        Extent::Known(value.clone())
    }
}

impl Extent {
    /// The interval of a number, or of the only member of a collection.
    pub fn number(&self) -> Option<Interval> {
        match self {
            Extent::Known(value) => match &value.data {
                Data::Int(n) => Some(Interval::one(*n)),
                Data::Pool(members) => match &members[..] {
                    [one] => one.as_int().map(Interval::one),
                    _ => None,
                },
                _ => None,
            },
            Extent::Number(interval) => Some(*interval),
            Extent::Pool { members, least: 1, most: Some(1) } => *members,
            Extent::Pool { .. } | Extent::Any => None,
        }
    }

    /// The number, if it is known.
    pub fn int(&self) -> Option<i64> {
        match self {
            Extent::Known(value) => value.as_int(),
            Extent::Number(interval) => interval.single(),
            Extent::Pool { .. } | Extent::Any => None,
        }
    }

    /// As members of a collection: what they are, the fewest and the most. A number is one member.
    pub fn members(&self) -> Option<(Option<Interval>, u64, Option<u64>)> {
        match self {
            Extent::Known(value) => {
                let items = match &value.data {
                    Data::Pool(items) => &items[..],
                    Data::Int(_) => std::slice::from_ref(value),
                    _ => return None,
                };
                let mut interval = None;
                for item in items {
                    let one = Interval::one(item.as_int()?);
                    interval = Some(interval.map_or(one, |all: Interval| all.hull(one)));
                }
                // No member is of any kind one likes.
                Some((Some(interval.unwrap_or(Interval::one(0))), items.len() as u64, Some(items.len() as u64)))
            }
            Extent::Number(interval) => Some((Some(*interval), 1, Some(1))),
            Extent::Pool { members, least, most } => Some((*members, *least, *most)),
            Extent::Any => None,
        }
    }
}

impl Told {
    /// Nothing.
    pub const NOTHING: Told = Told::Within(Extent::Any);

    /// One value.
    pub fn known(value: Value) -> Told {
        Told::Within(Extent::Known(value))
    }

    /// A number of an interval.
    pub fn number(interval: Interval) -> Told {
        Told::Within(Extent::Number(interval))
    }

    /// The argument in this place itself.
    pub fn same(place: usize, pooled: bool) -> Told {
        Told::Linear { parts: vec![(place, 1)], constant: 0, pooled }
    }

    /// The set that the result is in.
    pub fn extent(&self, args: &[Extent]) -> Extent {
        let (parts, constant, pooled) = match self {
            Told::Within(extent) | Told::Part { within: extent, .. } | Told::Steps { within: extent, .. } => {
                return extent.clone();
            }
            Told::Linear { parts, constant, pooled } => (parts, constant, pooled),
        };
        let part = |(place, by): &(usize, i64)| Some(args.get(*place)?.number()?.times(*by));
        let sum = parts.iter().map(part).try_fold(Interval::one(*constant), |sum, part| Some(sum.plus(part?)));
        match (sum, pooled) {
            (None, _) => Extent::Any,
            (Some(sum), false) => Extent::Number(sum),
            (Some(sum), true) => Extent::Pool { members: Some(sum), least: 1, most: Some(1) },
        }
    }
}

/// Whether it is a collection of just one number.
pub(super) fn lone(of: &Extent) -> bool {
    !matches!(of, Extent::Number(_)) && of.number().is_some()
}

/// Arguments, each times a number, added up; those that are known are a constant.
pub(super) fn linear(args: &[Extent], parts: &[(usize, i64)]) -> Told {
    let (mut open, mut constant) = (Vec::new(), 0i64);
    for (place, by) in parts {
        match args[*place].int() {
            Some(n) => match n.checked_mul(*by).and_then(|n| constant.checked_add(n)) {
                Some(sum) => constant = sum,
                None => return Told::NOTHING,
            },
            None if args[*place].number().is_some() => open.push((*place, *by)),
            None => return Told::NOTHING,
        }
    }
    Told::Linear { parts: open, constant, pooled: false }
}

/// A function that never falls in its first argument if the second is positive, and never rises if it is negative.
pub(super) fn monotone(args: &[Extent], f: fn(i64, i64) -> Option<i64>) -> Told {
    match (args[0].number(), args[1].int()) {
        (Some(of), Some(by @ 1..)) => Told::number(of.rising(|n| f(n, by))),
        (Some(Interval { lo, hi }), Some(by @ ..=-1)) => Told::number(Interval { lo: hi, hi: lo }.rising(|n| f(n, by))),
        _ => Told::NOTHING,
    }
}

/// What is told of a division of one number by another that is known: the result rises by `rise` each time the first is
/// larger by the second.
pub(super) fn divided(args: &[Extent], (of, by): (usize, usize), rise: i64, told: Told) -> Told {
    let period = args[by].int().and_then(i64::checked_abs).filter(|period| *period > 0);
    match (period, told) {
        (Some(period), Told::Within(within)) if args[of].number().is_some_and(|of| of.single().is_none()) => {
            Told::Steps { place: of, period, rise, within }
        }
        (_, told) => told,
    }
}

/// Some members of a collection.
pub(super) fn kept(of: &Extent, least: u64, most: Option<u64>) -> Told {
    match of.members() {
        _ if most == Some(0) => Told::known(Value::ints(&[])),
        Some((members, ..)) => Told::Within(Extent::Pool { members, least, most }),
        None => Told::NOTHING,
    }
}

/// Some members of the argument in this place, as many as `size` makes of the fewest and the most; the argument itself if
/// it is one member, which stays.
pub(super) fn kept_of(args: &[Extent], place: usize, size: impl Fn(u64, Option<u64>) -> (u64, Option<u64>)) -> Told {
    match args[place].members() {
        Some((_, least, most)) => match size(least, most) {
            (1, Some(1)) if args[place].number().is_some() => Told::same(place, true),
            (least, most) => kept(&args[place], least, most),
        },
        None => Told::NOTHING,
    }
}

/// The members that a number compares with in this way: all, none, or some.
pub(super) fn filtered(args: &[Extent], by: Compare) -> Told {
    let (Some(n), Some((Some(of), _, most))) = (args[0].number(), args[1].members()) else { return Told::NOTHING };
    match by.certain(n, of) {
        Some(true) if matches!(args[1], Extent::Known(_)) => Told::Within(args[1].clone()),
        Some(true) => kept_of(args, 1, |least, most| (least, most)),
        Some(false) => Told::known(Value::ints(&[])),
        None => kept(&args[1], 0, most),
    }
}
