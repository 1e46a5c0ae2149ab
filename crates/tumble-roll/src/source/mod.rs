//! The one place for randomness: a source gets everything about a die and answers with the number of a
//! face, counted from 0. It knows nothing of the program around the die.
//!
//! ```text
//! Seeded      a keyed function of seed, path, sides, index and version: any die can be had alone
//! Sealed      the same by a cryptographic function of a secret and a nonce, so that it can be proved fair
//! Fast        one generator, one draw after the other, for bulk sampling
//! Recorded    the faces of an earlier roll, by path, sides and index
//! Scripted    values typed in, in the order of the dice
//! Supplied    the same, exactly as many as the rolls take
//! Every       all outcomes, one after the other, with their weights
//! Versioned   another source, some of whose dice were rolled again
//! Ledger      the dice of a script that is run again, each with its versions
//! ```

mod every;
mod fast;
mod ledger;
mod recorded;
mod scripted;
mod sealed;
mod seeded;
mod sip;
mod supplied;

pub use crate::sides::Sides;
use std::fmt;
use tumble_core::{Code, Fault, Value};

pub use every::Every;
pub use fast::Fast;
pub use ledger::{Dice, Kept, Ledger, Version, face_of};
pub use recorded::{Recorded, Versioned};
pub use scripted::Scripted;
pub use sealed::Sealed;
pub use seeded::Seeded;
pub use supplied::Supplied;

/// Where dice come from.
pub trait Source {
    /// The face the die lands on: 0 up to [`Sides::last`].
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault>;

    /// The faces of as many dice as there is room for: `first`, and those after it by index. A source
    /// that refuses one reports how many were rolled before it.
    fn draw_all(&mut self, first: &Die<'_>, faces: &mut [u64]) -> Result<(), (usize, Fault)> {
        for (fell, face) in faces.iter_mut().enumerate() {
            let die = Die { index: first.index.wrapping_add(fell as u64), ..*first };
            *face = self.draw(&die).map_err(|fault| (fell, fault))?;
        }
        Ok(())
    }

    /// Whether it uses the path of a die; if not, [`Die::path`] may be empty.
    fn needs_path(&self) -> bool {
        true
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        (**self).draw(die)
    }

    fn draw_all(&mut self, first: &Die<'_>, faces: &mut [u64]) -> Result<(), (usize, Fault)> {
        (**self).draw_all(first, faces)
    }

    fn needs_path(&self) -> bool {
        (**self).needs_path()
    }
}

/// A die to be rolled: everything a source may know about it.
#[derive(Clone, Copy, Debug)]
pub struct Die<'a> {
    /// Where in the evaluation it is rolled.
    pub path: &'a str,
    /// Which of the dice with this path it is.
    pub index: u64,
    /// How often this die was rerolled on request.
    pub version: u32,
    /// Its faces, by number.
    pub sides: Sides,
    /// What its faces show.
    pub shows: Shows<'a>,
}

/// What the faces of a die show.
#[derive(Clone, Copy, Debug)]
pub enum Shows<'a> {
    /// The numbers of its range.
    Numbers,
    /// Values with weights: the faces of the first value come first, one for each unit of weight.
    Weighted(&'a [(Value, u64)]),
    /// The members of a collection, one for each face.
    Members(&'a [Value]),
}

/// More faces than this are counted and not listed.
const MOST_FACES: usize = 12;

/// What it can show: `1 to 6`, `one of 1, 1, 100`, `1 = heads, 2 = tails`
impl fmt::Display for Die<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces: Vec<&Value> = match self.shows {
            Shows::Numbers => return self.sides.fmt(f),
            Shows::Weighted(faces) => faces.iter().map(|(face, _)| face).collect(),
            Shows::Members(faces) => faces.iter().collect(),
        };
        if faces.len() > MOST_FACES {
            return write!(f, "one of {} faces", faces.len());
        }
        let numbers = faces.iter().all(|face| face.as_int().is_some());
        f.write_str(if numbers { "one of " } else { "" })?;
        for (place, face) in faces.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            match numbers {
                true => write!(f, "{face}")?,
                false => write!(f, "{} = {face}", place + 1)?,
            }
        }
        Ok(())
    }
}

/// A source without dice: for when the given values must be enough.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDice;

impl Source for NoDice {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let Die { path, index, sides, .. } = die;
        let number = index.saturating_add(1);
        Err(Fault::new(Code::Request, format!("no value given for die number {number} at `{path}` ({sides})"))
            .hint("give one more value, or let the rest be rolled"))
    }
}

/// A number from 0 to `last`, all equally likely, out of random 64-bit words (Lemire's method: a
/// word is taken as a fraction of `last + 1`, and the few words that would favour some numbers are
/// refused).
#[inline]
fn unbiased(last: u64, mut word: impl FnMut() -> u64) -> u64 {
    // The generator is named once, so that it is compiled into this loop.
    loop {
        let word = word();
        let Some(count) = last.checked_add(1) else {
            return word;
        };
        let product = u128::from(word) * u128::from(count);
        let low = product as u64;
        if low >= count || low >= count.wrapping_neg() % count {
            return (product >> 64) as u64;
        }
    }
}

/// Eight bytes that nobody can foresee.
fn system_seed() -> Result<u64, Fault> {
    getrandom::u64().map_err(|error| Fault::runtime(format!("this computer provides no random numbers: {error}")))
}
