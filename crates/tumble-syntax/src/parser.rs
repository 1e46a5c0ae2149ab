//! What every parser of words does: a place among them, the nodes read so far, and how deep they stand in each other.

use crate::explain::{Scene, Table};
use crate::mistake::{Mistake, Parsed};
use crate::scan::not_too_long;
use crate::tree::{NodeId, Nodes};
use crate::words::{Lexeme, Token, Words};
use tumble_core::Span;

/// How deep expressions may stand inside each other.
const DEEPEST: usize = 200;

/// A place in a text, and the nodes read so far.
pub(crate) struct Parser<'t, Expr> {
    pub(crate) text: &'t str,
    pub(crate) words: Words<'t>,
    pub(crate) nodes: Nodes<Expr>,
    /// What is said about mistakes.
    table: &'static Table,
    depth: usize,
    /// The brackets that are open here, where the notation asks for them.
    pub(crate) open: Vec<Lexeme>,
}

impl<'t, Expr> Parser<'t, Expr> {
    /// The beginning of a text, and what the notation says about mistakes.
    pub(crate) fn new(text: &'t str, lex: fn(&'t str) -> Words<'t>, table: &'static Table) -> Parsed<Parser<'t, Expr>> {
        not_too_long(text)?;
        let words = lex(text);
        let nodes = Nodes::with_room(words.len());
        Ok(Parser { text, words, nodes, table, depth: 0, open: Vec::new() })
    }

    /// Reads something one level further inside; `what` stands inside each other.
    pub(crate) fn inside<T>(&mut self, what: &str, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Mistake::limit(self.words.span(), format!("{what} are nested more than {DEEPEST} deep")).fail();
        }
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        Ok(found)
    }

    /// A mistake in this place; what cannot be read at all is the mistake.
    pub(crate) fn stop<T>(&mut self, say: impl FnOnce(&mut Self) -> Mistake) -> Parsed<T> {
        self.words.unreadable().unwrap_or_else(|| say(self)).fail()
    }

    /// This place, for the table of mistakes.
    pub(crate) fn scene(&self) -> Scene<'_> {
        let here = self.words.span();
        let before = self.words.back(1).map_or(Span::new(here.start, here.start), |before| before.span);
        Scene { before, lexemes: self.words.all(), ..Scene::of(self.text, here) }
    }

    /// What the table says where `what` is wanted.
    pub(crate) fn wrong(&self, what: &str) -> Mistake {
        self.scene().explained(self.table, what)
    }

    /// The same for what begins at `owner` and needs `key`.
    pub(crate) fn wrong_in(&self, what: &str, owner: Span, key: &str) -> Mistake {
        Scene { owner, key, ..self.scene() }.explained(self.table, what)
    }

    /// The same, if the table says anything.
    pub(crate) fn known(&self, what: &str) -> Option<Mistake> {
        self.scene().known(self.table, what)
    }

    /// The word or sign that is needed here; `say` complains about anything else.
    pub(crate) fn expect(&mut self, key: &'static str, say: impl FnOnce(&mut Self) -> Mistake) -> Parsed<Span> {
        if self.words.token() == Token::Key(key) { Ok(self.words.bump()) } else { self.stop(say) }
    }

    /// A node of one word.
    pub(crate) fn leaf(&mut self, expr: Expr) -> NodeId {
        let span = self.words.bump();
        self.nodes.add(span, expr)
    }

    /// A node from `start` to the end of its last part.
    pub(crate) fn node(&mut self, start: Span, expr: Expr, last: NodeId) -> NodeId {
        let span = start.to(self.nodes.span(last));
        self.nodes.add(span, expr)
    }

    /// A node from the beginning of its first part to the end of its last.
    pub(crate) fn joined(&mut self, first: NodeId, expr: Expr, last: NodeId) -> NodeId {
        self.node(self.nodes.span(first), expr, last)
    }

    /// One or more with commas between them.
    pub(crate) fn listed<T>(&mut self, read: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut members = vec![read(self)?];
        while self.words.eat(",") {
            members.push(read(self)?);
        }
        Ok(members)
    }

    /// The sign or word that stands here.
    pub(crate) fn key(&self) -> Option<&'static str> {
        if let Token::Key(key) = self.words.token() { Some(key) } else { None }
    }

    /// The place of the word before.
    pub(crate) fn before(&self) -> Span {
        self.words.back(1).map_or(Span::new(0, 0), |before| before.span)
    }
}
