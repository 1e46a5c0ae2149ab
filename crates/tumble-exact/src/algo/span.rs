//! The smallest and the largest member together.
//!
//! Meaning: the joint distribution of `least(1, A)` and `largest(1, A)`. With `G(a, b)` the weight of no die showing a face
//! outside of a to b, a product of powers, that of exactly these ends is found by inclusion and exclusion:
//! `G(a, b) − G(a+1, b) − G(a, b−1) + G(a+1, b−1)`. Accepts dice whose faces are all listed, and several views that each
//! begin with the largest or smallest member. Cost: one power per pair of faces.

use crate::algo::extreme;
use crate::dice::{Dice, Face};
use crate::map::HashMap;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{Outcome, Stop};
use crate::price::Price;
use crate::question::{Joint, Question, View};
use dashu_int::UBig;
use std::collections::BTreeSet;
use tumble_core::Value;

/// The smallest and the largest member together, by order statistics.
pub static METHOD: Method = Method {
    name: "order statistics of both ends",
    does: "finds the probability that all dice are between each two faces",
    answers: Answers::Cheapest(Row { price, run }),
};

/// For each view whether it begins with the largest member, and what comes after; and the dice with all their faces.
struct Ends<'a> {
    views: Vec<(bool, View)>,
    dice: &'a Dice,
    faces: Vec<&'a Face>,
}

fn asks<'a>(question: &'a Question<'_>) -> Option<Ends<'a>> {
    let views = question.views.iter().map(extreme::asks).collect::<Option<Vec<_>>>().filter(|views| views.len() > 1)?;
    let dice = question.dice().filter(|dice| dice.beyond.is_none())?;
    let faces: BTreeSet<&Face> = dice.groups.iter().flat_map(|group| group.faces.keys()).collect();
    let listed = faces.iter().all(|face| matches!(face, Face::Shows(_)));
    listed.then(|| Ends { views, dice, faces: faces.into_iter().collect() })
}

/// A power for each pair of faces.
fn price(question: &Question<'_>) -> Option<Price> {
    let ends = asks(question)?;
    let (count, long, views) = (ends.faces.len() as f64, ends.dice.bits(), ends.views.len() as f64);
    let pairs = count * (count + 1.0) / 2.0 + 1.0;
    let each = ends.dice.groups.len() as f64 * extreme::power_of(long) as f64 + 2.0;
    Some(Price { steps: pairs * each + count * views * 30.0, bytes: pairs * (64.0 * views + 2.0 * long as f64 / 8.0) })
}

fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some(Ends { views, dice, faces }) = asks(question) else { return Ok(None) };
    let pairs = (faces.len() as u64).saturating_mul(faces.len() as u64 + 1) / 2;
    let each = (dice.groups.len() as u64).saturating_mul(extreme::power_of(dice.bits())).saturating_add(2);
    desk.budget.step(pairs.saturating_mul(each))?;
    let shown = |pool: &Outcome, desk: &mut Desk<'_>| {
        views.iter().map(|(_, rest)| rest.apply(pool, &mut desk.budget)).collect::<Result<Vec<_>, _>>()
    };
    let each = faces.iter().map(|face| shown(&face.pool(), desk)).collect::<Result<Vec<_>, _>>()?;
    let none = dice.groups.iter().map(|group| group.nothing.pow(group.copies())).product::<UBig>();
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    if !none.is_zero() {
        weights.insert(shown(&Outcome::Known(Value::ints(&[])), desk)?, none.clone());
    }
    // G(a, b) and G(a, b−1) for the largest face b of all so far, by a.
    let mut before = vec![none.clone(); faces.len() + 1];
    for (b, largest) in each.iter().enumerate() {
        let within = within(dice, &faces[..=b], &none);
        for (a, smallest) in each[..=b].iter().enumerate() {
            let weight = &within[a] + &before[a + 1] - &within[a + 1] - &before[a];
            let seen = views.iter().enumerate().map(|(v, (top, _))| if *top { &largest[v] } else { &smallest[v] });
            *weights.entry(seen.cloned().collect()).or_insert(UBig::ZERO) += weight;
        }
        before[..=b + 1].clone_from_slice(&within);
    }
    Ok(Some(Found::All(Joint::new(weights, dice.den()))))
}

/// The weight of no face before the a-th of these and none after them, for every a; at last that of no face at all.
fn within(dice: &Dice, faces: &[&Face], none: &UBig) -> Vec<UBig> {
    let mut sums: Vec<UBig> = dice.groups.iter().map(|group| group.nothing.clone()).collect();
    let mut within = vec![none.clone(); faces.len() + 1];
    for (a, face) in faces.iter().enumerate().rev() {
        for (sum, group) in sums.iter_mut().zip(&dice.groups) {
            *sum += group.faces.get(face).unwrap_or(&UBig::ZERO);
        }
        within[a] = sums.iter().zip(&dice.groups).map(|(sum, group)| sum.pow(group.copies())).product();
    }
    within
}
