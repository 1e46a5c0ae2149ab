//! One table across the values of a variable: a row for each outcome, a column for each value.
//!
//! ```text
//!  N =      3      4
//!    3   0.46   0.08
//!    …
//! mean  10.50  12.24
//! ```
//!
//! Many numbers are put together in ranges of equal width. Columns that do not fit the page stand below.

use super::labelled;
use super::width;
use crate::ask::Answer;
use crate::prepared::Prepared;
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::Value;
use tumble_exact::number;

/// More rows than this are no table to look at.
const MOST_ROWS: usize = 40;

/// The longest label of an outcome, in columns.
const LONGEST_LABEL: usize = 30;

/// The answer for one value of the variable.
#[derive(Clone, Debug)]
pub struct Column {
    head: String,
    exact: bool,
    shares: BTreeMap<Value, f64>,
    rest: f64,
    mean: Option<f64>,
    deviation: Option<f64>,
    median: Option<String>,
}

impl Column {
    /// An answer; an approximate one is marked in its head.
    pub fn new(value: i64, prepared: &Prepared, answer: &Answer) -> Column {
        match answer {
            Answer::Exact(odds, _) => Column {
                head: value.to_string(),
                exact: odds.exact(),
                shares: odds.outcomes().map(|(value, chance)| (value.clone(), chance.to_f64())).collect(),
                rest: odds.unresolved().to_f64(),
                mean: odds.mean().map(|mean| mean.to_f64()),
                deviation: odds.deviation(),
                median: odds
                    .median()
                    .filter(|_| odds.values().all(|value| number(value).is_some()))
                    .map(|median| labelled(median, prepared.notation())),
            },
            Answer::Near(near, _) => Column {
                head: format!("≈{value}"),
                exact: false,
                shares: near.outcomes.iter().map(|outcome| (outcome.value.clone(), outcome.share)).collect(),
                rest: 0.0,
                mean: near.mean,
                deviation: near.deviation,
                median: None,
            },
        }
    }

    /// The chance of one of these outcomes; 100 is what is certain.
    fn cell(&self, group: &[&Value]) -> String {
        let found: Vec<f64> = group.iter().filter_map(|value| self.shares.get(*value)).copied().collect();
        let all = !found.is_empty() && found.len() == self.shares.len();
        if all && self.exact && self.rest <= 0.0 { "100.00".to_owned() } else { percent(found.iter().sum()) }
    }
}

/// A line of the table: its label, and a cell for each column.
type Line = (String, Vec<String>);

/// The table of one text, in lines of at most `page` columns.
pub fn table(name: &str, prepared: &Prepared, columns: &[Column], page: usize) -> String {
    let mut lines = vec![(format!("{name} ="), columns.iter().map(|column| column.head.clone()).collect())];
    lines.extend(rows(prepared, columns));
    let summary = summary(columns);
    let gap = if summary.is_empty() { None } else { Some(lines.len()) };
    lines.extend(summary);
    let labels = lines.iter().map(|(label, _)| width(label)).max().unwrap_or(0);
    let widest = lines.iter().flat_map(|(_, cells)| cells).map(|cell| width(cell)).max().unwrap_or(0) + 2;
    let fit = (page.saturating_sub(labels) / widest).max(1);
    let blocks: Vec<String> = (0..columns.len())
        .step_by(fit)
        .map(|from| block(&lines, gap, (labels, widest), from..(from + fit).min(columns.len())))
        .collect();
    let near = columns.iter().any(|column| column.head.starts_with('≈'));
    let about = if near { "; what stands below ≈ is approximate" } else { "" };
    format!("{}chances in percent{about}; --json has the exact fractions\n", blocks.join("\n"))
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
fn rows(prepared: &Prepared, columns: &[Column]) -> Vec<Line> {
    let values: BTreeSet<&Value> = columns.iter().flat_map(|column| column.shares.keys()).collect();
    let (numbers, others): (Vec<&Value>, Vec<&Value>) = values.into_iter().partition(|value| number(value).is_some());
    let step = step(&numbers);
    let mut groups: BTreeMap<i64, Vec<&Value>> = BTreeMap::new();
    for value in numbers {
        groups.entry(number(value).unwrap_or(0).div_euclid(step)).or_default().push(value);
    }
    let mut lines: Vec<Line> = groups.iter().map(|(place, group)| line(range(*place, step), group, columns)).collect();
    for value in others.iter().take(MOST_ROWS) {
        let label = labelled(value, prepared.notation()).replace('\n', " / ");
        let short: String = label.chars().take(LONGEST_LABEL).collect();
        lines.push(line(if short.len() < label.len() { format!("{short}…") } else { short }, &[value], columns));
    }
    if let Some(rare) = others.get(MOST_ROWS..).filter(|rare| !rare.is_empty()) {
        lines.push(line(format!("{} others", rare.len()), rare, columns));
    }
    if columns.iter().any(|column| column.rest > 0.0) {
        lines.push(("not listed".to_owned(), columns.iter().map(|column| percent(column.rest)).collect()));
    }
    lines
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

/// Mean, deviation and median, where a column has them.
fn summary(columns: &[Column]) -> Vec<Line> {
    let numbers = || columns.iter().flat_map(|column| [column.mean, column.deviation]).flatten();
    // The points of all numbers stand below each other, as those of the chances do; small ones need more decimals.
    let places = if numbers().any(|number| number != 0.0 && number.abs() < 0.01) { 4 } else { 2 };
    let decimal = |number: Option<f64>| number.map(|number| format!("{number:.places$}"));
    let lines = [
        ("mean", columns.iter().map(|column| decimal(column.mean)).collect::<Vec<_>>()),
        ("deviation", columns.iter().map(|column| decimal(column.deviation)).collect()),
        ("median", columns.iter().map(|column| column.median.clone()).collect()),
    ];
    let told = lines.into_iter().filter(|(_, cells)| cells.iter().any(Option::is_some));
    told.map(|(label, cells)| (label.to_owned(), cells.into_iter().map(Option::unwrap_or_default).collect())).collect()
}
