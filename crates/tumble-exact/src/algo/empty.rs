//! Whether there is any member.
//!
//! Meaning: `some(A)`, one view without stages that ends in a fold by "or". There is none if every part has none, so the
//! chances of that are multiplied. Cost: one look at every part, and one power.

use crate::algo::joined;
use crate::law::{Part, Source};
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::Stop;
use crate::price::{Price, one_look};
use crate::question::{Goal, Question, View};
use crate::weight::bits;
use tumble_core::prim::{Merge, Shape};

/// Whether there are any members, by a product of probabilities.
pub static METHOD: Method = Method {
    name: "product of probabilities",
    does: "multiplies the probabilities that each part is empty",
    answers: Answers::First(Row { price, run }),
};

fn fits(question: &Question<'_>) -> bool {
    let any = |view: &View| match view.goal {
        Goal::Fold(row) => view.stages.is_empty() && matches!(row.shape, Shape::Fold(Merge::Or)),
        Goal::Members => false,
    };
    !question.bunch.dealt() && question.view().is_some_and(any)
}

fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    if fits(question) { joined::folded(desk, question) } else { Ok(None) }
}

/// Each part is looked at once; the weights become as long as all copies together.
fn price(question: &Question<'_>) -> Option<Price> {
    let bunch = fits(question).then_some(question.bunch)?;
    let steps = one_look(bunch)? + bunch.parts.iter().map(|part| 1.0 + part.times as f64 / 8.0).sum::<f64>();
    let long = |part: &Part| match &part.source {
        Source::Each(dist) => part.times as f64 * bits(&dist.den) as f64,
        Source::Chain(_) | Source::Deck(_) => 0.0,
    };
    let long: f64 = bunch.parts.iter().map(long).sum();
    Some(Price { steps: steps + long / 32.0, bytes: long / 2.0 })
}
