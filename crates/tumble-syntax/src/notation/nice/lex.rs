//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank  = space | tab | CR | LF            ignored between any two words
//! number = digit { digit }
//! word   = letter { letter }                `d`, `kh`, `kl`; all capitals: a name; else a mistake
//! sign   = the longest of SIGNS that fits
//! ```

use super::slip::{character, decimal};
use crate::mistake::Mistake;
use crate::scan::Cursor;
use crate::words::{self, Words};
use tumble_core::Span;

/// A word, number or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `7`
    Number(i64),
    /// `ATK`
    Name,
    /// Letters that are neither a name nor a word of the notation.
    Letters,
    /// A word or a sign, in its main spelling: `*` for `×`
    Key(&'static str),
    /// After everything.
    End,
    /// Something that cannot be read.
    Bad,
}

/// Signs of two characters and other spellings, with the main spelling.
const LONGER: &[(&str, &str)] = &[(">=", ">="), ("<=", "<="), ("==", "="), ("≥", ">="), ("≤", "<="), ("×", "*")];

/// Signs of one character.
const SIGNS: &[&str] = &[">", "<", "=", "+", "-", "*", "/", "(", ")", "[", "]", ":"];

/// The words of a text.
pub(super) fn lex(text: &str) -> Words<'_, Token> {
    Words::read(
        text,
        |cursor| {
            cursor.take_ascii(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'));
        },
        |cursor, first| next(text, cursor, first),
    )
}

impl words::Token for Token {
    const END: Token = Token::End;
    const BAD: Token = Token::Bad;

    fn key(key: &'static str) -> Token {
        Token::Key(key)
    }
}

fn next(text: &str, cursor: &mut Cursor<'_>, first: char) -> Result<Token, Mistake> {
    match first {
        '0'..='9' => number(text, cursor),
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
        _ => match LONGER
            .iter()
            .copied()
            .chain(SIGNS.iter().map(|sign| (*sign, *sign)))
            .find(|(sign, _)| cursor.eat(sign))
        {
            Some((_, main)) => Ok(Token::Key(main)),
            None => Err(character(text, Span::new(cursor.at(), cursor.at() + first.len_utf8()))),
        },
    }
}

/// Whether a word can be a name.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn number(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    let digits = cursor.take_ascii(|c| c.is_ascii_digit());
    if matches!(cursor.rest().as_bytes(), [b'.', b'0'..=b'9', ..]) {
        cursor.bump();
        cursor.take_ascii(|c| c.is_ascii_digit());
        return Err(decimal(text, cursor.since(start)));
    }
    let large = "this number is too large; the largest is 9223372036854775807";
    digits.parse().map(Token::Number).map_err(|_| Mistake::new(cursor.since(start), large))
}
