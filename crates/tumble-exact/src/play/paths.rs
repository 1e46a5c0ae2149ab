//! The paths that somebody asks about, as a tree of letters (a trie): answers and known dice are given by path.
//!
//! A path is a place in this tree, held in a register. Outside the tree it is nothing, so that states which differ only
//! in paths nobody asks about are equal. To find out the path of a state, the tree may also grow with every letter.

use crate::map::HashMap;
use crate::outcome::Outcome;
use tumble_core::Value;

/// The faces of a die: its least and largest number, or how many there are to pick from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// The whole numbers from `lo` to `hi`.
    Range {
        /// The least number.
        lo: i64,
        /// The largest number.
        hi: i64,
    },
    /// One of so many.
    Pick {
        /// How many.
        of: u64,
    },
}

/// A die that is known.
#[derive(Clone, Debug)]
pub struct KnownDie {
    /// Its path.
    pub path: String,
    /// Its faces.
    pub sides: Sides,
    /// Which of the dice with this path it is.
    pub index: u64,
    /// The number of the face it shows, from 0.
    pub face: u64,
}

#[derive(Clone, Debug, Default)]
struct Place {
    next: HashMap<char, usize>,
    from: Option<(usize, char)>,
    answer: Option<Value>,
    dice: HashMap<(Sides, u64), u64>,
    /// Whether this place or one behind the point after it has known dice.
    holds_dice: bool,
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    places: Vec<Place>,
    /// Whether every path gets a place.
    grows: bool,
}

/// The letter between the path of a throw and the paths inside its text.
const POINT: char = '.';

impl Paths {
    pub(super) fn new(grows: bool) -> Paths {
        Paths { places: vec![Place::default()], grows }
    }

    /// Whether anybody asks about a path.
    pub(super) fn are_followed(&self) -> bool {
        self.grows || self.places.len() > 1
    }

    pub(super) fn answer(&mut self, path: &str, answer: Value) {
        let at = self.reach(path);
        self.places[at].answer = Some(answer);
    }

    pub(super) fn die(&mut self, die: &KnownDie) {
        let at = self.reach(&die.path);
        self.places[at].dice.insert((die.sides, die.index), die.face);
        self.places[at].holds_dice = true;
        match die.path.split_once(POINT) {
            Some((throw, _)) => {
                let throw = self.reach(throw);
                self.places[throw].holds_dice = true;
            }
            // Inside its text it is the first thing that is rolled.
            None => {
                let inside = self.reach(&format!("{}{POINT}r", die.path));
                self.places[inside].dice.insert((die.sides, die.index), die.face);
            }
        }
    }

    fn reach(&mut self, path: &str) -> usize {
        path.chars().fold(0, |at, letter| self.child(at, letter))
    }

    fn child(&mut self, at: usize, letter: char) -> usize {
        if let Some(next) = self.places[at].next.get(&letter) {
            return *next;
        }
        self.places.push(Place { from: Some((at, letter)), ..Place::default() });
        let next = self.places.len() - 1;
        self.places[at].next.insert(letter, next);
        next
    }

    /// The beginning of all paths.
    pub(super) fn root(&self) -> Outcome {
        if self.are_followed() { Outcome::int(0) } else { Outcome::Known(Value::NOTHING) }
    }

    /// One letter further.
    pub(super) fn step(&mut self, from: &Outcome, letter: char) -> Outcome {
        let Some(at) = place(from) else { return Outcome::Known(Value::NOTHING) };
        let next = if self.grows { Some(self.child(at, letter)) } else { self.places[at].next.get(&letter).copied() };
        next.map_or(Outcome::Known(Value::NOTHING), |next| Outcome::int(next as i64))
    }

    /// The number of a pass further.
    pub(super) fn pass(&mut self, from: &Outcome, number: i64) -> Outcome {
        let start = self.step(from, 'w');
        number.to_string().chars().fold(start, |at, digit| self.step(&at, digit))
    }

    /// Where the paths of a text begin that is thrown here.
    pub(super) fn inside(&mut self, from: &Outcome) -> Outcome {
        self.step(from, POINT)
    }

    /// Whether somebody answers by path.
    pub(super) fn hold_answers(&self) -> bool {
        self.places.iter().any(|place| place.answer.is_some())
    }

    pub(super) fn answer_at(&self, path: &Outcome) -> Option<&Value> {
        self.places[place(path)?].answer.as_ref()
    }

    /// The face of a die, if it is known.
    pub(super) fn die_at(&self, path: &Outcome, sides: Sides, index: u64) -> Option<u64> {
        self.places[place(path)?].dice.get(&(sides, index)).copied()
    }

    /// Whether dice of a throw at this path are known.
    pub(super) fn knows_dice(&self, path: &Outcome) -> bool {
        place(path).is_some_and(|at| self.places[at].holds_dice)
    }

    /// The letters of a path.
    pub(super) fn text(&self, path: &Outcome) -> String {
        let mut letters = vec![];
        let mut at = place(path).unwrap_or(0);
        while let Some((before, letter)) = self.places[at].from {
            letters.push(letter);
            at = before;
        }
        letters.into_iter().rev().collect()
    }
}

fn place(path: &Outcome) -> Option<usize> {
    path.as_int().and_then(|at| usize::try_from(at).ok())
}
