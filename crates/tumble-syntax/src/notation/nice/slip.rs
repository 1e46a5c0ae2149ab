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
            " " => "unexpected kind of space".to_owned(),
            sign => format!("unexpected `{found}`; write `{sign}` instead"),
        };
        return Mistake::new(span, message).replace(span, sign);
    }
    match found {
        '%' if before.ends_with('d') => {
            Mistake::new(span, "the number of sides must be written in digits").replace(span, "100")
        }
        '!' if after.starts_with('=') => {
            let both = Span::new(span.start, span.end + 1);
            let unequal = format!("1 - ({} = {})", before.trim(), after[1..].trim());
            Mistake::new(both, "this notation has no \"not equal\"").fix(unequal)
        }
        '!' => Mistake::new(span, "this notation has no exploding dice"),
        ',' => Mistake::new(span, "this notation has only one roll per expression"),
        '#' => Mistake::new(span, "this notation has no comments").fix(before.to_owned()),
        '^' => Mistake::new(span, "this notation has no powers"),
        '_' => Mistake::new(span, "names can only contain the letters A to Z").fix(text.replace('_', "")),
        '"' | '\'' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => {
            Mistake::new(span, "this notation has no quotes").delete(span)
        }
        _ if found.is_alphabetic() => {
            Mistake::new(span, "names can only contain the letters A to Z").kind("invalid-symbol").delete(span)
        }
        _ if found.is_control() || found == '`' => Mistake::new(span, "unexpected character").delete(span),
        _ => Mistake::new(span, format!("unexpected `{found}`")),
    }
}

/// `1.5`
pub(super) fn decimal(text: &str, span: Span) -> Mistake {
    let written = &text[span.start..span.end];
    let mistake = Mistake::new(span, format!("{} is not a whole number", short(written)));
    let (whole, digits) = written.split_once('.').unwrap_or((written, ""));
    match (whole, digits.trim_end_matches('0')) {
        (whole, "") => mistake.replace(span, whole),
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
