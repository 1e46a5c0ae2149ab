//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank    = any Unicode blank
//! number   = digit { digit }
//! text     = '"' { any character but '"' } '"'
//! word     = the longest of WORDS that fits; nothing need stand between two words
//! sign     = the longest of SIGNS that fits
//! ```
//!
//! A word with several spellings is given in its main one: `dp` for `g` and `p`, `T` for `true`.

use super::operator::REDUCES;
use super::slip::{character, decimal, quote, word};
use crate::mistake::Mistake;
use crate::scan::Cursor;
use crate::words::{Token, Words};
use tumble_core::Span;

/// Every word with its main spelling, a longer one before its beginning; the letters before a pool are in `operator`.
const WORDS: &[(&str, &str)] = &[
    ("false", "F"),
    ("true", "T"),
    ("dp!", "g!"),
    ("dp", "dp"),
    ("d!", "d!"),
    ("dc", "dc"),
    ("dh", "dh"),
    ("dl", "dl"),
    ("dw", "dw"),
    ("d", "d"),
    ("g!", "g!"),
    ("g", "dp"),
    ("pa", "pa"),
    ("pb", "pb"),
    ("pc", "pc"),
    ("pf", "pf"),
    ("ph", "ph"),
    ("pl", "pl"),
    ("pr", "pr"),
    ("ps", "ns"),
    ("pz", "p%"),
    ("p%", "p%"),
    ("p", "dp"),
    ("ns", "ns"),
    ("nb", "nb"),
    ("ss", "ss"),
    ("m=", "m"),
    ("m", "m"),
    ("T", "T"),
    ("F", "F"),
];

/// Every sign, a longer one before its beginning.
const SIGNS: &[&str] = &[
    ">=", "==", "!=", "<=", ">", "<", "=", "^", "*", "/", "%", "+", "-", "(", ")", "[", "]", "{", "}", ",", ":", ";",
    "?",
];

/// The words of a text.
pub(super) fn lex(text: &str) -> Words<'_> {
    Words::read(
        text,
        |cursor| {
            cursor.take_while(char::is_whitespace);
        },
        |cursor, first| next(text, cursor, first),
    )
}

fn next(text: &str, cursor: &mut Cursor<'_>, first: char) -> Result<Token, Mistake> {
    match first {
        '0'..='9' => number(text, cursor),
        '"' => quoted(text, cursor),
        _ if first.is_alphabetic() => {
            let letters = REDUCES.iter().map(|row| (row.sign, row.sign));
            let found = WORDS.iter().copied().chain(letters).find(|(word, _)| eat_word(cursor, word));
            found.map(|(_, main)| Token::Key(main)).ok_or_else(|| word(text, cursor.at()))
        }
        _ => match SIGNS.iter().find(|sign| cursor.eat(sign)) {
            Some(sign) => Ok(Token::Key(sign)),
            None => Err(character(text, Span::new(cursor.at(), cursor.at() + first.len_utf8()))),
        },
    }
}

/// Moves past a word; a `D` is as good as a `d`.
fn eat_word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    if cursor.peek() == Some('D') && word.starts_with('d') {
        let mut capital = cursor.clone();
        capital.bump();
        let found = capital.eat(&word[1..]);
        if found {
            *cursor = capital;
        }
        return found;
    }
    cursor.eat(word)
}

fn number(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    let n = cursor.number(1 << 63, |span| decimal(text, span))?;
    if cursor.eat(".") { Err(decimal(text, cursor.since(start))) } else { Ok(Token::Number(n.cast_signed())) }
}

fn quoted(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    cursor.bump();
    cursor.take_while(|c| c != '"');
    if cursor.eat("\"") { Ok(Token::Text) } else { Err(quote(text, start)) }
}
