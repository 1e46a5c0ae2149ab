//! Makes a tree of the steps of a roll.
//!
//! Whatever order they are written in: extra dice for advantage come first, then implosions, then explosions and rerolls,
//! then keep and drop, then counting. Where dice are counted, the dice of all terms are; numbers before the first
//! target are added to each die, numbers after the last one to the count.

use super::super::parse::Parser;
use super::super::syntax::{Arg, Compare, Dice, Expr, Infix, Keep, Modifier, NodeId, Sides, Source, Test, Together};
use crate::mistake::{Mistake, Parsed};
use tumble_core::Span;
use tumble_core::sort;

/// What is done with dice.
pub(super) enum Change {
    Modifier(Modifier),
    /// `adv1`, `dis1`: so many dice more, and what is kept of all.
    Extra(Keep, i64),
    /// `km2`
    Middle(i64),
}

/// Dice and what is done with them, in the order written.
pub(super) struct Pool {
    pub(super) span: Span,
    pub(super) source: Source,
    pub(super) changes: Vec<(Change, Span)>,
}

/// What a roll begins with.
pub(super) enum First {
    Dice(Pool),
    /// `100 / 2d4`
    Number(i64, Span, Infix, Pool),
    /// The meaning of a name.
    Everyday(NodeId),
}

/// What comes after it.
pub(super) enum Step {
    Changes(Vec<(Change, Span)>),
    Number(Infix, i64, Span),
    Dice(Infix, Pool),
}

/// A roll as it is written.
pub(super) struct Roll {
    pub(super) start: usize,
    pub(super) first: First,
    pub(super) steps: Vec<Step>,
}

impl Roll {
    /// A modifier that belongs to the first dice, right behind them.
    pub(super) fn widen(&mut self, span: Span) {
        if let First::Dice(dice) | First::Number(.., dice) = &mut self.first {
            dice.span = dice.span.to(span);
        }
    }

    /// The sides of the dice that a modifier belongs to.
    pub(super) fn sides(&self, parser: &Parser<'_>) -> Option<i64> {
        let dice = match (self.steps.last(), &self.first) {
            (Some(Step::Dice(Infix::Plus, dice)), _) => dice,
            (_, First::Dice(dice) | First::Number(.., dice)) => dice,
            (_, First::Everyday(_)) => return None,
        };
        match &dice.source {
            Source::Roll(_, Sides::Upto(sides)) => match parser.nodes.expr(*sides) {
                Expr::Number(n) => Some(*n),
                _ => None,
            },
            _ => Some(100),
        }
    }
}

/// Whether dice are counted.
fn counts(change: &Change) -> bool {
    match change {
        Change::Modifier(Modifier::Successes(..) | Modifier::Failures(_)) => true,
        Change::Modifier(Modifier::Together(what)) => *what == Together::ExtraSixes,
        _ => false,
    }
}

/// Whether this is a part of counting.
fn tallies(change: &Change) -> bool {
    counts(change) || matches!(change, Change::Modifier(Modifier::Together(_)))
}

/// Whether this changes a total and no die.
fn implodes(change: &Change) -> bool {
    matches!(change, Change::Modifier(Modifier::Implode(_)))
}

/// Whether a step counts dice.
fn counting(step: &Step) -> bool {
    matches!(step, Step::Changes(found) if found.iter().any(|(one, _)| counts(one)))
}

impl Parser<'_> {
    pub(super) fn assembled(&mut self, roll: Roll) -> Parsed<NodeId> {
        let whole = self.cursor.since(roll.start);
        let (dice, front) = match roll.first {
            First::Everyday(node) => return self.totalled(node, roll.steps, whole),
            First::Dice(dice) => (dice, None),
            First::Number(n, span, sign, dice) => (dice, Some((n, span, sign))),
        };
        if roll.steps.iter().any(counting) {
            return self.tallied(dice, front, roll.steps, whole);
        }
        let (mut changes, mut rest) = (vec![], vec![]);
        for step in roll.steps {
            match step {
                Step::Changes(found) => changes.extend(found.into_iter().filter(|(one, _)| !tallies(one))),
                step => rest.push(step),
            }
        }
        let mut node = self.arranged_dice(Pool { changes, ..dice })?;
        if let Some((n, span, sign)) = front {
            let number = self.nodes.add(span, Expr::Number(n));
            node = self.nodes.add(whole, Expr::Infix(sign, number, node));
        }
        self.totalled(node, rest, whole)
    }

    /// Everything from left to right.
    fn totalled(&mut self, mut node: NodeId, steps: Vec<Step>, whole: Span) -> Parsed<NodeId> {
        for step in steps {
            let (sign, right) = match step {
                Step::Number(sign, n, span) => (sign, self.nodes.add(span, Expr::Number(n))),
                Step::Dice(sign, mut dice) => {
                    // What is added is added whole; its successes are not asked for.
                    dice.changes.retain(|(one, _)| !tallies(one));
                    (sign, self.arranged_dice(dice)?)
                }
                Step::Changes(found) => match found.first() {
                    Some((_, span)) => return Mistake::new(*span, "no modifier can follow this name").fail(),
                    None => continue,
                },
            };
            node = self.nodes.add(whole, Expr::Infix(sign, node, right));
        }
        Ok(node)
    }

    /// Dice that are counted.
    fn tallied(
        &mut self,
        dice: Pool,
        front: Option<(i64, Span, Infix)>,
        steps: Vec<Step>,
        whole: Span,
    ) -> Parsed<NodeId> {
        let first = steps.iter().position(counting).unwrap_or(0);
        let last = steps.iter().rposition(counting).unwrap_or(0);
        if let Some((_, span, sign @ (Infix::Minus | Infix::Over))) = front {
            let message = format!("dice can't be counted after `{}` in front of them", sign.sign());
            return Mistake::new(span, message).fail();
        }
        let mut before: Vec<_> = front.map(|(n, span, sign)| (sign, n, span)).into_iter().collect();
        let (mut changes, mut tally, mut terms, mut after) = (vec![], vec![], vec![], vec![]);
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Changes(found) => {
                    let (counted, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(one, _)| tallies(one));
                    tally.extend(counted);
                    changes.extend(others.into_iter().filter(|(one, _)| !implodes(one)));
                }
                Step::Number(sign, n, span) if number < first => before.push((sign, n, span)),
                Step::Number(sign, n, span) if number > last => after.push(Step::Number(sign, n, span)),
                Step::Number(..) => {}
                Step::Dice(_, mut dice) => {
                    dice.changes.retain(|(one, _)| !tallies(one) && !implodes(one));
                    terms.push(self.arranged_dice(dice)?);
                }
            }
        }
        let tally = self.shifted_back(tally, &before)?;
        let base = self.arranged_dice(Pool { changes, ..dice })?;
        let counted = terms.iter().map(|term| self.nodes.span(*term)).chain(tally.iter().map(|(_, span)| *span));
        let span = counted.fold(self.nodes.span(base), Span::to);
        let node = self.counted_together(base, terms, tally, span);
        self.totalled(node, after, whole)
    }

    /// The dice of all terms as one pool that is counted.
    fn counted_together(
        &mut self,
        base: NodeId,
        terms: Vec<NodeId>,
        tally: Vec<(Modifier, Span)>,
        span: Span,
    ) -> NodeId {
        let mut dice = match self.nodes.expr(base) {
            Expr::Dice(dice) if terms.is_empty() => (**dice).clone(),
            _ => Dice { source: Source::Union(std::iter::once(base).chain(terms).collect()), modifiers: vec![] },
        };
        dice.modifiers.extend(tally);
        self.nodes.add(span, Expr::Dice(Box::new(dice)))
    }

    /// What is done to each die before it is compared is done backwards to what it is compared with. Tens cancel ones
    /// only where these are counted.
    fn shifted_back(&self, tally: Vec<(Change, Span)>, before: &[(Infix, i64, Span)]) -> Parsed<Vec<(Modifier, Span)>> {
        let failing = tally.iter().any(|(one, _)| matches!(one, Change::Modifier(Modifier::Failures(_))));
        let mut out = Vec::new();
        for (change, at) in tally {
            let Change::Modifier(mut modifier) = change else { continue };
            if matches!(modifier, Modifier::Together(Together::TensForOnes)) && !failing {
                continue;
            }
            if let Modifier::Successes(test, _) | Modifier::Failures(test) = &mut modifier
                && let Arg::Number(mut n) = test.arg
            {
                for (sign, by, span) in before.iter().rev() {
                    let Some(moved) = back(*sign, *by, test.by, n) else {
                        return Mistake::new(*span, "this number can't be applied to each die here").fail();
                    };
                    n = moved;
                }
                // No die is below 1.
                let least = i64::from(test.by == Compare::AtLeast);
                *test = Test { by: test.by, arg: Arg::Number(n.max(least)) };
            }
            out.push((modifier, at));
        }
        Ok(out)
    }

    /// Dice with their modifiers in the order in which they apply.
    fn arranged_dice(&mut self, pool: Pool) -> Parsed<NodeId> {
        let Pool { span, source, mut changes } = pool;
        let has = |wanted: fn(&Change) -> bool| changes.iter().find(|(one, _)| wanted(one)).map(|(_, at)| *at);
        let rerolls = has(|one| matches!(one, Change::Modifier(Modifier::Reroll(..)))).is_some();
        if let (Some(at), true, Some(_)) =
            (has(implodes), rerolls, has(|one| matches!(one, Change::Modifier(Modifier::Explode(_)))))
        {
            return Mistake::new(at, "dice can't implode, explode and be rerolled here").fail();
        }
        sort::by_key(&mut changes, |(change, _)| if rerolls && implodes(change) { 2 } else { rank(change) });
        let (source, changes) = self.with_extra(source, changes);
        let modifiers = self.kept_exactly(&source, changes)?;
        Ok(self.nodes.add(span, Expr::Dice(Box::new(Dice { source, modifiers }))))
    }

    /// How many dice are written.
    fn written_count(&self, source: &Source) -> i64 {
        match source {
            Source::Roll(Some(count), _) => match self.nodes.expr(*count) {
                Expr::Number(n) => *n,
                _ => 1,
            },
            _ => 1,
        }
    }

    /// `adv1`, `dis2`: more dice, of which as many are dropped before anything else happens.
    fn with_extra(&mut self, source: Source, changes: Vec<(Change, Span)>) -> (Source, Vec<(Change, Span)>) {
        let (mut level, mut at, mut rest) = (0i64, None, Vec::new());
        for (change, span) in changes {
            match change {
                Change::Extra(keep, n) => {
                    level = level.saturating_add(if keep == Keep::ButLow { n } else { -n });
                    at.get_or_insert(span);
                }
                change => rest.push((change, span)),
            }
        }
        let (Some(at), Source::Roll(_, sides), true) = (at, &source, level != 0) else { return (source, rest) };
        let dice = self.written_count(&source).saturating_add(level.saturating_abs());
        let keep = if level > 0 { Keep::ButLow } else { Keep::ButHigh };
        rest.insert(0, (Change::Modifier(Modifier::Keep(keep, Arg::Number(level.saturating_abs()))), at));
        let count = self.nodes.add(at, Expr::Number(dice));
        (Source::Roll(Some(count), sides.clone()), rest)
    }

    /// Keep and drop by the bot's own rules: the last die is never dropped, unless it was the only one; of the middle,
    /// the lower dice stay.
    fn kept_exactly(&self, source: &Source, changes: Vec<(Change, Span)>) -> Parsed<Vec<(Modifier, Span)>> {
        let written = self.written_count(source);
        let (mut there, mut out) = (Some(written), Vec::new());
        for (change, span) in changes {
            let mut keeps = |keep: Keep, n: i64| out.push((Modifier::Keep(keep, Arg::Number(n)), span));
            let unknown = || Mistake::new(span, "this needs a plain number of dice here").fail();
            there = match (change, there) {
                (Change::Middle(_), None) => return unknown(),
                (Change::Middle(n), Some(many)) => {
                    let (dropped, low) = ((many - n).max(0), (many - n).max(0) / 2);
                    if dropped > 0 {
                        keeps(Keep::ButLow, low);
                        keeps(Keep::ButHigh, dropped - low);
                    }
                    Some(many - dropped)
                }
                (Change::Modifier(Modifier::Keep(Keep::ButLow, Arg::Number(n))), Some(many)) => {
                    match many {
                        1 => keeps(Keep::ButLow, 1),
                        _ if n >= many => keeps(Keep::High, 1),
                        _ => keeps(Keep::ButLow, n),
                    }
                    Some((many - n).max(i64::from(many > 1)))
                }
                (Change::Modifier(Modifier::Keep(Keep::ButLow, Arg::Number(n))), None) if n >= written => {
                    return unknown();
                }
                (Change::Modifier(Modifier::Keep(keep @ (Keep::High | Keep::Low), Arg::Number(n))), there) => {
                    if there.is_none_or(|many| n < many) {
                        keeps(keep, n);
                    }
                    there.map(|many| many.min(n)).or_else(|| (n <= written).then_some(n))
                }
                (Change::Modifier(modifier), there) => {
                    let known = !matches!(modifier, Modifier::Explode(_));
                    let left = match modifier {
                        Modifier::Keep(_, Arg::Number(n)) => there.map(|many| (many - n).max(0)),
                        _ => there,
                    };
                    out.push((modifier, span));
                    left.filter(|_| known)
                }
                (Change::Extra(..), there) => there,
            };
        }
        Ok(out)
    }
}

/// When something has its turn.
fn rank(change: &Change) -> u8 {
    match change {
        Change::Extra(..) => 0,
        Change::Modifier(Modifier::Implode(_)) => 1,
        Change::Modifier(Modifier::Keep(..)) | Change::Middle(_) => 3,
        Change::Modifier(_) => 2,
    }
}

/// What a die is compared with before a number was applied to it: `x + 2 >= 8` is `x >= 6`.
fn back(sign: Infix, by: i64, compare: Compare, n: i64) -> Option<i64> {
    let up = compare == Compare::AtLeast;
    match sign {
        Infix::Plus => n.checked_sub(by),
        Infix::Minus => n.checked_add(by),
        Infix::Times if by > 0 => {
            let down = n.div_euclid(by);
            if up && n.rem_euclid(by) > 0 { down.checked_add(1) } else { Some(down) }
        }
        // Dice are above 0, and so is every quotient that matters.
        Infix::Over if by > 0 && n >= 0 => {
            let first = n.checked_mul(by)?;
            if up { Some(first) } else { first.checked_add(by - 1) }
        }
        _ => None,
    }
}
