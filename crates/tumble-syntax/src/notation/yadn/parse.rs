//! From words to a tree, by precedence climbing; the grammar is at the top of `syntax`, the levels at the top of
//! `operator`.
//!
//! `expr(min)` reads an operand and then every operator of level `min` or tighter. Operators that group to the left
//! are read in a loop; all other nesting is counted. Parsing stops at the first mistake. What to say about it is in
//! `mistakes.txt`.

use super::MISTAKES;
use super::lex::lex;
use super::operator::{CHOICE_LEVEL, COMPARE_LEVEL, DICE_LEVEL, MAP_LEVEL, POOL_LEVEL, PRIMARY_LEVEL, infix, reduce};
use super::syntax::{Definition, Expr, Infix, NodeId, Reduce, Roll, Scalar, Tree};
use crate::explain::Scene;
use crate::mistake::{Mistake, Parsed, fail};
use crate::scan::too_large;
use crate::words::Token;
use tumble_core::Span;

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    Parser::new(text, lex, &MISTAKES)?.rolls()
}

pub(super) type Parser<'t> = crate::parser::Parser<'t, Expr>;

impl Parser<'_> {
    fn rolls(mut self) -> Parsed<Tree> {
        if self.words.token() == Token::End {
            return fail(self.wrong("operand"));
        }
        let mut rolls = Vec::new();
        loop {
            rolls.push(self.roll()?);
            let more = self.words.eat(";");
            if self.words.token() == Token::End {
                return Ok(Tree { nodes: self.nodes, rolls });
            }
            if !more {
                return self.stop(|parser| parser.wrong("leftover"));
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
        self.needs("=", open)?;
        let pairs = self.listed(|parser| parser.pair(open))?;
        self.needs("}", open)?;
        Ok(Definition { name, pairs })
    }

    fn pair(&mut self, open: Span) -> Parsed<(Scalar, Scalar)> {
        let key = self.scalar("map key")?;
        self.needs(":", open)?;
        Ok((key, self.scalar("map value")?))
    }

    /// A number or a text, which is to be `wanted`.
    fn scalar(&mut self, wanted: &'static str) -> Parsed<Scalar> {
        let mut negative = false;
        while matches!(self.words.token(), Token::Key("-")) {
            negative = !negative;
            self.words.bump();
        }
        match self.words.token() {
            Token::Number(n) => Ok(Scalar::Number(self.number(n, negative)?)),
            Token::Text if !matches!(self.before_token(), Some(Token::Key("-"))) => Ok(Scalar::Text(self.quoted())),
            _ => self.stop(|parser| parser.wrong(wanted)),
        }
    }

    pub(super) fn expr(&mut self, min: u8) -> Parsed<NodeId> {
        self.inside("expressions", |parser| parser.climb(min))
    }

    fn climb(&mut self, min: u8) -> Parsed<NodeId> {
        let mut left = self.operand(min)?;
        loop {
            left = match self.key() {
                Some("m") if min == MAP_LEVEL => self.mapping(left)?,
                Some("?") if min <= CHOICE_LEVEL => self.choice(left)?,
                key => match key.and_then(infix).filter(|row| row.level >= min) {
                    Some(row) => self.infix(row, left)?,
                    None => return Ok(left),
                },
            };
        }
    }

    fn infix(&mut self, row: &'static Infix, left: NodeId) -> Parsed<NodeId> {
        self.words.bump();
        let right = if row.rolls() { self.sides(row.right)? } else { self.expr(row.right)? };
        let node = self.joined(left, Expr::Infix(row, left, right), right);
        let next = self.key().and_then(infix);
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
        self.needs(":", mark)?;
        let other = self.expr(CHOICE_LEVEL)?;
        Ok(self.joined(test, Expr::Choice(test, then, other), other))
    }

    /// `a m "name"`
    fn mapping(&mut self, value: NodeId) -> Parsed<NodeId> {
        self.words.bump();
        let name = self.name()?;
        let span = Span::new(self.nodes.span(value).start, self.before().end);
        let node = self.nodes.add(span, Expr::Map(value, name));
        match self.key() {
            Some(sign) if sign == "?" || infix(sign).is_some() => fail(self.wrong_in("looked up", span, "")),
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
                let inside = self.quoted();
                Ok(self.nodes.add(start, Expr::Text(inside)))
            }
            Token::Key(key) => self.keyed(key, min),
            _ => self.stop(|parser| parser.wrong("operand")),
        }
    }

    fn keyed(&mut self, key: &'static str, min: u8) -> Parsed<NodeId> {
        match key {
            "T" | "F" => Ok(self.leaf(Expr::Truth(key == "T"))),
            "(" => self.parenthesis(),
            "[" => self.pool(),
            "-" => self.minus(),
            _ => match (reduce(key), infix(key)) {
                (Some(reduce), _) => self.reduce(reduce),
                (_, Some(dice)) if matches!(key, "d" | "d!") => self.one_die(dice, min),
                _ => self.stop(|parser| parser.wrong("operand")),
            },
        }
    }

    /// `d20` is `1d20`.
    fn one_die(&mut self, op: &'static Infix, min: u8) -> Parsed<NodeId> {
        let start = self.words.bump();
        let one = self.nodes.add(Span::new(start.start, start.start), Expr::Number(1));
        let sides = self.sides(min.max(DICE_LEVEL + 1))?;
        Ok(self.node(start, Expr::Infix(op, one, sides), sides))
    }

    /// A minus belongs to the number or group after it.
    fn minus(&mut self) -> Parsed<NodeId> {
        let start = self.words.bump();
        if let Token::Number(n) = self.words.token() {
            let span = start.to(self.words.span());
            let number = self.number(n, true)?;
            return Ok(self.nodes.add(span, Expr::Number(number)));
        }
        let operand = self.inside("expressions", |parser| parser.operand(PRIMARY_LEVEL))?;
        Ok(self.node(start, Expr::Minus(operand), operand))
    }

    /// `S p`
    fn reduce(&mut self, reduce: &'static Reduce) -> Parsed<NodeId> {
        let start = self.words.bump();
        let pool = self.expr(POOL_LEVEL)?;
        Ok(self.node(start, Expr::Reduce(reduce, pool), pool))
    }

    fn parenthesis(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let inside = self.expr(MAP_LEVEL)?;
        let close = self.needs(")", open)?;
        self.nodes.widen(inside, open.to(close));
        Ok(inside)
    }

    /// `[1, 2]`
    fn pool(&mut self) -> Parsed<NodeId> {
        let open = self.words.bump();
        let mut members = Vec::new();
        if self.words.token() != Token::Key("]") {
            members = self.listed(|parser| parser.scalar("member"))?;
        }
        let close = self.needs("]", open)?;
        Ok(self.nodes.add(open.to(close), Expr::Pool(members)))
    }

    fn number(&mut self, n: i64, negative: bool) -> Parsed<i64> {
        if n < 0 && !negative {
            return fail(too_large(self.words.span()));
        }
        self.words.bump();
        Ok(if negative { n.wrapping_neg() } else { n })
    }

    /// What stands between the quotes here.
    fn quoted(&mut self) -> String {
        let span = self.words.bump();
        self.text[span.start + 1..span.end - 1].to_owned()
    }

    /// The name of a map; letters may be meant for one.
    fn name(&mut self) -> Parsed<String> {
        match self.words.token() {
            Token::Text => Ok(self.quoted()),
            Token::Bad => match self.known("unquoted") {
                Some(known) => fail(known),
                None => self.stop(|parser| parser.wrong("name")),
            },
            _ => fail(self.wrong("name")),
        }
    }

    /// The word before.
    fn before_token(&self) -> Option<Token> {
        self.words.back(1).map(|before| before.token)
    }

    /// A sign that what begins at `owner` needs.
    fn needs(&mut self, key: &'static str, owner: Span) -> Parsed<Span> {
        let what = match key {
            ":" if self.text[owner.start..].starts_with('?') => "choice",
            ":" => "pair",
            "=" => "pairs",
            ")" => "closed",
            "]" => "members",
            _ => "map",
        };
        self.expect(key, |parser| parser.wrong_in(what, owner, key))
    }

    /// `3 > 2 > 1`; the second comparison is here. What rolls must not be written twice: it would be two rolls.
    fn compared_twice(&self, left: NodeId, right: NodeId) -> Mistake {
        let (owner, middle) = (self.nodes.span(left), self.nodes.span(right));
        let rolls = self.words.written(middle).contains(char::is_alphabetic);
        let scene = Scene { owner, before: middle, ..self.scene() };
        scene.explained(&MISTAKES, if rolls { "compared" } else { "compared numbers" })
    }
}
