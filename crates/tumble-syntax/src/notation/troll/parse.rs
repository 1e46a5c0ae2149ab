//! From words to a tree, by precedence climbing; the grammar is at the top of `syntax`, the levels
//! at the top of `operator`.
//!
//! `expr(min)` reads an operand and then every infix operator of level `min` or tighter. What starts
//! with a word or a sign is an operand wherever it stands and reaches as far as its own level lets
//! it, so `1 + x := 1; x` is `1 + (x := 1; x)`. Operators that group to the left are read in a loop;
//! all other nesting is counted.
//!
//! Parsing stops at the first mistake. What to say about it is in `complain` and
//! `mistakes.txt`.

use super::MISTAKES;
use super::lex::lex;
use super::operator::{DEFAULT_LEVEL, FOLD_INFIXES, FOLD_PREFIXES, RANGE_LEVEL, WORD_LEVEL, infix, prefix};
use super::syntax::{Body, Declaration, Expr, Extreme, Infix, Loop, NodeId, Prefix, Step, Stop, Tree};
use crate::mistake::{Parsed, fail};
use crate::words::Token;
use tumble_core::{Diagnostic, Span};

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    // A text that calls a function which does not exist is no correction.
    let prove = |fixed: &str| attempt(fixed).map(|tree| tree.calls_only_its_own());
    attempt(text).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    Parser::new(text, lex, &MISTAKES)?.program()
}

pub(super) type Parser<'t> = crate::parser::Parser<'t, Expr>;

impl Parser<'_> {
    fn program(mut self) -> Parsed<Tree> {
        let mut declarations = Vec::new();
        self.declarations(&mut declarations)?;
        if self.words.token() == Token::End {
            return fail(self.wrong(if declarations.is_empty() { "nothing" } else { "only functions" }));
        }
        let main = self.expr(0)?;
        self.declarations(&mut declarations)?;
        if self.words.token() != Token::End {
            return fail(self.leftover(main));
        }
        Ok(Tree { nodes: self.nodes, main, declarations })
    }

    fn declarations(&mut self, declarations: &mut Vec<Declaration>) -> Parsed<()> {
        loop {
            match self.words.token() {
                Token::Key("function") => declarations.push(self.function()?),
                Token::Key("compositional") => declarations.push(self.compositional()?),
                _ => return Ok(()),
            }
        }
    }

    /// `function f(x, y) = a`
    fn function(&mut self) -> Parsed<Declaration> {
        let start = self.words.bump();
        let (name, place) = self.name("function")?;
        let open = self.needs("(", start)?;
        let params = self.listed(|parser| Ok(parser.name("parameter")?.0))?;
        self.needs(")", open)?;
        self.needs("=", start)?;
        let body = self.expr(0)?;
        Ok(Declaration { name, span: start.to(place), body: Body::Function(params, body) })
    }

    /// `compositional f(a, sum, +)`
    fn compositional(&mut self) -> Parsed<Declaration> {
        let start = self.words.bump();
        let (name, place) = self.name("function")?;
        let open = self.needs("(", start)?;
        let empty = self.expr(0)?;
        self.needs(",", open)?;
        let unary = self.step(|sign| prefix(sign).filter(|op| FOLD_PREFIXES.contains(&op.sign)))?;
        self.needs(",", open)?;
        let binary = self.step(|sign| infix(sign).filter(|op| FOLD_INFIXES.contains(&op.sign)))?;
        self.needs(")", open)?;
        Ok(Declaration { name, span: start.to(place), body: Body::Compositional(empty, unary, binary) })
    }

    fn step<Operator>(&mut self, find: impl Fn(&str) -> Option<Operator>) -> Parsed<Step<Operator>> {
        let step = match self.words.token() {
            Token::Name => Some(Step::Named(self.words.here().to_owned())),
            Token::Key(sign) => find(sign).map(Step::Operator),
            _ => None,
        };
        let Some(step) = step else { return self.stop(|parser| parser.wrong("step")) };
        self.words.bump();
        Ok(step)
    }

    fn expr(&mut self, min: u8) -> Parsed<NodeId> {
        self.climb(min, false)
    }

    /// An expression. As the `first` operand of `least` or `largest` it ends before a sign that can
    /// start the second one.
    fn climb(&mut self, min: u8, first: bool) -> Parsed<NodeId> {
        self.inside("expressions", |parser| {
            let mut left = parser.operand()?;
            while let Some(row) = parser.infix().filter(|row| row.level >= min && !(first && row.starts_operand())) {
                parser.words.bump();
                let right = parser.expr(row.right)?;
                left = parser.joined(left, Expr::Infix(row, left, right), right);
                if row.level == RANGE_LEVEL && parser.infix().is_some_and(|next| next.level == RANGE_LEVEL) {
                    return fail(parser.wrong_in("range", parser.nodes.span(right), ""));
                }
            }
            Ok(left)
        })
    }

    fn infix(&self) -> Option<&'static Infix> {
        infix(self.key()?)
    }

    fn operand(&mut self) -> Parsed<NodeId> {
        match self.words.token() {
            Token::Number(n) => Ok(self.leaf(Expr::Number(n))),
            Token::Chance(digits) => {
                let digits = self.text[digits.start..digits.end].to_owned();
                Ok(self.leaf(Expr::Chance(digits)))
            }
            Token::Text => {
                let text = self.words.here();
                let inside = text[1..text.len() - 1].to_owned();
                Ok(self.leaf(Expr::Text(inside)))
            }
            Token::Name => self.named(),
            Token::Key(key) => self.keyed(key),
            _ => self.stop(|parser| parser.wrong("operand")),
        }
    }

    /// `x`, `x ~ a` or `x := a; b`
    fn named(&mut self) -> Parsed<NodeId> {
        let name = self.words.here().to_owned();
        let start = self.words.bump();
        if self.words.eat("~") {
            let other = self.expr(DEFAULT_LEVEL)?;
            return Ok(self.node(start, Expr::Default(name, other), other));
        }
        if !self.words.eat(":=") {
            return Ok(self.nodes.add(start, Expr::Name(name)));
        }
        let value = self.expr(0)?;
        self.needs(";", start)?;
        let body = self.expr(0)?;
        Ok(self.node(start, Expr::Let(name, value, body), body))
    }

    fn keyed(&mut self, key: &'static str) -> Parsed<NodeId> {
        match key {
            "(" => self.parenthesis(),
            "{" => self.group(),
            "[" => self.pair(),
            "call" => self.call(),
            "if" => self.condition(),
            "foreach" => self.for_each(),
            "repeat" => self.repeat(Loop::Repeat),
            "accumulate" => self.repeat(Loop::Accumulate),
            "least" => self.extreme(Extreme::Least),
            "largest" => self.extreme(Extreme::Largest),
            _ => match prefix(key) {
                Some(row) => self.prefix(row),
                None => self.stop(|parser| parser.wrong("operand")),
            },
        }
    }

    fn prefix(&mut self, row: &'static Prefix) -> Parsed<NodeId> {
        let start = self.words.bump();
        let operand = self.expr(row.operand)?;
        if row.operand == WORD_LEVEL + 1 {
            self.no_layers(start)?;
        }
        Ok(self.node(start, Expr::Prefix(row, operand), operand))
    }

    /// `least n a`
    fn extreme(&mut self, which: Extreme) -> Parsed<NodeId> {
        let start = self.words.bump();
        let count = self.climb(0, true)?;
        if !self.starts_operand() {
            return self.stop(|parser| parser.wrong_in("second", parser.nodes.span(count), which.word()));
        }
        let pool = self.expr(WORD_LEVEL + 1)?;
        self.no_layers(start)?;
        Ok(self.node(start, Expr::Extreme(which, count, pool), pool))
    }

    /// A word's operand and an infix `'` have the same level, and neither gives way.
    fn no_layers(&mut self, word: Span) -> Parsed<()> {
        if self.words.token() == Token::Key("'") { fail(self.wrong_in("layers", word, "")) } else { Ok(()) }
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let inside = self.expr(0)?;
        let close = self.needs(")", open)?;
        self.nodes.widen(inside, open.to(close));
        Ok(inside)
    }

    fn group(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let mut members = Vec::new();
        if self.words.token() != Token::Key("}") {
            members = self.listed(|parser| parser.expr(0))?;
        }
        let close = self.needs("}", open)?;
        Ok(self.nodes.add(open.to(close), Expr::Group(members)))
    }

    fn pair(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let first = self.expr(0)?;
        self.needs(",", open)?;
        let second = self.expr(0)?;
        let close = self.needs("]", open)?;
        Ok(self.nodes.add(open.to(close), Expr::Pair(first, second)))
    }

    /// `call f(a, b)`
    fn call(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        let name = self.name("call")?.0;
        let open = self.needs("(", start)?;
        let args = self.listed(|parser| parser.expr(0))?;
        let close = self.needs(")", open)?;
        Ok(self.nodes.add(start.to(close), Expr::Call(name, args)))
    }

    /// `if a then b else c`
    fn condition(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        let test = self.expr(0)?;
        self.needs("then", start)?;
        let then = self.expr(0)?;
        self.needs("else", start)?;
        let other = self.expr(0)?;
        Ok(self.node(start, Expr::If(test, then, other), other))
    }

    /// `foreach x in a do b`
    fn for_each(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        let name = self.name("foreach")?.0;
        self.needs("in", start)?;
        let pool = self.expr(0)?;
        self.needs("do", start)?;
        let body = self.expr(0)?;
        Ok(self.node(start, Expr::ForEach(name, pool, body), body))
    }

    /// `repeat x := a until c`
    fn repeat(&mut self, which: Loop) -> Parsed<NodeId> {
        let start = self.words.bump();
        let name = self.name(which.word())?.0;
        self.needs(":=", start)?;
        let body = self.expr(0)?;
        let stop = if self.words.eat("while") {
            Stop::While
        } else {
            self.needs("until", start)?;
            Stop::Until
        };
        let test = self.expr(0)?;
        Ok(self.node(start, Expr::Loop(which, name, body, stop, test), test))
    }

    /// A word or sign that what begins at `owner` needs.
    fn needs(&mut self, key: &'static str, owner: Span) -> Parsed<Span> {
        self.expect(key, |parser| parser.missing_key(key, owner))
    }

    /// A name; `of` says what it would name.
    fn name(&mut self, of: &'static str) -> Parsed<(String, Span)> {
        if self.words.token() != Token::Name {
            return self.stop(|parser| parser.missing_name(of));
        }
        let name = self.words.here().to_owned();
        Ok((name, self.words.bump()))
    }
}
