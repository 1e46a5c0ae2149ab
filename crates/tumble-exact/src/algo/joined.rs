//! Independent parts joined by a summary: `f(A ∪ B) = join(f(A), f(B))`, a monoid homomorphism.
//!
//! Meaning: what is seen of every part is joined with what was seen of the others. Three kinds of questions are answered
//! like that: whether there is any member ([`empty`]), several sums, counts and such tests at once ([`folds`]), and rows
//! whose result on a union follows from the results on its parts ([`reduce`]). Walks are solved for the summary. A summary
//! that grows is joined copy by copy, and several walks one after the other are one walk, so that one list is cut short and
//! not many; any other is joined by doubling. Cost: pairs of different summaries, for each copy or for each doubling.

use crate::algo::plain;
use crate::algo::walk;
use crate::algo::walk::build::in_a_row;
use crate::algo::walk::summary::{Folds, Reduced, Summary};
use crate::cost::{Form, choose, members, one_look, outcomes, worth};
use crate::dist::Dist;
use crate::law::{Bunch, End, Part, Source, deals};
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Goal, Joint, View};
use crate::weight::bits;
use tumble_core::Value;
use tumble_core::prim::{Merge, Prim, Rank, Shape};

/// More walks than this are not made one.
const MOST_WALKS: u64 = 300;

/// Whether there is a member: one view without stages that ends in a fold by "or".
pub(crate) fn empty(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let any = |row: &Prim| matches!(row.shape, Shape::Fold(Merge::Or));
    match views {
        [View { stages, goal: Goal::Fold(row) }] if stages.is_empty() && any(row) && !bunch.dealt() => {
            folded(desk, bunch, views)
        }
        _ => Ok(None),
    }
}

/// Two views or more, each a fold after rows that look at every member by itself.
pub(crate) fn folds(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let known = |part: &Part| match &part.source {
        Source::Each(dist) => dist.items.iter().all(|(pool, _)| pool.known().is_some()),
        Source::Chain(walk) => walk.end == End::Open,
        Source::Deck(_) => false,
    };
    if views.len() > 1 && bunch.parts.iter().all(known) { folded(desk, bunch, views) } else { Ok(None) }
}

fn folded(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let Some(folds) = Folds::of(views) else { return Ok(None) };
    let all = parts(desk, bunch, &folds)?;
    let row = |outcome: Outcome| match outcome {
        Outcome::Several(row) => row.to_vec(),
        other => vec![other; views.len()],
    };
    let items = all.items.into_iter().map(|(outcome, weight)| (row(outcome), weight)).collect();
    Ok(Some(Joint { den: all.den, items }))
}

/// One view whose first stage reduces.
pub(crate) fn reduce(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let [View { stages, goal }] = views else { return Ok(None) };
    match stages.split_first() {
        Some((first, rest)) if matches!(first.row.shape, Shape::Scan(scan) if scan.reduces) => {
            let reduced = parts(desk, bunch, &Reduced(first))?;
            let rest = View { stages: rest.to_vec(), goal: goal.clone() };
            plain::look(desk, reduced, &[rest]).map(Some)
        }
        _ => Ok(None),
    }
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

/// Each part is looked at once; the weights become as long as all copies together.
pub(crate) fn price_of_empty(bunch: &Bunch) -> Option<Form> {
    let steps = one_look(bunch)? + bunch.parts.iter().map(|part| 1.0 + part.times as f64 / 8.0).sum::<f64>();
    let long = |part: &Part| match &part.source {
        Source::Each(dist) => part.times as f64 * bits(&dist.den) as f64,
        Source::Chain(_) | Source::Deck(_) => 0.0,
    };
    let long: f64 = bunch.parts.iter().map(long).sum();
    Some(Form { steps: steps + long / 32.0, bytes: long / 2.0 })
}

/// Different rows of a part times those so far, for each copy.
pub(crate) fn price_of_folds(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let looks = 20.0 + 6.0 * views.len() as f64;
    let (mut form, mut rows) = (Form { steps: views.len() as f64 * 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
    for (place, part) in bunch.parts.iter().enumerate() {
        let (count, _) = outcomes(part)?;
        let mut different = 1.0f64;
        for view in views {
            let spread = match view.goal {
                Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => worth(bunch, row)?[place].1.max(1.0),
                _ => 0.0,
            };
            different *= (spread * part.times as f64 + 1.0).max(2.0);
        }
        rows *= different.min(choose(count - 1.0, part.times as f64));
        form.steps += part.times as f64 * rows * count * looks;
        form.bytes = form.bytes.max(rows * (96.0 + 48.0 * views.len() as f64));
    }
    Some(form)
}

/// Pairs of reduced collections, for each doubling. Of members that show the same face `alike` stay, and of members that all
/// show different ones `apart`: that bounds how many reduced collections there are.
pub(crate) fn price_of_reduce(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let stage = views.first()?.stages.first()?;
    let Shape::Scan(scan) = stage.row.shape else { return None };
    let stays = |below: u64, here: u64, above: u64| {
        (scan.stay)(&stage.args, &Value::NOTHING, Rank { below, here, above }) as f64
    };
    let (mut form, mut so_far) = (Form { steps: 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
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
        form.steps += (pairs + so_far * reduced) * (10.0 + 6.0 * most);
        form.bytes += (reduced + so_far) * (96.0 + 24.0 * most);
    }
    form.steps += so_far * 40.0;
    Some(form)
}
