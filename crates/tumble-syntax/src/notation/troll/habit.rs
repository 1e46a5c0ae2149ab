//! Habits from other notations and common slips, recognised where the parser cannot go on.

use super::lex::{keyword, keywords};
use super::parse::Parser;
use crate::mistake::Mistake;
use crate::nearest::{nearest, renamed};
use crate::words::{Lexeme, Token};
use tumble_core::Span;

/// Two signs that other notations write together: what is meant, and how that is said.
const DOUBLED: &[[&str; 4]] = &[
    ["=", "=", "=", "write `=` for \"equal\""],
    ["=", ">", ">=", "write `>=` for \"at least\""],
    ["=", "<", "<=", "write `<=` for \"at most\""],
    ["!", "=", "=/=", "write `=/=` for \"not equal\""],
    ["&", "&", "&", "write `&` for \"and\""],
    ["/", "/", "\\", "a comment starts with a backslash"],
];

/// Words of other notations.
const SYNONYMS: &[(&str, &str)] = &[
    ("highest", "largest"),
    ("lowest", "least"),
    ("smallest", "least"),
    ("total", "sum"),
    ("unique", "different"),
    ("distinct", "different"),
    ("not", "!"),
    ("union", "@"),
    ("for", "foreach"),
];

impl Parser<'_> {
    /// Two values without an operator between them.
    pub(super) fn side_by_side(&mut self) -> Mistake {
        if let Some(known) = self.habit() {
            return known;
        }
        let here = self.words.span();
        let Some(before) = self.words.back(1) else { return Mistake::new(here, "missing operator") };
        let (both, gap) = (before.span.to(here), Span::new(before.span.end, here.start));
        match (before.token, self.words.token()) {
            (Token::Text, Token::Text) => Mistake::new(both, "to join text, write `||`").replace(gap, " || "),
            (Token::Name, Token::Key("(")) => {
                Mistake::new(both, "to call a function, write `call`").insert(before.span.start, "call ")
            }
            (Token::Number(_) | Token::Key(")"), Token::Key("(")) => {
                Mistake::new(both, "missing operator").replace(gap, " * ")
            }
            (Token::Name, _) | (_, Token::Name | Token::Key("!")) => Mistake::new(both, "missing operator"),
            _ => Mistake::new(both, "missing operator; `@` combines two rolls"),
        }
    }

    /// Two things side by side that mean something elsewhere, or with another letter.
    pub(super) fn habit(&mut self) -> Option<Mistake> {
        self.tabletop_dice().or_else(|| self.digits_in_name()).or_else(|| self.misspelled())
    }

    /// `x1`, `nd10`
    pub(super) fn digits_in_name(&mut self) -> Option<Mistake> {
        let (text, before) = (self.text, self.words.back(1)?);
        let touching = before.token == Token::Name && before.span.end == self.words.span().start;
        if !touching || !matches!(self.words.token(), Token::Number(_)) {
            return None;
        }
        let both = before.span.to(self.words.span());
        let name = self.words.written(before.span);
        let message = format!(
            "names can only contain letters, so {} is read as {} and a number",
            self.words.shown(both),
            self.words.shown(before.span)
        );
        let mistake = Mistake::new(both, message);
        if name.len() > 1 && name.ends_with(['d', 'D', 'z', 'Z']) {
            return Some(mistake.insert(before.span.end - 1, " "));
        }
        let letters: String = self.words.here().bytes().map(letter).collect();
        Some(mistake.fix(renamed(text, self.words.written(both), &format!("{name}{letters}"))))
    }

    /// `4d6kh3` and `3d6!`, as they are written at most tables.
    fn tabletop_dice(&mut self) -> Option<Mistake> {
        let sides = self.words.back(1)?;
        let d = self.words.back(2)?;
        let (Token::Number(faces), Token::Key("d")) = (sides.token, d.token) else { return None };
        let (start, dice) = match self.words.back(3) {
            Some(Lexeme { token: Token::Number(dice), span }) => (span.start, dice),
            _ => (d.span.start, 1),
        };
        let after = self.words.ahead(1);
        let next = after.map_or(Token::End, |next| next.token);
        let (end, meant) = match (self.words.token(), next) {
            (Token::Name, Token::Number(number)) => {
                let (word, number) = kept(self.words.here(), dice, number)?;
                (after?.span.end, format!("sum {word} {number} {dice}d{faces}"))
            }
            (Token::Key("!"), next)
                if self.words.span().start == sides.span.end && !matches!(next, Token::Number(_)) =>
            {
                let many = if dice == 1 { String::new() } else { format!("{dice}#") };
                let explode = format!("sum {many}accumulate x := d{faces} while x = {faces}");
                (self.words.span().end, if next == Token::End { explode } else { format!("({explode})") })
            }
            _ => return None,
        };
        let whole = Span::new(start, end);
        let message = format!("{} is written differently in this notation", self.words.shown(whole));
        Some(Mistake::new(whole, message).replace(whole, &meant))
    }

    /// `x = 3; x`; the `;` is here.
    pub(super) fn equal_for_binding(&self) -> Option<Mistake> {
        let before = self.words.before();
        let sign =
            before.windows(2).rposition(|two| two[0].token == Token::Name && two[1].token == Token::Key("="))? + 1;
        let place = before[sign].span;
        let starts = sign == 1 || before[sign - 2].token == Token::Key(";");
        let message = format!("a binding needs `:=`, as in `{} := …`", self.words.written(before[sign - 1].span));
        starts.then(|| Mistake::new(place, message).replace(place, ":="))
    }

    /// A name beside a value that is nearly a built-in word.
    pub(super) fn misspelled(&mut self) -> Option<Mistake> {
        let places = [self.words.back(1)?, self.words.ahead(0)?];
        places.into_iter().filter(|lexeme| lexeme.token == Token::Name).find_map(|lexeme| {
            let meant = meant_word(self.words.written(lexeme.span))?;
            let message = format!("write `{meant}` instead of {}", self.words.shown(lexeme.span));
            Some(Mistake::new(lexeme.span, message).replace(lexeme.span, meant))
        })
    }

    /// Two signs that mean something together in other notations; the second is here.
    pub(super) fn two_signs(&mut self) -> Option<Mistake> {
        self.doubled(DOUBLED, self.words.back(1)?, self.words.ahead(0)?)
    }

    /// `a != b`: after a value the `!` comes first, and the `=` after it.
    pub(super) fn not_equal(&mut self) -> Option<Mistake> {
        let not = self.words.ahead(0).filter(|here| here.token == Token::Key("!"))?;
        self.doubled(DOUBLED, not, self.words.ahead(1)?)
    }

    /// `let x = 3 in x`
    pub(super) fn let_binding(&mut self) -> Mistake {
        let (text, here) = (self.text, self.words.span());
        let rest = text[here.end..].trim_start();
        let binding = match rest.split_once('=') {
            Some((name, value)) if !name.ends_with(':') => format!("{} := {}", name.trim(), value.trim_start()),
            _ => rest.to_owned(),
        };
        Mistake::new(here, "a binding has no `let`, as in `x := 3; x`")
            .replace(Span::new(here.start, text.len()), &binding)
    }

    /// A built-in word used as a name.
    pub(super) fn reserved(&mut self, place: Span) -> Mistake {
        let word = self.words.written(place);
        Mistake::new(place, format!("{} is built in and can't be used as a name", self.words.shown(place)))
            .fix(renamed(self.text, word, &format!("my{word}")))
    }
}

/// What `kh3` and its kin keep of `dice` dice.
fn kept(word: &str, dice: i64, number: i64) -> Option<(&'static str, i64)> {
    match word {
        "k" | "kh" => Some(("largest", number)),
        "kl" => Some(("least", number)),
        "dl" => Some(("largest", (dice - number).max(0))),
        "dh" => Some(("least", (dice - number).max(0))),
        _ => None,
    }
}

/// A letter for a digit: `A` for 1, `J` for 0.
fn letter(digit: u8) -> char {
    char::from(b'A' + (digit.wrapping_sub(b'0') + 9) % 10)
}

/// The built-in word that a name was meant to be.
fn meant_word(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    if let Some(key) = keyword(&lower).filter(|key| key.len() > 1) {
        return Some(key);
    }
    if let Some((_, meant)) = SYNONYMS.iter().find(|(other, _)| *other == lower) {
        return Some(meant);
    }
    nearest(&lower, keywords().filter(|key| key.len() > 2))
}
