//! What a method will cost, from closed forms, before it starts.
//!
//! ```text
//! powers            range of the sum × faces              thresholds   faces × kept × range
//! cumulative        faces × one power                     faces        faces × dice² / 2 × states
//! every collection  C(n + s − 1, n)
//! ```
//!
//! Forms are bounds: a method never takes more than a small multiple of them, which a test holds. A
//! loop inside a question has its own line in the record, so its steps are not part of the form; where
//! the question depends on what a loop gives, there is no form.

use crate::algo::dice::{Dice, Face, dice};
use crate::algo::{faces, joined, plain, threshold};
use crate::explain::Cost;
use crate::law::{Bunch, Part, Source, Stage};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Goal, Method, View};
use crate::weight::{bits, cost_of};
use crate::words;
use tumble_core::prim::{self, Prim};
use tumble_core::{Budget, Code, Fault, Limit, Limits, Remedy, Value};

/// What it will cost to answer this question; none where that shows only on the way.
pub(crate) fn of(method: Option<Method>, bunch: &Bunch, views: &[View]) -> Option<Cost> {
    let form = form(method, bunch, views)?;
    Some(Cost { steps: whole(form.steps), bytes: whole(form.bytes) })
}

fn form(method: Option<Method>, bunch: &Bunch, views: &[View]) -> Option<Form> {
    match method {
        Some(Method::Power) => power(bunch, views),
        Some(Method::Empty) => joined::price_of_empty(bunch),
        Some(Method::Extreme) => extreme(bunch),
        Some(Method::Keep) => keep(bunch, views),
        Some(Method::Faces) => {
            faces::price(bunch, views).map(|cost| Form { steps: cost.steps as f64, bytes: cost.bytes as f64 })
        }
        Some(Method::Folds) => joined::price_of_folds(bunch, views),
        Some(Method::Border) => threshold::price(bunch, views),
        Some(Method::Reduce) => joined::price_of_reduce(bunch, views),
        None => plain::price(bunch, views),
        Some(Method::Pick | Method::Compare | Method::Views | Method::Forget) => None,
    }
}

/// A refusal that names the question, what it needs and the ways out; other faults stay as they are.
#[cold]
pub(crate) fn refused(stop: Stop, method: Option<Method>, bunch: &Bunch, views: &[View], budget: &Budget) -> Stop {
    let Stop::Fault(fault) = stop else { return stop };
    let Some(cost) = form(method, bunch, views).filter(|_| fault.code == Code::Limit) else {
        return Stop::Fault(fault);
    };
    let listed = method.is_none() || method == Some(Method::Faces) && faces::lists(views);
    let limits = budget.limits();
    let (lists, all, fair) = (collections(bunch), limits.bytes as f64, limits.bytes as f64 / 4.0);
    // Methods hold a fair part of the memory only, for others hold some too.
    let room = if cost.bytes > all { all } else { fair };
    let in_steps = budget.used() > limits.steps;
    let question = words::question(bunch, views);
    let (message, hint, more) = if listed && cost.bytes > fair {
        let dice: f64 = bunch.parts.iter().map(|part| part.times as f64).sum();
        let most = fair / (24.0 * dice + 96.0);
        let message = format!("there are about {}; at most {} can be listed", about(lists), about(most.floor()));
        (message, "ask for less, such as their sum, count, min, max or the largest few", None)
    } else if cost.bytes > all || (!in_steps && cost.bytes > room) {
        let message = format!("this needs about {}B of memory; at most {}B is allowed", size(cost.bytes), size(room));
        (message, "use fewer dice", None)
    } else if in_steps && cost.steps > limits.steps as f64 {
        let (steps, most) = (about(cost.steps), about(limits.steps as f64));
        let message = format!("this needs about {steps} steps; at most {most} are allowed");
        (message, "use fewer dice", Some(Remedy::Raise(Limit::Steps)))
    } else {
        return Stop::Fault(fault);
    };
    let refusal = Fault::limit(format!("{question}: {message}")).hint(hint);
    Stop::Fault(more.into_iter().fold(refusal, Fault::remedy))
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

/// Steps and bytes on their way.
#[derive(Clone, Copy, Default)]
pub(crate) struct Form {
    pub(crate) steps: f64,
    pub(crate) bytes: f64,
}

fn whole(n: f64) -> u64 {
    n.ceil().min(u64::MAX as f64) as u64
}

pub(crate) fn price(bits: f64) -> f64 {
    cost_of(whole(bits)) as f64
}

/// `C(n + k, k)`, about.
pub(crate) fn choose(n: f64, k: f64) -> f64 {
    let (few, many) = if n < k { (n, k) } else { (k, n) };
    let mut ways = 1.0;
    let mut i = 1.0;
    while i <= few && ways < 1e300 {
        ways *= (many + i) / i;
        i += 1.0;
    }
    ways
}

/// The collections one part can give: how many, and the most members of one.
pub(crate) fn outcomes(part: &Part) -> Option<(f64, f64)> {
    let Source::Each(dist) = &part.source else { return None };
    let members = |(outcome, _): &(Outcome, _)| outcome::size(outcome);
    Some((dist.items.len() as f64, dist.items.iter().map(members).max().unwrap_or(1) as f64))
}

/// Steps to look at every outcome of every part once.
pub(crate) fn one_look(bunch: &Bunch) -> Option<f64> {
    bunch
        .parts
        .iter()
        .map(outcomes)
        .try_fold(0.0, |sum, part| part.map(|(count, size)| sum + count * (6.0 + 2.0 * size)))
}

/// The numbers that the parts are worth under a fold by addition: how many, how far apart, and the bits of their weights.
pub(crate) fn worth(bunch: &Bunch, row: &Prim) -> Option<Vec<(f64, f64, f64)>> {
    let mut budget = Budget::new(Limits::default());
    let mut one = |part: &Part| {
        let Source::Each(dist) = &part.source else { return None };
        let mut numbers: Vec<i64> = Vec::new();
        for (outcome, _) in &dist.items {
            match outcome {
                Outcome::Known(value) => {
                    numbers.push((row.apply)(std::slice::from_ref(value), &mut budget).ok()?.as_int()?);
                }
                Outcome::Above { bound, .. } | Outcome::Below { bound, .. } => numbers.push(*bound),
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let spread = *numbers.last()? as f64 - *numbers.first()? as f64;
        Some((numbers.len() as f64, spread, bits(&dist.den) as f64))
    };
    bunch.parts.iter().map(&mut one).collect()
}

fn power(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let [View { goal: Goal::Fold(row), .. }] = views else { return None };
    let mut form = Form { steps: one_look(bunch)?, bytes: 0.0 };
    let (mut so_far, mut all_bits) = (1.0, 0.0);
    for ((faces, spread, bits), part) in worth(bunch, row)?.into_iter().zip(&bunch.parts) {
        let times = part.times as f64;
        let range =
            (spread * times + 1.0).min(if spread > 1000.0 + 64.0 * faces { choose(times, faces) } else { f64::MAX });
        if part.times > 1 {
            form.steps += range * faces * price(bits * times);
            // Numbers far apart are put together pair by pair.
            form.steps += if spread > 1000.0 + 64.0 * faces { range * range.sqrt() * 12.0 } else { 0.0 };
        }
        all_bits += bits * times;
        form.steps += if so_far > 1.0 { so_far * range * 6.0 * price(all_bits) + so_far + range } else { 0.0 };
        so_far *= range;
        form.bytes += range * (24.0 + bits * times / 8.0);
    }
    Some(form)
}

/// How many dice there are.
fn all(dice: &Dice) -> f64 {
    dice.groups.iter().map(|group| group.count as f64).sum()
}

/// All faces of all dice.
fn faces(dice: &Dice) -> f64 {
    dice.groups.iter().map(|group| group.faces.len() as f64).sum()
}

fn extreme(bunch: &Bunch) -> Option<Form> {
    let dice = dice(bunch)?;
    let long = dice.bits() as f64;
    let product = ((long / 64.0).powi(2) / 8.0 + 1.0).min(long * 4.0);
    Some(Form { steps: faces(&dice) * (product + 30.0), bytes: faces(&dice) * (64.0 + long / 8.0) })
}

fn keep(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let dice = dice(bunch)?;
    let kept = kept(views.first()?.stages.first()?)?;
    let (count, spread, _) = *worth(bunch, &prim::SUM)?.first()?;
    let range = spread * kept + 1.0;
    let (cells, numbers) = if spread < count {
        (kept * (range + count * kept), range + count * kept)
    } else {
        (count * kept * range * (2.0 + kept), range * kept)
    };
    let long = dice.bits() as f64;
    // Where something is not listed, its mean takes work too: every number of dice above each face.
    let open = dice.groups.iter().any(|group| group.faces.keys().any(|face| !matches!(face, Face::Shows(_))));
    let tail = if open { all(&dice) * faces(&dice) * 40.0 } else { 0.0 };
    Some(Form { steps: (1.0 + cells / 4.0) * price(long) + tail, bytes: 2.0 * numbers * (24.0 + long / 8.0) })
}

fn kept(stage: &Stage) -> Option<f64> {
    stage.args.first().and_then(|arg| arg.as_int()).map(|n| n.max(0) as f64)
}

/// All members that the parts can have, each once and in order.
pub(crate) fn members(bunch: &Bunch) -> Vec<&Value> {
    let mut faces: Vec<&Value> = Vec::new();
    for part in &bunch.parts {
        if let Source::Each(dist) = &part.source {
            faces.extend(dist.items.iter().filter_map(|(outcome, _)| outcome::chunk(outcome.known()?)).flatten());
        }
    }
    faces.sort();
    faces.dedup();
    faces
}

/// How many collections the parts can give together.
fn collections(bunch: &Bunch) -> f64 {
    let one = |part: &Part| outcomes(part).map_or(f64::MAX, |(count, _)| choose(count - 1.0, part.times as f64));
    bunch.parts.iter().map(one).product()
}

/// Steps to show a collection of so many members to the views.
pub(crate) fn looks(views: &[View], members: f64) -> f64 {
    let rows: usize = views.iter().map(|view| view.stages.len() + 1).sum();
    10.0 + (2.0 + rows as f64) * (members + 4.0)
}
