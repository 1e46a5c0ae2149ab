//! Characters and numbers that cannot be read, and what was most likely meant.

use crate::mistake::Mistake;
use tumble_core::Span;

/// Characters that people type or paste for a sign of the notation.
const LOOKALIKES: &[(char, &str)] = &[
    ('\u{2212}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{f7}', "/"),
    ('\u{b7}', "*"),
    ('\u{2217}', "*"),
    ('{', "("),
    ('}', ")"),
    ('\u{a0}', " "),
];

/// A character without a meaning.
pub(super) fn character(text: &str, span: Span) -> Mistake {
    let found = text[span.start..].chars().next().unwrap_or(' ');
    let (before, after) = (&text[..span.start], &text[span.end..]);
    if let Some((_, sign)) = LOOKALIKES.iter().find(|(like, _)| *like == found) {
        let message = match *sign {
            " " => "a blank of this sort has no meaning here".to_owned(),
            sign => format!("`{found}` has no meaning here; `{sign}` has"),
        };
        return Mistake::new(span, message).replace(text, span, sign);
    }
    match found {
        '%' if before.ends_with('d') => {
            Mistake::new(span, "the sides of a die are a number").replace(text, span, "100")
        }
        '!' if after.starts_with('=') => {
            let both = Span::new(span.start, span.end + 1);
            let unequal = format!("1 - ({} = {})", before.trim(), after[1..].trim());
            Mistake::new(both, "there is no sign for \"not equal\"").fix(unequal)
        }
        '!' => Mistake::new(span, "there are no exploding dice in this notation").delete(text, span),
        ',' => Mistake::new(span, "one text holds one roll; give several as texts of their own"),
        '#' => Mistake::new(span, "there are no comments in this notation").fix(before.to_owned()),
        '^' => Mistake::new(span, "there are no powers in this notation").replace(text, span, "*"),
        '_' => Mistake::new(span, "a name holds the letters A to Z only").fix(text.replace('_', "")),
        '"' | '\'' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => {
            Mistake::new(span, "there are no quotes in this notation").delete(text, span)
        }
        _ if found.is_alphabetic() => {
            Mistake::new(span, "a name holds the letters A to Z only").kind("invalid-symbol").delete(text, span)
        }
        _ if found.is_control() || found == '`' => {
            Mistake::new(span, "this character has no meaning here").delete(text, span)
        }
        _ => Mistake::new(span, format!("`{found}` has no meaning here")).delete(text, span),
    }
}

/// `1.5`
pub(super) fn decimal(text: &str, span: Span) -> Mistake {
    let written = &text[span.start..span.end];
    let mistake = Mistake::new(span, format!("{} is not a whole number", short(written)));
    let (whole, digits) = written.split_once('.').unwrap_or((written, ""));
    match (whole, digits.trim_end_matches('0')) {
        (whole, "") => mistake.replace(text, span, whole),
        ("0", "5") => mistake.replace(text, span, "1 / 2"),
        ("1", "5") => mistake.replace(text, span, "3 / 2"),
        _ => mistake,
    }
}

/// A written thing for a message, not longer than anyone would read.
pub(super) fn short(written: &str) -> String {
    match written.char_indices().nth(30) {
        Some((end, _)) => format!("`{}…`", &written[..end]),
        None if written.contains('`') => "this".to_owned(),
        None => format!("`{written}`"),
    }
}
