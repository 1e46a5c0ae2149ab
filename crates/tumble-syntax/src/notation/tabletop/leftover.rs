//! Messages about anything found where an expression should end or continue with an operator.

use super::listed::repeated_comparison;
use super::parse::Parser;
use super::syntax::{Compare, Expr, Infix, NodeId, Source};
use super::wording::{modifier_like, rephrased};
use crate::mistake::Mistake;
use tumble_core::Span;

impl Parser<'_> {
    /// Something stands where the text should end or go on with an operator.
    pub(super) fn leftover(&mut self, roll: Option<NodeId>) -> Mistake {
        let (text, here) = (self.text, self.next());
        let Some(c) = self.cursor.peek() else { return self.missing_operand() };
        if let Some(mistake) = self.odd_character().or_else(|| self.after_a_comment(c, here)) {
            return mistake;
        }
        match c {
            ')' | ']' | '}' | '[' => self.complained("closes", here),
            '&' | '|' => {
                let message = format!("for \"{}\", write `{c}{c}`", if c == '&' { "and" } else { "or" });
                let mistake = Mistake::new(here, message);
                let compares = text.contains(['<', '>', '=']);
                if compares { mistake.insert(here.start, &c.to_string()) } else { mistake }
            }
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
