//! What is missing where the parser cannot continue; the words about it are in `mistakes.txt`.

use super::MISTAKES;
use super::lex::{keyword, keywords};
use super::operator::{Does, Of, Prefix, prefix};
use super::parse::Parser;
use super::syntax::{Expr, NodeId};
use crate::explain::Scene;
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::words::Token;
use tumble_core::Span;

impl Parser<'_> {
    /// Something stands after a complete roll.
    pub(super) fn leftover(&mut self, main: NodeId) -> Mistake {
        match *self.nodes.expr(main) {
            Expr::Extreme(which, count, pool)
                if self.starts_operand() && matches!(self.nodes.expr(pool), Expr::Prefix(..)) =>
            {
                let count = self.nodes.span(count).to(self.nodes.span(pool));
                self.wrong_in("first number", count, which.word())
            }
            Expr::Prefix(op, operand) if takes_collection(op) && self.starts_simple_value() => {
                self.several(op.sign, operand)
            }
            Expr::Extreme(which, _, pool) if self.starts_simple_value() => self.several(which.word(), pool),
            _ => match self.words.unreadable().or_else(|| self.known("leftover")) {
                Some(known) => known,
                None => self.side_by_side(),
            },
        }
    }

    /// `min 3 4`: two values after a word that takes one collection.
    fn several(&self, word: &str, operand: NodeId) -> Mistake {
        self.habit().unwrap_or_else(|| self.wrong_in("several", self.nodes.span(operand), word))
    }

    /// Two values without an operator between them.
    fn side_by_side(&self) -> Mistake {
        let before = self.words.back(1).map(|before| before.token);
        let named = [before, Some(self.words.token())].contains(&Some(Token::Name));
        self.habit().unwrap_or_else(|| self.wrong(if named { "named" } else { "apart" }))
    }

    /// Two things side by side that mean something elsewhere, or with another letter.
    fn habit(&self) -> Option<Mistake> {
        self.known("beside").or_else(|| self.misspelled())
    }

    /// A name beside a value that is nearly a built-in word.
    fn misspelled(&self) -> Option<Mistake> {
        let places = [self.words.back(1)?, self.words.ahead(0)?];
        places.into_iter().filter(|lexeme| lexeme.token == Token::Name).find_map(|lexeme| {
            let lower = self.words.written(lexeme.span).to_ascii_lowercase();
            let said = |meant: &str| self.wrong_in("misspelled", lexeme.span, meant);
            let synonym =
                || Scene { place: lexeme.span.start, here: lexeme.span, ..self.scene() }.known(&MISTAKES, "synonym");
            let near = || nearest(&lower, keywords().filter(|key| key.len() > 2)).map(said);
            keyword(&lower).filter(|key| key.len() > 1).map(said).or_else(synonym).or_else(near)
        })
    }

    /// A sign or word that a construct needs is missing; `owner` is where the construct begins.
    pub(super) fn missing_key(&self, key: &'static str, owner: Span) -> Mistake {
        if let Some(known) = self.known("needs") {
            return known;
        }
        let starts = self.starts_operand();
        let free = !matches!(key, "(" | ":=" | "=" | ",");
        if starts && free && (matches!(key, ")" | "]") || self.misspelled().is_some()) {
            return self.side_by_side();
        }
        let what = match key {
            "}" if starts => "members",
            ")" => "closed",
            "}" => "closed }",
            "]" => "closed ]",
            "(" => "arguments",
            ";" if starts => "rest here",
            ";" => "rest",
            ":=" | "=" => "assignment",
            "," if self.words.written(owner) == "[" => return self.wrong_in("pair", owner, "]"),
            "," => "parts",
            "until" if starts => "until here",
            "until" => "until",
            _ if starts => "word here",
            _ => "word",
        };
        self.wrong_in(what, owner, key)
    }

    /// No name where one is needed; `of` says what it would name.
    pub(super) fn missing_name(&self, of: &'static str) -> Mistake {
        let rolled = matches!(of, "repeat" | "accumulate") && self.starts_operand();
        self.wrong_in(if rolled { "rolled" } else { of }, self.words.span(), of)
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
}

fn takes_collection(op: &Prefix) -> bool {
    matches!(op.does, Does::Row(Of::Pool | Of::Members | Of::Member | Of::End, _))
}
