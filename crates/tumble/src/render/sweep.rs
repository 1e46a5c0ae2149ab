//! One table across the values of a variable: a row for each outcome, a column for each value.
//!
//! ```text
//!  N =      3      4
//!    3   0.46   0.08
//!    …
//! mean  10.50  12.24
//! ```
//!
//! Many numbers are put together in ranges of equal width. Columns that do not fit the page continue below. What is asked
//! for besides "exactly", or instead of it, is a table of its own under its name; a range then shows the chance of its
//! first number or more, or of its last or less.

use super::look::Look;
use super::series::{Measure, Point, Series, Share};
use super::text::NEEDS_NUMBERS;
use super::width;
use crate::ask::Answer;
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::Value;
use tumble_exact::{Fraction, Side, number};

/// More rows than this are no table to look at.
const MOST_ROWS: usize = 40;

/// Numbers at the ends that are rarer than this in every column have one row together.
const RARE: f64 = 0.00005;

/// The longest label of an outcome, in columns.
const LONGEST_LABEL: usize = 30;

/// The answer for one value of the variable.
#[derive(Clone, Debug)]
pub struct Column {
    head: String,
    series: Series,
    exact: bool,
    shares: BTreeMap<Value, f64>,
    rest: f64,
    mean: Option<f64>,
    deviation: Option<f64>,
    median: Option<String>,
}

impl Column {
    /// An answer; an approximate one is marked in its head.
    pub fn new(value: i64, series: Series) -> Column {
        let points = series.points();
        let shares = points.iter().filter_map(|point| Some((point.value.clone()?, point.share.size()))).collect();
        let rest = series.rest().map_or(0.0, |rest| rest.share.size());
        let (head, exact, mean, deviation) = match series.answer() {
            Answer::Exact(odds, _) => {
                (value.to_string(), odds.exact(), odds.mean().map(|mean| mean.to_f64()), odds.deviation())
            }
            Answer::Approximate(near, _) => (format!("≈{value}"), false, near.mean, near.deviation),
        };
        let median = match series.answer() {
            Answer::Exact(odds, _) if odds.values().all(|value| number(value).is_some()) => {
                odds.median().map(|median| series.label(median))
            }
            Answer::Exact(..) | Answer::Approximate(..) => None,
        };
        Column { head, series, exact, shares, rest, mean, deviation, median }
    }

    /// The chance of one of these outcomes; 100 is what is certain.
    fn cell(&self, group: &[&Value]) -> String {
        let found: Vec<f64> = group.iter().filter_map(|value| self.shares.get(*value)).copied().collect();
        let all = !found.is_empty() && found.len() == self.shares.len();
        if all && self.exact && self.rest <= 0.0 { "100.00".to_owned() } else { percent(found.iter().sum()) }
    }

    /// The chances of each listed number and all beyond it, in ascending order; none where they cannot be known.
    fn sums(&self, measure: Measure) -> Option<Vec<(i64, String)>> {
        let points = self.series.points();
        let sum = |(point, share): (&Point, Option<Share>)| Some((number(point.value.as_ref()?)?, percent_of(&share?)));
        points.iter().zip(self.series.measured(&points, measure)).map(sum).collect()
    }

    /// The chance of this number or one beyond it, as far as the sums tell; what lies beyond them all is impossible
    /// unless something there is not listed.
    fn beyond(&self, n: i64, sums: &[(i64, String)], measure: Measure) -> String {
        let next = sums.partition_point(|(listed, _)| *listed < n + i64::from(measure == Measure::AtMost));
        let (found, side) = match measure {
            Measure::AtLeast => (sums.get(next), Side::Above),
            Measure::AtMost | Measure::Exactly => (next.checked_sub(1).and_then(|at| sums.get(at)), Side::Below),
        };
        match found {
            Some((_, share)) => share.clone(),
            None if self.series.side() == side => String::new(),
            None => "0.00".to_owned(),
        }
    }
}

/// A line of the table: its label, and a cell for each column.
pub(super) type Line = (String, Vec<String>);

/// The table of one roll: what `look` wants shown, as wide as it says.
pub fn table(name: &str, columns: &[Column], look: &Look) -> String {
    let measures = look.measures();
    let several = measures != [Measure::Exactly];
    let tables: Vec<String> = measures
        .iter()
        .enumerate()
        .map(|(place, measure)| {
            let title = if several { format!("{}\n", measure.words()) } else { String::new() };
            title + &measured(name, columns, *measure, place + 1 == measures.len(), look)
        })
        .collect();
    let near = columns.iter().any(|column| column.head.starts_with('≈'));
    let about = if near { "; columns marked ≈ are approximate" } else { "" };
    let unknown = |measure: &Measure| columns.iter().any(|column| column.sums(*measure).is_none());
    let why =
        if measures.iter().filter(|measure| **measure != Measure::Exactly).any(unknown) { NEEDS_NUMBERS } else { "" };
    format!("{}{why}chances in percent{about}; JSON has the exact fractions\n", tables.join("\n"))
}

/// The table of one measure, in blocks that fit the page; the last one has the summary.
fn measured(name: &str, columns: &[Column], measure: Measure, last: bool, look: &Look) -> String {
    let mut lines = vec![(format!("{name} ="), columns.iter().map(|column| column.head.clone()).collect())];
    lines.extend(match measure {
        Measure::Exactly => rows(columns, look.all),
        Measure::AtLeast | Measure::AtMost => sums(columns, measure, look.all),
    });
    let summary = if last { summary(columns) } else { vec![] };
    let gap = if summary.is_empty() { None } else { Some(lines.len()) };
    lines.extend(summary);
    blocks(&lines, gap, look.width)
}

/// Lines of equally many cells, in blocks of columns that fit the page; a blank line is before the line `gap`.
pub(super) fn blocks(lines: &[Line], gap: Option<usize>, page: usize) -> String {
    let labels = lines.iter().map(|(label, _)| width(label)).max().unwrap_or(0);
    let widest = lines.iter().flat_map(|(_, cells)| cells).map(|cell| width(cell)).max().unwrap_or(0) + 2;
    let fit = (page.saturating_sub(labels) / widest).max(1);
    let columns = lines.first().map_or(0, |(_, cells)| cells.len());
    let blocks: Vec<String> = (0..columns)
        .step_by(fit)
        .map(|from| block(lines, gap, (labels, widest), from..(from + fit).min(columns)))
        .collect();
    blocks.join("\n")
}

fn block(lines: &[Line], gap: Option<usize>, (labels, widest): (usize, usize), part: std::ops::Range<usize>) -> String {
    let mut out = String::new();
    for (number, (label, cells)) in lines.iter().enumerate() {
        if gap == Some(number) {
            out.push('\n');
        }
        out.push_str(&format!("{}{label}", " ".repeat(labels - width(label))));
        for cell in &cells[part.clone()] {
            out.push_str(&format!("{}{cell}", " ".repeat(widest - width(cell))));
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

/// The outcomes of all columns, numbers in ranges if there are many.
fn rows(columns: &[Column], all: bool) -> Vec<Line> {
    let values: BTreeSet<&Value> = columns.iter().flat_map(|column| column.shares.keys()).collect();
    let (numbers, others): (Vec<&Value>, Vec<&Value>) = values.into_iter().partition(|value| number(value).is_some());
    let Parts { low, common, high, step } = Parts::of(columns, &numbers, all);
    let mut groups: BTreeMap<i64, Vec<&Value>> = BTreeMap::new();
    for value in common {
        groups.entry(place(value, step)).or_default().push(value);
    }
    let end = |group: &[&Value], value: &&Value, words: &dyn Fn(i64) -> String| match number(value).unwrap_or(0) {
        // One number needs no words.
        n if group.len() == 1 => n.to_string(),
        n => words(n),
    };
    let mut lines: Vec<Line> = Vec::new();
    lines.extend(low.last().map(|last| line(end(low, last, &|n| format!("up to {n}")), low, columns)));
    lines.extend(groups.iter().map(|(place, group)| line(range(*place, step), group, columns)));
    lines.extend(high.first().map(|first| line(end(high, first, &|n| format!("{n} and up")), high, columns)));
    let most = if all { others.len() } else { MOST_ROWS };
    for value in others.iter().take(most) {
        let label = columns.first().map_or_else(String::new, |one| one.series.label(value));
        let label = label.replace('\n', " / ");
        let short: String = label.chars().take(LONGEST_LABEL).collect();
        lines.push(line(if short.len() < label.len() { format!("{short}…") } else { short }, &[value], columns));
    }
    if let Some(rare) = others.get(most..).filter(|rare| !rare.is_empty()) {
        lines.push(line(format!("{} others", rare.len()), rare, columns));
    }
    if columns.iter().any(|column| column.rest > 0.0) {
        lines.push(("not listed".to_owned(), columns.iter().map(|column| percent(column.rest)).collect()));
    }
    lines
}

/// The chances of each number or one beyond it.
fn sums(columns: &[Column], measure: Measure, all: bool) -> Vec<Line> {
    let known: Vec<Option<Vec<(i64, String)>>> = columns.iter().map(|column| column.sums(measure)).collect();
    let shown = columns.iter().zip(&known).filter(|(_, sums)| sums.is_some());
    let numbers: Vec<&Value> =
        shown.flat_map(|(column, _)| column.shares.keys()).collect::<BTreeSet<_>>().into_iter().collect();
    let Parts { low, common, high, step } = Parts::of(columns, &numbers, all);
    // Of the rare ones the first says how rare they are together.
    let next = match measure {
        Measure::AtMost => low.last(),
        Measure::AtLeast | Measure::Exactly => high.first(),
    };
    let shown = common.iter().chain(next);
    let places: BTreeSet<i64> = shown.map(|value| place(value, step)).collect();
    let edge = |place: i64| match measure {
        Measure::AtMost => place.saturating_mul(step).saturating_add(step - 1),
        Measure::AtLeast | Measure::Exactly => place.saturating_mul(step),
    };
    let line = |n: i64| {
        let cell = |(column, sums): (&Column, &Option<Vec<(i64, String)>>)| {
            sums.as_ref().map_or_else(String::new, |sums| column.beyond(n, sums, measure))
        };
        (n.to_string(), columns.iter().zip(&known).map(cell).collect())
    };
    places.into_iter().map(|place| line(edge(place))).collect()
}

/// The numbers in ranges of one width: those that are rare in every column at the low end, those between, and those at the
/// high end. No range is cut in two.
struct Parts<'n, 'v> {
    low: &'n [&'v Value],
    common: &'n [&'v Value],
    high: &'n [&'v Value],
    step: i64,
}

impl<'n, 'v> Parts<'n, 'v> {
    fn of(columns: &[Column], numbers: &'n [&'v Value], all: bool) -> Parts<'n, 'v> {
        let whole = Parts { low: &[], common: numbers, high: &[], step: 1 };
        let often = |value: &&&Value| {
            columns.iter().any(|column| column.shares.get(**value).is_some_and(|share| *share >= RARE))
        };
        let (Some(first), Some(last)) = (numbers.iter().find(often), numbers.iter().rfind(often)) else {
            return Parts { step: if all { 1 } else { step(numbers) }, ..whole };
        };
        if all {
            return whole;
        }
        let step = step(&[*first, *last]);
        let from = numbers.partition_point(|value| place(value, step) < place(first, step));
        let to = numbers.partition_point(|value| place(value, step) <= place(last, step));
        Parts { low: &numbers[..from], common: &numbers[from..to], high: &numbers[to..], step }
    }
}

/// The range that a number is in.
fn place(value: &Value, step: i64) -> i64 {
    number(value).unwrap_or(0).div_euclid(step)
}

fn line(label: String, group: &[&Value], columns: &[Column]) -> Line {
    (label, columns.iter().map(|column| column.cell(group)).collect())
}

/// The width of the ranges: 1, 2 or 5 with zeros behind it.
fn step(numbers: &[&Value]) -> i64 {
    let end = |value: Option<&&Value>| value.and_then(|value| number(value)).unwrap_or(0);
    let span = end(numbers.last()).abs_diff(end(numbers.first()));
    let steps = (0..19).flat_map(|zeros| [1, 2, 5].map(|lead: i64| lead.saturating_mul(10i64.saturating_pow(zeros))));
    steps.into_iter().find(|step| span / step.unsigned_abs() < MOST_ROWS as u64).unwrap_or(i64::MAX)
}

fn range(place: i64, step: i64) -> String {
    let from = place.saturating_mul(step);
    if step == 1 { from.to_string() } else { format!("{from} … {}", from.saturating_add(step - 1)) }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        none if none <= 0.0 => "–".to_owned(),
        few if few < 0.005 => "<0.01".to_owned(),
        most if most >= 99.995 => ">99.99".to_owned(),
        other => format!("{other:.2}"),
    }
}

/// A share in percent; what is certain is only what is known to be.
fn percent_of(share: &Share) -> String {
    match share {
        Share::Exact(chance) if *chance == Fraction::one() => "100.00".to_owned(),
        other => percent(other.size()),
    }
}

/// Mean, standard deviation and median, where a column has them.
fn summary(columns: &[Column]) -> Vec<Line> {
    let numbers = || columns.iter().flat_map(|column| [column.mean, column.deviation]).flatten();
    // The points of all numbers stand below each other, as those of the chances do; small ones need more decimals.
    let places = if numbers().any(|number| number != 0.0 && number.abs() < 0.01) { 4 } else { 2 };
    let decimal = |number: Option<f64>| number.map(|number| format!("{number:.places$}"));
    let lines = [
        ("mean", columns.iter().map(|column| decimal(column.mean)).collect::<Vec<_>>()),
        ("std dev", columns.iter().map(|column| decimal(column.deviation)).collect()),
        ("median", columns.iter().map(|column| column.median.clone()).collect()),
    ];
    let told = lines.into_iter().filter(|(_, cells)| cells.iter().any(Option::is_some));
    told.map(|(label, cells)| (label.to_owned(), cells.into_iter().map(Option::unwrap_or_default).collect())).collect()
}
