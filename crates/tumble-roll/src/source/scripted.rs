//! Values typed in, in the order of the dice: for tests, and for people with dice in their hands.
//!
//! A value is what the die shows. A die whose faces are not all numbers (text, pairs) is given by
//! the place of the face, counted from 1.

use super::{Die, NoDice, Shows, Sides, Source};
use tumble_core::{Code, Fault, Value};

/// Given values; the dice after the last one come from `S`.
#[derive(Clone, Debug)]
pub struct Scripted<S = NoDice> {
    values: Vec<i64>,
    used: usize,
    rest: S,
}

impl Scripted {
    /// These values, one for each die.
    pub fn new(values: impl Into<Vec<i64>>) -> Scripted {
        Scripted { values: values.into(), used: 0, rest: NoDice }
    }

    /// The same, with all further dice from `rest`.
    pub fn or<S: Source>(self, rest: S) -> Scripted<S> {
        Scripted { values: self.values, used: self.used, rest }
    }
}

impl<S> Scripted<S> {
    /// How many of the values were used.
    pub fn used(&self) -> usize {
        self.used
    }
}

impl<S: Source> Source for Scripted<S> {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let Some(&value) = self.values.get(self.used) else {
            return self.rest.draw(die);
        };
        let face = face(die, value).ok_or_else(|| no_such_face(die, value))?;
        self.used += 1;
        Ok(face)
    }
}

/// The number of the first face that shows `value`.
fn face(die: &Die<'_>, value: i64) -> Option<u64> {
    match die.shows {
        Shows::Numbers => match die.sides {
            Sides::Range { lo, hi } if lo <= value && value <= hi => Some(value.wrapping_sub(lo) as u64),
            _ => None,
        },
        Shows::Weighted(faces) if faces.iter().all(|(face, _)| is_number(face)) => {
            let place = faces.iter().position(|(face, _)| face.as_int() == Some(value))?;
            Some(faces[..place].iter().map(|(_, weight)| weight).sum())
        }
        Shows::Weighted(faces) => {
            let place = from_one(value, faces.len())?;
            Some(faces[..place].iter().map(|(_, weight)| weight).sum())
        }
        Shows::Members(faces) if faces.iter().all(is_number) => {
            faces.iter().position(|face| face.as_int() == Some(value)).map(|place| place as u64)
        }
        Shows::Members(faces) => from_one(value, faces.len()).map(|place| place as u64),
    }
}

fn is_number(face: &Value) -> bool {
    face.as_int().is_some()
}

fn from_one(value: i64, count: usize) -> Option<usize> {
    usize::try_from(value).ok()?.checked_sub(1).filter(|place| *place < count)
}

fn no_such_face(die: &Die<'_>, value: i64) -> Fault {
    let place = |count: usize| format!("a die with {count} faces has no face number {value}");
    let message = match die.shows {
        Shows::Numbers => format!("a die with faces {} can't show {value}", die.sides),
        Shows::Weighted(faces) if faces.iter().any(|(face, _)| !is_number(face)) => place(faces.len()),
        Shows::Members(faces) if faces.iter().any(|face| !is_number(face)) => place(faces.len()),
        _ => format!("no face of this die shows {value}"),
    };
    Fault::new(Code::Request, message)
}
