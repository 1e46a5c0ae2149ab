//! Flat code at work.

use super::rounds::Round;
use super::{Again, Code, Kind, Op, Place, Sort, Unsure};
use crate::source::{Die, Shows, Sides, Source};
use tumble_core::{Budget, Fault, Limits, Value};

/// The stacks, to be used again by the next roll.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    /// Numbers and truths (0 and 1).
    pub(super) ints: Vec<i64>,
    /// The members of all collections.
    pub(super) members: Vec<i64>,
    /// Where each collection begins.
    pub(super) starts: Vec<usize>,
    /// Room for a collection that is looked at.
    pub(super) spare: Vec<i64>,
    pub(super) numbers: Vec<i64>,
    pools: Vec<Vec<i64>>,
    pub(super) rounds: Vec<Round>,
    /// The faces that fell, and what the source said when it refused one.
    pub(super) faces: Vec<u64>,
    refused: Option<Fault>,
}

/// Room is made for so many dice at most before they fall.
const MOST_AT_ONCE: u64 = 1 << 24;

impl Code<'_> {
    /// Rolls once; the value is found in `stacks`.
    pub(crate) fn run<S: Source + ?Sized>(
        &self,
        stacks: &mut Stacks,
        source: &mut S,
        limits: &Limits,
    ) -> Result<(), Unsure> {
        stacks.reset(self.slots);
        let mut budget = Budget::new(*limits);
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
                Op::Total(total) => {
                    budget.draw(total.count)?;
                    budget.members(total.count)?;
                    let faces = stacks.faces(total.count, total.lo, total.hi, source)?;
                    let sum = total.sum(faces);
                    stacks.ints.push(sum);
                }
                Op::Throw { count, lo, hi } => {
                    budget.draw(count)?;
                    budget.members(count)?;
                    stacks.throw(count, lo, hi, source)?;
                }
                Op::Dice(sort) => self.roll_all(sort, stacks, source)?,
                Op::Die(sort) => {
                    budget.draw(1)?;
                    let shown = self.roll_one(sort, stacks, source)?;
                    stacks.ints.push(shown);
                }
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
                Op::Apply(prim) => {
                    let args = prim.takes.len();
                    let first = stacks.ints.len().saturating_sub(args);
                    let given = [0, 1].map(|n| Value::int(stacks.ints.get(first + n).copied().unwrap_or(0)));
                    let result = (prim.apply)(&given[..args], &mut budget)?;
                    stacks.ints.truncate(first);
                    stacks.ints.push(result.as_int().ok_or(Unsure)?);
                }
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

    fn roll_one<S: Source + ?Sized>(&self, sort: Sort, stacks: &mut Stacks, source: &mut S) -> Result<i64, Unsure> {
        match sort {
            Sort::Range { lo, hi } => stacks.number(0, lo, hi, source),
            Sort::Given => {
                let (lo, hi) = stacks.bounds()?;
                stacks.number(0, lo, hi, source)
            }
            Sort::Weighted(die) => self.weighted(die, 0, stacks, source),
        }
    }

    /// A repeat of a plain die: the faces are the same for all, so they fall in one loop.
    fn roll_all<S: Source + ?Sized>(&self, sort: Sort, stacks: &mut Stacks, source: &mut S) -> Result<(), Unsure> {
        let range = match sort {
            Sort::Range { lo, hi } => Some((lo, hi)),
            Sort::Given => Some(stacks.bounds()?),
            Sort::Weighted(_) => None,
        };
        let count = u64::try_from(stacks.pop()).map_err(|_| Unsure)?;
        if let Some((lo, hi)) = range {
            return stacks.throw(count, lo, hi, source);
        }
        stacks.open();
        for index in 0..count {
            let Sort::Weighted(die) = sort else { return Err(Unsure) };
            let shown = self.weighted(die, index, stacks, source)?;
            stacks.members.push(shown);
        }
        Ok(())
    }

    fn weighted<S: Source + ?Sized>(
        &self,
        die: usize,
        index: u64,
        stacks: &mut Stacks,
        source: &mut S,
    ) -> Result<i64, Unsure> {
        let die = &self.dice[die];
        let sides = Sides::Pick { of: die.ends.last().copied().unwrap_or(0) };
        let face = stacks.fall(index, sides, Shows::Weighted(die.faces), source)?;
        Ok(die.shows[die.ends.partition_point(|end| *end <= face)])
    }
}

impl Stacks {
    fn reset(&mut self, slots: usize) {
        self.ints.clear();
        self.members.clear();
        self.starts.clear();
        self.rounds.clear();
        self.faces.clear();
        self.refused = None;
        if self.numbers.len() < slots {
            self.numbers.resize(slots, 0);
            self.pools.resize(slots, Vec::new());
        }
    }

    /// The dice that fell so far, and then `rest`.
    pub(crate) fn again<'a, S: Source + ?Sized>(&'a mut self, rest: &'a mut S) -> Again<'a, S> {
        Again { faces: self.faces.iter(), refused: self.refused.take(), rest }
    }

    /// Pays for each member of the collection given.
    fn pay(&self, each: u64, budget: &mut Budget) -> Result<(), Unsure> {
        let size = self.top().len() as u64;
        budget.room(size)?;
        budget.step(each.saturating_mul(size))?;
        Ok(())
    }

    /// What a die with these numbers shows.
    #[inline]
    fn number<S: Source + ?Sized>(&mut self, index: u64, lo: i64, hi: i64, source: &mut S) -> Result<i64, Unsure> {
        let face = self.fall(index, Sides::Range { lo, hi }, Shows::Numbers, source)?;
        Ok(lo.wrapping_add(face as i64))
    }

    #[inline]
    fn fall<S: Source + ?Sized>(
        &mut self,
        index: u64,
        sides: Sides,
        shows: Shows<'_>,
        source: &mut S,
    ) -> Result<u64, Unsure> {
        match source.draw(&Die { path: "", index, version: 0, sides, shows }) {
            Ok(face) => {
                self.faces.push(face);
                if face > sides.last() { Err(Unsure) } else { Ok(face) }
            }
            Err(fault) => {
                self.refused = Some(fault);
                Err(Unsure)
            }
        }
    }

    /// Many dice with the same numbers, as a collection.
    fn throw<S: Source + ?Sized>(&mut self, count: u64, lo: i64, hi: i64, source: &mut S) -> Result<(), Unsure> {
        self.faces(count, lo, hi, source)?;
        self.open();
        let fell = self.faces.len() - count as usize;
        self.members.extend(self.faces[fell..].iter().map(|face| lo.wrapping_add(*face as i64)));
        Ok(())
    }

    /// The faces of many dice with the same numbers.
    #[inline]
    fn faces<S: Source + ?Sized>(&mut self, count: u64, lo: i64, hi: i64, source: &mut S) -> Result<&[u64], Unsure> {
        if count > MOST_AT_ONCE {
            return Err(Unsure);
        }
        let sides = Sides::Range { lo, hi };
        let first = Die { path: "", index: 0, version: 0, sides, shows: Shows::Numbers };
        let fell = self.faces.len();
        self.faces.resize(fell + count as usize, 0);
        if let Err((more, fault)) = source.draw_all(&first, &mut self.faces[fell..]) {
            self.faces.truncate(fell + more);
            self.refused = Some(fault);
            return Err(Unsure);
        }
        let faces = &self.faces[fell..];
        // The machine stops at the first die that cannot be, and finds the words.
        let impossible = faces.iter().any(|face| *face > sides.last());
        if impossible { Err(Unsure) } else { Ok(faces) }
    }

    /// The lowest and the highest face, if such a die can be.
    fn bounds(&mut self) -> Result<(i64, i64), Unsure> {
        let (hi, lo) = (self.pop(), self.pop());
        if possible(lo, hi) { Ok((lo, hi)) } else { Err(Unsure) }
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

    pub(super) fn top_mut(&mut self) -> &mut [i64] {
        let start = self.start();
        &mut self.members[start..]
    }

    pub(super) fn open(&mut self) {
        self.starts.push(self.members.len());
    }

    pub(super) fn close(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        self.members.truncate(start);
    }
}

/// Whether there is a die from `lo` to `hi`.
pub(super) fn possible(lo: i64, hi: i64) -> bool {
    lo <= hi && hi.wrapping_sub(lo) as u64 != u64::MAX
}
