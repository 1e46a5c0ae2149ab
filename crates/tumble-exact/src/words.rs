//! A question in words: "the sum of the 3 largest of 4 dice with 6 faces".

use crate::law::{Bunch, Part, Source, Stage};
use crate::outcome::{self, Outcome};
use crate::question::{Goal, Question, View};
use tumble_core::prim::{self, Merge, Shape};

/// What the views ask of the bunch.
pub(crate) fn question(question: &Question<'_>) -> String {
    let of = parts(question.bunch);
    let mut asked: Vec<String> = question.views.iter().map(view).collect();
    asked.dedup();
    match asked.as_slice() {
        [one] => format!("{one} of {of}"),
        [some @ .., last] => format!("{} and {last} of {of}, together", some.join(", ")),
        [] => of,
    }
}

/// What a view shows, without what it is a view of.
fn view(view: &View) -> String {
    let mut chosen: Vec<String> = view.stages.iter().rev().filter_map(stage).collect();
    let goal = match view.goal {
        Goal::Members if chosen.is_empty() => "every collection",
        Goal::Members => "",
        Goal::Fold(row) if *row == prim::SUM => "the sum",
        Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => "the number",
        Goal::Fold(_) => "whether there are any",
    };
    if !goal.is_empty() {
        chosen.insert(0, goal.to_owned());
    }
    chosen.join(" of ")
}

/// What a row leaves of a collection; none if it leaves everything.
fn stage(stage: &Stage) -> Option<String> {
    let row = stage.row;
    let amount = |word: &str| match stage.args.first().and_then(|arg| arg.as_int()) {
        Some(1) => format!("the {word}"),
        Some(n) => format!("the {n} {word}"),
        None => format!("the {word}"),
    };
    Some(match row.shape {
        Shape::Forget => return None,
        _ if *row == prim::LARGEST => amount("largest"),
        _ if *row == prim::LEAST => amount("smallest"),
        _ if *row == prim::BUT_LARGEST => format!("all but {}", amount("largest")),
        _ if *row == prim::BUT_LEAST => format!("all but {}", amount("smallest")),
        _ if *row == prim::TALLY => "the counts of the faces".to_owned(),
        _ if *row == prim::MEDIAN => "the median".to_owned(),
        _ if *row == prim::DIFFERENT => "the different ones".to_owned(),
        _ if *row == prim::MINIMAL => "all equal to the smallest".to_owned(),
        _ if *row == prim::MAXIMAL => "all equal to the largest".to_owned(),
        _ => "a selection".to_owned(),
    })
}

/// What a collection is made of.
fn parts(bunch: &Bunch) -> String {
    const MOST: usize = 3;
    let mut told: Vec<String> = bunch.parts.iter().take(MOST).map(part).collect();
    match bunch.parts.len() {
        0 => return "nothing".to_owned(),
        all if all > MOST => told.push(format!("{} more parts", all - MOST)),
        _ => {}
    }
    match told.split_last() {
        Some((last, some)) if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => told.concat(),
    }
}

fn part(part: &Part) -> String {
    let dist = match &part.source {
        Source::Chain(_) if part.times == 1 => return "what a loop collects".to_owned(),
        Source::Chain(_) => return format!("what {} loops collect", part.times),
        Source::Each(dist) => dist,
        Source::Deck(deck) => {
            let cards: u64 = deck.iter().map(|(_, copies)| copies).sum();
            return format!("{} of {cards} cards", part.times);
        }
    };
    let dice = dist.items.iter().all(|(outcome, _)| match outcome {
        Outcome::Known(value) => outcome::chunk(value).is_some_and(|members| members.len() == 1),
        _ => false,
    });
    let several = |n: usize, one: &str, many: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") };
    match (dice, part.times, dist.items.len()) {
        (_, 1, 1) => "a known collection".to_owned(),
        (_, times, 1) => format!("{times} times a known collection"),
        (true, 1, faces) => format!("a die with {faces} faces"),
        (true, times, faces) => format!("{times} dice with {faces} faces"),
        (false, 1, outcomes) => format!("a part with {}", several(outcomes, "outcome", "outcomes")),
        (false, times, outcomes) => format!("{times} equal parts with {}", several(outcomes, "outcome", "outcomes")),
    }
}
