//! Results for people: the story of a roll, and a table of odds with bars that fits 80 columns.
//!
//! ```text
//!  2   2.78 %  1/36  ██████
//!  3   5.56 %  1/18  ████████████
//!  …
//!
//! mean 7   std dev 2.4152   median 7   mode 7
//! 11 outcomes, exact
//! ```

use super::look::{Look, Show};
use super::series::Series;
use super::{approximate, spelled, table, visible, width};
use crate::ask::Answer;
use crate::prepared::Prepared;
use crate::reduced::Reduced;
use tumble_core::Value;
use tumble_exact::{Fraction, Side};
use tumble_roll::{LineWriter, Rolled, Style};

/// The widest line.
pub(super) const PAGE: usize = 80;

/// The longest fraction that helps a reader of the summary.
const LONGEST_FRACTION: usize = 24;

/// Where many outcomes are equally likely.
pub(super) const NO_MODE: &str = "no single mode";

/// More outcomes than this that are equally probable are counted and not listed.
const MOST_MODES: usize = 3;

/// Shorter tables have no quartiles.
const FEWEST_FOR_QUARTILES: usize = 11;

/// The roll in one line, or one line for each of several equal rolls; a result of several lines goes below.
/// A comment follows the first result.
pub fn roll(prepared: &Prepared, rolled: &Rolled) -> String {
    lines(prepared, rolled).into_iter().map(|line| line + "\n").collect()
}

/// The same, line by line: as many as there are rolls, after one for what was bound before them.
pub fn lines(prepared: &Prepared, rolled: &Rolled) -> Vec<String> {
    dressed(prepared, rolled, Style::PLAIN)
}

/// The same, with dice and totals dressed for where they are shown, by marks that are no hidden characters.
pub(super) fn dressed(prepared: &Prepared, rolled: &Rolled, style: Style) -> Vec<String> {
    let text = (prepared.notation().without_comments)(prepared.text());
    let spell = |value: &Value| spelled(value, prepared.notation());
    let writer = LineWriter {
        text: &text,
        program: prepared.program(),
        values: prepared.named(),
        labels: prepared.labels(),
        sorted: prepared.sorted(),
        // Where a number is a collection, a comparison chooses members.
        checks: !prepared.notation().spelling.lone,
        apart: prepared.counts_one(),
        spell: &spell,
        style,
    };
    let mut lines = writer.lines(rolled);
    if let (Some(comment), Some(first)) = (prepared.comment(), lines.first_mut()) {
        *first = format!("{}  # {comment}", first.trim_end_matches('\n'));
    }
    lines.iter().map(|line| visible(line).into_owned()).collect()
}

/// What each label brings to the total, if there are at least two.
pub(super) fn subtotals<'a>(prepared: &'a Prepared, rolled: &Rolled) -> Vec<(&'a str, i64)> {
    let program = prepared.program();
    let body = program.function(program.main()).body;
    tumble_roll::subtotals(program, body, &rolled.trace, &rolled.events, &prepared.labels())
}

/// The table of a distribution; without `all`, the thin ends of a long table are folded.
pub fn odds(prepared: &Prepared, reduced: &Reduced<'_>, all: bool) -> String {
    let answer = Answer::Exact(reduced.odds.clone(), None);
    tables(&[Series::new(prepared.clone(), answer)], &Look { all, ..Look::default() })
}

/// The table of one or several distributions: side by side if that fits, perhaps without fractions and bars, else one
/// after the other.
pub fn tables(series: &[Series], look: &Look) -> String {
    match series {
        [] => String::new(),
        [one] if one.is_named() => format!("{}\n{}", visible(one.title()), alone(one, look)),
        [one] => alone(one, look),
        _ => beside(series, look).unwrap_or_else(|| {
            let table = |one: &Series| format!("{}\n{}", visible(one.title()), alone(one, look));
            series.iter().map(table).collect::<Vec<_>>().join("\n")
        }),
    }
}

fn alone(series: &Series, look: &Look) -> String {
    let table = table::grid(std::slice::from_ref(series), look).written(look, false).unwrap_or_default();
    match series.answer() {
        Answer::Approximate(near, why) => approximate::around(near, why, &table),
        Answer::Exact(..) => {
            let blank = if table.is_empty() { "" } else { "\n" };
            let said = filled(&series.said(), look.width);
            format!("{table}{blank}{said}{}\n{}", series.note(), unknown(series, look))
        }
    }
}

/// All distributions in one table, if it fits. An approximate one needs a table with room for its bounds.
fn beside(series: &[Series], look: &Look) -> Option<String> {
    if look.separate || !series.iter().all(Series::is_exact) {
        return None;
    }
    let mut out = fitted(series, look)?;
    for one in series {
        let mut said = one.said();
        said.push(one.note());
        out.push_str(&format!("\n{}\n{}{}", visible(one.title()), filled(&said, look.width), unknown(one, look)));
    }
    Some(out)
}

/// One table with as much in it as fits: first fractions are left out, unless they were asked for, then bars. What is left
/// out is said below it.
fn fitted(series: &[Series], look: &Look) -> Option<String> {
    let whole = table::grid(series, look);
    if let Some(table) = whole.written(look, true) {
        return Some(table);
    }
    let fractions = whole.has_fractions() && !look.wants_fractions();
    let less = Look { show: [look.show.as_slice(), &[Show::Percent]].concat(), ..look.clone() };
    let short = if fractions { table::grid(series, &less) } else { whole };
    let (table, bars) = match short.written(look, true) {
        Some(table) => (table, false),
        None => (short.written(look, false)?, true),
    };
    let gone = match (fractions, bars) {
        (true, true) => "fractions and bars",
        (true, false) => "fractions",
        (false, true) => "bars",
        (false, false) => return Some(table),
    };
    Some(format!("{table}left out to fit {} columns: {gone}; separate tables show them\n", look.width))
}

/// Why a column that was asked for is empty.
pub(super) const NEEDS_NUMBERS: &str = "at least and at most need numbers, with everything unlisted beyond them\n";

/// Why a column is empty that was asked for.
fn unknown(series: &Series, look: &Look) -> &'static str {
    let points = series.points();
    let empty = |measure| !points.is_empty() && series.measured(&points, measure).iter().all(Option::is_none);
    if look.measures().into_iter().any(empty) { NEEDS_NUMBERS } else { "" }
}

/// As many parts in a line as fit.
fn filled(parts: &[String], room: usize) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for part in parts {
        let part = &visible(part);
        if !line.is_empty() && width(&line) + 3 + width(part) > room {
            out.push_str(&format!("{line}\n"));
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { "   " });
        line.push_str(part);
    }
    if line.is_empty() { out } else { out + &line + "\n" }
}

/// The statistics of the whole: mean, standard deviation, median, mode, quartiles.
pub(super) fn summary(label: &dyn Fn(&Value) -> String, reduced: &Reduced<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(mean) = &reduced.mean {
        parts.push(format!("mean {}", number(mean)));
    }
    if let Some(variance) = &reduced.variance {
        parts.push(format!("std dev {}", decimal(variance.to_f64().sqrt())));
    }
    // A middle is a matter of numbers: collections and texts have an order only for the table.
    if reduced.odds.values().all(|value| tumble_exact::ratio(value).is_some())
        && let Some(median) = reduced.odds.median()
    {
        parts.push(format!("median {}", label(median)));
    }
    match reduced.odds.mode().as_slice() {
        [] => {}
        modes if modes.len() > MOST_MODES => parts.push(NO_MODE.to_owned()),
        modes => {
            let modes = modes.iter().map(|value| label(value).trim().to_owned()).collect::<Vec<_>>().join(", ");
            if !modes.contains('\n') && width(&modes) <= PAGE / 2 {
                parts.push(format!("mode {modes}"));
            }
        }
    }
    parts.extend(quartiles(label, reduced));
    parts
}

/// Between which numbers the middle half lies; a short table shows that itself.
fn quartiles(label: &dyn Fn(&Value) -> String, reduced: &Reduced<'_>) -> Option<String> {
    let numbers = reduced.odds.values().all(|value| tumble_exact::ratio(value).is_some());
    if reduced.odds.len() < FEWEST_FOR_QUARTILES || !numbers {
        return None;
    }
    let quarter = |quarters| reduced.odds.quantile(&Fraction::ratio(quarters, 4));
    Some(format!("quartiles {}, {}", label(quarter(1)?), label(quarter(3)?)))
}

/// How much is listed, and how far it can be trusted.
pub(super) fn note(reduced: &Reduced<'_>) -> String {
    let count = match reduced.odds.len() {
        1 => "1 outcome".to_owned(),
        n => format!("{n} outcomes"),
    };
    let side = match reduced.odds.side() {
        Side::Above => "lies above the last one",
        Side::Below => "lies below the first one",
        Side::Both => "lies beyond the first and the last one",
        Side::Nowhere | Side::Anywhere => "is not listed, and may lie anywhere",
    };
    let rest = match reduced.unresolved.to_f64() * 100.0 {
        small if small < 0.01 => format!("{small:.1e} %"),
        rest => format!("{} %", trimmed(&format!("{rest:.2}"))),
    };
    match (reduced.odds.exact(), reduced.unresolved.is_zero()) {
        (true, true) => format!("{count}, exact"),
        (true, false) => format!("{count}, each exact; {rest} {side}"),
        (false, _) => format!("{count}, each a lower bound; {rest} is undetermined"),
    }
}

/// A decimal, and the exact fraction if it is short.
fn number(fraction: &Fraction) -> String {
    let decimal = match fraction.to_f64() {
        small if small.abs() < SMALL && !fraction.is_zero() => decimal(small),
        _ => trimmed(&fraction.decimal(4)),
    };
    // Spelling a very long fraction only to find it too long is work for nothing.
    if fraction.written() > 2 * LONGEST_FRACTION {
        return decimal;
    }
    let exact = fraction.to_string();
    if !exact.contains('/') || exact.len() > LONGEST_FRACTION { decimal } else { format!("{decimal} ({exact})") }
}

/// Numbers below this have no decimals that say something, so their power of ten is shown.
const SMALL: f64 = 0.001;

/// Four decimals, or as many digits of a small number: what is not zero never looks like it.
fn decimal(number: f64) -> String {
    match number.abs() {
        0.0 | SMALL.. => trimmed(&format!("{number:.4}")),
        _ => format!("{number:.3e}"),
    }
}

/// Without the zeros after the last decimal that says something.
pub(super) fn trimmed(decimal: &str) -> String {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        decimal.to_owned()
    }
}
