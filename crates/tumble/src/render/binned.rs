//! The rows of a chart: one or several distributions over the same outcomes, in bounded number.
//!
//! ```text
//! numbers   every whole number from the joint minimum to the joint maximum; too many are put together
//!           in ranges of equal width, which is 1, 2 or 5 times a power of ten
//! others    every other outcome; of too many the rarest share one row
//! rest      what is not listed
//! ```
//!
//! A distribution has a column for each measure that is shown. At least and at most need numbers; a range shows the
//! chance of its first number or more, or of its last or less, and what is not listed has no row.

use super::series::{Measure, Series, Share};
use std::collections::BTreeMap;
use tumble_core::{Code, Diagnostic, Value};
use tumble_exact::{Side, number};

/// What is not listed is too much to be passed over in silence from here on.
const MUCH: f64 = 0.0005;

/// A label, and a probability for each distribution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) shares: Vec<f64>,
    /// The same as far as it is known, where it is the share of a single outcome.
    pub(super) exact: Vec<Option<Share>>,
    /// Whether it stands for all outcomes that have no row of their own.
    pub(super) together: bool,
}

impl Row {
    /// A row of so many distributions in which nothing can happen yet.
    fn none(label: String, columns: usize) -> Row {
        Row { label, shares: vec![0.0; columns], exact: vec![None; columns], together: false }
    }

    /// The largest of its probabilities.
    pub(super) fn most(&self) -> f64 {
        self.shares.iter().copied().fold(0.0, f64::max)
    }
}

/// The numbers of a chart, in ranges of equal width.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The smallest number of the first row.
    pub(super) first: i128,
    /// How many numbers a row holds.
    pub(super) wide: i128,
    pub(super) rows: Vec<Row>,
}

/// A distribution taken apart: numbers, other outcomes, the rest.
pub(super) struct Column {
    pub(super) title: String,
    pub(super) measure: Measure,
    /// Whether the unlisted outcomes lie where the measure sums from.
    open: bool,
    pub(super) numbers: BTreeMap<i64, f64>,
    exact: BTreeMap<i64, Share>,
    others: BTreeMap<Value, (String, f64, Share)>,
    pub(super) rest: f64,
    beyond: String,
}

/// The columns of all distributions, in all measures.
pub(super) fn columns(series: &[Series], measures: &[Measure]) -> Result<Vec<Column>, Diagnostic> {
    let plain = *measures == [Measure::Exactly];
    let mut columns = Vec::new();
    for one in series {
        for measure in measures {
            let column = match measure {
                Measure::Exactly => Column::of(one),
                _ => Column::summed(one, *measure, series.len() > 1)?,
            };
            let title = format!("{}, {}", one.title(), measure.words());
            columns.push(if plain { column } else { Column { title, rest: 0.0, ..column } });
        }
    }
    Ok(columns)
}

impl Column {
    pub(super) fn of(series: &Series) -> Column {
        let rest = series.rest();
        let mut column = Column {
            title: series.title().to_owned(),
            measure: Measure::Exactly,
            numbers: BTreeMap::new(),
            exact: BTreeMap::new(),
            others: BTreeMap::new(),
            rest: rest.as_ref().map_or(0.0, |rest| rest.share.size()),
            beyond: rest.map_or_else(String::new, |rest| rest.label),
            open: false,
        };
        for point in series.points() {
            // What can happen is never shown as what cannot, however rare it is.
            let share = point.share.size().max(f64::MIN_POSITIVE);
            match point.value.as_ref().map(|value| (value, number(value))) {
                Some((_, Some(n))) => {
                    *column.numbers.entry(n).or_default() += share;
                    let sum = column.exact.get(&n).map_or(point.share.clone(), |before| before.plus(&point.share));
                    column.exact.insert(n, sum);
                }
                Some((value, None)) => {
                    column.others.insert(value.clone(), (point.label, share, point.share));
                }
                None => {}
            }
        }
        column
    }

    /// The chances of each number or more, or or less.
    fn summed(series: &Series, measure: Measure, among_others: bool) -> Result<Column, Diagnostic> {
        let points = series.points();
        let sums: Option<Vec<Share>> = series.measured(&points, measure).into_iter().collect();
        let column = Column::of(series);
        // Beyond the last number of a distribution that has more, only others have rows.
        let sums = sums.filter(|_| column.others.is_empty() && !(among_others && column.rest >= MUCH));
        let Some(sums) = sums else {
            let message = format!(
                "`{}` can't be shown as {}: that needs numbers, with little unlisted, all beyond the listed ones",
                series.title(),
                measure.words()
            );
            return Err(Diagnostic::new(Code::Type, series.whole(), message));
        };
        let exact = points.iter().zip(sums).filter_map(|(point, sum)| Some((number(point.value.as_ref()?)?, sum)));
        let exact: BTreeMap<i64, Share> = exact.collect();
        let numbers = exact.iter().map(|(n, sum)| (*n, sum.size().max(f64::MIN_POSITIVE))).collect();
        let open = matches!((measure, series.side()), (Measure::AtLeast, Side::Above) | (Measure::AtMost, Side::Below));
        Ok(Column { measure, open, numbers, exact, ..column })
    }

    /// What the row of the numbers from `first` to `last` shows.
    pub(super) fn share(&self, first: i64, last: i64) -> f64 {
        // What lies beyond may happen, and is rarer than can be shown.
        let open = if self.open { f64::MIN_POSITIVE } else { 0.0 };
        match self.measure {
            // The sum of no floats is -0.
            Measure::Exactly => self.numbers.range(first..=last).fold(0.0, |sum, (_, share)| sum + share),
            Measure::AtLeast => self.numbers.range(first..).next().map_or(open, |(_, share)| *share),
            Measure::AtMost => self.numbers.range(..=last).next_back().map_or(open, |(_, share)| *share),
        }
    }
}

impl Column {
    /// What the row of the numbers from `first` to `last` shows, if that is the share of one of them.
    fn exactly(&self, first: i64, last: i64) -> Option<Share> {
        let mut inside = self.exact.range(first..=last);
        match self.measure {
            Measure::Exactly => inside.next().filter(|_| inside.next().is_none()),
            Measure::AtLeast => self.exact.range(first..).next(),
            Measure::AtMost => self.exact.range(..=last).next_back(),
        }
        .map(|(_, share)| share.clone())
    }
}

/// The rows of all numbers, at most so many.
pub(super) fn numbers(columns: &[Column], most_rows: usize) -> Numbers {
    let none = Numbers { first: 0, wide: 1, rows: vec![] };
    let ends = |column: &Column| Some((*column.numbers.keys().next()?, *column.numbers.keys().next_back()?));
    let ends: Vec<(i64, i64)> = columns.iter().filter_map(ends).collect();
    let least = ends.iter().map(|(low, _)| i128::from(*low)).min();
    let most = ends.iter().map(|(_, high)| i128::from(*high)).max();
    let (Some(least), Some(most)) = (least, most) else { return none };
    let wide = range(least, most, most_rows);
    let rows = most.div_euclid(wide) - least.div_euclid(wide) + 1;
    let first = least.div_euclid(wide);
    let within = |n: i128| n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
    let row = |row: usize| {
        let start = (first + row as i128) * wide;
        let end = start + wide - 1;
        let label = if wide == 1 { start.to_string() } else { format!("{start} … {end}") };
        let share = |column: &Column| column.share(within(start), within(end));
        let exact = columns.iter().map(|column| column.exactly(within(start), within(end))).collect();
        Row { label, shares: columns.iter().map(share).collect(), exact, together: false }
    };
    let rows = (0..usize::try_from(rows).unwrap_or(most_rows)).map(row).collect();
    Numbers { first: first * wide, wide, rows }
}

/// How many numbers a row holds, so that there are at most so many rows.
pub(super) fn range(least: i128, most: i128, most_rows: usize) -> i128 {
    let rows_of = |wide: i128| most.div_euclid(wide) - least.div_euclid(wide) + 1;
    let mut widths = (0..20).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i128.pow(power)));
    widths.find(|wide| rows_of(*wide) <= most_rows as i128).unwrap_or(most - least + 1)
}

/// The rows of all other outcomes, at most so many.
pub(super) fn others(columns: &[Column], most_rows: usize) -> Vec<Row> {
    let mut rows: BTreeMap<&Value, Row> = BTreeMap::new();
    for (place, column) in columns.iter().enumerate() {
        for (value, (label, share, exact)) in &column.others {
            let row = rows.entry(value).or_insert_with(|| Row::none(label.clone(), columns.len()));
            row.shares[place] = *share;
            row.exact[place] = Some(exact.clone());
        }
    }
    most_probable(rows.into_values().collect(), most_rows)
}

/// The most probable rows in their order; the others share one, which is the last.
pub(super) fn most_probable(rows: Vec<Row>, most_rows: usize) -> Vec<Row> {
    if rows.len() <= most_rows {
        return rows;
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| rows[*b].most().total_cmp(&rows[*a].most()));
    let mut shown = vec![false; rows.len()];
    order[..most_rows - 1].iter().for_each(|place| shown[*place] = true);
    let size = rows.first().map_or(0, |row| row.shares.len());
    let label = format!("{} more", rows.len() + 1 - most_rows);
    let mut last = Row { together: true, ..Row::none(label, size) };
    let mut kept = Vec::with_capacity(most_rows);
    for (row, shown) in rows.into_iter().zip(shown) {
        if shown {
            kept.push(row);
        } else {
            last.shares.iter_mut().zip(&row.shares).for_each(|(sum, share)| *sum += share);
        }
    }
    kept.push(last);
    kept
}

/// What is not listed.
pub(super) fn rest(columns: &[Column]) -> Option<Row> {
    let open = columns.iter().any(|column| column.rest > 0.0);
    let label = match columns {
        [one] => one.beyond.clone(),
        _ => "not listed".to_owned(),
    };
    open.then(|| Row { shares: columns.iter().map(|column| column.rest).collect(), ..Row::none(label, columns.len()) })
}
