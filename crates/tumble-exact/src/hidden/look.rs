//! Rows on hidden pools: the result, as hidden as it can stay, or what must be revealed first.
//!
//! A filter keeps whole blocks once no block has faces on both sides of it. A row that keeps members by rank says for a
//! block whether all of its dice stay or none, wherever in the block they are; where it depends, the block is
//! revealed from the end that is nearer to the cut. A fold asks for a block only if its faces are not worth the same.
//! Whatever else a row does, it needs the members.

use super::dice::{Block, Dice, Found, Look, in_order};
use super::{Faces, Hidden, Kind, Kinds};
use crate::outcome::{Need, Outcome, Stop};
use std::rc::Rc;
use tumble_core::prim::{Merge, Prim, Rank, Scan, Shape};
use tumble_core::sort;
use tumble_core::{Budget, Fault, Value};

/// What a row makes of arguments among which are hidden pools.
pub(crate) fn apply(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Result<Outcome, Stop> {
    budget.step(4)?;
    let Some((pool, others)) = alone(row, args) else { return together(row, args, budget) };
    let look = (row.into(), others);
    let known = pool.dice.looks.borrow().get(&look).cloned();
    let found = match known {
        Some(found) => found,
        None => {
            budget.step(pool.size() / 4)?;
            let found = match row.shape {
                Shape::Forget => Found::Same,
                Shape::Filter => pool.filtered(row, &look, budget)?,
                Shape::Scan(scan) => pool.scanned(row, &scan, &look, budget)?,
                Shape::Fold(merge) => pool.folded(row, merge, budget)?,
                Shape::Map { .. } | Shape::Opaque | Shape::Union => return together(row, args, budget),
            };
            pool.kinds.hold(8);
            pool.dice.looks.borrow_mut().insert(look, found.clone());
            found
        }
    };
    match found {
        Found::Needs(faces) => Err(pool.need(faces)),
        found => Ok(shown(pool, &found)),
    }
}

/// What a look has found, which needs nothing more.
pub(super) fn shown(pool: &Hidden, found: &Found) -> Outcome {
    match found {
        Found::Same | Found::Needs(_) => pool.clone().outcome(),
        Found::Dice(dice) => Outcome::Pool(pool.with_dice(dice.clone())),
        Found::Value(value) => Outcome::Known(value.clone()),
    }
}

fn hidden(outcome: &Outcome) -> Option<&Hidden> {
    if let Outcome::Pool(pool) = outcome { Some(pool) } else { None }
}

/// The pool a row is about, and its other arguments, if those are known.
fn alone<'a>(row: &Prim, args: &'a [Outcome]) -> Option<(&'a Hidden, Vec<Value>)> {
    let pool = args.get(row.over).and_then(hidden)?;
    let other = |(i, arg): (usize, &Outcome)| if i == row.over { Some(Value::NOTHING) } else { arg.known().cloned() };
    Some((pool, args.iter().enumerate().map(other).collect::<Option<Vec<Value>>>()?))
}

/// A row on several pools, or one that sees the members themselves.
fn together(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Result<Outcome, Stop> {
    let pools: Vec<&Hidden> = args.iter().filter_map(hidden).collect();
    budget.step(pools.iter().map(|pool| pool.size()).sum::<u64>() / 4)?;
    if matches!(row.shape, Shape::Union) && args.iter().all(|arg| arg.known().is_some() || hidden(arg).is_some()) {
        return united(row, args, budget);
    }
    for pool in pools {
        if let Some(block) = pool.dice.open().next_back() {
            return Err(pool.need(top(block)));
        }
    }
    let known = |arg: &Outcome| {
        hidden(arg).and_then(Hidden::known).map_or_else(|| arg.clone(), |value| Outcome::Known(value.clone()))
    };
    crate::outcome::apply(row, &args.iter().map(known).collect::<Vec<_>>(), budget)
}

pub(super) fn top(block: &Block) -> Faces {
    block.faces.ends().map_or_else(Faces::default, |(_, highest)| Faces::one(highest))
}

/// All members of all arguments. Pools that are made of the same dice are no independent parts: those must be known.
fn united(row: &Prim, args: &[Outcome], budget: &mut Budget) -> Result<Outcome, Stop> {
    for (i, pool) in args.iter().enumerate().filter_map(|(i, arg)| Some((i, hidden(arg)?))) {
        let again = |other: &Hidden| other.shared.iter().any(|owner| pool.shared.contains(owner));
        let twice = args.iter().enumerate().any(|(j, other)| i != j && hidden(other).is_some_and(again));
        if twice || pool.is_tied() {
            pool.all_known()?;
        }
    }
    let mut all: Option<Hidden> = None;
    let mut known = Vec::new();
    for arg in args {
        match (arg, all.as_mut()) {
            (Outcome::Pool(pool), Some(sum)) => *sum = sum.plus(pool),
            (Outcome::Pool(pool), None) => all = Some(pool.clone()),
            (Outcome::Known(value), _) => known.push(value.clone()),
            _ => return Err(Fault::mistake("internal error: a union of something unknown").into()),
        }
    }
    let Some(all) = all else { return Err(Fault::mistake("internal error: a union of nothing hidden").into()) };
    let known = (row.apply)(&known, budget)?;
    let mut members: Vec<Value> = known.as_pool().unwrap_or(&[]).to_vec();
    sort::sort(&mut members);
    let mut faces = members.clone();
    faces.dedup();
    let blocks = faces.iter().enumerate().map(|(place, face)| {
        let count = members.iter().filter(|member| *member == face).count() as u32;
        Block::known(place as u32, count)
    });
    let blocks = blocks.collect();
    let known = Hidden { passes: all.passes, ..Hidden::new(Rc::new(Kinds::new(faces, vec![])), blocks) };
    Ok(all.plus(&known).outcome())
}

/// Whether all the dice of a block stay, wherever they are in it.
enum Stays {
    All,
    None,
    /// That depends: what to reveal.
    Some(Faces),
}

impl Hidden {
    /// What the pool must reveal before something can go on.
    pub(crate) fn need(&self, faces: Faces) -> Stop {
        let asked: Vec<Value> = faces.iter().map(|place| self.face(place).clone()).collect();
        Stop::Need(Need { owners: self.shared.to_vec(), faces: asked })
    }

    /// The pool with all members known, or what must be revealed next.
    pub(crate) fn all_known(&self) -> Result<Value, Stop> {
        self.known().cloned().ok_or_else(|| self.need(self.dice.open().next_back().map_or_else(Faces::default, top)))
    }

    /// What is left of its dice.
    fn left(&self, blocks: Vec<Block>) -> Found {
        self.found(self.dice_of(in_order(&self.kinds, blocks)))
    }

    pub(super) fn found(&self, dice: Rc<Dice>) -> Found {
        match dice.known(&self.kinds) {
            Some(value) => Found::Value(value.clone()),
            None if dice == self.dice => Found::Same,
            None => Found::Dice(dice),
        }
    }

    /// A row with a collection of some faces in its place.
    fn tried(&self, row: &Prim, look: &Look, members: Vec<Value>, budget: &mut Budget) -> Result<Value, Stop> {
        let mut args = look.1.clone();
        args[row.over] = Value::pool(members);
        Ok((row.apply)(&args, budget)?)
    }

    fn filtered(&self, row: &Prim, look: &Look, budget: &mut Budget) -> Result<Found, Stop> {
        let stays = self.kinds.kept(look, || -> Result<Faces, Stop> {
            let mut stays = Vec::new();
            for (place, face) in self.kinds.faces.iter().enumerate() {
                let left = self.tried(row, look, vec![face.clone()], budget)?;
                stays.extend(left.as_pool().is_some_and(|left| !left.is_empty()).then_some(place as u32));
            }
            Ok(Faces::collect(stays.into_iter()))
        })?;
        let mut kept = vec![];
        for block in &self.dice.blocks {
            let inside = block.faces.and(&stays);
            if inside == block.faces {
                kept.push(block.clone());
            } else if !inside.without(&block.shown).is_empty() {
                return Ok(Found::Needs(Faces::clone(&stays)));
            } else {
                // These are shown, and nobody asks by how many dice.
                kept.extend(inside.iter().map(|place| Block::known(place, 1)));
            }
        }
        Ok(self.left(kept))
    }

    fn scanned(&self, row: &Prim, scan: &Scan, look: &Look, budget: &mut Budget) -> Result<Found, Stop> {
        if let Some(value) = self.known() {
            return Ok(Found::Value(self.tried(row, look, value.as_pool().unwrap_or(&[]).to_vec(), budget)?));
        }
        // Errors of arguments come whatever the dice show.
        let some = self.kinds.faces.first().cloned().into_iter().collect();
        self.kinds.checked(look, || self.tried(row, look, some, budget).map(|_| ()))?;
        let mut kept = Vec::with_capacity(self.dice.blocks.len());
        for block in &self.dice.blocks {
            budget.step(4 + block.count() / 8)?;
            let rank = match self.rank(block) {
                Ok(rank) => rank,
                Err(faces) => return Ok(Found::Needs(faces)),
            };
            if let Some(place) = block.faces.single() {
                let stay = (scan.stay)(&look.1, self.face(place), rank);
                kept.push(Block::known(place, stay as u32));
                continue;
            }
            match self.stays(scan, &look.1, block, rank) {
                Stays::All => kept.push(block.clone()),
                Stays::None => {}
                Stays::Some(faces) => return Ok(Found::Needs(faces)),
            }
        }
        Ok(self.left(kept))
    }

    /// The rank of a block among all, if no other lies between its faces.
    fn rank(&self, block: &Block) -> Result<Rank, Faces> {
        let Some((low, high)) = block.faces.ends() else { return Err(Faces::default()) };
        let mut rank = Rank { below: 0, here: block.count(), above: 0 };
        for other in self.dice.blocks.iter().filter(|other| !std::ptr::eq(*other, block)) {
            match other.faces.ends() {
                Some((_, highest)) if highest < low => rank.below += other.count(),
                Some((lowest, _)) if lowest > high => rank.above += other.count(),
                _ => return Err(top(if block.faces.single().is_none() { block } else { other })),
            }
        }
        Ok(rank)
    }

    fn stays(&self, scan: &Scan, args: &[Value], block: &Block, rank: Rank) -> Stays {
        let Some((low, high)) = block.faces.ends() else { return Stays::None };
        let others = rank.here - 1;
        // One die alone with the others all below it, all above it, and all with it.
        let ranks = [
            Rank { below: rank.below + others, here: 1, above: rank.above },
            Rank { below: rank.below, here: 1, above: rank.above + others },
            rank,
        ];
        let (mut all, mut none) = (true, true);
        for place in block.faces.iter() {
            for rank in ranks {
                let stay = (scan.stay)(args, self.face(place), rank);
                all &= stay == rank.here;
                none &= stay == 0;
            }
        }
        match (all, none) {
            (true, _) => Stays::All,
            (_, true) => Stays::None,
            _ => Stays::Some(Faces::one(if self.cut_is_high(scan, args, high, rank) { high } else { low })),
        }
    }

    /// Whether the cut between dice that stay and dice that do not is nearer to the high end of a block.
    fn cut_is_high(&self, scan: &Scan, args: &[Value], high: u32, rank: Rank) -> bool {
        let face = self.face(high);
        let stays = |j: u64| {
            let at = Rank { below: rank.below + j, here: 1, above: rank.above + rank.here - 1 - j };
            (scan.stay)(args, face, at) > 0
        };
        let last = rank.here - 1;
        let from_below = (1..=last).find(|j| stays(*j) != stays(0)).unwrap_or(last);
        let from_above = (0..last).rev().find(|j| stays(*j) != stays(last)).map_or(0, |j| last - j);
        from_above <= from_below
    }

    fn folded(&self, row: &Prim, merge: Merge, budget: &mut Budget) -> Result<Found, Stop> {
        let (mut sum, mut any) = (0i64, false);
        let worth = self.kinds.worth(row, |face| (row.apply)(&[Value::pool(vec![face.clone()])], budget))?;
        for block in &self.dice.blocks {
            let mut places = block.faces.iter().map(|place| &worth[place as usize]);
            let worth = places.next().unwrap_or(&Value::NOTHING);
            if !places.all(|other| other == worth) {
                return Ok(Found::Needs(top(block)));
            }
            any |= worth.as_bool() == Some(true);
            let more = worth.as_int().unwrap_or(0).checked_mul(block.count() as i64);
            sum = more.and_then(|more| sum.checked_add(more)).ok_or_else(|| Fault::runtime("the sum is too large"))?;
        }
        Ok(Found::Value(match merge {
            Merge::Add => Value::int(sum),
            Merge::Or => Value::bool(any),
        }))
    }

    /// Both together.
    fn plus(&self, other: &Hidden) -> Hidden {
        let mut faces: Vec<Value> = self.kinds.faces.iter().chain(&other.kinds.faces).cloned().collect();
        sort::sort(&mut faces);
        faces.dedup();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut blocks = Vec::new();
        for pool in [self, other] {
            let place = |old: u32| faces.binary_search(pool.face(old)).unwrap_or(0) as u32;
            let first = kinds.len();
            kinds.extend(pool.kinds.kinds.iter().map(|kind| kind.moved(place, faces.len())));
            for block in pool.dice.blocks.iter() {
                let moved = Faces::collect(block.faces.iter().map(place));
                let counts = match moved.single() {
                    Some(_) => vec![block.count() as u32],
                    None => std::iter::repeat_n(0, first).chain(block.counts.iter().copied()).collect(),
                };
                let shown = Faces::collect(block.shown.iter().map(place));
                blocks.push(Block { faces: moved, counts, shown });
            }
        }
        let shared = self.shared.and(&other.shared);
        let wide = kinds.len();
        blocks.iter_mut().filter(|block| block.faces.single().is_none()).for_each(|block| block.counts.resize(wide, 0));
        let passes = self.passes && other.passes;
        let kinds = Rc::new(Kinds::new(faces, kinds));
        Hidden { shared, passes, ..Hidden::new(kinds, blocks) }
    }
}
