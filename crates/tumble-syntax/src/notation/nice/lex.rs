//! From a text to its words, numbers and signs.
//!
//! ```text
//! blank  = space | tab | CR | LF            ignored between any two words
//! number = digit { digit }
//! word   = letter { letter }                `d`, `kh`, `kl`; all capitals: a name; else a mistake
//! sign   = the longest of SIGNS that fits
//! ```
//!
//! The list always ends with `End`, or with `Bad` where something cannot be read; what is before it
//! is still parsed, so that the first mistake of a text is the one reported.

use super::slip::{character, decimal};
use crate::mistake::Mistake;
use crate::scan::Cursor;
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

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) span: Span,
}

/// Every sign with its main spelling, a longer one before its beginning.
const SIGNS: &[(&str, &str)] = &[
    (">=", ">="),
    ("<=", "<="),
    ("==", "="),
    ("≥", ">="),
    ("≤", "<="),
    ("×", "*"),
    (">", ">"),
    ("<", "<"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (":", ":"),
];

/// The words of a text, and why the last one is `Bad` if it is.
pub(super) fn lex(text: &str) -> (Vec<Lexeme>, Option<Mistake>) {
    let mut cursor = Cursor::new(text);
    let mut lexemes = Vec::with_capacity(2 + text.len() / 2);
    loop {
        cursor.take_ascii(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'));
        let start = cursor.at();
        let token = match cursor.peek() {
            None => Ok(Token::End),
            Some(first) => next(text, &mut cursor, first),
        };
        let (token, bad) = match token {
            Ok(token) => (token, None),
            Err(mistake) => (Token::Bad, Some(mistake)),
        };
        let span = bad.as_ref().map_or(cursor.since(start), |mistake| mistake.span);
        lexemes.push(Lexeme { token, span });
        if matches!(token, Token::End | Token::Bad) {
            return (lexemes, bad);
        }
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
        _ => match SIGNS.iter().find(|(sign, _)| cursor.eat(sign)) {
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
