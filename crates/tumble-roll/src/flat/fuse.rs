//! One instruction for what everyone writes: the sum of a few dice, or of all but one, or of one.
//!
//! ```text
//! Throw   (rows that keep by rank)   Sum      =     Total
//! ```
//!
//! The dice are the same, and so are the steps; they are paid before the dice fall, so that a limit is
//! met no later. Only the collections in between are never made.

use super::row::{Operand, Row};
use super::run::Stacks;
use super::{Op, Step, Unsure};
use crate::source::{Sides, Source};
use tumble_core::prim::Ordered;
use tumble_core::{Budget, Limits};

/// Rows are tried on so many dice at most.
const MOST_TRIED: i64 = 1_000;

/// The sum of some of so many dice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    pub(super) count: u64,
    pub(super) lo: i64,
    pub(super) hi: i64,
    pub(super) site: usize,
    pub(super) part: Part,
}

/// Which of the dice are added.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    All,
    ButLeast,
    ButMost,
    Least,
    Most,
}

impl Total {
    /// The instruction for the sum of what these leave, and the place of the first it stands for: dice, then rows that keep
    /// some of them by rank. What those rows do and what they take is seen by trying them on dice that all differ.
    pub(super) fn of(steps: &[Step]) -> Option<(usize, Step)> {
        let first = steps.iter().rposition(|step| matches!(step.op, Op::Throw { .. }))?;
        let (throw, then) = steps[first..].split_first()?;
        let Op::Throw { count, lo, hi, site } = throw.op else { return None };
        // No sum of these dice is too large.
        lo.unsigned_abs().max(hi.unsigned_abs()).checked_mul(count).filter(|sum| *sum < i64::MAX as u64)?;
        let mut ranks: Vec<i64> = (0..i64::try_from(count).ok().filter(|count| *count <= MOST_TRIED)?).collect();
        let mut budget = Budget::new(Limits::default());
        for step in then {
            budget.step(step.each.checked_mul(ranks.len() as u64)?.checked_add(step.cost)?).ok()?;
            match step.op {
                Op::Pay => {}
                Op::Row(Row::Change { change, number: Operand::Known(number), ranked: true, .. }) => {
                    let left = change(number, &mut ranks, Ordered::Ascending, &mut budget).ok()?;
                    ranks.truncate(left);
                }
                _ => return None,
            }
        }
        let op = Op::Total(Total { count, lo, hi, site, part: Part::of(count, &ranks)? });
        Some((first, Step { cost: throw.cost.checked_add(budget.used())?, each: throw.each, op }))
    }

    /// A roll that is nothing but this; the same as [`Code::run`] does, without the loop.
    ///
    /// [`Code::run`]: super::Code::run
    #[inline]
    pub(super) fn alone<S: Source + ?Sized>(
        &self,
        cost: u64,
        stacks: &mut Stacks,
        source: &mut S,
        limits: &Limits,
    ) -> Result<(), Unsure> {
        // The dice are paid for as members of a collection.
        let steps = cost.saturating_add(self.count);
        if steps > limits.steps || self.count > limits.draws || self.count > limits.members {
            stacks.tape.reset(false, false);
            return Err(Unsure);
        }
        let sum = self.sum(stacks.tape.throw_alone(self.count, Sides::Range { lo: self.lo, hi: self.hi }, source)?);
        stacks.ints.clear();
        stacks.ints.push(sum);
        Ok(())
    }

    /// The sum, for dice that show these faces.
    #[inline]
    pub(super) fn sum(&self, faces: &[u64]) -> i64 {
        let (mut sum, mut least, mut most) = (0, u64::MAX, 0);
        for &face in faces {
            sum += face;
            least = least.min(face);
            most = most.max(face);
        }
        let all = self.count as i64;
        let (faces, dice) = match self.part {
            Part::All => (sum, all),
            Part::ButLeast => (sum - least, all - 1),
            Part::ButMost => (sum - most, all - 1),
            Part::Least => (least, 1),
            Part::Most => (most, 1),
        };
        // The sum fits, though its halves may not.
        (faces as i64).wrapping_add(dice.wrapping_mul(self.lo))
    }
}

impl Part {
    /// The part that has these ranks, from 0, of so many dice.
    fn of(count: u64, ranks: &[i64]) -> Option<Part> {
        let (all, left, highest) = (count as usize, ranks.len(), count as i64 - 1);
        match (ranks.first()?, ranks.last()?) {
            _ if left == all => Some(Part::All),
            (0, 0) => Some(Part::Least),
            (least, _) if left == 1 && *least == highest => Some(Part::Most),
            (1, last) if left + 1 == all && *last == highest => Some(Part::ButLeast),
            (0, last) if left + 1 == all && *last == highest - 1 => Some(Part::ButMost),
            _ => None,
        }
    }
}
