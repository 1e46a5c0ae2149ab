//! Several sums, counts and tests for emptiness of the same parts.
//!
//! Meaning: the joint distribution of folds, each after rows that look at every member by itself, so that what all of them
//! show of a union follows from what they show of its parts. Cost: different rows of results times those of a part, for each
//! copy.

use crate::algo::joined;
use crate::algo::walk::summary::Folds;
use crate::law::{End, Part, Source};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::Stop;
use crate::price::{Price, choose, one_look, outcomes, worth};
use crate::question::{Goal, Question};
use tumble_core::prim::{Merge, Shape};

/// Several sums, counts and tests for emptiness of the same parts.
pub static METHOD: Method = Method {
    name: "joint sums",
    does: "merges what each part adds to all the questions at once",
    answers: Answers::Cheapest(Row { price, run }),
};

fn fits(question: &Question<'_>) -> bool {
    let known = |part: &Part| match &part.source {
        Source::Each(dist) => dist.items.iter().all(|(pool, _)| pool.known().is_some()),
        Source::Chain(walk) => walk.end == End::Open,
        Source::Deck(_) => false,
    };
    question.views.len() > 1 && question.bunch.parts.iter().all(known)
}

fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    if fits(question) { joined::folded(desk, question) } else { Ok(None) }
}

/// Different rows of a part times those so far, for each copy.
fn price(question: &Question<'_>) -> Option<Price> {
    let Question { bunch, views, .. } = question;
    Folds::of(views).filter(|_| fits(question))?;
    let looks = 20.0 + 6.0 * views.len() as f64;
    let (mut price, mut rows) = (Price { steps: views.len() as f64 * 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
    for (place, part) in bunch.parts.iter().enumerate() {
        let (count, _) = outcomes(part)?;
        let mut different = 1.0f64;
        for view in *views {
            let spread = match view.goal {
                Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => {
                    worth(bunch, row)?[place].spread.max(1.0)
                }
                _ => 0.0,
            };
            different *= (spread * part.times as f64 + 1.0).max(2.0);
        }
        rows *= different.min(choose(count - 1.0, part.times as f64));
        price.steps += part.times as f64 * rows * count * looks;
        price.bytes = price.bytes.max(rows * (96.0 + 48.0 * views.len() as f64));
    }
    Some(price)
}
