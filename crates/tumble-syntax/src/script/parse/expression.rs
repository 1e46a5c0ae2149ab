//! Expressions, by precedence climbing. Operators of one level are read in a loop; all other nesting is counted.

use super::super::lex::Kind;
use super::super::problem::Problem;
use super::super::syntax::{Expr, Infix, Name, NodeId, operator};
use super::{Parser, Read};
use tumble_core::Span;

impl Parser<'_, '_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Read<NodeId> {
        self.nested(|parser| {
            let test = parser.climb(1)?;
            if parser.is_sign("?") { parser.choose(test) } else { Ok(test) }
        })
    }

    #[inline(never)]
    fn choose(&mut self, test: NodeId) -> Read<NodeId> {
        self.skip();
        let then = self.expr()?;
        self.expect(":", "the first value of `?`")?;
        let other = self.expr()?;
        let span = self.nodes.span(test).to(self.nodes.span(other));
        Ok(self.nodes.add(span, Expr::Choice { test, then, other }))
    }

    /// An operand and every operator of level `min` or tighter.
    fn climb(&mut self, min: u8) -> Read<NodeId> {
        let mut left = self.unary()?;
        while let Some((_, level)) = self.infix().filter(|(_, level)| *level >= min) {
            left = self.chain(left, level)?;
        }
        Ok(left)
    }

    /// All operators of one level.
    #[inline(never)]
    fn chain(&mut self, first: NodeId, level: u8) -> Read<NodeId> {
        let mut rest = Vec::new();
        while let Some((infix, _)) = self.infix().filter(|(_, next)| *next == level) {
            self.skip_infix();
            rest.push((infix, self.climb(level + 1)?));
        }
        let span = self.nodes.span(first);
        let span = rest.last().map_or(span, |(_, last)| span.to(self.nodes.span(*last)));
        Ok(self.nodes.add(span, Expr::Chain { first, rest }))
    }

    /// The operator that comes next; `and` and `or` are understood.
    fn infix(&self) -> Option<(Infix, u8)> {
        match self.token().kind {
            Kind::Sign(sign) => operator(sign),
            Kind::Word if !self.token().leads => operator(in_words(self.word_at(self.at))?),
            _ => None,
        }
    }

    /// Moves past an operator, which should be a sign.
    #[inline(never)]
    fn skip_infix(&mut self) {
        if let (Kind::Word, Some(sign)) = (&self.token().kind, in_words(self.word_at(self.at))) {
            let span = self.span();
            let problem = Problem::syntax(span, format!("`{}` instead of `{sign}`", self.word_at(self.at)));
            self.problems.add(problem.fix(format!("write `{sign}`"), span, sign).slip());
        }
        self.skip();
    }

    fn unary(&mut self) -> Read<NodeId> {
        if self.is_sign("!") || self.is_sign("-") {
            return self.prefixed();
        }
        let operand = self.operand()?;
        if self.is_sign(".") || self.is_sign("[") { self.parts_of(operand) } else { Ok(operand) }
    }

    #[inline(never)]
    fn prefixed(&mut self) -> Read<NodeId> {
        let start = self.span().start;
        let not = self.is_sign("!");
        self.skip();
        // The smallest number has no positive counterpart.
        if !not && self.token().kind == Kind::Number(None) && self.word_at(self.at) == "9223372036854775808" {
            self.skip();
            let span = self.since(start);
            return Ok(self.nodes.add(span, Expr::Int(i64::MIN)));
        }
        let operand = self.nested(Self::unary)?;
        let span = self.since(start);
        Ok(self.nodes.add(span, if not { Expr::Not(operand) } else { Expr::Minus(operand) }))
    }

    /// Fields and members of a value.
    #[inline(never)]
    fn parts_of(&mut self, operand: NodeId) -> Read<NodeId> {
        let (mut of, mut steps) = (operand, 0);
        let start = self.nodes.span(operand).start;
        while self.is_sign(".") || self.is_sign("[") {
            steps += 1;
            if self.depth + steps > super::DEEPEST {
                return self.too_deep();
            }
            let expr = if self.eat(".") {
                Expr::Field { of, name: self.name("the name of a field")? }
            } else {
                self.skip();
                let at = self.expr()?;
                self.expect("]", "a position")?;
                Expr::Index { of, at }
            };
            of = self.nodes.add(self.since(start), expr);
        }
        Ok(of)
    }

    fn operand(&mut self) -> Read<NodeId> {
        let span = self.span();
        match &self.token().kind {
            Kind::Number(_) | Kind::Text(_) => Ok(self.literal(span)),
            Kind::Word => self.word(),
            Kind::Sign("(") => self.parenthesis(),
            Kind::Sign("[") => self.list(),
            Kind::Sign(_) | Kind::End => self.no_operand(),
        }
    }

    #[inline(never)]
    fn literal(&mut self, span: Span) -> NodeId {
        let expr = match &self.token().kind {
            Kind::Number(Some(number)) => Expr::Int(*number),
            Kind::Number(None) => {
                self.problems.add(Problem::syntax(span, "this number is too large: at most 9223372036854775807"));
                Expr::Unread
            }
            Kind::Text(text) => Expr::Text(text.clone()),
            Kind::Word | Kind::Sign(_) | Kind::End => Expr::Unread,
        };
        self.skip();
        self.nodes.add(span, expr)
    }

    #[cold]
    fn no_operand(&mut self) -> Read<NodeId> {
        let message = format!("expected a value, not {}", self.found());
        self.fail(Problem::syntax(self.span(), message))
    }

    #[inline(never)]
    fn parenthesis(&mut self) -> Read<NodeId> {
        let start = self.span().start;
        self.skip();
        let records = std::mem::replace(&mut self.records_allowed, true);
        let inside = self.expr();
        self.records_allowed = records;
        let inside = inside?;
        self.expect(")", "a value in parentheses")?;
        let span = self.since(start);
        self.nodes.widen(inside, span);
        Ok(inside)
    }

    /// A name, a call, a record, or a truth.
    #[inline(never)]
    fn word(&mut self) -> Read<NodeId> {
        let span = self.span();
        match self.keyword() {
            Some(word @ ("true" | "false")) => {
                self.skip_keyword();
                return Ok(self.nodes.add(span, Expr::Truth(word == "true")));
            }
            Some(word) => return self.keyword_as_value(word),
            None => {}
        }
        if let Some(instead) = self.reserved() {
            let message = format!("`{}` is not part of scripts", self.word_at(self.at));
            return self.fail(Problem::syntax(span, message).hint(instead));
        }
        let mut name = self.name("a value")?;
        self.broken_name(&mut name);
        if self.is_sign("(") {
            return self.call(name);
        }
        if self.is_sign("{") && self.records_allowed {
            return self.record_value(name);
        }
        Ok(self.nodes.add(name.span, Expr::Name(name)))
    }

    #[cold]
    fn keyword_as_value(&mut self, word: &str) -> Read<NodeId> {
        self.fail(Problem::syntax(self.span(), format!("expected a value, not the keyword `{word}`")))
    }

    /// `rollwith mod(…)`: two words that together are the name of a function.
    #[inline(never)]
    fn broken_name(&mut self, name: &mut Name) {
        if self.token().kind != Kind::Word || self.token().leads {
            return;
        }
        let joined = format!("{}{}", name.text, self.word_at(self.at));
        let key = joined.to_lowercase();
        if !self.functions.contains(&key) {
            return;
        }
        let span = name.span.to(self.span());
        self.skip();
        let problem = Problem::syntax(span, "a space inside the name of a function");
        self.problems.add(problem.fix(format!("write `{joined}`"), span, joined.clone()));
        *name = Name { text: joined, key, span };
    }

    #[inline(never)]
    fn call(&mut self, name: Name) -> Read<NodeId> {
        let start = name.span.start;
        self.skip();
        let args = match self.dice_word(&name) {
            Some(text) => vec![text],
            None => self.values(")")?,
        };
        let span = self.since(start);
        Ok(self.nodes.add(span, Expr::Call { name, args }))
    }

    /// `roll(d100)`: dice without quotes.
    #[inline(never)]
    fn dice_word(&mut self, name: &Name) -> Option<NodeId> {
        if !matches!(name.key.as_str(), "roll" | "dice") || self.token().kind != Kind::Word {
            return None;
        }
        let percent = matches!(self.tokens.get(self.at + 1)?.kind, Kind::Sign("%"));
        let last = if percent { self.at + 1 } else { self.at };
        if self.tokens.get(last + 1)?.kind != Kind::Sign(")") {
            return None;
        }
        let span = self.span().to(self.tokens[last].span);
        let text = &self.text[span.start..span.end];
        // A word that could be a name may be a variable, which only the checker knows.
        if !is_dice(text) || !percent && text.starts_with(char::is_alphabetic) {
            return None;
        }
        let quoted = format!("\"{text}\"");
        let problem = Problem::syntax(span, format!("dice without quotes: `{text}`"));
        self.problems.add(problem.fix(format!("write `{quoted}`"), span, quoted).slip());
        self.at = last + 2;
        Some(self.nodes.add(span, Expr::Text(text.to_owned())))
    }

    /// Values with commas between them, up to a closing sign.
    #[inline(never)]
    fn values(&mut self, close: &str) -> Read<Vec<NodeId>> {
        let records = std::mem::replace(&mut self.records_allowed, true);
        let values = self.values_up_to(close);
        self.records_allowed = records;
        values
    }

    fn values_up_to(&mut self, close: &str) -> Read<Vec<NodeId>> {
        let mut values = Vec::new();
        while !self.eat(close) {
            values.push(self.expr()?);
            if !self.eat(",") && !self.is_sign(close) {
                return self.no_comma(close);
            }
        }
        Ok(values)
    }

    #[inline(never)]
    fn record_value(&mut self, name: Name) -> Read<NodeId> {
        let start = name.span.start;
        self.skip();
        let mut fields = Vec::new();
        while !self.eat("}") {
            let field = self.name("the name of a field")?;
            self.expect(":", "the name of a field")?;
            fields.push((field, self.expr()?));
            if !self.eat(",") && !self.is_sign("}") {
                let message = format!("expected `,` or `}}`, not {}", self.found());
                return self.fail(Problem::syntax(self.span(), message));
            }
        }
        let span = self.since(start);
        Ok(self.nodes.add(span, Expr::Record { name, fields }))
    }

    /// Two values with nothing between them, or a list that is not closed.
    #[cold]
    #[inline(never)]
    fn no_comma<T>(&mut self, close: &str) -> Read<T> {
        let message = format!("expected `,` or `{close}`, not {}", self.found());
        let value = matches!(self.token().kind, Kind::Word | Kind::Number(_) | Kind::Text(_) | Kind::Sign("(" | "["));
        let (at, missing) = (self.after(), if value { "," } else { close });
        self.fail(Problem::syntax(self.span(), message).fix(format!("insert `{missing}`"), at, missing))
    }

    #[inline(never)]
    fn list(&mut self) -> Read<NodeId> {
        let start = self.span().start;
        self.skip();
        if self.eat("]") {
            return Ok(self.nodes.add(self.since(start), Expr::List(vec![])));
        }
        let records = std::mem::replace(&mut self.records_allowed, true);
        let list = self.list_after(start);
        self.records_allowed = records;
        list
    }

    /// The rest of a list behind its bracket: members, or how it is made.
    #[inline(never)]
    fn list_after(&mut self, start: usize) -> Read<NodeId> {
        let first = self.expr()?;
        if self.keyword() == Some("for") {
            return self.made(start, first);
        }
        let mut items = vec![first];
        if self.eat(",") {
            items.extend(self.values_up_to("]")?);
        } else if !self.eat("]") {
            return self.no_comma("]");
        }
        Ok(self.nodes.add(self.since(start), Expr::List(items)))
    }

    #[inline(never)]
    fn made(&mut self, start: usize, item: NodeId) -> Read<NodeId> {
        self.skip_keyword();
        self.expect("(", "`for`")?;
        let name = self.name("the name of a variable")?;
        self.each_colon()?;
        let list = self.expr()?;
        self.expect(")", "the list of `for`")?;
        let test = if self.keyword() == Some("if") {
            self.skip_keyword();
            self.expect("(", "`if`")?;
            let test = self.expr()?;
            self.expect(")", "the condition of `if`")?;
            Some(test)
        } else {
            None
        };
        self.expect("]", "a list")?;
        Ok(self.nodes.add(self.since(start), Expr::Made { item, name, list, test }))
    }
}

/// The sign of an operator that is written as a word.
fn in_words(word: &str) -> Option<&'static str> {
    match word.to_lowercase().as_str() {
        "and" => Some("&&"),
        "or" => Some("||"),
        _ => None,
    }
}

/// `d20`, `2d6`, `d%`: a lone dice term.
pub(in crate::script) fn is_dice(word: &str) -> bool {
    let word = word.to_lowercase();
    let Some((count, sides)) = word.split_once('d') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (count.is_empty() || digits(count)) && (digits(sides) || sides == "%")
}
