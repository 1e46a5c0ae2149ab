//! Habits from other notations and common slips, recognised where the parser cannot go on.

use super::lex::is_name;
use super::parse::Parser;
use super::slip::short;
use super::syntax::{Expr, NodeId};
use crate::mistake::Mistake;
use crate::nearest::renamed;
use crate::words::{Lexeme, Token};

/// Two signs that other notations write together: what is meant, and how that is said.
const DOUBLED: &[[&str; 4]] = &[
    ["=", ">", ">=", "write `>=` for \"at least\""],
    ["=", "<", "<=", "write `<=` for \"at most\""],
    ["*", "*", "*", "this notation has no powers"],
    ["/", "/", "/", "write `/` to divide"],
];

/// Words of other notations after a value: what is meant, and how that is said.
const WORDS: &[(&str, &str, &str)] = &[
    ("k keep h highest kh", "kh", "to keep the highest rolls, write `kh`"),
    ("kl l lowest", "kl", "to keep the lowest rolls, write `kl`"),
    ("x times", " * ", "to multiply, write `*`"),
    ("df", "(d3 - 2)", "the number of sides must be a plain number, not a name"),
];

impl Parser<'_> {
    /// Two signs that mean something together in other notations.
    pub(super) fn two_signs(&mut self) -> Option<Mistake> {
        let (before, here) = (self.words.back(1)?, self.words.ahead(0)?);
        let both = before.span.to(here.span);
        if self.words.written(both) == "<>" {
            let (left, right) = (self.text[..both.start].trim(), self.text[both.end..].trim());
            let mistake = Mistake::new(both, "this notation has no \"not equal\"");
            return Some(mistake.fix(format!("1 - ({left} = {right})")));
        }
        self.doubled(DOUBLED, before, here)
    }

    /// `dF`, `Ad4`, `dN`: letters where a value should begin.
    pub(super) fn letters_for_dice(&mut self) -> Option<Mistake> {
        let (here, word) = (self.words.span(), self.words.here());
        let number = matches!(self.ahead(1), Some(Token::Number(_)));
        if let Some(count) = word.strip_suffix('d').filter(|count| is_name(count) && number) {
            return Some(
                Mistake::new(here, "a name used as a number of rolls needs parentheses")
                    .replace(here, &format!("({count})d")),
            );
        }
        let sides = word.strip_prefix('d').filter(|sides| is_name(sides))?;
        let mistake = Mistake::new(here, "the number of sides must be a plain number, not a name");
        Some(if sides == "F" { mistake.replace(here, "(d3 - 2)") } else { mistake })
    }

    /// Two things side by side that mean something elsewhere, or with other letters.
    pub(super) fn habit(&mut self, inside: NodeId) -> Option<Mistake> {
        match self.words.token() {
            Token::Name => self.capitals().or_else(|| self.name_beside()),
            Token::Letters => self.letters(inside),
            Token::Number(_) => self.digits_in_name(),
            Token::Key("d") => Some(self.chained(inside)),
            Token::Key("kh" | "kl") => Some(self.nothing_to_keep(inside)),
            Token::Key("(") => self.repeated_name(),
            _ => None,
        }
    }

    /// `2D4`, `2d4KH`
    fn capitals(&mut self) -> Option<Mistake> {
        let here = self.words.span();
        let small = match (self.words.here(), self.ahead(1)) {
            ("D", Some(Token::Number(_))) => "d",
            ("KH" | "K" | "H", _) => "kh",
            ("KL" | "L", _) => "kl",
            ("X", _) => " * ",
            _ => return None,
        };
        let message = format!("write `{}` instead of {}", small.trim(), short(self.words.here()));
        Some(Mistake::new(here, message).replace(here, small))
    }

    /// `2A`
    fn name_beside(&mut self) -> Option<Mistake> {
        let (here, before) = (self.words.span(), self.words.back(1)?);
        let sides = self.words.back(2).map(|sides| sides.token);
        let counts = !matches!(sides, Some(Token::Key("d" | "kh" | "kl")));
        if !matches!(before.token, Token::Number(_) if counts) {
            return None;
        }
        let mistake = Mistake::new(before.span.to(here), "a name that is repeated needs parentheses");
        Some(mistake.replace(here, &format!("({})", self.words.here())))
    }

    /// `A(d6)`
    fn repeated_name(&mut self) -> Option<Mistake> {
        let before = self.words.back(1)?;
        let name = (before.token == Token::Name).then(|| self.words.written(before.span))?;
        let mistake = Mistake::new(before.span, "a name used as a number of rolls needs parentheses");
        Some(mistake.replace(before.span, &format!("({name})")))
    }

    /// Letters after a value.
    fn letters(&mut self, inside: NodeId) -> Option<Mistake> {
        let here = self.words.span();
        let lower = self.words.here().to_ascii_lowercase();
        match lower.as_str() {
            "adv" | "advantage" => return Some(self.twice(inside, "kh")),
            "dis" | "disadvantage" => return Some(self.twice(inside, "kl")),
            "dl" => return Some(self.dropped(inside, "kh")),
            "dh" => return Some(self.dropped(inside, "kl")),
            _ => {}
        }
        Some(match WORDS.iter().find(|(words, ..)| words.split(' ').any(|word| word == lower)) {
            Some((_, meant, message)) => Mistake::new(here, *message).replace(here, meant),
            None => Mistake::new(here, format!("unexpected {}", short(self.words.here()))),
        })
    }

    /// `d20 adv`
    fn twice(&mut self, inside: NodeId, keep: &str) -> Mistake {
        let here = self.words.span();
        let part = self.last_part(inside);
        let place = self.nodes.span(part).to(here);
        let mistake = Mistake::new(here, format!("write `{keep}` instead of {}", short(self.words.here())));
        match *self.nodes.expr(part) {
            Expr::Die(sides) => mistake.replace(place, &format!("2d{sides}{keep}")),
            Expr::Repeat(count, body, None) if *self.nodes.expr(count) == Expr::Number(1) => {
                let body = self.words.written(self.nodes.span(body));
                mistake.replace(place, &format!("2{body}{keep}"))
            }
            _ => mistake,
        }
    }

    /// `4d6dl1`
    fn dropped(&mut self, inside: NodeId, keep: &str) -> Mistake {
        let here = self.words.span();
        let part = self.last_part(inside);
        let message = format!("this notation can't drop rolls; keep the others with `{keep}`");
        let (end, drop) = match self.words.ahead(1) {
            Some(Lexeme { token: Token::Number(n), span }) => (span, n),
            _ => (here, 1),
        };
        let mistake = Mistake::new(here.to(end), message);
        let Expr::Repeat(count, _, None) = *self.nodes.expr(part) else { return mistake };
        match *self.nodes.expr(count) {
            Expr::Number(n) if n >= drop => mistake.replace(here.to(end), &format!("{keep}{}", n - drop)),
            _ => mistake,
        }
    }

    /// `A1`
    pub(super) fn digits_in_name(&mut self) -> Option<Mistake> {
        let (here, before) = (self.words.span(), self.words.back(1)?);
        let touching = before.token == Token::Name && before.span.end == here.start;
        if !touching || !matches!(self.words.token(), Token::Number(_)) {
            return None;
        }
        let both = before.span.to(here);
        let letters: String =
            self.words.here().bytes().map(|digit| char::from(digit.wrapping_sub(b'0') % 10 + b'A')).collect();
        let name = format!("{}{letters}", self.words.written(before.span));
        let mistake = Mistake::new(
            both,
            format!("names can only contain letters, not digits as in {}", short(self.words.written(both))),
        );
        Some(mistake.fix(renamed(self.text, self.words.written(both), &name)))
    }

    /// `2d4d6`, `A d4`
    fn chained(&mut self, inside: NodeId) -> Mistake {
        let part = self.last_part(inside);
        let place = self.nodes.span(part);
        let counted = format!("({})", self.words.written(place));
        match self.nodes.expr(part) {
            Expr::Name(_) => Mistake::new(place, "a name used as a number of rolls needs parentheses"),
            _ => Mistake::new(place.to(self.words.span()), "a roll used as a number of rolls needs parentheses"),
        }
        .replace(place, &counted)
    }

    /// `d4kh`, `2d4kh1kl1`
    fn nothing_to_keep(&mut self, inside: NodeId) -> Mistake {
        let here = self.words.span();
        let part = self.last_part(inside);
        let place = self.nodes.span(part);
        match *self.nodes.expr(part) {
            Expr::Repeat(_, _, Some(_)) => {
                let number = self.words.ahead(1).filter(|next| matches!(next.token, Token::Number(_)));
                let end = number.map_or(here, |number| number.span);
                Mistake::new(here.to(end), "a repetition can have only one `kh` or `kl`")
            }
            Expr::Die(_) => {
                let message = format!("`{}` needs several rolls to choose from", self.words.here());
                Mistake::new(place.to(here), message)
            }
            _ => Mistake::new(here, format!("`{}` can only follow a repetition", self.words.here())),
        }
    }
}
