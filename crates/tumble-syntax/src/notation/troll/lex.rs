//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank    = space | tab | CR | LF | FF | "\" … end of line
//! number   = digit { digit }                 chance = "?" "0." digit { digit }
//! word     = letter { letter }               a keyword or a name; no digits in it
//! text     = '"' { any character but '"' and control characters } '"'
//! sign     = the longest of SIGNS that fits
//! ```

use super::MISTAKES;
use super::operator::{INFIXES, PREFIXES, infix, prefix};
use crate::explain::Scene;
use crate::mistake::Mistake;
use crate::scan::{Cursor, row_of};
use crate::words::{Token, Words};
use tumble_core::Span;

/// The words of the constructs. Like the operators that are words, they cannot be names.
const CONSTRUCTS: &[&str] = &[
    "least",
    "largest",
    "let",
    "in",
    "repeat",
    "accumulate",
    "while",
    "until",
    "foreach",
    "do",
    "if",
    "then",
    "else",
    "function",
    "call",
    "compositional",
];

/// Every word that cannot be a name.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    let words = PREFIXES.iter().map(|row| row.sign).chain(INFIXES.iter().map(|row| row.sign));
    words.filter(|sign| sign.starts_with(char::is_alphabetic)).chain(CONSTRUCTS.iter().copied())
}

/// Every sign, a longer one before its beginning.
const SIGNS: &[&str] = &[
    "=/=", ":=", "--", "..", "||", "|>", "<|", "<>", "<=", ">=", "%1", "%2", "+", "-", "*", "/", "(", ")", ",", ";",
    "{", "}", "[", "]", "=", "<", ">", "@", "&", "#", "'", "~", "!",
];

/// The most digits of a chance: their power of ten still fits a weight.
const MOST_DIGITS: usize = 18;

/// The words of a text.
pub(super) fn lex(text: &str) -> Words<'_> {
    Words::read(text, &MISTAKES, skip_blanks, |cursor, first| next(text, cursor, first))
}

/// Which keyword a word is.
pub(super) fn keyword(word: &str) -> Option<&'static str> {
    match word {
        "D" => Some("d"),
        "Z" => Some("z"),
        "U" => Some("@"),
        _ if word.starts_with(char::is_alphabetic) => {
            let operator = || prefix(word).map(|row| row.sign).or_else(|| infix(word).map(|row| row.sign));
            row_of(CONSTRUCTS, |key| key, word).copied().or_else(operator)
        }
        _ => None,
    }
}

fn skip_blanks(cursor: &mut Cursor<'_>) {
    while matches!(cursor.peek(), Some(' ' | '\t' | '\r' | '\n' | '\x0c' | '\\')) {
        cursor.take_ascii(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n' | b'\x0c'));
        if cursor.eat("\\") {
            cursor.take_while(|c| c != '\n');
        }
    }
}

fn next(text: &str, cursor: &mut Cursor<'_>, first: char) -> Result<Option<Token>, Mistake> {
    Ok(match first {
        '0'..='9' => Some(Token::Number(cursor.number(i64::MAX as u64, &MISTAKES)? as i64)),
        'a'..='z' | 'A'..='Z' => {
            let word = cursor.take_ascii(|c| c.is_ascii_alphabetic());
            Some(keyword(word).map_or(Token::Name, Token::Key))
        }
        '?' => Some(probability(text, cursor)?),
        '"' => Some(quoted(text, cursor)?),
        _ => SIGNS.iter().find(|sign| cursor.eat(sign)).map(|sign| Token::Key(sign)),
    })
}

fn starts_fraction(rest: &str) -> bool {
    matches!(rest.as_bytes(), [b'.', b'0'..=b'9', ..])
}

/// `?` and the chance after it, blanks in between allowed.
fn probability(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    cursor.bump();
    skip_blanks(cursor);
    let whole_start = cursor.at();
    let whole = cursor.take_while(|c| c.is_ascii_digit());
    if whole != "0" || !starts_fraction(cursor.rest()) {
        return Err(chance(text, start, whole_start));
    }
    cursor.bump();
    let digits_start = cursor.at();
    let digits = cursor.take_while(|c| c.is_ascii_digit()).trim_end_matches('0');
    if cursor.rest().starts_with('%') {
        return Err(chance(text, start, whole_start));
    }
    if digits.len() > MOST_DIGITS {
        let message = format!("a probability can have at most {MOST_DIGITS} digits after the point");
        return Err(Mistake::limit(cursor.since(start), message));
    }
    Ok(Token::Chance(Span::new(digits_start, digits_start + digits.len())))
}

fn quoted(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    cursor.bump();
    cursor.take_while(|c| c != '"' && !c.is_control());
    let stop = cursor.at();
    match text[stop..].chars().next() {
        Some('"') => {
            cursor.bump();
            Ok(Token::Text)
        }
        None | Some('\n' | '\r') => Err(cursor.wrong(start, &MISTAKES, "quote")),
        Some(_) => {
            cursor.bump();
            Err(cursor.wrong(stop, &MISTAKES, "inside quotes"))
        }
    }
}

/// A `?` without `0.` and digits after it, or with a `%`.
fn chance(text: &str, start: usize, number: usize) -> Mistake {
    let rest = &text[number..];
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let percent = rest[length..].starts_with('%');
    let here = Span::new(start, if length == 0 { start + 1 } else { number + length + usize::from(percent) });
    let scene = Scene::of(text, here);
    match meant(&rest[..length], percent).filter(|_| !rest[length..].starts_with('/')) {
        Some(meant) => Scene { key: &meant, ..scene }.explained(&MISTAKES, "chance"),
        None => scene.explained(&MISTAKES, "no chance"),
    }
}

/// How a probability is written that someone wrote as `1`, `.5` or `50%`.
fn meant(written: &str, percent: bool) -> Option<String> {
    let (whole, digits) = written.split_once('.').unwrap_or((written, ""));
    let whole: u32 = if whole.is_empty() && !digits.is_empty() { 0 } else { whole.parse().ok()? };
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
