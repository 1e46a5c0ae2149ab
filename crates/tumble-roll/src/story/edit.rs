//! Changes to a text: what stands after a part of it, around it, or in its place.
//!
//! What ends in one place is written from the inside to the outside. A sign that stood right after a part which now
//! has something after it gets room: `d20+5` becomes `d20 (14) + 5`.

use std::cmp::Reverse;
use std::ops::Range;
use tumble_core::Span;
use tumble_core::sort;

/// What comes after a part, in this order: its dice, its total, how a comparison came out, the result.
pub(super) const DICE: u8 = 0;
pub(super) const TOTAL: u8 = 1;
pub(super) const VERDICT: u8 = 2;
pub(super) const RESULT: u8 = 3;

/// A change.
pub(super) struct Edit {
    at: usize,
    kind: Kind,
    text: String,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// After the part that begins there.
    After(Reverse<usize>, u8),
    /// Before the part that ends there.
    Before(Reverse<usize>),
    /// Instead of what reaches to there.
    Instead(usize),
}

impl Edit {
    pub(super) fn after(span: Span, rank: u8, text: String) -> Edit {
        Edit { at: span.end, kind: Kind::After(Reverse(span.start), rank), text }
    }

    pub(super) fn before(span: Span, text: &str) -> Edit {
        Edit { at: span.start, kind: Kind::Before(Reverse(span.end)), text: text.to_owned() }
    }

    pub(super) fn instead(span: Span, text: String) -> Edit {
        Edit { at: span.start, kind: Kind::Instead(span.end), text }
    }
}

/// A region of a text with its changes, and whether a comparison is written after the last of them. A place that is
/// not in the region goes to its end.
pub(super) fn apply(text: &str, region: Range<usize>, mut edits: Vec<Edit>) -> (String, bool) {
    let region = if text.is_char_boundary(region.start) && text.is_char_boundary(region.end) {
        region.start..region.end.max(region.start)
    } else {
        0..text.len()
    };
    for edit in &mut edits {
        let inside = text.is_char_boundary(edit.at) && region.contains(&edit.at);
        edit.at = if inside { edit.at } else { region.end };
    }
    sort::by(&mut edits, |a, b| (a.at, &a.kind).cmp(&(b.at, &b.kind)));
    let (mut line, mut at, mut after) = (String::with_capacity(region.len() + 64), region.start, false);
    for edit in edits.into_iter().filter(|edit| !edit.text.is_empty()) {
        if edit.at < at {
            continue;
        }
        let more = !matches!(edit.kind, Kind::After(..));
        copy(&mut line, &text[at..edit.at], std::mem::take(&mut after) && edit.at > at, more);
        at = edit.at;
        line.push_str(&edit.text);
        after = !matches!(edit.kind, Kind::Before(_));
        if let Kind::Instead(end) = edit.kind {
            at = if text.is_char_boundary(end) { end.min(region.end).max(at) } else { at };
        }
    }
    let last = &text[at..region.end];
    copy(&mut line, last, after, false);
    let signs = NO_COMPARISONS.iter().fold(last.to_owned(), |last, sign| last.replace(sign, ""));
    // After a choice a colon would read as one more branch of it.
    (line, signs.contains(['<', '>', '=', '≤', '≥', '≠']) && !signs.contains(':'))
}

/// Signs that look like comparisons: bindings, and texts beside or below each other.
const NO_COMPARISONS: [&str; 4] = [":=", "|>", "<|", "<>"];

/// Signs between two parts, the longer ones first.
const SIGNS: [&str; 24] = [
    "<=", ">=", "==", "!=", "&&", "||", "//", "<", ">", "=", "?", ":", "≤", "≥", "≠", "+", "-", "*", "/", "%", "−",
    "–", "×", "÷",
];

/// Where the signs of arithmetic begin.
const ARITHMETIC: usize = 15;

/// Copies a piece of the text. A sign right after a change gets room, and so do signs that stand close between simple
/// parts; `more` if something comes right after the piece.
fn copy(line: &mut String, piece: &str, after: bool, more: bool) {
    let (mut rest, mut signs) = (piece, if after { &SIGNS[..] } else { &[] });
    if after {
        let closed = simple(rest.trim_start_matches([')', ']', '}']), false);
        line.push_str(&rest[..rest.len() - closed.len()]);
        rest = closed;
    }
    if after && let Some(next) = rest.strip_prefix(';').filter(|next| !next.is_empty() || more) {
        line.push_str(if next.starts_with(char::is_whitespace) { ";" } else { "; " });
        rest = next;
    }
    loop {
        // A sign without a part before it is not between two parts.
        if !line.trim_end().ends_with(ends_part) {
            signs = &[];
        }
        if let Some((sign, other)) = signs.iter().find_map(|sign| Some((sign, rest.strip_prefix(sign)?))) {
            line.push_str(&format!(" {sign}"));
            rest = other;
            if !rest.starts_with(char::is_whitespace) {
                line.push(' ');
            }
        }
        let other = simple(rest, true);
        line.push_str(&rest[..rest.len() - other.len()]);
        let close = |after: &str| after.starts_with(is_simple) || (after.is_empty() && more);
        signs = &SIGNS[ARITHMETIC..];
        let between = line.trim_end().ends_with(ends_part);
        if other.len() == rest.len()
            || !between
            || !signs.iter().any(|sign| other.strip_prefix(sign).is_some_and(close))
        {
            line.push_str(other);
            return;
        }
        rest = other;
    }
}

/// A character of a number, a name, dice, or a bracket around them.
fn is_simple(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '@' | '_' | '(' | ')')
}

/// A character that a part can end with.
fn ends_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '}' | '"' | '\'')
}

/// What comes after labels and, if they are wanted, simple parts.
fn simple(mut rest: &str, parts: bool) -> &str {
    loop {
        let part = if parts { rest.trim_start_matches(is_simple) } else { rest };
        let label = part.strip_prefix('[').and_then(|label| label.split_once(']'));
        match label {
            Some((label, after)) if !label.contains(':') => rest = after,
            _ => return part,
        }
    }
}
