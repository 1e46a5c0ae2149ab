//! Walks that collect: loops that accumulate, functions that call themselves, and everything else that is an absorbing
//! Markov chain.
//!
//! Meaning: the sum over all finite walks of the product of their weights, with everything collected joined by a
//! [`Summary`]. There are infinitely many walks, so the product of the walk with the summary (a product automaton) is
//! solved: as one linear system where it is finite, grade by grade where the summary only grows, pass by pass where the
//! walk is cut ([`listing`]). Control flow that collects nothing is a [`flow`]; the numbers of both come from [`linear`].

pub(crate) mod build;
mod ended;
pub(crate) mod flow;
pub(crate) mod graph;
pub(crate) mod linear;
pub(crate) mod listing;
pub(crate) mod moments;
pub(crate) mod summary;

use crate::dist::Dist;
use crate::law::{Chain, End};
use crate::method::Desk;
use crate::outcome::{self, Outcome, Stop};
use crate::weight::{bits, cost_of};
pub(crate) use listing::too_long;
use listing::{Gauge, Listing};
use summary::{Last, Members, Sum, Summary};
use tumble_core::Budget;
use tumble_core::prim::Prim;

/// No finer precision than this is worth a longer list.
const LAST_PRECISION: u64 = 1024;

/// The distribution of a summary of everything a walk collects.
pub(crate) fn solve(desk: &mut Desk<'_>, walk: &Chain, summary: &dyn Summary) -> Result<Dist, Stop> {
    let mut seen = walk.map(&mut desk.budget, &mut |emit, budget| summary.seen(emit, budget))?;
    if summary.never_cut() && matches!(seen.end, End::Cut(_)) {
        seen.end = End::Open;
    }
    solve_seen(desk, &seen, summary, None)
}

/// The same where every step collects what is seen; what it is for may ask for a finer precision.
pub(crate) fn solve_seen(
    desk: &mut Desk<'_>,
    walk: &Chain,
    summary: &dyn Summary,
    sum: Option<&SumOf>,
) -> Result<Dist, Stop> {
    walk.audit()?;
    let since = desk.record.mark(desk.budget.used());
    let open = walk.end == End::Open;
    if open {
        can_end(walk)?;
    }
    let size = open.then(|| Listing::new(walk, summary, Gauge::Size)).flatten();
    let finite = || (open && summary.finite()).then(|| Listing::new(walk, summary, Gauge::Nothing)).flatten();
    if let Some(mut listing) = size.or_else(finite)
        && listing.refine(desk.precision, &mut desk.budget)?
    {
        let finer = sum.and_then(|sum| sum.precision(&listing, desk.precision, &desk.budget));
        if let Some(precision) = finer {
            listing.refine(precision, &mut desk.budget)?;
        }
        let dist = listing.dist(&mut desk.budget)?;
        desk.tell(since, || ("an unbounded loop".to_owned(), listing.words()));
        return Ok(dist);
    }
    let passed = by_passes(desk, walk, summary).map_err(|stop| match stop {
        Stop::Fault(_) if !open && desk.budget.used() > desk.budget.limits().steps => {
            listing::too_long_for(walk.end).into()
        }
        stop => stop,
    })?;
    desk.tell(since, || ("a loop".to_owned(), format!("followed pass by pass to {} outcomes", passed.items.len())));
    Ok(passed)
}

fn by_passes(desk: &mut Desk<'_>, walk: &Chain, summary: &dyn Summary) -> Result<Dist, Stop> {
    let Some(mut listing) = Listing::new(walk, summary, Gauge::Pass) else { return Ok(Dist::one(Outcome::Unknown)) };
    match listing.refine(desk.precision, &mut desk.budget)? {
        true => listing.dist(&mut desk.budget),
        false => Ok(Dist::one(Outcome::Unknown)),
    }
}

/// The distribution of where a walk ends, for walks that collect nothing on their way.
pub(crate) fn ended(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    solve(desk, walk, &Last)
}

/// The distribution of the list of everything collected, in the order of the walk.
pub(crate) fn in_order(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    solve(desk, walk, &Members { ordered: true })
}

/// The distribution of a sum or count of everything collected, of which `times` will be added up.
pub(crate) fn summed(desk: &mut Desk<'_>, walk: &Chain, row: &'static Prim, times: u64) -> Result<Dist, Stop> {
    let numbers =
        walk.map(&mut desk.budget, &mut |emit, budget| outcome::apply(row, std::slice::from_ref(emit), budget))?;
    added_for(desk, &numbers, times)
}

/// The distribution of the sum of the numbers collected.
pub(crate) fn added(desk: &mut Desk<'_>, walk: &Chain) -> Result<Dist, Stop> {
    added_for(desk, walk, 1)
}

/// The same, of which `times` will be added up. Where the numbers only shrink, it is that of the negated ones, negated.
fn added_for(desk: &mut Desk<'_>, walk: &Chain, times: u64) -> Result<Dist, Stop> {
    let numbers = || walk.states.iter().flatten().map(|step| (step.next.is_some(), step.emit.as_int()));
    let falls = |(on, n): (bool, Option<i64>)| n.is_some_and(|n| n > i64::MIN && (!on || n <= 0));
    let shrinks = numbers().any(|(on, n)| on && n.is_some_and(|n| n < 0)) && numbers().all(falls);
    if walk.end == End::Open && shrinks {
        let negated = &mut |emit: &Outcome, _: &mut Budget| Ok(emit.negated());
        let mirrored = walk.map(&mut desk.budget, negated)?;
        return grown(desk, &mirrored, times)?.map(&mut desk.budget, negated);
    }
    grown(desk, walk, times)
}

fn grown(desk: &mut Desk<'_>, walk: &Chain, times: u64) -> Result<Dist, Stop> {
    let mut sum = None;
    if times > 1
        && walk.end == End::Open
        && let Some(low) = walk.states.iter().flatten().map(|step| step.emit.as_int()).min().flatten()
        && let Some(means) = moments::of_sum(walk, &mut desk.budget)?
    {
        sum = Some(SumOf { times, low, reach: moments::reach(&means, low, times) });
    }
    let dist = solve_seen(desk, walk, &Sum, sum.as_ref())?;
    moments::with_moments(dist, walk, &mut desk.budget)
}

/// What a number is listed for: the sum of so many independent ones, of which all up to here is wanted.
pub(crate) struct SumOf {
    times: u64,
    low: i64,
    reach: i64,
}

impl SumOf {
    /// A precision at which a list will go far enough, if it does not and there is room for the sum. Grades grow with the
    /// precision, as weights fall off geometrically, and so do the denominators. Without this, the whole question would
    /// have to be asked again with ever finer precision.
    fn precision(&self, listing: &Listing<'_>, precision: u64, budget: &Budget) -> Option<u64> {
        let (bound, den) = listing.listed_to().filter(|(bound, _)| *bound < self.reach)?;
        let (have, want) = (bound.checked_sub(self.low)?.max(1), self.reach.checked_sub(self.low)?);
        let times = u64::try_from(want).ok()?.div_ceil(have.unsigned_abs()).checked_next_power_of_two()?;
        let range = have.unsigned_abs().checked_mul(times)?;
        let long = bits(den).saturating_mul(times).saturating_mul(self.times);
        let steps = range.saturating_mul(range).saturating_mul(cost_of(long));
        let room = (budget.limits().steps - budget.used()) / 2;
        (steps <= room && precision.checked_mul(times)? <= LAST_PRECISION).then_some(precision * times)
    }
}

/// Refuses a walk that can come to where it cannot end.
pub(crate) fn can_end(walk: &Chain) -> Result<(), Stop> {
    if graph::can_end(walk) { Ok(()) } else { Err(linear::endless().into()) }
}
