//! One number against another.
//!
//! Meaning: `less(n, {x})`, and so for the other comparisons, for every pair of a number n and an
//! independent number x: x stays or goes. How much of n lies below, at and above x is a running sum, so
//! each x is looked at once. Cost: one multiplication per outcome of x.

use crate::dist::{Dist, Pile};
use crate::method::{Answers, Method};
use crate::outcome::{Outcome, Stop};
use crate::tailed;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use std::cmp::Ordering;
use tumble_core::prim::Prim;
use tumble_core::sort;
use tumble_core::{Budget, Compare, Value};

/// Two numbers compared by cumulative sums.
pub static METHOD: Method =
    Method { name: "cumulative sums", does: "compares two numbers in one pass", answers: Answers::None };

/// The distribution of what a comparison leaves; none if the row is no comparison of two numbers.
pub(crate) fn run(row: &Prim, n: &Dist, x: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let Some(by) = Compare::of(row) else { return Ok(None) };
    let holds = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|order| by.allows(order));
    let number = |outcome: &Outcome| outcome.as_int();
    let single = |outcome: &Outcome| match outcome.known().and_then(Value::as_pool) {
        Some([one]) => one.as_int(),
        _ => None,
    };
    let (Some(numbers), Some(members)) = (listed(n, number), listed(x, single)) else {
        return tailed::compared(by, n, x, budget);
    };
    let den = &n.den * &x.den;
    budget.step((numbers.len() + members.len()) as u64 * (4 + cost_of(bits(&den))))?;
    let mut pile = Pile::default();
    let (mut below, mut at, mut gone) = (UBig::ZERO, 0, UBig::ZERO);
    for (member, weight) in members {
        while at < numbers.len() && numbers[at].0 < member {
            below += numbers[at].1;
            at += 1;
        }
        let equal = if at < numbers.len() && numbers[at].0 == member { numbers[at].1.clone() } else { UBig::ZERO };
        let above = &n.den - &below - &equal;
        let shares = [&below, &equal, &above];
        let stays: UBig = shares.iter().zip(holds).filter(|(_, holds)| *holds).map(|(share, _)| *share).sum();
        gone += (&n.den - &stays) * weight;
        pile.add(Outcome::Known(Value::ints(&[member])), &(stays * weight));
    }
    pile.add(Outcome::Known(Value::ints(&[])), &gone);
    Ok(Some(pile.over(den)))
}

/// The numbers of all outcomes in ascending order.
fn listed(dist: &Dist, number: impl Fn(&Outcome) -> Option<i64>) -> Option<Vec<(i64, &UBig)>> {
    let mut items =
        dist.items.iter().map(|(outcome, weight)| Some((number(outcome)?, weight))).collect::<Option<Vec<_>>>()?;
    sort::by_key(&mut items, |(number, _)| *number);
    Some(items)
}
