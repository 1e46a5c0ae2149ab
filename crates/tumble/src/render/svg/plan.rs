//! What a chart of distributions shows, before anything has a place: rows, shape, colours, words.

use super::super::binned::{Column, Numbers, Row, columns, most_probable, numbers, others, range, rest};
use super::super::heading::heading;
use super::super::look::Look;
use super::super::series::Series;
use super::colour::Palette;
use super::paint;
use super::sheet::{Heard, Legend};
use super::words::{legend, trust};
use tumble_core::Diagnostic;

/// A chart has at most so many rows upright, and lying.
const MOST_UPRIGHT: usize = 100;
const MOST_LYING: usize = 30;

/// More bars than this are drawn as lines if there are several distributions.
const MOST_BARS: usize = 72;

/// So few numbers that lie far apart are names rather than places on a scale.
const FEW: usize = 16;

/// The thin ends of a chart with more rows than this are not drawn, nor of one that would have a third fewer rows.
const LONG: usize = 40;
const MUCH_SHORTER: usize = 3;

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
    pub(super) legend: Legend,
    pub(super) palette: Palette,
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
        let (mut rows, shape, scale) = match others(&columns, MOST_LYING) {
            none if none.is_empty() => upright(&mut columns, series, &mut notes),
            some => {
                let mut rows: Vec<Row> = numbers(&columns, MOST_LYING).rows;
                rows.retain(|row| row.most() > 0.0);
                rows.extend(some);
                (drawn(most_probable(rows, MOST_LYING), &mut notes), Shape::Lying, None)
            }
        };
        // What is too rare to be drawn is in the note about trust.
        let open = rest(&columns).filter(|row| shape == Shape::Lying || row.most() >= THIN);
        let rest = open.is_some();
        rows.extend(open);
        notes.extend(trust(series));
        let legend = legend(series, measures, &titles);
        let palette = match legend {
            Legend::Values { .. } => Palette::Ramp(titles.len()),
            Legend::Said(_) | Legend::Rolls(_) => Palette::Distinct(titles.len()),
        };
        Ok(Plan { title: heading(series, look), titles, legend, palette, rows, rest, shape, scale, notes })
    }

    /// The same as a table.
    pub(super) fn heard(&self) -> Heard {
        let cells = |row: &Row| row.shares.iter().map(|share| paint::percent(*share)).collect();
        Heard {
            title: self.title.clone(),
            heads: ["Outcome".to_owned()].into_iter().chain(self.titles.iter().cloned()).collect(),
            rows: self.rows.iter().map(|row| (row.label.clone(), cells(row))).collect(),
        }
    }
}

/// The rows of single outcomes; what the others have together is a note, because its bar would squeeze all others.
fn drawn(rows: Vec<Row>, notes: &mut Vec<String>) -> Vec<Row> {
    let (others, drawn): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.together);
    notes.extend(others.iter().map(|row| {
        let shares: Vec<String> = row.shares.iter().map(|share| paint::percent(*share)).collect();
        format!("not drawn: {} outcomes, together {}", row.label, shares.join(" and "))
    }));
    drawn
}

/// The rows of numbers from left to right.
fn upright(
    columns: &mut [Column],
    series: &[Series],
    notes: &mut Vec<String>,
) -> (Vec<Row>, Shape, Option<(i128, i128)>) {
    if let Some(names) = apart(columns) {
        return (names, Shape::Bars, None);
    }
    notes.extend(trimmed(columns, series));
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
    let row = |n: &i64| Row { label: n.to_string(), shares: shares(*n), exact: vec![], together: false };
    (all.len() <= FEW && span > 3 * all.len() as i128).then(|| all.iter().map(row).collect())
}

/// Takes the thin ends away where that makes the chart much easier to read, and says so. Which ends are thin is a matter
/// of the distributions, whatever is shown of them.
fn trimmed(columns: &mut [Column], series: &[Series]) -> Option<String> {
    let masses: Vec<Column> = series.iter().map(Column::of).collect();
    let low = masses.iter().filter_map(|column| edge(column.numbers.iter())).min()?;
    let high = masses.iter().filter_map(|column| edge(column.numbers.iter().rev())).max()?;
    let all = span(&masses);
    let kept = i128::from(high) - i128::from(low) + 1;
    if all <= LONG as i128 && (all - kept) * (MUCH_SHORTER as i128) < all {
        return None;
    }
    // A row that is drawn is drawn whole.
    let wide = range(i128::from(low), i128::from(high), MOST_UPRIGHT);
    let edge = |n: i64, more: i128| (i128::from(n).div_euclid(wide) + more) * wide;
    let low = i64::try_from(edge(low, 0)).unwrap_or(i64::MIN);
    let high = i64::try_from(edge(high, 1) - 1).unwrap_or(i64::MAX);
    let (mut below, mut above) = (0f64, 0f64);
    for column in &masses {
        let sum = |part: &mut dyn Iterator<Item = (&i64, &f64)>| part.map(|(_, share)| share).sum::<f64>();
        below = below.max(sum(&mut column.numbers.range(..low)));
        above = above.max(sum(&mut column.numbers.iter().filter(|(n, _)| **n > high)));
    }
    columns.iter_mut().for_each(|column| column.numbers.retain(|n, _| (low..=high).contains(n)));
    let most = if masses.len() > 1 { "at most " } else { "" };
    let below = (below > 0.0).then(|| format!("below {low} ({most}{})", paint::percent(below)));
    let above = (above > 0.0).then(|| format!("above {high} ({most}{})", paint::percent(above)));
    let ends: Vec<String> = below.into_iter().chain(above).collect();
    (!ends.is_empty()).then(|| format!("too rare to be drawn: {}", ends.join(" and ")))
}

/// How many whole numbers there are from the smallest to the largest.
fn span(columns: &[Column]) -> i128 {
    let first = columns.iter().filter_map(|column| column.numbers.keys().next()).min();
    let last = columns.iter().filter_map(|column| column.numbers.keys().next_back()).max();
    first.zip(last).map_or(0, |(first, last)| i128::from(*last) - i128::from(*first) + 1)
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
