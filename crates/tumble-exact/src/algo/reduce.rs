//! Rows whose result on a union follows from the results on its parts.
//!
//! Meaning: `f(A ∪ B) = f(f(A) ∪ f(B))`, as for the largest few: one view whose first stage reduces like that. Cost: pairs of
//! reduced collections, for each doubling.

use crate::algo::walk::summary::Reduced;
use crate::algo::{joined, plain};
use crate::law::Stage;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::Stop;
use crate::price::{Price, choose, members, one_look, outcomes};
use crate::question::{Question, View};
use tumble_core::Value;
use tumble_core::prim::{Rank, Scan, Shape};

/// Rows whose result on a union follows from the results on its parts.
pub static METHOD: Method = Method {
    name: "reduction",
    does: "reduces each part to what can matter, then combines them",
    answers: Answers::Cheapest(Row { price, run }),
};

/// The stage that reduces, and what comes after it.
fn asks<'a>(question: &Question<'a>) -> Option<(&'a Stage, Scan, View)> {
    let View { stages, goal } = question.view()?;
    let (first, rest) = stages.split_first()?;
    match first.row.shape {
        Shape::Scan(scan) if scan.reduces => Some((first, scan, View { stages: rest.to_vec(), goal: goal.clone() })),
        _ => None,
    }
}

fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some((first, _, rest)) = asks(question) else { return Ok(None) };
    let reduced = joined::parts(desk, question.bunch, &Reduced(first))?;
    plain::look(desk, reduced, &[rest]).map(|joint| Some(Found::All(joint)))
}

/// Pairs of reduced collections, for each doubling. Of members that show the same face `alike` stay, and of members that all
/// show different ones `apart`: that bounds how many reduced collections there are.
fn price(question: &Question<'_>) -> Option<Price> {
    let ((stage, scan, _), bunch) = (asks(question)?, question.bunch);
    let stays = |below: u64, here: u64, above: u64| {
        (scan.stay)(&stage.args, &Value::NOTHING, Rank { below, here, above }) as f64
    };
    let (mut price, mut so_far) = (Price { steps: 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
    let kinds = members(bunch).len() as u64;
    for part in &bunch.parts {
        let (count, size) = outcomes(part)?;
        let all = part.times as f64 * size;
        let (alike, apart) = (stays(0, all as u64, 0), (0..kinds).map(|i| stays(i, 1, kinds - 1 - i)).sum::<f64>());
        let most = alike.max(apart).min(all);
        let once = if alike <= 1.0 { (kinds as f64).exp2() } else { f64::MAX };
        let one_face = if apart <= 1.0 { kinds as f64 * all + 1.0 } else { f64::MAX };
        let bound = choose(kinds as f64, most).min(once).min(one_face);
        let reduced = bound.min(choose(part.times as f64, count));
        let pairs = reduced * reduced * (1.0 + (part.times as f64).log2().ceil() * 2.0);
        so_far = (so_far * reduced).min(bound * so_far);
        price.steps += (pairs + so_far * reduced) * (10.0 + 6.0 * most);
        price.bytes += (reduced + so_far) * (96.0 + 24.0 * most);
    }
    price.steps += so_far * 40.0;
    Some(price)
}
