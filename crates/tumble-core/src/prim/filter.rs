//! Rows that remove members one by one: the six comparisons, and membership.

use super::bounds::{filtered, kept_of};
use super::compare::Compare;
use super::{BLANK, Fails, Flat, Order, Prim, Shape, Sort, flat, pool, ratio};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::value::Value;

/// `a drop b`
pub static WITHOUT: Prim = Prim {
    name: "without",
    takes: &[Sort::Pool, Sort::Pool],
    doc: "The members of the first collection that do not occur in the second.",
    example: (&["[1, 2, 2, 3]", "[2]"], "[1, 3]"),
    fails: Fails::Never,
    tell: |args| kept_of(args, 0, |_, most| (0, most)),
    flat: Some(Flat::Against(|members, gone, budget| flat::by_presence(members, gone, budget, false))),
    apply: |args, budget| by_presence(args, budget, false),
    ..FILTER
};

/// `a keep b`
pub static AMONG: Prim = Prim {
    name: "among",
    takes: &[Sort::Pool, Sort::Pool],
    doc: "The members of the first collection that occur in the second.",
    example: (&["[1, 2, 2, 3]", "[2, 3]"], "[2, 2, 3]"),
    fails: Fails::Never,
    tell: |args| kept_of(args, 0, |_, most| (0, most)),
    flat: Some(Flat::Against(|members, listed, budget| flat::by_presence(members, listed, budget, true))),
    apply: |args, budget| by_presence(args, budget, true),
    ..FILTER
};

/// `n = p`
pub static EQUAL: Prim = Prim {
    name: "equal",
    doc: "The members that equal the number.",
    example: (&["3", "[1, 3, 3]"], "[3, 3]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::Equal),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::Equal))),
    apply: |args, _| compare(args, Compare::Equal),
    ..COMPARE
};

/// `n =/= p`
pub static UNEQUAL: Prim = Prim {
    name: "unequal",
    doc: "The members that differ from the number.",
    example: (&["3", "[1, 3, 3]"], "[1]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::Unequal),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::Unequal))),
    apply: |args, _| compare(args, Compare::Unequal),
    ..COMPARE
};

/// `n < p`
pub static LESS: Prim = Prim {
    name: "less",
    doc: "The members greater than the number.",
    example: (&["3", "[1, 3, 5]"], "[5]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::Less),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::Less))),
    apply: |args, _| compare(args, Compare::Less),
    ..COMPARE
};

/// `n > p`
pub static MORE: Prim = Prim {
    name: "more",
    doc: "The members less than the number.",
    example: (&["3", "[1, 3, 5]"], "[1]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::More),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::More))),
    apply: |args, _| compare(args, Compare::More),
    ..COMPARE
};

/// `n <= p`
pub static AT_MOST: Prim = Prim {
    name: "at_most",
    doc: "The members that are at least the number.",
    example: (&["3", "[1, 3, 5]"], "[3, 5]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::AtMost),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::AtMost))),
    apply: |args, _| compare(args, Compare::AtMost),
    ..COMPARE
};

/// `n >= p`
pub static AT_LEAST: Prim = Prim {
    name: "at_least",
    doc: "The members that are at most the number.",
    example: (&["3", "[1, 3, 5]"], "[1, 3]"),
    fails: Fails::Never,
    tell: |args| filtered(args, Compare::AtLeast),
    flat: Some(Flat::Change(|n, members, _, _| flat::compared(n, members, Compare::AtLeast))),
    apply: |args, _| compare(args, Compare::AtLeast),
    ..COMPARE
};

const FILTER: Prim =
    Prim { takes: &[Sort::Pool], gives: Sort::Pool, shape: Shape::Filter, order: Order::Carries, ..BLANK };
const COMPARE: Prim = Prim { takes: &[Sort::Int, Sort::Pool], over: 1, ..FILTER };

fn compare(args: &[Value], by: Compare) -> Result<Value, Fault> {
    let number = ratio(&args[0])?;
    let mut members = Vec::new();
    for member in pool(&args[1])? {
        if by.allows(number.cmp(&ratio(member)?)) {
            members.push(member.clone());
        }
    }
    Ok(Value::pool(members))
}

fn by_presence(args: &[Value], budget: &mut Budget, wanted: bool) -> Result<Value, Fault> {
    let members = pool(&args[0])?;
    let listed = super::pool::counts(pool(&args[1])?);
    budget.step(members.len() as u64)?;
    Ok(Value::pool(members.iter().filter(|member| listed.contains_key(member) == wanted).cloned().collect()))
}
