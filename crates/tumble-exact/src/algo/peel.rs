//! The largest of many equal dice, and the others, which are not looked at yet.
//!
//! Meaning: `largest(1, A)`, `but_largest(1, A)` and `count(A)` of one collection, together; or the
//! same with the smallest. If k dice show v and none more, then the rest is k − 1 times v and the other
//! dice, each of which shows less than v and which are as independent as before. So the rest stays a
//! [`Rolls`], and a function that takes the largest away again and again meets few different ones.
//! Accepts one kind of dice. Cost: faces × dice.

use crate::law::{Bunch, Rolls, Stage};
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Goal, Joint, View};
use crate::weight::{binomials, powers};
use dashu_int::UBig;
use tumble_core::Value;
use tumble_core::prim::{self, Shape};

/// The joint distribution of what the views show of the first and of the rest.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let Some(top) = side(views) else { return Ok(None) };
    let Some(rolls) = Rolls::of(bunch).filter(|rolls| rolls.fits(top)) else { return Ok(None) };
    let mut items = Vec::new();
    let mut den = UBig::ONE;
    if let Some((face, count)) = &rolls.known {
        let rest = Rolls { known: (*count > 1).then(|| (face.clone(), count - 1)), ..rolls.clone() };
        items.push((shown(views, &rolls, Some((face, rest)), desk)?, UBig::ONE));
    } else if rolls.dice == 0 {
        items.push((shown(views, &rolls, None, desk)?, UBig::ONE));
    } else {
        den = rolls.weight().pow(rolls.dice as usize);
        let ways = binomials(rolls.dice);
        for (place, face, weight, beyond) in rolls.outside_in(top) {
            let (here, others) = (powers(&weight, rolls.dice), powers(&beyond, rolls.dice));
            for k in 1..=rolls.dice {
                desk.budget.step(5 + views.len() as u64)?;
                let weight = &ways[k as usize] * &here[k as usize] * &others[(rolls.dice - k) as usize];
                if weight.is_zero() {
                    continue;
                }
                let known = (k > 1).then(|| (face.clone(), k - 1));
                let faces = if top { rolls.faces.start..place } else { place + 1..rolls.faces.end };
                let rest = Rolls { known, faces, dice: rolls.dice - k, top: Some(top), ..rolls.clone() };
                items.push((shown(views, &rolls, Some((&face, rest)), desk)?, weight));
            }
        }
    }
    Ok(Some(Joint { den, items }))
}

/// Whether all views look at the largest and the rest (or at the smallest), and one at the rest.
fn side(views: &[View]) -> Option<bool> {
    let mut tops = Vec::new();
    let mut rest = false;
    for view in views {
        let mut stages = view.stages.iter().filter(|stage| !matches!(stage.row.shape, Shape::Forget));
        match (stages.next(), stages.next()) {
            (None, _) if counts(&view.goal) => {}
            (Some(stage), None) if stage.args[0].as_int() == Some(1) && !matches!(view.goal, Goal::Fold(_)) => {
                tops.push(takes_top(stage)?);
                rest |= leaves_rest(stage) && matches!(view.goal, Goal::Rest);
                if leaves_rest(stage) != matches!(view.goal, Goal::Rest) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    let first = *tops.first()?;
    (rest && tops.iter().all(|top| *top == first)).then_some(first)
}

fn counts(goal: &Goal) -> bool {
    matches!(goal, Goal::Fold(row) if [&prim::COUNT, &prim::SOME, &prim::GIVEN].contains(row))
}

fn takes_top(stage: &Stage) -> Option<bool> {
    match stage.row {
        row if *row == prim::LARGEST || *row == prim::BUT_LARGEST => Some(true),
        row if *row == prim::LEAST || *row == prim::BUT_LEAST => Some(false),
        _ => None,
    }
}

fn leaves_rest(stage: &Stage) -> bool {
    *stage.row == prim::BUT_LARGEST || *stage.row == prim::BUT_LEAST
}

/// What each view shows if this is the first and this the rest.
fn shown(
    views: &[View],
    rolls: &Rolls,
    first: Option<(&Value, Rolls)>,
    desk: &mut Desk<'_>,
) -> Result<Vec<Outcome>, Stop> {
    let one = |view: &View| match view.goal {
        Goal::Fold(row) => {
            let count = i64::try_from(rolls.count()).unwrap_or(i64::MAX);
            Ok(match *row == prim::COUNT {
                true => Outcome::int(count),
                false => Outcome::Known(Value::bool(count > 0)),
            })
        }
        Goal::Members | Goal::Rest => Ok(match (&first, view.stages.iter().any(leaves_rest)) {
            (None, _) => Outcome::Known(Value::ints(&[])),
            (Some((face, _)), false) => Outcome::Known(Value::pool(vec![(*face).clone()])),
            (Some((_, rest)), true) => rest.outcome(),
        }),
    };
    desk.budget.step(views.len() as u64)?;
    views.iter().map(one).collect()
}
