//! Messages about an expression that cannot be parsed, and what may have been meant.
//!
//! Each function is called at the place of one sort of mistake. Words and characters that belong to no
//! notation are in `wording`, modifiers in `quibble`, anything left over in `leftover`.

use super::mistakes::said;
use super::parse::{DEEPEST, Parser};
use super::syntax::{Compare, Expr, Function, Item, NodeId};
use super::wording::normal;
use crate::mistake::{Mistake, Parsed, shown};
use crate::nearest::{nearest, renamed};
use tumble_core::Span;

impl<'t> Parser<'t> {
    pub(super) fn too_deep(&self) -> Mistake {
        Mistake::limit(self.here(), format!("expressions are nested more than {DEEPEST} deep"))
    }

    /// The word or sign that comes next, for a message.
    pub(super) fn next(&self) -> Span {
        let rest = self.cursor.rest();
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        Span::new(self.cursor.at(), self.cursor.at() + letters.max(first))
    }

    pub(super) fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// What is written there, in backticks and not longer than anyone would read.
    pub(super) fn shown(&self, span: Span) -> String {
        shown(self.written(span))
    }

    /// What the table says of this place.
    pub(super) fn said(&self, part: &'static str, about: Span) -> Option<Mistake> {
        said(part, self.text, self.cursor.at(), about)
    }

    /// The same, and something to say if that is nothing.
    pub(super) fn complained(&mut self, part: &'static str, about: Span) -> Mistake {
        self.said(part, about).unwrap_or_else(|| self.leftover(None))
    }

    /// A value is missing.
    pub(super) fn missing_operand(&mut self) -> Mistake {
        let here = self.next();
        if let Some(mistake) = self.odd_character() {
            return mistake;
        }
        if self.cursor.rest().starts_with("?{") {
            return self.complained("query", here);
        }
        // Nothing is missing after a comment, but before it.
        let before = super::without_comments(&self.text[..here.start]);
        let (end, joined) =
            (before.trim_end().len(), before.trim_end().ends_with("||") || before.trim_end().ends_with("&&"));
        if joined && self.cursor.rest().starts_with(['<', '>', '=', '!']) {
            return self.half_comparison(Span::new(end - 2, end));
        }
        let text = format!("{before}{}", &self.text[here.start..]);
        let found = ["operand", "closes"].iter().find_map(|part| said(part, &text, here.start, here));
        found.unwrap_or_else(|| Mistake::new(here, "missing number or dice"))
    }

    /// Characters that no text holds.
    pub(super) fn odd_character(&self) -> Option<Mistake> {
        let (text, here, c) = (self.text, self.here(), self.cursor.peek()?);
        let fixed = normal(text);
        if fixed != text && normal(self.written(here)) != self.written(here) {
            let message = match c {
                '\u{ff01}'..='\u{ff5e}' => format!("`{c}` is a full-width character; type the plain one"),
                '"' | '\'' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => "unexpected quotes".to_owned(),
                c if c.is_control() || c == '\u{200b}' => "unexpected invisible character".to_owned(),
                _ => format!("unexpected `{c}`"),
            };
            return Some(Mistake::new(here, message).fix(fixed));
        }
        let foreign = !c.is_ascii() && !c.is_alphabetic();
        if foreign { Some(Mistake::new(here, format!("unexpected `{c}`"))) } else { self.said("odd", here) }
    }

    /// A bracket that is not closed before here.
    pub(super) fn unclosed(&mut self, open: Span) -> Mistake {
        let comma = Some(self.next()).filter(|_| self.cursor.peek() == Some(','));
        comma.and_then(|comma| self.listed_condition(comma)).unwrap_or_else(|| self.complained("unclosed", open))
    }

    pub(super) fn nothing_to_roll(&mut self, last: Option<&Item>) -> Mistake {
        let end = self.text.trim_end().len();
        let Some(Item::Bind(binding)) = last else {
            return Mistake::new(Span::new(end, end), "there is nothing to roll");
        };
        Mistake::new(binding.span, format!("missing roll after the value of {}", self.shown(binding.span)))
            .insert(end, &format!(" {}", binding.name))
    }

    pub(super) fn missing_rest(&mut self, name: &str, span: Span) -> Mistake {
        if self.cursor.peek().is_some() {
            return self.leftover(None);
        }
        let message = format!("missing `;` and a roll after the value of {}", self.shown(span));
        Mistake::new(span, message).append(&format!("; {name}"))
    }

    pub(super) fn bindable(&mut self, name: &str, span: Span) -> Parsed<()> {
        let lower = name.to_lowercase();
        let die = matches!(lower.as_bytes(), [b'd'] | [b'd', b'0'..=b'9', ..] | b"df");
        let function = Function::ALL.iter().any(|(word, _)| *word == lower);
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
            let message = "names must start with a letter";
            return Mistake::new(span, message).fail();
        }
        if die || function {
            let what = if die { "a die" } else { "a function" };
            let message = format!("{} is {what} and can't be used as a name", self.shown(span));
            return Mistake::new(span, message).fix(renamed(self.text, name, &format!("my{name}"))).fail();
        }
        Ok(())
    }

    /// `1 < x < 3`
    pub(super) fn compared_twice(&mut self, first: NodeId, by: Compare, after: usize) -> Mistake {
        let text = self.text;
        let here = Span::new(self.cursor.at(), after);
        let mistake = Mistake::new(here, "only two values can be compared at a time");
        let Expr::Infix(op, left, middle) = *self.nodes.expr(first) else { return mistake };
        let (whole, middle_at) = (self.nodes.span(first), self.nodes.span(middle));
        let (left_text, middle_text) = (self.written(self.nodes.span(left)), self.written(middle_at));
        let tail = text[after..].trim_start();
        let (one, two) = (op.sign(), by.sign());
        if let Expr::Number(_) | Expr::Name(_) | Expr::Value(_) = self.nodes.expr(middle) {
            let and = format!("{left_text} {one} {middle_text} && {middle_text} {two} {tail}");
            return mistake.fix(format!("{}{and}", &text[..whole.start]));
        }
        mistake.fix(format!("[X: {middle_text}] {left_text} {one} X && X {two} {tail}"))
    }

    pub(super) fn turned_sign(&mut self, span: Span) -> Mistake {
        let right = if self.written(span) == "=>" { ">=" } else { "<=" };
        Mistake::new(span, format!("write `{right}` instead of {}", self.shown(span))).replace(span, right)
    }

    pub(super) fn unknown_function(&mut self, span: Span) -> Mistake {
        let near = nearest(&self.written(span).to_lowercase(), Function::ALL.iter().map(|(name, _)| *name));
        let unknown = || Mistake::new(span, format!("unknown function {}", self.shown(span)));
        let mistake = self.said("function", span);
        mistake.unwrap_or_else(|| unknown().when(near, |mistake, name| mistake.replace(span, name)))
    }

    pub(super) fn wrong_arguments(&mut self, function: Function, args: &[NodeId], whole: Span) -> Mistake {
        let count = match function {
            Function::Pow => "two values",
            Function::Round if self.dialect.everyday() => "one value, and perhaps a number of decimals from 0 to 6",
            _ => "one value",
        };
        let span = args.get(1).map_or(whole, |arg| self.nodes.span(*arg));
        Mistake::new(span, format!("`{}` takes {count}", function.word()))
    }

    /// `1.5d6`, and more digits than anybody needs.
    pub(super) fn decimal(&mut self, start: usize) -> Mistake {
        let text = self.text;
        let rest = &text[start..];
        let end = start + rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        Mistake::new(Span::new(start, end), "a number with a decimal point can't stand here")
    }
}
