//! The dice of a script that is run again and again: what fell once stays, whatever is asked next.
//!
//! A die is known by (path, sides, index). It has versions: the first is how it fell, and each time it is rolled again
//! or set by hand there is one more. Nothing is ever removed: going back a version keeps those after it. New dice come
//! from values that were given, as long as there are any, and then from another source.

use super::{Die, Shows, Sides, Source};
use std::collections::{BTreeMap, HashSet, VecDeque};
use tumble_core::{Code, Fault, Value};

/// How many dice are remembered, and how many bytes of paths.
const MOST_DICE: usize = 100_000;
const MOST_BYTES: usize = 32 << 20;

/// How many bytes of a run go with a byte of a path: the record of the run has it, and so have its answer and its text.
const COPIES: u64 = 16;

/// All dice that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dice {
    /// By path, sides and index.
    pub known: BTreeMap<String, BTreeMap<Sides, Vec<Option<Kept>>>>,
    count: usize,
    bytes: usize,
}

/// A die that is known, with its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Every face it showed or shows, from the first.
    pub versions: Vec<Version>,
    /// Which of them holds.
    pub now: usize,
}

/// One face of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The number of the face.
    pub face: u64,
    /// Whether somebody set it.
    pub by_hand: bool,
}

impl Dice {
    /// A die.
    pub fn get(&self, path: &str, sides: Sides, index: u64) -> Option<&Kept> {
        self.known.get(path)?.get(&sides)?.get(usize::try_from(index).ok()?)?.as_ref()
    }

    fn get_mut(&mut self, path: &str, sides: Sides, index: u64) -> Option<&mut Kept> {
        self.known.get_mut(path)?.get_mut(&sides)?.get_mut(usize::try_from(index).ok()?)?.as_mut()
    }

    /// Adds a die that is not known yet.
    pub fn insert(&mut self, path: &str, sides: Sides, index: u64, kept: Kept) -> Result<(), Fault> {
        self.count += 1;
        if self.count > MOST_DICE {
            return Err(Fault::limit(format!("more than {MOST_DICE} dice are rolled")));
        }
        if !self.known.contains_key(path) {
            self.bytes += path.len();
            if self.bytes > MOST_BYTES {
                return Err(too_deep());
            }
            self.known.insert(path.to_owned(), BTreeMap::new());
        }
        let at = usize::try_from(index).ok().filter(|at| *at < MOST_DICE);
        let at = at.ok_or_else(|| Fault::limit(format!("more than {MOST_DICE} dice are rolled")))?;
        if let Some(kinds) = self.known.get_mut(path) {
            let dice = kinds.entry(sides).or_default();
            if dice.len() <= at {
                dice.resize(at + 1, None);
            }
            dice[at] = Some(kept);
        }
        Ok(())
    }
}

/// The place of a die names every pass of every loop around it, so together they can be long.
fn too_deep() -> Fault {
    Fault::limit("the dice of this run are too many and too deep in loops")
}

/// Dice that are known, and where new ones come from.
#[derive(Debug)]
pub struct Ledger<S> {
    /// What is known.
    pub dice: Dice,
    /// The dice that are new in this run.
    fresh: HashSet<(String, Sides, u64)>,
    /// The paths at which a die fell in this run.
    met: HashSet<String>,
    feed: VecDeque<i64>,
    fed: usize,
    rest: S,
    /// The most bytes of paths.
    room: usize,
}

impl<S: Source> Ledger<S> {
    /// Dice that are known; new ones come from `feed` first, then from `rest`.
    pub fn new(dice: Dice, feed: Vec<i64>, rest: S) -> Ledger<S> {
        let (fresh, met) = (HashSet::new(), HashSet::new());
        Ledger { dice, fresh, met, feed: feed.into(), fed: 0, rest, room: MOST_BYTES }
    }

    /// The same with less room, for a run that may hold so many bytes: a path is kept in several places.
    #[must_use]
    pub fn within(self, bytes: u64) -> Ledger<S> {
        let room = usize::try_from(bytes / COPIES).unwrap_or(MOST_BYTES).min(MOST_BYTES);
        Ledger { room, ..self }
    }

    /// How many values of the feed were used.
    pub fn fed(&self) -> usize {
        self.fed
    }

    /// Whether a die is new in this run.
    pub fn is_new(&self, path: &str, sides: Sides, index: u64) -> bool {
        self.fresh.contains(&(path.to_owned(), sides, index))
    }

    /// The paths none of whose dice fell in this run.
    pub fn remembered(&self) -> Vec<String> {
        self.dice.known.keys().filter(|path| !self.met.contains(*path)).cloned().collect()
    }

    /// Rolls a die again: its next version, which is new unless it was there before.
    pub fn reroll(&mut self, path: &str, sides: Sides, index: u64) -> Result<(), Fault> {
        let kept = self.known(path, sides, index)?;
        let next = kept.now + 1;
        if next == kept.versions.len() {
            let version = u32::try_from(next).unwrap_or(u32::MAX);
            let die = Die { path, index, version, sides, shows: Shows::Numbers };
            let face = self.fall(&die)?;
            self.known(path, sides, index)?.versions.push(Version { face, by_hand: false });
        }
        self.known(path, sides, index)?.now = next;
        self.fresh.insert((path.to_owned(), sides, index));
        Ok(())
    }

    /// Goes back one version of a die.
    pub fn undo(&mut self, path: &str, sides: Sides, index: u64) -> Result<(), Fault> {
        let kept = self.known(path, sides, index)?;
        if kept.now == 0 {
            return Err(Fault::new(
                Code::Request,
                "this die was neither rolled again nor set: there is nothing to undo",
            ));
        }
        kept.now -= 1;
        self.fresh.insert((path.to_owned(), sides, index));
        Ok(())
    }

    /// Sets a die by hand: one more version after the one that holds.
    pub fn set(&mut self, path: &str, sides: Sides, index: u64, face: u64) -> Result<(), Fault> {
        if face > sides.last() {
            return Err(Fault::new(Code::Request, format!("a die with faces {sides} can't show that")));
        }
        let kept = self.known(path, sides, index)?;
        kept.now += 1;
        kept.versions.insert(kept.now, Version { face, by_hand: true });
        self.fresh.insert((path.to_owned(), sides, index));
        Ok(())
    }

    fn known(&mut self, path: &str, sides: Sides, index: u64) -> Result<&mut Kept, Fault> {
        let unknown =
            || Fault::new(Code::Request, format!("no die `{}` with the index {index} fell at `{path}`", sides.kind()));
        self.dice.get_mut(path, sides, index).ok_or_else(unknown)
    }

    /// A new face.
    fn fall(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let Some(value) = self.feed.pop_front() else { return self.rest.draw(die) };
        let face = face_of(die.sides, die.shows, value);
        let face = face.ok_or_else(|| {
            let message = format!("the value {value} was given for a die that shows {die}");
            Fault::new(Code::Request, message).hint("give a value that the die can show")
        })?;
        self.fed += 1;
        Ok(face)
    }
}

/// The face that shows a value: a number of a range, or the first face with that number.
pub fn face_of(sides: Sides, shows: Shows<'_>, value: i64) -> Option<u64> {
    let shown = |face: &Value| face.as_int() == Some(value);
    match (sides, shows) {
        (Sides::Range { lo, hi }, _) => (lo..=hi).contains(&value).then(|| value.wrapping_sub(lo) as u64),
        (Sides::Pick { .. }, Shows::Weighted(faces)) => {
            let at = faces.iter().position(|(face, _)| shown(face))?;
            Some(faces[..at].iter().map(|(_, weight)| weight).sum())
        }
        (Sides::Pick { .. }, Shows::Members(members)) => members.iter().position(shown).map(|at| at as u64),
        // By its number, from 1.
        (Sides::Pick { of }, Shows::Numbers) => {
            u64::try_from(value).ok().filter(|n| (1..=of).contains(n)).map(|n| n - 1)
        }
    }
}

impl<S: Source> Source for Ledger<S> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        if !self.met.contains(die.path) {
            self.met.insert(die.path.to_owned());
        }
        if let Some(kept) = self.dice.get(die.path, die.sides, die.index) {
            return Ok(kept.versions[kept.now].face);
        }
        let face = self.fall(die)?;
        let kept = Kept { versions: vec![Version { face, by_hand: false }], now: 0 };
        self.dice.insert(die.path, die.sides, die.index, kept)?;
        if self.dice.bytes > self.room {
            return Err(too_deep());
        }
        self.fresh.insert((die.path.to_owned(), die.sides, die.index));
        Ok(face)
    }
}
