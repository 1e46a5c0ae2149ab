//! A message with the line it is about and a mark under the place.
//!
//! ```text
//! error: a number is missing after `d`
//!   sum 3d
//!         ^
//! hint: write `sum 3d6`
//! ```
//!
//! A long line is cut around the place, so that a message stays short however long the text is.

use super::visible::{is_hidden, visible};
use super::width::columns;
use tumble_core::{Code, Diagnostic, Span};

/// The longest line shown, and how much of it stands before the place.
const LINE: usize = 76;
const BEFORE: usize = 30;

/// The longest message or hint shown, in characters.
const MESSAGE: usize = 400;

/// A message about `text`; `label` is the first word, such as `error`.
pub fn message(label: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let mut out = match snippet(text, diagnostic) {
        None => format!("{label}: {}\n", short(&diagnostic.message)),
        Some((None, lines)) => format!("{label}: {}\n{lines}", short(&diagnostic.message)),
        Some((Some(number), lines)) => format!("{label} in line {number}: {}\n{lines}", short(&diagnostic.message)),
    };
    // Half of a text to write instead is no help, so a long hint is left out.
    if let Some(hint) = diagnostic.hint.as_ref().filter(|hint| hint.chars().count() <= MESSAGE) {
        out.push_str(&format!("hint: {}\n", visible(hint)));
    }
    if let Some(note) = note(diagnostic) {
        out.push_str(&format!("note: {note}\n"));
    }
    out
}

/// A note on which other notations the expression is valid in, if any.
pub fn note(diagnostic: &Diagnostic) -> Option<String> {
    match diagnostic.notations().collect::<Vec<_>>().as_slice() {
        [] => None,
        [one] => Some(format!("this is valid in the notation {one}")),
        [most @ .., last] => Some(format!("this is valid in the notations {} and {last}", most.join(", "))),
    }
}

fn short(message: &str) -> String {
    match message.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", visible(&message[..end])),
        None => visible(message).into_owned(),
    }
}

/// The number of the line if there are several, and the line with its mark.
fn snippet(text: &str, diagnostic: &Diagnostic) -> Option<(Option<usize>, String)> {
    let whole = text.trim_end();
    if diagnostic.code == Code::Request || whole.is_empty() {
        return None;
    }
    // What is missing at the end is missing after the last character that can be seen.
    let start = boundary(whole, diagnostic.span.start);
    let line_start = whole[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = whole[start..].find('\n').map_or(whole.len(), |at| start + at);
    let end = boundary(whole, diagnostic.span.end).clamp(start, line_end);
    let line = whole[line_start..line_end].trim_end_matches('\r');
    let place = Span::new((start - line_start).min(line.len()), (end - line_start).min(line.len()));
    let number = whole.contains('\n').then(|| whole[..start].matches('\n').count() + 1);
    Some((number, marked(line, place)))
}

/// The last start of a character at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The line, cut if it is long, and the mark under the place.
fn marked(line: &str, place: Span) -> String {
    let column = |end: usize| line[..end].chars().map(|c| seen(c).1).sum::<usize>();
    let (from, to) = (column(place.start), column(place.end));
    let total = column(line.len());
    let first = if total <= LINE { 0 } else { from.saturating_sub(BEFORE).min(total.saturating_sub(LINE)) };
    let last = if total <= LINE { total } else { first + LINE };
    let (mut shown, mut at, mut shift) = (String::new(), 0, None);
    for c in line.chars() {
        let (piece, columns) = seen(c);
        if at >= first && at + columns <= last {
            shift.get_or_insert(at);
            shown.push_str(&piece);
        }
        at += columns;
    }
    let cut = |cut: bool| if cut { "…" } else { "" };
    let indent = from.saturating_sub(shift.unwrap_or(first)) + usize::from(first > 0);
    let length = to.min(last).saturating_sub(from).max(1);
    let (before, after) = (cut(first > 0), cut(last < total));
    format!("  {before}{shown}{after}\n  {}{}\n", " ".repeat(indent), "^".repeat(length))
}

/// A character as it is shown, with its columns: one that can't be seen is an escape.
fn seen(c: char) -> (String, usize) {
    match c {
        '\t' => ("    ".into(), 4),
        c if is_hidden(c) => {
            let escape = c.escape_unicode().to_string();
            let columns = escape.len();
            (escape, columns)
        }
        c => (c.into(), columns(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, place: (usize, usize), shown: &str) {
        let error = Diagnostic::new(Code::Syntax, Span::new(place.0, place.1), "no");
        assert_eq!(message("error", text, &error), shown, "{text}");
    }

    #[test]
    fn the_mark_stands_under_the_place() {
        check("1 + $", (4, 5), "error: no\n  1 + $\n      ^\n");
        check("1 + ", (4, 4), "error: no\n  1 +\n     ^\n");
        check("é$", (2, 3), "error: no\n  é$\n   ^\n");
        check("骰$ ", (3, 4), "error: no\n  骰$\n    ^\n");
        check("\t$", (1, 2), "error: no\n      $\n      ^\n");
        check("a\0b$", (1, 2), "error: no\n  a\\u{0}b$\n   ^^^^^\n");
        check("\u{202e}$", (3, 4), "error: no\n  \\u{202e}$\n          ^\n");
    }

    #[test]
    fn the_line_of_the_place_is_shown() {
        check("1 +\n  foo bar\n2", (6, 9), "error in line 2: no\n    foo bar\n    ^^^\n");
        check("1 +\r\nx\r\n", (0, 8), "error in line 1: no\n  1 +\n  ^^^\n");
        check("ab\ncd", (1, 5), "error in line 1: no\n  ab\n   ^\n");
    }

    #[test]
    fn a_place_outside_the_text_is_moved_into_it() {
        check("ab", (7, 9), "error: no\n  ab\n    ^\n");
        check("é", (1, 1), "error: no\n  é\n  ^\n");
        check("", (0, 0), "error: no\n");
        check(" \n", (0, 0), "error: no\n");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}${}", "(".repeat(100_000), ")".repeat(100_000));
        let error = Diagnostic::new(Code::Syntax, Span::new(100_000, 100_001), "no");
        let shown = message("error", &text, &error);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.iter().all(|line| super::super::width(line) <= 80), "{shown}");
        let mark = lines[2].find('^').unwrap();
        assert_eq!(lines[1].chars().nth(mark), Some('$'), "{shown}");
        check(&"x".repeat(100), (100, 100), &format!("error: no\n  …{}\n{}^\n", "x".repeat(76), " ".repeat(79)));
    }
}
