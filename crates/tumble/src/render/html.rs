//! A table in HTML, one column per distribution; with Charts.css on the page it is a bar chart.
//!
//! ```text
//! table   caption, head, body                 a fragment: the page around it is somebody else's
//! head    "Outcome", the canonical texts
//! row     every whole number from the joint minimum to the joint maximum, then every other outcome,
//!         then what is not listed
//! cell    --size: the probability, as a share of the largest in the table
//! ```
//!
//! A table never has more than [`MOST_ROWS`] rows of either sort: numbers are put together in ranges of
//! equal width, and of other outcomes the rarest share one row.

use super::text::{note, summary};
use super::{labelled, near, width};
use crate::near::{Near, Nearly};
use crate::prepared::Prepared;
use crate::reduced::Reduced;
use std::collections::BTreeMap;
use tumble_core::{Diagnostic, Value};
use tumble_exact::{Side, number};

/// More rows than this are no chart any more.
pub const MOST_ROWS: usize = 400;

/// The widest column of labels, in characters.
const WIDEST_LABEL: usize = 34;

/// A distribution with its heading.
#[derive(Clone, Debug)]
pub struct Column {
    title: String,
    /// What can be said about the whole.
    note: String,
    numbers: BTreeMap<i64, f64>,
    /// All other outcomes, with their labels.
    others: BTreeMap<Value, (String, f64)>,
    /// What is not listed, and where it is if that is known.
    rest: f64,
    beyond: Option<String>,
}

impl Column {
    /// An exact distribution.
    pub fn exact(prepared: &Prepared, reduced: &Reduced<'_>) -> Column {
        let mut said = summary(prepared, reduced);
        said.push(note(reduced));
        let mut column = Column::new(prepared, said.join(", "));
        for (value, chance) in reduced.outcomes() {
            column.put(prepared, value, chance.to_f64());
        }
        column.rest = reduced.unresolved.to_f64();
        let last = match reduced.odds.side() {
            Side::Above => reduced.odds.values().next_back().map(|value| ("above", value)),
            Side::Below => reduced.odds.values().next().map(|value| ("below", value)),
            Side::Nowhere | Side::Both | Side::Anywhere => None,
        };
        column.beyond = last.map(|(word, value)| format!("{word} {}", labelled(value, prepared.notation())));
        column
    }

    /// An approximate distribution; `why` says why there is no exact one.
    pub fn near(prepared: &Prepared, near: &Near, why: &Diagnostic) -> Column {
        let note = format!("APPROXIMATE: {}; not exact, because of a limit: {}", near::source(near), why.message);
        let mut column = Column::new(prepared, note);
        for outcome in &near.outcomes {
            column.put(prepared, &outcome.value, outcome.share);
        }
        if let Nearly::Rolls { rolls, given_up, .. } = near.by {
            column.rest = given_up as f64 / rolls.max(1) as f64;
        }
        column
    }

    fn new(prepared: &Prepared, note: String) -> Column {
        let text = prepared.text().to_owned();
        let title = (prepared.notation().spell)(&text).unwrap_or(text);
        Column { title, note, numbers: BTreeMap::new(), others: BTreeMap::new(), rest: 0.0, beyond: None }
    }

    fn put(&mut self, prepared: &Prepared, value: &Value, share: f64) {
        // What can happen is never shown as what cannot, however rare it is.
        let share = share.max(f64::MIN_POSITIVE);
        match number(value) {
            Some(n) => *self.numbers.entry(n).or_default() += share,
            None => {
                let label = || (labelled(value, prepared.notation()), 0.0);
                self.others.entry(value.clone()).or_insert_with(label).1 += share;
            }
        }
    }
}

/// The table of one or several distributions, side by side.
pub fn table(columns: &[Column]) -> String {
    let (mut rows, wide) = numbers(columns);
    rows.extend(others(columns));
    rows.extend(rest(columns));
    let largest = rows.iter().flat_map(|row| &row.shares).copied().fold(0.0, f64::max);
    let lines = |label: &str| label.lines().map(width).max().unwrap_or(0);
    let labels = rows.iter().map(|row| lines(&row.label)).max().unwrap_or(0).clamp(2, WIDEST_LABEL) + 1;
    let mut out = format!(
        "<table class=\"charts-css bar [ show-data-on-hover data-start ] multiple show-heading show-labels\" \
         style=\"--labels-size: {labels}ch\">\n"
    );
    out.push_str(&format!("<caption>{}</caption>\n", caption(columns, wide)));
    let heads = columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", escaped(&column.title)));
    out.push_str(&format!("<thead>\n<tr><th scope=\"col\">Outcome</th>{}</tr>\n</thead>\n", heads.collect::<String>()));
    let rows = rows.iter().map(|row| row.written(largest));
    out.push_str(&format!("<tbody>\n{}</tbody>\n</table>\n", rows.collect::<String>()));
    out
}

/// A label, and a probability for each column.
struct Row {
    label: String,
    shares: Vec<f64>,
}

impl Row {
    fn written(&self, largest: f64) -> String {
        let cell = |share: &f64| {
            let size = if largest > 0.0 { share / largest } else { 0.0 };
            format!("<td style=\"--size: {size:.4}\"><span class=\"data\">{}</span></td>", percent(*share))
        };
        let cells: String = self.shares.iter().map(cell).collect();
        format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped(&self.label))
    }
}

/// One decimal, but never 0 for what can happen nor 100 for what can fail; 0 is what cannot happen.
fn percent(share: f64) -> String {
    match share {
        0.0 => "0%".to_owned(),
        1.0 => "100%".to_owned(),
        0.0005..0.9995 => format!("{:.1}%", share * 100.0),
        0.5.. => "&gt;99.9%".to_owned(),
        _ => "&lt;0.1%".to_owned(),
    }
}

/// A row for each number from the smallest to the largest of all columns; how many numbers a row holds.
fn numbers(columns: &[Column]) -> (Vec<Row>, i128) {
    let ends = |column: &Column| Some((*column.numbers.keys().next()?, *column.numbers.keys().next_back()?));
    let ends: Vec<(i64, i64)> = columns.iter().filter_map(ends).collect();
    let least = ends.iter().map(|(low, _)| i128::from(*low)).min();
    let most = ends.iter().map(|(_, high)| i128::from(*high)).max();
    let (Some(least), Some(most)) = (least, most) else { return (vec![], 1) };
    let rows_of = |wide: i128| most.div_euclid(wide) - least.div_euclid(wide) + 1;
    let mut widths = (0..20).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i128.pow(power)));
    let wide = widths.find(|wide| rows_of(*wide) <= MOST_ROWS as i128).unwrap_or(most - least + 1);
    let first = least.div_euclid(wide);
    let mut shares = vec![vec![0.0; columns.len()]; usize::try_from(rows_of(wide)).unwrap_or(MOST_ROWS)];
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
    (shares.into_iter().enumerate().map(|(row, shares)| Row { label: label(row), shares }).collect(), wide)
}

/// A row for each outcome that is no number; the rarest share one if there are many.
fn others(columns: &[Column]) -> Vec<Row> {
    let mut rows: BTreeMap<&Value, Row> = BTreeMap::new();
    for (place, column) in columns.iter().enumerate() {
        for (value, (label, share)) in &column.others {
            let fresh = || Row { label: label.clone(), shares: vec![0.0; columns.len()] };
            rows.entry(value).or_insert_with(fresh).shares[place] = *share;
        }
    }
    let rows: Vec<Row> = rows.into_values().collect();
    if rows.len() <= MOST_ROWS {
        return rows;
    }
    let size = |row: &Row| row.shares.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| size(&rows[*b]).total_cmp(&size(&rows[*a])));
    let mut shown = vec![false; rows.len()];
    order[..MOST_ROWS - 1].iter().for_each(|place| shown[*place] = true);
    let mut last = Row { label: format!("{} more", rows.len() + 1 - MOST_ROWS), shares: vec![0.0; columns.len()] };
    let mut kept = Vec::with_capacity(MOST_ROWS);
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
fn rest(columns: &[Column]) -> Option<Row> {
    let open = columns.iter().any(|column| column.rest > 0.0);
    let label = match columns {
        [Column { beyond: Some(beyond), .. }] => beyond.clone(),
        _ => "not listed".to_owned(),
    };
    open.then(|| Row { label, shares: columns.iter().map(|column| column.rest).collect() })
}

fn caption(columns: &[Column], wide: i128) -> String {
    let about = |column: &Column| match columns {
        [_] => column.note.clone(),
        _ => format!("{}: {}", column.title, column.note),
    };
    let mut said: Vec<String> = columns.iter().map(about).collect();
    if wide > 1 {
        said.push(format!("each row of numbers holds {wide} of them"));
    }
    escaped(&said.join("; "))
}

/// A text as HTML needs it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push_str("<br>"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
