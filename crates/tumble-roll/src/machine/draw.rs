//! Draws: from faces to a value, through the source.
//!
//! A draw appends `r` to the path. The dice of a plain `Repeat`, and the picks of a draw without
//! replacement, share that path and are told apart by their index; so a roll of more dice keeps the
//! first ones. The letter is left also when there was no die at all.

use super::{Machine, Todo};
use crate::source::{Die, Shows, Sides, Source};
use crate::trace::Step;
use crate::watch::Watch;
use tumble_core::sort;
use tumble_core::{Budget, Code, Faces, Fault, TermId, Value, chance};

/// Bytes of path that cost as much as one step.
pub(super) const BYTES_PER_STEP: u64 = 8;

impl<'p, S: Source + ?Sized, W: Watch> Machine<'_, 'p, S, W> {
    /// Evaluates what a draw chooses from.
    pub(super) fn eval_faces(&mut self, faces: &Faces) {
        match faces {
            Faces::Range { lo, hi } => self.eval_all(&[*lo, *hi]),
            Faces::Weighted(_) => {}
            Faces::Member { pool } => self.eval(*pool),
            Faces::Members { pool, count } => self.eval_all(&[*pool, *count]),
        }
    }

    /// One draw, its faces given.
    pub(super) fn draw(&mut self, id: TermId, faces: &'p Faces) -> Result<(), Fault> {
        if let Faces::Members { .. } = faces {
            return self.draw_members(id);
        }
        self.budget.draw(1)?;
        self.open_dice(id);
        self.fall(id, faces, 1)?;
        self.close();
        Ok(())
    }

    /// The number of plain dice is given; their faces are next, once for all dice.
    pub(super) fn dice(&mut self, id: TermId, faces: &'p Faces) -> Result<(), Fault> {
        let times = self.pop();
        let reasons = self.watch.counts(&times, &mut self.budget)?;
        let count = self.repetitions(&times)?;
        self.budget.draw(count)?;
        self.budget.members(count)?;
        if count == 0 {
            self.space.path.letter('r');
            self.push(Value::list(vec![]));
            return Ok(());
        }
        // It was a number from 0 to 2^63 - 1.
        self.push(Value::int(count as i64));
        self.todo(id, Todo::DrawAll(faces, reasons.and_then(|list| u32::try_from(list).ok())));
        self.eval_faces(faces);
        Ok(())
    }

    /// The number of plain dice and their faces are given; `reasons` lists the dice that they are rolled for.
    pub(super) fn draw_all(&mut self, id: TermId, faces: &'p Faces, reasons: Option<u32>) -> Result<(), Fault> {
        let operands = match faces {
            Faces::Range { .. } | Faces::Members { .. } => 2,
            Faces::Weighted(_) => 0,
            Faces::Member { .. } => 1,
        };
        let at = self.space.values.len() - operands - 1;
        let count = chance::times(&self.space.values[at])?;
        let before = self.drawn;
        self.open_dice(id);
        self.fall(id, faces, count)?;
        if let Some(list) = reasons {
            (0..count).for_each(|place| self.watch.counted(list as usize, place, before + place..before + place + 1));
        }
        let dice = self.space.values.drain(at + 1..).collect();
        self.space.values[at] = Value::list(dice);
        self.close();
        Ok(())
    }

    /// Replaces the faces given by what `count` dice with these faces show.
    fn fall(&mut self, id: TermId, faces: &'p Faces, count: u64) -> Result<(), Fault> {
        match faces {
            Faces::Range { .. } => {
                let (hi, lo) = (self.operand()?, self.operand()?);
                chance::faces(&lo, &hi)?;
                let (lo, hi) = (lo.as_int().unwrap_or(0), hi.as_int().unwrap_or(0));
                let sides = Sides::Range { lo, hi };
                for index in 0..count {
                    self.one(id, index, sides, Shows::Numbers, |face| Value::int(lo.wrapping_add(face as i64)))?;
                }
            }
            Faces::Weighted(weighted) => {
                let plan = self.plan;
                let ends = plan.ends(id);
                let sides = Sides::Pick { of: ends.last().copied().unwrap_or(0) };
                for index in 0..count {
                    self.one(id, index, sides, Shows::Weighted(weighted), |face| {
                        weighted[ends.partition_point(|end| *end <= face)].0.clone()
                    })?;
                }
            }
            Faces::Member { .. } | Faces::Members { .. } => {
                let pool = self.pop();
                let members = chance::some_members(&pool)?;
                let sides = Sides::Pick { of: members.len() as u64 };
                for index in 0..count {
                    self.one(id, index, sides, Shows::Members(members), |face| members[face as usize].clone())?;
                }
                let taken = &self.space.values[self.space.values.len() - count as usize..];
                self.watch.chosen(&pool, taken, &mut self.budget)?;
            }
        }
        Ok(())
    }

    /// A draw without replacement; the members keep their order.
    fn draw_members(&mut self, id: TermId) -> Result<(), Fault> {
        let (count, pool) = (self.operand()?, self.pop());
        let members = chance::members(&pool)?;
        let wanted = chance::picks(&count, members.len())?;
        self.budget.draw(wanted as u64)?;
        self.budget.members(members.len() as u64)?;
        self.open_dice(id);
        // The last member left takes the place of the one picked, so that a pick costs the same in a
        // large collection as in a small one.
        let mut left = members.to_vec();
        let mut places: Vec<usize> = (0..left.len()).collect();
        let mut picked = Vec::with_capacity(wanted);
        for index in 0..wanted {
            let sides = Sides::Pick { of: left.len() as u64 };
            let mut at = 0;
            self.one(id, index as u64, sides, Shows::Members(&left), |face| {
                at = face as usize;
                left[at].clone()
            })?;
            left.swap_remove(at);
            picked.push((places.swap_remove(at), self.pop()));
        }
        sort::by_key(&mut picked, |(place, _)| *place);
        let picked = Value::pool(picked.into_iter().map(|(_, member)| member).collect());
        self.watch.chosen(&pool, std::slice::from_ref(&picked), &mut self.budget)?;
        self.push(picked);
        self.close();
        Ok(())
    }

    /// Asks the source for one die, paid for already, and pushes what it shows.
    #[inline]
    fn one(
        &mut self,
        id: TermId,
        index: u64,
        sides: Sides,
        shows: Shows<'_>,
        show: impl FnOnce(u64) -> Value,
    ) -> Result<(), Fault> {
        let path = self.space.path.text();
        self.budget.step(path.len() as u64 / BYTES_PER_STEP)?;
        let die = Die { path, index, version: 0, sides, shows };
        let face = self.source.draw(&die)?;
        if face > sides.last() {
            return Err(Fault::new(Code::Request, format!("a die with faces {sides} has no face number {face}")));
        }
        self.drawn += 1;
        let mut shown = show(face);
        let mark = self.watch.die(&die, face, &shown, self.plan.program.span(id));
        if shown.mark.index().is_none() {
            shown.mark = mark;
        }
        self.space.values.push(shown);
        Ok(())
    }

    fn open_dice(&mut self, id: TermId) {
        self.space.path.letter('r');
        self.watch.open(|| Step::Dice, self.plan.program.span(id));
    }

    /// The value on top, which decides how something is rolled.
    pub(super) fn operand(&mut self) -> Result<Value, Fault> {
        let value = self.pop();
        self.watch.used(&value, &mut self.budget)?;
        Ok(value)
    }

    /// How often to repeat: no more often than dice are allowed in all.
    pub(super) fn repetitions(&mut self, times: &Value) -> Result<u64, Fault> {
        let count = chance::times(times)?;
        if count > self.budget.limits().draws {
            Budget::new(self.budget.limits().clone()).draw(count)?;
        }
        Ok(count)
    }
}
