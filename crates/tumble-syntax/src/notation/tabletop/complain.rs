//! Messages about an expression that cannot be parsed, and what may have been meant.
//!
//! Each function is called at the place of one sort of mistake. Words and characters that belong to no
//! notation are in `wording`, modifiers in `quibble`; what is said and offered is in the table, `mistakes.txt`.

use super::MISTAKES;
use super::listed::repeated_comparison;
use super::parse::{DEEPEST, Parser};
use super::syntax::{Compare, Expr, Function, Infix, Item, NodeId, Source};
use super::wording::{modifier_like, normal, rephrased};
use crate::explain::Scene;
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
        Scene { place: self.cursor.at(), ..Scene::of(self.text, about) }.known(&MISTAKES, part)
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
        let found = ["operand", "closes"].iter().find_map(|part| Scene::of(&text, here).known(&MISTAKES, part));
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
        match last {
            Some(Item::Bind(binding)) => self.complained("no roll", binding.span),
            _ => Mistake::new(Span::new(end, end), "there is nothing to roll"),
        }
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

    /// Something stands where the text should end or go on with an operator.
    pub(super) fn leftover(&mut self, roll: Option<NodeId>) -> Mistake {
        let (text, here) = (self.text, self.next());
        let Some(c) = self.cursor.peek() else { return self.missing_operand() };
        if let Some(mistake) = self.odd_character().or_else(|| self.after_a_comment(c, here)) {
            return mistake;
        }
        match c {
            ')' | ']' | '}' | '[' => self.complained("closes", here),
            '&' | '|' => self.complained("joint", here),
            ',' => self.stray_comma(here),
            ':' if self.lone_name(roll).is_none() => {
                Mistake::new(here, "missing `?` before `:`, as in `d20 > 5 ? d6 : 0`")
            }
            ':' => {
                Mistake::new(here, "unexpected `:`; to give a name a value, write `atk := d20;`").replace(here, ":=")
            }
            _ if self.lone_name(roll).is_some() => self.stray_name(here, roll),
            c if c.is_alphabetic() => self.stray_word(here, roll),
            _ => self.complained("two rolls", here).when(rephrased(text), Mistake::certainly),
        }
    }

    /// `d20 # an attack⏎that goes on`
    fn after_a_comment(&mut self, c: char, here: Span) -> Option<Mistake> {
        let text = self.text;
        let lines = text[..here.start].trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        lines.lines().next_back()?.contains('#').then_some(())?;
        let mistake = Mistake::new(here, "a comment ends with its line; this line is read as dice");
        let word = self.written(here);
        let die = word.trim_start_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        let dice = c.is_ascii_digit() || c == '(' || die.starts_with('d') && die.bytes().any(|c| c.is_ascii_digit());
        match (dice, c.is_alphabetic()) {
            (true, _) => Some(mistake.insert(here.start, "; ")),
            (false, true) => Some(mistake),
            _ => None,
        }
    }

    /// The place of the word that is all that was read.
    fn lone_name(&self, roll: Option<NodeId>) -> Option<Span> {
        let roll = roll?;
        matches!(self.nodes.expr(roll), Expr::Name(_)).then(|| self.nodes.span(roll))
    }

    /// A word before dice: `roll 2d6`, `best 3 of 4d6`.
    fn stray_name(&mut self, here: Span, roll: Option<NodeId>) -> Mistake {
        let name = self.lone_name(roll).unwrap_or(here);
        self.complained("first word", name).when(rephrased(self.text), Mistake::certainly)
    }

    fn stray_comma(&mut self, here: Span) -> Mistake {
        let text = self.text;
        if let Some(mistake) = self.listed_condition(here).or_else(|| self.lost_brace(here)) {
            return mistake;
        }
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if digit(text[..here.start].chars().next_back()) && digit(text[here.end..].chars().next()) {
            let after = &text[here.end..];
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let fraction = Span::new(here.start, here.end + digits);
            let mistake = Mistake::new(fraction, "only whole numbers without commas are allowed");
            return if digits == 3 { mistake.replace(here, "") } else { mistake };
        }
        Mistake::new(here, "commas are only used inside `{…}` and `max(…)`; separate rolls with `;`").replace(here, ";")
    }

    /// `d6, d8}kh1`
    fn lost_brace(&self, here: Span) -> Option<Mistake> {
        let text = self.text;
        let after = &text[here.end..];
        let close = after.find(['{', '}', ';', '#']).filter(|at| after[*at..].starts_with('}'))?;
        let start = text[..here.start].rfind(';').map_or(0, |at| at + 1);
        let start = text.len() - text[start..].trim_start().len();
        let close = Span::new(here.end + close, here.end + close + 1);
        Some(Mistake::new(close, "unmatched `}`").insert(start, "{"))
    }

    /// A word where none can stand.
    fn stray_word(&mut self, here: Span, roll: Option<NodeId>) -> Mistake {
        let (text, word) = (self.text, self.written(here).to_lowercase());
        let before = text[..here.start].trim_end().len();
        if let Some(mistake) = self.said("word", here) {
            return mistake;
        }
        if let Some(fixed) = self.counted_failures(&word, here, roll) {
            return Mistake::new(here, "to count successes and failures, write `cs` and `cf`").fix(fixed);
        }
        let joins = word == "or" || word == "and" && text.contains(['<', '>', '=']);
        if joins && !has_two_sides(text[here.end..].trim_start()) {
            return self.half_comparison(here);
        }
        let compares = self.dialect.tests.then_some("successes");
        if let Some(mistake) = ["other word"].into_iter().chain(compares).find_map(|part| self.said(part, here)) {
            return mistake;
        }
        if let Some(phrased) = rephrased(text) {
            return Mistake::new(here, format!("unknown word {}", self.shown(here))).certainly(phrased);
        }
        let die = matches!(word.as_bytes(), [b'd', b'0'..=b'9' | b'f' | b'%', ..] | [b'd']);
        if die || roll.is_none() {
            return Mistake::new(here, "missing operator between two rolls");
        }
        if let Some(close) = modifier_like(&word) {
            let mistake = Mistake::new(here, format!("unknown modifier {}", self.shown(here)));
            return mistake.replace(Span::new(before, here.end), close);
        }
        self.complained("last word", here)
    }

    /// `d6 = 5 or 6`
    pub(super) fn half_comparison(&mut self, here: Span) -> Mistake {
        let message = format!("{} needs a complete comparison on both sides", self.shown(here));
        let mistake = Mistake::new(here, message);
        mistake.when(repeated_comparison(self.text), |mistake, fixed| mistake.fix(fixed))
    }

    /// `5d10>8f1`
    fn counted_failures(&self, word: &str, here: Span, roll: Option<NodeId>) -> Option<String> {
        let failures = word.strip_prefix('f').filter(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))?;
        let Expr::Infix(op, dice, number) = self.nodes.expr(roll?) else { return None };
        // Whether `>` includes its number depends on the tool.
        let Infix::Compare(by @ (Compare::AtLeast | Compare::AtMost | Compare::Equal)) = op else { return None };
        let Expr::Dice(pool) = self.nodes.expr(*dice) else { return None };
        let Source::Roll(..) = pool.source else { return None };
        let (Expr::Number(least), Ok(worst)) = (self.nodes.expr(*number), failures.parse::<i64>()) else { return None };
        // Whether a die can be both is not certain either.
        if by.holds(worst, *least) {
            return None;
        }
        let (dice, number) = (self.nodes.span(*dice), self.nodes.span(*number));
        let successes = format!("{}cs{}{}", &self.text[..dice.end], op.sign(), self.written(number));
        Some(format!("{successes}cf={failures}{}", &self.text[here.end..]))
    }
}

/// Whether this is more than a number, or a comparison without its left side.
fn has_two_sides(after: &str) -> bool {
    let number = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let next = number.trim_start();
    let lone = number.len() < after.len() && (next.is_empty() || next.starts_with("or ") || next.starts_with("||"));
    !lone && !after.starts_with(['<', '>', '=', '!', '\u{2264}', '\u{2265}'])
}
