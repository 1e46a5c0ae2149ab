//! The one largest or smallest member.
//!
//! Meaning: `largest(1, A)`. For independent dice the chance that none is above v is the product of
//! the chances of each, so the answer is the difference of neighbouring products. Accepts dice and
//! one view whose first stage is `largest` or `least` of one. Cost: one power per face; since
//! `(a·b)^n = a^n · b^n`, for most faces that is one product.

use crate::dice::{Dice, Face};
use crate::dist::{Dist, Pile};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{Outcome, Stop};
use crate::price::Price;
use crate::question::{Goal, Question, View};
use crate::tailed;
use dashu_int::UBig;
use std::collections::BTreeSet;
use tumble_core::Value;
use tumble_core::prim;

/// The largest or smallest member, by order statistics.
pub static METHOD: Method = Method {
    name: "order statistics",
    does: "finds the probability that no die goes beyond each face",
    answers: Answers::First(Row { price, run }),
};

/// Whether a view begins with the largest or the smallest member, which of them, and what comes after.
pub(crate) fn asks(View { stages, goal }: &View) -> Option<(bool, View)> {
    let (stage, rest) = stages.split_first().filter(|(stage, _)| stage.args[0].as_int() == Some(1))?;
    let largest = match stage.row {
        row if *row == prim::LARGEST => true,
        row if *row == prim::LEAST => false,
        _ => return None,
    };
    Some((largest, View { stages: rest.to_vec(), goal: goal.clone() }))
}

/// The distribution of the largest or smallest member.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some((largest, rest)) = question.view().and_then(asks) else { return Ok(None) };
    let Some(dice) = question.dice() else { return Ok(None) };
    let faces: BTreeSet<&Face> = dice.groups.iter().flat_map(|group| group.faces.keys()).collect();
    desk.budget.step((faces.len() as u64).saturating_mul(power_of(dice.bits())))?;
    let order: Vec<&Face> = if largest { faces.into_iter().collect() } else { faces.into_iter().rev().collect() };
    let mut best = best(dice, &order);
    let one = View { stages: question.views[0].stages[..1].to_vec(), goal: Goal::Members };
    tailed::complete_kept(&mut best, question.bunch, |dice| one.kept(dice), &mut desk.budget)?;
    let seen = best.map(&mut desk.budget, |pool, budget| rest.apply(pool, budget))?;
    Ok(Some(Found::One(seen)))
}

/// Steps for a power with so many bits.
pub(crate) fn power_of(bits: u64) -> u64 {
    let squared = (bits / 64).saturating_mul(bits / 64) / 8 + 1;
    squared.min(bits / 5 * 2)
}

/// One power for each face, and a look at what is left.
fn price(question: &Question<'_>) -> Option<Price> {
    let (_, dice) = (asks(question.view()?)?, question.dice()?);
    let (faces, long) = (dice.groups.iter().map(|group| group.faces.len() as f64).sum::<f64>(), dice.bits());
    Some(Price { steps: faces * (power_of(long) as f64 + 30.0), bytes: faces * (64.0 + long as f64 / 8.0) })
}

/// The first face in this order that any die shows, from the other end.
fn best(dice: &Dice, order: &[&Face]) -> Dist {
    let mut before = vec![UBig::ONE; order.len() + 1];
    for group in &dice.groups {
        let steps = order.iter().map(|face| group.faces.get(face));
        let sums: Vec<UBig> = std::iter::once(group.nothing.clone())
            .chain(steps.scan(group.nothing.clone(), |sum, weight| {
                *sum += weight.unwrap_or(&UBig::ZERO);
                Some(sum.clone())
            }))
            .collect();
        let powers = powers(&sums, group.copies());
        match dice.groups.len() {
            1 => before = powers,
            _ => before.iter_mut().zip(&powers).for_each(|(product, power)| *product *= power),
        }
    }
    let mut pile = Pile::default();
    pile.add(Outcome::Known(Value::ints(&[])), &before[0]);
    for (face, pair) in order.iter().zip(before.windows(2)) {
        pile.add(face.pool(), &(&pair[1] - &pair[0]));
    }
    let den = dice.den();
    if let Some((beyond, weight)) = before.last().and_then(|listed| dice.rest(listed, &den)) {
        pile.add(beyond, &weight);
    }
    pile.over(den)
}

/// The n-th power of each of these numbers, which ascend.
fn powers(sums: &[UBig], n: usize) -> Vec<UBig> {
    let small: Vec<u64> = sums.iter().map_while(|sum| u64::try_from(sum).ok()).collect();
    let mut powers: Vec<UBig> = Vec::with_capacity(sums.len());
    for (i, sum) in sums.iter().enumerate() {
        let known = |factor: u64| small[..i].binary_search(&factor).ok().map(|place| &powers[place]);
        let split = small.get(i).and_then(|sum| {
            let factor = smallest_factor(*sum)?;
            Some((known(factor)?, known(sum / factor)?))
        });
        let power = match split {
            Some((a, b)) => a * b,
            None => sum.pow(n),
        };
        powers.push(power);
    }
    powers
}

/// The smallest prime factor of a number that is not prime, if it is below a thousand.
fn smallest_factor(n: u64) -> Option<u64> {
    (2..1000).take_while(|factor| factor * factor <= n).find(|factor| n.is_multiple_of(*factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_products_of_powers() {
        let lists: [Vec<u64>; 4] = [
            (0..200).collect(),
            vec![0, 1, 4, 10, 20, 35, 56, 100, 1000, 1 << 40, u64::MAX],
            vec![5, 5, 5, 7, 25, 25, 49],
            vec![997, 997 * 997, 1009 * 1009],
        ];
        for list in lists {
            let sums: Vec<UBig> = list.iter().map(|n| UBig::from(*n)).chain([UBig::from(u128::MAX)]).collect();
            for n in [0, 1, 2, 3, 7, 50] {
                let expected: Vec<UBig> = sums.iter().map(|sum| sum.pow(n)).collect();
                assert_eq!(powers(&sums, n), expected, "{list:?}^{n}");
            }
        }
    }
}
