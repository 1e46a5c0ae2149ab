//! How many different faces n equal dice show.
//!
//! Meaning: `count(different(A))`. With s equally likely faces there are `C(s, d)` sets of d faces, and
//! the ways for n dice to show exactly those follow from one die less: the last die either repeats one
//! of d faces or is the first to show one of them, `T(n, d) = d · (T(n−1, d) + T(n−1, d−1))`. Accepts
//! one group of even dice. Cost: dice × faces additions.

use crate::algo::dice::{Face, dice};
use crate::dist::{Dist, Pile};
use crate::law::Bunch;
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Goal, View};
use crate::weight::{binomials, cost_of};
use dashu_int::UBig;
use tumble_core::prim::{self, Shape};

/// The distribution of the number of different faces.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, view: &View) -> Result<Option<Dist>, Stop> {
    let View { stages, goal: Goal::Fold(row) } = view else { return Ok(None) };
    let mut stages = stages.iter().filter(|stage| !matches!(stage.row.shape, Shape::Forget));
    let (Some(stage), None) = (stages.next(), stages.next()) else { return Ok(None) };
    if **row != prim::COUNT || *stage.row != prim::DIFFERENT {
        return Ok(None);
    }
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let [group] = dice.groups.as_slice() else { return Ok(None) };
    let mut weights = group.faces.values();
    let even = weights.next().is_some_and(|first| weights.all(|weight| weight == first));
    let shows = group.nothing.is_zero() && group.faces.keys().all(|face| matches!(face, Face::Shows(_)));
    if !even || !shows || dice.beyond.is_some() {
        return Ok(None);
    }
    let faces = group.faces.len();
    let most = faces.min(usize::try_from(group.count).unwrap_or(usize::MAX));
    desk.budget.step(group.count.saturating_mul(most as u64).saturating_mul(1 + cost_of(dice.bits())))?;
    let mut ways = vec![UBig::ZERO; most + 1];
    ways[0] = UBig::ONE;
    for _ in 0..group.count {
        for d in (1..=most).rev() {
            let before = std::mem::take(&mut ways[d - 1]);
            ways[d] += &before;
            ways[d] *= d as u64;
            ways[d - 1] = before;
        }
        ways[0] = UBig::ZERO;
    }
    let each = group.faces.values().next().map_or(UBig::ONE, |weight| weight.pow(group.count as usize));
    let mut pile = Pile::default();
    for ((d, ways), sets) in ways.iter().enumerate().zip(binomials(faces as u64)) {
        pile.add(Outcome::int(d as i64), &(ways * sets * &each));
    }
    Ok(Some(pile.over(dice.den())))
}
