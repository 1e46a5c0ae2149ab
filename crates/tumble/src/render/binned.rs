//! The rows of a chart: one or several distributions over the same outcomes, in bounded number.
//!
//! ```text
//! numbers   every whole number from the joint minimum to the joint maximum; too many are put together
//!           in ranges of equal width, which is 1, 2 or 5 times a power of ten
//! others    every other outcome; of too many the rarest share one row
//! rest      what is not listed
//! ```

use super::series::Series;
use std::collections::BTreeMap;
use tumble_core::Value;
use tumble_exact::number;

/// A label, and a probability for each distribution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) shares: Vec<f64>,
}

impl Row {
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
    pub(super) numbers: BTreeMap<i64, f64>,
    others: BTreeMap<Value, (String, f64)>,
    pub(super) rest: f64,
    beyond: String,
}

impl Column {
    pub(super) fn of(series: &Series) -> Column {
        let rest = series.rest();
        let mut column = Column {
            numbers: BTreeMap::new(),
            others: BTreeMap::new(),
            rest: rest.as_ref().map_or(0.0, |rest| rest.share.size()),
            beyond: rest.map_or_else(String::new, |rest| rest.label),
        };
        for point in series.points() {
            // What can happen is never shown as what cannot, however rare it is.
            let share = point.share.size().max(f64::MIN_POSITIVE);
            match point.value.as_ref().map(|value| (value, number(value))) {
                Some((_, Some(n))) => *column.numbers.entry(n).or_default() += share,
                Some((value, None)) => {
                    column.others.entry(value.clone()).or_insert_with(|| (point.label, 0.0)).1 += share;
                }
                None => {}
            }
        }
        column
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
    let mut shares = vec![vec![0.0; columns.len()]; usize::try_from(rows).unwrap_or(most_rows)];
    for (place, column) in columns.iter().enumerate() {
        for (n, share) in &column.numbers {
            let row = usize::try_from(i128::from(*n).div_euclid(wide) - first).unwrap_or(0);
            shares[row][place] += share;
        }
    }
    let label = |row: usize| {
        let start = (first + row as i128) * wide;
        if wide == 1 { start.to_string() } else { format!("{start} … {}", start + wide - 1) }
    };
    let rows = shares.into_iter().enumerate().map(|(row, shares)| Row { label: label(row), shares }).collect();
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
        for (value, (label, share)) in &column.others {
            let fresh = || Row { label: label.clone(), shares: vec![0.0; columns.len()] };
            rows.entry(value).or_insert_with(fresh).shares[place] = *share;
        }
    }
    most_probable(rows.into_values().collect(), most_rows)
}

/// The most probable rows in their order; the others share one.
pub(super) fn most_probable(rows: Vec<Row>, most_rows: usize) -> Vec<Row> {
    if rows.len() <= most_rows {
        return rows;
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| rows[*b].most().total_cmp(&rows[*a].most()));
    let mut shown = vec![false; rows.len()];
    order[..most_rows - 1].iter().for_each(|place| shown[*place] = true);
    let size = rows.first().map_or(0, |row| row.shares.len());
    let mut last = Row { label: format!("{} more", rows.len() + 1 - most_rows), shares: vec![0.0; size] };
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
    open.then(|| Row { label, shares: columns.iter().map(|column| column.rest).collect() })
}
