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
use crate::algo::faces;
use crate::explain::Cost;
use crate::law::{Bunch, Part, Source, Stage};
use crate::outcome::{self, Outcome, Stop};
use crate::plan::{Goal, Method, View};
use crate::weight::{bits, cost_of};
use crate::words;
use tumble_core::prim;
use tumble_core::{Budget, Code, Fault, Limit, Remedy, Value};

/// What it will cost to answer this question; none where that shows only on the way.
pub(crate) fn of(method: Option<Method>, bunch: &Bunch, views: &[View]) -> Option<Cost> {
    let form = form(method, bunch, views)?;
    Some(Cost { steps: whole(form.steps), bytes: whole(form.bytes) })
}

fn form(method: Option<Method>, bunch: &Bunch, views: &[View]) -> Option<Form> {
    match method {
        Some(Method::Power) => power(bunch, views),
        Some(Method::Empty) => empty(bunch),
        Some(Method::Extreme) => extreme(bunch),
        Some(Method::Keep) => keep(bunch, views),
        Some(Method::Faces) => {
            faces::price(bunch, views).map(|cost| Form { steps: cost.steps as f64, bytes: cost.bytes as f64 })
        }
        Some(Method::Folds) => folds(bunch, views),
        Some(Method::Border) => border(bunch, views),
        Some(Method::Reduce) => reduce(bunch, views),
        None => listing(bunch, views),
        Some(Method::Peel) => peel(bunch),
        Some(Method::Pick | Method::Compare | Method::Views) => None,
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
struct Form {
    steps: f64,
    bytes: f64,
}

fn whole(n: f64) -> u64 {
    n.ceil().min(u64::MAX as f64) as u64
}

fn price(bits: f64) -> f64 {
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
fn outcomes(part: &Part) -> Option<(f64, f64)> {
    let Source::Each(dist) = &part.source else { return None };
    let members = |(outcome, _): &(Outcome, _)| outcome::size(outcome);
    Some((dist.items.len() as f64, dist.items.iter().map(members).max().unwrap_or(1) as f64))
}

/// Steps to look at every outcome of every part once.
fn one_look(bunch: &Bunch) -> Option<f64> {
    bunch
        .parts
        .iter()
        .map(outcomes)
        .try_fold(0.0, |sum, part| part.map(|(count, size)| sum + count * (6.0 + 2.0 * size)))
}

/// The numbers that the parts are worth under a fold by addition: how many, and how far apart.
fn worth(bunch: &Bunch, counts: bool) -> Option<Vec<(f64, f64, f64)>> {
    let one = |part: &Part| {
        let Source::Each(dist) = &part.source else { return None };
        let mut numbers: Vec<i64> = Vec::new();
        for (outcome, _) in &dist.items {
            match outcome {
                Outcome::Known(value) => numbers.push(total(value, counts)?),
                Outcome::Above { bound, .. } | Outcome::Below { bound, .. } => numbers.push(*bound),
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let spread = *numbers.last()? as f64 - *numbers.first()? as f64;
        Some((numbers.len() as f64, spread, bits(&dist.den) as f64))
    };
    bunch.parts.iter().map(one).collect()
}

fn total(value: &Value, counts: bool) -> Option<i64> {
    let members = outcome::chunk(value)?;
    if counts {
        return i64::try_from(members.len()).ok();
    }
    members.iter().try_fold(0i64, |sum, member| sum.checked_add(member.as_int()?))
}

fn power(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let counts = !matches!(views, [View { goal: Goal::Fold(row), .. }] if **row == prim::SUM);
    let mut form = Form { steps: one_look(bunch)?, bytes: 0.0 };
    let (mut so_far, mut all_bits) = (1.0, 0.0);
    for ((faces, spread, bits), part) in worth(bunch, counts)?.into_iter().zip(&bunch.parts) {
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

fn empty(bunch: &Bunch) -> Option<Form> {
    let steps = one_look(bunch)? + bunch.parts.iter().map(|part| 1.0 + part.times as f64 / 8.0).sum::<f64>();
    let long = |part: &Part| match &part.source {
        Source::Each(dist) => part.times as f64 * bits(&dist.den) as f64,
        Source::Chain(_) => 0.0,
    };
    let long: f64 = bunch.parts.iter().map(long).sum();
    Some(Form { steps: steps + long / 32.0, bytes: long / 2.0 })
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
    let (count, spread, _) = *worth(bunch, false)?.first()?;
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

fn peel(bunch: &Bunch) -> Option<Form> {
    let dice = dice(bunch)?;
    let cells = faces(&dice) * all(&dice);
    Some(Form { steps: 60.0 + 20.0 * cells, bytes: cells * (200.0 + dice.bits() as f64 / 8.0) })
}

/// All members that the parts can have, each once and in order.
fn members(bunch: &Bunch) -> Vec<&Value> {
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

fn folds(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let looks = 20.0 + 6.0 * views.len() as f64;
    let (mut form, mut rows) = (Form { steps: views.len() as f64 * 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
    for (place, part) in bunch.parts.iter().enumerate() {
        let (count, _) = outcomes(part)?;
        let mut different = 1.0f64;
        for view in views {
            let spread = match view.goal {
                Goal::Fold(row) if *row == prim::SUM => worth(bunch, false)?[place].1,
                Goal::Fold(row) if *row == prim::COUNT => worth(bunch, true)?[place].1.max(1.0),
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

fn border(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let [view] = views else { return None };
    let stage = view.stages.first()?;
    let kept = kept(stage)?;
    let counts = !matches!(view.goal, Goal::Fold(row) if *row == prim::SUM);
    let drops = *stage.row == prim::BUT_LARGEST || *stage.row == prim::BUT_LEAST;
    let (mut spread, mut long, mut joins) = (0.0, 0.0, 0.0);
    for ((_, each, bits), part) in worth(bunch, counts)?.into_iter().zip(&bunch.parts) {
        spread += each * part.times as f64;
        long += bits * part.times as f64;
        joins += 2.0 * (part.times as f64 + 1.0).log2().ceil() + 1.0;
    }
    let faces = members(bunch);
    let number = |face: Option<&&Value>| face.and_then(|face| face.as_int()).unwrap_or(1) as f64;
    let apart = if counts { 1.0 } else { number(faces.last()).max(0.0) - number(faces.first()).min(0.0) };
    let (kinds, range) = (faces.len() as f64 + 1.0, if drops { spread } else { apart * kept } + 2.0);
    let cells = kept * (kept + 3.0) / 2.0;
    let words = long / 64.0;
    let product = 5.0 + range * range * (21.0 + words * words) / 25.0;
    let looks = kinds * one_look(bunch)? * 2.0;
    Some(Form { steps: looks + kinds * joins * cells * cells * product, bytes: cells * range * (48.0 + long / 8.0) })
}

fn reduce(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let stage = views.first()?.stages.first()?;
    let (mut form, mut so_far) = (Form { steps: 2.0 * one_look(bunch)?, bytes: 0.0 }, 1.0f64);
    let kinds = members(bunch).len() as f64;
    for part in &bunch.parts {
        let (count, size) = outcomes(part)?;
        let all = part.times as f64 * size;
        let most = if *stage.row == prim::LARGEST || *stage.row == prim::LEAST { kept(stage)?.min(all) } else { all };
        let bound = match stage.row {
            row if *row == prim::DIFFERENT => kinds.exp2(),
            row if *row == prim::MINIMAL || *row == prim::MAXIMAL => kinds * all + 1.0,
            _ => choose(kinds, most),
        };
        let reduced = bound.min(choose(part.times as f64, count));
        let pairs = reduced * reduced * (1.0 + (part.times as f64).log2().ceil() * 2.0);
        so_far = (so_far * reduced).min(bound * so_far);
        form.steps += (pairs + so_far * reduced) * (10.0 + 6.0 * most.min(all));
        form.bytes += (reduced + so_far) * (96.0 + 24.0 * most);
    }
    form.steps += so_far * 40.0;
    Some(form)
}

/// How many collections the parts can give together.
fn collections(bunch: &Bunch) -> f64 {
    let one = |part: &Part| outcomes(part).map_or(f64::MAX, |(count, _)| choose(count - 1.0, part.times as f64));
    bunch.parts.iter().map(one).product()
}

/// Steps to show a collection of so many members to the views.
fn looks(views: &[View], members: f64) -> f64 {
    let rows: usize = views.iter().map(|view| view.stages.len() + 1).sum();
    10.0 + (2.0 + rows as f64) * (members + 4.0)
}

fn listing(bunch: &Bunch, views: &[View]) -> Option<Form> {
    let (mut form, mut so_far, mut members) = (Form::default(), 1.0, 0.0);
    for part in &bunch.parts {
        let (count, size) = outcomes(part)?;
        let (times, lists) = (part.times as f64, choose(count - 1.0, part.times as f64));
        // Every copy is put with every collection so far; the last copies are nearly all of it.
        let shorter = choose(count, times);
        members += times * size;
        form.steps += so_far * shorter * (count.min(shorter) + 1.0) * (12.0 + 3.0 * members);
        so_far *= lists;
    }
    form.steps += so_far * looks(views, members) + 100.0;
    form.bytes = so_far * (96.0 + 24.0 * members);
    Some(form)
}
