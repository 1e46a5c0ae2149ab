//! Truths, pairs, and giving up.

use super::bounds::{Extent, Interval, Told};
use super::flat::FOLD;
use super::{BLANK, Flat, Fold, Merge, Order, Prim, Shape, Sort, pool};
use crate::diagnostic::{Code, Fault};
use crate::value::{Data, Value};

/// Whether a collection has a member
pub static SOME: Prim = Prim {
    name: "some",
    takes: &[Sort::Pool],
    gives: Sort::Bool,
    doc: "Whether a collection has any member.",
    example: (&["[0]"], "true"),
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
    shape: Shape::Fold(Merge::Or),
    order: Order::Blind,
    counts: true,
    tell: |args| present(&args[0]),
    flat: Some(Flat::Fold(Fold { of: |members| Some(i64::from(!members.is_empty())), ..FOLD })),
    apply: |args, _| Ok(Value::bool(args[0].as_pool().is_none_or(|members| !members.is_empty()))),
    ..BLANK
};

/// `[a, b]`
pub static PAIR: Prim = Prim {
    name: "pair",
    takes: &[Sort::Any, Sort::Any],
    gives: Sort::Pair,
    doc: "A pair of two values.",
    example: (&["1", "\"a\""], "(1, \"a\")"),
    apply: |args, budget| {
        if args.iter().any(|arg| arg.depth() >= DEEPEST_PAIR) {
            return Err(Fault::limit(format!("pairs are nested more than {DEEPEST_PAIR} deep")));
        }
        budget.members(args.iter().fold(0u64, |sum, arg| sum.saturating_add(arg.weight())))?;
        Ok(Value::tuple(args.to_vec()))
    },
    ..BLANK
};

/// `%1 p`
pub static FIRST: Prim = Prim {
    name: "first",
    takes: &[Sort::Pair],
    gives: Sort::Any,
    doc: "The first of a pair.",
    example: (&["(1, 2)"], "1"),
    apply: |args, _| half(args, 0),
    ..BLANK
};

/// `%2 p`
pub static SECOND: Prim = Prim {
    name: "second",
    takes: &[Sort::Pair],
    gives: Sort::Any,
    doc: "The second of a pair.",
    example: (&["(1, 2)"], "2"),
    apply: |args, _| half(args, 1),
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
            (Data::Int(_), Data::Int(_)) | (Data::Text(_), Data::Text(_)) | (Data::Bool(_), Data::Bool(_)) => {
                Ok(Value::bool(args[0] == args[1]))
            }
            (one, two) => {
                let [one, two] = [one, two].map(|data| Value::from(data.clone()).sort());
                Err(Fault::wrong_type(format!("{one} and {two} can't be compared")))
            }
        }
    },
    ..BLANK
};

/// `a; b`
pub static RESULTS: Prim = Prim {
    name: "results",
    takes: &[Sort::Rest],
    gives: Sort::List,
    doc: "Several results, side by side.",
    example: (&["1", "[2, 3]", "\"a\""], "<1, [2, 3], \"a\">"),
    apply: |args, budget| {
        budget.members(args.iter().fold(0u64, |sum, arg| sum.saturating_add(arg.weight())))?;
        Ok(Value::list(args.to_vec()))
    },
    ..BLANK
};

/// Stops with a message that a notation prepared
pub static FAIL: Prim = Prim {
    name: "fail",
    takes: &[Sort::Text, Sort::Text, Sort::Text, Sort::Text],
    gives: Sort::Any,
    doc: "Stops with this code, kind, message and hint; a notation puts it where it found an error.",
    example: (&["\"name\"", "\"\"", "\"unknown name\"", "\"\""], "error: unknown name"),
    apply: |args, _| {
        let words: Vec<String> = args.iter().filter_map(|arg| arg.as_text().map(ToString::to_string)).collect();
        let [code, kind, message, hint] = words.as_slice() else {
            return Err(Fault::runtime("something is wrong here"));
        };
        let given = |word: &String| Some(word.clone()).filter(|word| !word.is_empty());
        let code = Code::named(code).unwrap_or(Code::Runtime);
        let fault = Fault::new(code, message);
        Err(Fault { kind: given(kind).map(Into::into), hint: given(hint), ..fault })
    },
    ..BLANK
};

/// Values are compared and dropped by recursion, so their depth has a limit.
const DEEPEST_PAIR: u32 = 64;

fn present(of: &Extent) -> Told {
    match of {
        Extent::Number(_) => Told::known(Value::bool(true)),
        Extent::Pool { least: 1.., .. } => Told::known(Value::bool(true)),
        Extent::Pool { most: Some(0), .. } => Told::known(Value::bool(false)),
        _ => Told::NOTHING,
    }
}

fn half(args: &[Value], index: usize) -> Result<Value, Fault> {
    match &args[0].data {
        Data::Tuple(items) if items.len() == 2 => Ok(items[index].clone()),
        _ => Err(Fault::wrong_type(format!("expected a pair, not {}", args[0].sort()))),
    }
}
