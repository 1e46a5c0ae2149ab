//! Messages about errors, and what may have been meant.
//!
//! Most wrong texts are right in another notation: `4d6kh3`, `d20 adv`, `d6!>=5`, `1d6 >= 4`. Their words stand in
//! [`HABITS`] with what they are here.

use super::parse::is_blank;
use crate::mistake::{Mistake, shown};
use tumble_core::Span;

/// What others write after dice, and what is written here; `#` is the number.
const HABITS: &[(&str, &str)] = &[
    ("kh", "K#H"),
    ("kl", "K#L"),
    ("k", "K#H"),
    ("dh", "D#H"),
    ("dl", "D#L"),
    ("d", "D#L"),
    ("h", "K#H"),
    ("l", "K#L"),
    ("adv", "+"),
    ("advantage", "+"),
    ("dis", "-"),
    ("disadv", "-"),
    ("disadvantage", "-"),
    ("max", "M"),
    ("min", "m"),
    ("explode", "!#"),
    ("c", "C"),
    ("cs", "C"),
    ("s", "C"),
    ("count", "C"),
];

/// Characters that people type or paste for a sign of the notation.
const LOOKALIKES: &[(char, &str)] = &[
    ('\u{2212}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{ff0b}', "+"),
    ('\u{2265}', ">="),
    ('\u{2264}', "<="),
    ('\u{2026}', ".."),
    ('\u{ff01}', "!"),
];

/// Where a term should stand is something else.
pub(super) fn no_term(text: &str, at: usize, first: bool) -> Mistake {
    let Some(found) = text[at..].chars().next() else {
        return Mistake::new(Span::new(at, at), "there is nothing to roll");
    };
    let span = Span::new(at, at + found.len_utf8());
    match found {
        '+' | '-' if first => {
            let mistake = Mistake::new(span, format!("missing number or dice before `{found}`"));
            if found == '-' { mistake.replace(span, "0 - ") } else { mistake.delete(span) }
        }
        '+' | '-' => two_signs(text, span),
        '(' => parenthesis(text, span),
        'D' => small_d(span),
        '.' | '[' | '{' => Mistake::new(span, "expected a number or dice such as `d6`"),
        _ => character(text, span, "expected a number or dice such as `d6`"),
    }
}

/// Two signs with a blank between them.
fn two_signs(text: &str, second: Span) -> Mistake {
    let before = text[..second.start].trim_end_matches(is_blank);
    let first = Span::new(before.len().saturating_sub(1), second.end);
    let same = before.ends_with(&text[second.start..second.end]);
    let sign = if same && before.ends_with('-') { "+" } else { "-" };
    let sign = if same && before.ends_with('+') { "+" } else { sign };
    Mistake::new(second, "two signs in a row before this term").replace(first, sign)
}

fn parenthesis(text: &str, span: Span) -> Mistake {
    let mistake = Mistake::new(span, "this notation has no parentheses; terms are added from left to right");
    let before = text[..span.start].trim_end_matches(is_blank);
    if before.ends_with('-') { mistake } else { mistake.fix(text.replace(['(', ')'], "")) }
}

fn small_d(span: Span) -> Mistake {
    Mistake::new(span, "dice use a lowercase `d`; `D` drops dice").replace(span, "d")
}

/// A sign after a blank, and nothing after it.
pub(super) fn sign_at_end(text: &str, at: usize) -> Mistake {
    let sign = &text[at..at + 1];
    let message = format!("missing number or dice after `{sign}`");
    Mistake::new(Span::new(at, at + 1), message)
}

/// Something other than a sign follows a term.
pub(super) fn between_terms(text: &str, term: Span, at: usize) -> Mistake {
    let found = text[at..].chars().next().unwrap_or(' ');
    let span = Span::new(at, at + found.len_utf8());
    let gap = Span::new(term.end, at);
    match found {
        '0'..='9' | 'd' if at > term.end => side_by_side(text, term, gap),
        'D' if is_number(text, term) => small_d(span),
        'C' | 'M' | 'm' | '!' | 'K' | 'D' => {
            let message = format!("`{found}` must come directly after its dice, without a space");
            let message =
                if is_number(text, term) { "only dice can have modifiers, not numbers".to_owned() } else { message };
            Mistake::new(span, message).delete(gap)
        }
        '>' | '<' | '=' | '\u{2265}' | '\u{2264}' => comparison(text, term, span),
        '*' | '/' | '\u{d7}' | '\u{f7}' | '^' => Mistake::new(span, "only `+` and `-` can join terms in this notation"),
        '(' => parenthesis(text, span),
        ')' => Mistake::new(span, "unmatched `)`").delete(span),
        ',' | ';' => Mistake::new(span, "this notation has only one roll per expression"),
        '#' | '[' => Mistake::new(span, "this notation has no labels or comments").fix(text[..at].to_owned()),
        '.' => Mistake::new(span, "only whole numbers are allowed"),
        '%' => Mistake::new(span, "`%` is only used in `d%`"),
        'A'..='Z' | 'a'..='z' => word(text, term, at),
        _ => character(text, span, "expected `+` or `-` between two terms"),
    }
}

fn is_number(text: &str, term: Span) -> bool {
    text[term.start..term.end].bytes().all(|c| c.is_ascii_digit())
}

/// `d6 d6`, `3 d6`
fn side_by_side(text: &str, term: Span, gap: Span) -> Mistake {
    if is_number(text, term) && text[gap.end..].starts_with('d') {
        return Mistake::new(gap, "no space is allowed between the number of dice and `d`").delete(gap);
    }
    Mistake::new(gap, "missing `+` or `-` between these terms")
}

/// `1d6 >= 4`, `d6!>=5`
fn comparison(text: &str, term: Span, sign: Span) -> Mistake {
    let signs = text[sign.start..].trim_start_matches(['<', '>', '=', '\u{2265}', '\u{2264}']);
    let end = text.len() - signs.len();
    let (compared, number) = (&text[sign.start..end], signs.trim_start_matches(is_blank));
    let blanks = signs.len() - number.len();
    if text[..sign.start].ends_with('!') {
        let mistake = Mistake::new(sign, "`!` takes only the lowest number that explodes, without a comparison");
        let digits = &number[..number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len())];
        let whole = Span::new(sign.start, end + blanks + digits.len());
        return match (compared, digits.parse::<i64>()) {
            (">=" | "=" | "\u{2265}" | "=>", Ok(n)) => mistake.replace(whole, &n.to_string()),
            (">", Ok(n)) => mistake.replace(whole, &n.saturating_add(1).to_string()),
            _ => mistake,
        };
    }
    let meant = match compared {
        "\u{2265}" | "=>" => ">=",
        "\u{2264}" | "=<" => "<=",
        other => other,
    };
    let mistake = Mistake::new(sign, "this notation can't compare totals; `C>=5` counts the dice that show 5 or more");
    // Of one die that is the same.
    let dice = &text[term.start..term.end];
    let one = dice.strip_prefix('1').unwrap_or(dice).starts_with('d');
    if one { mistake.replace(Span::new(term.end, end + blanks), &format!("C{meant}")) } else { mistake }
}

/// A word of another notation.
fn word(text: &str, term: Span, at: usize) -> Mistake {
    let rest = &text[at..];
    let letters = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
    let after = &rest[letters.len()..];
    let digits = &after[..after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len())];
    let end = at + letters.len();
    let mistake = Mistake::new(Span::new(at, end), format!("unexpected {}", shown(letters)));
    let habit = HABITS.iter().find(|(habit, _)| *habit == letters.to_ascii_lowercase());
    match habit {
        Some((_, here)) if !is_number(text, term) => {
            let whole = Span::new(term.end, if here.contains('#') { end + digits.len() } else { end });
            mistake.replace(whole, &here.replace('#', digits))
        }
        _ => mistake,
    }
}

/// A character without a meaning; `wanted` says what should stand here.
fn character(text: &str, span: Span, wanted: &str) -> Mistake {
    let found = &text[span.start..span.end];
    let like = LOOKALIKES.iter().find(|(like, _)| found.starts_with(*like));
    match like {
        Some((_, sign)) => Mistake::new(span, format!("unexpected `{found}`; write `{sign}` instead"))
            .fix(LOOKALIKES.iter().fold(text.to_owned(), |text, (like, sign)| text.replace(*like, sign))),
        None if found.chars().any(char::is_whitespace) => {
            Mistake::new(span, "unexpected kind of space").fix(text.replace(char::is_whitespace, " "))
        }
        None if found.chars().any(|c| c.is_control() || c == '`') => {
            Mistake::new(span, "unexpected character").delete(span)
        }
        None => {
            let mistake = Mistake::new(span, format!("{wanted}, not `{found}`"));
            if found.chars().any(char::is_alphanumeric) { mistake } else { mistake.delete(span) }
        }
    }
}

/// `d` without sides.
pub(super) fn no_sides(text: &str, die: Span) -> Mistake {
    let rest = &text[die.end..];
    let gap = rest.len() - rest.trim_start_matches(is_blank).len();
    let mistake = Mistake::new(die, "missing sides after `d`, as in `d6`, `d%`, `dF`, `d[2..5]` or `d{1, 3}`");
    let mistake = if gap > 0 { mistake.delete(Span::new(die.end, die.end + gap)) } else { mistake };
    match rest.chars().next() {
        Some('f') => mistake.replace(Span::new(die.end, die.end + 1), "F"),
        Some('(') => mistake.fix(text.replace(['(', ')'], "")),
        _ => mistake,
    }
}

/// Something is wrong inside `[…]`.
pub(super) fn range(text: &str, open: usize, at: usize) -> Mistake {
    let inside = inside(text, open, ']');
    let mistake = Mistake::new(inside.0, "a range needs both ends, as in `d[1..6]`");
    let numbers = numbers(inside.1);
    let mistake = match numbers.as_slice() {
        _ if inside.1.contains(',') => mistake.replace(inside.0, &format!("{{{}}}", inside.1)),
        [from, to] => mistake.replace(inside.0, &format!("[{from}..{to}]")),
        [only] if *only != "1" => mistake.replace(inside.0, &format!("[1..{only}]")),
        _ => return mistake,
    };
    mistake.replace(Span::new(at, at), "]")
}

/// Something is wrong inside `{…}`.
pub(super) fn list(text: &str, open: usize, at: usize) -> Mistake {
    let inside = inside(text, open, '}');
    let mistake = Mistake::new(inside.0, "faces are separated by commas, as in `d{1, 1, 100}`");
    let closed = text[..inside.0.end].ends_with([']', '}']);
    if !closed {
        return mistake.replace(Span::new(at, at), "}");
    }
    let numbers = numbers(inside.1);
    let known = !numbers.is_empty() && !inside.1.contains("..");
    let faces = format!("{{{}}}", numbers.join(", "));
    if known { mistake.replace(inside.0, &faces) } else { mistake }
}

/// A bracket with its contents, up to where it closes or the text ends; and the contents.
fn inside(text: &str, open: usize, close: char) -> (Span, &str) {
    let rest = &text[open + 1..];
    let end = rest.find([']', '}', '\n']).unwrap_or(rest.len());
    let closed = rest[end..].starts_with(close) || rest[end..].starts_with([']', '}']);
    (Span::new(open, open + 1 + end + usize::from(closed)), &rest[..end])
}

/// The whole numbers of a text; a minus between two numbers is taken for a dash.
fn numbers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    let bytes = text.as_bytes();
    for at in 0..=bytes.len() {
        let digit = bytes.get(at).is_some_and(u8::is_ascii_digit);
        let minus = bytes.get(at) == Some(&b'-') && (at == 0 || !bytes[at - 1].is_ascii_digit());
        match start {
            None if digit || (minus && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)) => start = Some(at),
            Some(from) if !digit => {
                found.push(&text[from..at]);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A number on both sides of the mode.
pub(super) fn number_twice(start: usize, second: Span) -> Mistake {
    let span = Span::new(start, second.end);
    Mistake::new(span, "the number of dice is given twice")
}

/// `C>` without its number.
pub(super) fn no_bound(text: &str, count: Span) -> Mistake {
    let sign = &text[count.start + 1..count.end];
    let rest = &text[count.end..];
    let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
    let mistake = Mistake::new(count, format!("missing number after `{sign}`"));
    match rest.chars().next() {
        Some('=') => mistake.replace(Span::new(count.end - 1, count.end + 1), ">="),
        _ if blanks > 0 => mistake.delete(Span::new(count.end, count.end + blanks)),
        _ => mistake,
    }
}

/// A modifier after `C`.
pub(super) fn count_not_last(text: &str, count: usize, at: usize) -> Mistake {
    let counted = &text[count..at];
    let rest = &text[at..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"!<>=".contains(c)).unwrap_or(rest.len());
    let span = Span::new(at, at + end);
    let message = "a count must come last; no modifier can follow it";
    let mistake = Mistake::new(span, message).kind("count-not-last");
    let after = &text[span.start..span.end];
    let moved = format!("{after}{counted}");
    // `M` and `m` count as well, and `C!` is a count of its own.
    let plain = counted == "C" || counted[1..].starts_with(['<', '>']);
    match after {
        "C" => mistake.delete(span),
        _ if plain && !after.contains(['C', '!']) => mistake.replace(Span::new(count, span.end), &moved),
        _ => mistake,
    }
}

/// `C5`
pub(super) fn count_number(count: Span) -> Mistake {
    let span = Span::new(count.start, count.end + 1);
    Mistake::new(span, "`C` needs `>`, `>=`, `<` or `<=` before its number")
}

/// `C=6`
pub(super) fn count_equal(text: &str, count: Span) -> Mistake {
    let span = Span::new(count.start, count.end + 1);
    let mistake = Mistake::new(
        span,
        "this notation can't count dice that show exactly one number; use `C>=`, `C<=`, `C>` or `C<`",
    );
    let rest = &text[span.end..];
    match rest.chars().next() {
        Some('>') => mistake.replace(Span::new(count.start, span.end + 1), "C>="),
        Some('<') => mistake.replace(Span::new(count.start, span.end + 1), "C<="),
        _ => mistake,
    }
}
