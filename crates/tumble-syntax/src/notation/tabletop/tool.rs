//! Parses what only some tools have: conditions that may be left out, words that explode, margins, groups whose dice count
//! one by one, and modifiers in an order of their own.

use super::dialect::{Bare, LoneGroup, Row, Word};
use super::dice::MOST_EXTRA;
use super::ordered::latest;
use super::parse::Parser;
use super::syntax::{
    Arg, Bound, Cap, Compare, Deduct, Dice, Explode, Expr, Infix, Keep, Modifier, NodeId, Source, Test, Unique,
};
use crate::mistake::{Mistake, Parsed};
use crate::scan::Cursor;
use tumble_core::Span;
use tumble_core::sort;

impl<'t> Parser<'t> {
    /// The cursor at another place.
    pub(super) fn at_byte(&self, at: usize) -> Cursor<'t> {
        let mut cursor = Cursor::new(self.text);
        while cursor.at() < at {
            cursor.bump();
        }
        cursor
    }

    /// A condition, or the one that a word has alone.
    pub(super) fn condition_or(&mut self, source: &Source, bare: Bare, word: &str, at: Span) -> Parsed<Test> {
        let before = self.cursor.clone();
        if self.dialect.everyday() {
            // `4d6 r <3`
            self.blanks();
        }
        let next = self.cursor.peek();
        let there = self.dialect.everyday() && self.names_next()
            || matches!(
                next,
                Some('0'..='9' | '<' | '>' | '=' | '(' | '@' | '-' | '\u{2260}' | '\u{2264}' | '\u{2265}')
            )
            || self.cursor.rest().starts_with("!=");
        let minus = next == Some('-') && !self.cursor.rest()[1..].starts_with(|c: char| c.is_ascii_digit());
        if there && !minus || bare == Bare::Needed {
            return self.condition(word, at);
        }
        self.cursor = before;
        match self.face(source, bare) {
            Some(n) => Ok(Test { by: Compare::Equal, arg: Arg::Number(n) }),
            None => self.condition(word, at),
        }
    }

    /// The lowest or highest face, where it is written.
    fn face(&self, source: &Source, bare: Bare) -> Option<i64> {
        let Source::Roll(_, sides) = self.rolled_from(source) else { return None };
        let (low, high) = sides.ends(&self.nodes)?;
        if bare == Bare::Lowest { Some(low) } else { high }
    }

    /// `x`, `x10`, `xo<5`, `e6`
    pub(super) fn explosion_by_word(
        &mut self,
        source: &Source,
        row: &'static Row,
        cap: Cap,
        at: Span,
    ) -> Parsed<Modifier> {
        let (word, _, bare) = *row;
        let cap = self.limited(cap, at)?;
        let test = self.condition_or(source, bare, word, at)?;
        Ok(Modifier::Explode(Explode { compound: false, penetrate: false, tests: vec![test], cap }))
    }

    /// `x2=6`: a maximum for all dice together, which Foundry has.
    pub(super) fn limited(&mut self, cap: Cap, at: Span) -> Parsed<Cap> {
        let rest = self.cursor.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let limited = digits > 0 && rest[digits..].starts_with(['<', '>', '=']);
        let explodes = self.text[at.start..at.end].eq_ignore_ascii_case("x");
        if !limited || self.dialect.word("x").is_none() {
            return Ok(cap);
        }
        if !explodes && cap == Cap::None || explodes && cap == Cap::Once || at.end - at.start > 1 {
            let message = "a maximum for all dice together works with `x` and `r` only";
            return Mistake::new(Span::new(at.start, at.end + digits), message).fail();
        }
        let (most, span) = self.number()?;
        if most > MOST_EXTRA {
            return Mistake::limit(span, format!("there can be at most {MOST_EXTRA} extra rolls")).fail();
        }
        Ok(Cap::Total(most.unsigned_abs()))
    }

    /// A die that would roll for ever stops where the tool gives up.
    pub(super) fn given_up(&self, source: &Source, test: &Test, cap: Cap) -> Cap {
        let (Some(most), Cap::None, Arg::Number(n)) = (self.dialect.gives_up, cap, test.arg) else { return cap };
        let ends = (self.face(source, Bare::Lowest), self.face(source, Bare::Highest));
        let (Some(low), Some(high)) = ends else { return cap };
        let every = match test.by {
            Compare::Equal => low == n && high == n,
            Compare::Unequal => n < low || n > high,
            by => by.holds(low, n) && by.holds(high, n),
        };
        if every { Cap::Most(most) } else { cap }
    }

    /// `rol1`
    pub(super) fn plain_number(&mut self, word: &str, at: Span) -> Parsed<i64> {
        match self.cursor.peek() {
            Some('0'..='9') => Ok(self.number()?.0),
            _ => Mistake::new(at, format!("missing number of dice after `{word}`")).fail(),
        }
    }

    /// `ral1`: the highest or lowest die is always there.
    pub(super) fn another_anyway(&mut self, word: &str, at: Span) -> Parsed<Modifier> {
        let always = Test { by: Compare::AtLeast, arg: Arg::Number(i64::MIN) };
        Ok(Modifier::Another(if self.plain_number(word, at)? > 0 { vec![always] } else { vec![] }))
    }

    /// `u`, `uo`, `u>3`
    pub(super) fn unique(&mut self, source: &Source, once: bool, word: &str, at: Span) -> Parsed<Modifier> {
        let there = matches!(self.cursor.peek(), Some('0'..='9' | '<' | '>' | '='));
        let test = if there || self.cursor.rest().starts_with("!=") { Some(self.condition(word, at)?) } else { None };
        let ends = (self.face(source, Bare::Lowest), self.face(source, Bare::Highest), self.members(source));
        let full = matches!(ends, (Some(low), Some(high), Some(dice)) if high.saturating_sub(low) < dice);
        let gives_up = self.dialect.gives_up.is_some() && full && !once;
        Ok(Modifier::Unique(Unique { once, test, gives_up }))
    }

    /// `>=6f1`: a target with failures after it counts dice in every tool that has it.
    pub(super) fn target_and_failures(&self) -> bool {
        let rest = self.cursor.rest().trim_start_matches(['<', '>', '=']);
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let signed = number.strip_prefix(['f', 'F']).unwrap_or_default().trim_start_matches(['<', '>', '=']);
        number.len() < rest.len() && signed.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Foundry's `df` and `sf`: dice that meet a condition are taken away. Alone, `df` takes away every die that `cs` does not
    /// count, or all that `cf` does.
    pub(super) fn deducted(
        &mut self,
        deduct: Deduct,
        word: &str,
        at: Span,
        done: &mut [(Modifier, Span)],
    ) -> Parsed<Option<Modifier>> {
        if matches!(self.cursor.peek(), Some('0'..='9' | '<' | '>' | '=')) {
            return Ok(Some(Modifier::Deduct(deduct, self.condition(word, at)?)));
        }
        let counted = done.iter_mut().rev().find_map(|(modifier, span)| match modifier {
            Modifier::Successes(test, _) => Some((*test, modifier, *span)),
            _ => None,
        });
        // Without a condition and without a count there are no failures.
        let Some((test, counted, span)) = counted else { return Ok(None) };
        if self.text[span.start..].to_lowercase().starts_with("cf") {
            *counted = match deduct {
                Deduct::One => Modifier::Failures(test),
                // What is not counted still counts as nothing.
                Deduct::Face => return Mistake::new(at, "`sf` after `cf` needs a condition here, as in `sf<3`").fail(),
            };
            return Ok(None);
        }
        Ok(Some(Modifier::Deduct(deduct, Test { by: test.by.negated(), ..test })))
    }

    /// `mt`, `mt3`, `mt3>2`
    pub(super) fn matches(&mut self) -> Parsed<Modifier> {
        let alike = match self.cursor.peek() {
            Some('0'..='9') => self.number()?.0,
            _ => 2,
        };
        let test = match self.cursor.peek() {
            Some('<' | '>' | '=') => Some(self.condition("mt", self.here())?),
            Some('!') if self.cursor.rest().starts_with("!=") => Some(self.condition("mt", self.here())?),
            _ => None,
        };
        Ok(Modifier::Matches(alike, test))
    }

    /// `ms15`: the total less 15; with `<` the other way round.
    pub(super) fn margin(&mut self) -> Parsed<Option<(NodeId, bool)>> {
        let rest = self.cursor.rest().as_bytes();
        let known = self.dialect.word("ms").is_some_and(|(_, word, _)| *word == Word::Margin);
        if !known || !matches!(rest, [b'm' | b'M', b's' | b'S', ..]) {
            return Ok(None);
        }
        let start = self.cursor.at();
        self.skip(2);
        let test = self.condition("ms", self.cursor.since(start))?;
        let less = match test.arg {
            Arg::Number(n) => self.nodes.add(self.cursor.since(start), Expr::Number(n)),
            Arg::Value(id) => id,
        };
        Ok(Some((less, matches!(test.by, Compare::Less | Compare::AtMost))))
    }

    /// The dice of the only item of a group, where modifiers apply to them one by one.
    pub(super) fn unwrapped(&self, source: Source) -> (Source, Vec<(Modifier, Span)>, i64) {
        let next = self.cursor.rest().trim_start();
        let keeps = next.starts_with(['k', 'K', 'd', 'D']);
        let wanted = match self.dialect.lone_group {
            LoneGroup::None => false,
            LoneGroup::Keep => keeps,
            LoneGroup::All => keeps || next.starts_with(['<', '>', '=', 'f']),
        };
        let Source::Group(members) = &source else { return (source, vec![], 0) };
        let ([only], true) = (members.as_slice(), wanted) else { return (source, vec![], 0) };
        let (sum, shift) = match self.nodes.expr(*only) {
            Expr::Infix(Infix::Plus, sum, number) => match self.nodes.expr(*number) {
                Expr::Number(n) => (*sum, *n),
                _ => (*only, 0),
            },
            _ => (*only, 0),
        };
        match self.nodes.expr(sum) {
            Expr::Dice(dice) => (dice.source.clone(), dice.modifiers.clone(), shift),
            Expr::Infix(..) => match self.added_dice(sum) {
                Some(terms) => (Source::Union(terms), vec![], shift),
                None if self.dialect.lone_group == LoneGroup::Keep => (Source::Within(*only), vec![], 0),
                None => (source, vec![], 0),
            },
            _ => (source, vec![], 0),
        }
    }

    /// `{3d6+1}<3`: a number that is added to each die changes what it is compared with.
    pub(super) fn shifted(&self, mut modifiers: Vec<(Modifier, Span)>, shift: i64) -> Parsed<Vec<(Modifier, Span)>> {
        if shift == 0 {
            return Ok(modifiers);
        }
        for (modifier, span) in &mut modifiers {
            let test = match modifier {
                Modifier::Successes(test, _) | Modifier::Failures(test) => test,
                Modifier::Sort(_) => continue,
                _ => return Mistake::new(*span, "keeping dice of a sum with a number can't be rolled here").fail(),
            };
            let moved = match test.arg {
                Arg::Number(n) => n.checked_sub(shift),
                Arg::Value(_) => None,
            };
            match moved {
                Some(n) => test.arg = Arg::Number(n),
                None => return Mistake::new(*span, "this condition needs a plain number").fail(),
            }
        }
        Ok(modifiers)
    }

    /// The dice terms of a sum that is nothing but dice.
    fn added_dice(&self, sum: NodeId) -> Option<Vec<NodeId>> {
        let (mut terms, mut todo) = (Vec::new(), sum);
        loop {
            match self.nodes.expr(todo) {
                Expr::Infix(Infix::Plus, left, right) if plain(self.nodes.expr(*right)) => {
                    terms.push(*right);
                    todo = *left;
                }
                expr if plain(expr) => {
                    terms.push(todo);
                    terms.reverse();
                    return Some(terms);
                }
                _ => return None,
            }
        }
    }

    /// Modifiers in the order in which the tool takes them: those that the dice have already, and those after them.
    pub(super) fn arranged(
        &mut self,
        source: &Source,
        mut given: Vec<(Modifier, Span)>,
        mut added: Vec<(Modifier, Span)>,
    ) -> Parsed<Vec<(Modifier, Span)>> {
        if self.dialect.ordered {
            given.extend(latest(added));
            sort::by_key(&mut given, |(modifier, _)| rank(modifier));
            return self.kept_of_all(source, given);
        }
        // What counts comes last, and what then stands side by side may be one.
        let last = |modifiers: &mut Vec<(Modifier, Span)>| {
            if self.dialect.counts_last {
                sort::by_key(modifiers, |(modifier, _)| counts(modifier));
            }
        };
        last(&mut added);
        if self.dialect.lone_group == LoneGroup::All {
            added = rerolled_together(added);
        }
        if self.dialect.loose_sets {
            added = super::picked::together(self.text, added)?;
        }
        given.extend(added);
        last(&mut given);
        Ok(given)
    }

    /// How many dice there are, where that is written.
    pub(super) fn members(&self, source: &Source) -> Option<i64> {
        let number = |id: NodeId| match self.nodes.expr(id) {
            Expr::Number(n) => Some(*n),
            _ => None,
        };
        match source {
            Source::Roll(None, _) => Some(1),
            Source::Roll(Some(count), _) => match self.nodes.expr(*count) {
                Expr::Infix(Infix::Plus, a, b) => number(*a)?.checked_add(number(*b)?),
                Expr::Infix(Infix::Times, a, b) => number(*a)?.checked_mul(number(*b)?),
                _ => number(*count),
            },
            Source::Group(members) => i64::try_from(members.len()).ok(),
            Source::Union(terms) => terms.iter().try_fold(0i64, |sum, term| match self.nodes.expr(*term) {
                Expr::Dice(dice) if dice.modifiers.is_empty() => sum.checked_add(self.members(&dice.source)?),
                _ => None,
            }),
            Source::Times(..) | Source::Named(_) | Source::Within(_) => None,
        }
    }
}

/// Whether this is dice whose members can join a pool.
fn plain(expr: &Expr) -> bool {
    let pool = |dice: &Dice| matches!(dice.source, Source::Roll(..)) && !dice.modifiers.iter().any(|(m, _)| counts(m));
    matches!(expr, Expr::Dice(dice) if pool(dice))
}

/// Whether a modifier counts dice.
pub(super) fn counts(modifier: &Modifier) -> bool {
    use Modifier::{Deduct, Failures, Matches, Parity, Shows, Successes};
    matches!(modifier, Successes(..) | Shows(_) | Failures(_) | Deduct(..) | Parity(_) | Matches(..))
}

/// The place of a modifier in the order of RPG Dice Roller.
fn rank(modifier: &Modifier) -> u8 {
    match modifier {
        Modifier::Bound(Bound::Least, _) => 1,
        Modifier::Bound(Bound::Most, _) => 2,
        Modifier::Explode(_) => 3,
        Modifier::Reroll(..) | Modifier::RerollEnd(..) | Modifier::Implode(_) => 4,
        Modifier::Twice(_) | Modifier::Unique(_) | Modifier::Another(_) => 5,
        Modifier::Keep(Keep::High | Keep::Low | Keep::Middle, _) | Modifier::Picked(..) => 6,
        Modifier::Keep(Keep::ButHigh | Keep::ButLow, _) => 7,
        Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Deduct(..) | Modifier::Shows(_) => 8,
        Modifier::Parity(_) | Modifier::Matches(..) | Modifier::Together(_) => 8,
        Modifier::Sort(_) => 9,
    }
}

/// `r1r3`: a die is rerolled until it shows neither.
fn rerolled_together(modifiers: Vec<(Modifier, Span)>) -> Vec<(Modifier, Span)> {
    let mut out: Vec<(Modifier, Span)> = Vec::with_capacity(modifiers.len());
    for (modifier, span) in modifiers {
        let endless = matches!(modifier, Modifier::Reroll(_, Cap::None));
        if let Some((first, at)) = out.last_mut().filter(|_| endless)
            && super::picked::also(first, &modifier)
        {
            *at = at.to(span);
            continue;
        }
        out.push((modifier, span));
    }
    out
}
