//! One outcome of a distribution: a value, or what is known of outcomes that are not listed.
//!
//! A loop without end has infinitely many outcomes. Those far out are kept together as one outcome
//! such as "a number above 400" with their exact mass, and [`apply`] says what a row makes of it:
//! adding 5 gives "a number above 405", asking whether it is more than 12 gives a plain yes. Where
//! nothing can be said the result is [`Outcome::Unknown`], and an answer that holds it says that it
//! is not exact.

use crate::law::Rolls;
use crate::moments::Moments;
use std::cmp::Ordering;
use std::rc::Rc;
use tumble_core::prim::{self, Prim};
use tumble_core::{Budget, Compare, Data, Fault, Value};

/// A value, or what is known of unlisted values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// This value.
    Known(Value),
    /// A number above `bound`; in a collection of its own if `pooled`.
    Above { bound: i64, pooled: bool, moments: Option<Moments> },
    /// A number below `bound`; in a collection of its own if `pooled`.
    Below { bound: i64, pooled: bool, moments: Option<Moments> },
    /// A collection or list with more than this many members.
    Larger(u64),
    /// Whatever the call with this number gives, changed by `wrap`.
    Hole { call: usize, wrap: Wrap },
    /// Rolls that were cut off because the asker wanted a cut.
    Cut,
    /// Nothing is known.
    Unknown,
    /// An error, if this value is ever used.
    Failed(Failure),
    /// Dice of one kind that were not looked at yet; only in variables that are looked at once.
    Rolls(Rolls),
    /// The values of several variables, on their way from one binding to another.
    Several(Rc<[Outcome]>),
}

/// A fault that has not happened yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure(pub(crate) Rc<Fault>);

/// What was done to the result of a call that is not solved yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wrap {
    /// Nothing.
    Same,
    /// This number was added.
    Plus(i64),
    /// These members were added.
    With(Value),
}

/// Why an evaluation stopped early.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A mistake that the asker must hear of.
    Fault(Fault),
    /// Recursion that the solver has no method for; it must be listed call by call.
    Unsolvable,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl Outcome {
    /// A known number.
    pub(crate) fn int(n: i64) -> Outcome {
        Outcome::Known(Value::int(n))
    }

    /// The value, if it is known.
    pub(crate) fn known(&self) -> Option<&Value> {
        match self {
            Outcome::Known(value) => Some(value),
            _ => None,
        }
    }

    /// The same without its moments: where one unlisted number is used twice, its moments would be
    /// taken for those of two independent ones.
    pub(crate) fn without_moments(self) -> Outcome {
        match self {
            Outcome::Above { bound, pooled, .. } => Outcome::Above { bound, pooled, moments: None },
            Outcome::Below { bound, pooled, .. } => Outcome::Below { bound, pooled, moments: None },
            other => other,
        }
    }

    /// Whether nothing can be done with it: what follows is as unknown, or as cut.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Outcome::Cut | Outcome::Unknown)
    }

    /// The number, if it is known and one.
    pub(crate) fn as_int(&self) -> Option<i64> {
        self.known().and_then(Value::as_int)
    }
}

impl PartialOrd for Failure {
    fn partial_cmp(&self, other: &Failure) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Failure {
    fn cmp(&self, other: &Failure) -> Ordering {
        self.0.message.cmp(&other.0.message)
    }
}

impl std::hash::Hash for Failure {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.message.hash(state);
    }
}

/// What a row makes of these arguments.
pub(crate) fn apply(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Result<Outcome, Stop> {
    if let Some(values) = args.iter().map(|arg| arg.known().cloned()).collect::<Option<Vec<Value>>>() {
        return Ok(Outcome::Known((row.apply)(&values, budget)?));
    }
    for arg in args {
        match arg {
            Outcome::Failed(failure) => return Err(Stop::Fault(Fault::clone(&failure.0))),
            Outcome::Cut => return Ok(Outcome::Cut),
            _ => {}
        }
    }
    if args.iter().any(|arg| matches!(arg, Outcome::Hole { .. })) {
        return around_hole(row, args, budget);
    }
    Ok(unlisted(row, args).unwrap_or(Outcome::Unknown))
}

/// A row around the result of an unsolved call: only what [`Wrap`] can say.
fn around_hole(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Result<Outcome, Stop> {
    let holes = args.iter().filter(|arg| matches!(arg, Outcome::Hole { .. })).count();
    let place = args.iter().position(|arg| matches!(arg, Outcome::Hole { .. })).unwrap_or(0);
    let Outcome::Hole { call, wrap } = &args[place] else { return Err(Stop::Unsolvable) };
    if holes > 1 {
        return Err(Stop::Unsolvable);
    }
    let others: Vec<&Outcome> = args.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, arg)| arg).collect();
    let wrap = match (row.name, others.as_slice(), wrap) {
        ("add", [other], _) => plus(wrap, other.as_int())?,
        ("sub", [other], _) if place == 0 => plus(wrap, other.as_int().and_then(i64::checked_neg))?,
        ("bag", [], Wrap::Same | Wrap::With(_)) => wrap.clone(),
        ("gather", _, Wrap::Same | Wrap::With(_)) => with(wrap, &others, budget)?,
        _ => return Err(Stop::Unsolvable),
    };
    Ok(Outcome::Hole { call: *call, wrap })
}

fn plus(wrap: &Wrap, more: Option<i64>) -> Result<Wrap, Stop> {
    let so_far = match wrap {
        Wrap::Same => 0,
        Wrap::Plus(n) => *n,
        Wrap::With(_) => return Err(Stop::Unsolvable),
    };
    more.and_then(|more| so_far.checked_add(more)).map(Wrap::Plus).ok_or(Stop::Unsolvable)
}

fn with(wrap: &Wrap, others: &[&Outcome], budget: &mut Budget) -> Result<Wrap, Stop> {
    let mut parts = Vec::new();
    if let Wrap::With(members) = wrap {
        parts.push(members.clone());
    }
    for other in others {
        parts.push(other.known().cloned().ok_or(Stop::Unsolvable)?);
    }
    let joined = (prim::GATHER.apply)(&parts, budget)?;
    Ok(Wrap::With((prim::BAG.apply)(&[joined], budget)?))
}

/// The rows that know something of an unlisted number.
fn unlisted(row: &Prim, args: &[Outcome]) -> Option<Outcome> {
    match (row.name, args) {
        ("add", [a, b]) => sum(a, b),
        ("sub", [a, b]) => sum(a, &scaled(b, -1)?),
        ("neg", [a]) => scaled(a, -1),
        ("mul", [a, b]) => match (a.as_int(), b.as_int()) {
            (Some(n), None) => scaled(b, n),
            (None, Some(n)) => scaled(a, n),
            _ => None,
        },
        ("sign", [a]) => match a {
            Outcome::Above { bound, .. } if *bound >= 0 => Some(Outcome::int(1)),
            Outcome::Below { bound, .. } if *bound <= 0 => Some(Outcome::int(-1)),
            _ => None,
        },
        ("abs", [a]) => match a {
            Outcome::Above { bound, .. } if *bound >= -1 => Some(a.clone()),
            Outcome::Below { bound, .. } if *bound <= 1 => scaled(a, -1),
            _ => None,
        },
        ("div" | "quot", [Outcome::Above { bound, .. }, n]) if *bound >= -1 => {
            let least = bound.checked_add(1)?.checked_div(n.as_int().filter(|n| *n > 0)?)?;
            Some(Outcome::Above { bound: least.checked_sub(1)?, pooled: false, moments: None })
        }
        ("cap", [n, Outcome::Above { bound, .. }]) if n.as_int().is_some_and(|n| *bound >= n) => {
            Some(Outcome::Known(Value::ints(&[n.as_int()?])))
        }
        ("cap", [n, Outcome::Below { bound, .. }]) if n.as_int().is_some_and(|n| *bound <= n) => Some(args[1].clone()),
        ("lift", [n, Outcome::Below { bound, .. }]) if n.as_int().is_some_and(|n| *bound <= n) => {
            Some(Outcome::Known(Value::ints(&[n.as_int()?])))
        }
        ("lift", [n, Outcome::Above { bound, .. }]) if n.as_int().is_some_and(|n| *bound >= n) => Some(args[1].clone()),
        ("gather" | "collect", [a]) => pooled(a, true),
        ("only" | "sum", [a]) => pooled(a, false),
        ("bag" | "different" | "minimal" | "maximal" | "median", [a]) => pooled(a, true),
        ("least" | "largest", [n, a]) if n.as_int().is_some_and(|n| n > 0) => pooled(a, true),
        ("count", [Outcome::Above { .. } | Outcome::Below { .. }]) => Some(Outcome::int(1)),
        ("count", [Outcome::Larger(n)]) => {
            Some(Outcome::Above { bound: i64::try_from(*n).ok()?, pooled: false, moments: None })
        }
        ("some" | "given", [Outcome::Above { .. } | Outcome::Below { .. } | Outcome::Larger(_)]) => {
            Some(Outcome::Known(Value::bool(true)))
        }
        (_, [n, a]) => Compare::of(row).and_then(|by| match n.as_int() {
            Some(n) => compared(by, n, a),
            None => against(by, n, a),
        }),
        _ => None,
    }
}

/// `n op x` for an unlisted x: x stays, goes, or nothing is known.
fn compared(by: Compare, n: i64, x: &Outcome) -> Option<Outcome> {
    let order = match x {
        Outcome::Above { bound, .. } if *bound >= n => Ordering::Less,
        Outcome::Below { bound, .. } if *bound <= n => Ordering::Greater,
        _ => return None,
    };
    Some(if by.allows(order) { x.clone() } else { Outcome::Known(Value::ints(&[])) })
}

/// `n op x` for an unlisted n and known members that all lie on the same side of it: all stay or all go.
fn against(by: Compare, n: &Outcome, pool: &Outcome) -> Option<Outcome> {
    let members = pool.known()?.as_pool()?.iter().map(Value::as_int).collect::<Option<Vec<i64>>>()?;
    let order = match n {
        Outcome::Above { bound, .. } if members.iter().all(|member| member <= bound) => Ordering::Greater,
        Outcome::Below { bound, .. } if members.iter().all(|member| member >= bound) => Ordering::Less,
        _ => return None,
    };
    Some(if by.allows(order) { pool.clone() } else { Outcome::Known(Value::ints(&[])) })
}

fn pooled(x: &Outcome, pooled: bool) -> Option<Outcome> {
    match x {
        Outcome::Above { bound, moments, .. } => {
            Some(Outcome::Above { bound: *bound, pooled, moments: moments.clone() })
        }
        Outcome::Below { bound, moments, .. } => {
            Some(Outcome::Below { bound: *bound, pooled, moments: moments.clone() })
        }
        _ => None,
    }
}

/// `x · n`.
fn scaled(x: &Outcome, n: i64) -> Option<Outcome> {
    let moments = |moments: &Option<Moments>| moments.as_ref().map(|moments| moments.affine(n, 0));
    match x {
        Outcome::Known(value) => value.as_int()?.checked_mul(n).map(Outcome::int),
        _ if n == 0 => Some(Outcome::int(0)),
        // x > b means x >= b + 1, so n·x > n·(b + 1) - 1 for positive n.
        Outcome::Above { bound, moments: m, .. } => {
            let edge = bound.checked_add(1)?.checked_mul(n)?;
            Some(if n > 0 {
                Outcome::Above { bound: edge.checked_sub(1)?, pooled: false, moments: moments(m) }
            } else {
                Outcome::Below { bound: edge.checked_add(1)?, pooled: false, moments: moments(m) }
            })
        }
        Outcome::Below { bound, moments: m, .. } => {
            let edge = bound.checked_sub(1)?.checked_mul(n)?;
            Some(if n > 0 {
                Outcome::Below { bound: edge.checked_add(1)?, pooled: false, moments: moments(m) }
            } else {
                Outcome::Above { bound: edge.checked_sub(1)?, pooled: false, moments: moments(m) }
            })
        }
        _ => None,
    }
}

fn sum(a: &Outcome, b: &Outcome) -> Option<Outcome> {
    let both = |m: &Option<Moments>, n: &Option<Moments>| Some(m.as_ref()?.plus(n.as_ref()?));
    let shift = |m: &Option<Moments>, c: i64| m.as_ref().map(|m| m.affine(1, c));
    use Outcome::{Above, Below};
    match (a, b) {
        (Above { bound, moments, .. }, other) | (other, Above { bound, moments, .. }) => match other {
            Above { bound: more, moments: also, .. } => Some(Above {
                bound: bound.checked_add(*more)?.checked_add(1)?,
                pooled: false,
                moments: both(moments, also),
            }),
            _ => {
                let n = other.as_int()?;
                Some(Above { bound: bound.checked_add(n)?, pooled: false, moments: shift(moments, n) })
            }
        },
        (Below { bound, moments, .. }, other) | (other, Below { bound, moments, .. }) => match other {
            Below { bound: more, moments: also, .. } => Some(Below {
                bound: bound.checked_add(*more)?.checked_sub(1)?,
                pooled: false,
                moments: both(moments, also),
            }),
            _ => {
                let n = other.as_int()?;
                Some(Below { bound: bound.checked_add(n)?, pooled: false, moments: shift(moments, n) })
            }
        },
        _ => None,
    }
}

/// How much an outcome costs to hold.
pub(crate) fn size(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Known(value) => value.weight(),
        _ => 1,
    }
}

/// Whether a value can be a chunk of a collection.
pub(crate) fn chunk(value: &Value) -> Option<&[Value]> {
    match &value.data {
        Data::Pool(items) | Data::List(items) => Some(items),
        _ => None,
    }
}
