//! One outcome of a distribution: a value, or what is known of outcomes that are not listed.
//!
//! A loop without end has infinitely many outcomes. Those far out are kept together as one outcome
//! such as "a number above 400" with their exact mass, and [`apply`] says what a row makes of it:
//! adding 5 gives "a number above 405", asking whether it is more than 12 gives a plain yes. Where
//! nothing can be said the result is [`Outcome::Unknown`], and an answer that holds it says that it
//! is not exact.

use crate::hidden::{self, Hidden, Owner};
use crate::tailed::{self, Far};
use std::cmp::Ordering;
use std::rc::Rc;
use tumble_core::prim::{self, Extent, Interval, Merge, Prim, Shape, Sort, Told};
use tumble_core::{Budget, Data, Fault, Ratio, Value};

/// A value, or what is known of unlisted values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// This value.
    Known(Value),
    /// A number of the unlisted part, `bound + 1` or more; in a collection of its own if `pooled`.
    Above { bound: i64, pooled: bool, far: Option<Far> },
    /// A number of the unlisted part, `bound - 1` or less; in a collection of its own if `pooled`.
    Below { bound: i64, pooled: bool, far: Option<Far> },
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
    /// A pool that is known in part; only in variables and on the way to what looks at it.
    Pool(Hidden),
    /// The values of several variables, on their way from one binding to another.
    Several(Rc<[Outcome]>),
    /// Dice that a script has thrown and not looked at yet, by the number of what becomes of them.
    Unseen(u32),
}

/// Numbers that are not listed, and what is known of them.
#[derive(Clone, Copy)]
pub(crate) struct Beyond<'a> {
    pub(crate) bound: i64,
    pub(crate) up: bool,
    pub(crate) pooled: bool,
    pub(crate) far: Option<&'a Far>,
}

impl Beyond<'_> {
    /// 1 above, -1 below.
    pub(crate) fn side(&self) -> i64 {
        if self.up { 1 } else { -1 }
    }
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
    /// A hidden pool must be revealed further before this can go on.
    Need(Need),
}

impl Stop {
    /// Something that cannot be, whatever is rolled: a mistake of this crate.
    pub(crate) fn mistake(what: &str) -> Stop {
        Stop::Fault(Fault::mistake(format!("internal error: {what}")))
    }
}

/// Which faces must be told from the others, of the pools of these variables.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub(crate) owners: Vec<Owner>,
    pub(crate) faces: Vec<Value>,
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

    /// What is known of it, if it is a number that is not listed.
    pub(crate) fn beyond(&self) -> Option<Beyond<'_>> {
        let (bound, pooled, far, up) = match self {
            Outcome::Above { bound, pooled, far } => (*bound, *pooled, far.as_ref(), true),
            Outcome::Below { bound, pooled, far } => (*bound, *pooled, far.as_ref(), false),
            _ => return None,
        };
        Some(Beyond { bound, up, pooled, far })
    }

    /// The same with this law, if it is a number that is not listed.
    pub(crate) fn with_law(self, far: Option<Far>) -> Outcome {
        match self {
            Outcome::Above { bound, pooled, .. } => Outcome::Above { bound, pooled, far },
            Outcome::Below { bound, pooled, .. } => Outcome::Below { bound, pooled, far },
            other => other,
        }
    }

    /// The same without its law: where one unlisted number is used twice, it would be taken for two independent ones.
    pub(crate) fn without_law(self) -> Outcome {
        self.with_law(None)
    }

    /// Whether nothing can be done with it: what follows is as unknown, or as cut.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Outcome::Cut | Outcome::Unknown)
    }

    /// The negated number; nothing is known if it is none.
    pub(crate) fn negated(&self) -> Outcome {
        let turned = |far: &Option<Far>| far.as_ref().map(|far| far.affine(-1, 0));
        match self {
            Outcome::Above { bound, pooled, far } => {
                Outcome::Below { bound: -bound, pooled: *pooled, far: turned(far) }
            }
            Outcome::Below { bound, pooled, far } => {
                Outcome::Above { bound: -bound, pooled: *pooled, far: turned(far) }
            }
            Outcome::Cut => Outcome::Cut,
            other => other.as_int().and_then(i64::checked_neg).map_or(Outcome::Unknown, Outcome::int),
        }
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
    let (mut known, mut hole, mut pool) = (true, false, false);
    for arg in args {
        known &= matches!(arg, Outcome::Known(_));
        match arg {
            Outcome::Failed(failure) => return Err(Stop::Fault(Fault::clone(&failure.0))),
            Outcome::Cut => return Ok(Outcome::Cut),
            Outcome::Hole { .. } => hole = true,
            Outcome::Pool(_) => pool = true,
            _ => {}
        }
    }
    if known {
        let values: Vec<Value> = args.iter().filter_map(|arg| arg.known().cloned()).collect();
        return Ok(Outcome::Known((row.apply)(&values, budget)?));
    }
    if hole {
        return around_hole(row, args, budget);
    }
    if pool {
        return if args.contains(&Outcome::Unknown) { Ok(Outcome::Unknown) } else { hidden::apply(row, args, budget) };
    }
    Ok(unlisted(row, args, budget).unwrap_or(Outcome::Unknown))
}

/// Two halves of a fold together.
pub(crate) fn merge(how: Merge, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    let truth = |outcome: &Outcome| outcome.known().and_then(Value::as_bool);
    match (how, truth(a), truth(b)) {
        (Merge::Add, ..) => apply(&prim::ADD, &[a.clone(), b.clone()], budget),
        (Merge::Or, Some(true), _) | (Merge::Or, _, Some(true)) => Ok(Outcome::Known(Value::bool(true))),
        (Merge::Or, Some(false), Some(false)) => Ok(Outcome::Known(Value::bool(false))),
        (Merge::Or, ..) => Ok(Outcome::Unknown),
    }
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
    let wrap = match (row.shape, wrap) {
        (Shape::Forget, Wrap::Same | Wrap::With(_)) => wrap.clone(),
        (Shape::Union, Wrap::Same | Wrap::With(_)) => with(row, wrap, &others, budget)?,
        (Shape::Opaque, _) => plus(wrap, added(row, args, place))?,
        _ => return Err(Stop::Unsolvable),
    };
    Ok(Outcome::Hole { call: *call, wrap })
}

/// What a row adds to the number in this place, if it does just that.
fn added(row: &Prim, args: &[Outcome], place: usize) -> Option<i64> {
    // What takes a collection makes something else of it, even if that is the same number.
    row.takes.get(place).filter(|sort| **sort == Sort::Int)?;
    let any = |(i, arg): (usize, &Outcome)| if i == place { Extent::Number(Interval::ALL) } else { extent(arg) };
    match (row.tell)(&args.iter().enumerate().map(any).collect::<Vec<_>>()) {
        Told::Linear { parts, constant, pooled: false } if parts == [(place, 1)] => Some(constant),
        Told::Linear { .. } | Told::Part { .. } | Told::Steps { .. } | Told::Within(_) => None,
    }
}

fn plus(wrap: &Wrap, more: Option<i64>) -> Result<Wrap, Stop> {
    let so_far = match wrap {
        Wrap::Same => 0,
        Wrap::Plus(n) => *n,
        Wrap::With(_) => return Err(Stop::Unsolvable),
    };
    more.and_then(|more| so_far.checked_add(more)).map(Wrap::Plus).ok_or(Stop::Unsolvable)
}

fn with(row: &Prim, wrap: &Wrap, others: &[&Outcome], budget: &mut Budget) -> Result<Wrap, Stop> {
    let mut parts = Vec::new();
    if let Wrap::With(members) = wrap {
        parts.push(members.clone());
    }
    for other in others {
        parts.push(other.known().cloned().ok_or(Stop::Unsolvable)?);
    }
    let joined = (row.apply)(&parts, budget)?;
    Ok(Wrap::With((prim::BAG.apply)(&[joined], budget)?))
}

/// What a row says of these arguments ([`Prim::tell`]).
pub(crate) fn told(row: &Prim, args: &[Outcome]) -> Told {
    (row.tell)(&args.iter().map(extent).collect::<Vec<Extent>>())
}

/// What a row makes of numbers that are not listed. Their law goes through linear functions and divisions.
fn unlisted(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Option<Outcome> {
    let told = told(row, args);
    let found = outcome_in(told.extent(&args.iter().map(extent).collect::<Vec<Extent>>()))?;
    let law = match told {
        Told::Linear { parts, constant, .. } => moved(&parts, constant, args),
        Told::Part { place, by, .. } => args[place].beyond().and_then(|beyond| Some(beyond.far?.over(by))),
        Told::Steps { .. } => tailed::quotient(row, args, &found, budget),
        Told::Within(_) => None,
    };
    Some(found.with_law(law))
}

/// The values that an outcome stands for.
pub(crate) fn extent(outcome: &Outcome) -> Extent {
    let number = |interval: Interval, pooled: bool| match pooled {
        false => Extent::Number(interval),
        true => Extent::Pool { members: Some(interval), least: 1, most: Some(1) },
    };
    match outcome {
        Outcome::Known(value) => Extent::Known(value.clone()),
        Outcome::Above { bound, pooled, .. } => number(Interval { lo: bound.checked_add(1), hi: None }, *pooled),
        Outcome::Below { bound, pooled, .. } => number(Interval { lo: None, hi: bound.checked_sub(1) }, *pooled),
        Outcome::Larger(size) => Extent::Pool { members: None, least: size.saturating_add(1), most: None },
        Outcome::Hole { .. }
        | Outcome::Cut
        | Outcome::Unknown
        | Outcome::Failed(_)
        | Outcome::Pool(_)
        | Outcome::Several(_)
        | Outcome::Unseen(_) => Extent::Any,
    }
}

/// The outcome that stands for these values: one value, or what is open on one side. What lies between two bounds is not
/// beyond what is listed, so nothing is said of it.
pub(crate) fn outcome_in(extent: Extent) -> Option<Outcome> {
    let number = |Interval { lo, hi }: Interval, pooled: bool| match (lo, hi) {
        (Some(n), Some(m)) if n == m && pooled => Some(Outcome::Known(Value::ints(&[n]))),
        (Some(n), Some(m)) if n == m => Some(Outcome::int(n)),
        (Some(lo), None) => Some(Outcome::Above { bound: lo.checked_sub(1)?, pooled, far: None }),
        (None, Some(hi)) => Some(Outcome::Below { bound: hi.checked_add(1)?, pooled, far: None }),
        _ => None,
    };
    match extent {
        Extent::Known(value) => Some(Outcome::Known(value)),
        Extent::Number(interval) => number(interval, false),
        Extent::Pool { members: Some(interval), least: 1, most: Some(1) } => number(interval, true),
        Extent::Pool { .. } | Extent::Any => None,
    }
}

/// The law of a sum of independent parts, each times a number.
fn moved(parts: &[(usize, i64)], constant: i64, args: &[Outcome]) -> Option<Far> {
    let part = |(place, by): &(usize, i64)| Some((args[*place].beyond()?.far?, *by));
    match parts {
        [one] => part(one).map(|(far, by)| far.affine(by, constant)),
        [one, two] => {
            let [(a, by), (b, and)] = [part(one)?, part(two)?];
            Some(a.affine(by, 0).plus(&b.affine(and, 0)).affine(1, constant))
        }
        _ => None,
    }
}

/// How much an outcome costs to hold.
pub(crate) fn size(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Known(value) => value.weight(),
        Outcome::Pool(pool) => pool.size(),
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

/// The whole number an outcome represents: itself, or the only member of a collection.
pub fn number(value: &Value) -> Option<i64> {
    lone(value).as_int()
}

/// The number an outcome represents, whole or not: itself, or the only member of a collection.
pub fn ratio(value: &Value) -> Option<Ratio> {
    lone(value).as_ratio()
}

fn lone(value: &Value) -> &Value {
    match value.as_pool() {
        Some([one]) => one,
        _ => value,
    }
}
