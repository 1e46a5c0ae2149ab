//! Messages about the place where the parser cannot continue.
//!
//! Each function looks at the word before, the word here and what was wanted, and answers with a sentence for a
//! player and the texts that may have been meant.

use super::operator::{infix, reduce};
use super::parse::Parser;
use super::syntax::NodeId;
use crate::mistake::Mistake;
use crate::words::Token;
use tumble_core::Span;

/// Two signs that other notations write together: what is meant, and how that is said.
const DOUBLED: &[[&str; 4]] = &[
    ["=", ">", ">=", "write `>=` instead of `=>`"],
    ["=", "<", "<=", "write `<=` instead of `=<`"],
    ["<", ">", "!=", "write `!=` instead of `<>`"],
    ["*", "*", "^", "write `^` instead of `**`"],
];

impl Parser<'_> {
    /// No operand where one is needed.
    pub(super) fn missing_operand(&mut self) -> Mistake {
        if let Some(known) = self.two_signs() {
            return known;
        }
        let here = self.words.span();
        let before = self.before();
        let Some(last) = self.before_token() else { return self.nothing_before() };
        match (last, self.words.token()) {
            (Token::Key("("), Token::Key(")")) => {
                let both = before.to(here);
                Mistake::new(both, "empty parentheses")
            }
            (_, Token::Key("{")) => self.map_inside(),
            (Token::Key(";"), Token::Key(";")) => Mistake::new(here, "missing roll between these `;`").delete(here),
            (Token::Key(sign), Token::End) => self.missing_at_end(sign, before),
            (Token::Key(one), Token::Key(_)) if is_operator(one) => {
                let message = format!(
                    "missing {} between {} and {}",
                    wanted(one),
                    self.words.shown(before),
                    self.words.shown(here)
                );
                Mistake::new(before.to(here), message)
            }
            (Token::Key("?" | ":"), _) => {
                let message = format!(
                    "a choice needs two options, as in `? \"a\" : \"b\"`; one is missing after {}",
                    self.words.shown(before)
                );
                Mistake::new(before.to(here), message)
            }
            _ => self.nothing_before(),
        }
    }

    /// An operator with nothing before it.
    fn nothing_before(&mut self) -> Mistake {
        let here = self.words.span();
        match self.words.token() {
            Token::Key("{") => self.map_inside(),
            Token::Key(sign) if infix(sign).is_some_and(|row| row.op.rolls()) => {
                let message = format!("missing number of dice before {}", self.words.shown(here));
                Mistake::new(here, message)
            }
            Token::Key("?") => Mistake::new(here, "`?` needs T or F before it"),
            Token::Key(sign) if infix(sign).is_some() || sign == "m" => {
                Mistake::new(here, format!("missing value before {}", self.words.shown(here)))
            }
            _ => self.stray(),
        }
    }

    fn missing_at_end(&mut self, sign: &str, before: Span) -> Mistake {
        Mistake::new(before, format!("missing {} after {}", wanted(sign), self.words.shown(before)))
    }

    /// Something stands after a complete roll.
    pub(super) fn leftover(&mut self) -> Mistake {
        if let Some(known) = self.two_signs() {
            return known;
        }
        let (text, here) = (self.text, self.words.span());
        let gap = Span::new(self.before().end, here.start);
        match self.words.token() {
            Token::Key(")" | "]" | "}") => {
                Mistake::new(here, format!("unmatched {}", self.words.shown(here))).delete(here)
            }
            Token::Key("=") => Mistake::new(here, "write `==` for \"equal\"").replace(here, "=="),
            Token::Key(":") => Mistake::new(here, "`:` is only used after `?` and its first option"),
            Token::Key(",") => Mistake::new(here, "rolls are separated by `;`").replace(here, ";"),
            Token::Key("{") => Mistake::new(here, "a map is a separate roll, with `;` before it").replace(gap, "; "),
            _ => {
                let message = "missing operator; rolls are separated by `;`";
                let mistake = Mistake::new(self.before().to(here), message);
                // After a map nothing else can be meant.
                if text[..gap.start].ends_with('}') { mistake.replace(gap, "; ") } else { mistake }
            }
        }
    }

    /// `(`, `[` and `{` without their end, `?` without its `:`.
    pub(super) fn missing_key(&mut self, key: &'static str, owner: Span) -> Mistake {
        let here = self.words.span();
        match key {
            ":" if self.text[owner.start..].starts_with('?') => {
                let message = "a choice needs two options; missing `:` and the second one";
                Mistake::new(owner, message)
            }
            ":" => Mistake::new(here, "missing `:` and a value after a key of the map"),
            "=" => Mistake::new(here, "missing `=` and pairs after the name of the map"),
            _ => self.unclosed(key, owner),
        }
    }

    /// A bracket that is still open where something else comes.
    fn unclosed(&mut self, key: &'static str, owner: Span) -> Mistake {
        let (text, here) = (self.text, self.words.span());
        let open = self.words.shown(owner);
        if self.words.token() == Token::End {
            let end = text.trim_end().len();
            return Mistake::new(owner, format!("unclosed {open}")).insert(end, key);
        }
        let gap = Span::new(self.before().end, here.start);
        let two_values = matches!(self.words.token(), Token::Number(_) | Token::Text | Token::Key("-"));
        if key != ")" && two_values {
            let what = if key == "]" { "the members of a pool" } else { "the pairs of a map" };
            return Mistake::new(here, format!("{what} are separated by `,`")).replace(gap, ", ");
        }
        if key == "]" && !matches!(self.words.token(), Token::Key(")" | "}" | ";" | ":")) {
            return Mistake::new(here, "a pool can only list plain numbers and text");
        }
        if self.words.token() == Token::Key("=") && key == ")" {
            return Mistake::new(here, "write `==` for \"equal\"").replace(here, "==");
        }
        Mistake::new(here, format!("missing `{key}` before {}", self.words.shown(here)))
            .replace(here, key)
            .insert(self.before().end, key)
    }

    /// Neither a number nor a text where one of them is needed.
    pub(super) fn missing_scalar(&mut self, wanted: &'static str) -> Mistake {
        let (here, before) = (self.words.span(), self.before());
        match (self.before_token(), self.words.token()) {
            (Some(Token::Key(",")), Token::Key("]" | "}")) => {
                Mistake::new(before, "missing value after `,`").delete(before)
            }
            (_, Token::End) => Mistake::new(before, wanted),
            _ => Mistake::new(here, wanted),
        }
    }

    /// No text where a map is named.
    pub(super) fn missing_name(&mut self) -> Mistake {
        let (text, here, before) = (self.text, self.words.span(), self.before());
        if self.words.token() == Token::Bad {
            let end = here.start + text[here.start..].find(|c: char| !c.is_alphanumeric()).unwrap_or(0);
            if end > here.start {
                let name = Span::new(here.start, end);
                return Mistake::new(name, "the name of a map needs quotes").wrap(name, "\"", "\"");
            }
            if let Some(known) = self.words.unreadable() {
                return known;
            }
        }
        let mistake = Mistake::new(before.to(here), "missing name of a map, in quotes");
        match self.words.token() {
            Token::Key("=") => mistake.delete(here),
            _ => mistake,
        }
    }

    /// `3 > 2 > 1`; the second comparison is here.
    pub(super) fn compared_twice(&mut self, left: NodeId, right: NodeId) -> Mistake {
        let (text, here) = (self.text, self.words.span());
        let middle = self.nodes.span(right);
        let written = &text[middle.start..middle.end];
        let both = self.nodes.span(left).to(here);
        let mistake = Mistake::new(both, "comparisons can't be chained, because the first one gives T or F");
        // What rolls must not be written twice: it would be two rolls.
        if written.contains(|c: char| c.is_alphabetic()) {
            return mistake;
        }
        mistake.fix(format!("{} ? {} : F", &text[..middle.end], &text[middle.start..]))
    }

    /// An operator after the name of a map.
    pub(super) fn after_map(&mut self, mapped: Span) -> Mistake {
        let message = "a map lookup needs parentheses before anything can follow it";
        Mistake::new(mapped.to(self.words.span()), message).wrap(mapped, "(", ")")
    }

    /// An empty text.
    pub(super) fn nothing_to_roll(&self) -> Mistake {
        Mistake::new(self.words.span(), "there is nothing to roll")
    }

    /// A map inside an expression.
    fn map_inside(&self) -> Mistake {
        Mistake::new(self.words.span(), "a map must be defined as a separate roll, followed by `;`")
    }

    /// Two signs of another notation; the first may be the word before.
    fn two_signs(&self) -> Option<Mistake> {
        let here = self.words.span();
        let (before, this, after) = (self.words.back(1), self.words.ahead(0), self.words.ahead(1));
        let mut pairs = [before.zip(this), this.zip(after)].into_iter().flatten();
        if let Some(known) = pairs.find_map(|(first, second)| self.doubled(DOUBLED, first, second)) {
            return Some(known);
        }
        (self.words.token() == Token::Key("=") && before.is_some_and(|before| before.token != Token::Key("=")))
            .then(|| Mistake::new(here, "write `==` for \"equal\"").replace(here, "=="))
    }

    fn stray(&self) -> Mistake {
        let here = self.words.span();
        let mistake = Mistake::new(here, format!("unexpected {}", self.words.shown(here)));
        // A `;` in front of everything says nothing.
        if self.words.token() == Token::Key(";") { mistake.delete(here) } else { mistake }
    }
}

fn is_operator(sign: &str) -> bool {
    infix(sign).is_some() || reduce(sign).is_some()
}

/// What an operator needs after it.
fn wanted(sign: &str) -> &'static str {
    if reduce(sign).is_some() { "pool" } else { "number" }
}
