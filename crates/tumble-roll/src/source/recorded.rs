//! Dice that are already known: the faces of an earlier roll, found by (path, sides, index), and
//! single dice that were rolled again.
//!
//! Nothing is ever removed: a die that this roll does not meet stays known for the next.

use super::{Die, NoDice, Sides, Source};
use crate::trace::Drawn;
use std::collections::HashMap;
use tumble_core::Fault;

/// What tells the dice of one path apart.
type Key = (Sides, u64);

/// The dice of an earlier roll; any other die comes from `S`.
#[derive(Clone, Debug, Default)]
pub struct Recorded<S = NoDice> {
    known: HashMap<String, HashMap<Key, u64>>,
    rest: S,
}

impl Recorded {
    /// No dice at all.
    pub fn new() -> Recorded {
        Recorded::default()
    }

    /// The dice of an earlier roll.
    pub fn from_draws(draws: &[Drawn]) -> Recorded {
        let mut recorded = Recorded::new();
        for drawn in draws {
            recorded.insert(&drawn.path, drawn.sides, drawn.index, drawn.face);
        }
        recorded
    }

    /// The same, with all other dice from `rest`.
    pub fn or<S: Source>(self, rest: S) -> Recorded<S> {
        Recorded { known: self.known, rest }
    }
}

impl<S> Recorded<S> {
    /// Adds a die or changes it.
    pub fn insert(&mut self, path: &str, sides: Sides, index: u64, face: u64) {
        self.known.entry(path.to_owned()).or_default().insert((sides, index), face);
    }
}

impl<S: Source> Source for Recorded<S> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        match self.known.get(die.path).and_then(|dice| dice.get(&(die.sides, die.index))) {
            Some(face) => Ok(*face),
            None => self.rest.draw(die),
        }
    }
}

/// Another source, some of whose dice were rerolled on request.
#[derive(Clone, Debug, Default)]
pub struct Versioned<S> {
    versions: HashMap<String, HashMap<Key, u32>>,
    dice: S,
}

impl<S: Source> Versioned<S> {
    /// The dice of `dice`, none rerolled yet.
    pub fn new(dice: S) -> Versioned<S> {
        Versioned { versions: HashMap::new(), dice }
    }

    /// Sets how often one die was rerolled.
    pub fn set(&mut self, path: &str, sides: Sides, index: u64, version: u32) {
        self.versions.entry(path.to_owned()).or_default().insert((sides, index), version);
    }
}

impl<S: Source> Source for Versioned<S> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let version = self.versions.get(die.path).and_then(|dice| dice.get(&(die.sides, die.index)));
        self.dice.draw(&Die { version: version.copied().unwrap_or(die.version), ..*die })
    }
}
