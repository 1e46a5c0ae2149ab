//! Truths, pairs, and giving up.

use super::{Merge, Order, Prim, Shape, Sort, pool};
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
    apply: |args, _| match &args[0].data {
        Data::Pool(members) => Ok(Value::bool(!members.is_empty())),
        Data::Bool(_) => Ok(args[0].clone()),
        _ => pool(&args[0]).map(|_| Value::NOTHING),
    },
    ..ROW
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
    apply: |args, _| Ok(Value::bool(args[0].as_pool().is_none_or(|members| !members.is_empty()))),
    ..ROW
};

/// `[a, b]`
pub static PAIR: Prim = Prim {
    name: "pair",
    takes: &[Sort::Any, Sort::Any],
    gives: Sort::Pair,
    doc: "Two values together.",
    example: (&["1", "\"a\""], "(1, \"a\")"),
    apply: |args, budget| {
        if args.iter().any(|arg| arg.depth() >= DEEPEST_PAIR) {
            return Err(Fault::limit(format!("pairs are nested more than {DEEPEST_PAIR} deep")));
        }
        budget.members(args.iter().fold(0u64, |sum, arg| sum.saturating_add(arg.weight())))?;
        Ok(Value::tuple(args.to_vec()))
    },
    ..ROW
};

/// `%1 p`
pub static FIRST: Prim = Prim {
    name: "first",
    takes: &[Sort::Pair],
    gives: Sort::Any,
    doc: "The first of a pair.",
    example: (&["(1, 2)"], "1"),
    apply: |args, _| half(args, 0),
    ..ROW
};

/// `%2 p`
pub static SECOND: Prim = Prim {
    name: "second",
    takes: &[Sort::Pair],
    gives: Sort::Any,
    doc: "The second of a pair.",
    example: (&["(1, 2)"], "2"),
    apply: |args, _| half(args, 1),
    ..ROW
};

/// `a; b`
pub static RESULTS: Prim = Prim {
    name: "results",
    takes: &[Sort::Rest],
    gives: Sort::List,
    doc: "Several results, one beside the other.",
    example: (&["1", "[2, 3]", "\"a\""], "<1, [2, 3], \"a\">"),
    apply: |args, budget| {
        budget.members(args.iter().fold(0u64, |sum, arg| sum.saturating_add(arg.weight())))?;
        Ok(Value::list(args.to_vec()))
    },
    ..ROW
};

/// Stops with a message that a notation prepared
pub static FAIL: Prim = Prim {
    name: "fail",
    takes: &[Sort::Text, Sort::Text, Sort::Text, Sort::Text],
    gives: Sort::Any,
    doc: "Stops with this code, kind, message and advice; a notation puts it where a mistake was found.",
    example: (&["\"name\"", "\"\"", "\"there is no x\"", "\"\""], "error: there is no x"),
    apply: |args, _| {
        let words: Vec<String> = args.iter().filter_map(|arg| arg.as_text().map(ToString::to_string)).collect();
        let [code, kind, message, hint] = words.as_slice() else {
            return Err(Fault::runtime("something is wrong here"));
        };
        let given = |word: &String| Some(word.clone()).filter(|word| !word.is_empty());
        let code = Code::named(code).unwrap_or(Code::Runtime);
        Err(Fault { code, kind: given(kind).map(Into::into), message: message.clone(), hint: given(hint) })
    },
    ..ROW
};

/// Values are compared and dropped by recursion, so their depth has a limit.
const DEEPEST_PAIR: u32 = 64;

const ROW: Prim = Prim {
    name: "",
    takes: &[],
    gives: Sort::Any,
    doc: "",
    example: (&[], ""),
    shape: Shape::Opaque,
    over: 0,
    order: Order::Sees,
    apply: |_, _| Ok(Value::NOTHING),
};

fn half(args: &[Value], index: usize) -> Result<Value, Fault> {
    match &args[0].data {
        Data::Tuple(items) if items.len() == 2 => Ok(items[index].clone()),
        _ => Err(Fault::wrong_type(format!("a pair is needed here, not {}", args[0].sort()))),
    }
}
