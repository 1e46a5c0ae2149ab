//! Views of one kind of dice, face by face, in tables.
//!
//! Meaning: that of [`sweep`](crate::algo::sweep), for dice that are all alike and always show a
//! face, and views with at most one scan. What the views have seen so far is numbered, how many dice
//! of those that are left show a face decides how many of them each view keeps, and both together
//! lead to the next number; so the inner loop only multiplies and adds. Cost: faces × dice² / 2 ×
//! numbers.

use crate::algo::dice::{Dice, Face, dice};
use crate::algo::sweep::{Seen, fits, holds_little};
use crate::law::Bunch;
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use crate::weight::{Weight, binomials, cost_of, in_lane, powers};
use dashu_int::UBig;
use tumble_core::Fault;
use tumble_core::prim::{Rank, Shape};

/// The joint distribution of the views.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let one_scan = |view: &View| {
        view.stages.iter().filter(|stage| matches!(stage.row.shape, Shape::Scan(_))).count() <= 1 && fits(view)
    };
    if !views.iter().all(one_scan) || !holds_little(views) {
        return Ok(None);
    }
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let [group] = dice.groups.as_slice() else { return Ok(None) };
    if !group.nothing.is_zero() || !group.faces.keys().all(|face| matches!(face, Face::Shows(_))) {
        return Ok(None);
    }
    crate::algo::sweep::check_arguments(desk, views)?;
    let count = group.count.saturating_mul(group.count);
    desk.budget.step((count / 4).saturating_mul(cost_of(dice.bits())))?;
    in_lane!(dice.bits(), swept, desk, &dice, views).map(Some)
}

/// What the views have seen, each combination with a number.
struct Numbers {
    of: HashMap<Vec<Outcome>, u32>,
    seen: Vec<Vec<Seen>>,
}

const UNKNOWN: u32 = u32::MAX;

impl Numbers {
    fn number(&mut self, seen: Vec<Seen>) -> Result<u32, Stop> {
        let key: Vec<Outcome> = seen.iter().map(|seen| seen.so_far.clone()).collect();
        let next = u32::try_from(self.seen.len()).map_err(|_| Fault::limit("too many situations"))?;
        Ok(*self.of.entry(key).or_insert_with(|| {
            self.seen.push(seen);
            next
        }))
    }
}

/// The weights by dice left and number; a row may be shorter than there are numbers.
type Rows<W> = Vec<Vec<W>>;

fn swept<W: Weight>(desk: &mut Desk<'_>, dice: &Dice, views: &[View]) -> Result<Joint, Stop> {
    let group = &dice.groups[0];
    let count = group.count as usize;
    let ways: Vec<Vec<W>> = (0..=group.count).map(|n| binomials(n).iter().map(W::narrow).collect()).collect();
    let mut numbers = Numbers { of: HashMap::default(), seen: vec![] };
    numbers.number(views.iter().map(Seen::new).collect())?;
    let mut rows: Rows<W> = vec![vec![]; count + 1];
    rows[count] = vec![W::narrow(&UBig::ONE)];
    for (place, (face, weight)) in group.faces.iter().enumerate() {
        let last = place + 1 == group.faces.len();
        let powers: Vec<W> = powers(weight, group.count).iter().map(W::narrow).collect();
        let mut moves = Moves { views, face, total: group.count, kept: vec![], numbers: HashMap::default() };
        let mut next: Rows<W> = vec![vec![]; count + 1];
        for (left, row) in rows.iter().enumerate() {
            for show in (if last { left } else { 0 })..=left {
                if row.is_empty() {
                    continue;
                }
                let (ways, by) = (ways[left][show].times(&powers[show]), moves.at(left, show, desk)?);
                step(desk, row, &mut next[left - show], &ways, &mut numbers, &mut moves, by)?;
            }
        }
        holdable::<W>(desk, &next, dice.bits())?;
        rows = next;
    }
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    let mut listed = UBig::ZERO;
    for (seen, weight) in numbers.seen.into_iter().zip(rows.swap_remove(0)) {
        let weight = weight.widen();
        listed += &weight;
        weights.insert(seen.into_iter().map(|seen| seen.so_far).collect(), weight);
    }
    let den = dice.den();
    if let Some((beyond, weight)) = dice.rest(&listed, &den) {
        *weights.entry(vec![beyond; views.len()]).or_insert(UBig::ZERO) += weight;
    }
    Ok(Joint::new(weights, den))
}

/// Where each number leads, by how many dice of the face each view keeps.
struct Moves<'a> {
    views: &'a [View],
    face: &'a Face,
    total: u64,
    /// What each view keeps, and where that leads.
    kept: Vec<(Kept, Vec<u32>)>,
    numbers: HashMap<Kept, usize>,
}

/// What each view keeps of a face.
type Kept = Vec<Option<(Outcome, u64)>>;

impl Moves<'_> {
    /// The number of the move when `show` of `left` dice show the face; none if it changes nothing.
    fn at(&mut self, left: usize, show: usize, desk: &mut Desk<'_>) -> Result<Option<usize>, Stop> {
        let (left, here) = (left as u64, show as u64);
        let rank = Rank { below: self.total - left, here, above: left - here };
        let stays = |view: &View| {
            desk.budget.step(5)?;
            Seen::new(view).stays(view, self.face, rank, &mut desk.budget)
        };
        let kept: Kept = if show == 0 { vec![] } else { self.views.iter().map(stays).collect::<Result<_, _>>()? };
        if kept.iter().all(|stays| matches!(stays, Some((_, 0)))) {
            return Ok(None);
        }
        let next = self.kept.len();
        let number = *self.numbers.entry(kept.clone()).or_insert(next);
        if number == next {
            self.kept.push((kept, vec![]));
        }
        Ok(Some(number))
    }

    fn lead(
        &mut self,
        from: usize,
        by: Option<usize>,
        numbers: &mut Numbers,
        desk: &mut Desk<'_>,
    ) -> Result<usize, Stop> {
        let Some(number) = by else { return Ok(from) };
        let (kept, known) = &mut self.kept[number];
        if known.len() <= from {
            known.resize(numbers.seen.len().max(from + 1), UNKNOWN);
        }
        if known[from] == UNKNOWN {
            let mut seen = numbers.seen[from].clone();
            for ((seen, view), stays) in seen.iter_mut().zip(self.views).zip(kept.iter()) {
                desk.budget.step(5 + crate::outcome::size(&seen.so_far))?;
                seen.take(view, stays.clone(), &mut desk.budget)?;
            }
            known[from] = numbers.number(seen)?;
        }
        Ok(known[from] as usize)
    }
}

/// Moves one row of weights on.
fn step<W: Weight>(
    desk: &mut Desk<'_>,
    row: &[W],
    next: &mut Vec<W>,
    ways: &W,
    numbers: &mut Numbers,
    moves: &mut Moves<'_>,
    by: Option<usize>,
) -> Result<(), Stop> {
    desk.budget.step(1 + row.len() as u64 / 4)?;
    for (from, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
        let to = moves.lead(from, by, numbers, desk)?;
        if next.len() <= to {
            next.resize(to + 1, W::zero());
        }
        next[to] += &weight.times(ways);
    }
    Ok(())
}

fn holdable<W>(desk: &Desk<'_>, rows: &Rows<W>, bits: u64) -> Result<(), Stop> {
    let cells: u64 = rows.iter().map(|row| row.len() as u64).sum();
    if cells.saturating_mul(size_of::<W>() as u64 + bits / 16) > desk.budget.limits().bytes / 4 {
        let message = format!("keeping track of {cells} different situations at once is too much");
        return Err(Fault::limit(message).hint("use fewer dice, or ask for a sum, a count, or the largest few").into());
    }
    Ok(())
}
