//! Dice in flat code: faces from the tape, and what they show.

use super::run::Stacks;
use super::tape::At;
use super::{Code, Sort, Unsure, Weighted};
use crate::source::{Shows, Sides, Source};
use std::borrow::Cow;
use tumble_core::{Budget, Span, Value};

/// A rolled die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledDie<'a> {
    /// Where in the evaluation it was rolled.
    pub path: Cow<'a, str>,
    /// Which of the dice with this path it is.
    pub index: u64,
    /// Its faces.
    pub sides: Sides,
    /// The number of its face, from 0.
    pub face: u64,
    /// What it shows.
    pub shown: Value,
    /// The dice term in the expression.
    pub span: Span,
}

/// A die whose faces are known.
#[derive(Clone, Copy)]
pub(super) enum Cast<'c> {
    Range { lo: i64, hi: i64 },
    Weighted(&'c Weighted),
}

impl<'c> Cast<'c> {
    #[inline]
    fn sides(self) -> (Sides, Shows<'c>) {
        match self {
            Cast::Range { lo, hi } => (Sides::Range { lo, hi }, Shows::Numbers),
            Cast::Weighted(die) => {
                (Sides::Pick { of: die.ends.last().copied().unwrap_or(0) }, Shows::Weighted(&die.faces))
            }
        }
    }

    #[inline]
    fn shown(self, face: u64) -> i64 {
        match self {
            Cast::Range { lo, .. } => lo.wrapping_add(face as i64),
            Cast::Weighted(die) => die.shows[die.place(face)],
        }
    }
}

impl Weighted {
    /// Which of its values a face shows.
    fn place(&self, face: u64) -> usize {
        self.ends.partition_point(|end| *end <= face)
    }
}

impl Code {
    /// The faces of so many dice of one kind at a place. This is compiled into the loop of [`Code::run`] once,
    /// for its most common instruction; the others stay outside, so that the loop stays small.
    #[inline]
    pub(super) fn faces<'s, S: Source + ?Sized>(
        &self,
        count: u64,
        (cast, site): (Cast<'_>, usize),
        stacks: &'s mut Stacks,
        source: &mut S,
        budget: &mut Budget,
    ) -> Result<&'s [u64], Unsure> {
        let at = At { sites: &self.sites, site, rounds: &stacks.rounds };
        stacks.tape.throw(at, count, cast.sides(), source, budget)
    }

    /// What so many dice show, as a collection.
    #[inline(never)]
    pub(super) fn throw<S: Source + ?Sized>(
        &self,
        count: u64,
        (cast, site): (Cast<'_>, usize),
        stacks: &mut Stacks,
        source: &mut S,
        budget: &mut Budget,
    ) -> Result<(), Unsure> {
        self.faces(count, (cast, site), stacks, source, budget)?;
        stacks.open();
        let first = stacks.tape.fell() - count as usize;
        stacks.members.extend(stacks.tape.faces(first).iter().map(|face| cast.shown(*face)));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn roll_one<S: Source + ?Sized>(
        &self,
        (sort, site): (Sort, usize),
        stacks: &mut Stacks,
        source: &mut S,
        budget: &mut Budget,
    ) -> Result<(), Unsure> {
        budget.draw(1)?;
        let cast = self.cast(sort, stacks)?;
        let face = self.faces(1, (cast, site), stacks, source, budget)?.first().copied().ok_or(Unsure)?;
        stacks.ints.push(cast.shown(face));
        Ok(())
    }

    /// A repeat of a plain die: the faces are the same for all.
    #[inline(never)]
    pub(super) fn roll_all<S: Source + ?Sized>(
        &self,
        (sort, site): (Sort, usize),
        stacks: &mut Stacks,
        source: &mut S,
        budget: &mut Budget,
    ) -> Result<(), Unsure> {
        let cast = self.cast(sort, stacks)?;
        let count = u64::try_from(stacks.pop()).map_err(|_| Unsure)?;
        self.throw(count, (cast, site), stacks, source, budget)
    }

    fn cast(&self, sort: Sort, stacks: &mut Stacks) -> Result<Cast<'_>, Unsure> {
        match sort {
            Sort::Range { lo, hi } => Ok(Cast::Range { lo, hi }),
            Sort::Given => {
                let (hi, lo) = (stacks.pop(), stacks.pop());
                if possible(lo, hi) { Ok(Cast::Range { lo, hi }) } else { Err(Unsure) }
            }
            Sort::Weighted(die) => Ok(Cast::Weighted(&self.dice[die])),
        }
    }

    /// A die of the last roll, by number, if the dice were noted.
    pub(crate) fn die<'a>(&'a self, stacks: &'a Stacks, number: usize) -> Option<RolledDie<'a>> {
        let taped = stacks.tape.die(&self.sites, number)?;
        let shown = match (taped.sides, taped.site.weighted) {
            (Sides::Range { lo, .. }, _) => Value::int(lo.wrapping_add(taped.face as i64)),
            (Sides::Pick { .. }, die) => {
                let die = self.dice.get(die?)?;
                die.faces.get(die.place(taped.face))?.0.clone()
            }
        };
        let (path, span) = (taped.path, taped.site.span);
        Some(RolledDie { path, index: taped.index, sides: taped.sides, face: taped.face, shown, span })
    }
}

/// Whether there is a die from `lo` to `hi`.
pub(super) fn possible(lo: i64, hi: i64) -> bool {
    lo <= hi && hi.wrapping_sub(lo) as u64 != u64::MAX
}
