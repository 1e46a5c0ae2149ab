//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank  = space | tab | CR | LF            ignored between any two words
//! number = digit { digit }
//! word   = letter { letter }                `d`, `kh`, `kl`; all capitals: a name; else a mistake
//! sign   = the longest that fits
//! ```

use super::operator::OPERATORS;
use super::slip::{character, decimal};
use crate::mistake::Mistake;
use crate::scan::Cursor;
use crate::words::{Token, Words};
use tumble_core::Span;

/// Other spellings of signs, with the main one.
const ALIASES: &[(&str, &str)] = &[("==", "="), ("≥", ">="), ("≤", "<="), ("×", "*")];

/// Every sign with its main spelling.
fn signs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let signs = OPERATORS.iter().map(|row| row.sign).chain(["(", ")", "[", "]", ":"]);
    ALIASES.iter().copied().chain(signs.map(|sign| (sign, sign)))
}

/// The words of a text.
pub(super) fn lex(text: &str) -> Words<'_> {
    Words::read(
        text,
        |cursor| {
            cursor.take_ascii(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'));
        },
        |cursor, first| next(text, cursor, first),
    )
}

fn next(text: &str, cursor: &mut Cursor<'_>, first: char) -> Result<Token, Mistake> {
    match first {
        '0'..='9' => Ok(Token::Number(cursor.number(i64::MAX as u64, |span| decimal(text, span))? as i64)),
        'a'..='z' | 'A'..='Z' => {
            let word = cursor.take_ascii(|c| c.is_ascii_alphabetic());
            Ok(match word {
                "d" => Token::Key("d"),
                "kh" => Token::Key("kh"),
                "kl" => Token::Key("kl"),
                _ if is_name(word) => Token::Name,
                _ => Token::Letters,
            })
        }
        _ => match cursor.eat_longest(signs()) {
            Some(main) => Ok(Token::Key(main)),
            None => Err(character(text, Span::new(cursor.at(), cursor.at() + first.len_utf8()))),
        },
    }
}

/// Whether a word can be a name.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
