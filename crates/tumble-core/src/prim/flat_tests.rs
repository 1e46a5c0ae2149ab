//! Every row on plain values, compared with its `apply`: it must agree in the result and in the steps taken, or be unsure.

use super::tests::Dice;
use super::*;
use crate::limits::Limits;

/// Tries for each row and each way its members can be ordered.
const TRIES: usize = 1_000;

/// So many rows work on plain values.
const FLAT: usize = 41;

/// A number near zero, or so far out that a sum of two overflows.
fn number(dice: &mut Dice) -> i64 {
    match dice.below(12) {
        0 => i64::MAX - dice.below(2) as i64,
        1 => i64::MIN + dice.below(2) as i64,
        _ => dice.below(10) as i64 - 3,
    }
}

fn members(dice: &mut Dice, ordered: Ordered) -> Vec<i64> {
    let mut members: Vec<i64> = (0..dice.below(9)).map(|_| number(dice)).collect();
    if ordered == Ordered::Ascending {
        members.sort_unstable();
    }
    members
}

/// What a row makes of random plain arguments, and the same arguments as values; no result if it is unsure.
fn plain(
    row: &Prim,
    flat: Flat,
    ordered: Ordered,
    dice: &mut Dice,
    budget: &mut Budget,
) -> (Option<Value>, Vec<Value>) {
    let single = |n: Option<i64>| n.map(|n| if row.gives == Sort::Bool { Value::bool(n == 1) } else { Value::int(n) });
    let (a, b) = (number(dice), number(dice));
    let (mut pool, mut other) = (members(dice, ordered), members(dice, Ordered::Seen));
    let given = Value::ints(&pool);
    match flat {
        Flat::One(f) => (single(f(a)), vec![Value::int(a)]),
        Flat::Two(f) => (single(f(a, b)), vec![Value::int(a), Value::int(b)]),
        Flat::List(f) => {
            let made = f(a, b, &mut pool, budget).map(|()| Value::ints(&pool[given.as_pool().unwrap().len()..]));
            assert!(made.as_ref().is_ok_and(|made| made.as_pool().is_some_and(<[Value]>::is_sorted)) || made.is_err());
            (made.ok(), vec![Value::int(a), Value::int(b)])
        }
        Flat::Fold(fold) if fold.passes && dice.below(2) == 0 => {
            let value = single(Some(a.rem_euclid(2)));
            (value.clone(), value.into_iter().collect())
        }
        Flat::Fold(fold) => (single((fold.of)(&pool)), vec![given]),
        Flat::Change(f) => {
            let left = f(a, &mut pool, ordered, budget).map(|left| Value::ints(&pool[..left]));
            (left.ok(), if row.over == 1 { vec![Value::int(a), given] } else { vec![given] })
        }
        Flat::Against(f) => {
            let args = vec![given, Value::ints(&other)];
            (f(&mut pool, &mut other, budget).map(|left| Value::ints(&pool[..left])).ok(), args)
        }
        Flat::Join => {
            budget.members((pool.len() + other.len() + 1) as u64).unwrap();
            let args = vec![given, Value::int(a), Value::ints(&other)];
            (Some(Value::ints(&[pool, vec![a], other].concat())), args)
        }
    }
}

/// In ascending order where nobody sees another one.
fn seen(value: Value, ordered: Ordered) -> Value {
    match (value.as_pool(), ordered) {
        (Some(members), Ordered::Unseen) => {
            let mut members = members.to_vec();
            members.sort();
            Value::pool(members)
        }
        _ => value,
    }
}

/// Whether the row was sure, and right.
fn check(row: &Prim, flat: Flat, ordered: Ordered, dice: &mut Dice) -> bool {
    let [mut quick, mut slow] = [0; 2].map(|_| Budget::new(Limits::small()));
    let (got, args) = plain(row, flat, ordered, dice, &mut quick);
    let Some(got) = got else { return false };
    let context = format!("{}{args:?}, {ordered:?}", row.name);
    let meant = (row.apply)(&args, &mut slow).unwrap_or_else(|fault| panic!("{context}: {got}, but {}", fault.message));
    assert_eq!(seen(got, ordered), seen(meant, ordered), "{context}");
    assert_eq!(quick.used(), slow.used(), "the steps of {context}");
    true
}

#[test]
fn every_flat_row_agrees_with_apply() {
    let mut dice = Dice(20_261_201);
    let mut rows = 0;
    for row in ALL {
        let Some(flat) = row.flat else { continue };
        rows += 1;
        for ordered in [Ordered::Ascending, Ordered::Unseen, Ordered::Seen] {
            let sure = (0..TRIES).filter(|_| check(row, flat, ordered, &mut dice)).count();
            assert!(sure > TRIES / 4, "{} was sure only {sure} times of {TRIES}", row.name);
        }
    }
    assert!(rows >= FLAT, "only {rows} rows work on plain values");
}

/// A row that forgets the order, or joins, takes a step for each member, so that an evaluator may leave it out and pay.
#[test]
fn what_changes_no_member_has_one_price() {
    for row in ALL.iter().filter(|row| matches!(row.shape, Shape::Forget | Shape::Union)) {
        let mut budget = Budget::new(Limits::small());
        (row.apply)(&[Value::ints(&[3, 1, 2])], &mut budget).unwrap();
        assert_eq!(budget.used(), 3, "{}", row.name);
    }
}
