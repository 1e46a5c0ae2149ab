//! Parses the terms of an expression: signs, numbers, brackets, values, functions, names, labels.

use super::parse::{DEEPEST, Parser};
use super::syntax::{EXACT, Expr, Function, Infix, MINUS, NodeId, Prefix, Source};
use crate::mistake::{Mistake, Parsed};
use crate::scan::too_large;
use tumble_core::{Ratio, Span};

/// How many decimals a number can be rounded to.
const MOST_PLACES: i64 = 6;

/// How many labels a term may have.
const MOST_LABELS: usize = 8;

impl Parser<'_> {
    /// Signs before a term; a plus says nothing.
    pub(super) fn unary(&mut self) -> Parsed<NodeId> {
        let mut signs = Vec::new();
        loop {
            self.blanks();
            let before = self.cursor.clone();
            let start = before.at();
            if self.smallest().is_some() {
                self.cursor = before;
                break;
            }
            let sign = match self.cursor.peek() {
                Some('-' | '\u{2212}' | '\u{2013}') => Prefix::Minus,
                Some('!') => Prefix::Not,
                Some('+') => {
                    self.cursor.bump();
                    continue;
                }
                _ => break,
            };
            if self.depth + signs.len() >= DEEPEST {
                return self.too_deep().fail();
            }
            self.cursor.bump();
            signs.push((sign, start));
        }
        self.depth += signs.len();
        let mut term = self.power()?;
        self.depth -= signs.len();
        for (sign, start) in signs.into_iter().rev() {
            let span = Span::new(start, self.nodes.span(term).end);
            term = self.nodes.add(span, Expr::Prefix(sign, term));
        }
        Ok(term)
    }

    /// `a ** b`, which groups to the right.
    fn power(&mut self) -> Parsed<NodeId> {
        let base = self.term()?;
        let before = self.cursor.clone();
        self.blanks();
        if !self.cursor.eat("**") && !self.cursor.eat("^") {
            self.cursor = before;
            return Ok(base);
        }
        self.deeper()?;
        let exponent = self.unary()?;
        self.depth -= 1;
        let span = self.nodes.span(base).to(self.nodes.span(exponent));
        Ok(self.nodes.add(span, Expr::Call(Function::Pow, vec![base, exponent])))
    }

    /// An operand with its labels.
    fn term(&mut self) -> Parsed<NodeId> {
        let mut term = self.operand()?;
        for labels in 0.. {
            let before = self.cursor.clone();
            self.blanks();
            let rest = self.cursor.rest();
            if !rest.starts_with('[') || rest.starts_with("[[") {
                self.cursor = before;
                return Ok(term);
            }
            if labels == MOST_LABELS {
                return Mistake::limit(self.here(), format!("this has more than {MOST_LABELS} labels")).fail();
            }
            let label = self.label()?;
            let span = Span::new(self.nodes.span(term).start, self.cursor.at());
            term = self.nodes.add(span, Expr::Label(term, label));
        }
        Ok(term)
    }

    /// `"hit"`
    fn words(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.at();
        self.cursor.bump();
        let words = self.cursor.take_while(|c| !matches!(c, '"' | '#' | '\n')).to_owned();
        if !self.cursor.eat("\"") {
            return Mistake::new(self.cursor.since(start), "missing closing quote").fail();
        }
        Ok(self.nodes.add(self.cursor.since(start), Expr::Words(words)))
    }

    fn label(&mut self) -> Parsed<String> {
        let start = self.cursor.at();
        self.cursor.bump();
        let label = self.cursor.take_while(|c| !matches!(c, '[' | ']' | '#' | '\n')).trim().to_owned();
        if self.cursor.peek() != Some(']') || label.is_empty() {
            return self.complained("label", Span::new(start, start + 1)).fail();
        }
        if let Some(sign) = self.dialect.comments.iter().find(|sign| label.contains(**sign)) {
            // Whoever looks for comments does not look for labels first.
            let message = format!("a label can't contain `{sign}`, which begins a comment");
            return Mistake::new(self.cursor.since(start), message).fail();
        }
        self.cursor.bump();
        Ok(label)
    }

    fn operand(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.at();
        if let Some((n, span)) = self.smallest() {
            return Ok(self.nodes.add(span, Expr::Number(n)));
        }
        let node = match self.cursor.peek() {
            Some('0'..='9') => {
                let (number, span) = self.number_or_decimal()?;
                self.nodes.add(span, number)
            }
            Some('(') => {
                let first = self.opened()?;
                if let Some(mistake) = self.listed_condition(self.here()).filter(|_| self.cursor.peek() == Some(',')) {
                    return mistake.fail();
                }
                if self.cursor.eat(",") {
                    return self.set(start, first);
                }
                let inside = self.closed(first, Span::new(start, start + 1), ")")?;
                if let Some(dice) = self.dice_again(inside) {
                    return self.modified_again(start, dice);
                }
                inside
            }
            Some('[') if self.cursor.eat("[[") => self.parenthesis("]]")?,
            Some('{') => return self.group(),
            Some('"') if self.dialect.everyday() => return self.words(),
            Some('@') => self.value()?,
            Some('\u{ff01}'..='\u{ff5e}') => return self.missing_operand().fail(),
            Some(c) if c.is_alphabetic() || c == '_' => return self.word(),
            _ => return self.missing_operand().fail(),
        };
        self.counted(node, start)
    }

    /// A number, a value or brackets: alone, or as the count of what follows.
    fn counted(&mut self, count: NodeId, start: usize) -> Parsed<NodeId> {
        let before = self.cursor.clone();
        self.blanks();
        if let Some(sides) = self.sides(Some(count))? {
            return self.modified(start, Source::Roll(Some(count), sides));
        }
        let rest = self.cursor.rest();
        let repeats = self.dialect.everyday();
        if repeats && (rest.starts_with('(') || rest.starts_with("[[")) {
            let close = if self.cursor.eat("(") {
                ")"
            } else {
                self.cursor.eat("[[");
                "]]"
            };
            let body = self.parenthesis(close)?;
            return self.modified(start, Source::Times(count, body));
        }
        self.cursor = before;
        Ok(count)
    }

    /// The inside of brackets that were opened just now.
    pub(super) fn parenthesis(&mut self, close: &'static str) -> Parsed<NodeId> {
        let open = Span::new(self.cursor.at() - close.len(), self.cursor.at());
        let inside = self.block()?;
        self.blanks();
        self.closed(inside, open, close)
    }

    /// What comes first in parentheses.
    fn opened(&mut self) -> Parsed<NodeId> {
        self.cursor.bump();
        let inside = self.block()?;
        self.blanks();
        Ok(inside)
    }

    fn closed(&mut self, inside: NodeId, open: Span, close: &'static str) -> Parsed<NodeId> {
        let closed = self.expect(close, open)?;
        self.nodes.widen(inside, open.to(closed));
        Ok(inside)
    }

    /// `(a, b)`; the first item is read.
    fn set(&mut self, start: usize, first: NodeId) -> Parsed<NodeId> {
        let mut members = vec![first];
        self.blanks();
        if self.dialect.loose_sets && self.cursor.eat(")") {
            return self.modified(start, Source::Group(members));
        }
        members.extend(self.listed(")", Span::new(start, start + 1))?);
        self.modified(start, Source::Group(members))
    }

    /// `{a, b}`
    fn group(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.at();
        self.cursor.bump();
        let members = self.listed("}", Span::new(start, start + 1))?;
        self.modified(start, Source::Group(members))
    }

    /// Expressions with commas between them, up to a closing bracket.
    fn listed(&mut self, close: &'static str, open: Span) -> Parsed<Vec<NodeId>> {
        let mut members = vec![self.block()?];
        loop {
            self.blanks();
            if !self.cursor.eat(",") {
                break;
            }
            members.push(self.block()?);
        }
        self.expect(close, open)?;
        Ok(members)
    }

    /// `@str`, `@{str}`
    pub(super) fn value(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.at();
        self.cursor.bump();
        let name = if self.cursor.eat("{") {
            let name = self.cursor.take_while(|c| !matches!(c, '{' | '}' | '#' | '\n')).trim().to_owned();
            self.expect("}", Span::new(start, start + 2))?;
            name
        } else {
            self.dotted()
        };
        let span = self.cursor.since(start);
        if name.is_empty() {
            return Mistake::new(span, "missing name after `@`, as in `@str`").fail();
        }
        Ok(self.nodes.add(span, Expr::Value(name)))
    }

    /// Words with dots between them.
    fn dotted(&mut self) -> String {
        let start = self.cursor.at();
        loop {
            self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
            let mut after = self.cursor.clone();
            if !after.eat(".") || !after.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
                return self.text[start..self.cursor.at()].to_owned();
            }
            self.cursor = after;
        }
    }

    /// A die, a function or a name.
    fn word(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.at();
        if let Some(sides) = self.sides(None)? {
            return self.modified(start, Source::Roll(None, sides));
        }
        let word = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        let span = self.cursor.since(start);
        let function = Function::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        let before = self.cursor.clone();
        self.blanks();
        if word.eq_ignore_ascii_case(EXACT) && self.cursor.peek() == Some('(') {
            return self.exact(span);
        }
        if let Some((_, function)) = function {
            let open = self.cursor.at();
            if !self.cursor.eat("(") {
                return self.complained("arguments", span).fail();
            }
            let args = self.listed(")", Span::new(open, open + 1))?;
            return self.call(*function, args, self.cursor.since(start));
        }
        if self.cursor.peek() == Some('(') {
            return self.unknown_function(span).fail();
        }
        self.cursor = before;
        if self.is_bound(word) {
            return self.named(word.to_owned(), start);
        }
        Ok(self.nodes.add(span, Expr::Name(word.to_owned())))
    }

    /// `exact(a / b)`: the division directly inside keeps its fraction.
    fn exact(&mut self, word: Span) -> Parsed<NodeId> {
        let open = self.cursor.at();
        self.cursor.bump();
        let inside = self.block()?;
        self.expect(")", Span::new(open, open + 1))?;
        let Expr::Infix(Infix::Over | Infix::Exact, a, b) = *self.nodes.expr(inside) else {
            return Mistake::new(word, "`exact` keeps the fraction of a division, as in `exact(8d6 / 2)`").fail();
        };
        self.nodes.replace(inside, Expr::Infix(Infix::Exact, a, b));
        self.nodes.widen(inside, self.cursor.since(word.start));
        Ok(inside)
    }

    fn call(&mut self, function: Function, args: Vec<NodeId>, span: Span) -> Parsed<NodeId> {
        let several = matches!(function, Function::Min | Function::Max);
        let wanted = if function == Function::Pow { 2 } else { 1 };
        let places = function == Function::Round && self.dialect.everyday() && self.are_places(&args);
        if !several && !places && args.len() != wanted {
            return self.wrong_arguments(function, &args, span).fail();
        }
        if function.rounds()
            && self.dialect.fractions
            && let Expr::Infix(Infix::Exact, a, b) = *self.nodes.expr(args[0])
        {
            self.nodes.replace(args[0], Expr::Infix(Infix::Over, a, b));
        }
        Ok(self.nodes.add(span, Expr::Call(function, args)))
    }

    /// `round(e, 2)`: how many decimals there are, as a number.
    fn are_places(&self, args: &[NodeId]) -> bool {
        matches!(args, [_, places] if matches!(self.nodes.expr(*places), Expr::Number(0..=MOST_PLACES)))
    }

    /// A number with or without a decimal point.
    pub(super) fn number_or_decimal(&mut self) -> Parsed<(Expr, Span)> {
        let (start, mut after) = (self.cursor.at(), self.cursor.clone());
        let whole = after.take_ascii(|c| c.is_ascii_digit());
        let [b'.', b'0'..=b'9', ..] = after.rest().as_bytes() else {
            return self.number().map(|(n, span)| (Expr::Number(n), span));
        };
        after.eat(".");
        let digits = after.take_ascii(|c| c.is_ascii_digit());
        let numerator = format!("{whole}{digits}").parse().ok();
        let below = u32::try_from(digits.len()).ok().and_then(|digits| 10i128.checked_pow(digits));
        let number = numerator.zip(below).and_then(|(above, below): (i128, i128)| Ratio::new(above, below));
        let goes_on = |rest: &str| rest.starts_with(['.', 'd', 'D']) && !rest.starts_with("..");
        let Some(number) = number.filter(|n| n.decimal().is_some() && !goes_on(after.rest())) else {
            return self.complained("decimal", Span::new(start, start)).fail();
        };
        self.cursor = after;
        let expr = number.whole().map_or(Expr::Decimal(number), Expr::Number);
        Ok((expr, self.cursor.since(start)))
    }

    /// A number without a sign.
    pub(super) fn number(&mut self) -> Parsed<(i64, Span)> {
        let start = self.cursor.at();
        let digits = self.cursor.take_ascii(|c| c.is_ascii_digit());
        let span = self.cursor.since(start);
        if let [b'.', b'0'..=b'9', ..] = self.cursor.rest().as_bytes() {
            return self.complained("decimal", Span::new(start, start)).fail();
        }
        digits.parse().map(|n| (n, span)).or_else(|_| too_large(span).fail())
    }

    /// The one number that has no positive partner, with its sign, if it comes next and counts no dice.
    pub(super) fn smallest(&mut self) -> Option<(i64, Span)> {
        let (mut after, start) = (self.cursor.clone(), self.cursor.at());
        let minus = MINUS.iter().any(|sign| after.eat(sign));
        if !minus || !after.eat("9223372036854775808") {
            return None;
        }
        let next = after.rest().trim_start().chars().next();
        if matches!(next, Some('0'..='9' | '.' | 'd' | 'D' | '(')) && !after.rest().starts_with("..") {
            return None;
        }
        self.cursor = after;
        Some((i64::MIN, self.cursor.since(start)))
    }
}
