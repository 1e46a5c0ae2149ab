//! Keep and drop of RPG Dice Roller, which all look at the same dice: those that one of them drops are gone.
//!
//! Of `n` dice in order, each modifier leaves a row of places, and what all of them leave is a row again:
//!
//! ```text
//! kh a   n-a .. n        dl a   a .. n
//! kl a   0 .. a          dh a   0 .. n-a
//! ```
//!
//! Of two modifiers of the same name the later one counts, whatever they do: `4d6!r1!` explodes once. More than there are, `kh` and `dh` count from the other end, as
//! the tool does: `2d6kh3` keeps one die, `2d6dh3` drops one.

use super::parse::Parser;
use super::syntax::{Arg, Keep, Modifier, Source};
use crate::mistake::{Mistake, Parsed};
use std::mem::discriminant;
use tumble_core::Span;

/// Modifiers and where they are written.
type Modifiers = Vec<(Modifier, Span)>;

impl Parser<'_> {
    /// The same dice kept by modifiers that look at what is left.
    pub(super) fn kept_of_all(&self, source: &Source, mut modifiers: Modifiers) -> Parsed<Modifiers> {
        let keep = |modifier: &Modifier| if let Modifier::Keep(keep, _) = modifier { Some(*keep) } else { None };
        let Some(first) = modifiers.iter().position(|(modifier, _)| keep(modifier).is_some()) else {
            return Ok(modifiers);
        };
        let explodes = |(modifier, _): &(Modifier, Span)| matches!(modifier, Modifier::Explode(one) if !one.compound);
        let (most, grows) = (self.members(source), modifiers.iter().any(explodes));
        let keeps: Modifiers = modifiers.iter().filter(|(modifier, _)| keep(modifier).is_some()).cloned().collect();
        if keeps.iter().all(|(modifier, _)| plain(modifier, most)) && keeps.len() == 1
            || matches!(source, Source::Within(_))
        {
            return Ok(modifiers);
        }
        let span = keeps.iter().fold(keeps[0].1, |all, (_, span)| all.to(*span));
        let Some(there) = most.filter(|_| !grows) else {
            return Mistake::new(span, "a keep and a drop need a plain number of dice here").fail();
        };
        let Some((lo, hi)) = places(&keeps, there) else {
            return Mistake::new(span, "a keep and a drop need plain numbers here").fail();
        };
        modifiers.retain(|(modifier, _)| keep(modifier).is_none());
        let kept = |keep: Keep, n: i64| (Modifier::Keep(keep, Arg::Number(n)), span);
        let row = match (lo, hi) {
            _ if hi <= lo => vec![kept(Keep::High, 0)],
            (_, hi) if hi == there => vec![kept(Keep::High, there - lo)],
            (0, _) => vec![kept(Keep::Low, hi)],
            _ => vec![kept(Keep::ButLow, lo), kept(Keep::ButHigh, there - hi)],
        };
        modifiers.splice(first..first, row);
        Ok(modifiers)
    }
}

/// The modifiers that the tool knows: it keeps them under their names, so that a later one takes the place of an
/// earlier one. The failures of a target belong to that target.
pub(super) fn latest(modifiers: Modifiers) -> Modifiers {
    let replaces = |later: &Modifier, one: &Modifier| match (later, one) {
        (Modifier::Successes(..), Modifier::Failures(_)) => true,
        (Modifier::Keep(later, _), Modifier::Keep(one, _)) => later == one,
        (Modifier::Bound(later, _), Modifier::Bound(one, _)) => later == one,
        _ => discriminant(later) == discriminant(one),
    };
    let stays = |at: usize| !modifiers[at + 1..].iter().any(|(later, _)| replaces(later, &modifiers[at].0));
    let stay: Vec<bool> = (0..modifiers.len()).map(stays).collect();
    modifiers.into_iter().zip(stay).filter_map(|(modifier, stays)| stays.then_some(modifier)).collect()
}

/// Whether a modifier alone does the same in every tool: it never asks for more dice than there are.
fn plain(modifier: &Modifier, most: Option<i64>) -> bool {
    match modifier {
        Modifier::Keep(Keep::High | Keep::ButHigh, Arg::Number(n)) => most.is_some_and(|most| *n <= most),
        _ => true,
    }
}

/// The first place that is kept, and the one after the last.
fn places(keeps: &[(Modifier, Span)], there: i64) -> Option<(i64, i64)> {
    let (mut lo, mut hi) = (0, there);
    for (modifier, _) in keeps {
        let Modifier::Keep(keep, Arg::Number(n)) = modifier else { return None };
        let over = n.saturating_sub(there);
        // Beyond all of them it is counted from the other end, and beyond that there are none.
        let turned = if over > 0 { over.min(there) } else { *n };
        match keep {
            Keep::High => lo = lo.max(there - turned),
            Keep::ButHigh => hi = hi.min(there - turned),
            Keep::Low => hi = hi.min(*n),
            Keep::ButLow => lo = lo.max(*n),
            Keep::Middle => return None,
        }
    }
    Some((lo, hi))
}
