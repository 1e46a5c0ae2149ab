//! A cursor over an expression, shared by all notations.
//!
//! It moves by whole characters, so every place it names is a character boundary.

use crate::explain::{Scene, Table};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;

/// The longest text any notation reads, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Refuses a text that is longer.
pub(crate) fn not_too_long(text: &str) -> Parsed<()> {
    if text.len() <= LONGEST_TEXT {
        return Ok(());
    }
    Mistake::limit(Span::new(0, 0), format!("this expression is longer than {LONGEST_TEXT} bytes")).fail()
}

/// A number beyond 64 bits.
pub(crate) fn too_large(span: Span) -> Mistake {
    Mistake::new(span, "this number is too large; the largest is 9223372036854775807")
}

/// The row of a table that is written like this. First letters differ most, and are compared first.
pub(crate) fn row_of<'t, Row>(table: &'t [Row], sign: impl Fn(&Row) -> &str, word: &str) -> Option<&'t Row> {
    let first = word.as_bytes().first();
    table.iter().find(|row| sign(row).as_bytes().first() == first && sign(row) == word)
}

/// A place in a text from which to read on.
#[derive(Clone)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// The beginning of a text.
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// The byte offset.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What is left to read.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next character.
    #[inline]
    pub(crate) fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// Moves past the next character.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Moves past `piece` if it comes next.
    pub(crate) fn eat(&mut self, piece: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(piece.as_bytes());
        if found {
            self.at += piece.len();
        }
        found
    }

    /// Moves past one of several pieces.
    pub(crate) fn eat_any(&mut self, pieces: &[&str]) -> bool {
        pieces.iter().any(|piece| self.eat(piece))
    }

    /// Moves past the longest of several pieces and gives what stands beside it.
    pub(crate) fn eat_longest<'p>(&mut self, pieces: impl Iterator<Item = (&'p str, &'p str)>) -> Option<&'p str> {
        let fits = pieces.filter(|(piece, _)| self.rest().starts_with(piece));
        let (piece, main) = fits.max_by_key(|(piece, _)| piece.len())?;
        self.eat(piece);
        Some(main)
    }

    /// Moves past the characters that satisfy `wanted` and gives them.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Moves past the bytes that satisfy `wanted` and gives them; it is never asked about a byte that is not
    /// ASCII.
    #[inline]
    pub(crate) fn take_ascii(&mut self, wanted: impl Fn(u8) -> bool) -> &'t str {
        let (start, bytes) = (self.at, self.text.as_bytes());
        while bytes.get(self.at).is_some_and(|byte| byte.is_ascii() && wanted(*byte)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The digits here as a number without a sign, at most `largest`; the table has what to say about a point and more
    /// digits.
    pub(crate) fn number(&mut self, largest: u64, table: &'static Table) -> Result<u64, Mistake> {
        let start = self.at();
        let digits = self.take_ascii(|c| c.is_ascii_digit());
        if matches!(self.rest().as_bytes(), [b'.', b'0'..=b'9', ..]) {
            self.bump();
            self.take_ascii(|c| c.is_ascii_digit());
            return Err(self.wrong(start, table, "decimal"));
        }
        digits.parse().ok().filter(|n| *n <= largest).ok_or_else(|| too_large(self.since(start)))
    }

    /// What the table says about what is written from `start` to here.
    pub(crate) fn wrong(&self, start: usize, table: &'static Table, what: &str) -> Mistake {
        Scene::of(self.text, self.since(start)).explained(table, what)
    }

    /// From `start` to here.
    pub(crate) fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }
}
