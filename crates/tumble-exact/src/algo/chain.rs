//! Walks that collect: loops that accumulate, and functions that call themselves.
//!
//! Meaning: the sum over all finite walks of the product of their chances, with everything collected
//! joined together. There are infinitely many walks, so the meaning is reached in one of these ways:
//!
//! - *finite*: what was collected so far takes only finitely many values (a maximum, a set of faces,
//!   a truth). Pairs of state and value form a finite absorbing walk: one linear system.
//! - *graded*: every step adds a size that is never negative (a sum of positive numbers, a number of
//!   members). Outcomes are found size by size, each complete when its size is passed; what is left
//!   is "above" or "larger" with its exact mass.
//! - *unrolled*: step by step, for walks that end after so many steps or are cut there; otherwise
//!   until little is left, and then nothing is known of the rest.

use crate::algo::solve::{self, Edges};
use crate::algo::{empty, plain, power, reduce};
use crate::dist::{Dist, Pile};
use crate::fraction::{Fraction, lcm};
use crate::law::{Chain, End, Stage};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::plan::Desk;
use crate::tailed::Tail;
use crate::weight::{bits, cost_of, cost_of_fraction};
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::prim::{self, Prim};
use tumble_core::{Budget, Fault, Remedy, Value};

/// How two collected things become one.
pub(crate) type Join<'j> = &'j mut dyn FnMut(&Outcome, &Outcome, &mut Budget) -> Result<Outcome, Stop>;

/// More pairs of state and value than this are not a finite walk.
const MOST_NODES: usize = 10_000;
/// No more outcomes than this are listed.
const MOST_LISTED: usize = 100_000;
/// Larger sizes than this at once, or than so many times the smallest, are not counted in smallest ones.
const MOST_JUMP: i64 = 1 << 31;
const MOST_UNEVEN: i64 = 200;
/// Longer periods than this, or ends more periods apart, are no tail worth keeping.
const MOST_PERIOD: i64 = 10_000;
const MOST_PERIODS: usize = 1_000;
/// Steps after which an unrolled walk gives up.
const MOST_STEPS: u64 = 100_000;

/// The distribution of everything collected, sorted.
pub(crate) fn members(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    listed(desk, walk, Value::ints(&[]), &mut plain::join)
}

/// The distribution of the list of everything collected, in the order of the walk.
pub(crate) fn in_order(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    listed(desk, walk, Value::list(vec![]), &mut crate::machine::append)
}

fn listed(desk: &mut Desk<'_>, walk: &Chain, unit: Value, join: Join<'_>) -> Result<Dist, Stop> {
    let size = |outcome: &Outcome| {
        let value = outcome.known()?;
        i64::try_from(outcome::chunk(value)?.len()).ok()
    };
    let unit = Outcome::Known(unit);
    if walk.end == End::Open
        && let Some(listing) = graded(desk, walk, unit.clone(), join, &size)?
    {
        return listing.dist(|bound| Outcome::Larger(u64::try_from(bound).unwrap_or(0)), &mut desk.budget);
    }
    unrolled(desk, walk, unit, join)
}

/// The distribution of a fold by "or"; never cut.
pub(crate) fn any(desk: &mut Desk<'_>, walk: &Chain, row: &'static Prim) -> Result<Dist, Stop> {
    let mut mapped =
        walk.map(&mut desk.budget, &mut |emit, budget| outcome::apply(row, std::slice::from_ref(emit), budget))?;
    if matches!(mapped.end, End::Cut(_)) {
        mapped.end = End::Open;
    }
    joined(desk, &mapped, Outcome::Known(Value::bool(false)), &mut empty::or)
}

/// The distribution of a reduced collection.
pub(crate) fn reduced(desk: &mut Desk<'_>, walk: &Chain, stage: &Stage) -> Result<Dist, Stop> {
    let mapped = walk.map(&mut desk.budget, &mut |emit, budget| reduce::apply(stage, emit, budget))?;
    let unit = Outcome::Known(Value::ints(&[]));
    joined(desk, &mapped, unit, &mut |a, b, budget| reduce::join(stage, a, b, budget))
}

/// The distribution of where a walk ends, for walks that collect nothing on their way.
pub(crate) fn ended(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    joined(desk, walk, Outcome::Known(Value::NOTHING), &mut |_, emit, _| Ok(emit.clone()))
}

/// The distribution of everything collected, joined.
pub(crate) fn joined(desk: &mut Desk<'_>, walk: &Chain, unit: Outcome, join: Join<'_>) -> Result<Dist, Stop> {
    if walk.end == End::Open
        && let Some(dist) = finite(desk, walk, unit.clone(), join)?
    {
        return Ok(dist);
    }
    unrolled(desk, walk, unit, join)
}

/// The distribution of a sum or count of everything collected.
pub(crate) fn summed(desk: &mut Desk<'_>, walk: &Chain, row: &'static Prim) -> Result<Dist, Stop> {
    let mapped =
        walk.map(&mut desk.budget, &mut |emit, budget| outcome::apply(row, std::slice::from_ref(emit), budget))?;
    added(desk, &mapped)
}

/// The distribution of the sum of the numbers collected.
pub(crate) fn added(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    let join = &mut |a: &Outcome, b: &Outcome, budget: &mut Budget| {
        outcome::apply(&prim::ADD, &[a.clone(), b.clone()], budget)
    };
    if walk.end != End::Open {
        return unrolled(desk, walk, Outcome::int(0), join);
    }
    let far = |bound: i64| Outcome::Above { bound, pooled: false, moments: None };
    if let Some(listing) = graded(desk, walk, Outcome::int(0), join, &Outcome::as_int)? {
        let dist = listing.dist(far, &mut desk.budget)?;
        return with_moments(desk, dist, walk);
    }
    let negative =
        &mut |emit: &Outcome, budget: &mut Budget| outcome::apply(&prim::NEG, std::slice::from_ref(emit), budget);
    let mirrored = walk.map(&mut desk.budget, negative)?;
    let Some(listing) = graded(desk, &mirrored, Outcome::int(0), join, &Outcome::as_int)? else {
        return unrolled(desk, walk, Outcome::int(0), join);
    };
    let dist = listing.dist(far, &mut desk.budget)?;
    with_moments(desk, dist, &mirrored)?.map(&mut desk.budget, negative)
}

/// The distribution of everything collected, listed by a size that only grows and begins with 0; none
/// if it is not like that. `far` says what is not listed: what has more than a size.
pub(crate) fn sized(
    desk: &mut Desk<'_>,
    walk: &Chain,
    unit: Outcome,
    join: Join<'_>,
    size: &dyn Fn(&Outcome) -> Option<i64>,
    far: &dyn Fn(i64) -> Outcome,
) -> Result<Option<Dist>, Stop> {
    let Some(listing) = graded(desk, walk, unit, join, size)? else { return Ok(None) };
    listing.dist(far, &mut desk.budget).map(Some)
}

/// Everything reachable as one finite walk; none if there is too much of it.
fn finite(desk: &mut Desk<'_>, walk: &Chain, unit: Outcome, join: Join<'_>) -> Result<Option<Dist>, Stop> {
    walk.audit()?;
    let since = desk.record.mark(desk.budget.used());
    let mut places: HashMap<(usize, Outcome), usize> = HashMap::from_iter([((walk.start, unit.clone()), 0)]);
    let mut nodes = vec![(walk.start, unit)];
    let mut edges: Vec<Edges> = Vec::new();
    let mut exits: Vec<Vec<(Outcome, Fraction)>> = Vec::new();
    while edges.len() < nodes.len() {
        let (state, so_far) = nodes[edges.len()].clone();
        let (mut out, mut exit) = (Edges::new(), Vec::new());
        for step in &walk.states[state] {
            desk.budget.step(10 + 2 * outcome::size(&so_far))?;
            let value = join(&so_far, &step.emit, &mut desk.budget)?;
            let chance = Fraction::part(&step.weight, &walk.den);
            let Some(next) = step.next else {
                exit.push((value, chance));
                continue;
            };
            let place = *places.entry((next, value.clone())).or_insert_with(|| {
                nodes.push((next, value));
                nodes.len() - 1
            });
            out.push((place, chance));
        }
        if nodes.len() > MOST_NODES {
            return Ok(None);
        }
        edges.push(out);
        exits.push(exit);
    }
    let mut start = vec![Fraction::zero(); nodes.len()];
    start[0] = Fraction::one();
    let visits = solve::visits(&edges, start, &mut desk.budget)?;
    desk.tell(since, || ("an unbounded loop".to_owned(), format!("{} states, solved as a linear system", nodes.len())));
    let shares = visits
        .iter()
        .zip(&exits)
        .flat_map(|(count, exit)| exit.iter().map(move |(value, chance)| (value.clone(), count * chance)));
    Ok(Some(over_one_denominator(shares.collect(), &mut desk.budget)?))
}

/// Outcomes found size by size.
struct Listing {
    done: Vec<(Outcome, i64, Fraction)>,
    /// Every outcome up to this size is complete; none if all are.
    complete: Option<i64>,
}

impl Listing {
    fn dist(self, far: impl Fn(i64) -> Outcome, budget: &mut Budget) -> Result<Dist, Stop> {
        let Some(bound) = self.complete else {
            return over_one_denominator(
                self.done.into_iter().map(|(outcome, _, share)| (outcome, share)).collect(),
                budget,
            );
        };
        let inside: Vec<(Outcome, Fraction)> = self
            .done
            .into_iter()
            .filter(|(_, size, _)| *size <= bound)
            .map(|(outcome, _, share)| (outcome, share))
            .collect();
        let mut rest = Fraction::one();
        for (_, share) in &inside {
            budget.step(2 * cost_of_fraction(bits(rest.denominator())))?;
            rest = &rest - share;
        }
        let mut all = inside;
        all.push((far(bound), rest));
        over_one_denominator(all, budget)
    }
}

/// The listing by size; none if a step can shrink what was collected, or has no size.
fn graded(
    desk: &mut Desk<'_>,
    walk: &Chain,
    unit: Outcome,
    join: Join<'_>,
    size: &dyn Fn(&Outcome) -> Option<i64>,
) -> Result<Option<Listing>, Stop> {
    let Some(shortest) = smallest_end(walk, size) else { return Ok(None) };
    walk.audit()?;
    let since = desk.record.mark(desk.budget.used());
    can_end(walk, &mut desk.budget)?;
    let still = standing_still(walk, size);
    if let Some(least) = evenly(walk, size) {
        let listing = growing(desk, walk, unit, join, size, (least, shortest))?;
        let listed = listing.done.len();
        desk.tell(since, || ("an unbounded loop".to_owned(), format!("{listed} outcomes, listed by size")));
        return Ok(Some(listing));
    }
    let mut level: BTreeMap<(i64, Outcome), Vec<Fraction>> = BTreeMap::new();
    let mut start = vec![Fraction::zero(); walk.states.len()];
    start[walk.start] = Fraction::one();
    level.insert((0, unit), start);
    let mut listing = Listing { done: Vec::new(), complete: None };
    let mut moving = Fraction::one();
    let mut reached = i64::MIN;
    // A long list stops early enough that something can still be done with it.
    let allowed = desk.budget.used() + (desk.budget.limits().steps - desk.budget.used()) / 4;
    while let Some(((grade, so_far), inflow)) = level.pop_first() {
        let enough = listing.done.len() > MOST_LISTED || desk.budget.used() > allowed;
        if grade > reached && (tiny(&moving, desk.precision) || enough) {
            listing.complete = Some(grade.saturating_sub(1).saturating_add(shortest));
            let listed = listing.done.len();
            desk.tell(since, || ("an unbounded loop".to_owned(), format!("{listed} outcomes, listed by size")));
            return Ok(Some(listing));
        }
        reached = grade;
        let visits = solve::visits(&still, inflow, &mut desk.budget)?;
        for (steps, count) in walk.states.iter().zip(&visits).filter(|(_, count)| !count.is_zero()) {
            for step in steps {
                desk.budget.step(20 + 2 * outcome::size(&so_far) + 4 * cost_of_fraction(bits(count.denominator())))?;
                let more = size(&step.emit).unwrap_or(0);
                if step.next.is_some() && more == 0 {
                    continue;
                }
                let share = count * &Fraction::part(&step.weight, &walk.den);
                let value = join(&so_far, &step.emit, &mut desk.budget)?;
                let Some(next) = step.next else {
                    moving = &moving - &share;
                    listing.done.push((value, grade.saturating_add(more), share));
                    continue;
                };
                let place = level
                    .entry((grade.saturating_add(more), value))
                    .or_insert_with(|| vec![Fraction::zero(); walk.states.len()]);
                place[next] = &place[next] + &share;
            }
        }
    }
    Ok(Some(listing))
}

/// The least size that a step adds which goes on, if that is some and none adds much more.
fn evenly(walk: &Chain, size: &dyn Fn(&Outcome) -> Option<i64>) -> Option<i64> {
    let on = || walk.states.iter().flatten().filter(|step| step.next.is_some()).filter_map(|step| size(&step.emit));
    let (least, most) = (on().min()?, on().max()?);
    (least > 0 && most < MOST_JUMP && most / least < MOST_UNEVEN).then_some(least)
}

/// The same where every step that goes on adds some size, at least `least`. Then size g is reached after
/// at most g / least steps, so its shares are whole numbers over a denominator that is known: no fraction
/// is brought to lowest terms on the way.
fn growing(
    desk: &mut Desk<'_>,
    walk: &Chain,
    unit: Outcome,
    join: Join<'_>,
    size: &dyn Fn(&Outcome) -> Option<i64>,
    (least, shortest): (i64, i64),
) -> Result<Listing, Stop> {
    let steps_to = |grade: i64| usize::try_from(grade / least).unwrap_or(usize::MAX);
    let mut start = vec![UBig::ZERO; walk.states.len()];
    start[walk.start] = UBig::ONE;
    let mut level: BTreeMap<(i64, Outcome), Vec<UBig>> = BTreeMap::from([((0, unit), start)]);
    let mut listing = Listing { done: Vec::new(), complete: None };
    // What has not ended yet, over `den`, the denominator of one step after the grade.
    let (mut moving, mut den, mut reached) = (walk.den.clone(), walk.den.clone(), 0);
    // A long list stops early enough that something can still be done with it.
    let allowed = desk.budget.used() + (desk.budget.limits().steps - desk.budget.used()) / 4;
    while let Some(((grade, so_far), inflow)) = level.pop_first() {
        let enough = listing.done.len() > MOST_LISTED || desk.budget.used() > allowed;
        if grade > reached && (bits(&moving) + desk.precision < bits(&den) || enough) {
            listing.complete = Some(grade.saturating_sub(1).saturating_add(shortest));
            return Ok(listing);
        }
        let more = walk.den.pow(steps_to(grade) - steps_to(reached));
        (moving, den, reached) = (moving * &more, den * more, grade);
        // As dear as fractions: a longer list is more than can be worked with afterwards.
        let price = 20 + 2 * outcome::size(&so_far) + 4 * cost_of_fraction(bits(&den));
        for (steps, count) in walk.states.iter().zip(&inflow).filter(|(_, count)| !count.is_zero()) {
            for step in steps {
                desk.budget.step(price)?;
                let to = grade.saturating_add(size(&step.emit).unwrap_or(0));
                let value = join(&so_far, &step.emit, &mut desk.budget)?;
                let share = count * &step.weight;
                let Some(next) = step.next else {
                    moving -= &share;
                    listing.done.push((value, to, Fraction::part(&share, &den)));
                    continue;
                };
                let place = level.entry((to, value)).or_insert_with(|| vec![UBig::ZERO; walk.states.len()]);
                place[next] += share * walk.den.pow(steps_to(to) - steps_to(grade) - 1);
            }
        }
    }
    Ok(listing)
}

/// The smallest size an end can add; none unless every step has a size and none that goes on shrinks.
fn smallest_end(walk: &Chain, size: &dyn Fn(&Outcome) -> Option<i64>) -> Option<i64> {
    let mut smallest = i64::MAX;
    for step in walk.states.iter().flatten() {
        let more = size(&step.emit)?;
        if step.next.is_none() {
            smallest = smallest.min(more);
        } else if more < 0 {
            return None;
        }
    }
    Some(smallest)
}

/// Every state that can be reached must be able to end.
pub(crate) fn can_end(walk: &Chain, budget: &mut Budget) -> Result<(), Stop> {
    let mut start = vec![Fraction::zero(); walk.states.len()];
    start[walk.start] = Fraction::one();
    solve::visits(&edges_of(walk), start, budget).map(|_| ())
}

/// The chances from state to state.
pub(crate) fn edges_of(walk: &Chain) -> Vec<Edges> {
    let out = |steps: &Vec<crate::law::Step>| {
        let mut edges: BTreeMap<usize, UBig> = BTreeMap::new();
        steps.iter().filter_map(|step| Some((step.next?, &step.weight))).for_each(|(next, weight)| {
            *edges.entry(next).or_insert(UBig::ZERO) += weight;
        });
        edges.into_iter().map(|(next, weight)| (next, Fraction::part(&weight, &walk.den))).collect()
    };
    walk.states.iter().map(out).collect()
}

/// The steps that collect nothing of any size.
fn standing_still(walk: &Chain, size: &dyn Fn(&Outcome) -> Option<i64>) -> Vec<Edges> {
    let idle = |steps: &Vec<crate::law::Step>| {
        let idle = steps.iter().filter(|step| size(&step.emit) == Some(0));
        idle.filter_map(|step| Some((step.next?, Fraction::part(&step.weight, &walk.den)))).collect()
    };
    walk.states.iter().map(idle).collect()
}

/// Step by step: to the given end, or until little is left.
fn unrolled(desk: &mut Desk<'_>, walk: &Chain, unit: Outcome, join: Join<'_>) -> Result<Dist, Stop> {
    walk.audit()?;
    let since = desk.record.mark(desk.budget.used());
    if walk.end == End::Open {
        can_end(walk, &mut desk.budget)?;
    }
    let found = followed(desk, walk, unit, join).map_err(|stop| match (stop, walk.end) {
        (Stop::Fault(_), end @ (End::After(most) | End::Cut(most)))
            if desk.budget.used() > desk.budget.limits().steps =>
        {
            too_long_for(end, most).into()
        }
        (stop, _) => stop,
    })?;
    desk.tell(since, || ("a loop".to_owned(), format!("followed pass by pass to {} outcomes", found.items.len())));
    Ok(found.reduced())
}

/// A loop with an end that is too far away for numbers of that length.
#[cold]
pub(crate) fn too_long(most: u64) -> Fault {
    Fault::limit(format!("a loop of up to {most} passes is too long to follow")).hint("remove its maximum, or lower it")
}

/// The same for one that ends like this: who cuts it can cut it earlier.
fn too_long_for(end: End, most: u64) -> Fault {
    match end {
        End::Cut(_) => Fault { hint: None, ..too_long(most) }.remedy(Remedy::CutEarlier),
        _ => too_long(most),
    }
}

fn followed(desk: &mut Desk<'_>, walk: &Chain, unit: Outcome, join: Join<'_>) -> Result<Dist, Stop> {
    let (most, left_over) = match walk.end {
        End::Open => (MOST_STEPS, Some(Outcome::Unknown)),
        End::Cut(most) => (most, Some(Outcome::Cut)),
        End::After(most) => (most, None),
    };
    let mut alive: HashMap<(usize, Outcome), UBig> = HashMap::from_iter([((walk.start, unit), UBig::ONE)]);
    let mut done = Ended::new(&walk.den);
    for _ in 0..most {
        let enough = walk.end == End::Open && {
            let left: UBig = alive.values().sum();
            bits(&left) + desk.precision < bits(&done.den) || done.weights.len() > MOST_LISTED
        };
        if alive.is_empty() || enough {
            break;
        }
        done.pass(walk.end, most, &mut desk.budget)?;
        for ((state, so_far), weight) in std::mem::take(&mut alive) {
            for step in &walk.states[state] {
                desk.budget.step(4 + outcome::size(&so_far) + cost_of(bits(&done.den)))?;
                let value = join(&so_far, &step.emit, &mut desk.budget)?;
                let weight = &weight * &step.weight;
                match step.next {
                    Some(next) => *alive.entry((next, value)).or_insert(UBig::ZERO) += weight,
                    None => done.add(value, weight, &mut desk.budget)?,
                }
            }
        }
    }
    for ((_, so_far), weight) in alive {
        done.add(left_over.clone().unwrap_or(so_far), weight, &mut desk.budget)?;
    }
    done.dist(&mut desk.budget)
}

/// What has ended so far. A weight is over the denominator of the pass that touched it last: what ends
/// in one pass only is brought to the final denominator once.
struct Ended<'w> {
    each: &'w UBig,
    den: UBig,
    passes: usize,
    weights: HashMap<Outcome, (UBig, usize)>,
}

impl<'w> Ended<'w> {
    fn new(each: &'w UBig) -> Ended<'w> {
        Ended { each, den: UBig::ONE, passes: 0, weights: HashMap::default() }
    }

    /// One more pass; refused where all outcomes over its denominator are too much to hold.
    fn pass(&mut self, end: End, most: u64, budget: &mut Budget) -> Result<(), Stop> {
        self.den *= self.each;
        self.passes += 1;
        let one = 96 + bits(&self.den) / 8;
        if one.saturating_mul(1 + self.weights.len() as u64) > budget.limits().bytes / 4 {
            return Err(too_long_for(end, most).into());
        }
        budget.step(cost_of(bits(&self.den))).map_err(Stop::from)
    }

    fn add(&mut self, outcome: Outcome, weight: UBig, budget: &mut Budget) -> Result<(), Stop> {
        let place = self.weights.entry(outcome).or_insert((UBig::ZERO, self.passes));
        if place.1 < self.passes {
            *place = (raised(&place.0, self.each, self.passes - place.1, budget)?, self.passes);
        }
        place.0 += weight;
        Ok(())
    }

    fn dist(self, budget: &mut Budget) -> Result<Dist, Stop> {
        let mut pile = Pile::default();
        let mut weights: Vec<_> = self.weights.into_iter().collect();
        weights.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (outcome, (weight, pass)) in weights {
            pile.add(outcome, &raised(&weight, self.each, self.passes - pass, budget)?);
        }
        Ok(pile.over(self.den))
    }
}

/// `weight · each^times`.
fn raised(weight: &UBig, each: &UBig, times: usize, budget: &mut Budget) -> Result<UBig, Stop> {
    let factor = bits(each) * times as u64;
    budget.step(1 + (1 + bits(weight) / 64).saturating_mul(1 + factor / 64) / 32)?;
    Ok(weight * each.pow(times))
}

/// Gives the unlisted part of a sum its mean and mean square, from two linear systems.
fn with_moments(desk: &mut Desk<'_>, mut dist: Dist, walk: &Chain) -> Result<Dist, Stop> {
    let far = |(outcome, _): &(Outcome, UBig)| matches!(outcome, Outcome::Above { .. } | Outcome::Below { .. });
    if !dist.items.iter().any(far) || walk.states.len() > 200 {
        return Ok(dist);
    }
    let edges = edges_of(walk);
    let per_state = |f: &dyn Fn(&Fraction, Option<usize>) -> Fraction| -> Option<Vec<Fraction>> {
        let state = |steps: &Vec<crate::law::Step>| {
            steps.iter().try_fold(Fraction::zero(), |sum, step| {
                let n = Fraction::whole(step.emit.as_int()?);
                Some(&sum + &(&Fraction::part(&step.weight, &walk.den) * &f(&n, step.next)))
            })
        };
        walk.states.iter().map(state).collect()
    };
    let Some(first) = per_state(&|n, _| n.clone()) else { return Ok(dist) };
    let means = solve::values(&edges, &first, &mut desk.budget)?;
    let inner = |next: Option<usize>| next.map_or(Fraction::zero(), |next| means[next].clone());
    let Some(second) = per_state(&|n, next| &(n * n) + &(&(&Fraction::whole(2) * n) * &inner(next))) else {
        return Ok(dist);
    };
    let squares = solve::values(&edges, &second, &mut desk.budget)?;
    power::complete(&mut dist, &means[walk.start], &squares[walk.start]);
    fall_off(&mut dist, walk);
    Ok(dist)
}

/// Gives the unlisted part of a sum its tail, if there is one.
fn fall_off(dist: &mut Dist, walk: &Chain) {
    for (outcome, _) in &mut dist.items {
        if let Outcome::Above { bound, moments: Some(moments), .. } = outcome
            && let Some(tail) = tail_beyond(walk, *bound)
        {
            *moments = moments.with_tail(tail);
        }
    }
}

/// How a sum falls off beyond a bound, if the walk has one state and every step that goes on adds the same number p:
/// an end e is reached as `e + m·p` with the chance `w(e) · r^m`, so beyond the last end each period is r times the one
/// before.
fn tail_beyond(walk: &Chain, bound: i64) -> Option<Tail> {
    let [steps] = walk.states.as_slice() else { return None };
    let (on, ends): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.next.is_some());
    let period = on.first()?.emit.as_int().filter(|period| *period > 0)?;
    if period > MOST_PERIOD || on.iter().any(|step| step.emit.as_int() != Some(period)) {
        return None;
    }
    let less: UBig = on.iter().map(|step| &step.weight).sum();
    // The first number beyond the bound that each end leads to, and after how many periods.
    let place = |e: i64| {
        let j = e.checked_sub(bound)?.checked_sub(1)?.rem_euclid(period);
        let periods = bound.checked_add(1)?.checked_add(j)?.checked_sub(e)? / period;
        Some((usize::try_from(j).ok()?, usize::try_from(periods).ok()?))
    };
    let ends = ends.iter().map(|step| {
        let e = step.emit.as_int().filter(|e| *e <= bound.saturating_add(period))?;
        place(e).map(|(j, periods)| (j, periods, &step.weight))
    });
    let ends = ends.collect::<Option<Vec<_>>>()?;
    let (least, most) = (ends.iter().map(|end| end.1).min()?, ends.iter().map(|end| end.1).max()?);
    if most - least > MOST_PERIODS {
        return None;
    }
    let mut first = vec![UBig::ZERO; usize::try_from(period).ok()?];
    for (j, periods, weight) in ends {
        first[j] += weight * less.pow(periods - least) * walk.den.pow(most - periods);
    }
    Tail::new(first, Fraction::part(&less, &walk.den))
}

/// Whether a share is below two to the minus `precision`.
fn tiny(share: &Fraction, precision: u64) -> bool {
    share.is_zero() || {
        let num = bits(&UBig::try_from(share.numerator().clone()).unwrap_or(UBig::ZERO));
        num + precision < bits(share.denominator())
    }
}

/// Shares as weights over one denominator; what they miss to one is an error in the caller.
pub(crate) fn over_one_denominator(shares: Vec<(Outcome, Fraction)>, budget: &mut Budget) -> Result<Dist, Stop> {
    let mut den = UBig::ONE;
    for (_, share) in &shares {
        budget.step(2 * cost_of_fraction(bits(&den)))?;
        den = lcm(&den, share.denominator());
    }
    let mut pile = Pile::default();
    for (outcome, share) in shares {
        let weight = UBig::try_from(share.numerator().clone()).unwrap_or(UBig::ZERO) * (&den / share.denominator());
        pile.add(outcome, &weight);
    }
    Ok(pile.over(den))
}
