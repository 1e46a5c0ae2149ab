//! What to say about something that stands where a text should end or go on with an operator.

use super::parse::Parser;
use super::syntax::{Expr, NodeId, Source};
use super::wording::{modifier_like, rephrased};
use crate::mistake::Mistake;
use tumble_core::Span;

impl Parser<'_> {
    /// Something stands where the text should end or go on with an operator.
    pub(super) fn leftover(&mut self, roll: Option<NodeId>) -> Mistake {
        let (text, here) = (self.text, self.next());
        let Some(c) = self.cursor.peek() else { return self.missing_operand() };
        if let Some(mistake) = self.odd_character(c) {
            return mistake;
        }
        match c {
            ')' | ']' | '}' => self.closes_nothing(here),
            '&' | '|' => {
                let message = format!("\"{}\" is written `{c}{c}`", if c == '&' { "and" } else { "or" });
                Mistake::new(here, message).insert(text, here.start, &c.to_string())
            }
            ',' => self.stray_comma(here),
            ':' => Mistake::new(here, "`:` has no meaning here; a name gets a value as in `atk := d20;`")
                .replace(text, here, ":=")
                .delete(text, here),
            '[' => self.late_binding(here),
            _ if self.lone_name(roll).is_some() => self.stray_name(here, roll),
            c if c.is_alphabetic() => self.stray_word(here, roll),
            _ => {
                let mistake = Mistake::new(here, "two rolls stand side by side; what joins them?");
                mistake.insert(text, here.start, "+ ").insert(text, here.start, "; ")
            }
        }
    }

    /// The place of the word that is all that was read.
    fn lone_name(&self, roll: Option<NodeId>) -> Option<Span> {
        let roll = roll?;
        matches!(self.nodes.expr(roll), Expr::Name(_)).then(|| self.nodes.span(roll))
    }

    /// A word before dice: `roll 2d6`, `best 3 of 4d6`.
    fn stray_name(&mut self, here: Span, roll: Option<NodeId>) -> Mistake {
        let (text, name) = (self.text, self.lone_name(roll).unwrap_or(here));
        let phrased = rephrased(text);
        let message = format!("{} is not a word of this notation", self.shown(name));
        let mistake = Mistake::new(name, message);
        if phrased != text {
            return mistake.fix(phrased);
        }
        let rest = Span::new(name.start, here.start);
        mistake.replace(text, rest, "")
    }

    fn stray_comma(&mut self, here: Span) -> Mistake {
        let text = self.text;
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if digit(text[..here.start].chars().next_back()) && digit(text[here.end..].chars().next()) {
            let after = &text[here.end..];
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let fraction = Span::new(here.start, here.end + digits);
            let faces = text[..here.start].trim_end_matches(|c: char| c.is_ascii_digit());
            if faces.ends_with(['r', 'R']) {
                return Mistake::new(fraction, "a modifier takes one number").replace(text, here, "r");
            }
            let mistake = Mistake::new(fraction, "numbers are whole here, without a comma in them");
            let thousands = digits == 3;
            let mistake = if thousands { mistake.replace(text, here, "") } else { mistake };
            return mistake.replace(text, fraction, "");
        }
        Mistake::new(here, "a comma stands only inside `{…}` and `max(…)`; several rolls have `;` between them")
            .replace(text, here, ";")
    }

    /// A word where none can stand.
    fn stray_word(&mut self, here: Span, roll: Option<NodeId>) -> Mistake {
        let (text, word) = (self.text, self.written(here).to_lowercase());
        let twice = match word.as_str() {
            "adv" | "advantage" => "adv",
            "dis" | "disadvantage" => "dis",
            _ => "",
        };
        if !twice.is_empty() {
            return self.misplaced_twice(here, twice);
        }
        let before = text[..here.start].trim_end().len();
        if word == "x" {
            return self.stray_times(here, before);
        }
        if let Some(factor) = word.strip_prefix('x').filter(|rest| rest.bytes().all(|c| c.is_ascii_digit())) {
            return Mistake::new(here, "to multiply write `*`").replace(text, here, &format!("* {factor}"));
        }
        if let Some(fixed) = self.counted_failures(&word, here, roll) {
            return Mistake::new(here, "successes and failures are counted with `cs` and `cf`").fix(fixed);
        }
        let phrased = rephrased(text);
        if phrased != text {
            let message = format!("{} is not a word of this notation", self.shown(here));
            return Mistake::new(here, message).fix(phrased);
        }
        let die = matches!(word.as_bytes(), [b'd', b'0'..=b'9' | b'f' | b'%', ..] | [b'd']);
        if die || roll.is_none() {
            let message = "two rolls stand side by side; what joins them?";
            return Mistake::new(here, message).insert(text, here.start, "+ ");
        }
        if let Some(close) = modifier_like(&word) {
            let message = format!("there is no modifier {}", self.shown(here));
            return Mistake::new(here, message).replace(text, Span::new(before, here.end), close);
        }
        let words = text[here.start..].trim_end();
        let mistake = Mistake::new(here, format!("{} has no meaning here", self.shown(here)));
        let plain = words.chars().all(|c| c.is_alphabetic() || c == ' ');
        if plain && words.len() <= 40 {
            return mistake.replace(text, Span::new(before, text.len()), &format!("[{words}]"));
        }
        mistake.insert(text, here.start, "# ").replace(text, Span::new(before, here.end), &format!(" * {word}"))
    }

    /// An `x` that multiplies, or repeats inside something else.
    fn stray_times(&mut self, here: Span, before: usize) -> Mistake {
        let text = self.text;
        if text[here.end..].trim_start().starts_with('(') {
            let message = "`6x(…)` stands alone: it makes a list of results";
            return Mistake::new(here, message).replace(text, Span::new(before, here.end), "");
        }
        Mistake::new(here, "to multiply write `*`").replace(text, here, "*")
    }

    /// `5d10>8f1`
    fn counted_failures(&self, word: &str, here: Span, roll: Option<NodeId>) -> Option<String> {
        let failures = word.strip_prefix('f').filter(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))?;
        let Expr::Infix(op, dice, number) = self.nodes.expr(roll?) else { return None };
        let Expr::Dice(_) = self.nodes.expr(*dice) else { return None };
        let (dice, number) = (self.nodes.span(*dice), self.nodes.span(*number));
        let successes = format!("{}cs{}{}", &self.text[..dice.end], op.sign(), self.written(number));
        Some(format!("{successes}cf={failures}{}", &self.text[here.end..]))
    }

    /// `1d20 + 5 adv`
    fn misplaced_twice(&mut self, here: Span, twice: &str) -> Mistake {
        let text = self.text;
        let start = text[..here.start].trim_end().len();
        let message = match self.written(here).len() {
            3 => format!("`{twice}` stands right after its die"),
            _ => format!("{} is written `{twice}`, right after the die", self.shown(here)),
        };
        let mistake = Mistake::new(here, message);
        let die = self.nodes.first(|expr| matches!(expr, Expr::Dice(dice) if matches!(dice.source, Source::Roll(..))));
        match die {
            Some(die) if text.len() < 400 => {
                let end = self.nodes.span(die).end.min(start);
                mistake.fix(format!("{} {twice}{}{}", &text[..end], &text[end..start], &text[here.end..]))
            }
            _ => mistake,
        }
    }
}
