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
use super::look::{Look, Theme};
use super::series::Series;
use super::table::{cell, joined, near_percent};
use super::{visible, width};
use tumble_core::Diagnostic;

/// More rows than this are no chart any more.
pub const MOST_ROWS: usize = 400;

/// The widest column of labels, in characters.
const WIDEST_LABEL: usize = 34;

/// The same for a reader who wants every row: beyond this a browser gives up.
const ALL_ROWS: usize = 100_000;

/// Our own style. It is as weak as a style can be (`:where`), so that Charts.css wins where it is there.
const STYLE: &str = include_str!("html.css");

/// The colours in light and in dark.
const LIGHT: &str = "--ink: #1f2733; --soft: #5b6675; --line: #d9dee5; --back: #ffffff; --hot: #79a7f0;\n  \
                     --one: #8db2ee; --two: #f3b774; --three: #83cba9; --four: #dba0c9; --five: #b9a6e8; --six: #b9c0c9;";
const DARK: &str = "--ink: #e8ecf2; --soft: #a3adba; --line: #343d4a; --back: #161b22; --hot: #2c5fb4;\n  \
                    --one: #2f5597; --two: #8a5a16; --three: #22704c; --four: #7b3468; --five: #57439a; --six: #4c5562;";

/// A page with the table of one or several distributions.
pub fn page(series: &[Series]) -> String {
    let look = Look::default();
    framed(&heading(series, &look), &look, &table(series))
}

/// The same with the measures that are asked for, a column each.
pub(super) fn shown(series: &[Series], look: &Look) -> Result<String, Diagnostic> {
    let table = filled(series, &columns(series, &look.measures())?, look);
    Ok(framed(&heading(series, look), look, &table))
}

/// A page with this heading, light or dark or as its reader likes.
pub(super) fn framed(heading: &str, look: &Look, table: &str) -> String {
    let heading = escaped(heading);
    let title = heading.replace("<br>", " ");
    let colours = match look.theme {
        Theme::Light => format!(":root {{ color-scheme: light; {LIGHT} }}\n"),
        Theme::Dark => format!(":root {{ color-scheme: dark; {DARK} }}\n"),
        Theme::Auto => format!(
            ":root {{ color-scheme: light dark; {LIGHT} }}\n\
             @media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}\n"
        ),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Odds: {title}</title>\n<style>\n{colours}{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n\
         {table}</main>\n</body>\n</html>\n",
    )
}

/// The table of one or several distributions, side by side.
pub fn table(series: &[Series]) -> String {
    filled(series, &series.iter().map(Column::of).collect::<Vec<_>>(), &Look::default())
}

fn filled(series: &[Series], columns: &[Column], look: &Look) -> String {
    let most = if look.all { ALL_ROWS } else { MOST_ROWS };
    let numbers = numbers(columns, most);
    let mut rows = numbers.rows;
    rows.extend(others(columns, most));
    rows.extend(rest(columns));
    // What is put together from many outcomes would squeeze the bars of single ones.
    let largest = rows.iter().filter(|row| !row.together).map(Row::most).fold(0.0, f64::max);
    let lines = |label: &str| label.lines().map(width).max().unwrap_or(0);
    let labels = rows.iter().map(|row| lines(&row.label)).max().unwrap_or(0).clamp(2, WIDEST_LABEL) + 1;
    let mut out = format!(
        "<table class=\"charts-css bar [ show-data-on-hover data-start ] multiple show-heading show-labels\" \
         style=\"--labels-size: {labels}ch\">\n"
    );
    out.push_str(&format!("<caption>{}</caption>\n", caption(series, numbers.wide)));
    let heads = columns.iter().map(|column| format!("<th scope=\"col\">{}</th>", escaped(&column.title)));
    out.push_str(&format!("<thead>\n<tr><th scope=\"col\">Outcome</th>{}</tr>\n</thead>\n", heads.collect::<String>()));
    let rows = rows.iter().map(|row| written(row, largest, look));
    out.push_str(&format!("<tbody>\n{}</tbody>\n</table>\n", rows.collect::<String>()));
    out
}

fn written(row: &Row, largest: f64, look: &Look) -> String {
    let cell = |(place, share): (usize, &f64)| {
        let size = if largest > 0.0 && !row.together { share / largest } else { 0.0 };
        let told = match row.exact.get(place).and_then(Option::as_ref) {
            Some(exact) => joined(&cell(exact, look, false, false)),
            None => percent(*share),
        };
        format!("<td style=\"--size: {size:.4}\"><span class=\"data\">{}</span></td>", escaped(&told))
    };
    let cells: String = row.shares.iter().enumerate().map(cell).collect();
    format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped(&row.label))
}

/// Two decimals, but never 0 for what can happen nor 100 for what can fail; – is what cannot happen.
fn percent(share: f64) -> String {
    match share {
        0.0 => "–".to_owned(),
        1.0 => "100.00 %".to_owned(),
        _ => format!("{} %", near_percent(share)),
    }
}

fn caption(series: &[Series], wide: i128) -> String {
    let about = |one: &Series| {
        let mut said = if one.is_exact() { one.said_briefly() } else { vec![] };
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

/// Text as HTML needs it.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push_str("<br>"),
            c => visible::push(&mut out, c),
        }
    }
    out
}
