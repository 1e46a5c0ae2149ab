//! The words for wrong characters, words, numbers and quotes, and what to write in their place.

use crate::mistake::{Mistake, shown};
use tumble_core::Span;

/// Characters that people type or paste for a sign of the notation.
const LOOKALIKES: &[(char, &str)] = &[
    ('\u{2212}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{d7}', "*"),
    ('\u{b7}', "*"),
    ('\u{f7}', "/"),
    ('\u{2265}', ">="),
    ('\u{2264}', "<="),
    ('\u{2260}', "!="),
    ('|', ":"),
];

/// Quotes that a word processor makes of `"`, and those of other languages.
const QUOTES: &[char] = &['\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\'', '\u{2018}', '\u{2019}'];

/// A character without a meaning.
pub(super) fn character(text: &str, span: Span) -> Mistake {
    let found = text[span.start..].chars().next().unwrap_or(' ');
    let (before, after) = (&text[..span.start], text[span.end..].chars().next());
    if found == '&' || text[span.start..].starts_with("||") {
        return logic(text, span.start, found);
    }
    if let Some((_, sign)) = LOOKALIKES.iter().find(|(like, _)| *like == found) {
        return Mistake::new(span, format!("unexpected `{found}`; write `{sign}` instead")).replace(span, sign);
    }
    if QUOTES.contains(&found) {
        let fixed = text.replace(QUOTES, "\"");
        return Mistake::new(span, "text needs straight double quotes").fix(fixed);
    }
    if found == '!' {
        return Mistake::new(span, "`!` is only used after `d` and `g`, for exploding dice")
            .fix(exploding(before, &text[span.end..]).unwrap_or_default());
    }
    if found == '.' && after.is_some_and(|c| c.is_ascii_digit()) {
        return Mistake::new(span, "only whole numbers are allowed");
    }
    if found == '#' || found == '\\' {
        return Mistake::new(span, "this notation has no comments").fix(before.to_owned());
    }
    if found.is_control() || found == '\u{feff}' || found == '\u{200b}' {
        return Mistake::new(span, "unexpected invisible character").replace(span, " ");
    }
    Mistake::new(span, format!("unexpected `{found}`"))
}

/// `a & b`, `a || b`
fn logic(text: &str, at: usize, sign: char) -> Mistake {
    let end = at + text[at..].find(|c| c != sign).unwrap_or(text.len() - at);
    let word = if sign == '&' { "and" } else { "or" };
    Mistake::new(Span::new(at, end), format!("this notation has no \"{word}\"; use a choice instead"))
}

/// `3d6!` as `3d!6`.
fn exploding(before: &str, after: &str) -> Option<String> {
    let sides = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &before[sides.len()..];
    let dice = sides.strip_suffix(['d', 'D'])?;
    (!digits.is_empty()).then(|| format!("{dice}d!{digits}{after}"))
}

/// Words of other notations and slips of the shift key, with what they may mean here.
const SYNONYMS: &[(&str, &str)] = &[
    ("s", "S"),
    ("n", "N"),
    ("c", "C"),
    ("t", "T"),
    ("f", "F"),
    ("sum", "S"),
    ("count", "N"),
    ("True", "T"),
    ("False", "F"),
    ("TRUE", "T"),
    ("FALSE", "F"),
    ("PA", "pa"),
    ("PH", "ph"),
    ("PL", "pl"),
    ("NS", "ns"),
    ("NB", "nb"),
    ("G", "g"),
    ("P", "dp"),
    ("M", "m"),
    ("x", "*"),
    ("X", "*"),
];

/// Letters that are no words; `at` is in the middle of them.
pub(super) fn word(text: &str, at: usize) -> Mistake {
    let start = text[..at].trim_end_matches(char::is_alphabetic).len();
    let end = at + text[at..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - at);
    let (whole, rest) = (Span::new(start, end), Span::new(at, end));
    if let Some(fixed) = kept(text, at) {
        return Mistake::new(rest, "to keep the highest dice of a pool, write `ph`; the lowest, `pl`").fix(fixed);
    }
    if let Some(known) = better_of_two(text, whole) {
        return known;
    }
    for span in [whole, rest] {
        let written = &text[span.start..span.end];
        if let Some((_, meant)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == written) {
            let message = format!("unknown word `{written}`; write `{meant}` instead");
            return Mistake::new(span, message).replace(span, meant);
        }
    }
    let mistake = Mistake::new(whole, format!("unknown word {}; text needs quotes", shown(&text[start..end])));
    // Where a value is wanted, the word may be one.
    let wanted = text[..start].trim_end().chars().next_back().is_none_or(|c| "?:;([{,=m".contains(c));
    if wanted { mistake.wrap(whole, "\"", "\"") } else { mistake }
}

/// `1d20 advantage` as `2dh20`.
fn better_of_two(text: &str, word: Span) -> Option<Mistake> {
    let (op, which) = match &text[word.start..word.end] {
        "adv" | "advantage" => ("dh", "higher"),
        "dis" | "disadvantage" => ("dl", "lower"),
        _ => return None,
    };
    let message = format!("for the {which} of two dice, write `{op}`");
    let before = text[..word.start].trim_end();
    let dice = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let start = dice.strip_suffix(['d', 'D']).map(|start| start.strip_suffix('1').unwrap_or(start));
    let mistake = Mistake::new(word, message);
    Some(mistake.when(start, |mistake, start| {
        mistake.fix(format!("{start}2{op}{}{}", &before[dice.len()..], &text[word.end..]))
    }))
}

/// `4d6kh3` as `S 4dp6 ph 3`; the word is at `at`.
fn kept(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at(at);
    let (op, rest) = [("kh", "ph"), ("kl", "pl"), ("k", "ph")]
        .into_iter()
        .find_map(|(word, op)| Some((op, after.strip_prefix(word)?)))?;
    let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let sides = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let dice = sides.strip_suffix(['d', 'D'])?;
    let start = dice.trim_end_matches(|c: char| c.is_ascii_digit());
    let (count, sides) = (&dice[start.len()..], &before[sides.len()..]);
    let (count, keep) = (if count.is_empty() { "1" } else { count }, if digits.is_empty() { "1" } else { digits });
    (!sides.is_empty()).then(|| format!("{start}S {count}dp{sides} {op} {keep}{rest}"))
}

/// `1.5`
pub(super) fn decimal(text: &str, span: Span) -> Mistake {
    let written = &text[span.start..span.end];
    let mistake = Mistake::new(span, format!("`{written}` is not a whole number"));
    match written.split_once('.') {
        Some((whole, digits)) if digits.bytes().all(|digit| digit == b'0') => mistake.replace(span, whole),
        _ => mistake,
    }
}

/// A text without its closing quote.
pub(super) fn quote(text: &str, start: usize) -> Mistake {
    let end = text.trim_end().len().max(start + 1);
    Mistake::new(Span::new(start, end), "missing closing `\"`").insert(end, "\"")
}
