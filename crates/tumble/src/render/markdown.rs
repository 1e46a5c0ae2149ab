//! A table in Markdown, as forums, wikis and chats read it.
//!
//! ```text
//! | outcome | 2d2 |
//! |--------:|----:|
//! | 2 | 25.00 % (1/4) |
//! ```

use super::grid::{Block, Grid};
use super::heading::heading;
use super::look::Look;
use super::series::Series;
use super::{table, visible};

/// The table of one or several distributions, and what can be said of each.
pub(super) fn table(series: &[Series], look: &Look) -> String {
    let grid = table::grid(series, look);
    let mut out = match &look.title {
        Some(_) => format!("### {}\n\n", escaped(&heading(series, look))),
        None => String::new(),
    };
    out.push_str(&row("outcome".to_owned(), heads(&grid)));
    let columns = grid.titles.len() * grid.heads.len();
    let side = if grid.rows.iter().all(|row| row.number) { "--:" } else { ":--" };
    out.push_str(&format!("|{side}|{}\n", "--:|".repeat(columns)));
    for one in &grid.rows {
        out.push_str(&row(escaped(&one.label), one.blocks.iter().flat_map(cells).collect()));
    }
    for one in series {
        let mut said = one.said();
        said.push(one.note());
        let title = if series.len() > 1 { format!("{}: ", code(one.title())) } else { String::new() };
        out.push_str(&format!("\n{title}{}\n", escaped(&said.join(", "))));
    }
    out
}

fn heads(grid: &Grid) -> Vec<String> {
    let head = |title: &String, head: &&str| match *head {
        "exactly" if grid.heads.len() == 1 => code(title),
        head => format!("{} {head}", code(title)),
    };
    grid.titles.iter().flat_map(|title| grid.heads.iter().map(move |one| head(title, one))).collect()
}

fn cells(block: &Block) -> Vec<String> {
    block.cells.iter().map(|both| escaped(&table::joined(both))).collect()
}

pub(super) fn row(first: String, cells: Vec<String>) -> String {
    format!("| {first} | {} |\n", cells.join(" | "))
}

/// A text that is shown as it is written.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{}{blank}{fence}", visible::visible(text).replace('|', "\\|").replace('\n', " "))
}

/// A text whose signs mean nothing to Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '#' | '~' => out.extend(['\\', c]),
            '\n' => out.push_str("<br>"),
            c => visible::push(&mut out, c),
        }
    }
    out
}
