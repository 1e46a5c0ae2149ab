//! The parser: from an expression to a tree, character by character; the grammar is at the top of `syntax`.
//!
//! `expr(min)` reads an operand and then every operator of level `min` or tighter. Operators that group
//! to the left are read in a loop; all other nesting is counted. Terms are read in `operand`, dice in
//! `dice`. Reading stops at the first mistake; what to say about it is in `complain`.

use super::dialect::{Dialect, TABLETOP};
use super::syntax::{
    Binding, CHOICE, COMPARISON, COMPARISONS, Compare, Expr, Function, Infix, Item, NodeId, Nodes, SIGNS, Tree, key,
};
use crate::mistake::{Mistake, Parsed};
use crate::scan::{Cursor, not_too_long};
use tumble_core::{Diagnostic, Span};

/// How deep expressions may stand inside each other.
pub(super) const DEEPEST: usize = 200;

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    parse_in(&TABLETOP, text)
}

/// The same as another tool reads it.
pub(super) fn parse_in(dialect: &'static Dialect, text: &str) -> Result<Tree, Vec<Diagnostic>> {
    let prove = |fixed: &str| attempt(dialect, fixed).map(|_| true);
    attempt(dialect, text).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(dialect: &'static Dialect, text: &str) -> Parsed<Tree> {
    not_too_long(text)?;
    if let Some(flat) = dialect.flat {
        return super::dicemaiden::attempt(dialect, flat, text);
    }
    Parser { text, dialect, cursor: Cursor::new(text), nodes: Nodes::default(), depth: 0, names: vec![] }.whole()
}

/// The same, with nothing left over that the tool would ignore.
pub(super) fn attempt_strictly(dialect: &'static Dialect, text: &str) -> Parsed<Tree> {
    let tree = attempt(dialect, text)?;
    match dialect.trailing && tree.ignored {
        true => Mistake::new(Span::new(0, 0), "unexpected words").fail(),
        false => Ok(tree),
    }
}

/// A place in a text, and the nodes read so far.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) dialect: &'static Dialect,
    pub(super) cursor: Cursor<'t>,
    pub(super) nodes: Nodes,
    pub(super) depth: usize,
    /// Names that were bound so far with their values; a condition may use them as they are.
    pub(super) names: Vec<(String, NodeId)>,
}

impl<'t> Parser<'t> {
    fn whole(mut self) -> Parsed<Tree> {
        self.command();
        let (mut items, mut times, mut ignored) = (Vec::new(), None, false);
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
            let more = self.dialect.everyday() && self.cursor.eat(";");
            self.blanks();
            match self.cursor.peek() {
                None => break,
                Some(_) if self.dialect.trailing && self.apart() => {
                    ignored = true;
                    break;
                }
                Some(_) if more && times.is_none() => {}
                Some(_) if times.is_some() => {
                    let message = "nothing can follow `6x(…)`, because it makes a list of results";
                    return Mistake::new(self.next(), message).fail();
                }
                Some(_) => return self.leftover(Some(roll)).fail(),
            }
        }
        if !matches!(items.last(), Some(Item::Roll(_))) {
            return self.nothing_to_roll(items.last()).fail();
        }
        let comments = comments(self.dialect, self.text);
        let mut tree = Tree { nodes: self.nodes, items, times, comments, ignored, named: false };
        if self.dialect.decimals.is_some() || self.dialect.whole_result && tree.has_fractions() {
            tree.round_results(self.dialect.decimals);
        }
        if let Some(root) = tree.unrounded_root().filter(|_| self.dialect.fractions) {
            let message = "a square root is exact only if it is rounded at once, as in `floor(sqrt(2d6))`";
            return Mistake::new(root, message).fail();
        }
        Ok(tree)
    }

    /// `/roll` in front, as people paste it.
    fn command(&mut self) {
        self.blanks();
        let rest = self.cursor.rest();
        for word in self.dialect.commands {
            let found = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            let after = rest.get(word.len()..).unwrap_or_default();
            if found && (after.is_empty() || after.starts_with(char::is_whitespace)) {
                self.skip(word.len());
                return;
            }
        }
    }

    /// Whether a blank comes before this place.
    fn apart(&self) -> bool {
        self.text[..self.cursor.at()].ends_with(char::is_whitespace)
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
        if !matches!(self.cursor.peek(), Some('0'..='9')) || !self.dialect.everyday() {
            return Ok(None);
        }
        let start = self.cursor.at();
        self.cursor.take_ascii(|c| c.is_ascii_digit());
        self.blanks();
        let found = self.cursor.eat("x") || self.cursor.eat("X");
        let sign = self.cursor.since(start);
        self.blanks();
        let open = self.cursor.peek() == Some('(');
        if found && !open {
            self.cursor = self.at_byte(sign.end);
            return self.complained("times", sign).fail();
        }
        self.cursor = before;
        if !found {
            return Ok(None);
        }
        if items.iter().any(|item| matches!(item, Item::Roll(_))) {
            let list = self.written(sign);
            let message = format!("`{list}(…)` makes a list of results and can't be part of a larger expression");
            return Mistake::new(sign, message).fail();
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
        if !self.dialect.everyday() {
            return Ok(None);
        }
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
            self.cursor = before;
            let open = self.here();
            return if bracket { self.complained("binding", open).fail() } else { Ok(None) };
        }
        self.bindable(&name, span)?;
        let value = self.block()?;
        self.blanks();
        match bracket {
            true => self.expect("]", Span::new(before.at(), before.at() + 1))?,
            false if !self.cursor.eat(";") => return self.complained("rest", span).fail(),
            false => span,
        };
        self.names.push((key(&name), value));
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
            if min == CHOICE && self.cursor.peek() == Some('?') && self.dialect.tests {
                left = self.choice(left)?;
                break;
            }
            let before = self.cursor.clone();
            let Some(op) = self.infix()? else { break };
            if op.level() < min {
                self.cursor = before;
                break;
            }
            let floors = self.dialect.floors && self.text[..self.cursor.at()].ends_with("//");
            let right = self.expr(op.level() + 1)?;
            let span = self.nodes.span(left).to(self.nodes.span(right));
            left = self.nodes.add(span, Expr::Infix(op, left, right));
            if floors {
                left = self.nodes.add(span, Expr::Call(Function::Floor, vec![left]));
            }
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
            return self.complained("query", self.here()).fail();
        }
        self.cursor.bump();
        let sign = self.cursor.since(start);
        let then = self.expr(CHOICE)?;
        self.blanks();
        if !self.cursor.eat(":") {
            return self.complained("otherwise", sign).fail();
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
        if self.dialect.tests
            && let Some(by) = self.comparison()?
        {
            return Ok(Some(Infix::Compare(by)));
        }
        if self.dialect.floors && self.cursor.eat("//") {
            return Ok(Some(Infix::Over));
        }
        let joins = |op: &Infix| matches!(op, Infix::Or | Infix::And);
        let mut known = SIGNS.iter().copied().filter(|(_, op)| self.dialect.tests || !joins(op));
        Ok(known.find(|(signs, _)| self.cursor.eat_any(signs)).map(|(_, op)| match op {
            Infix::Over if self.dialect.fractions => Infix::Exact,
            op => op,
        }))
    }

    /// The comparison that comes next, read.
    pub(super) fn comparison(&mut self) -> Parsed<Option<Compare>> {
        let start = self.cursor.at();
        if self.cursor.eat("=>") || self.cursor.eat("=<") {
            return self.complained("turned", self.cursor.since(start)).fail();
        }
        Ok(COMPARISONS.iter().find(|(signs, _)| self.cursor.eat_any(signs)).map(|(_, by)| *by))
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
            let Some((_, length)) = comment(self.dialect, self.cursor.rest()) else { return };
            let end = self.cursor.at() + length;
            while self.cursor.at() < end {
                self.cursor.bump();
            }
        }
    }

    pub(super) fn expect(&mut self, close: &'static str, open: Span) -> Parsed<Span> {
        self.blanks();
        let start = self.cursor.at();
        if self.cursor.eat(close) { Ok(self.cursor.since(start)) } else { self.unclosed(open).fail() }
    }

    /// The next character.
    pub(super) fn here(&self) -> Span {
        let at = self.cursor.at();
        Span::new(at, at + self.cursor.peek().map_or(0, char::len_utf8))
    }
}

/// The words of the comment that begins here, and how long it is.
fn comment<'t>(dialect: &Dialect, rest: &'t str) -> Option<(&'t str, usize)> {
    let sign = dialect.comments.iter().find(|sign| rest.starts_with(**sign))?;
    if *sign == "/*" {
        let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
        return Some((rest[2..end].trim_end_matches("*/").trim(), end));
    }
    let ends = |c: char| c == '\n' || c == ';' && dialect.flat.is_some();
    let end = rest.find(ends).unwrap_or(rest.len());
    Some((rest[sign.len()..end].trim(), end))
}

/// The comments of a text with their places: from `#` to the end of the line.
pub(super) fn comments(dialect: &Dialect, text: &str) -> Vec<(String, Span)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let rest = &text[from..];
        match comment(dialect, rest) {
            Some((words, length)) => {
                let span = Span::new(from, from + length);
                if !words.is_empty() {
                    found.push((words.to_owned(), span));
                }
                from = span.end;
            }
            None => from += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}
