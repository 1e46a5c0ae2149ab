//! From words to a tree, by precedence climbing; the grammar is at the top of `syntax`, the levels at the top of
//! `operator`.
//!
//! `expr(min)` reads an operand and then every operator of level `min` or tighter. Operators that group to the left
//! are read in a loop; all other nesting is counted. Parsing stops at the first mistake. What to say about it is in
//! `complain`.

use super::lex::{Token, lex, too_large};
use super::mistake::{Mistake, Parsed, fail};
use super::operator::{
    CHOICE_LEVEL, COMPARE_LEVEL, DICE_LEVEL, InfixRow, MAP_LEVEL, POOL_LEVEL, PRIMARY_LEVEL, infix, reduce,
};
use super::syntax::{Definition, Expr, Infix, NodeId, Nodes, Reduce, Roll, Scalar, Tree};
use crate::scan::LONGEST_TEXT;
use crate::words::Words;
use tumble_core::Span;

/// How deep expressions may stand inside each other.
pub(super) const DEEPEST: usize = 200;

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    if text.len() > LONGEST_TEXT {
        return fail(Mistake::limit(Span::new(0, 0), format!("this expression is longer than {LONGEST_TEXT} bytes")));
    }
    Parser { text, words: lex(text), nodes: Nodes::default(), depth: 0 }.rolls()
}

/// A place in a text, and the nodes read so far.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) words: Words<'t, Token>,
    pub(super) nodes: Nodes,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rolls(mut self) -> Parsed<Tree> {
        if self.words.token() == Token::End {
            return fail(self.nothing_to_roll());
        }
        let mut rolls = Vec::new();
        loop {
            rolls.push(self.roll()?);
            let more = self.words.eat(";");
            if self.words.token() == Token::End {
                return Ok(Tree { nodes: self.nodes, rolls });
            }
            if !more {
                return fail(self.leftover());
            }
        }
    }

    fn roll(&mut self) -> Parsed<Roll> {
        if self.words.token() == Token::Key("{") {
            return Ok(Roll::Define(self.definition()?));
        }
        Ok(Roll::Result(self.expr(MAP_LEVEL)?))
    }

    /// `{"name" = 1: "a", 2: "b"}`
    fn definition(&mut self) -> Parsed<Definition> {
        let open = self.words.bump();
        let name = self.name()?;
        self.expect("=", open)?;
        let mut pairs = vec![self.pair(open)?];
        while self.words.eat(",") {
            pairs.push(self.pair(open)?);
        }
        self.expect("}", open)?;
        Ok(Definition { name, pairs })
    }

    fn pair(&mut self, open: Span) -> Parsed<(Scalar, Scalar)> {
        let key = self.scalar("expected a pair such as `1: \"a\"` in the map")?;
        self.expect(":", open)?;
        Ok((key, self.scalar("expected a number or text after `:`")?))
    }

    /// A number or a text; `wanted` says what is needed if there is none.
    fn scalar(&mut self, wanted: &'static str) -> Parsed<Scalar> {
        let mut negative = false;
        while matches!(self.words.token(), Token::Key("-")) {
            negative = !negative;
            self.words.bump();
        }
        match self.words.token() {
            Token::Number(n) => Ok(Scalar::Number(self.number(n, negative)?)),
            Token::Text if !matches!(self.before_token(), Some(Token::Key("-"))) => Ok(Scalar::Text(self.inside())),
            _ => fail(self.missing_scalar(wanted)),
        }
    }

    pub(super) fn expr(&mut self, min: u8) -> Parsed<NodeId> {
        self.deeper()?;
        let mut left = self.operand(min)?;
        loop {
            left = match self.words.token() {
                Token::Key("m") if min == MAP_LEVEL => self.mapping(left)?,
                Token::Key("?") if min <= CHOICE_LEVEL => self.choice(left)?,
                Token::Key(sign) => match infix(sign) {
                    Some(row) if row.level >= min => self.infix(row, left)?,
                    _ => break,
                },
                _ => break,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// One level further inside.
    fn deeper(&mut self) -> Parsed<()> {
        if self.depth == DEEPEST {
            return fail(self.too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    fn infix(&mut self, row: &InfixRow, left: NodeId) -> Parsed<NodeId> {
        self.words.bump();
        let right = if row.op.rolls() { self.sides(row.right)? } else { self.expr(row.right)? };
        let span = self.nodes.span(left).to(self.nodes.span(right));
        let node = self.nodes.add(span, Expr::Infix(row.op, left, right));
        let next = if let Token::Key(sign) = self.words.token() { infix(sign) } else { None };
        if row.level == COMPARE_LEVEL && next.is_some_and(|next| next.level == COMPARE_LEVEL) {
            return fail(self.compared_twice(left, right));
        }
        Ok(node)
    }

    /// The sides of dice; `%` stands for 100.
    fn sides(&mut self, min: u8) -> Parsed<NodeId> {
        if self.words.token() == Token::Key("%") { Ok(self.leaf(Expr::Number(100))) } else { self.expr(min) }
    }

    /// `a ? b : c`
    fn choice(&mut self, test: NodeId) -> Parsed<NodeId> {
        let mark = self.words.bump();
        let then = self.expr(MAP_LEVEL)?;
        self.expect(":", mark)?;
        let other = self.expr(CHOICE_LEVEL)?;
        let span = self.nodes.span(test).to(self.nodes.span(other));
        Ok(self.nodes.add(span, Expr::Choice(test, then, other)))
    }

    /// `a m "name"`
    fn mapping(&mut self, value: NodeId) -> Parsed<NodeId> {
        self.words.bump();
        let name = self.name()?;
        let span = Span::new(self.nodes.span(value).start, self.before_span().end);
        let node = self.nodes.add(span, Expr::Map(value, name));
        match self.words.token() {
            Token::Key("?") => fail(self.after_map(span)),
            Token::Key(sign) if infix(sign).is_some() => fail(self.after_map(span)),
            _ => Ok(node),
        }
    }

    /// An operand of an operator of level `min` or tighter.
    fn operand(&mut self, min: u8) -> Parsed<NodeId> {
        match self.words.token() {
            Token::Number(n) => {
                let start = self.words.span();
                let number = self.number(n, false)?;
                Ok(self.nodes.add(start, Expr::Number(number)))
            }
            Token::Text => {
                let start = self.words.span();
                let inside = self.inside();
                Ok(self.nodes.add(start, Expr::Text(inside)))
            }
            Token::Key(key) => self.keyed(key, min),
            Token::End | Token::Bad => fail(self.missing_operand()),
        }
    }

    fn keyed(&mut self, key: &'static str, min: u8) -> Parsed<NodeId> {
        match key {
            "T" | "F" => Ok(self.leaf(Expr::Truth(key == "T"))),
            "(" => self.parenthesis(),
            "[" => self.pool(),
            "-" => self.minus(),
            "d" => self.one_die(Infix::Dice, min),
            "d!" => self.one_die(Infix::Exploding, min),
            _ => match reduce(key) {
                Some(reduce) => self.reduce(reduce),
                None => fail(self.missing_operand()),
            },
        }
    }

    fn leaf(&mut self, expr: Expr) -> NodeId {
        let span = self.words.bump();
        self.nodes.add(span, expr)
    }

    /// `d20` is `1d20`.
    fn one_die(&mut self, op: Infix, min: u8) -> Parsed<NodeId> {
        let start = self.words.bump();
        let one = self.nodes.add(Span::new(start.start, start.start), Expr::Number(1));
        let sides = self.sides(min.max(DICE_LEVEL + 1))?;
        let span = start.to(self.nodes.span(sides));
        Ok(self.nodes.add(span, Expr::Infix(op, one, sides)))
    }

    /// A minus belongs to the number or group after it.
    fn minus(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        if let Token::Number(n) = self.words.token() {
            let span = start.to(self.words.span());
            let number = self.number(n, true)?;
            return Ok(self.nodes.add(span, Expr::Number(number)));
        }
        self.deeper()?;
        let operand = self.operand(PRIMARY_LEVEL)?;
        self.depth -= 1;
        let span = start.to(self.nodes.span(operand));
        Ok(self.nodes.add(span, Expr::Minus(operand)))
    }

    /// `S p`
    fn reduce(&mut self, reduce: Reduce) -> Parsed<NodeId> {
        let start = self.words.bump();
        let pool = self.expr(POOL_LEVEL)?;
        let span = start.to(self.nodes.span(pool));
        Ok(self.nodes.add(span, Expr::Reduce(reduce, pool)))
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let inside = self.expr(MAP_LEVEL)?;
        let close = self.expect(")", open)?;
        self.nodes.widen(inside, open.to(close));
        Ok(inside)
    }

    /// `[1, 2]`
    fn pool(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let mut members = Vec::new();
        if self.words.token() != Token::Key("]") {
            const WANTED: &str = "a pool can only list plain numbers and text";
            members.push(self.scalar(WANTED)?);
            while self.words.eat(",") {
                members.push(self.scalar(WANTED)?);
            }
        }
        let close = self.expect("]", open)?;
        Ok(self.nodes.add(open.to(close), Expr::Pool(members)))
    }

    fn number(&mut self, n: u64, negative: bool) -> Parsed<i64> {
        let number = if negative { 0i64.checked_sub_unsigned(n) } else { i64::try_from(n).ok() };
        match number {
            Some(number) => {
                self.words.bump();
                Ok(number)
            }
            None => fail(too_large(self.words.span())),
        }
    }

    /// What stands between the quotes here.
    fn inside(&mut self) -> String {
        let span = self.words.bump();
        self.text[span.start + 1..span.end - 1].to_owned()
    }

    /// The name of a map.
    fn name(&mut self) -> Parsed<String> {
        if self.words.token() == Token::Text { Ok(self.inside()) } else { fail(self.missing_name()) }
    }

    /// The word before.
    pub(super) fn before_token(&self) -> Option<Token> {
        self.words.back(1).map(|before| before.token)
    }

    /// The place of the word before.
    pub(super) fn before_span(&self) -> Span {
        self.words.back(1).map_or(Span::new(0, 0), |before| before.span)
    }

    fn expect(&mut self, key: &'static str, owner: Span) -> Parsed<Span> {
        if self.words.token() == Token::Key(key) { Ok(self.words.bump()) } else { fail(self.missing_key(key, owner)) }
    }
}
