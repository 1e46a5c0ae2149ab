//! The words for wrong characters, numbers and quotes, and what to write in their place.

use crate::mistake::Mistake;
use tumble_core::{Ratio, Span};

/// Characters that people type or paste for a sign of the notation.
const LOOKALIKES: &[(char, &str)] = &[
    ('\u{2212}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{d7}', "*"),
    ('\u{f7}', "/"),
    ('\u{2265}', ">="),
    ('\u{2264}', "<="),
    ('\u{2260}', "=/="),
    ('\u{222a}', "@"),
    ('\u{2026}', ".."),
    ('\u{2018}', "'"),
    ('\u{2019}', "'"),
    (':', ":="),
    ('.', ".."),
    ('|', "||"),
];

/// Quotes that a word processor makes of `"`.
const QUOTES: &[char] = &['\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];

/// A character without a meaning.
pub(super) fn character(text: &str, span: Span) -> Mistake {
    let found = text[span.start..].chars().next().unwrap_or(' ');
    if found == '%' {
        return percent(text, span);
    }
    if let Some((_, sign)) = LOOKALIKES.iter().find(|(like, _)| *like == found) {
        let mistake = Mistake::new(span, format!("unexpected `{found}`; write `{sign}` instead"));
        // A single bar may be an "or" as well.
        return if found == '|' { mistake } else { mistake.replace(span, sign) };
    }
    if QUOTES.contains(&found) {
        return Mistake::new(span, "text needs straight quotes").fix(text.replace(QUOTES, "\""));
    }
    if found == '_' {
        return Mistake::new(span, "names can only contain letters").fix(text.replace('_', ""));
    }
    if found.is_alphabetic() {
        return Mistake::new(span, "names can only contain the letters a to z and A to Z");
    }
    if found.is_control() || found.is_whitespace() {
        return Mistake::new(span, "unexpected invisible character").replace(span, " ");
    }
    Mistake::new(span, format!("unexpected `{found}`"))
}

/// A `%` that is neither `%1` nor `%2`.
fn percent(text: &str, span: Span) -> Mistake {
    let digits = text[span.end..].chars().take_while(char::is_ascii_digit).count();
    let whole = Span::new(span.start, span.end + digits);
    if digits > 0 {
        return Mistake::new(whole, "a pair has only `%1` and `%2`");
    }
    if text[..span.start].ends_with(['d', 'D']) {
        return Mistake::new(span, "the number of sides must be written in digits").replace(span, "100");
    }
    let (before, after) = (&text[..span.start], &text[span.end..]);
    Mistake::new(span, "`%` is only used in `%1` and `%2`; write `mod` for a remainder").fix(format!(
        "{} mod {}",
        before.trim_end(),
        after.trim_start()
    ))
}

/// `1.5`, or `0.5` without a `?`.
pub(super) fn decimal(text: &str, span: Span) -> Mistake {
    let written = &text[span.start..span.end];
    if written.starts_with("0.") {
        let message = format!("`{written}` is not a whole number; a probability needs `?` before it");
        return Mistake::new(span, message);
    }
    let mistake = Mistake::new(span, format!("`{written}` is not a whole number"));
    mistake.when(fraction(written).and_then(Ratio::whole), |mistake, whole| mistake.replace(span, &whole.to_string()))
}

/// A decimal number, if it is small.
fn fraction(written: &str) -> Option<Ratio> {
    let (whole, digits) = written.split_once('.')?;
    let under = 10i128.checked_pow(u32::try_from(digits.len()).ok()?)?;
    Ratio::new(format!("{whole}{digits}").parse().ok()?, under)
}

/// A `?` without `0.` and digits after it, or with a `%`.
pub(super) fn chance(text: &str, start: usize, number: usize) -> Mistake {
    let rest = &text[number..];
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let percent = rest[length..].starts_with('%');
    let span = Span::new(start, if length == 0 { start + 1 } else { number + length + usize::from(percent) });
    let mistake = Mistake::new(span, "a probability is written like `?0.5`, with a number between 0 and 1");
    match probability(&rest[..length], percent) {
        Some(_) if length == 0 || rest[length..].starts_with('/') => mistake,
        Some(meant) => mistake.replace(span, &meant),
        None => mistake,
    }
}

/// How a probability is written that someone wrote as `1`, `.5` or `50%`.
fn probability(written: &str, percent: bool) -> Option<String> {
    if written.is_empty() {
        return Some("?0.5".to_owned());
    }
    let (whole, digits) = written.split_once('.').unwrap_or((written, ""));
    let whole: u32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let certain = if percent { 100 } else { 1 };
    let digits = digits.trim_end_matches('0');
    let hundredths = if percent { format!("{whole:02}") } else { String::new() };
    match format!("{hundredths}{digits}").trim_end_matches('0') {
        _ if whole == certain && digits.is_empty() => Some("1".to_owned()),
        _ if whole >= certain || digits.contains('.') => None,
        "" => Some("?0.0".to_owned()),
        digits => Some(format!("?0.{digits}")),
    }
}

/// A text without its closing quote.
pub(super) fn quote(text: &str, start: usize, stop: usize) -> Mistake {
    match text[stop..].chars().next() {
        Some(found) if found != '\n' && found != '\r' => {
            let place = Span::new(stop, stop + found.len_utf8());
            Mistake::new(place, "text can't contain tabs or other control characters").replace(place, " ")
        }
        _ => Mistake::new(Span::new(start, stop), "missing closing `\"`").insert(stop, "\""),
    }
}
