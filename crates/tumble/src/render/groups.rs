//! Which outcomes share a row of a table.
//!
//! ```text
//! short table      a row for each outcome
//! long table       exact: the thin ends are one row each
//!                  approximate: numbers in ranges of equal width, of other outcomes those that come most
//! several texts    a row for each outcome of any of them, numbers first
//! ```

use super::series::{Point, Series};
use crate::approximate::{Approximate, ApproximateOutcome};
use crate::ask::Answer;
use std::collections::BTreeMap;
use std::ops::Range;
use tumble_core::Value;
use tumble_exact::number;

/// Tables with more rows than this are long.
const LONG_TABLE: usize = 40;

/// Less than this is shown as `<0.01 %`.
const THIN_ROW: f64 = 0.00005;

/// Ends with less than this together are one row of a long approximate table.
const THIN_END: f64 = 0.0005;

/// Of a long approximate table, so many outcomes or ranges are shown.
const MOST_SEEN: usize = 20;
const MOST_RANGES: i128 = 25;

/// Ends of a table with fewer rows than this are not worth folding.
const SHORTEST_FOLD: usize = 3;

/// The outcomes of one row.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) label: String,
    /// Whether the label is a number, which stands to the right.
    pub(super) number: bool,
    /// The number, if it is one.
    pub(super) exactly: Option<i64>,
    /// The places of its points in each series.
    pub(super) members: Vec<Vec<usize>>,
}

/// The rows of a table without the rest.
pub(super) fn groups(series: &[Series], points: &[Vec<Point>], all: bool) -> Vec<Group> {
    let long = |size: usize| !all && size > LONG_TABLE;
    match (series, points) {
        ([one], [points]) => {
            let alone: Vec<Group> = points.iter().enumerate().map(|(at, point)| alone(point, at)).collect();
            match one.answer() {
                _ if !long(alone.len()) => alone,
                Answer::Exact(..) => folded(alone, std::slice::from_ref(points)),
                Answer::Approximate(near, _) => near_groups(near, alone),
            }
        }
        _ => {
            let joint = joint(points);
            if long(joint.len()) { folded(joint, points) } else { joint }
        }
    }
}

fn alone(point: &Point, at: usize) -> Group {
    let exactly = point.value.as_ref().and_then(number);
    Group { label: point.label.clone(), number: exactly.is_some(), exactly, members: vec![vec![at]] }
}

/// A row for each outcome of any series.
fn joint(points: &[Vec<Point>]) -> Vec<Group> {
    let mut rows: BTreeMap<Value, Group> = BTreeMap::new();
    for (place, points) in points.iter().enumerate() {
        for (at, point) in points.iter().enumerate() {
            let Some(value) = &point.value else { continue };
            let key = number(value).map_or_else(|| value.clone(), Value::int);
            let fresh = || Group { members: vec![], ..alone(point, at) };
            let group = rows.entry(key).or_insert_with(fresh);
            group.members.resize(group.members.len().max(place + 1), vec![]);
            group.members[place].push(at);
        }
    }
    let mut rows: Vec<Group> = rows.into_values().collect();
    rows.iter_mut().for_each(|group| group.members.resize(points.len(), vec![]));
    rows.sort_by_key(|group| !group.number);
    rows
}

/// One row in place of the thin ones at either end.
fn folded(mut rows: Vec<Group>, points: &[Vec<Point>]) -> Vec<Group> {
    let size = |place: usize, at: &usize| points[place][*at].share.size();
    let thin = |group: &&Group| {
        let shares = group.members.iter().enumerate().map(|(place, ats)| ats.iter().map(|at| size(place, at)).sum());
        shares.fold(0.0, f64::max) < THIN_ROW
    };
    let worth = |run: usize| if run < SHORTEST_FOLD { 0 } else { run };
    let last = worth(rows.iter().rev().take_while(thin).count());
    let tail = rows.split_off(rows.len() - last);
    let first = worth(rows.iter().take_while(thin).count());
    let rest = rows.split_off(first);
    one_for(rows).into_iter().chain(rest).chain(one_for(tail)).collect()
}

fn one_for(rows: Vec<Group>) -> Option<Group> {
    let (first, last) = (rows.first()?, rows.last()?);
    let number = rows.iter().all(|row| row.number);
    let ends = format!("{} … {}", first.label.replace('\n', " "), last.label.replace('\n', " "));
    let label = if number { ends } else { format!("… {} outcomes", rows.len()) };
    let together = |place: usize| rows.iter().flat_map(|row| row.members[place].iter().copied()).collect();
    let members = (0..first.members.len()).map(together).collect();
    Some(Group { label, number, exactly: None, members })
}

/// A long approximate table of numbers shows ranges of equal width, one of other outcomes those that come
/// most often.
fn near_groups(near: &Approximate, alone: Vec<Group>) -> Vec<Group> {
    let numbers: Option<Vec<i64>> = alone.iter().map(|group| group.exactly).collect();
    let Some(numbers) = numbers else { return most_seen(near, alone) };
    let shares: Vec<f64> = near.outcomes.iter().map(|outcome| outcome.share).collect();
    let group = |(label, places): (String, Range<usize>)| Group {
        label,
        number: true,
        exactly: None,
        members: vec![places.collect()],
    };
    ranges(&numbers, &shares).into_iter().map(group).collect()
}

/// The outcomes that come most often, in their order, and one row for the others.
fn most_seen(near: &Approximate, alone: Vec<Group>) -> Vec<Group> {
    let outcome = |place: &usize| -> &ApproximateOutcome { &near.outcomes[*place] };
    // What was seen once was seen by accident.
    let mut places: Vec<usize> = (0..alone.len()).filter(|place| !outcome(place).seen_once()).collect();
    places.sort_by(|a, b| outcome(b).share.total_cmp(&outcome(a).share));
    places.truncate(MOST_SEEN);
    places.sort_unstable();
    let (often, seldom): (Vec<_>, Vec<_>) =
        alone.into_iter().enumerate().partition(|(place, _)| places.binary_search(place).is_ok());
    let seldom: Vec<usize> = seldom.into_iter().map(|(place, _)| place).collect();
    let label = match often.as_slice() {
        [] => format!("{} outcomes, each seen once", seldom.len()),
        _ => format!("… {} more", seldom.len()),
    };
    let last = Group { label, number: false, exactly: None, members: vec![seldom] };
    often.into_iter().map(|(_, group)| group).chain([last]).collect()
}

/// Ascending numbers in ranges of equal width, which is 1, 2 or 5 times a power of ten, with one range
/// for each thin end: the label of each range, and the places of its numbers.
fn ranges(numbers: &[i64], shares: &[f64]) -> Vec<(String, Range<usize>)> {
    let (first, last) = (thin(&mut shares.iter()), thin(&mut shares.iter().rev()));
    let (Some(low), Some(high)) = (numbers.get(first), numbers.len().checked_sub(last + 1).map(|end| numbers[end]))
    else {
        return vec![];
    };
    let span = (i128::from(high) - i128::from(*low) + 1).max(1);
    let widths = (0..19).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i128.pow(power)));
    let wide = widths.into_iter().find(|wide| span / wide < MOST_RANGES).unwrap_or(span);
    let range_of = |n: i64| i128::from(n).div_euclid(wide);
    let (lowest, highest) = (range_of(*low), range_of(high));
    let mut rows: Vec<(i128, Range<usize>)> = Vec::new();
    for (place, n) in numbers.iter().enumerate() {
        let at = range_of(*n).clamp(lowest - 1, highest + 1);
        match rows.last_mut() {
            Some((same, places)) if *same == at => places.end = place + 1,
            _ => rows.push((at, place..place + 1)),
        }
    }
    let label = |at: i128| match wide {
        _ if at < lowest => format!("below {}", lowest * wide),
        _ if at > highest => format!("from {}", at * wide),
        1 => at.to_string(),
        _ => format!("{} … {}", at * wide, at * wide + wide - 1),
    };
    rows.into_iter().map(|(at, places)| (label(at), places)).collect()
}

/// How many outcomes from an end on are thin together.
fn thin(shares: &mut dyn Iterator<Item = &f64>) -> usize {
    let mut mass = 0.0;
    let within = |share: &&f64| {
        mass += **share;
        mass < THIN_END
    };
    shares.take_while(within).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_put_in_ranges() {
        let even = |numbers: &[i64]| ranges(numbers, &vec![1.0 / numbers.len() as f64; numbers.len()]);
        let rows = even(&(-7..94).collect::<Vec<i64>>());
        assert_eq!(rows.first(), Some(&("-10 … -6".to_owned(), 0..2)));
        assert_eq!(rows.last(), Some(&("90 … 94".to_owned(), 97..101)));
        assert!(rows.windows(2).all(|pair| pair[0].1.end == pair[1].1.start));
        assert_eq!(even(&[i64::MIN, i64::MAX]).len(), 2);
        assert_eq!(ranges(&[], &[]), []);
        let rows = ranges(&[1, 2, 3, 4, 5, 6], &[0.0001, 0.0001, 0.5, 0.4998, 0.0, 0.0]);
        let labels: Vec<&str> = rows.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["below 3", "3", "4", "from 5"]);
    }
}
