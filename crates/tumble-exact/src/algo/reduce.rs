//! Rows whose result on a union follows from the results on its parts: `f(A ∪ B) = f(f(A) ∪ f(B))`.
//!
//! Accepts one view whose first stage reduces (largest, least, different, minimal, maximal). Each
//! part is reduced at once, and copies are joined by doubling. Cost: pairs of reduced collections,
//! times the logarithm of the copies.

use crate::algo::{chain, plain};
use crate::dist::Dist;
use crate::law::{Bunch, Source, Stage};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use tumble_core::prim::Shape;
use tumble_core::{Budget, Value};

/// The distribution of the view, with every part reduced first.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let [view] = views else { return Ok(None) };
    let Some((first, rest)) = view.stages.split_first() else { return Ok(None) };
    if !matches!(first.row.shape, Shape::Scan(scan) if scan.reduces) {
        return Ok(None);
    }
    let mut all = Dist::one(Outcome::Known(Value::ints(&[])));
    for part in &bunch.parts {
        let each = match &part.source {
            Source::Each(dist) => dist.map(&mut desk.budget, |pool, budget| apply(first, pool, budget))?,
            Source::Chain(walk) => chain::reduced(desk, walk, first)?,
        };
        let copies = power(desk, &each, part.times, first)?;
        all = all.cross(&copies, &mut desk.budget, |a, b, budget| join(first, a, b, budget))?;
    }
    let rest = View { stages: rest.to_vec(), goal: view.goal.clone() };
    plain::look(desk, all, &[rest]).map(Some)
}

/// One row on one collection.
pub(crate) fn apply(stage: &Stage, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    outcome::apply(stage.row, &stage.with(pool), budget)
}

/// The reduced union of two reduced collections.
pub(crate) fn join(stage: &Stage, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    let union = plain::join(a, b, budget)?;
    apply(stage, &union, budget)
}

fn power(desk: &mut Desk<'_>, each: &Dist, times: u64, stage: &Stage) -> Result<Dist, Stop> {
    let mut result = Dist::one(Outcome::Known(Value::ints(&[])));
    let mut square = each.clone();
    let mut left = times;
    while left > 0 {
        if left % 2 == 1 {
            result = result.cross(&square, &mut desk.budget, |a, b, budget| join(stage, a, b, budget))?;
        }
        left /= 2;
        if left > 0 {
            square = square.cross(&square, &mut desk.budget, |a, b, budget| join(stage, a, b, budget))?;
        }
    }
    Ok(result)
}
