//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank  = space | tab | CR | LF            ignored between any two words
//! number = digit { digit }
//! word   = letter { letter }                `d`, `kh`, `kl`; all capitals: a name; else a mistake
//! sign   = the longest that fits
//! ```

use super::MISTAKES;
use super::operator::OPERATORS;
use crate::mistake::Mistake;
use crate::scan::Cursor;
use crate::words::{Token, Words};

/// Other spellings of signs, with the main one.
const ALIASES: &[(&str, &str)] = &[("==", "="), ("≥", ">="), ("≤", "<="), ("×", "*")];

/// Every sign with its main spelling.
fn signs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let signs = OPERATORS.iter().map(|row| row.sign).chain(["(", ")", "[", "]", ":"]);
    ALIASES.iter().copied().chain(signs.map(|sign| (sign, sign)))
}

/// The words of a text.
pub(super) fn lex(text: &str) -> Words<'_> {
    let skip = |cursor: &mut Cursor<'_>| {
        cursor.take_ascii(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'));
    };
    Words::read(text, &MISTAKES, skip, next)
}

fn next(cursor: &mut Cursor<'_>, first: char) -> Result<Option<Token>, Mistake> {
    Ok(match first {
        '0'..='9' => Some(Token::Number(cursor.number(i64::MAX as u64, &MISTAKES)? as i64)),
        'a'..='z' | 'A'..='Z' => Some(match cursor.take_ascii(|c| c.is_ascii_alphabetic()) {
            "d" => Token::Key("d"),
            "kh" => Token::Key("kh"),
            "kl" => Token::Key("kl"),
            word if is_name(word) => Token::Name,
            _ => Token::Letters,
        }),
        _ => cursor.eat_longest(signs()).map(Token::Key),
    })
}

/// Whether a word can be a name.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
