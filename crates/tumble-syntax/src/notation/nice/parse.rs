//! From words to a tree, by precedence climbing; the grammar is at the top of `syntax`.
//!
//! Sums and products group to the left and are read in a loop; parentheses and bindings nest, and are
//! counted. Parsing stops at the first mistake. What to say about it is in `complain`.

use super::lex::{Token, lex};
use super::lower::Known;
use super::syntax::{COMPARISON, End, Expr, Infix, Keep, NodeId, Nodes, SUM, Tree};
use crate::Vars;
use crate::mistake::{Mistake, Parsed, fail};
use crate::scan::LONGEST_TEXT;
use crate::words::{Lexeme, Words};
use tumble_core::{Diagnostic, Span};

/// How deep parentheses and bindings may stand inside each other.
pub(super) const DEEPEST: usize = 200;

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    let known = Known { vars: &Vars::new(), names: &[] };
    attempt(text).map_err(|mistake| vec![super::explained(text, known, &mistake)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    if text.len() > LONGEST_TEXT {
        return fail(Mistake::limit(Span::new(0, 0), format!("this expression is longer than {LONGEST_TEXT} bytes")));
    }
    let mut parser = Parser { text, words: lex(text), nodes: Nodes::default(), depth: 0, open: Vec::new() };
    let main = parser.expression()?;
    if parser.words.token() != Token::End {
        return fail(parser.leftover(main));
    }
    Ok(Tree { nodes: parser.nodes, main })
}

/// A place in a text, and the nodes read so far.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) words: Words<'t, Token>,
    pub(super) nodes: Nodes,
    depth: usize,
    /// The brackets that are open here.
    pub(super) open: Vec<Lexeme<Token>>,
}

impl<'t> Parser<'t> {
    /// A binding, or at most one comparison.
    fn expression(&mut self) -> Parsed<NodeId> {
        if self.depth == DEEPEST {
            let message = format!("parentheses and bindings are nested more than {DEEPEST} deep");
            return fail(Mistake::limit(self.words.span(), message));
        }
        self.depth += 1;
        let read = if self.words.token() == Token::Key("[") { self.binding()? } else { self.comparison()? };
        self.depth -= 1;
        Ok(read)
    }

    /// `[NAME: a] b`
    fn binding(&mut self) -> Parsed<NodeId> {
        let open = self.open_bracket();
        if self.words.token() != Token::Name {
            return fail(self.missing_name());
        }
        let name = self.words.here().to_owned();
        self.words.bump();
        if self.words.token() != Token::Key(":") {
            return fail(self.missing_colon());
        }
        self.words.bump();
        let value = self.expression()?;
        self.close_bracket("]", value)?;
        let body = self.expression()?;
        let span = open.to(self.nodes.span(body));
        Ok(self.nodes.add(span, Expr::Bind(name, value, body)))
    }

    fn comparison(&mut self) -> Parsed<NodeId> {
        let left = self.climb(SUM)?;
        let Some(sign) = self.infix().filter(|sign| sign.level() == COMPARISON) else { return Ok(left) };
        self.words.bump();
        let right = self.climb(SUM)?;
        let both = self.joined(sign, left, right);
        if self.infix().is_some_and(|sign| sign.level() == COMPARISON) {
            return fail(self.compared_twice());
        }
        Ok(both)
    }

    /// A sum, or one product if `min` is that level.
    fn climb(&mut self, min: u8) -> Parsed<NodeId> {
        let mut left = self.factor()?;
        while let Some(sign) = self.infix().filter(|sign| sign.level() >= min) {
            self.words.bump();
            let right = self.climb(sign.level() + 1)?;
            left = self.joined(sign, left, right);
        }
        Ok(left)
    }

    fn joined(&mut self, sign: Infix, left: NodeId, right: NodeId) -> NodeId {
        let span = self.nodes.span(left).to(self.nodes.span(right));
        self.nodes.add(span, Expr::Infix(sign, left, right))
    }

    fn infix(&self) -> Option<Infix> {
        match self.words.token() {
            Token::Key(sign) => Infix::of(sign),
            _ => None,
        }
    }

    fn factor(&mut self) -> Parsed<NodeId> {
        if self.words.token() != Token::Key("-") {
            return self.positive();
        }
        let sign = self.words.bump();
        let inside = self.positive()?;
        let span = sign.to(self.nodes.span(inside));
        Ok(self.nodes.add(span, Expr::Negative(inside)))
    }

    fn positive(&mut self) -> Parsed<NodeId> {
        match self.words.token() {
            Token::Number(n) => {
                let count = self.leaf(Expr::Number(n));
                self.repetition(count)
            }
            Token::Name => {
                let name = self.words.here().to_owned();
                Ok(self.leaf(Expr::Name(name)))
            }
            Token::Key("d") => self.die(),
            Token::Key("(") => {
                let count = self.parenthesis()?;
                self.repetition(count)
            }
            Token::Key("+") => self.plus(),
            _ => fail(self.missing_operand()),
        }
    }

    /// `+5`
    fn plus(&mut self) -> Parsed<NodeId> {
        match (self.ahead(1), self.ahead(2)) {
            (Some(Token::Number(_)), Some(Token::Key("d" | "("))) => fail(self.idle_plus()),
            (Some(Token::Number(n)), _) => {
                let (sign, number) = (self.words.bump(), self.words.bump());
                Ok(self.nodes.add(sign.to(number), Expr::Number(n)))
            }
            _ => fail(self.idle_plus()),
        }
    }

    fn die(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        let Token::Number(sides) = self.words.token() else { return fail(self.missing_sides()) };
        let end = self.words.bump();
        Ok(self.nodes.add(start.to(end), Expr::Die(sides)))
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        let open = self.open_bracket();
        let inside = self.expression()?;
        let close = self.close_bracket(")", inside)?;
        self.nodes.widen(inside, open.to(close));
        Ok(inside)
    }

    /// What a count repeats, if it repeats anything.
    fn repetition(&mut self, count: NodeId) -> Parsed<NodeId> {
        let body = match self.words.token() {
            Token::Key("d") => self.die()?,
            Token::Key("(") => self.parenthesis()?,
            _ => return Ok(count),
        };
        let span = self.nodes.span(count).to(self.nodes.span(body));
        let end = match self.words.token() {
            Token::Key("kh") => End::Highest,
            Token::Key("kl") => End::Lowest,
            _ => return Ok(self.nodes.add(span, Expr::Repeat(count, body, None))),
        };
        let mut span = span.to(self.words.bump());
        let mut number = 1;
        if let Token::Number(n) = self.words.token() {
            number = n;
            span = span.to(self.words.bump());
        }
        Ok(self.nodes.add(span, Expr::Repeat(count, body, Some(Keep { end, number }))))
    }

    fn leaf(&mut self, expr: Expr) -> NodeId {
        let span = self.words.bump();
        self.nodes.add(span, expr)
    }

    fn open_bracket(&mut self) -> Span {
        self.open.extend(self.words.ahead(0));
        self.words.bump()
    }

    /// The end of the brackets around `inside`.
    fn close_bracket(&mut self, key: &'static str, inside: NodeId) -> Parsed<Span> {
        if self.words.token() != Token::Key(key) {
            return fail(self.leftover(inside));
        }
        self.open.pop();
        Ok(self.words.bump())
    }
}
