//! Every row's interval semantics, held against its `apply`: whatever values the arguments have within their extents, the
//! result is within the extent that the row says, and just the linear function if it says one.

use super::tests::{Dice, apply};
use super::*;

/// Tries for each row.
const TRIES: usize = 3_000;

/// So many rows say more than nothing.
const TELLING: usize = 40;

/// A number near a bound or far out.
fn number(dice: &mut Dice) -> i64 {
    match dice.below(8) {
        0 => dice.below(2_000) as i64 - 1_000,
        _ => dice.below(9) as i64 - 4,
    }
}

fn interval(dice: &mut Dice) -> Interval {
    let (a, b) = (number(dice), number(dice));
    let lo = (dice.below(4) != 0).then_some(a.min(b));
    let hi = (dice.below(4) != 0).then_some(a.max(b));
    Interval { lo, hi }
}

/// One of its numbers, now and then a fraction.
fn inside(of: Interval, dice: &mut Dice) -> Ratio {
    let n = whole(of, dice);
    let part = Ratio::new(i128::from(n) * 3 + 1, 3).filter(|part| dice.below(4) == 0 && within(*part, &of));
    part.unwrap_or(Ratio::from(n))
}

fn whole(Interval { lo, hi }: Interval, dice: &mut Dice) -> i64 {
    let far = dice.below(12) as i64;
    match (lo, hi) {
        (Some(lo), Some(hi)) => lo + dice.below((hi - lo + 1) as u64) as i64,
        (Some(lo), None) => lo + far,
        (None, Some(hi)) => hi - far,
        (None, None) => number(dice),
    }
}

/// What is known of an argument of this sort, and a value that fits.
fn argument(sort: Sort, dice: &mut Dice) -> (Extent, Value) {
    let pool = |sort| matches!(sort, Sort::Pool) || matches!(sort, Sort::Rest | Sort::Any);
    let known = |value: Value| (Extent::Known(value.clone()), value);
    match (sort, dice.below(3)) {
        (Sort::Int, 0) => known(Value::ratio(inside(Interval::ALL, dice))),
        (Sort::Int, _) => {
            let of = interval(dice);
            (Extent::Number(of), Value::ratio(inside(of, dice)))
        }
        (sort, 0) if pool(sort) => known(Value::pool(dice.pool())),
        (Sort::Rest | Sort::Any, 1) => argument(Sort::Int, dice),
        (sort, _) if pool(sort) => {
            let (of, size) = (interval(dice), dice.below(4));
            let (least, most) = (size - dice.below(size + 1), (dice.below(3) != 0).then_some(size + dice.below(2)));
            let members = (0..size).map(|_| Value::ratio(inside(of, dice))).collect();
            (Extent::Pool { members: Some(of), least, most }, Value::pool(members))
        }
        _ => (Extent::Any, Value::text("x")),
    }
}

fn within(n: Ratio, of: &Interval) -> bool {
    of.lo.is_none_or(|lo| Ratio::from(lo) <= n) && of.hi.is_none_or(|hi| n <= Ratio::from(hi))
}

fn fits(value: &Value, extent: &Extent) -> bool {
    match extent {
        Extent::Known(known) => value == known,
        Extent::Number(of) => value.as_ratio().is_some_and(|n| within(n, of)),
        Extent::Pool { members, least, most } => value.as_pool().is_some_and(|items| {
            let size = items.len() as u64;
            let inside = |item: &Value| members.is_none_or(|of| item.as_ratio().is_some_and(|n| within(n, &of)));
            *least <= size && most.is_none_or(|most| size <= most) && items.iter().all(inside)
        }),
        Extent::Any => true,
    }
}

/// The number that a value is, or has as its only member.
fn single(value: &Value) -> Option<Ratio> {
    match value.as_pool() {
        Some([one]) => one.as_ratio(),
        _ => value.as_ratio(),
    }
}

fn check(row: &Prim, extents: &[Extent], values: &[Value]) -> bool {
    let told = (row.tell)(extents);
    let Ok(result) = apply(row, values) else { return false };
    let extent = told.extent(extents);
    assert!(fits(&result, &extent), "{}{values:?} is {result}, not within {extent:?} of {extents:?}", row.name);
    if let Told::Linear { parts, constant, pooled } = &told {
        let part = |(place, by): &(usize, i64)| single(&values[*place])?.times(Ratio::from(*by));
        let sum = parts.iter().map(part).try_fold(Ratio::from(*constant), |sum, part| sum.plus(part?));
        let expected = sum.map(Value::ratio).map(|sum| if *pooled { Value::pool(vec![sum]) } else { sum });
        assert_eq!(Some(&result), expected.as_ref(), "{}{values:?} is not {told:?}", row.name);
    }
    if let Told::Part { place, by, .. } = &told {
        assert_eq!(single(&result), single(&values[*place]).and_then(|n| n.over(Ratio::from(*by))), "{}", row.name);
    }
    if let Told::Steps { place, period, rise, .. } = &told {
        let mut values = values.to_vec();
        let further = single(&values[*place]).and_then(|n| n.plus(Ratio::from(*period))).map(Value::ratio);
        let pooled = values[*place].as_pool().is_some();
        values[*place] = further.map_or(Value::NOTHING, |n| if pooled { Value::pool(vec![n]) } else { n });
        if fits(&values[*place], &extents[*place]) {
            let found = apply(row, &values).ok().as_ref().and_then(single);
            assert_eq!(
                found,
                single(&result).and_then(|n| n.plus(Ratio::from(*rise))),
                "{}{values:?} is not {told:?}",
                row.name
            );
        }
    }
    extent != Extent::Any
}

#[test]
fn whatever_a_row_tells_of_bounds_holds() {
    let mut dice = Dice(20_261_117);
    let mut telling = Vec::new();
    for row in ALL {
        let tells = (0..TRIES).filter(|_| {
            let sorts = row.takes.iter().flat_map(|sort| match sort {
                Sort::Rest => vec![Sort::Rest; 1 + dice.below(2) as usize],
                sort => vec![*sort],
            });
            let sorts: Vec<Sort> = sorts.collect();
            let (extents, values): (Vec<Extent>, Vec<Value>) =
                sorts.into_iter().map(|sort| argument(sort, &mut dice)).unzip();
            check(row, &extents, &values)
        });
        if tells.count() > 0 {
            telling.push(row.name);
        }
    }
    assert!(telling.len() >= TELLING, "only {} rows tell something: {telling:?}", telling.len());
}
