//! One instruction for what everyone writes: the sum of a few dice, or of all but one, or of one.
//!
//! ```text
//! Throw   (largest or least)   Sum      =     Total
//! ```
//!
//! The dice are the same, and so are the steps; they are paid before the dice fall, so that a limit is
//! met no later. Only the collections in between are never made.

use super::row::{Operand, Row};
use super::run::Stacks;
use super::{Op, Step, Unsure};
use crate::source::{Sides, Source};
use tumble_core::Limits;

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
    /// The instruction that stands for these two and a sum.
    pub(super) fn of(throw: &Step, then: &Step) -> Option<Step> {
        let Op::Throw { count, lo, hi, site } = throw.op else { return None };
        let (part, rows) = match then.op {
            Op::Pay => (Part::All, then.each),
            Op::Row(Row::Keep { wanted: Operand::Known(wanted), largest, .. }) => {
                (part(count, u64::try_from(wanted).ok()?, largest)?, then.each + 1)
            }
            _ => return None,
        };
        // No sum of these dice is too large.
        lo.unsigned_abs().max(hi.unsigned_abs()).checked_mul(count).filter(|sum| *sum < i64::MAX as u64)?;
        let cost = rows.checked_mul(count)?.checked_add(throw.cost)?.checked_add(then.cost)?;
        Some(Step { cost, each: throw.each, op: Op::Total(Total { count, lo, hi, site, part }) })
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

fn part(count: u64, wanted: u64, largest: bool) -> Option<Part> {
    match (count, wanted, largest) {
        _ if wanted >= count => Some(Part::All),
        (_, 1, true) => Some(Part::Most),
        (_, 1, false) => Some(Part::Least),
        _ if wanted + 1 < count => None,
        (_, _, true) => Some(Part::ButLeast),
        (_, _, false) => Some(Part::ButMost),
    }
}
