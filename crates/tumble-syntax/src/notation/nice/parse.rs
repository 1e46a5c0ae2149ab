//! From words to a tree, by precedence climbing; the grammar is at the top of `syntax`.
//!
//! Sums and products group to the left and are read in a loop; parentheses and bindings nest, and are
//! counted. Parsing stops at the first mistake. What to say about it is in `mistakes.txt`.

use super::MISTAKES;
use super::lex::lex;
use super::lower::Known;
use super::operator::{COMPARISON, SUM, infix};
use super::syntax::{Expr, Infix, Keep, NodeId, Tree};
use crate::Vars;
use crate::mistake::{Mistake, Parsed, fail};
use crate::words::Token;
use tumble_core::{Diagnostic, Span};

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    let known = Known { vars: &Vars::new(), names: &[] };
    attempt(text).map_err(|mistake| vec![super::explained(text, known, &mistake)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    let mut parser = Parser::new(text, lex, &MISTAKES)?;
    let main = parser.expression()?;
    if parser.words.token() != Token::End {
        return parser.stop(Parser::leftover);
    }
    Ok(Tree { nodes: parser.nodes, main })
}

pub(super) type Parser<'t> = crate::parser::Parser<'t, Expr>;

impl Parser<'_> {
    /// A binding, or at most one comparison.
    fn expression(&mut self) -> Parsed<NodeId> {
        self.inside("parentheses and bindings", |parser| match parser.key() {
            Some("[") => parser.binding(),
            _ => parser.comparison(),
        })
    }

    /// `[NAME: a] b`
    fn binding(&mut self) -> Parsed<NodeId> {
        let open = self.open_bracket();
        if self.words.token() != Token::Name {
            return self.stop(|parser| parser.missing("name"));
        }
        let name = self.words.here().to_owned();
        self.words.bump();
        self.expect(":", |parser| parser.wrong("colon"))?;
        let value = self.expression()?;
        self.close_bracket("]")?;
        let body = self.expression()?;
        Ok(self.node(open, Expr::Bind(name, value, body), body))
    }

    fn comparison(&mut self) -> Parsed<NodeId> {
        let left = self.climb(SUM)?;
        let Some(sign) = self.infix().filter(|sign| sign.level == COMPARISON) else { return Ok(left) };
        self.words.bump();
        let right = self.climb(SUM)?;
        let both = self.joined(left, Expr::Infix(sign, left, right), right);
        if self.infix().is_some_and(|sign| sign.level == COMPARISON) {
            return fail(self.wrong("compared"));
        }
        Ok(both)
    }

    /// A sum, or one product if `min` is that level.
    fn climb(&mut self, min: u8) -> Parsed<NodeId> {
        let mut left = self.factor()?;
        while let Some(sign) = self.infix().filter(|sign| sign.level >= min) {
            self.words.bump();
            let right = self.climb(sign.level + 1)?;
            left = self.joined(left, Expr::Infix(sign, left, right), right);
        }
        Ok(left)
    }

    fn infix(&self) -> Option<&'static Infix> {
        infix(self.key()?)
    }

    fn factor(&mut self) -> Parsed<NodeId> {
        if self.words.token() != Token::Key("-") {
            return self.positive();
        }
        let sign = self.words.bump();
        let inside = self.positive()?;
        Ok(self.node(sign, Expr::Negative(inside), inside))
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
            _ => self.stop(|parser| parser.missing("operand")),
        }
    }

    /// `+5`
    fn plus(&mut self) -> Parsed<NodeId> {
        match (self.ahead(1), self.ahead(2)) {
            (Some(Token::Number(_)), Some(Token::Key("d" | "("))) => fail(self.wrong("plus")),
            (Some(Token::Number(n)), _) => {
                let (sign, number) = (self.words.bump(), self.words.bump());
                Ok(self.nodes.add(sign.to(number), Expr::Number(n)))
            }
            _ => fail(self.wrong("plus")),
        }
    }

    fn die(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        let Token::Number(sides) = self.words.token() else { return self.stop(|parser| parser.wrong("sides")) };
        let end = self.words.bump();
        Ok(self.nodes.add(start.to(end), Expr::Die(sides)))
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        let open = self.open_bracket();
        let inside = self.expression()?;
        let close = self.close_bracket(")")?;
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
        let highest = match self.words.token() {
            Token::Key("kh") => true,
            Token::Key("kl") => false,
            _ => return Ok(self.nodes.add(span, Expr::Repeat(count, body, None))),
        };
        let mut span = span.to(self.words.bump());
        let mut number = 1;
        if let Token::Number(n) = self.words.token() {
            number = n;
            span = span.to(self.words.bump());
        }
        Ok(self.nodes.add(span, Expr::Repeat(count, body, Some(Keep { highest, number }))))
    }

    fn open_bracket(&mut self) -> Span {
        self.open.extend(self.words.ahead(0));
        self.words.bump()
    }

    /// The end of the brackets.
    fn close_bracket(&mut self, key: &'static str) -> Parsed<Span> {
        let close = self.expect(key, Self::leftover)?;
        self.open.pop();
        Ok(close)
    }

    fn ahead(&self, by: usize) -> Option<Token> {
        self.words.ahead(by).map(|lexeme| lexeme.token)
    }

    /// No operand or name where one is needed; letters may be meant for one.
    fn missing(&mut self, what: &str) -> Mistake {
        self.wrong(if self.words.token() == Token::Letters { "letters" } else { what })
    }

    /// Something that cannot follow a value.
    fn leftover(&mut self) -> Mistake {
        let open = self.open.last().map(|open| (open.span, if open.token == Token::Key("[") { "]" } else { ")" }));
        match (self.words.token(), open) {
            (Token::End, Some((open, close))) => self.wrong_in("unclosed", open, close),
            (Token::Key(")" | "]"), Some((open, close))) => self.wrong_in("closed", open, close),
            (token, open) => self.known("leftover").unwrap_or_else(|| match (token, open) {
                (Token::Letters, _) => self.wrong("stray"),
                (_, Some((_, "]"))) => self.wrong("bound"),
                _ => self.wrong("apart"),
            }),
        }
    }
}
