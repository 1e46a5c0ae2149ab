//! The spelling of a tree as one list; a tree that is none has no spelling.

use super::super::dialect::{Dialect, Word};
use super::super::syntax::{
    Arg, Cap, Compare, Dice, Expr, Infix, Item, Keep, Modifier, NodeId, Sides, Source, Test, Tree,
};

/// Spells a tree, if it can be one list.
pub(in super::super) fn spell(dialect: &'static Dialect, tree: &Tree) -> Option<String> {
    let mut rolls = Vec::new();
    for item in &tree.items {
        let Item::Roll(roll) = item else { return None };
        rolls.push(Speller { tree, dialect }.roll(*roll)?);
    }
    let (most, flat) = (dialect.flat?.rolls, dialect.flat?);
    let mut out = rolls.join("; ");
    if let Some((count, _)) = tree.times {
        let (least, highest) = flat.sets;
        out = (least..=highest).contains(&count).then(|| format!("{count} {out}"))?;
    }
    for (words, _) in &tree.comments {
        // A comment ends with its roll.
        let plain = rolls.len() == 1 && tree.comments.len() == 1 && !words.contains(['\n', ';', '!']);
        out = plain.then(|| format!("{out} ! {words}"))?;
    }
    (rolls.len() <= most).then_some(out)
}

struct Speller<'t> {
    tree: &'t Tree,
    dialect: &'static Dialect,
}

impl Speller<'_> {
    fn roll(&self, mut id: NodeId) -> Option<String> {
        let mut label = String::new();
        if let Expr::Label(inside, words) = self.tree.nodes.expr(id) {
            label = (!words.contains([')', ';'])).then(|| format!("({words}) "))?;
            id = *inside;
        }
        let mut steps = Vec::new();
        while let Expr::Infix(sign, left, right) = self.tree.nodes.expr(id) {
            let right = match self.tree.nodes.expr(*right) {
                Expr::Number(0) if *sign == Infix::Times => return None,
                Expr::Number(n @ 0..) => n.to_string(),
                Expr::Dice(dice) => self.dice(dice, "")?,
                _ => return None,
            };
            let known = matches!(sign, Infix::Plus | Infix::Minus | Infix::Times | Infix::Over);
            steps.push(known.then(|| format!(" {} {right}", sign.sign()))?);
            id = *left;
        }
        let steps: String = steps.into_iter().rev().collect();
        match self.tree.nodes.expr(id) {
            Expr::Dice(dice) if counts(dice) && steps.contains('d') => None,
            Expr::Dice(dice) => Some(format!("{label}{}{steps}", self.dice(dice, " ")?)),
            // `2 + d6` has dice after its first sign.
            Expr::Number(n @ 0..) if steps.get(3..).is_some_and(begins_with_dice) => Some(format!("{label}{n}{steps}")),
            _ => None,
        }
    }

    fn dice(&self, dice: &Dice, joint: &str) -> Option<String> {
        let Source::Roll(count, sides) = &dice.source else { return None };
        let number = |id: &NodeId| match self.tree.nodes.expr(*id) {
            Expr::Number(n @ 1..) => Some(*n),
            _ => None,
        };
        let mut there = Fewest { dice: count.as_ref().map_or(Some(1), number)?, exact: true };
        let mut modifiers = dice.modifiers.iter().map(|(modifier, _)| modifier).peekable();
        let mut extra = String::new();
        if let Some((word, n)) = self.extra(dice) {
            extra = format!("{joint}{word}{n}");
            there.dice -= n;
            modifiers.next();
        }
        let mut out = if count.is_some() || there.dice != 1 { there.dice.to_string() } else { String::new() };
        match sides {
            Sides::Upto(sides) => out.push_str(&format!("d{}", number(sides)?)),
            Sides::Percent => out.push_str("d%"),
            _ => return None,
        }
        out.push_str(&extra);
        let mut rank = 0;
        while let Some(modifier) = modifiers.next() {
            // What is written in another order is done in another order.
            let turn = turn(modifier)?;
            if turn < rank {
                return None;
            }
            rank = turn;
            let middle = middle(modifier, modifiers.peek().copied(), there);
            let written = match middle {
                Some(n) => {
                    modifiers.next();
                    format!("km{n}")
                }
                None => self.modifier(modifier, there)?,
            };
            if !written.is_empty() {
                out.push_str(&format!("{joint}{written}"));
            }
            match modifier {
                _ if middle.is_some() => there.dice = middle.unwrap_or(0),
                Modifier::Explode(_) => there.exact = false,
                Modifier::Keep(Keep::ButLow, Arg::Number(n)) => there.dice -= n,
                Modifier::Keep(_, Arg::Number(n)) => there.dice = there.dice.min(*n),
                _ => {}
            }
        }
        // Counts of dice that are added are not asked for.
        (!joint.is_empty() || !counts(dice)).then_some(out)
    }

    /// Dice that are dropped before anything else happens, and can't be dropped later: the word and how many.
    fn extra(&self, dice: &Dice) -> Option<(&'static str, i64)> {
        let ((Modifier::Keep(keep, Arg::Number(n @ 1..)), _), later) = dice.modifiers.split_first()? else {
            return None;
        };
        let many = match &dice.source {
            Source::Roll(Some(count), _) => match self.tree.nodes.expr(*count) {
                Expr::Number(many) => *many,
                _ => return None,
            },
            _ => return None,
        };
        let middle = matches!(later.first(), Some((Modifier::Keep(Keep::ButHigh, _), _))) && *keep == Keep::ButLow;
        let again = later.iter().any(|(one, _)| turn(one).is_some_and(|turn| turn < 3));
        let known = *n < many && !middle && (*keep == Keep::ButHigh || *keep == Keep::ButLow && again);
        Some((self.dialect.spelling(Word::Extra(*keep)).filter(|_| known)?, *n))
    }

    fn modifier(&self, modifier: &Modifier, there: Fewest) -> Option<String> {
        match modifier {
            Modifier::Keep(keep @ (Keep::High | Keep::Low), Arg::Number(n @ 1..)) => {
                Some(format!("{}{n}", self.dialect.spelling(Word::Keep(*keep))?))
            }
            // The last die stays.
            Modifier::Keep(Keep::ButLow, Arg::Number(n @ 1..)) if *n < there.dice => Some(format!("d{n}")),
            Modifier::Reroll(tests, cap @ (Cap::Once | Cap::None | Cap::Most(1))) => match tests[..] {
                [test] => self.tested(Word::Reroll(if *cap == Cap::None { *cap } else { Cap::Once }), &test),
                _ => None,
            },
            Modifier::Explode(explode) if !explode.compound && !explode.penetrate => {
                let cap = if explode.cap == Cap::Most(1) { Cap::Once } else { explode.cap };
                match explode.tests.first() {
                    Some(test) => self.tested(Word::Explode(cap), test),
                    None => self.dialect.spelling(Word::Explode(cap)).map(str::to_owned),
                }
            }
            Modifier::Implode(test) => self.tested(Word::Implode, test),
            Modifier::Successes(test, weights) if weights.is_empty() => self.tested(Word::Count(1), test),
            Modifier::Failures(test) => self.tested(Word::Count(-1), test),
            Modifier::Together(what) => self.dialect.spelling(Word::Together(*what)).map(str::to_owned),
            Modifier::Sort(_) => Some(String::new()),
            _ => None,
        }
    }

    /// The word whose number means what this condition means.
    fn tested(&self, does: Word, test: &Test) -> Option<String> {
        let Arg::Number(n @ 0..) = test.arg else { return None };
        if n == 0 && does != Word::Count(-1) {
            return None;
        }
        let (up, n) = match test.by {
            Compare::AtLeast => (true, n),
            Compare::AtMost => (false, n),
            Compare::More => (true, n.checked_add(1)?),
            Compare::Less => (false, (n > 1).then(|| n - 1)?),
            // Nothing is below 1.
            Compare::Equal if n == 1 => (false, 1),
            Compare::Equal | Compare::Unequal => return None,
        };
        let upward = |word: &str| self.dialect.flat.is_some_and(|flat| flat.upward.contains(&word));
        let (word, ..) = self.dialect.words.iter().find(|(word, known, _)| *known == does && upward(word) == up)?;
        Some(format!("{word}{n}"))
    }
}

/// How many dice there are at least, and whether there are no more.
#[derive(Clone, Copy)]
struct Fewest {
    dice: i64,
    exact: bool,
}

fn counts(dice: &Dice) -> bool {
    let counts =
        |one: &Modifier| matches!(one, Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Together(_));
    dice.modifiers.iter().any(|(modifier, _)| counts(modifier))
}

/// Whether a text is dice from its beginning.
fn begins_with_dice(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('d')
}

/// How many dice stay in the middle, if two modifiers drop as many on either side, or one more above.
fn middle(one: &Modifier, next: Option<&Modifier>, there: Fewest) -> Option<i64> {
    let (Modifier::Keep(Keep::ButLow, Arg::Number(low)), Some(Modifier::Keep(Keep::ButHigh, Arg::Number(high)))) =
        (one, next)
    else {
        return None;
    };
    let even = *high == *low || *high == *low + 1;
    Some(there.dice - low - high).filter(|n| there.exact && even && *n > 0)
}

/// When a modifier has its turn; others can't be written.
fn turn(modifier: &Modifier) -> Option<u8> {
    match modifier {
        Modifier::Implode(_) => Some(1),
        Modifier::Explode(_) | Modifier::Reroll(..) => Some(2),
        Modifier::Keep(..) => Some(3),
        Modifier::Successes(..) | Modifier::Failures(_) | Modifier::Together(_) => Some(4),
        Modifier::Sort(_) => Some(4),
        _ => None,
    }
}
