//! What a method will cost, from closed forms, before it starts.
//!
//! ```text
//! powers            range of the sum × faces              thresholds   faces × kept × range
//! cumulative        faces × one power                     table        faces × dice² / 2 × situations
//! every collection  C(n + s − 1, n)                       sweep        the same, for every kind of dice
//! ```
//!
//! Forms are bounds: a method never takes more than a small multiple of them, which a test holds. A
//! loop inside a question has its own line in the record, so its steps are not part of the form; where
//! the question depends on what a loop gives, there is no form.

use crate::algo::dice::{Dice, Face, Group, dice};
use crate::algo::{joined, plain, threshold};
use crate::explain::Cost;
use crate::law::{Bunch, Part, Source, Stage};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Goal, Method, View};
use crate::weight::{bits, cost_of};
use crate::words;
use tumble_core::prim::{self, Merge, Prim, Shape};
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
        Some(Method::Table) => table(bunch, views),
        Some(Method::Sweep) => sweep(bunch, views),
        Some(Method::Folds) => joined::price_of_folds(bunch, views),
        Some(Method::Border) => threshold::price(bunch, views),
        Some(Method::Reduce) => joined::price_of_reduce(bunch, views),
        Some(Method::Multiset) => multisets(bunch, views),
        None => plain::price(bunch, views),
        Some(Method::Occupancy) => occupancy(bunch),
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
    let (limits, listed) = (budget.limits(), matches!(method, Some(Method::Multiset) | None));
    let (lists, all, fair) = (collections(bunch), limits.bytes as f64, limits.bytes as f64 / 4.0);
    // Methods hold a fair part of the memory only, for others hold some too.
    let room = if cost.bytes > all { all } else { fair };
    let in_steps = budget.used() > limits.steps;
    let question = words::question(bunch, views);
    let (message, hint, more) = if listed && cost.bytes > fair {
        let most = lists * fair / cost.bytes;
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

/// How many different things a view can have seen.
fn situations(dice: &Dice, view: &View) -> f64 {
    let count = all(dice);
    let few = view.stages.iter().find(|stage| *stage.row == prim::LARGEST || *stage.row == prim::LEAST);
    let kinds = faces(dice);
    let different = view.stages.iter().any(|stage| *stage.row == prim::DIFFERENT);
    let most = few.and_then(kept).unwrap_or(count).min(if different { kinds.min(count) } else { count });
    let has = |row: &Prim| view.stages.iter().any(|stage| *stage.row == *row);
    let lists = match view {
        _ if has(&prim::MEDIAN) => kinds + 1.0,
        _ if has(&prim::MINIMAL) || has(&prim::MAXIMAL) => kinds * count + 1.0,
        _ => choose(kinds, most),
    };
    match view.goal {
        Goal::Members if different => lists.min(kinds.exp2()),
        Goal::Members => lists,
        Goal::Fold(row) if *row == prim::SUM => lists.min(spread(dice) * most + 2.0),
        Goal::Fold(row) if matches!(row.shape, Shape::Fold(Merge::Add)) => most + 1.0,
        Goal::Fold(_) => 2.0,
    }
}

/// How many different numbers of dice that show one face can pass a view.
fn choices(view: &View, count: f64) -> f64 {
    let passes = |stage: &Stage| match stage.row {
        row if *row == prim::DIFFERENT || *row == prim::MEDIAN => 1.0,
        row if *row == prim::LARGEST || *row == prim::LEAST => kept(stage).unwrap_or(count),
        _ => count,
    };
    view.stages.iter().map(passes).fold(count, f64::min)
}

/// From the smallest number a die adds, or nothing, to the largest.
fn spread(dice: &Dice) -> f64 {
    let number = |face: &Face| match face {
        Face::Shows(value) => value.as_int().unwrap_or(0) as f64,
        Face::Above(bound) | Face::Below(bound) => *bound as f64,
    };
    let numbers = dice.groups.iter().flat_map(|group: &Group| group.faces.keys().map(number));
    let (low, high) = numbers.fold((0.0, 0.0), |(low, high): (f64, f64), n| (low.min(n), high.max(n)));
    high - low
}

/// How many combinations the views can have seen together, and what one of them weighs.
fn together(dice: &Dice, views: &[View]) -> (f64, f64) {
    let count = all(dice);
    let seen = views.iter().map(|view| situations(dice, view)).product::<f64>();
    let listed = views.iter().filter(|view| matches!(view.goal, Goal::Members)).count() as f64;
    (seen.min(choose(faces(dice), count)), views.len() as f64 + listed * count)
}

fn occupancy(bunch: &Bunch) -> Option<Form> {
    let dice = dice(bunch)?;
    let (most, long) = (faces(&dice).min(all(&dice)), dice.bits() as f64);
    Some(Form { steps: all(&dice) * most * (1.0 + price(long)) + 40.0, bytes: most * (48.0 + long / 8.0) })
}

fn table(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let dice = dice(bunch)?;
    let count = all(&dice);
    let (seen, size) = together(&dice, views);
    let (faces, long) = (faces(&dice), dice.bits() as f64);
    let pairs = (count + 1.0) * (count + 2.0) / 2.0;
    let asked = pairs * (2.0 + 16.0 * views.len() as f64 + seen / 8.0);
    let learnt = views.iter().map(|view| choices(view, count)).product::<f64>() * seen * (8.0 + 3.0 * size) / 2.0;
    let steps = count * count / 4.0 * price(long) + faces * (asked + learnt);
    // The ways to choose so many of so many dice are a table of their own.
    Some(Form { steps: steps + 40.0 * size, bytes: ((count + 1.0) * seen + pairs) * (16.0 + long / 8.0) })
}

fn sweep(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let dice = dice(bunch)?;
    let (seen, size) = together(&dice, views);
    let long = dice.bits() as f64;
    let count = all(&dice);
    let left: f64 = dice.groups.iter().map(|group| group.count as f64 + 1.0).product();
    let (kinds, weight) = (dice.groups.len() as f64, 4.0 + dice.groups.len() as f64 + 3.0 * size);
    let moved = left * seen * (count + 1.0) / 2.0 * weight * 2.0;
    let looked = left * seen * (count + 1.0) * (2.0 + 12.0 * size);
    let steps = count * count / 4.0 * price(long) + (faces(&dice) + 1.0) * (moved * kinds + looked);
    Some(Form { steps: steps + 40.0 * size, bytes: left * seen * (24.0 * weight + 64.0 + long / 8.0) })
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

fn multisets(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let dice = dice(bunch)?;
    let [group] = dice.groups.as_slice() else { return None };
    let (count, kinds) = (group.count as f64, group.faces.len() as f64 + f64::from(u8::from(!group.nothing.is_zero())));
    let lists = choose(kinds - 1.0, count);
    let on_the_way = choose(kinds - 2.0, count + 1.0);
    let steps = (lists + on_the_way) * (8.0 + count) + lists * looks(views, count);
    Some(Form { steps: steps + count * count / 16.0, bytes: lists * (96.0 + 24.0 * count) })
}

/// Steps to show a collection of so many members to the views.
pub(crate) fn looks(views: &[View], members: f64) -> f64 {
    let rows: usize = views.iter().map(|view| view.stages.len() + 1).sum();
    10.0 + (2.0 + rows as f64) * (members + 4.0)
}
