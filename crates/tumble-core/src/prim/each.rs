//! Rows that replace members one by one. A member computed from a member keeps its mark, so that the
//! story of a roll still knows the die.

use super::bounds::{Extent, Interval, Told, divided, kept, lone};
use super::{BLANK, Fails, Flat, Order, Prim, Shape, Sort, Unsure, arith, flat, int, pool, ratio};
use crate::diagnostic::Fault;
use crate::limits::Budget;
use crate::ratio::Ratio;
use crate::value::{Data, Mark, Value};

/// `p pc n`
pub static CAP: Prim = Prim {
    name: "cap",
    doc: "Members above the number become the number.",
    example: (&["4", "[6, 1, 4]"], "[4, 1, 4]"),
    fails: Fails::Never,
    shape: MONOTONE,
    tell: |args| {
        bounded(args, |n, of| match n.lo {
            Some(lo) if of.up_to(lo) => None,
            _ => Some(of.least(n)),
        })
    },
    flat: Some(Flat::Change(|n, members, _, budget| flat::each(members, budget, |x| x.min(n)))),
    apply: |args, budget| numbers(args, budget, |n, x| Some(x.min(n))),
    ..NUMBERED
};

/// `p pf n`
pub static LIFT: Prim = Prim {
    name: "lift",
    doc: "Members below the number become the number.",
    example: (&["4", "[6, 1, 4]"], "[6, 4, 4]"),
    fails: Fails::Never,
    shape: MONOTONE,
    tell: |args| {
        bounded(args, |n, of| match n.hi {
            Some(hi) if of.from(hi) => None,
            _ => Some(of.most(n)),
        })
    },
    flat: Some(Flat::Change(|n, members, _, budget| flat::each(members, budget, |x| x.max(n)))),
    apply: |args, budget| numbers(args, budget, |n, x| Some(x.max(n))),
    ..NUMBERED
};

/// `p p% n`
pub static EACH_MOD: Prim = Prim {
    name: "each_mod",
    doc: "The remainder of each member divided by the number, rounded down.",
    example: (&["10", "[3, 10, -1]"], "[3, 0, 9]"),
    tell: |args| match args[0].number().and_then(arith::remainders) {
        Some(left) => divided(args, (1, 0), 0, bounded(args, |_, _| Some(left))),
        None => Told::NOTHING,
    },
    flat: Some(Flat::Change(|n, members, _, budget| match n {
        0 => Err(Unsure),
        _ => flat::each(members, budget, |x| arith::modulo(x, n).unwrap_or(0)),
    })),
    apply: |args, budget| {
        arith::divisor(&args[0], "remainder of a division by zero")?;
        numbers(args, budget, |n, x| match x.whole().zip(n.whole()) {
            Some((x, n)) => arith::modulo(x, n).map(Ratio::from),
            None => arith::left(x, n, Ratio::floor),
        })
    },
    ..NUMBERED
};

/// The first of each pair
pub static FIRSTS: Prim = Prim {
    name: "firsts",
    doc: "The first of each pair.",
    example: (&["[(4, 1), (2, 0)]"], "[4, 2]"),
    shape: MONOTONE,
    apply: |args, budget| {
        each(&args[0], budget, |member| {
            let [first, second] = halves(member)?;
            // A number computed from a die has a later mark, or none; what it was computed from stands beside it.
            let marks = [first.mark, second.mark].into_iter().filter(|mark| *mark != Mark::NONE);
            let mark = marks.min_by_key(|mark| mark.index());
            Ok(first.clone().marked(mark.unwrap_or(member.mark)))
        })
    },
    ..ROW
};

/// The pairs with this number in the second place
pub static HAVING: Prim = Prim {
    name: "having",
    takes: &[Sort::Int, Sort::Pool],
    doc: "The pairs whose second is the number.",
    example: (&["1", "[(4, 1), (2, 0)]"], "[(4, 1)]"),
    shape: Shape::Filter,
    over: 1,
    apply: |args, budget| {
        let wanted = int(&args[0])?;
        let members = pool(&args[1])?;
        budget.step(members.len() as u64)?;
        let mut kept = Vec::new();
        for member in members {
            if int(&halves(member)?[1])? == wanted {
                kept.push(member.clone());
            }
        }
        Ok(Value::pool(kept))
    },
    ..ROW
};

/// `p m "name"`
pub static LOOK_UP: Prim = Prim {
    name: "look_up",
    takes: &[Sort::Text, Sort::Pool, Sort::Any],
    gives: Sort::Any,
    doc: "Looks up a value, or each member of a collection, in a named table: a collection of pairs.",
    example: (&["\"coin\"", "[(1, \"heads\"), (2, \"tails\")]", "[2, 1, 2]"], "[\"tails\", \"heads\", \"tails\"]"),
    over: 2,
    apply: |args, budget| {
        let (table, cost) = (pool(&args[1])?, 1 + args[1].weight() / 8);
        let one = |value: &Value| found(&args[0], table, value);
        match &args[2].data {
            Data::Pool(members) => {
                budget.step(cost.saturating_mul(members.len() as u64))?;
                each(&args[2], budget, one)
            }
            _ => budget.step(cost).and_then(|()| one(&args[2])),
        }
    },
    ..ROW
};

/// Members in ascending order may come out in another one.
const OTHERWISE: Shape = Shape::Map { monotone: false };

/// They stay in their order.
const MONOTONE: Shape = Shape::Map { monotone: true };

const ROW: Prim = Prim { takes: &[Sort::Pool], gives: Sort::Pool, shape: OTHERWISE, order: Order::Carries, ..BLANK };

const NUMBERED: Prim = Prim { takes: &[Sort::Int, Sort::Pool], over: 1, ..ROW };

/// What becomes of members of an interval; none if they stay as they are.
fn bounded(args: &[Extent], f: impl Fn(Interval, Interval) -> Option<Interval>) -> Told {
    let (Some(n), Some((Some(of), least, most))) = (args[0].number(), args[1].members()) else { return Told::NOTHING };
    match f(n, of) {
        None if lone(&args[1]) => Told::same(1, true),
        None => kept(&args[1], least, most),
        Some(members) => Told::Within(Extent::Pool { members: Some(members), least, most }),
    }
}

fn each(value: &Value, budget: &mut Budget, one: impl Fn(&Value) -> Result<Value, Fault>) -> Result<Value, Fault> {
    let members = pool(value)?;
    budget.step(members.len() as u64)?;
    members.iter().map(one).collect::<Result<Vec<Value>, Fault>>().map(Value::pool)
}

/// A number and each member become another number.
fn numbers(args: &[Value], budget: &mut Budget, f: impl Fn(Ratio, Ratio) -> Option<Ratio>) -> Result<Value, Fault> {
    let number = ratio(&args[0])?;
    each(&args[1], budget, |member| {
        let changed = f(number, ratio(member)?).ok_or_else(arith::overflow)?;
        Ok(Value::ratio(changed).marked(member.mark))
    })
}

fn halves(member: &Value) -> Result<&[Value; 2], Fault> {
    match &member.data {
        Data::Tuple(items) => items[..].try_into().map_err(|_| not_a_pair(member)),
        _ => Err(not_a_pair(member)),
    }
}

fn not_a_pair(member: &Value) -> Fault {
    Fault::wrong_type(format!("expected a pair, not {}", member.sort()))
}

fn found(name: &Value, table: &[Value], key: &Value) -> Result<Value, Fault> {
    for row in table {
        let [known, value] = halves(row)?;
        if known == key {
            return Ok(value.clone().marked(key.mark));
        }
    }
    let name = name.as_text().map(ToString::to_string).unwrap_or_default();
    let keys: Vec<&Value> = table.iter().filter_map(|row| halves(row).ok()).map(|[key, _]| key).collect();
    let has = match (keys.iter().min(), keys.iter().max()) {
        (Some(least), Some(most)) if keys.len() > 1 => format!("; its keys range from {least} to {most}"),
        (Some(only), _) => format!("; its only key is {only}"),
        _ => String::new(),
    };
    Err(Fault::runtime(format!("the map \"{name}\" has no entry for {key}{has}")).kind("missing-key"))
}
