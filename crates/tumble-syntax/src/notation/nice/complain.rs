//! Messages about the place where the parser cannot continue.
//!
//! Each function looks at the word before, the word here and what was wanted, and answers with a
//! sentence for a player and the texts that may have been meant. Habits from other notations are
//! recognised in `habit`.

use super::parse::Parser;
use super::slip::short;
use super::syntax::{Expr, Infix, NodeId};
use crate::mistake::Mistake;
use crate::nearest::renamed;
use crate::words::Token;
use tumble_core::Span;

impl Parser<'_> {
    /// No number, die or parenthesis where one is needed.
    pub(super) fn missing_operand(&mut self) -> Mistake {
        if let Some(known) = self.two_signs() {
            return known;
        }
        let here = self.words.span();
        let Some(before) = self.words.back(1) else { return self.nothing_before() };
        let both = before.span.to(here);
        match (before.token, self.words.token()) {
            (_, Token::Letters) => self.letters_for_a_name(),
            (Token::Key("["), _) => self.missing_name(),
            (Token::Key("]"), Token::End) => {
                let name = self.last_bound().unwrap_or_default();
                Mistake::new(before.span, "missing roll after the binding").append(&format!(" {name}"))
            }
            (Token::Key("-"), Token::Key("-")) => {
                Mistake::new(both, "two minus signs in a row need parentheses").replace(both, "").replace(both, "+")
            }
            (_, Token::Key("[")) => self.binding_inside(),
            (Token::Key("("), Token::Key(")")) => Mistake::new(both, "empty parentheses"),
            (Token::Key(_), Token::End) => {
                let message = format!("missing number or roll after {}", short(self.words.written(before.span)));
                Mistake::new(before.span, message)
            }
            (Token::Key(sign), Token::Key(_)) if Infix::of(sign).is_some() => {
                let (one, two) = (short(self.words.written(before.span)), short(self.words.here()));
                Mistake::new(both, format!("missing number or roll between {one} and {two}"))
            }
            _ => self.nothing_before(),
        }
    }

    fn nothing_before(&mut self) -> Mistake {
        let here = self.words.span();
        match self.words.token() {
            Token::Letters => self.letters_for_a_name(),
            Token::Key("[") => self.binding_inside(),
            Token::Key(word @ ("kh" | "kl")) => {
                Mistake::new(here, format!("`{word}` comes after the rolls it keeps, as in `2d20{word}`"))
            }
            Token::Key(_) => Mistake::new(here, format!("missing number or roll before {}", short(self.words.here()))),
            _ => Mistake::new(here, "there is nothing to roll"),
        }
    }

    /// A word with small letters where a name could stand.
    fn letters_for_a_name(&mut self) -> Mistake {
        if let Some(known) = self.letters_for_dice() {
            return known;
        }
        let (text, word) = (self.text, self.words.here());
        Mistake::new(self.words.span(), "names use capital letters").kind("invalid-symbol").fix(renamed(
            text,
            word,
            &word.to_ascii_uppercase(),
        ))
    }

    /// No name after `[`.
    pub(super) fn missing_name(&mut self) -> Mistake {
        match self.words.token() {
            Token::Letters => self.letters_for_a_name(),
            Token::Key(word @ ("d" | "kh" | "kl")) => {
                let upper = word.to_ascii_uppercase();
                Mistake::new(self.words.span(), "names use capital letters")
                    .kind("invalid-symbol")
                    .fix(renamed(self.text, word, &upper))
            }
            _ => {
                let open = self.words.back(1).map_or(self.words.span(), |open| open.span);
                Mistake::new(open, "missing name in capital letters after `[`, as in `[ATK: …]`")
            }
        }
    }

    /// No `:` after the name of a binding.
    pub(super) fn missing_colon(&mut self) -> Mistake {
        if let Some(known) = self.digits_in_name() {
            return known;
        }
        let here = self.words.span();
        let name = self.words.back(1).map_or(here, |name| name.span);
        let mistake = Mistake::new(name, format!("missing `:` and a value after {}", short(self.words.written(name))));
        match self.words.token() {
            Token::Key("=") => mistake.replace(here, ":"),
            Token::Key("]") | Token::End => mistake,
            _ => mistake.insert(name.end, ":"),
        }
    }

    /// `d` without a number after it.
    pub(super) fn missing_sides(&mut self) -> Mistake {
        let here = self.words.span();
        let die = self.words.back(1).map_or(here, |die| die.span);
        if let (Token::Key("("), Some(Token::Number(sides)), Some(Token::Key(")"))) =
            (self.words.token(), self.ahead(1), self.ahead(2))
        {
            let inside = here.to(self.words.ahead(2).map_or(here, |close| close.span));
            let mistake = Mistake::new(die.to(inside), "the number of sides can't be in parentheses");
            return mistake.replace(inside, &sides.to_string());
        }
        if matches!(self.words.token(), Token::Key("(") | Token::Name | Token::Letters) {
            return Mistake::new(die.to(here), "the number of sides must be a plain number, not a name or a roll");
        }
        Mistake::new(die, "missing number of sides after `d`")
    }

    /// `+` before something that is no number.
    pub(super) fn idle_plus(&mut self) -> Mistake {
        let here = self.words.span();
        if let (Some(before), Token::Key("+")) = (self.words.back(1), self.words.token())
            && matches!(self.ahead(1), Some(Token::End))
        {
            let both = before.span.to(here);
            return Mistake::new(both, "missing number or roll after `+`");
        }
        Mistake::new(here, "a leading `+` is only allowed before a plain number").delete(here)
    }

    /// A comparison whose left side is a comparison.
    pub(super) fn compared_twice(&mut self) -> Mistake {
        Mistake::new(self.words.span(), "a second comparison needs parentheses around the first")
    }

    /// `1 + [A: d4] A`
    fn binding_inside(&mut self) -> Mistake {
        let (text, here) = (self.text, self.words.span());
        let end = self.words.closing().map_or(text.trim_end().len(), |close| close.span.start);
        let mistake = Mistake::new(here, "a binding must come first; anywhere else it needs parentheses");
        mistake.replace(Span::new(here.start, end), &format!("({})", text[here.start..end].trim_end()))
    }

    /// Something that cannot follow a value; `inside` is the expression so far.
    pub(super) fn leftover(&mut self, inside: NodeId) -> Mistake {
        let here = self.words.span();
        let end = self.words.back(1).map_or(here.start, |before| before.span.end);
        match (self.words.token(), self.open.last().copied()) {
            (Token::End, Some(open)) => {
                let (sign, close) = if open.token == Token::Key("[") { ("[", "]") } else { ("(", ")") };
                Mistake::new(open.span, format!("unclosed `{sign}`")).append(close)
            }
            (Token::Key(close @ (")" | "]")), None) => Mistake::new(here, format!("unmatched `{close}`")).delete(here),
            (Token::Key(close @ (")" | "]")), Some(open)) => {
                let wanted = if close == ")" { "]" } else { ")" };
                let message =
                    format!("{} must be closed with `{wanted}`, not `{close}`", short(self.words.written(open.span)));
                Mistake::new(here, message).insert(end, wanted).replace(here, wanted)
            }
            (Token::Key(":"), _) => Mistake::new(here, "`:` is only used in a binding, as in `[ATK: d20] …`"),
            _ => self.side_by_side(inside),
        }
    }

    /// Two values without an operator between them.
    fn side_by_side(&mut self, inside: NodeId) -> Mistake {
        if let Some(known) = self.habit(inside) {
            return known;
        }
        let here = self.words.span();
        let Some(before) = self.words.back(1) else { return Mistake::new(here, "missing operator") };
        let both = before.span.to(here);
        if self.open.last().is_some_and(|open| open.token == Token::Key("[")) && self.words.token() != Token::Key("d") {
            return Mistake::new(both, "missing `]` after the value of the binding").insert(before.span.end, "]");
        }
        match self.words.token() {
            Token::Key("[") => self.binding_inside(),
            _ => Mistake::new(both, "missing operator"),
        }
    }

    pub(super) fn ahead(&self, by: usize) -> Option<Token> {
        self.words.ahead(by).map(|lexeme| lexeme.token)
    }

    /// The name of the binding that was read last.
    fn last_bound(&self) -> Option<&str> {
        let named = self.words.before().windows(2).rfind(|two| two[0].token == Token::Key("["))?;
        Some(self.words.written(named[1].span))
    }

    /// The node that ends just before this place, if `root` ends with it: the one that a suffix would
    /// belong to.
    pub(super) fn last_part(&self, root: NodeId) -> NodeId {
        let mut part = root;
        loop {
            part = match self.nodes.expr(part) {
                Expr::Infix(_, _, right) if !self.in_parentheses(part) => *right,
                Expr::Negative(inside) | Expr::Bind(_, _, inside) if !self.in_parentheses(part) => *inside,
                _ => return part,
            }
        }
    }

    pub(super) fn in_parentheses(&self, node: NodeId) -> bool {
        self.nodes.own(node) != self.nodes.span(node)
    }
}
