//! Truths: whether there is anything, and whether two values are equal.

use super::bounds::{Extent, Interval, Told};
use super::flat::FOLD;
use super::{BLANK, Fails, Flat, Fold, Merge, Order, Prim, Shape, Sort, pool};
use crate::diagnostic::Fault;
use crate::value::{Data, Value};

/// Whether a collection has a member
pub static SOME: Prim = Prim {
    name: "some",
    takes: &[Sort::Pool],
    gives: Sort::Bool,
    doc: "Whether a collection has any member.",
    example: (&["[0]"], "true"),
    fails: Fails::Never,
    shape: Shape::Fold(Merge::Or),
    order: Order::Blind,
    counts: true,
    tell: |args| match &args[0] {
        Extent::Pool { .. } => present(&args[0]),
        _ => Told::NOTHING,
    },
    flat: Some(Flat::Fold(Fold { of: |members| Some(i64::from(!members.is_empty())), passes: true, ..FOLD })),
    apply: |args, _| match &args[0].data {
        Data::Pool(members) => Ok(Value::bool(!members.is_empty())),
        Data::Bool(_) => Ok(args[0].clone()),
        _ => pool(&args[0]).map(|_| Value::NOTHING),
    },
    ..BLANK
};

/// Whether a value counts as present
pub static GIVEN: Prim = Prim {
    name: "given",
    takes: &[Sort::Any],
    gives: Sort::Bool,
    doc: "Whether a value is anything but an empty collection.",
    example: (&["\"a\""], "true"),
    fails: Fails::Never,
    shape: Shape::Fold(Merge::Or),
    order: Order::Blind,
    counts: true,
    tell: |args| present(&args[0]),
    flat: Some(Flat::Fold(Fold { of: |members| Some(i64::from(!members.is_empty())), ..FOLD })),
    apply: |args, _| Ok(Value::bool(args[0].as_pool().is_none_or(|members| !members.is_empty()))),
    ..BLANK
};

/// `a == b`
pub static SAME: Prim = Prim {
    name: "same",
    takes: &[Sort::Any, Sort::Any],
    gives: Sort::Bool,
    doc: "Whether two numbers, two pieces of text or two truth values are equal.",
    example: (&["\"a\"", "\"a\""], "true"),
    tell: |args| {
        // A collection of one number is no number here.
        let number = |of: &Extent| if let Extent::Number(of) = of { Some(*of) } else { of.int().map(Interval::one) };
        match (number(&args[0]), number(&args[1])) {
            (Some(a), Some(b)) if a.apart(b) => Told::known(Value::bool(false)),
            _ => Told::NOTHING,
        }
    },
    apply: |args, budget| {
        budget.step(args[0].weight())?;
        match (&args[0].data, &args[1].data) {
            (Data::Int(_) | Data::Ratio(_), Data::Int(_) | Data::Ratio(_))
            | (Data::Text(_), Data::Text(_))
            | (Data::Bool(_), Data::Bool(_)) => Ok(Value::bool(args[0] == args[1])),
            (one, two) => {
                let [one, two] = [one, two].map(|data| Value::from(data.clone()).sort());
                Err(Fault::wrong_type(format!("{one} and {two} can't be compared")))
            }
        }
    },
    ..BLANK
};

/// `a == b` for any two values
pub static ALIKE: Prim = Prim {
    name: "alike",
    takes: &[Sort::Any, Sort::Any],
    gives: Sort::Bool,
    doc: "Whether two values of any kind are equal, with all that is in them.",
    example: (&["[1, \"a\"]", "[1, \"a\"]"], "true"),
    fails: Fails::Never,
    tell: SAME.tell,
    apply: |args, budget| {
        budget.step(args[0].weight().min(args[1].weight()))?;
        Ok(Value::bool(args[0] == args[1]))
    },
    ..BLANK
};

fn present(of: &Extent) -> Told {
    match of {
        Extent::Number(_) => Told::known(Value::bool(true)),
        Extent::Pool { least: 1.., .. } => Told::known(Value::bool(true)),
        Extent::Pool { most: Some(0), .. } => Told::known(Value::bool(false)),
        _ => Told::NOTHING,
    }
}
