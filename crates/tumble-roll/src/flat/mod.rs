//! A faster way to the value of a roll that only deals in numbers.
//!
//! The plain meaning is the machine; this one must agree with it die for die:
//!
//! ```text
//! flat code leads to a value      =>  the machine leads to that value with the same dice
//! flat code is not sure of itself =>  the machine starts again with the dice that fell
//! ```
//!
//! So flat code knows no messages. Whatever is unusual (an overflow, a limit, a source that
//! refuses) makes it stop, and the machine finds the words. A program is written as flat code if all
//! its values are numbers, truths, and collections or lists of numbers; texts, pairs, calls and
//! choices from collections are left to the machine. Taking this folder away changes only speed.
//!
//! Numbers stand on one stack and members on another, each collection after the one below it, so
//! that a row works in place and nothing is allocated:
//!
//! ```text
//! members   4 1 6 | 2 2 |          starts   0 3 5          three collections, the last is empty
//! ```

mod compile;
mod dice;
mod fuse;
mod rounds;
mod row;
mod run;
mod tape;

pub use dice::RolledDie;
use fuse::Total;
use row::{Operand, Row};
pub(crate) use run::Stacks;
use std::sync::Arc;
use tape::Sites;
use tumble_core::Value;
use tumble_core::prim::Unsure;

/// A program as flat code.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    steps: Vec<Step>,
    /// Collections that stand in the text.
    known: Vec<Vec<i64>>,
    /// Dice with weights.
    dice: Vec<Weighted>,
    /// Where dice fall.
    sites: Sites,
    slots: usize,
    gives: Kind,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// What it costs beside what it pays itself: one for each term entered since the last one.
    cost: u64,
    /// What it costs for each member of the collection given: rows that change nothing here.
    each: u64,
    op: Op,
}

/// What an instruction does; "given" is what lies on top of its stack.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Nothing; it is there for its cost.
    Pay,
    /// Push a number.
    Number(i64),
    /// Push a known collection.
    Known(usize),
    /// Push a variable.
    Load(Place),
    /// Take what is given into a variable.
    Store(Place),
    /// Copy what is given into a variable.
    Copy(Place),
    /// Apply a row to two numbers.
    Two(fn(i64, i64) -> Option<i64>, [Operand; 2]),
    /// Apply a row.
    Row(Row),
    /// Go on elsewhere.
    Jump(usize),
    /// Go on elsewhere if the truth given does not hold.
    Unless(usize),
    /// Roll one die at a place.
    Die(Sort, usize),
    /// See that as many dice as given may be rolled; go on elsewhere if there are none.
    Count(usize),
    /// Roll a known number of dice with known faces: what everyone writes.
    Throw { count: u64, lo: i64, hi: i64, site: usize },
    /// Roll a known number of dice with known faces, and add them.
    Total(Total),
    /// Roll as many dice as given at a place.
    Dice(Sort, usize),
    /// Start to repeat as often as given.
    Times,
    /// Start to go over the collection given.
    Over,
    /// Start to roll until something holds.
    Until { listed: bool },
    /// Start to loop.
    Loop,
    /// Begin the next pass, or go on elsewhere after the last.
    Next { end: usize, member: Option<usize> },
    /// Begin the next pass of a loop that ends by its test.
    Pass,
    /// Put what is given with the results of the passes.
    Collect { number: bool },
    /// End a pass of an until: go back, or on. What is given is dropped first.
    Again { most: Option<u64>, back: usize, drops: Option<Drop> },
    /// Leave a loop.
    End,
}

/// The faces of a die.
#[derive(Clone, Copy, Debug)]
enum Sort {
    /// Known.
    Range { lo: i64, hi: i64 },
    /// The lowest and the highest are given.
    Given,
    /// With weights, by place.
    Weighted(usize),
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
enum Place {
    Number(usize),
    Members(usize),
}

/// What an until drops before it rolls again.
#[derive(Clone, Copy, Debug)]
enum Drop {
    Number,
    Members,
}

/// A die with weights whose faces are numbers.
#[derive(Clone, Debug)]
struct Weighted {
    faces: Arc<Vec<(Value, u64)>>,
    shows: Vec<i64>,
    /// The running sums of the weights.
    ends: Vec<u64>,
}

/// What a term gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
    /// A collection, and whether it is known to be in ascending order.
    Pool {
        sorted: bool,
    },
    /// A list of numbers.
    List,
    /// A list of collections; they are kept as one, so it can only be gathered.
    Pools,
}
