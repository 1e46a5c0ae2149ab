//! The parser: from an expression to a tree, character by character; the grammar is at the top of `syntax`.
//!
//! A run of signs that touches a pool is read as a whole. If a term comes after it, blanks or not, its last sign
//! adds or subtracts that term and the others are advantage and disadvantage; otherwise all of them are. A
//! sign after a blank always adds or subtracts.
//!
//! ```text
//! d20+1    d20 + 1          d20+ + 1   (d20+) + 1
//! d20++1   (d20+) + 1       d20+-      (d20+)-
//! ```
//!
//! Reading stops at the first mistake. What to say about it is in `mistakes.txt`.

use super::MISTAKES;
use super::syntax::{Change, Count, Die, Modifier, Operand, Pool, Sides, Term, Tree, Which};
use crate::explain::Scene;
use crate::mistake::Parsed;
use crate::scan::{Cursor, not_too_long, too_large};
use tumble_core::{Compare, Diagnostic, Span};

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    attempt(text).map_err(|mistake| vec![super::explained(text, &mistake)])
}

/// Reads a text; the mistake is not explained yet.
pub(super) fn attempt(text: &str) -> Parsed<Tree> {
    not_too_long(text)?;
    Parser { text, cursor: Cursor::new(text) }.tree()
}

/// What may stand between `C` and a number, a longer sign before its beginning.
const COMPARED: [Compare; 4] = [Compare::AtLeast, Compare::AtMost, Compare::More, Compare::Less];

/// Blanks, which may stand around terms and inside brackets.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

struct Parser<'t> {
    text: &'t str,
    cursor: Cursor<'t>,
}

impl Parser<'_> {
    fn tree(mut self) -> Parsed<Tree> {
        let mut terms = Vec::new();
        let mut minus = false;
        loop {
            self.blanks();
            let start = self.cursor.at();
            let (operand, sign) = self.operand(terms.is_empty())?;
            let end = self.cursor.at() - sign.map_or(0, char::len_utf8);
            terms.push(Term { minus, operand, span: Span::new(start, end) });
            let sign = match sign {
                Some(sign) => Some(sign),
                None => self.sign(start)?,
            };
            match sign {
                Some(sign) => minus = sign == '-',
                None => return Ok(Tree { terms }),
            }
        }
    }

    /// The sign after a term, or nothing at the end of the text.
    fn sign(&mut self, start: usize) -> Parsed<Option<char>> {
        let end = self.cursor.at();
        self.blanks();
        match self.cursor.peek() {
            None => Ok(None),
            Some(sign @ ('+' | '-')) => {
                let at = self.cursor.at();
                self.cursor.bump();
                let nothing = self.cursor.rest().trim_start_matches(is_blank).is_empty();
                if nothing { self.wrong("at end", self.cursor.since(at)) } else { Ok(Some(sign)) }
            }
            Some(_) => self.between_terms(Span::new(start, end)),
        }
    }

    /// A number or a pool, and the sign after it if that was found while reading modifiers.
    fn operand(&mut self, first: bool) -> Parsed<(Operand, Option<char>)> {
        let number = self.number()?;
        if self.cursor.peek() == Some('d') {
            let die = self.die()?;
            let (pool, sign) = self.pool(number.unwrap_or(1), die)?;
            return Ok((Operand::Pool(pool), sign));
        }
        match number {
            Some(number) => Ok((Operand::Number(number), None)),
            None => self.wrong(if first { "first" } else { "term" }, self.next()),
        }
    }

    fn pool(&mut self, dice: i64, die: Die) -> Parsed<(Pool, Option<char>)> {
        let mut pool = Pool { dice, die, modifiers: Vec::new(), count: None };
        loop {
            let start = self.cursor.at();
            let change = match self.cursor.peek() {
                Some('+' | '-') => {
                    if let Some(sign) = self.signs(&mut pool.modifiers) {
                        return Ok((pool, Some(sign)));
                    }
                    continue;
                }
                Some('C') => {
                    pool.count = Some(self.count()?);
                    self.nothing_after_count(start)?;
                    return Ok((pool, None));
                }
                Some('M') => self.letter(Change::Maximize),
                Some('m') => self.letter(Change::Minimize),
                Some('!') => self.explode()?,
                Some('K') => self.select(Change::Keep)?,
                Some('D') => self.select(Change::Drop)?,
                _ => return Ok((pool, None)),
            };
            pool.modifiers.push(Modifier { change, span: self.cursor.since(start) });
        }
    }

    /// A run of signs; the last one is given back if a term follows.
    fn signs(&mut self, modifiers: &mut Vec<Modifier>) -> Option<char> {
        let start = self.cursor.at();
        let run = self.cursor.take_ascii(|c| matches!(c, b'+' | b'-'));
        let next = self.cursor.rest().trim_start_matches(is_blank).chars().next();
        let operator = next.is_some_and(|c| c.is_ascii_digit() || c == 'd');
        let (own, last) = if operator { run.split_at(run.len() - 1) } else { (run, "") };
        for (at, sign) in own.char_indices() {
            let change = if sign == '+' { Change::Advantage } else { Change::Disadvantage };
            modifiers.push(Modifier { change, span: Span::new(start + at, start + at + 1) });
        }
        last.chars().next()
    }

    fn letter(&mut self, change: Change) -> Change {
        self.cursor.bump();
        change
    }

    /// `!`, `!!`, `!5d4`
    fn explode(&mut self) -> Parsed<Change> {
        self.cursor.bump();
        let chain = self.cursor.eat("!");
        let from = self.number()?;
        let with = if self.cursor.peek() == Some('d') { Some(self.die()?) } else { None };
        Ok(Change::Explode { chain, from, with })
    }

    /// `K2H`, `KH2`
    fn select(&mut self, change: fn(i64, Which) -> Change) -> Parsed<Change> {
        let start = self.cursor.at();
        self.cursor.bump();
        let before = self.number()?;
        let which = self.which();
        let after = if which.is_some() { self.number()? } else { None };
        if before.is_some() && after.is_some() {
            return self.wrong("twice", self.cursor.since(start));
        }
        Ok(change(before.or(after).unwrap_or(1), which.unwrap_or(Which::Random)))
    }

    fn which(&mut self) -> Option<Which> {
        let which = match self.cursor.peek()? {
            'H' => Which::Highest,
            'L' => Which::Lowest,
            'R' => Which::Random,
            _ => return None,
        };
        self.cursor.bump();
        Some(which)
    }

    fn count(&mut self) -> Parsed<Count> {
        let start = self.cursor.at();
        self.cursor.bump();
        for (sign, count) in [("M", Count::Largest), ("m", Count::Smallest), ("!", Count::Exploded)] {
            if self.cursor.eat(sign) {
                return Ok(count);
            }
        }
        for by in COMPARED {
            if self.cursor.eat(by.sign()) {
                return match self.integer()? {
                    Some(number) => Ok(Count::Those(by, number)),
                    None => self.wrong("bound", self.cursor.since(start)),
                };
            }
        }
        Ok(Count::All)
    }

    /// Nothing but a further term may follow a count.
    fn nothing_after_count(&self, start: usize) -> Parsed<()> {
        let at = self.cursor.at();
        let first = Span::new(start, at + 1);
        match self.cursor.peek() {
            Some('C' | 'M' | 'm' | '!' | 'K' | 'D') => {
                let rest = self.cursor.rest();
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"!<>=".contains(c)).unwrap_or(rest.len());
                let scene = Scene::of(self.text, Span::new(at, at + end));
                Scene { before: Span::new(start, at), ..scene }.explained(&MISTAKES, "last").fail()
            }
            Some('=') => self.wrong("count equal", first),
            Some('0'..='9') if at == start + 1 => self.wrong("count number", first),
            _ => Ok(()),
        }
    }

    fn die(&mut self) -> Parsed<Die> {
        let start = self.cursor.at();
        self.cursor.bump();
        let sides = match self.cursor.peek() {
            Some('0'..='9') => self.number()?.map(Sides::Plain),
            Some('%') => {
                self.cursor.bump();
                Some(Sides::Percent)
            }
            Some('F') => {
                self.cursor.bump();
                Some(Sides::Fudge(self.number()?.unwrap_or(1)))
            }
            Some('[') => Some(self.range()?),
            Some('{') => Some(self.list()?),
            _ => None,
        };
        match sides {
            Some(sides) => Ok(Die { sides, span: self.cursor.since(start) }),
            None => self.wrong("sides", self.cursor.since(start)),
        }
    }

    /// `[2..5]`
    fn range(&mut self) -> Parsed<Sides> {
        let open = self.cursor.at();
        self.cursor.bump();
        let fail = |parser: &Self| parser.bracket("range", open);
        let Some(from) = self.bracketed()? else { return fail(self) };
        if !self.cursor.eat("..") {
            return fail(self);
        }
        let Some(to) = self.bracketed()? else { return fail(self) };
        if !self.cursor.eat("]") {
            return fail(self);
        }
        Ok(Sides::Range(from.min(to), from.max(to)))
    }

    /// `{1, 1, 5..7}`
    fn list(&mut self) -> Parsed<Sides> {
        let open = self.cursor.at();
        self.cursor.bump();
        let mut items = Vec::new();
        loop {
            let fail = |parser: &Self| parser.bracket("list", open);
            let Some(from) = self.bracketed()? else { return fail(self) };
            let mut to = from;
            if self.cursor.eat("..") {
                let Some(end) = self.bracketed()? else { return fail(self) };
                to = end;
            }
            items.push((from.min(to), from.max(to)));
            if self.cursor.eat("}") {
                return Ok(Sides::List(items));
            }
            if !self.cursor.eat(",") {
                return fail(self);
            }
        }
    }

    /// A number inside brackets, with the blanks around it.
    fn bracketed(&mut self) -> Parsed<Option<i64>> {
        self.blanks();
        let number = self.integer()?;
        self.blanks();
        Ok(number)
    }

    /// A number with or without a minus.
    fn integer(&mut self) -> Parsed<Option<i64>> {
        let start = self.cursor.at();
        let mut ahead = self.cursor.clone();
        let minus = ahead.eat("-");
        if !ahead.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(None);
        }
        self.cursor = ahead;
        let digits = self.cursor.take_ascii(|c| c.is_ascii_digit());
        let written = if minus { &self.text[start..self.cursor.at()] } else { digits };
        written.parse().map(Some).map_err(|_| Box::new(too_large(self.cursor.since(start))))
    }

    fn number(&mut self) -> Parsed<Option<i64>> {
        if self.cursor.peek().is_some_and(|c| c.is_ascii_digit()) { self.integer() } else { Ok(None) }
    }

    fn blanks(&mut self) {
        self.cursor.take_while(is_blank);
    }

    fn wrong<T>(&self, what: &str, here: Span) -> Parsed<T> {
        Scene::of(self.text, here).explained(&MISTAKES, what).fail()
    }

    /// The next character.
    fn next(&self) -> Span {
        let at = self.cursor.at();
        Span::new(at, at + self.cursor.peek().map_or(0, char::len_utf8))
    }

    /// Something other than a sign follows a term.
    fn between_terms<T>(&self, term: Span) -> Parsed<T> {
        let written = &self.text[term.start..term.end];
        let what = match written.strip_prefix('1').unwrap_or(written).starts_with('d') {
            _ if written.bytes().all(|c| c.is_ascii_digit()) => "number",
            true => "die",
            false => "dice",
        };
        Scene { before: term, ..Scene::of(self.text, self.next()) }.explained(&MISTAKES, what).fail()
    }

    /// Something is wrong inside brackets, up to where they close or the text ends.
    fn bracket<T>(&self, what: &str, open: usize) -> Parsed<T> {
        let (at, inside) = (self.cursor.at(), &self.text[open + 1..]);
        let end = open + 1 + inside.find([']', '}', '\n']).unwrap_or(inside.len());
        let closed = self.text[end..].starts_with([']', '}']);
        let owner = Span::new(open, end + usize::from(closed));
        let what = if closed { what.to_owned() } else { format!("open {what}") };
        Scene { owner, ..Scene::of(self.text, Span::new(at, at)) }.explained(&MISTAKES, &what).fail()
    }
}
