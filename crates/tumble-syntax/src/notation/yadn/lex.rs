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

use super::MISTAKES;
use super::operator::{INFIXES, REDUCES};
use crate::explain::Scene;
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
    let skip = |cursor: &mut Cursor<'_>| {
        cursor.take_while(char::is_whitespace);
    };
    Words::read(text, &MISTAKES, skip, |cursor, first| next(text, cursor, first))
}

fn next(text: &str, cursor: &mut Cursor<'_>, first: char) -> Result<Option<Token>, Mistake> {
    match first {
        '0'..='9' => number(cursor).map(Some),
        '"' => quoted(text, cursor).map(Some),
        _ if first.is_alphabetic() => {
            let longest =
                words().filter(|(word, _)| eat_word(&mut cursor.clone(), word)).max_by_key(|(word, _)| word.len());
            let (found, main) = longest.ok_or_else(|| no_word(text, cursor.at()))?;
            eat_word(cursor, found);
            Ok(Some(Token::Key(main)))
        }
        _ => Ok(SIGNS.iter().find(|sign| cursor.eat(sign)).map(|sign| Token::Key(sign))),
    }
}

/// Letters that are no words; `at` may be in the middle of them.
fn no_word(text: &str, at: usize) -> Mistake {
    let start = text[..at].trim_end_matches(char::is_alphabetic).len();
    let end = at + text[at..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - at);
    let [rest, whole] = [at, start].map(|start| Scene::of(text, Span::new(start, end)));
    rest.known(&MISTAKES, "rest").unwrap_or_else(|| whole.explained(&MISTAKES, "word"))
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

fn number(cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    let n = cursor.number(1 << 63, &MISTAKES)?;
    if cursor.eat(".") { Err(cursor.wrong(start, &MISTAKES, "decimal")) } else { Ok(Token::Number(n.cast_signed())) }
}

fn quoted(text: &str, cursor: &mut Cursor<'_>) -> Result<Token, Mistake> {
    let start = cursor.at();
    cursor.bump();
    cursor.take_while(|c| c != '"');
    let open = Span::new(start, text.trim_end().len().max(start + 1));
    if cursor.eat("\"") { Ok(Token::Text) } else { Err(Scene::of(text, open).explained(&MISTAKES, "quote")) }
}
