//! What a chart shows, before anything has a place: rows, shape, words.

use super::super::binned::{Column, Numbers, Row, columns, most_probable, numbers, others, range, rest};
use super::super::heading::heading;
use super::super::look::Look;
use super::super::series::{Measure, Series};
use super::paint;
use tumble_core::Diagnostic;

/// A chart has at most so many rows upright, and lying.
const MOST_UPRIGHT: usize = 100;
const MOST_LYING: usize = 30;

/// More bars than this are drawn as lines if there are several distributions.
const MOST_BARS: usize = 72;

/// So few numbers that lie far apart are names rather than places on a scale.
const FEW: usize = 16;

/// The thin ends of a chart with more rows than this are not drawn.
const LONG: usize = 40;

/// Titles in a note are cut to this width.
const SHORT_TITLE: f64 = 220.0;

/// Less than this is thin.
const THIN: f64 = 0.0005;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Bars,
    Lines,
    Lying,
}

/// What a chart shows.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) title: String,
    pub(super) titles: Vec<String>,
    /// The title of each distribution, and what can be said of it.
    pub(super) said: Vec<(String, String)>,
    pub(super) rows: Vec<Row>,
    /// Whether the last row is what is not listed.
    pub(super) rest: bool,
    pub(super) shape: Shape,
    /// Where the numbers are on a scale: the first of them, and how many a row holds.
    pub(super) scale: Option<(i128, i128)>,
    pub(super) notes: Vec<String>,
}

impl Plan {
    pub(super) fn new(series: &[Series], look: &Look) -> Result<Plan, Diagnostic> {
        let measures = &look.measures();
        let mut columns = columns(series, measures)?;
        let titles: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
        let mut notes = Vec::new();
        // What is said of a distribution stands beside the first of its measures.
        let said = |(place, title): (usize, &String)| {
            let one = &series[place / measures.len()];
            let said = if place % measures.len() == 0 { one.said().join(", ") } else { String::new() };
            (title.clone(), said)
        };
        let (mut rows, shape, scale) = match others(&columns, MOST_LYING) {
            none if none.is_empty() => upright(&mut columns, &mut notes),
            some => {
                let mut rows: Vec<Row> = numbers(&columns, MOST_LYING).rows;
                rows.retain(|row| row.most() > 0.0);
                rows.extend(some);
                (most_probable(rows, MOST_LYING), Shape::Lying, None)
            }
        };
        // What is too rare to be drawn is told by the note about trust.
        let open = rest(&columns).filter(|row| shape == Shape::Lying || row.most() >= THIN);
        let rest = open.is_some();
        rows.extend(open);
        notes.extend(trust(series));
        let title = heading(series, look);
        Ok(Plan { title, said: titles.iter().enumerate().map(said).collect(), titles, rows, rest, shape, scale, notes })
    }
}

/// How far the distributions can be trusted; what is the same for all is said once.
fn trust(series: &[Series]) -> Vec<String> {
    let notes: Vec<String> = series.iter().map(Series::note).collect();
    if notes.windows(2).all(|two| two[0] == two[1]) {
        let each = if notes.len() > 1 { "each: " } else { "" };
        return notes.first().map(|note| format!("{each}{note}")).into_iter().collect();
    }
    let line = |(one, note): (&Series, &String)| format!("{}: {note}", paint::cut(one.title(), SHORT_TITLE, 12.0));
    series.iter().zip(&notes).map(line).collect()
}

/// The rows of numbers from left to right.
fn upright(columns: &mut [Column], notes: &mut Vec<String>) -> (Vec<Row>, Shape, Option<(i128, i128)>) {
    if let Some(names) = apart(columns) {
        return (names, Shape::Bars, None);
    }
    let plain = columns.iter().all(|column| column.measure == Measure::Exactly);
    if plain && numbers(columns, LONG).wide > 1 {
        notes.extend(trimmed(columns));
    }
    let Numbers { first, wide, rows } = numbers(columns, MOST_UPRIGHT);
    if wide > 1 {
        let each = if columns.len() > 1 { "each point" } else { "each bar" };
        notes.push(format!("{each} holds {wide} numbers"));
    }
    let lines = columns.len() > 1 && rows.len() * columns.len() > MOST_BARS;
    (rows, if lines { Shape::Lines } else { Shape::Bars }, Some((first, wide)))
}

/// A row for each number, if they are few and lie far apart.
fn apart(columns: &[Column]) -> Option<Vec<Row>> {
    let mut all: Vec<i64> = columns.iter().flat_map(|column| column.numbers.keys().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let span = i128::from(*all.last()?) - i128::from(*all.first()?) + 1;
    let shares = |n: i64| columns.iter().map(|column| column.share(n, n)).collect();
    let row = |n: &i64| Row { label: n.to_string(), shares: shares(*n) };
    (all.len() <= FEW && span > 3 * all.len() as i128).then(|| all.iter().map(row).collect())
}

/// Takes the thin ends away, and says so.
fn trimmed(columns: &mut [Column]) -> Option<String> {
    let low = columns.iter().filter_map(|column| edge(column.numbers.iter())).min()?;
    let high = columns.iter().filter_map(|column| edge(column.numbers.iter().rev())).max()?;
    // A row that is drawn is drawn whole.
    let wide = range(i128::from(low), i128::from(high), MOST_UPRIGHT);
    let edge = |n: i64, more: i128| (i128::from(n).div_euclid(wide) + more) * wide;
    let low = i64::try_from(edge(low, 0)).unwrap_or(i64::MIN);
    let high = i64::try_from(edge(high, 1) - 1).unwrap_or(i64::MAX);
    let (mut below, mut above) = (0f64, 0f64);
    for column in columns {
        let sum = |part: &mut dyn Iterator<Item = (&i64, &f64)>| part.map(|(_, share)| share).sum::<f64>();
        below = below.max(sum(&mut column.numbers.range(..low)));
        above = above.max(sum(&mut column.numbers.iter().filter(|(n, _)| **n > high)));
        column.numbers.retain(|n, _| (low..=high).contains(n));
    }
    let below = (below > 0.0).then(|| format!("below {low} ({})", paint::percent(below)));
    let above = (above > 0.0).then(|| format!("above {high} ({})", paint::percent(above)));
    let ends: Vec<String> = below.into_iter().chain(above).collect();
    (!ends.is_empty()).then(|| format!("too rare to be drawn: {}", ends.join(" and ")))
}

/// The first number from an end on that is not thin together with those before it.
fn edge<'c>(mut numbers: impl Iterator<Item = (&'c i64, &'c f64)>) -> Option<i64> {
    let mut mass = 0.0;
    let thick = |(_, share): &(&'c i64, &'c f64)| {
        mass += **share;
        mass >= THIN
    };
    numbers.find(thick).map(|(n, _)| *n)
}
