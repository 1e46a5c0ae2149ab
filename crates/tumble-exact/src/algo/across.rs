//! Views of one pool less another: `a -- b`, both of them dice that nobody has looked at.
//!
//! Meaning: for every roll of the second pool, the views of the first less that roll. But one sweep over the faces counts
//! the dice of both pools that show each, and the automata read both numbers.

use crate::algo::faces::{self, Across};
use crate::law::{Bunch, Stage};
use crate::map::HashMap;
use crate::method::Desk;
use crate::outcome::{Outcome, Stop};
use crate::question::{Joint, View};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::Value;
use tumble_core::prim::Shape;

/// The place of the second collection of a row, and the pool that stands there.
pub(crate) fn second(stages: &[Stage]) -> Option<(usize, usize, &Rc<Bunch>)> {
    let found = |(at, stage): (usize, &'_ Stage)| match (stage.row.shape, &stage.against) {
        (Shape::Scan(scan), Some(_)) => Some((at, scan.against?)),
        _ => None,
    };
    let (at, place) = stages.iter().enumerate().find_map(found)?;
    Some((at, place, stages[at].against.as_ref()?))
}

/// The joint distribution of views whose stages begin with those of `bunch`, one of which has a second pool.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Joint, Stop> {
    let Some((at, place, other)) = second(&bunch.stages) else { return Err(Stop::Unsolvable) };
    if desk.allows(&faces::METHOD) {
        let pools = [Bunch { stages: vec![], ..bunch.clone() }, Bunch::clone(other)];
        let across = |view: &View| Across { view: view.clone(), of: 0, with: Some(1) };
        let asked: Vec<Across> = views.iter().map(across).collect();
        let since = desk.record.mark(desk.budget.used());
        if let Some(joint) = faces::run_joint(desk, &pools, &asked)? {
            let does = "dynamic programming: asks how many dice of both show each face in turn";
            desk.tell(since, || ("one roll less another".to_owned(), does.to_owned()));
            return Ok(joint);
        }
    }
    let rolls = desk.members(other)?;
    let (mut weights, mut den): (HashMap<Vec<Outcome>, UBig>, Option<UBig>) = (HashMap::default(), None);
    let parts = Bunch { stages: vec![], ..bunch.clone() };
    for (roll, weight) in &rolls.items {
        let joint = match roll {
            Outcome::Known(value) => desk.joint(&parts, &known(views, at, place, value))?,
            lost => Joint { den: UBig::ONE, items: vec![(vec![lost.clone(); views.len()], UBig::ONE)] },
        };
        // All rolls of the first pool have one denominator, unless there is nothing to tell.
        let den = den.get_or_insert_with(|| joint.den.clone());
        let scale = crate::fraction::lcm(den, &joint.den);
        if scale != *den {
            weights.values_mut().for_each(|weight| *weight *= &scale / &*den);
            *den = scale.clone();
        }
        let own = &scale / &joint.den;
        joint.items.into_iter().for_each(|(seen, w)| *weights.entry(seen).or_insert(UBig::ZERO) += w * weight * &own);
    }
    Ok(Joint::new(weights, den.unwrap_or(UBig::ONE) * &rolls.den))
}

/// The views with a known second collection.
fn known(views: &[View], at: usize, place: usize, value: &Value) -> Vec<View> {
    let with = |view: &View| {
        let mut view = view.clone();
        view.stages[at].against = None;
        view.stages[at].args[place] = value.clone();
        view
    };
    views.iter().map(with).collect()
}
