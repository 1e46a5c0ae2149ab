//! A table in HTML, one column per distribution, on a page of its own or for somebody else's page.
//!
//! ```text
//! page    style, heading, table      stands on its own, light and dark
//! table   caption, head, body        with Charts.css on the page it is a bar chart
//! caption what can be said of each distribution, a line for each
//! head    "Outcome", the titles
//! row     every whole number from the joint minimum to the joint maximum, then every other outcome,
//!         then what is not listed
//! cell    --size: the probability, as a share of the largest in the table
//! ```
//!
//! A table never has more than [`MOST_ROWS`] rows of either sort: numbers are put together in ranges of
//! equal width, and of other outcomes the rarest share one row.

use super::binned::{Column, Row, columns, numbers, others, rest};
use super::heading::heading;
use super::look::Look;
use super::series::Series;
use super::width;
use tumble_core::Diagnostic;

/// More rows than this are no chart any more.
pub const MOST_ROWS: usize = 400;

/// The widest column of labels, in characters.
const WIDEST_LABEL: usize = 34;

/// Our own style. It is as weak as a style can be (`:where`), so that Charts.css wins where it is there.
const STYLE: &str = include_str!("html.css");

/// A page with the table of one or several distributions.
pub fn page(series: &[Series]) -> String {
    framed(series, &Look::default(), &table(series))
}

/// The same with the measures that are asked for, a column each.
pub(super) fn shown(series: &[Series], look: &Look) -> Result<String, Diagnostic> {
    Ok(framed(series, look, &filled(series, &columns(series, &look.measures())?)))
}

fn framed(series: &[Series], look: &Look, table: &str) -> String {
    let heading = escaped(&heading(series, look));
    let title = heading.replace("<br>", " ");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Odds: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n\
         {table}</main>\n</body>\n</html>\n",
    )
}

/// The table of one or several distributions, side by side.
pub fn table(series: &[Series]) -> String {
    filled(series, &series.iter().map(Column::of).collect::<Vec<_>>())
}

fn filled(series: &[Series], columns: &[Column]) -> String {
    let numbers = numbers(columns, MOST_ROWS);
    let mut rows = numbers.rows;
    rows.extend(others(columns, MOST_ROWS));
    rows.extend(rest(columns));
    let largest = rows.iter().map(Row::most).fold(0.0, f64::max);
    let lines = |label: &str| label.lines().map(width).max().unwrap_or(0);
    let labels = rows.iter().map(|row| lines(&row.label)).max().unwrap_or(0).clamp(2, WIDEST_LABEL) + 1;
    let mut out = format!(
        "<table class=\"charts-css bar [ show-data-on-hover data-start ] multiple show-heading show-labels\" \
         style=\"--labels-size: {labels}ch\">\n"
    );
    out.push_str(&format!("<caption>{}</caption>\n", caption(series, numbers.wide)));
    let heads = columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", escaped(&column.title)));
    out.push_str(&format!("<thead>\n<tr><th scope=\"col\">Outcome</th>{}</tr>\n</thead>\n", heads.collect::<String>()));
    let rows = rows.iter().map(|row| written(row, largest));
    out.push_str(&format!("<tbody>\n{}</tbody>\n</table>\n", rows.collect::<String>()));
    out
}

fn written(row: &Row, largest: f64) -> String {
    let cell = |share: &f64| {
        let size = if largest > 0.0 { share / largest } else { 0.0 };
        format!("<td style=\"--size: {size:.4}\"><span class=\"data\">{}</span></td>", escaped(&percent(*share)))
    };
    let cells: String = row.shares.iter().map(cell).collect();
    format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped(&row.label))
}

/// One decimal, but never 0 for what can happen nor 100 for what can fail; 0 is what cannot happen.
pub(super) fn percent(share: f64) -> String {
    match share {
        0.0 => "0%".to_owned(),
        1.0 => "100%".to_owned(),
        0.0005..0.9995 => format!("{:.1}%", share * 100.0),
        0.5.. => ">99.9%".to_owned(),
        _ => "<0.1%".to_owned(),
    }
}

fn caption(series: &[Series], wide: i128) -> String {
    let about = |one: &Series| {
        let mut said = if one.is_exact() { one.said() } else { vec![] };
        said.push(one.note());
        match series {
            [_] => said.join(", "),
            _ => format!("{}: {}", one.title(), said.join(", ")),
        }
    };
    let mut said: Vec<String> = series.iter().map(about).collect();
    if wide > 1 {
        said.push(format!("each row of numbers holds {wide} of them"));
    }
    escaped(&said.join("\n"))
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
