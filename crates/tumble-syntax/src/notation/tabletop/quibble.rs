//! Messages about dice and modifiers that cannot be parsed, and what may have been meant.

use super::MISTAKES;
use super::dialect::{TABLETOP, Word};
use super::dice::only_modifiers;
use super::parse::Parser;
use super::syntax::{Arg, Expr, Keep, Modifier, NodeId, Sides, Source};
use super::tool::counts;
use super::wording::{modifier_like, normal, rephrased};
use crate::explain::Scene;
use crate::mistake::{Mistake, Parsed, instead};
use tumble_core::Span;

impl Parser<'_> {
    /// `2d` and no sides.
    pub(super) fn missing_sides(&mut self, die: Span, count: Option<NodeId>) -> Mistake {
        let (text, after) = (self.text, &self.text[die.end..]);
        let written = match count {
            Some(count) => Span::new(self.nodes.span(count).start, die.end),
            None => die,
        };
        let mistake = Mistake::new(written, format!("missing number of sides after {}", self.shown(written)));
        let phrased = rephrased(text).filter(|_| after.starts_with(char::is_alphabetic));
        mistake.when(phrased, Mistake::certainly)
    }

    /// Letters that touch dice and are no modifier.
    pub(super) fn unknown_modifier(&mut self, letters: &str) -> Mistake {
        let (text, start) = (self.text, self.cursor.at());
        let span = Span::new(start, start + letters_len(self.cursor.rest()));
        if let Some(mistake) = self.said("modifier", span) {
            return mistake;
        }
        // Where `cs` only marks dice, this is no way to count.
        let number = text[span.end..].starts_with(|c: char| c.is_ascii_digit());
        if letters == "t" && number && self.dialect.spelling(Word::Count(1)) == Some("cs") {
            return Mistake::new(span, "to count successes, write `cs`").replace(span, "cs>=");
        }
        let near = modifier_like(letters);
        if self.dialect.everyday() && near.is_none() && letters.starts_with(['h', 'l']) && several_words(&letters[1..])
        {
            return self.complained("run", span);
        }
        let mistake = Mistake::new(span, format!("unknown modifier {}", self.shown(span)));
        let mistake = if normal(letters) == letters { mistake } else { mistake.fix(normal(text)) };
        mistake.when(near, |mistake, close| mistake.replace(span, close)).when(rephrased(text), Mistake::certainly)
    }

    pub(super) fn missing_number(&mut self, word: &str, at: Span) -> Mistake {
        let (text, end) = (self.text, self.cursor.at());
        let written = text[..end].trim_end().len();
        let at = Span::new(at.start.min(written), written.max(at.start));
        let found = Scene { place: 0, ..Scene::of(word, at) }.known(&MISTAKES, "number");
        found.unwrap_or_else(|| Mistake::new(at, "missing number")).at(at)
    }

    /// Whether a modifier can stand after what was done already.
    pub(super) fn fits(
        &mut self,
        source: &Source,
        done: &[(Modifier, Span)],
        found: &Modifier,
        span: Span,
    ) -> Parsed<()> {
        let single = |modifier: &Modifier| matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..));
        let last = self.dialect.counts_last || matches!(found, Modifier::Sort(_));
        if done.iter().any(|(modifier, _)| counts(modifier)) && !counts(found) && !last {
            return self.after_count(done, found, span).fail();
        }
        if let Source::Roll(_, Sides::Words(words)) = self.rolled_from(source)
            && !matches!(found, Modifier::Shows(_) | Modifier::Sort(_))
        {
            let word = words.first().map_or("", String::as_str);
            let message = format!("dice with words on them can only be counted, as in `cs={word}`");
            return Mistake::new(span, message).fail();
        }
        let dice = matches!(self.rolled_from(source), Source::Roll(..) | Source::Union(_));
        let named = matches!(source, Source::Named(_));
        match found {
            Modifier::Twice(_) | Modifier::Unique(_) | Modifier::RerollEnd(..) | Modifier::Another(_) if named => {
                let message = "dice with a name are rolled already; put this where they are rolled";
                Mistake::new(span, message).fail()
            }
            Modifier::Twice(_) if dice && done.iter().all(|(modifier, _)| single(modifier)) => Ok(()),
            Modifier::Twice(_) if dice => self.late_twice(done, span).fail(),
            Modifier::Reroll(..)
            | Modifier::Explode(_)
            | Modifier::Twice(_)
            | Modifier::Unique(_)
            | Modifier::RerollEnd(..)
            | Modifier::Another(_)
                if !dice =>
            {
                self.complained("groups", span).fail()
            }
            Modifier::Keep(Keep::ButLow, Arg::Number(n)) => self.all_dropped(source, done, *n, span),
            _ => Ok(()),
        }
    }

    /// `4d6cs>4!`: dice are counted after everything else, in every tool that counts them.
    fn after_count(&self, done: &[(Modifier, Span)], found: &Modifier, span: Span) -> Mistake {
        let mistake = Mistake::new(span, "no other modifier can follow a count");
        let Some((_, count)) = done.iter().find(|(modifier, _)| counts(modifier)) else { return mistake };
        let (text, moved) = (self.text, self.written(span));
        // Whether dice are kept by what they show or by what they count for is not certain.
        let rolls = matches!(found, Modifier::Explode(_) | Modifier::Reroll(..) | Modifier::Bound(..));
        let between = &text[count.start..span.start];
        match instead(text, Span::new(count.start, span.end), &format!("{moved}{between}")) {
            Some(fixed) if self.dialect.everyday() && rolls => mistake.certainly(fixed),
            _ => mistake,
        }
    }

    fn late_twice(&mut self, done: &[(Modifier, Span)], span: Span) -> Mistake {
        let word = self.written(span).to_owned();
        let first = done.iter().find(|(modifier, _)| !matches!(modifier, Modifier::Reroll(..) | Modifier::Bound(..)));
        let mistake = Mistake::new(span, format!("`{word}` must come right after its die"));
        match first {
            // `disadv` is one word.
            Some((Modifier::Twice(_), first)) if first.end == span.start => {
                let whole = first.to(span);
                let mistake = mistake.saying(format!("unknown modifier {}", self.shown(whole))).at(whole);
                if self.written(whole).eq_ignore_ascii_case("disadv") { mistake.delete(span) } else { mistake }
            }
            _ => mistake,
        }
    }

    /// `2d4d6`: nobody drops more dice than there are.
    fn all_dropped(&mut self, source: &Source, done: &[(Modifier, Span)], n: i64, span: Span) -> Parsed<()> {
        let text = self.text;
        let Source::Roll(count, _) = source else { return Ok(()) };
        let there = match count.map(|count| self.nodes.expr(count)) {
            Some(Expr::Number(there)) => *there,
            Some(_) => return Ok(()),
            None => 1,
        };
        let bare = self.written(span)[1..].starts_with(|c: char| c.is_ascii_digit());
        if !bare || n < there || !done.is_empty() {
            return Ok(());
        }
        let whole = count.map_or(span.start, |count| self.nodes.span(count).start);
        let start = if count.is_some() { whole } else { text[..span.start].rfind(['d', 'D']).unwrap_or(0) };
        let message = format!("`d{n}` after dice drops the lowest {n}, but there {} only {there}", is_or_are(there));
        let pool = &text[start..span.start];
        Mistake::new(span, message)
            .replace(Span::new(start, span.end), &format!("({pool}){}", self.written(span)))
            .fail()
    }
}

fn is_or_are(n: i64) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// Whether letters are further modifiers of the same kind, or known ones.
fn several_words(letters: &str) -> bool {
    let rest = letters.trim_start_matches(['h', 'l']);
    rest.is_empty() || only_modifiers(&TABLETOP, rest)
}

fn letters_len(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches(char::is_alphabetic).len()
}
