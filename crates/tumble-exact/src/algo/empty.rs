//! Whether a collection has any member.
//!
//! Meaning: `some(A ∪ B) = some(A) or some(B)`, so for independent parts the chances of being empty
//! multiply. Accepts one view without stages that ends in a fold by "or". Cost: one look at each
//! part. A loop is solved, and never cut: whether it is empty does not depend on where it would be.

use crate::algo::chain;
use crate::dist::Pile;
use crate::law::{Bunch, Source};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Desk, Goal, Joint, View};
use crate::weight::bits;
use dashu_int::UBig;
use tumble_core::prim::{Merge, Shape};
use tumble_core::{Budget, Value};

/// The chance that there is a member.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let [View { stages, goal: Goal::Fold(row) }] = views else { return Ok(None) };
    if !stages.is_empty() || !matches!(row.shape, Shape::Fold(Merge::Or)) {
        return Ok(None);
    }
    let (mut none, mut unsure, mut den) = (UBig::ONE, UBig::ONE, UBig::ONE);
    for part in &bunch.parts {
        let seen = match &part.source {
            Source::Each(dist) => {
                dist.map(&mut desk.budget, |pool, budget| outcome::apply(row, std::slice::from_ref(pool), budget))?
            }
            Source::Chain(walk) => chain::any(desk, walk, row)?,
        };
        let times = usize::try_from(part.times).unwrap_or(usize::MAX);
        desk.budget.step(1 + part.times.saturating_mul(bits(&seen.den)) / 64)?;
        let weight = |wanted: &Outcome| {
            seen.items.iter().find(|(outcome, _)| outcome == wanted).map_or(UBig::ZERO, |(_, weight)| weight.clone())
        };
        let (no, yes) = (weight(&truth(false)), weight(&truth(true)));
        // Not certainly some: either none, or not known.
        unsure *= (&seen.den - yes).pow(times);
        none *= no.pow(times);
        den *= seen.den.pow(times);
    }
    let mut pile = Pile::default();
    pile.add(truth(false), &none);
    pile.add(truth(true), &(&den - &unsure));
    pile.add(Outcome::Unknown, &(unsure - none));
    Ok(Some(pile.over(den).into()))
}

fn truth(b: bool) -> Outcome {
    Outcome::Known(Value::bool(b))
}

/// Joins two truths.
pub(crate) fn or(a: &Outcome, b: &Outcome, _: &mut Budget) -> Result<Outcome, Stop> {
    Ok(if *a == truth(true) || *b == truth(true) {
        truth(true)
    } else if *a == truth(false) && *b == truth(false) {
        truth(false)
    } else {
        Outcome::Unknown
    })
}
