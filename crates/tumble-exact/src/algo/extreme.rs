//! The one largest or smallest member.
//!
//! Meaning: `largest(1, A)`. For independent dice the chance that none is above v is the product of
//! the chances of each, so the answer is the difference of neighbouring products. Accepts dice and
//! one view whose first stage is `largest` or `least` of one. Cost: one power per face; since
//! `(a·b)^n = a^n · b^n`, for most faces that is one product.

use crate::algo::{farthest, power, tail};
use crate::dice::{Dice, Face};
use crate::dist::{Dist, Pile};
use crate::fraction::Fraction;
use crate::law::{Bunch, Part, Source};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::moments::Moments;
use crate::odds;
use crate::outcome::{Outcome, Stop};
use crate::price::Price;
use crate::question::{Question, View};
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
    let (bunch, Some((largest, rest))) = (question.bunch, question.view().and_then(asks)) else { return Ok(None) };
    let Some(dice) = question.dice() else { return Ok(None) };
    let faces: BTreeSet<&Face> = dice.groups.iter().flat_map(|group| group.faces.keys()).collect();
    desk.budget.step((faces.len() as u64).saturating_mul(power_of(dice.bits())))?;
    let order: Vec<&Face> = if largest { faces.into_iter().collect() } else { faces.into_iter().rev().collect() };
    let mut best = best(dice, &order);
    if open(&best)
        && let Some((mean, square)) = moments(desk, bunch, largest)?
    {
        power::complete(&mut best, &mean, &square);
        keep_tail(&mut best, bunch, largest);
    }
    let seen = best.map(&mut desk.budget, |pool, budget| rest.apply(pool, budget))?;
    Ok(Some(Found::One(seen)))
}

/// Steps for a power with so many bits.
pub(crate) fn power_of(bits: u64) -> u64 {
    let squared = (bits / 64).saturating_mul(bits / 64) / 8 + 1;
    squared.min(bits.saturating_mul(4))
}

/// One power for each face, and a look at what is left.
fn price(question: &Question<'_>) -> Option<Price> {
    let (_, dice) = (asks(question.view()?)?, question.dice()?);
    let (faces, long) = (dice.groups.iter().map(|group| group.faces.len() as f64).sum::<f64>(), dice.bits());
    Some(Price { steps: faces * (power_of(long) as f64 + 30.0), bytes: faces * (64.0 + long as f64 / 8.0) })
}

/// Whether something lies beyond what is listed.
fn open(best: &Dist) -> bool {
    best.items.iter().any(|(outcome, _)| matches!(outcome, Outcome::Above { .. } | Outcome::Below { .. }))
}

/// Of one die that goes on without end and others that end below its bound, the largest is beyond it just when that die
/// is: the tail is the same.
fn keep_tail(best: &mut Dist, bunch: &Bunch, largest: bool) {
    let mut endless = None;
    let mut highest = i64::MIN;
    for part in &bunch.parts {
        let Source::Each(each) = &part.source else { return };
        for (outcome, _) in &each.items {
            match outcome {
                Outcome::Above { moments: Some(moments), .. } if part.times == 1 && endless.is_none() => {
                    endless = Some(moments);
                }
                Outcome::Known(value) => match odds::number(value) {
                    Some(n) => highest = highest.max(n),
                    None => return,
                },
                _ => return,
            }
        }
    }
    let Some(tail) = endless.and_then(Moments::tail).filter(|_| largest) else { return };
    for (outcome, _) in &mut best.items {
        if let Outcome::Above { bound, moments: Some(moments), .. } = outcome
            && highest <= *bound
        {
            *moments = moments.with_tail(tail.clone());
        }
    }
}

/// Mean and mean square of dice that go on without end, where they can be known.
fn moments(desk: &mut Desk<'_>, bunch: &Bunch, largest: bool) -> Result<Option<(Fraction, Fraction)>, Stop> {
    let die = |part: &'_ Part| match &part.source {
        Source::Each(each) => Some((each.clone(), part.times)),
        Source::Chain(_) => None,
    };
    let Some(dice) = bunch.parts.iter().map(die).collect::<Option<Vec<_>>>() else { return Ok(None) };
    if let [(each, times)] = dice.as_slice() {
        let all = *times as i64;
        let count = |m: i64| if largest { m.min(1) } else { i64::from(m == all) };
        if *times > tail::MOST_DICE {
            return Ok(None);
        }
        return tail::kept_moments(each, &(0..=all).map(count).collect(), &mut desk.budget);
    }
    farthest::moments(
        &dice.iter().map(|(each, times)| (&**each, *times)).collect::<Vec<_>>(),
        largest,
        &mut desk.budget,
    )
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
