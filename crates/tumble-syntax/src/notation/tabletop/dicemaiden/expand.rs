//! Puts the meaning of a name in its place, and knows which place of the longer text was which of the written one.

use super::aliases::TABLES;
use super::{Flat, Meaning};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;

/// What stands around a part in the everyday notation; nobody types it.
pub(super) const EVERYDAY: (char, char) = ('\u{1}', '\u{2}');

/// A text with its names written out.
pub(super) struct Expanded {
    pub(super) text: String,
    /// Where something was put in: its place here, and the place of the name.
    swaps: Vec<(Span, Span)>,
}

/// What comes before the dice of a roll.
#[derive(Default)]
pub(super) struct Front {
    /// How many rolls, and where that is written.
    pub(super) sets: Option<(i64, Span)>,
    pub(super) label: Option<String>,
    /// Where the dice begin.
    pub(super) head: usize,
}

impl Expanded {
    /// Writes out the name at the beginning of each roll.
    pub(super) fn new(flat: &Flat, commands: &[&str], text: &str) -> Parsed<Expanded> {
        let mut expanded = Expanded { text: String::with_capacity(text.len()), swaps: vec![] };
        if let Some(at) = text.find([EVERYDAY.0, EVERYDAY.1]) {
            return Mistake::new(Span::new(at, at + 1), "unexpected control character").fail();
        }
        for (number, roll) in rolls(text).enumerate() {
            let head = front(flat, commands, text, roll, number == 0).head;
            let found = best(flat, &text[head..roll.end]);
            let (length, meaning) = found.unwrap_or((0, None));
            if let Some(Written::Refused(why)) = meaning {
                return Mistake::new(Span::new(head, head + length), why).fail();
            }
            expanded.text.push_str(&text[roll.start..head]);
            let start = expanded.text.len();
            if let Some(Written::Text(meaning)) = meaning {
                expanded.text.push_str(&meaning);
                expanded.swaps.push((Span::new(start, expanded.text.len()), Span::new(head, head + length)));
            }
            let end = (roll.end + 1).min(text.len());
            expanded.text.push_str(&text[head + length..end]);
        }
        Ok(expanded)
    }

    /// Whether there was a name.
    pub(super) fn named(&self) -> bool {
        !self.swaps.is_empty()
    }

    /// The place in the written text; a place in a meaning is that of the whole name.
    pub(super) fn place(&self, span: Span) -> Span {
        let start = match self.swaps.iter().rev().find(|(here, _)| here.start <= span.start) {
            Some((here, there)) if span.start < here.end => there.start,
            Some((here, there)) => there.end + (span.start - here.end),
            None => span.start,
        };
        let end = match self.swaps.iter().rev().find(|(here, _)| here.start < span.end) {
            Some((here, there)) if span.end <= here.end => there.end,
            Some((here, there)) => there.end + (span.end - here.end),
            None => span.end,
        };
        Span::new(start, end.max(start))
    }
}

/// The rolls of a text, without the `;` after them.
pub(super) fn rolls(text: &str) -> impl Iterator<Item = Span> {
    let (mut from, mut inside) = (0, false);
    let ends = move |c: char| {
        inside = c == EVERYDAY.0 || inside && c != EVERYDAY.1;
        c == ';' && !inside
    };
    text.split(ends).map(move |roll| {
        let span = Span::new(from, from + roll.len());
        from = span.end + 1;
        span
    })
}

/// Reads flags, sets and a label.
pub(super) fn front(flat: &Flat, commands: &[&str], text: &str, roll: Span, first: bool) -> Front {
    let mut front = Front { head: roll.start, ..Front::default() };
    let mut command = first;
    loop {
        let rest = &text[front.head..roll.end];
        let trimmed = rest.trim_start();
        front.head += rest.len() - trimmed.len();
        let word: &str = trimmed.split(char::is_whitespace).next().unwrap_or_default();
        let known = |list: &[&str]| list.iter().any(|one| one.eq_ignore_ascii_case(word));
        if std::mem::take(&mut command) && known(commands) || known(flat.flags) {
            front.head += word.len();
            continue;
        }
        if front.sets.is_none()
            && front.label.is_none()
            && let Some((count, length)) = sets(trimmed)
        {
            front.sets = Some((count, Span::new(front.head, front.head + length)));
            front.head += length;
            continue;
        }
        match trimmed.strip_prefix('(').and_then(|inside| inside.split_once(')')) {
            Some((label, _)) if front.label.is_none() => {
                front.label = Some(label.trim().to_owned());
                front.head += label.len() + 2;
            }
            _ => return front,
        }
    }
}

/// `6` before a roll, and its length.
fn sets(text: &str) -> Option<(i64, usize)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = &text[length..];
    let roll = after.trim_start();
    let letter = |roll: &str| roll.starts_with(|c: char| c.is_alphabetic());
    let begins = match roll.chars().next() {
        Some('+' | '-') => letter(&roll[1..]),
        Some(c) => c.is_alphanumeric() || c == '(' || c == EVERYDAY.0,
        None => false,
    };
    (roll.len() < after.len() && begins).then(|| text[..length].parse().ok()).flatten().map(|count| (count, length))
}

/// What is put in the place of a name.
pub(super) enum Written {
    Text(String),
    Refused(&'static str),
}

/// The longest name that a text begins with: its length and its meaning.
fn best(flat: &Flat, text: &str) -> Option<(usize, Option<Written>)> {
    let mut found: Option<(usize, Written)> = None;
    for (pattern, meaning) in flat.aliases {
        let Some((length, holes)) = matched(pattern, text) else { continue };
        if found.as_ref().is_some_and(|(longest, _)| *longest >= length) {
            continue;
        }
        let written = match meaning {
            Meaning::Own(meaning) => filled(meaning, &holes).map(Written::Text),
            Meaning::Everyday(meaning) => {
                filled(meaning, &holes).map(|text| Written::Text(format!("{}{text}{}", EVERYDAY.0, EVERYDAY.1)))
            }
            Meaning::Refused(why) => Some(Written::Refused(why)),
        };
        if let Some(written) = written {
            found = Some((length, written));
        }
    }
    found.map(|(length, written)| (length, Some(written)))
}

/// What the holes of a pattern hold.
type Holes<'t> = Vec<(&'static str, &'t str)>;

/// How long the beginning of a text is that a pattern matches, and what is in its holes.
fn matched<'t>(pattern: &'static str, text: &'t str) -> Option<(usize, Holes<'t>)> {
    let (mut at, mut holes, last) = (0, Vec::new(), pattern.contains('!'));
    let mut pattern = pattern;
    while let Some(next) = pattern.chars().next() {
        let rest = &text[at..];
        let hole = pattern.strip_prefix('<').and_then(|inside| inside.split_once('>'));
        let taken = match hole {
            Some((name, _)) => {
                let taken = hole_length(name, rest)?;
                holes.push((name, &rest[..taken]));
                taken
            }
            None if next == ' ' => rest.len() - rest.trim_start().len(),
            None => rest.chars().next().filter(|c| c.to_ascii_lowercase() == next)?.len_utf8(),
        };
        at += taken;
        pattern = hole.map_or(&pattern[next.len_utf8()..], |(_, after)| after);
    }
    let ends = !text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '%' || c == '.');
    // `!soak` is more than a comment only where nothing follows.
    (ends && (!last || text[at..].trim().is_empty())).then_some((at, holes))
}

/// How much of a text goes into a hole.
fn hole_length(name: &str, text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    match name {
        "adv" => Some(usize::from(text.starts_with(['+', '-']))),
        _ if name.starts_with('+') => {
            let Some(after) = text.strip_prefix(['+', '-']) else { return Some(0) };
            let blanks = after.len() - after.trim_start().len();
            let number = digits(after.trim_start());
            Some(if number > 0 { 1 + blanks + number } else { 0 })
        }
        _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => (digits(text) > 0).then_some(1),
        _ => Some(digits(text)).filter(|length| *length > 0),
    }
}

/// A meaning with its holes filled; nothing if a table has no such row.
fn filled(meaning: &str, holes: &Holes<'_>) -> Option<String> {
    let (mut out, mut rest) = (String::new(), meaning);
    let held = |name: &str| holes.iter().find(|(hole, _)| *hole == name).map(|(_, text)| *text);
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let Some((name, after)) = rest[at + 1..].split_once('>').filter(|(name, _)| !name.starts_with(['=', ' ']))
        else {
            out.push('<');
            rest = &rest[at + 1..];
            continue;
        };
        rest = after;
        if let Some((table, key)) = name.split_once(':') {
            let key: i64 = held(key).unwrap_or(key).parse().ok()?;
            let (_, rows) = TABLES.iter().find(|(known, _)| *known == table)?;
            out.push_str(rows.iter().find(|(row, _)| *row == key)?.1);
        } else if let Some(text) = held(name) {
            out.push_str(match (name, text) {
                ("adv", "+") => "2d20 k1",
                ("adv", "-") => "2d20 kl1",
                ("adv", _) => "1d20",
                _ => text,
            });
        } else {
            let split = name.find(['+', '-'])?;
            let number: i64 = held(&name[..split])?.parse().ok()?;
            let step: i64 = name[split..].parse().ok()?;
            out.push_str(&number.checked_add(step)?.to_string());
        }
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_out() {
        let written = |text: &str| match best(super::super::super::dialect::DICEMAIDEN.flat.unwrap(), text) {
            Some((length, Some(Written::Text(meaning)))) => (length, meaning),
            _ => (0, String::new()),
        };
        for (text, length, meaning) in [
            ("4cod", 4, "4d10 t8 ie10"),
            ("4COD8 + 2", 5, "4d10 t8 ie8"),
            ("8d6l", 4, "7d6 t4 + 1d6 ie6"),
            ("1d6l", 4, "1d6 t4 f1 ie6"),
            ("dd34", 4, "1d3 * 10 + 1d4"),
            ("+d20+5", 4, "2d20 k1"),
            ("-a5e - 3 ex2", 12, "2d20 kl1- 3 + 1d6"),
            ("a5e ex5", 0, ""),
            ("alien5s2p", 9, "5d6 t6 + 3d6"),
            ("sw8", 3, "\u{1}{1d8!!, 1d6!!}kh1\u{2}"),
            ("sw7", 0, ""),
            ("ed4e100", 7, "8d20 ie + 2d10 ie"),
            ("3wh4+", 5, "3d6 t4"),
            ("4d6", 0, ""),
            ("dhx", 0, ""),
        ] {
            assert_eq!(written(text), (length, meaning.to_owned()), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_written_text() {
        let flat = super::super::super::dialect::DICEMAIDEN.flat.unwrap();
        let expanded = Expanded::new(flat, &[], "p 4cod + 3; sr6").unwrap();
        assert_eq!(expanded.text, "p 4d10 t8 ie10 + 3; 6d6 t5");
        for (here, there) in [((2, 14), (2, 6)), ((2, 7), (2, 6)), ((17, 18), (9, 10)), ((20, 26), (12, 15))] {
            assert_eq!(expanded.place(Span::new(here.0, here.1)), Span::new(there.0, there.1), "{here:?}");
        }
    }
}
