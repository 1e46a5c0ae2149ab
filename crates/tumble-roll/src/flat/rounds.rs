//! Loops in flat code. The results of the passes are collected as one collection on top of the stack.

use super::run::Stacks;
use super::{Drop, Op, Unsure};
use tumble_core::Budget;

/// An open loop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Round {
    /// Passes made so far, and to be made.
    pub(super) pass: u64,
    passes: u64,
    /// The dice before this pass.
    before: usize,
    /// Where the members to go over begin.
    over: usize,
    /// Whether its results are collected without a known number of passes.
    listed: bool,
}

impl Stacks {
    /// The instructions of loops; gives the place to go on from.
    pub(super) fn loops(&mut self, op: Op, at: usize, budget: &mut Budget) -> Result<usize, Unsure> {
        match op {
            Op::Times => {
                let passes = u64::try_from(self.pop()).map_err(|_| Unsure)?;
                if passes > budget.limits().draws {
                    return Err(Unsure);
                }
                budget.members(passes)?;
                self.rounds.push(Round { passes, ..Round::default() });
                self.open();
            }
            Op::Over => {
                let (over, passes) = (self.start(), self.top().len() as u64);
                budget.members(passes)?;
                self.rounds.push(Round { passes, over, ..Round::default() });
                self.open();
            }
            Op::Until { listed } => {
                self.rounds.push(Round { listed, ..Round::default() });
                if listed {
                    self.open();
                }
            }
            Op::Loop => self.rounds.push(Round::default()),
            Op::Next { end, member } => return self.next(end, member, at, budget),
            Op::Pass => {
                budget.step(1)?;
                let before = self.tape.fell();
                let round = self.rounds.last_mut().ok_or(Unsure)?;
                round.pass += 1;
                round.before = before;
                if round.listed {
                    budget.room(round.pass)?;
                }
            }
            Op::Collect { number } => {
                if number {
                    let number = self.pop();
                    self.members.push(number);
                } else {
                    self.starts.pop();
                }
                budget.room(self.top().len() as u64)?;
            }
            Op::Again { most, back, drops } => return self.back(most, back, drops, at),
            Op::End => drop(self.rounds.pop()),
            _ => return Err(Unsure),
        }
        Ok(at)
    }

    /// The next pass of a loop with a known number of them.
    fn next(&mut self, end: usize, member: Option<usize>, at: usize, budget: &mut Budget) -> Result<usize, Unsure> {
        let round = self.rounds.last_mut().ok_or(Unsure)?;
        if round.pass < round.passes {
            budget.step(1)?;
            if let Some(slot) = member {
                self.numbers[slot] = self.members[round.over + round.pass as usize];
            }
            round.pass += 1;
            return Ok(at);
        }
        let Round { over, passes, .. } = *round;
        if member.is_some() {
            // The results take the place of what was gone over.
            self.members.drain(over..over + passes as usize);
            self.starts.pop();
        }
        self.rounds.pop();
        Ok(end)
    }

    /// The end of a pass of an until.
    fn back(&mut self, most: Option<u64>, back: usize, drops: Option<Drop>, at: usize) -> Result<usize, Unsure> {
        let holds = self.pop() != 0;
        let round = self.rounds.last().ok_or(Unsure)?;
        if holds || most.is_some_and(|most| round.pass >= most) {
            return Ok(at);
        }
        if most.is_none() && round.before == self.tape.fell() {
            return Err(Unsure);
        }
        match drops {
            Some(Drop::Number) => drop(self.pop()),
            Some(Drop::Members) => self.close(),
            None => {}
        }
        Ok(back)
    }
}
