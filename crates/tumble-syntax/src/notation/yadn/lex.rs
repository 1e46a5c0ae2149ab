//! The lexer: from an expression to its words, numbers and signs.
//!
//! ```text
//! blank    = any Unicode blank
//! number   = digit { digit }
//! text     = '"' { any character but '"' } '"'
//! word     = the longest that fits; nothing need stand between two words
//! sign     = the longest of SIGNS that fits
//! ```
//!
//! A word with several spellings is given in its main one: `dp` for `g` and `p`, `T` for `true`.

use super::operator::{INFIXES, REDUCES};
use super::slip::{character, decimal, quote, word};
use crate::mistake::Mistake;
use crate::scan::Cursor;
use crate::words::{Token, Words};
use tumble_core::Span;

/// Other spellings of words, with the main one.
const ALIASES: &[(&str, &str)] =
    &[("false", "F"), ("true", "T"), ("dp!", "g!"), ("g", "dp"), ("p", "dp"), ("ps", "ns"), ("pz", "p%"), ("m=", "m")];

/// Every word with its main spelling: the operators, and what else is one.
fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    let operators = INFIXES.iter().map(|row| row.sign).chain(REDUCES.iter().map(|row| row.sign));
    let words = operators.filter(|sign| sign.starts_with(char::is_alphabetic)).chain(["m", "T", "F"]);
    ALIASES.iter().copied().chain(words.map(|word| (word, word)))
}

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
            let longest =
                words().filter(|(word, _)| eat_word(&mut cursor.clone(), word)).max_by_key(|(word, _)| word.len());
            let (found, main) = longest.ok_or_else(|| word(text, cursor.at()))?;
            eat_word(cursor, found);
            Ok(Token::Key(main))
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
