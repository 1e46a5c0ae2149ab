//! How a question is refused: it is named, with what it needs and the ways out.

use crate::algo::plain;
use crate::law::Stage;
use crate::method::Method;
use crate::outcome::Stop;
use crate::price::{Price, collections};
use crate::question::{Goal, Question};
use crate::words;
use tumble_core::prim::Shape;
use tumble_core::{Budget, Code, Fault, Limit, Remedy};

/// Prices are bounds, and never more than this many times what is taken, so what is above that is refused before it starts.
const HOPELESS: f64 = 24.0;

/// The refusal of a question whose price is far beyond what is allowed.
pub(crate) fn hopeless(question: &Question<'_>, method: &Method, price: Price, budget: &Budget) -> Result<(), Fault> {
    let limits = budget.limits();
    let steps = price.steps > HOPELESS * limits.steps as f64;
    let bytes = price.bytes > HOPELESS * limits.bytes as f64;
    let refusal = if steps || bytes { wording(question, method, price, budget, steps) } else { None };
    refusal.map_or(Ok(()), Err)
}

/// A refusal on the way, as one that names the question; other faults stay as they are.
#[cold]
pub(crate) fn refused(
    stop: Stop,
    question: &Question<'_>,
    method: &Method,
    price: Option<Price>,
    budget: &Budget,
) -> Stop {
    match (stop, price) {
        (Stop::Fault(fault), Some(price)) if fault.code == Code::Limit => {
            let in_steps = budget.used() > budget.limits().steps;
            Stop::Fault(wording(question, method, price, budget, in_steps).unwrap_or(fault))
        }
        (stop, _) => stop,
    }
}

/// What is too much; none if the price says that nothing is.
fn wording(question: &Question<'_>, method: &Method, price: Price, budget: &Budget, in_steps: bool) -> Option<Fault> {
    let limits = budget.limits();
    let (all, fair) = (limits.bytes as f64, limits.bytes as f64 / 4.0);
    // Methods hold a fair part of the memory only, for others hold some too.
    let room = if price.bytes > all { all } else { fair };
    let dice: f64 = question.bunch.parts.iter().map(|part| part.times as f64).sum();
    let most = (fair / (24.0 * dice + 96.0)).floor();
    let lists =
        collections(question.bunch).filter(|lists| *lists > most && (*method == plain::METHOD || lists_all(question)));
    let (message, hint, more) = if let Some(lists) = lists {
        let message = format!("there are about {}; at most {} can be listed", about(lists), about(most));
        (message, "ask for less, such as their sum, count, min, max or the largest few", None)
    } else if price.bytes > all || (!in_steps && price.bytes > room) {
        let message = format!("this needs about {}B of memory; at most {}B is allowed", size(price.bytes), size(room));
        (message, "use fewer dice", None)
    } else if in_steps && price.steps > limits.steps as f64 {
        let (steps, most) = (about(price.steps), about(limits.steps as f64));
        let message = format!("this needs about {steps} steps; at most {most} are allowed");
        (message, "use fewer dice", Some(Remedy::Raise(Limit::Steps, Some(price.steps as u64))))
    } else {
        return None;
    };
    let refusal = Fault::limit(format!("{}: {message}", words::question(question))).hint(hint);
    Some(more.into_iter().fold(refusal, Fault::remedy))
}

/// Whether the members themselves are asked for.
fn lists_all(question: &Question<'_>) -> bool {
    let ordered = |stage: &Stage| matches!(stage.row.shape, Shape::Forget);
    question.views.iter().any(|view| matches!(view.goal, Goal::Members) && view.stages.iter().all(ordered))
}

/// A large number in few digits: `50,000,000` as it is, `1.9e13` when it is larger than anyone reads.
fn about(n: f64) -> String {
    if n >= 1e9 {
        return format!("{n:.1e}");
    }
    let digits = format!("{n:.0}");
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

/// Bytes as `1.5 G`.
fn size(bytes: f64) -> String {
    if bytes >= 1e21 {
        return format!("{bytes:.1e} ");
    }
    let units = [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(|| format!("{bytes} "), |(unit, name)| format!("{:.1} {name}", bytes / unit))
}
