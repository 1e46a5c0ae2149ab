//! The words, numbers and signs of a text in a row, and a place among them: what a parser reads from.
//!
//! The row always ends with a token for the end, or with one for what cannot be read; what is before it is still
//! parsed, so that the first mistake of a text is the one reported. Nothing moves past the last one.

use crate::explain::Table;
use crate::mistake::Mistake;
use crate::scan::Cursor;
use tumble_core::Span;

/// A word, number or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `7`; 9223372036854775808 is the smallest number, which only a minus makes right
    Number(i64),
    /// `?0.5`: the place of the digits after the dot
    Chance(Span),
    /// `x`
    Name,
    /// Letters that are neither a name nor a word of the notation.
    Letters,
    /// `"a"`
    Text,
    /// A word or a sign, in its main spelling: `d` for `D`
    Key(&'static str),
    /// After everything.
    End,
    /// Something that cannot be read.
    Bad,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// All tokens of a text, and how far they are read.
pub(crate) struct Words<'t> {
    text: &'t str,
    lexemes: Vec<Lexeme>,
    /// Why the last one cannot be read, if it cannot.
    bad: Option<Mistake>,
    at: usize,
}

impl<'t> Words<'t> {
    /// Reads a text: `skip` moves past blanks, `next` past a token that begins with the given character, if one does; what
    /// to say if none does is in the table.
    pub(crate) fn read(
        text: &'t str,
        table: &'static Table,
        skip: impl Fn(&mut Cursor<'t>),
        next: impl Fn(&mut Cursor<'t>, char) -> Result<Option<Token>, Mistake>,
    ) -> Words<'t> {
        let mut cursor = Cursor::new(text);
        // Most texts are short, and in a long one most words are.
        let mut lexemes = Vec::with_capacity(2 + text.len() / 2);
        loop {
            skip(&mut cursor);
            let start = cursor.at();
            let Some(first) = cursor.peek() else {
                lexemes.push(Lexeme { token: Token::End, span: cursor.since(start) });
                return Words { text, lexemes, bad: None, at: 0 };
            };
            let found = next(&mut cursor, first).and_then(|token| {
                token.ok_or_else(|| {
                    cursor.bump();
                    cursor.wrong(start, table, "character")
                })
            });
            match found {
                Ok(token) => lexemes.push(Lexeme { token, span: cursor.since(start) }),
                Err(mistake) => {
                    lexemes.push(Lexeme { token: Token::Bad, span: mistake.span });
                    return Words { text, lexemes, bad: Some(mistake), at: 0 };
                }
            }
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[Lexeme] {
        &self.lexemes
    }

    /// How many there are, with the end.
    pub(crate) fn len(&self) -> usize {
        self.lexemes.len()
    }

    pub(crate) fn token(&self) -> Token {
        self.lexemes[self.at].token
    }

    pub(crate) fn span(&self) -> Span {
        self.lexemes[self.at].span
    }

    /// The word as it is written.
    pub(crate) fn here(&self) -> &'t str {
        self.written(self.span())
    }

    /// What is written in a place.
    pub(crate) fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// Moves on.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.lexemes.len() - 1);
        span
    }

    /// Moves past a word or sign if it comes next.
    pub(crate) fn eat(&mut self, key: &'static str) -> bool {
        let found = self.token() == Token::Key(key);
        if found {
            self.bump();
        }
        found
    }

    /// The token so far before this one; 1 is the one right before.
    pub(crate) fn back(&self, by: usize) -> Option<Lexeme> {
        self.at.checked_sub(by).map(|at| self.lexemes[at])
    }

    /// The token so far after this one; 0 is this one.
    pub(crate) fn ahead(&self, by: usize) -> Option<Lexeme> {
        self.lexemes.get(self.at + by).copied()
    }

    /// Why this cannot be read, if that is what stands here.
    pub(crate) fn unreadable(&mut self) -> Option<Mistake> {
        if self.token() == Token::Bad { self.bad.take() } else { None }
    }
}
