//! The rows of a table of odds: outcome, percent, fraction if it is short, bar.

use super::text::PAGE;
use super::width::columns;
use super::{labelled, width};
use crate::near::{Near, NearOutcome, Nearly};
use crate::prepared::Prepared;
use crate::reduced::Reduced;
use std::ops::Range;
use tumble_core::Value;
use tumble_exact::{Fraction, Side, number};

const WIDEST_OUTCOME: usize = 34;
const LONGEST_FRACTION: usize = 13;
const GAP: &str = "  ";

/// Fractions with more digits than this are rounded as floats.
const LONG_FRACTION: usize = 100;

/// Tables with more rows than this have their thin ends folded.
const LONG_TABLE: usize = 40;

/// Ends with less than this together are one row of a long approximate table.
const THIN_END: f64 = 0.0005;

/// Of a long approximate table, so many outcomes or ranges are shown.
const MOST_SEEN: usize = 20;
const MOST_RANGES: i128 = 25;

/// Ends of a table with fewer rows than this are not worth folding.
const SHORTEST_FOLD: usize = 3;

/// All rows, each with its line end.
pub(super) fn table(prepared: &Prepared, reduced: &Reduced<'_>, all: bool) -> String {
    written(&rows(prepared, reduced, all))
}

/// The same for an approximate distribution, with bounds in place of fractions. A long table of
/// numbers shows ranges of equal width, one of other outcomes those that come most often.
pub(super) fn near<'n>(prepared: &Prepared, near: &'n Near, all: bool) -> String {
    let numbers: Option<Vec<i64>> = near.outcomes.iter().map(|outcome| number(&outcome.value)).collect();
    let groups: Vec<(String, Vec<&NearOutcome>)> = match &numbers {
        Some(numbers) if !all && near.outcomes.len() > LONG_TABLE => {
            let shares: Vec<f64> = near.outcomes.iter().map(|outcome| outcome.share).collect();
            let ranges = ranges(numbers, &shares).into_iter();
            ranges.map(|(label, places)| (label, near.outcomes[places].iter().collect())).collect()
        }
        _ => {
            let alone = |outcome: &'n NearOutcome| (labelled(&outcome.value, prepared.notation()), vec![outcome]);
            let single: Vec<_> = near.outcomes.iter().map(alone).collect();
            if all || single.len() <= LONG_TABLE { single } else { most_seen(single) }
        }
    };
    let row = |label: &str, (share, (low, high)): (f64, (f64, f64))| Row {
        label: wrapped(label),
        percent: format!("≈{}", near_percent(share)),
        fraction: format!("{:.2}–{:.2} %", low * 100.0, high * 100.0),
        size: share,
        number: numbers.is_some(),
    };
    let mut rows: Vec<Row> = groups.iter().map(|(label, members)| row(label, near.together(members))).collect();
    if let Nearly::Rolls { rolls, given_up: given_up @ 1.., .. } = near.by {
        rows.push(row("given up", (given_up as f64 / rolls as f64, (0.0, 1.0))));
    }
    if matches!(near.by, Nearly::Floats { .. }) {
        rows.iter_mut().for_each(|row| row.fraction.clear());
    }
    written(&rows)
}

/// The outcomes that come most often, in their order, and one row for the others.
fn most_seen(mut groups: Vec<(String, Vec<&NearOutcome>)>) -> Vec<(String, Vec<&NearOutcome>)> {
    let share = |group: &(String, Vec<&NearOutcome>)| group.1.iter().map(|outcome| outcome.share).sum::<f64>();
    // What was seen once was seen by accident.
    let often = |place: &usize| !groups[*place].1.iter().all(|outcome| outcome.seen_once());
    let mut places: Vec<usize> = (0..groups.len()).filter(often).collect();
    places.sort_by(|a, b| share(&groups[*b]).total_cmp(&share(&groups[*a])));
    places.truncate(MOST_SEEN);
    places.sort_unstable();
    let often: Vec<_> = places.iter().map(|place| std::mem::take(&mut groups[*place])).collect();
    let seldom: Vec<&NearOutcome> = groups.into_iter().flat_map(|(_, members)| members).collect();
    let label = match often.as_slice() {
        [] => format!("{} outcomes, each seen once", seldom.len()),
        _ => format!("… {} more", seldom.len()),
    };
    often.into_iter().chain([(label, seldom)]).collect()
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

fn written(rows: &[Row]) -> String {
    let widest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let frame = Frame {
        label: widest(&|row| row.label.iter().map(|line| width(line)).max().unwrap_or(0)),
        percent: widest(&|row| width(&row.percent)),
        fraction: widest(&|row| width(&row.fraction)),
        numbers: rows.iter().all(|row| row.number),
        largest: rows.iter().map(|row| row.size).fold(0.0, f64::max),
    };
    rows.iter().map(|row| frame.write(row)).collect()
}

/// One row: an outcome, or several that are folded together.
struct Row {
    /// The outcome, line by line.
    label: Vec<String>,
    percent: String,
    /// Empty if it is long.
    fraction: String,
    size: f64,
    /// Whether the label is a number, which stands to the right.
    number: bool,
}

impl Row {
    fn new(label: &str, chance: &Fraction, number: bool) -> Row {
        // To spell or to round a very long fraction is work for nothing: its float says the same.
        let (fraction, percent) = match chance.written() {
            0..=LONG_FRACTION => (chance.to_string(), percent(chance)),
            _ => (String::new(), near_percent(chance.to_f64())),
        };
        let fraction = if fraction.len() > LONGEST_FRACTION { String::new() } else { fraction };
        Row { label: wrapped(label), percent, fraction, size: chance.to_f64(), number }
    }
}

/// Two decimals, but never 0 for what can happen nor 100 for what can fail.
fn percent(chance: &Fraction) -> String {
    let digits = chance.decimal(4).replace('.', "");
    match digits.trim_start_matches('0') {
        "" if !chance.is_zero() => "<0.01".into(),
        "10000" if *chance != Fraction::one() => ">99.99".into(),
        significant => {
            let padded = format!("{significant:0>3}");
            let (whole, rest) = padded.split_at(padded.len() - 2);
            format!("{whole}.{rest}")
        }
    }
}

/// The same for what is a float already.
fn near_percent(size: f64) -> String {
    match size {
        0.00005..0.99995 => format!("{:.2}", size * 100.0),
        0.5.. => ">99.99".into(),
        _ => "<0.01".into(),
    }
}

fn rows(prepared: &Prepared, reduced: &Reduced<'_>, all: bool) -> Vec<Row> {
    let notation = prepared.notation();
    let listed = reduced.outcomes();
    let listed = listed.map(|(value, chance)| Row::new(&labelled(value, notation), &chance, number(value).is_some()));
    let mut rows: Vec<Row> = listed.collect();
    if !all && rows.len() > LONG_TABLE {
        rows = folded(rows);
    }
    if !reduced.unresolved.is_zero() {
        let end = match reduced.odds.side() {
            Side::Above => reduced.odds.values().next_back().map(|value| ("above", value)),
            Side::Below => reduced.odds.values().next().map(|value| ("below", value)),
            Side::Nowhere | Side::Both | Side::Anywhere => None,
        };
        let beyond = |(word, value): (&str, &Value)| format!("{word} {}", labelled(value, notation));
        let label = end.map_or_else(|| "not listed".to_owned(), beyond);
        rows.push(Row::new(&label, &reduced.unresolved, true));
    }
    rows
}

/// One row in place of the thin ones at either end.
fn folded(mut rows: Vec<Row>) -> Vec<Row> {
    let thin = |row: &&Row| row.percent.starts_with('<');
    let worth = |run: usize| if run < SHORTEST_FOLD { 0 } else { run };
    let last = worth(rows.iter().rev().take_while(thin).count());
    let tail = rows.split_off(rows.len() - last);
    let first = worth(rows.iter().take_while(thin).count());
    let rest = rows.split_off(first);
    one_for(rows).into_iter().chain(rest).chain(one_for(tail)).collect()
}

fn one_for(rows: Vec<Row>) -> Option<Row> {
    let (first, last) = (rows.first()?, rows.last()?);
    let number = rows.iter().all(|row| row.number);
    let ends = format!("{} … {}", first.label.join(" "), last.label.join(" "));
    let label = if number { ends } else { format!("… {} outcomes", rows.len()) };
    let size: f64 = rows.iter().map(|row| row.size).sum();
    Some(Row { label: wrapped(&label), percent: near_percent(size), fraction: String::new(), size, number })
}

/// The lines of an outcome, none wider than the column; a collection is broken after a comma.
fn wrapped(label: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in label.split('\n') {
        let mut current = String::new();
        for piece in line.split_inclusive(' ') {
            if !current.is_empty() && width(&current) + width(piece.trim_end()) > WIDEST_OUTCOME {
                lines.push(std::mem::take(&mut current).trim_end().to_owned());
            }
            for c in piece.chars() {
                if width(&current) + columns(c) > WIDEST_OUTCOME {
                    lines.push(std::mem::take(&mut current));
                }
                current.push(if c.is_control() { '�' } else { c });
            }
        }
        lines.push(current.trim_end().to_owned());
    }
    lines
}

/// The widths of the columns.
struct Frame {
    label: usize,
    percent: usize,
    fraction: usize,
    numbers: bool,
    largest: f64,
}

impl Frame {
    fn write(&self, row: &Row) -> String {
        let mut out = String::new();
        for (i, line) in row.label.iter().enumerate() {
            let pad = " ".repeat(self.label.saturating_sub(width(line)));
            let (left, right) = if self.numbers { (pad.as_str(), "") } else { ("", pad.as_str()) };
            let first = if i == 0 { self.numbers_of(row) } else { String::new() };
            out.push_str(format!("{left}{line}{right}{first}").trim_end());
            out.push('\n');
        }
        out
    }

    fn numbers_of(&self, row: &Row) -> String {
        let (percent, fraction) = (self.percent, self.fraction);
        let mut out = format!("{GAP}{:>percent$} %", row.percent);
        if fraction > 0 {
            out.push_str(&format!("{GAP}{:<fraction$}", row.fraction));
        }
        let room = PAGE.saturating_sub(self.label + width(&out) + GAP.len());
        let share = if self.largest > 0.0 { row.size / self.largest } else { 0.0 };
        format!("{out}{GAP}{}", bar(share, room))
    }
}

/// A bar of this share of `room` columns, to an eighth of a column.
fn bar(share: f64, room: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * (room * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_happen_is_never_zero() {
        for (chance, text) in [
            ("0", "0.00"),
            ("1/1000000", "<0.01"),
            ("1/10000", "0.01"),
            ("1/32", "3.13"),
            ("1/3", "33.33"),
            ("999999/1000000", ">99.99"),
            ("1", "100.00"),
        ] {
            assert_eq!(percent(&chance.parse().unwrap()), text);
        }
    }

    #[test]
    fn outcomes_are_wrapped() {
        let long = format!("[{}]", ["10"; 20].join(", "));
        assert_eq!(
            wrapped(&long),
            ["[10, 10, 10, 10, 10, 10, 10, 10,", "10, 10, 10, 10, 10, 10, 10, 10,", "10, 10, 10, 10]"]
        );
        assert!(wrapped(&"x".repeat(100)).iter().all(|line| line.len() <= WIDEST_OUTCOME));
        assert_eq!(wrapped("a\nb"), ["a", "b"]);
    }

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

    #[test]
    fn bars_fill_their_room() {
        for (share, text) in [(0.0, ""), (1.0, "████"), (0.5, "██"), (0.28, "█▏")] {
            assert_eq!(bar(share, 4), text);
        }
    }
}
