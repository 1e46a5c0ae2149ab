//! Parses dice and their modifiers.
//!
//! A modifier, or several in a row, may stand after a blank, except for `d1` (`2d6 d8` is two rolls, not one) and for what
//! follows `!` (`3d6! > 5` compares, `3d6!>5` explodes). Letters that touch the dice are modifiers or a
//! mistake.

use super::dialect::{COIN, Dialect, FUDGE_ONE, Row, Word};
use super::parse::Parser;
use super::syntax::{
    Arg, Cap, Compare, Dice, Explode, Expr, Infix, Keep, MINUS, Modifier, NodeId, Sides, Source, Test,
};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;

/// How many modifiers dice may have.
const MOST_MODIFIERS: usize = 32;

/// How many extra rolls a die may have where they are limited: more would change no chance that anyone reads, and
/// exact odds take them one by one.
pub(super) const MOST_EXTRA: i64 = 1000;

impl Parser<'_> {
    /// `d` and the sides after it, if that is what comes next.
    pub(super) fn sides(&mut self, count: Option<NodeId>) -> Parsed<Option<Sides>> {
        let before = self.cursor.clone();
        let start = before.at();
        if !(self.cursor.eat("d") || self.cursor.eat("D")) {
            return Ok(None);
        }
        let sides = match self.cursor.peek() {
            Some('%') => {
                self.cursor.bump();
                let tens = || Sides::List((0..10).map(|face| (10 * face, 10 * face)).collect());
                Some(if self.dialect.tens { tens() } else { Sides::Percent })
            }
            Some('F' | 'f') if count.is_some() || self.lone_fudge() => {
                self.cursor.bump();
                Some(self.fudge())
            }
            Some('c' | 'C') if self.coin(start) => {
                self.cursor.bump();
                Some(Sides::List(COIN.to_vec()))
            }
            Some('[') if self.dialect.everyday() => Some(self.range()?),
            Some('{') if self.dialect.everyday() => Some(self.faces()?),
            Some('@') => Some(Sides::Upto(self.value()?)),
            Some(c) if c == '(' || c.is_ascii_digit() || c.is_whitespace() => self.upto()?.map(Sides::Upto),
            _ => None,
        };
        // `d20 + 5 damage`
        let letters = self.text[start..].chars().take_while(|c| c.is_alphabetic()).count();
        let apart = self.text[..start].ends_with(char::is_whitespace) && letters > 2;
        let other = !["die", "dice"].iter().any(|word| self.text[start..].starts_with(word));
        if sides.is_none() && apart && other {
            self.cursor = before;
            return Ok(None);
        }
        let word = sides.is_none() && self.cursor.peek().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if sides.is_none() && (count.is_some() || !word) {
            return self.missing_sides(Span::new(start, start + 1), count).fail();
        }
        if sides.is_none() {
            self.cursor = before;
        }
        Ok(sides)
    }

    /// `dF.1` has one face in six for each sign, `dF.2` two, as `dF` has.
    fn fudge(&mut self) -> Sides {
        let mut after = self.cursor.rest().bytes();
        let (point, digit, more) = (after.next(), after.next(), after.next());
        let variant = point == Some(b'.') && matches!(digit, Some(b'1' | b'2'));
        if !variant || more.is_some_and(|c| c.is_ascii_digit()) {
            return Sides::Fudge;
        }
        self.skip(2);
        if digit == Some(b'1') { Sides::List(FUDGE_ONE.to_vec()) } else { Sides::Fudge }
    }

    /// Whether `c` after the `d` that starts here is a coin and not the beginning of a word.
    fn coin(&self, start: usize) -> bool {
        let before = &self.text[..start];
        // `dc` may be a name, as in `dc := 15; d20 + 5 >= dc`, and a difficulty, as in `1d20+5 dc 15`.
        let counted = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '}'));
        let touches = counted || before.trim_start().is_empty();
        let after = &self.cursor.rest()[1..];
        let letters: String = after.chars().take_while(|c| c.is_alphabetic()).collect();
        let word = letters.is_empty() && after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        touches && !word && only_modifiers(self.dialect, &letters.to_lowercase())
    }

    /// Whether `f` after `d` is a die and not the beginning of a name.
    fn lone_fudge(&self) -> bool {
        let after = &self.cursor.rest()[1..];
        let word: String = after.chars().take_while(|c| c.is_alphabetic()).map(|c| c.to_ascii_lowercase()).collect();
        if word.is_empty() {
            return !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        }
        only_modifiers(self.dialect, &word)
    }

    fn upto(&mut self) -> Parsed<Option<NodeId>> {
        self.blanks();
        match self.cursor.peek() {
            Some('0'..='9') => {
                let (n, span) = self.number()?;
                if n == 0 {
                    return Mistake::new(span, "a die needs at least one side").fail();
                }
                Ok(Some(self.nodes.add(span, Expr::Number(n))))
            }
            Some('(') => {
                self.cursor.bump();
                let sides = self.parenthesis(")")?;
                if let (Some(_), Expr::Infix(Infix::Exact, a, b)) = (self.dialect.decimals, self.nodes.expr(sides)) {
                    // A part of a side is none.
                    let whole = Expr::Infix(Infix::Over, *a, *b);
                    self.nodes.replace(sides, whole);
                }
                Ok(Some(sides))
            }
            _ => Ok(None),
        }
    }

    /// `[-1..1]`
    fn range(&mut self) -> Parsed<Sides> {
        let start = self.cursor.at();
        self.cursor.bump();
        let open = self.cursor.since(start);
        let low = self.block()?;
        self.blanks();
        if !self.cursor.eat("..") {
            return self.complained("range", open).fail();
        }
        let high = self.block()?;
        self.expect("]", open)?;
        Ok(Sides::Range(low, high))
    }

    /// `{1, 1, 5..7}`
    fn faces(&mut self) -> Parsed<Sides> {
        let start = self.cursor.at();
        self.cursor.bump();
        let open = self.cursor.since(start);
        if let Some(words) = self.faces_in_words() {
            self.expect("}", open)?;
            return Ok(Sides::Words(words));
        }
        let mut faces = Vec::new();
        loop {
            self.blanks();
            let Some((from, _)) = self.signed()? else { return self.complained("face", open).fail() };
            self.blanks();
            let mut to = from;
            if self.cursor.eat("..") {
                self.blanks();
                let Some((end, _)) = self.signed()? else { return self.complained("open range", self.here()).fail() };
                to = end;
                self.blanks();
            }
            let dashed = self.cursor.peek().filter(|c| !matches!(c, ',' | '}'));
            if let Some(mistake) = dashed.and_then(|_| self.said("dashed range", self.here())) {
                return mistake.fail();
            }
            faces.push((from.min(to), from.max(to)));
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.expect("}", open)?;
        Ok(Sides::List(faces))
    }

    /// `hit, miss, crit`, if the first face is a word.
    fn faces_in_words(&mut self) -> Option<Vec<String>> {
        let before = self.cursor.clone();
        let mut words = Vec::new();
        loop {
            self.blanks();
            let quoted = self.cursor.eat("\"");
            let word = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '_')).trim();
            let letters = word.starts_with(char::is_alphabetic);
            if !letters || quoted && !self.cursor.eat("\"") {
                self.cursor = before;
                return None;
            }
            words.push(word.to_owned());
            self.blanks();
            if !self.cursor.eat(",") {
                return Some(words);
            }
        }
    }

    /// `cs=hit`
    fn shows(&mut self, source: &Source, at: Span) -> Parsed<Modifier> {
        self.blanks();
        let _ = self.cursor.eat("==") || self.cursor.eat("=");
        self.blanks();
        let quoted = self.cursor.eat("\"");
        let start = self.cursor.at();
        let shown = source.words().into_iter().flatten().filter(|word| self.cursor.rest().starts_with(word.as_str()));
        let word = shown.max_by_key(|word| word.len());
        let Some(word) = word.cloned() else {
            let message = "which word is counted? It must be on the dice, as in `5d{hit, miss}cs=hit`";
            return Mistake::new(Span::new(at.start, start), message).fail();
        };
        self.skip(word.chars().count());
        if quoted && !self.cursor.eat("\"") {
            return Mistake::new(self.cursor.since(start), "a quote is not closed").fail();
        }
        Ok(Modifier::Shows(word))
    }

    /// A number that may have a minus.
    fn signed(&mut self) -> Parsed<Option<(i64, Span)>> {
        let before = self.cursor.clone();
        if let Some(smallest) = self.smallest() {
            return Ok(Some(smallest));
        }
        let minus = MINUS.iter().any(|sign| self.cursor.eat(sign));
        if !matches!(self.cursor.peek(), Some('0'..='9')) {
            self.cursor = before;
            return Ok(None);
        }
        let (n, span) = self.number()?;
        Ok(Some((if minus { -n } else { n }, Span::new(before.at(), span.end))))
    }

    /// Dice in parentheses, if more modifiers follow and the tool takes them.
    pub(super) fn dice_again(&self, inside: NodeId) -> Option<Dice> {
        let follows =
            self.cursor.rest().starts_with(char::is_alphabetic) && !self.cursor.rest().starts_with(['d', 'D']);
        match self.nodes.expr(inside) {
            Expr::Dice(dice) if self.dialect.loose_sets && follows => Some((**dice).clone()),
            _ => None,
        }
    }

    /// Everything after the dice themselves.
    pub(super) fn modified(&mut self, start: usize, source: Source) -> Parsed<NodeId> {
        let (source, modifiers, shift) = self.unwrapped(source);
        self.with_modifiers(start, Dice { source, modifiers }, shift)
    }

    /// The same for dice that have some.
    pub(super) fn modified_again(&mut self, start: usize, dice: Dice) -> Parsed<NodeId> {
        self.with_modifiers(start, dice, 0)
    }

    fn with_modifiers(&mut self, start: usize, dice: Dice, shift: i64) -> Parsed<NodeId> {
        let Dice { source, mut modifiers } = dice;
        let given = modifiers.len();
        let mut end = self.cursor.clone();
        while let Some(found) = self.modifier(&source, &mut modifiers)? {
            if modifiers.len() == MOST_MODIFIERS {
                let message = format!("these dice have more than {MOST_MODIFIERS} modifiers");
                return Mistake::limit(found.1, message).fail();
            }
            end = self.cursor.clone();
            modifiers.extend(found.0.map(|modifier| (modifier, found.1)));
        }
        self.cursor = end;
        let margin = self.margin()?;
        let added = self.shifted(modifiers.split_off(given), shift)?;
        let modifiers = self.arranged(&source, modifiers, added)?;
        let span = self.cursor.since(start);
        let dice = self.nodes.add(span, Expr::Dice(Box::new(Dice { source, modifiers })));
        let Some((less, reverse)) = margin else { return Ok(dice) };
        let (left, right) = if reverse { (less, dice) } else { (dice, less) };
        Ok(self.nodes.add(span, Expr::Infix(Infix::Minus, left, right)))
    }

    /// A modifier, or a word that changes nothing.
    fn modifier(&mut self, source: &Source, done: &mut [(Modifier, Span)]) -> Parsed<Option<(Option<Modifier>, Span)>> {
        let touching = self.cursor.at();
        self.blanks();
        let start = self.cursor.at();
        let touches = start == touching;
        if !touches && !self.dialect.spaced {
            return Ok(None);
        }
        let found = match self.cursor.peek() {
            Some('!') if self.cursor.rest().starts_with("!=") && !self.dialect.bang_equal => {
                if touches && self.dialect.bang {
                    let message = "does this explode (`!`) or compare (`!=`)? Put a space before \"not equal\"";
                    return Mistake::new(Span::new(start, start + 2), message).fail();
                }
                None
            }
            Some('!') if self.dialect.bang => Some(Some(self.explosion(source)?)),
            Some('<' | '>' | '=') if touches && (self.dialect.targets || self.target_and_failures()) => {
                Some(Some(Modifier::Successes(self.condition("cs", self.here())?, vec![])))
            }
            Some(c) if c.is_alphabetic() => match self.modifier_word(touches)? {
                Some((_, Word::Margin, _)) => {
                    self.cursor = self.at_byte(start);
                    None
                }
                Some(row) => Some(self.worded(source, row, start, done)?),
                None => None,
            },
            _ => None,
        };
        let Some(found) = found else { return Ok(None) };
        let span = self.cursor.since(start);
        if let Some(found) = &found {
            self.fits(source, done, found, span)?;
        }
        Ok(Some((found, span)))
    }

    /// The word of a modifier, read; letters that touch dice must be one.
    fn modifier_word(&mut self, touches: bool) -> Parsed<Option<&'static Row>> {
        let dialect = self.dialect;
        let letters: String = self.cursor.rest().chars().take_while(|c| c.is_alphabetic()).collect();
        let lower = letters.to_lowercase();
        let first = self.dialect.first_word(&lower);
        let after = self.cursor.rest()[letters.len()..].chars().next();
        let known = first.filter(|(word, ..)| match *word {
            _ if touches => only_modifiers(dialect, &lower),
            // `d20 advr1`
            "adv" | "dis" if matches!(after, Some('0'..='9' | '<' | '>' | '=')) => only_modifiers(dialect, &lower),
            word => lower == word || run_of_modifiers(dialect, &lower, after),
        });
        let bare = !dialect.everyday();
        let known = known.filter(|(word, ..)| match *word {
            "d" => touches && (bare || matches!(after, Some('0'..='9'))) || lower.len() > 1,
            "min" | "max" if !touches => !matches!(after, Some('(')),
            _ => true,
        });
        match known {
            Some(row) => {
                self.skip(row.0.len());
                Ok(Some(row))
            }
            None if touches => self.unknown_modifier(&lower).fail(),
            None => Ok(None),
        }
    }

    fn worded(
        &mut self,
        source: &Source,
        row: &'static Row,
        start: usize,
        done: &mut [(Modifier, Span)],
    ) -> Parsed<Option<Modifier>> {
        let (word, does, bare) = *row;
        let at = self.cursor.since(start);
        Ok(Some(match does {
            Word::Twice(twice) => Modifier::Twice(twice),
            Word::Keep(Keep::Middle) => Modifier::Keep(Keep::Middle, self.needed(word, at)?),
            Word::Keep(keep) => Modifier::Keep(keep, self.how_many()?),
            Word::Bound(bound) => Modifier::Bound(bound, self.needed(word, at)?),
            Word::Reroll(Cap::Once) => {
                let cap = self.limited(Cap::Once, at)?;
                let test = self.condition_or(source, bare, word, at)?;
                self.no_cap(word, start)?;
                Modifier::Reroll(vec![test], cap)
            }
            Word::RerollEnd(end) => Modifier::RerollEnd(end, self.plain_number(word, at)?),
            Word::Reroll(_) => {
                self.limited(Cap::None, at)?;
                let test = self.condition_or(source, bare, word, at)?;
                let cap = self.cap()?;
                Modifier::Reroll(vec![test], self.given_up(source, &test, cap))
            }
            Word::Another => Modifier::Another(vec![self.condition(word, at)?]),
            Word::AnotherAnyway => self.another_anyway(word, at)?,
            Word::Explode(cap) => self.explosion_by_word(source, row, cap, at)?,
            Word::Count(1) if source.words().is_some() => self.shows(source, at)?,
            Word::Count(1) => {
                let test = self.condition_or(source, bare, word, at)?;
                Modifier::Successes(test, self.weights()?)
            }
            Word::Count(_) => Modifier::Failures(self.condition_or(source, bare, word, at)?),
            Word::Deduct(deduct) => return self.deducted(deduct, word, at, done),
            Word::Mark => {
                self.condition_or(source, bare, word, at)?;
                return Ok(None);
            }
            Word::Sort(order) => Modifier::Sort(order),
            Word::Unique(once) => self.unique(source, once, word, at)?,
            Word::Parity(even) => Modifier::Parity(even),
            Word::Select(keep) => {
                let test = self.condition(word, at)?;
                Modifier::Picked(0, 0, vec![if keep { test } else { Test { by: test.by.negated(), ..test } }])
            }
            Word::Matches => self.matches()?,
            Word::Margin | Word::Implode | Word::Extra(_) | Word::Middle | Word::Together(_) => return Ok(None),
        }))
    }

    /// `!` and what touches it.
    fn explosion(&mut self, source: &Source) -> Parsed<Modifier> {
        let start = self.cursor.at();
        self.cursor.bump();
        let compound = self.cursor.eat("!");
        let (mut penetrate, mut once) = (false, false);
        loop {
            match self.cursor.peek() {
                Some('p' | 'P') if !penetrate => penetrate = true,
                Some('o' | 'O') if !once && self.dialect.everyday() => once = true,
                _ => break,
            }
            self.cursor.bump();
        }
        let test = match self.comparison()?.map(|by| self.dialect.condition(by)) {
            Some(by) => Some(Test { by, arg: self.needed("!", self.cursor.since(start))? }),
            None => match self.cursor.peek() {
                Some('0'..='9' | '(' | '@') => Some(Test { by: Compare::Equal, arg: self.needed("!", self.here())? }),
                _ => None,
            },
        };
        let mut cap = if once { Cap::Once } else { self.cap()? };
        if once {
            self.no_cap("!o", start)?;
        }
        if let Some(test) = &test {
            cap = self.given_up(source, test, cap);
        }
        Ok(Modifier::Explode(Explode { compound, penetrate, tests: test.into_iter().collect(), cap }))
    }

    /// A number of dice; 1 if there is none.
    fn how_many(&mut self) -> Parsed<Arg> {
        let before = self.cursor.clone();
        self.blanks();
        let touches = self.cursor.at() == before.at();
        match self.cursor.peek() {
            Some('0'..='9') => Ok(Arg::Number(self.number()?.0)),
            Some('(' | '@') if touches => self.computed(),
            _ => {
                self.cursor = before;
                Ok(Arg::Number(1))
            }
        }
    }

    fn computed(&mut self) -> Parsed<Arg> {
        if self.cursor.eat("(") { self.parenthesis(")").map(Arg::Value) } else { self.value().map(Arg::Value) }
    }

    /// A number that `word` cannot do without.
    pub(super) fn needed(&mut self, word: &str, at: Span) -> Parsed<Arg> {
        self.blanks();
        if let Some(decimal) = self.fraction_for(word)? {
            return Ok(decimal);
        }
        if let Some((n, _)) = self.signed()? {
            return Ok(Arg::Number(n));
        }
        match self.cursor.peek() {
            Some('(' | '@') => self.computed(),
            _ => match self.bound_name() {
                Some(name) => Ok(Arg::Value(name)),
                None => self.missing_number(word, at).fail(),
            },
        }
    }

    /// `max3.5`, where numbers keep their fractions.
    fn fraction_for(&mut self, word: &str) -> Parsed<Option<Arg>> {
        let rest = self.cursor.rest().trim_start_matches(|c: char| c.is_ascii_digit());
        let decimal = rest.len() < self.cursor.rest().len() && matches!(rest.as_bytes(), [b'.', b'0'..=b'9', ..]);
        if !decimal || !self.dialect.fractions || !matches!(word, "min" | "max") {
            return Ok(None);
        }
        let (number, span) = self.number_or_decimal()?;
        Ok(Some(Arg::Value(self.nodes.add(span, number))))
    }

    /// Whether a name that was bound before comes next.
    pub(super) fn names_next(&self) -> bool {
        let name = self.cursor.clone().take_while(|c| c.is_alphanumeric() || c == '_');
        self.is_bound(name)
    }

    /// `cs>=x`, where `x` was bound before.
    fn bound_name(&mut self) -> Option<NodeId> {
        let (mut after, start) = (self.cursor.clone(), self.cursor.at());
        let name = after.take_while(|c| c.is_alphanumeric() || c == '_');
        if !self.is_bound(name) {
            return None;
        }
        self.cursor = after;
        Some(self.nodes.add(self.cursor.since(start), Expr::Name(name.to_owned())))
    }

    pub(super) fn condition(&mut self, word: &str, at: Span) -> Parsed<Test> {
        self.blanks();
        let by = self.comparison()?.map_or(Compare::Equal, |by| self.dialect.condition(by));
        Ok(Test { by, arg: self.needed(word, at)? })
    }

    /// `x3`, touching what it limits.
    fn cap(&mut self) -> Parsed<Cap> {
        if !self.dialect.everyday() {
            return Ok(Cap::None);
        }
        let mut after = self.cursor.clone();
        if !(after.eat("x") || after.eat("X")) {
            return Ok(Cap::None);
        }
        let sign = self.here();
        self.cursor = after;
        match self.cursor.peek() {
            Some('0'..='9') => {
                let (most, span) = self.number()?;
                if most > MOST_EXTRA {
                    let message = format!("a die can have at most {MOST_EXTRA} extra rolls");
                    return Mistake::limit(span, message).fail();
                }
                Ok(Cap::Most(most.unsigned_abs()))
            }
            _ => Mistake::new(sign, "missing number after `x`: how many times at most?").fail(),
        }
    }

    fn no_cap(&mut self, word: &str, start: usize) -> Parsed<()> {
        match self.cap()? {
            Cap::None => Ok(()),
            _ => {
                let message = format!("`{word}` means once and `x` sets a maximum; use only one of them");
                Mistake::new(self.cursor.since(start), message).fail()
            }
        }
    }

    /// `,10:2` or `,>=9:2`; only a condition, a colon and a number continue after the comma.
    fn weights(&mut self) -> Parsed<Vec<(Test, i64)>> {
        let mut weights = Vec::new();
        if !self.dialect.everyday() {
            return Ok(weights);
        }
        loop {
            let before = self.cursor.clone();
            self.blanks();
            let comma = self.cursor.eat(",");
            self.blanks();
            let face = if comma { self.weighted_face() } else { None };
            let Some(face) = face else {
                self.cursor = before;
                return Ok(weights);
            };
            self.blanks();
            match self.signed()? {
                Some((worth, _)) => weights.push((face, worth)),
                None => {
                    self.cursor = before;
                    return Ok(weights);
                }
            }
        }
    }

    /// A condition and a colon.
    fn weighted_face(&mut self) -> Option<Test> {
        let by = self.comparison().ok()?.unwrap_or(Compare::Equal);
        let (face, _) = self.signed().ok()??;
        self.blanks();
        self.cursor.eat(":").then_some(Test { by, arg: Arg::Number(face) })
    }
}

/// Whether letters after a blank are several modifiers in a row, as in `4d6 diskl`: each but the last can do without a
/// number, and the last can too or has one. So `d20 disk` and `d20 mark` stay words.
fn run_of_modifiers(dialect: &Dialect, letters: &str, after: Option<char>) -> bool {
    let alone = |word: &str| matches!(word, "adv" | "dis" | "kh" | "kl" | "dh" | "dl");
    let mut rest = letters;
    while let Some((word, ..)) = dialect.first_word(rest) {
        rest = &rest[word.len()..];
        if rest.is_empty() {
            return alone(word) || matches!(after, Some('0'..='9' | '<' | '>' | '=' | '@'));
        }
        if !alone(word) {
            return false;
        }
    }
    false
}

/// Whether letters are nothing but words of modifiers.
pub(super) fn only_modifiers(dialect: &Dialect, letters: &str) -> bool {
    let mut rest = letters;
    // `4d6sum` is no row of three.
    let last = |word: &str| dialect.everyday() && matches!(word, "u" | "uo" | "m" | "mt");
    while let Some((word, ..)) = dialect.first_word(rest) {
        rest = &rest[word.len()..];
        if last(word) && !rest.is_empty() || dialect.everyday() && *word == "f" && letters != "f" {
            return false;
        }
    }
    rest.is_empty()
}
