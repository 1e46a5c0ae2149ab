//! Some of rolled dice, picked without looking.
//!
//! Meaning: list the collection, then every choice of its members. But which of n dice are picked does
//! not depend on what they show: k of n equal dice are k such dice, and of several kinds the numbers of
//! each are those of drawing without replacement, `Π C(nᵢ, kᵢ) / C(n, k)`. Accepts dice that were not
//! looked at, each with one face, and a known number. Cost: the ways to divide k among the kinds.

use crate::dist::Dist;
use crate::law::{Bunch, Law, Part, Source};
use crate::method::{Answers, Method};
use crate::outcome::{Outcome, Stop};
use crate::weight::binomials;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Budget, Value, chance};

/// Dice picked at random from rolled dice, by exchangeability.
pub static METHOD: Method = Method {
    name: "exchangeability",
    does: "dice picked at random are distributed like any others",
    answers: Answers::None,
};

/// More ways than this to divide the picks among kinds of dice are listed instead.
const MOST_WAYS: usize = 64;
/// Of more dice the binomials are too long to be worth it.
const MOST_DICE: u64 = 10_000;

/// One of the dice; none if they must be looked at.
pub(crate) fn one(pool: &Law, budget: &mut Budget) -> Result<Option<Law>, Stop> {
    let Some((bunch, all)) = unseen(pool).filter(|(_, all)| *all > 0) else { return Ok(None) };
    let mut shares: Vec<(UBig, Dist)> = Vec::with_capacity(bunch.parts.len());
    for part in &bunch.parts {
        let Source::Each(die) = &part.source else { return Ok(None) };
        let member = |outcome: &Outcome| match outcome.known().and_then(Value::as_pool) {
            Some([one]) => Outcome::Known(one.clone()),
            _ => outcome.clone(),
        };
        shares.push((UBig::from(part.times), die.map(budget, |outcome, _| Ok(member(outcome)))?));
    }
    let shares: Vec<(UBig, &Dist)> = shares.iter().map(|(share, die)| (share.clone(), die)).collect();
    Ok(Some(Dist::mix(&shares, &UBig::from(all), budget)?.into()))
}

/// Dice that nobody has looked at, each with one face, and how many there are.
fn unseen(pool: &Law) -> Option<(&Bunch, u64)> {
    let ([], [(bunch, _)]) = (pool.known.as_slice(), pool.lazy.as_slice()) else { return None };
    let all = bunch.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.times));
    let fits = bunch.stages.is_empty() && !bunch.list && all <= MOST_DICE && bunch.parts.iter().all(one_each);
    fits.then_some((bunch, all))
}

/// What is picked, still in parts; none if the dice must be looked at.
pub(crate) fn several(pool: &Law, count: &Law, budget: &mut Budget) -> Result<Option<Law>, Stop> {
    let (Some(Outcome::Known(count)), Some((bunch, all))) = (count.certain(), unseen(pool)) else { return Ok(None) };
    let picks = chance::picks(count, all as usize)? as u64;
    let Some(ways) = divided(&bunch.parts, picks) else { return Ok(None) };
    budget.step(ways.len() as u64 * (10 + all / 8))?;
    let share = |taken: &[u64]| -> UBig {
        bunch.parts.iter().zip(taken).map(|(part, k)| binomials(part.times)[*k as usize].clone()).product()
    };
    let picked = |taken: &[u64]| {
        let parts = bunch.parts.iter().zip(taken).filter(|(_, k)| **k > 0);
        Bunch::pool(parts.map(|(part, k)| Part { times: *k, source: part.source.clone() }).collect())
    };
    let lazy = ways.iter().map(|taken| (Rc::new(picked(taken)), share(taken))).collect();
    Ok(Some(Law::new(binomials(all)[picks as usize].clone(), vec![], lazy)))
}

/// Whether each copy of a part is one member.
fn one_each(part: &Part) -> bool {
    let one = |outcome: &Outcome| matches!(outcome.known().and_then(Value::as_pool), Some([_]));
    matches!(&part.source, Source::Each(dist) if dist.items.iter().all(|(outcome, _)| one(outcome)))
}

/// All ways to take so many from the parts together; none if there are too many.
fn divided(parts: &[Part], picks: u64) -> Option<Vec<Vec<u64>>> {
    let mut ways: Vec<(Vec<u64>, u64)> = vec![(vec![], picks)];
    let mut behind: u64 = parts.iter().map(|part| part.times).sum();
    for part in parts {
        behind -= part.times;
        let longer = |(taken, left): &(Vec<u64>, u64)| {
            let most = part.times.min(*left);
            let (taken, left) = (taken.clone(), *left);
            (left.saturating_sub(behind)..=most).map(move |k| ([taken.as_slice(), &[k]].concat(), left - k))
        };
        ways = ways.iter().flat_map(longer).collect();
        if ways.len() > MOST_WAYS {
            return None;
        }
    }
    Some(ways.into_iter().map(|(taken, _)| taken).collect())
}
