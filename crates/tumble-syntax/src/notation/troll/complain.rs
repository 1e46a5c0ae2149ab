//! Messages about the place where the parser cannot continue.
//!
//! Each function looks at the word before, the word here and what was wanted, and answers with a
//! sentence for a player and the texts that may have been meant. Habits from other notations are
//! recognised in `habit`.

use super::lex::keyword;
use super::operator::{Of, infix, prefix};
use super::parse::Parser;
use super::syntax::{Declaration, Expr, Extreme, NodeId, Prefix};
use crate::mistake::Mistake;
use crate::words::{Lexeme, Token};
use tumble_core::Span;

/// The words that need a construct around them.
const WORDS_INSIDE: &[&str] = &["then", "else", "in", "do", "until", "while"];

impl<'t> Parser<'t> {
    /// No operand where one is needed.
    pub(super) fn missing_operand(&mut self) -> Mistake {
        if let Some(known) = self.two_signs() {
            return known;
        }
        let here = self.words.span();
        let Some(before) = self.words.back(1) else { return self.nothing_before() };
        let both = before.span.to(here);
        match self.words.token() {
            Token::End => self.missing_at_end(before),
            Token::Key("let") => self.let_binding(),
            Token::Key("function" | "compositional") => self.nothing_before(),
            Token::Key(":=") if keyword(self.words.written(before.span)).is_some() => self.reserved(before.span),
            Token::Key(")") if before.token == Token::Key("(") => Mistake::new(both, "empty parentheses"),
            Token::Key(_) if is_infix(before.token) => {
                let (one, two) = (self.words.shown(before.span), self.words.shown(here));
                Mistake::new(both, format!("missing number or roll between {one} and {two}"))
            }
            Token::Key(_) if before.token == Token::Key(",") => {
                Mistake::new(both, format!("missing value between `,` and {}", self.words.shown(here)))
            }
            _ => self.nothing_before(),
        }
    }

    fn nothing_before(&mut self) -> Mistake {
        let here = self.words.span();
        match self.words.token() {
            Token::Key("let") => self.let_binding(),
            Token::Key("function" | "compositional") => {
                Mistake::new(here, "functions must be declared before or after the roll, not inside it")
            }
            Token::Key(word) if WORDS_INSIDE.contains(&word) => self.stray(),
            Token::Key(_) => Mistake::new(here, format!("missing number or roll before {}", self.words.shown(here))),
            _ => self.nothing_to_roll(None),
        }
    }

    fn missing_at_end(&mut self, before: Lexeme) -> Mistake {
        let place = before.span;
        let Token::Key(key) = before.token else { return self.nothing_to_roll(None) };
        match key {
            ";" => {
                let name = self.last_bound().unwrap_or_default();
                Mistake::new(place, "missing roll after `;`").append(&format!(" {name}"))
            }
            "," => Mistake::new(place, "missing value after `,`"),
            _ => Mistake::new(place, format!("missing number or roll after {}", self.words.shown(place))),
        }
    }

    /// Something stands after a complete roll.
    pub(super) fn leftover(&mut self, main: NodeId) -> Mistake {
        match *self.nodes.expr(main) {
            Expr::Extreme(which, count, pool)
                if self.starts_operand() && matches!(self.nodes.expr(pool), Expr::Prefix(..)) =>
            {
                let count = self.nodes.span(count).to(self.nodes.span(pool));
                let message = format!("the first number of `{}` needs parentheses here", which.word());
                Mistake::new(count, message).replace(count, &format!("({})", self.words.written(count)))
            }
            Expr::Prefix(op, operand) if takes_collection(op) && self.starts_simple_value() => {
                self.several(op.row().sign, operand)
            }
            Expr::Extreme(which, _, pool) if self.starts_simple_value() => self.several(which.word(), pool),
            _ => self.after_value(),
        }
    }

    /// `min 3 4`: two values after a word that takes one collection.
    fn several(&mut self, word: &str, operand: NodeId) -> Mistake {
        if let Some(known) = self.habit() {
            return known;
        }
        let (text, operand) = (self.text, self.nodes.span(operand));
        let message = format!("`{word}` takes one collection; several values need braces");
        let members = format!("{{{}, {}}}", self.words.written(operand), text[self.words.span().start..].trim_end());
        Mistake::new(operand.to(self.words.span()), message).replace(Span::new(operand.start, text.len()), &members)
    }

    /// Something that cannot follow a value.
    fn after_value(&mut self) -> Mistake {
        if let Some(known) = self.words.unreadable().or_else(|| self.not_equal()) {
            return known;
        }
        let (text, here) = (self.text, self.words.span());
        let Token::Key(key) = self.words.token() else { return self.side_by_side() };
        match key {
            ")" | "]" | "}" => Mistake::new(here, format!("unmatched `{key}`")).delete(here),
            ";" => self.equal_for_binding().unwrap_or_else(|| {
                Mistake::new(here, "`;` is only used after a binding such as `x := 3d6`").delete(here)
            }),
            "," => Mistake::new(here, "several values need braces").fix(in_braces(text)),
            ":=" => Mistake::new(here, "only a name can be given a value"),
            "~" => Mistake::new(here, "`~` can only follow a name"),
            "let" => self.let_binding(),
            _ if WORDS_INSIDE.contains(&key) => self.stray(),
            _ => self.side_by_side(),
        }
    }

    /// A sign or word that a construct needs is missing; `owner` is where the construct begins.
    pub(super) fn missing_key(&mut self, key: &'static str, owner: Span) -> Mistake {
        if let Some(known) = self.not_equal().or_else(|| self.digits_in_name()) {
            return known;
        }
        match key {
            ")" | "}" | "]" => self.unclosed(key, owner),
            "(" => self.missing_arguments(owner),
            ";" => self.missing_rest(owner),
            ":=" | "=" => self.missing_assignment(key),
            "," if self.words.written(owner) == "[" => self.in_braces("]", owner, "a pair has exactly two values"),
            "," => Mistake::new(owner, "`compositional` needs three parts, as in `compositional f(0, sum, +)`"),
            _ => self.missing_word(key, owner),
        }
    }

    fn unclosed(&mut self, key: &'static str, owner: Span) -> Mistake {
        let here = self.words.span();
        if self.words.token() == Token::Key(",") {
            let message = if key == "]" { "a pair has exactly two values" } else { "several values need braces" };
            return self.in_braces(key, owner, message);
        }
        if key == "}" && self.words.token() == Token::Key(";") {
            return Mistake::new(here, "members are separated by commas").replace(here, ",");
        }
        if self.starts_operand() {
            let is_word = self.misspelled().is_some();
            return match self.words.back(1) {
                Some(before) if key == "}" && !is_word => Mistake::new(here, "missing comma between two members")
                    .replace(Span::new(before.span.end, here.start), ", "),
                _ => self.side_by_side(),
            };
        }
        let mistake = Mistake::new(owner, format!("unclosed `{}`", self.words.written(owner)));
        if self.words.token() == Token::End { mistake.append(key) } else { mistake.insert(here.start, key) }
    }

    /// Brackets that should be braces.
    fn in_braces(&self, close: &'static str, owner: Span, message: &str) -> Mistake {
        let (text, mistake) = (self.text, Mistake::new(self.words.span(), message));
        let close = self.words.closing().filter(|found| found.token == Token::Key(close)).map(|found| found.span);
        mistake.when(close, |mistake, close| {
            let inside = &text[owner.end..close.start];
            mistake.replace(owner.to(close), &format!("{{{inside}}}"))
        })
    }

    fn missing_arguments(&mut self, owner: Span) -> Mistake {
        let here = self.words.span();
        let name = self.words.back(1).map_or(owner, |before| before.span);
        let message = format!("{} needs parentheses after it", self.words.shown(name));
        let mistake = Mistake::new(owner.to(name), message);
        match (self.words.token(), self.words.written(owner)) {
            (Token::Name, "function") => {
                mistake.replace(Span::new(name.end, here.end), &format!("({})", self.words.here()))
            }
            (_, "function") => mistake.insert(name.end, "(x)"),
            _ => mistake,
        }
    }

    fn missing_assignment(&mut self, key: &str) -> Mistake {
        let here = self.words.span();
        let before = self.words.back(1).map_or(here, |before| before.span);
        let mistake = Mistake::new(here, format!("missing `{key}` after {}", self.words.shown(before)));
        match self.words.token() {
            Token::Key("=" | ":=") => mistake.replace(here, key),
            _ => mistake.insert(here.start, &format!("{key} ")),
        }
    }

    /// `x := 3` without what to do with it.
    fn missing_rest(&mut self, owner: Span) -> Mistake {
        let (here, name) = (self.words.span(), self.words.written(owner));
        if self.starts_operand() && self.misspelled().is_some() {
            return self.side_by_side();
        }
        let end = self.words.back(1).map_or(owner.end, |before| before.span.end);
        let message = format!("missing `;` and a roll after the value of {}", self.words.shown(owner));
        let mistake = Mistake::new(here, message);
        match self.words.token() {
            Token::Key("," | "in") => mistake.replace(Span::new(end, here.end), ";"),
            _ if self.starts_operand() => mistake.replace(Span::new(end, here.start), "; "),
            _ => mistake.insert(end, &format!("; {name}")),
        }
    }

    /// `then`, `else`, `in`, `do` or `until` is missing.
    fn missing_word(&mut self, word: &'static str, owner: Span) -> Mistake {
        let (here, starts) = (self.words.span(), self.starts_operand());
        if starts && self.misspelled().is_some() {
            return self.side_by_side();
        }
        let message = match word {
            "until" => format!("{} needs `until` or `while` and a condition", self.words.shown(owner)),
            _ => format!("{} needs `{word}` here", self.words.shown(owner)),
        };
        if starts {
            return Mistake::new(here, message).insert(here.start, &format!("{word} "));
        }
        Mistake::new(owner, message)
    }

    /// No name where one is needed; `of` says what it would name.
    pub(super) fn missing_name(&mut self, of: &'static str) -> Mistake {
        let here = self.words.span();
        let before = self.words.back(1).map_or(here, |before| before.span);
        let built_in = keyword(self.words.here()).is_some();
        match of {
            "`call`" if built_in => {
                Mistake::new(here, format!("{} is built in; use it without `call`", self.words.shown(here)))
                    .replace(Span::new(before.start, here.start), "")
            }
            "a function" | "a parameter" if built_in => self.reserved(here),
            "a parameter" if self.words.token() == Token::Key(")") => {
                Mistake::new(here, "a function needs at least one parameter").insert(here.start, "x")
            }
            "`repeat`" | "`accumulate`" if self.starts_operand() => {
                Mistake::new(here, format!("{of} needs a name for what is rolled")).insert(here.start, "x := ")
            }
            _ => Mistake::new(here, format!("{of} needs a name here")),
        }
    }

    /// `least n` without what to choose from.
    pub(super) fn missing_second(&mut self, which: Extreme, count: NodeId) -> Mistake {
        let message = format!("`{}` needs a number and then the dice to choose from", which.word());
        Mistake::new(self.nodes.span(count), message)
    }

    /// A step of `compositional` that is neither a name nor one of the operators allowed.
    pub(super) fn wrong_step(&mut self) -> Mistake {
        let message = "the second part of `compositional` must be a function or one of - d z sum sgn count min max \
                       minimal maximal choose different; the third must be a function or one of + * @";
        Mistake::new(self.words.span(), message)
    }

    /// `1..2..3`; the second `..` is here.
    pub(super) fn range_twice(&mut self, middle: NodeId) -> Mistake {
        let middle = self.nodes.span(middle).to(self.words.span());
        Mistake::new(middle, "`..` cannot follow another `..`")
    }

    /// `sum 2'd6`: the count goes before the word.
    pub(super) fn layers_after_word(&mut self, word: Span) -> Mistake {
        let whole = word.to(self.words.span());
        Mistake::new(whole, format!("{} cannot be followed by `'` without parentheses", self.words.shown(word)))
    }

    /// An empty text, or one with functions only.
    pub(super) fn nothing_to_roll(&mut self, last: Option<&Declaration>) -> Mistake {
        let end = self.words.span();
        Mistake::new(end, if last.is_some() { "missing roll after the functions" } else { "there is nothing to roll" })
    }

    fn stray(&self) -> Mistake {
        Mistake::new(self.words.span(), format!("unexpected {}", self.words.shown(self.words.span())))
    }

    /// Whether a value can start here.
    pub(super) fn starts_operand(&self) -> bool {
        match self.words.token() {
            Token::Number(_) | Token::Chance(_) | Token::Name | Token::Text => true,
            Token::Key("(" | "{" | "[" | "call" | "if" | "foreach") => true,
            Token::Key("repeat" | "accumulate" | "least" | "largest") => true,
            Token::Key(key) => prefix(key).is_some(),
            Token::Letters | Token::End | Token::Bad => false,
        }
    }

    fn starts_simple_value(&self) -> bool {
        matches!(self.words.token(), Token::Number(_) | Token::Name | Token::Key("(" | "{"))
    }

    /// The name of the last binding before here.
    fn last_bound(&self) -> Option<&'t str> {
        let bound = self.words.before().windows(2).rfind(|two| two[1].token == Token::Key(":="))?;
        Some(self.words.written(bound[0].span))
    }
}

fn is_infix(token: Token) -> bool {
    matches!(token, Token::Key(key) if infix(key).is_some())
}

fn takes_collection(op: Prefix) -> bool {
    matches!(op.row().core, Some((Of::Pool | Of::Members | Of::Member | Of::End, _)))
}

/// A list of values in braces; `max d6, d8` means the largest of them, so the words in front stay
/// in front.
fn in_braces(text: &str) -> String {
    const OF_MANY: [&str; 9] = ["max", "min", "sum", "count", "choose", "median", "different", "minimal", "maximal"];
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or("");
    match text.strip_prefix(first) {
        Some(rest) if OF_MANY.contains(&first) => format!("{first} {{{}}}", rest.trim()),
        _ => format!("{{{text}}}"),
    }
}
