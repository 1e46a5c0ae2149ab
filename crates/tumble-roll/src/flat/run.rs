//! Flat code at work.

use super::dice::Cast;
use super::rounds::Round;
use super::tape::Tape;
use super::{Code, Kind, Op, Place, Step, Unsure};
use crate::source::Source;
use tumble_core::{Budget, Limits, Value};

/// The stacks, to be used again by the next roll.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    /// Numbers and truths (0 and 1).
    pub(super) ints: Vec<i64>,
    /// The members of all collections.
    pub(super) members: Vec<i64>,
    /// Where each collection begins.
    pub(super) starts: Vec<usize>,
    pub(super) numbers: Vec<i64>,
    pools: Vec<Vec<i64>>,
    pub(super) rounds: Vec<Round>,
    pub(crate) tape: Tape,
}

impl Code {
    /// Rolls once; the value is found in `stacks`, and the dice too if they are to be noted.
    #[inline]
    pub(crate) fn run<S: Source + ?Sized>(
        &self,
        stacks: &mut Stacks,
        source: &mut S,
        limits: &Limits,
        noted: bool,
    ) -> Result<(), Unsure> {
        if let [Step { cost, each: 0, op: Op::Total(total) }] = self.steps.as_slice()
            && !noted
            && !source.needs_path()
        {
            return total.alone(*cost, stacks, source, limits);
        }
        stacks.reset(self.slots);
        stacks.tape.reset(noted, source.needs_path());
        let mut budget = Budget::new(limits.clone());
        let mut at = 0;
        while let Some(step) = self.steps.get(at) {
            budget.step(step.cost)?;
            if step.each > 0 {
                stacks.pay(step.each, &mut budget)?;
            }
            at += 1;
            match step.op {
                Op::Pay => {}
                Op::Number(number) => stacks.ints.push(number),
                Op::Row(row) => stacks.row(row, &mut budget)?,
                Op::Two(f, sides) => stacks.two(f, sides)?,
                Op::Total(total) => {
                    budget.draw(total.count)?;
                    budget.members(total.count)?;
                    let die = (Cast::Range { lo: total.lo, hi: total.hi }, total.site);
                    let sum = total.sum(self.faces(total.count, die, stacks, source, &mut budget)?);
                    stacks.ints.push(sum);
                }
                Op::Throw { count, lo, hi, site } => {
                    budget.draw(count)?;
                    budget.members(count)?;
                    self.throw(count, (Cast::Range { lo, hi }, site), stacks, source, &mut budget)?;
                }
                Op::Dice(sort, site) => self.roll_all((sort, site), stacks, source, &mut budget)?,
                Op::Die(sort, site) => self.roll_one((sort, site), stacks, source, &mut budget)?,
                Op::Count(end) => {
                    let count = u64::try_from(stacks.peek()).map_err(|_| Unsure)?;
                    budget.draw(count)?;
                    budget.members(count)?;
                    if count == 0 {
                        stacks.pop();
                        stacks.open();
                        at = end;
                    }
                }
                Op::Known(known) => {
                    stacks.open();
                    stacks.members.extend_from_slice(&self.known[known]);
                }
                Op::Jump(to) => at = to,
                Op::Unless(to) if stacks.pop() == 0 => at = to,
                Op::Unless(_) => {}
                Op::Load(place) => stacks.load(place),
                Op::Store(place) => stacks.store(place, true),
                Op::Copy(place) => stacks.store(place, false),
                op => at = stacks.loops(op, at, &mut budget)?,
            }
        }
        Ok(())
    }

    /// The value of the last roll.
    pub(crate) fn value(&self, stacks: &Stacks) -> Value {
        match self.gives {
            Kind::Number => Value::int(stacks.peek()),
            Kind::Truth => Value::bool(stacks.peek() != 0),
            Kind::Pool { .. } => Value::ints(stacks.top()),
            Kind::List | Kind::Pools => Value::list(stacks.top().iter().map(|member| Value::int(*member)).collect()),
        }
    }

    /// The number the last roll gave, if it gives numbers.
    pub(crate) fn number(&self, stacks: &Stacks) -> Option<i64> {
        (self.gives == Kind::Number).then(|| stacks.peek())
    }
}

impl Stacks {
    fn reset(&mut self, slots: usize) {
        self.ints.clear();
        self.members.clear();
        self.starts.clear();
        self.rounds.clear();
        if self.numbers.len() < slots {
            self.numbers.resize(slots, 0);
            self.pools.resize(slots, Vec::new());
        }
    }

    /// Pays for each member of the collection given.
    fn pay(&self, each: u64, budget: &mut Budget) -> Result<(), Unsure> {
        let size = self.top().len() as u64;
        budget.room(size)?;
        budget.step(each.saturating_mul(size))?;
        Ok(())
    }

    fn load(&mut self, place: Place) {
        match place {
            Place::Number(slot) => self.ints.push(self.numbers[slot]),
            Place::Members(slot) => {
                self.open();
                self.members.extend_from_slice(&self.pools[slot]);
            }
        }
    }

    fn store(&mut self, place: Place, taken: bool) {
        match place {
            Place::Number(slot) => self.numbers[slot] = if taken { self.pop() } else { self.peek() },
            Place::Members(slot) => {
                let start = self.start();
                let pool = &mut self.pools[slot];
                pool.clear();
                pool.extend_from_slice(&self.members[start..]);
                if taken {
                    self.close();
                }
            }
        }
    }

    pub(super) fn pop(&mut self) -> i64 {
        self.ints.pop().unwrap_or(0)
    }

    fn peek(&self) -> i64 {
        self.ints.last().copied().unwrap_or(0)
    }

    pub(super) fn start(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    pub(super) fn top(&self) -> &[i64] {
        &self.members[self.start()..]
    }

    pub(super) fn open(&mut self) {
        self.starts.push(self.members.len());
    }

    pub(super) fn close(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        self.members.truncate(start);
    }
}
