//! Independent parts joined by a summary: `f(A ∪ B) = join(f(A), f(B))`, a monoid homomorphism.
//!
//! Meaning: what is seen of every part is joined with what was seen of the others. Walks are solved for the summary. A summary
//! that grows is joined copy by copy, and several walks one after the other are one walk, so that one list is cut short and
//! not many; any other is joined by doubling. Cost: pairs of different summaries, for each copy or for each doubling.

use crate::algo::walk;
use crate::algo::walk::build::in_a_row;
use crate::algo::walk::summary::{Folds, Summary};
use crate::dist::Dist;
use crate::law::{Bunch, End, Source, deals};
use crate::method::{Desk, Found};
use crate::outcome::{Outcome, Stop};
use crate::question::{Joint, Question};

/// More walks than this are not made one.
const MOST_WALKS: u64 = 300;

/// Folds after rows that look at every member by itself, all at once; none if the views are of another kind.
pub(crate) fn folded(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some(folds) = Folds::of(question.views) else { return Ok(None) };
    let all = parts(desk, question.bunch, &folds)?;
    let row = |outcome: Outcome| match outcome {
        Outcome::Several(row) => row.to_vec(),
        other => vec![other; question.views.len()],
    };
    let items = all.items.into_iter().map(|(outcome, weight)| (row(outcome), weight)).collect();
    Ok(Some(Found::All(Joint { den: all.den, items })))
}

/// The distribution of a summary of all parts together.
pub(crate) fn parts(desk: &mut Desk<'_>, bunch: &Bunch, summary: &dyn Summary) -> Result<Dist, Stop> {
    let grows = summary.grade(&summary.unit()).is_some();
    let mut all = Dist::one(summary.unit());
    for part in bunch.parts.iter().filter(|part| part.times > 0) {
        let (each, times) = match &part.source {
            Source::Each(dist) => (dist.map(&mut desk.budget, |pool, budget| summary.seen(pool, budget))?, part.times),
            Source::Chain(walk) if grows && walk.end == End::Open && part.times <= MOST_WALKS => {
                (walk::solve(desk, &in_a_row(walk, part.times), summary)?, 1)
            }
            Source::Chain(walk) => (walk::solve(desk, walk, summary)?, part.times),
            Source::Deck(deck) => {
                let deals = deals(deck, part.times, &mut desk.budget)?;
                (deals.map(&mut desk.budget, |pool, budget| summary.seen(pool, budget))?, 1)
            }
        };
        let mut cross = |a: &Dist, b: &Dist| {
            desk.budget.step(1)?;
            a.cross(b, &mut desk.budget, |a, b, budget| summary.join(a, b, budget))
        };
        if grows {
            for _ in 0..times {
                all = cross(&all, &each)?;
            }
            continue;
        }
        let (mut square, mut left) = (each, times);
        loop {
            if left % 2 == 1 {
                all = cross(&all, &square)?;
            }
            left /= 2;
            if left == 0 {
                break;
            }
            square = cross(&square, &square)?;
        }
    }
    Ok(all)
}
