//! The one largest or smallest member.
//!
//! Meaning: `largest(1, A)`. For independent dice the chance that none is above v is the product of
//! the chances of each, so the answer is the difference of neighbouring products. Accepts dice and
//! one view whose only stage is `largest` or `least` of one. Cost: one power per face.

use crate::algo::dice::{Face, Group, dice};
use crate::algo::{plain, power, tail};
use crate::dist::Pile;
use crate::law::{Bunch, Source};
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use dashu_int::UBig;
use std::collections::BTreeSet;
use tumble_core::Value;
use tumble_core::prim;

/// The distribution of the largest or smallest member.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let [view] = views else { return Ok(None) };
    let Some((stage, rest)) = view.stages.split_first() else { return Ok(None) };
    let largest = match stage.row {
        row if *row == prim::LARGEST => true,
        row if *row == prim::LEAST => false,
        _ => return Ok(None),
    };
    if stage.args[0].as_int() != Some(1) {
        return Ok(None);
    }
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let (groups, den_bits) = (&dice.groups, dice.bits());
    let faces: BTreeSet<&Face> = groups.iter().flat_map(|group| group.faces.keys()).collect();
    let power = (den_bits / 64).saturating_mul(den_bits / 64) / 8 + 1;
    desk.budget.step((faces.len() as u64).saturating_mul(power.min(den_bits.saturating_mul(4))))?;
    let order: Vec<Face> =
        if largest { faces.into_iter().cloned().collect() } else { faces.into_iter().rev().cloned().collect() };
    let mut pile = Pile::default();
    let mut so_far: Vec<UBig> = groups.iter().map(|group| group.nothing.clone()).collect();
    let mut before = product(groups, &so_far);
    pile.add(Outcome::Known(Value::ints(&[])), &before);
    for face in order {
        for (sum, group) in so_far.iter_mut().zip(groups) {
            if let Some(weight) = group.faces.get(&face) {
                *sum += weight;
            }
        }
        let now = product(groups, &so_far);
        pile.add(face.pool(), &(&now - &before));
        before = now;
    }
    let rest = View { stages: rest.to_vec(), goal: view.goal.clone() };
    let den = dice.den();
    if let Some((beyond, weight)) = dice.rest(&before, &den) {
        pile.add(beyond, &weight);
    }
    let mut best = pile.over(den);
    if let [part] = bunch.parts.as_slice()
        && let Source::Each(each) = &part.source
        && part.times <= tail::MOST_DICE
    {
        let all = part.times as i64;
        let counts = (0..=all).map(|m| if largest { m.min(1) } else { i64::from(m == all) }).collect();
        if let Some((mean, square)) = tail::kept_moments(each, &counts, &mut desk.budget)? {
            power::complete(&mut best, &mean, &square);
        }
    }
    plain::look(desk, best, &[rest]).map(Some)
}

fn product(groups: &[Group], so_far: &[UBig]) -> UBig {
    let power = |(sum, group): (&UBig, &Group)| sum.pow(usize::try_from(group.count).unwrap_or(usize::MAX));
    so_far.iter().zip(groups).map(power).product()
}
