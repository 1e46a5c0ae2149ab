//! The parser: from an expression to a tree, character by character; the grammar is at the top of `syntax`.
//!
//! `expr(min)` reads an operand and then every operator of level `min` or tighter. Operators that group
//! to the left are read in a loop; all other nesting is counted. Terms are read in `operand`, dice in
//! `dice`. Reading stops at the first mistake; what to say about it is in `complain`.

use super::syntax::{Binding, CHOICE, COMPARISON, Compare, Expr, Infix, Item, NodeId, Nodes, Tree};
use crate::mistake::{Mistake, Parsed};
use crate::scan::{Cursor, LONGEST_TEXT};
use tumble_core::{Diagnostic, Span};

/// How deep expressions may stand inside each other.
pub(super) const DEEPEST: usize = 200;

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    let prove = |fixed: &str| attempt(fixed).map(|_| true);
    attempt(text).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    if text.len() > LONGEST_TEXT {
        return Mistake::limit(Span::new(0, 0), format!("this expression is longer than {LONGEST_TEXT} bytes")).fail();
    }
    Parser { text, cursor: Cursor::new(text), nodes: Nodes::default(), depth: 0, roll20: None }.whole()
}

/// A place in a text, and the nodes read so far.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) cursor: Cursor<'t>,
    pub(super) nodes: Nodes,
    pub(super) depth: usize,
    pub(super) roll20: Option<Span>,
}

impl<'t> Parser<'t> {
    fn whole(mut self) -> Parsed<Tree> {
        self.command();
        let (mut items, mut times) = (Vec::new(), None);
        loop {
            self.blanks();
            if self.cursor.peek().is_none() {
                break;
            }
            if let Some(binding) = self.binding()? {
                self.bound_once_more(&items)?;
                items.push(Item::Bind(binding));
                continue;
            }
            times = self.times(&items)?;
            let roll = if times.is_some() { self.parenthesis(")")? } else { self.expr(CHOICE)? };
            items.push(Item::Roll(roll));
            self.blanks();
            let more = self.cursor.eat(";");
            self.blanks();
            match self.cursor.peek() {
                None => break,
                Some(_) if more && times.is_none() => {}
                Some(_) if times.is_some() => return self.after_times().fail(),
                Some(_) => return self.leftover(Some(roll)).fail(),
            }
        }
        if !matches!(items.last(), Some(Item::Roll(_))) {
            return self.nothing_to_roll(items.last()).fail();
        }
        let comments = comments(self.text);
        Ok(Tree { nodes: self.nodes, items, times, comments, roll20: self.roll20 })
    }

    /// `/roll` in front, as people paste it.
    fn command(&mut self) {
        self.blanks();
        let rest = self.cursor.rest();
        for word in ["/roll", "/r", "!roll", "!r"] {
            let found = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            let after = rest.get(word.len()..).unwrap_or_default();
            if found && (after.is_empty() || after.starts_with(char::is_whitespace)) {
                self.skip(word.len());
                return;
            }
        }
    }

    /// Names bound without end would be nested without end.
    fn bound_once_more(&self, items: &[Item]) -> Parsed<()> {
        if items.iter().filter(|item| matches!(item, Item::Bind(_))).count() < DEEPEST {
            return Ok(());
        }
        Mistake::limit(self.here(), format!("more than {DEEPEST} names are bound")).fail()
    }

    /// `6x` before a parenthesis.
    fn times(&mut self, items: &[Item]) -> Parsed<Option<(i64, Span)>> {
        let before = self.cursor.clone();
        if !matches!(self.cursor.peek(), Some('0'..='9')) {
            return Ok(None);
        }
        let start = self.cursor.at();
        self.cursor.take_ascii(|c| c.is_ascii_digit());
        self.blanks();
        let found = self.cursor.eat("x") || self.cursor.eat("X");
        let sign = self.cursor.since(start);
        self.blanks();
        let open = self.cursor.peek() == Some('(');
        self.cursor = before;
        if !found {
            return Ok(None);
        }
        if !open {
            return self.times_without_parentheses(sign).fail();
        }
        if items.iter().any(|item| matches!(item, Item::Roll(_))) {
            return self.times_not_alone(sign).fail();
        }
        let (count, _) = self.number()?;
        self.blanks();
        self.cursor.bump();
        self.blanks();
        self.cursor.bump();
        Ok(Some((count, sign)))
    }

    /// `[A: d20]` or `a := d20;`, if that is what comes next.
    fn binding(&mut self) -> Parsed<Option<Binding>> {
        let before = self.cursor.clone();
        let bracket = self.cursor.eat("[");
        if bracket && self.cursor.peek() == Some('[') {
            self.cursor = before;
            return Ok(None);
        }
        self.blanks();
        let start = self.cursor.at();
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_').to_owned();
        let span = self.cursor.since(start);
        self.blanks();
        let assigned = self.cursor.eat(":=");
        let found = if bracket { !assigned && self.cursor.eat(":") } else { assigned };
        if !found {
            let after = std::mem::replace(&mut self.cursor, before);
            return if bracket { self.not_a_binding(span, after.at()).fail() } else { Ok(None) };
        }
        self.bindable(&name, span)?;
        let value = self.block()?;
        self.blanks();
        match bracket {
            true => self.expect("]", Span::new(before.at(), before.at() + 1))?,
            false if !self.cursor.eat(";") => return self.missing_rest(&name, span).fail(),
            false => span,
        };
        Ok(Some(Binding { name, span, bracket, value }))
    }

    /// An expression with the bindings before it.
    pub(super) fn block(&mut self) -> Parsed<NodeId> {
        self.deeper()?;
        self.blanks();
        let (start, mut bindings) = (self.cursor.at(), Vec::new());
        while let Some(binding) = self.binding()? {
            if bindings.len() == DEEPEST {
                return self.too_deep().fail();
            }
            bindings.push(binding);
            self.blanks();
        }
        let body = self.expr(CHOICE)?;
        self.depth -= 1;
        if bindings.is_empty() {
            return Ok(body);
        }
        let span = Span::new(start, self.nodes.span(body).end);
        Ok(self.nodes.add(span, Expr::Block(bindings, body)))
    }

    pub(super) fn deeper(&mut self) -> Parsed<()> {
        if self.depth >= DEEPEST {
            return self.too_deep().fail();
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn expr(&mut self, min: u8) -> Parsed<NodeId> {
        self.deeper()?;
        let mut left = self.unary()?;
        loop {
            self.blanks();
            if min == CHOICE && self.cursor.peek() == Some('?') {
                left = self.choice(left)?;
                break;
            }
            let before = self.cursor.clone();
            let Some(op) = self.infix()? else { break };
            if op.level() < min {
                self.cursor = before;
                break;
            }
            let right = self.expr(op.level() + 1)?;
            let span = self.nodes.span(left).to(self.nodes.span(right));
            left = self.nodes.add(span, Expr::Infix(op, left, right));
            if op.level() == COMPARISON {
                self.no_chain(left)?;
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    /// `a ? b : c`
    fn choice(&mut self, test: NodeId) -> Parsed<NodeId> {
        let start = self.cursor.at();
        if self.cursor.rest().starts_with("?{") {
            return self.query().fail();
        }
        self.cursor.bump();
        let sign = self.cursor.since(start);
        let then = self.expr(CHOICE)?;
        self.blanks();
        if !self.cursor.eat(":") {
            return self.missing_otherwise(sign).fail();
        }
        let other = self.expr(CHOICE)?;
        let span = self.nodes.span(test).to(self.nodes.span(other));
        Ok(self.nodes.add(span, Expr::Choice(test, then, other)))
    }

    /// Comparisons do not stand side by side.
    fn no_chain(&mut self, first: NodeId) -> Parsed<()> {
        self.blanks();
        let before = self.cursor.clone();
        let next = self.infix()?;
        let after = std::mem::replace(&mut self.cursor, before);
        match next {
            Some(Infix::Compare(by)) => self.compared_twice(first, by, after.at()).fail(),
            _ => Ok(()),
        }
    }

    /// The operator that comes next, read.
    fn infix(&mut self) -> Parsed<Option<Infix>> {
        if let Some(by) = self.comparison()? {
            return Ok(Some(Infix::Compare(by)));
        }
        let signs = [
            ("||", Infix::Or),
            ("&&", Infix::And),
            ("+", Infix::Plus),
            ("-", Infix::Minus),
            ("\u{2212}", Infix::Minus),
            ("\u{2013}", Infix::Minus),
            ("*", Infix::Times),
            ("\u{d7}", Infix::Times),
            ("\u{b7}", Infix::Times),
            ("/", Infix::Over),
            ("\u{f7}", Infix::Over),
            ("%", Infix::Modulo),
        ];
        Ok(signs.into_iter().find(|(sign, _)| self.cursor.eat(sign)).map(|(_, op)| op))
    }

    /// The comparison that comes next, read.
    pub(super) fn comparison(&mut self) -> Parsed<Option<Compare>> {
        let start = self.cursor.at();
        if self.cursor.eat("=>") || self.cursor.eat("=<") {
            return self.turned_sign(self.cursor.since(start)).fail();
        }
        let signs = [
            ("==", Compare::Equal),
            ("=", Compare::Equal),
            ("!=", Compare::Unequal),
            ("<>", Compare::Unequal),
            ("\u{2260}", Compare::Unequal),
            ("<=", Compare::AtMost),
            ("\u{2264}", Compare::AtMost),
            ("<", Compare::Less),
            (">=", Compare::AtLeast),
            ("\u{2265}", Compare::AtLeast),
            (">", Compare::More),
        ];
        Ok(signs.into_iter().find(|(sign, _)| self.cursor.eat(sign)).map(|(_, by)| by))
    }

    /// Moves past characters that were looked at.
    pub(super) fn skip(&mut self, characters: usize) {
        for _ in 0..characters {
            self.cursor.bump();
        }
    }

    /// Moves past blanks and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            self.cursor.take_while(char::is_whitespace);
            if self.cursor.peek() != Some('#') {
                return;
            }
            self.cursor.take_while(|c| c != '\n');
        }
    }

    pub(super) fn expect(&mut self, close: &'static str, open: Span) -> Parsed<Span> {
        self.blanks();
        let start = self.cursor.at();
        if self.cursor.eat(close) { Ok(self.cursor.since(start)) } else { self.unclosed(close, open).fail() }
    }

    /// The next character.
    pub(super) fn here(&self) -> Span {
        let at = self.cursor.at();
        Span::new(at, at + self.cursor.peek().map_or(0, char::len_utf8))
    }
}

/// The comments of a text: from `#` to the end of the line.
fn comments(text: &str) -> Vec<(String, Span)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = text[from..].find('#') {
        let start = from + at;
        let end = text[start..].find('\n').map_or(text.len(), |line| start + line);
        let words = text[start + 1..end].trim();
        if !words.is_empty() {
            found.push((words.to_owned(), Span::new(start, end)));
        }
        from = end;
    }
    found
}
