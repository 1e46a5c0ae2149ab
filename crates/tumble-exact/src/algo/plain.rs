//! The meaning of a view of a collection in parts: list every collection, look at each.
//!
//! Cost: the number of different collections after each part. Nothing is assumed.

use crate::algo::joined;
use crate::algo::walk::summary::Members;
use crate::dist::Dist;
use crate::map::HashMap;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{self, Outcome, Stop};
use crate::price::{Price, choose, looks, outcomes};
use crate::question::{Joint, Question, View};
use dashu_int::UBig;

/// The plain meaning. It cannot be left out.
pub static METHOD: Method = Method {
    name: "enumeration",
    does: "lists every collection and examines it",
    answers: Answers::Cheapest(Row { price, run }),
};

/// The joint distribution of the views, by listing.
pub(crate) fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let pools = joined::parts(desk, question.bunch, &Members { ordered: false })?;
    look(desk, pools, question.views).map(|joint| Some(Found::All(joint)))
}

/// Applies every view to every collection.
pub(crate) fn look(desk: &mut Desk<'_>, pools: Dist, views: &[View]) -> Result<Joint, Stop> {
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    for (pool, weight) in &pools.items {
        desk.budget.step(10 + 2 * outcome::size(pool))?;
        let seen = views.iter().map(|view| view.apply(pool, &mut desk.budget)).collect::<Result<Vec<_>, _>>()?;
        *weights.entry(seen).or_insert(UBig::ZERO) += weight;
    }
    Ok(Joint::new(weights, pools.den))
}

/// Every copy is put with every collection so far; the last copies are nearly all of it.
fn price(question: &Question<'_>) -> Option<Price> {
    let (mut price, mut so_far, mut members) = (Price::default(), 1.0, 0.0);
    for part in &question.bunch.parts {
        let (count, size) = outcomes(part)?;
        let (times, lists) = (part.times as f64, choose(count - 1.0, part.times as f64));
        let shorter = choose(count, times);
        members += times * size;
        price.steps += so_far * shorter * (count.min(shorter) + 1.0) * (12.0 + 3.0 * members);
        so_far *= lists;
    }
    price.steps += so_far * looks(question.views, members) + 100.0;
    price.bytes = so_far * (96.0 + 24.0 * members);
    Some(price)
}
