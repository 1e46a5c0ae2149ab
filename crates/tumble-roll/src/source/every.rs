//! All outcomes, one after the other, with their weights.
//!
//! The draws of one roll are the digits of a number; each roll repeats the digits of the one before
//! up to the last that can still go up. Faces of one value count once, with their weight:
//!
//! ```text
//! weight of a roll = product over its dice of (weight of the face / weight of all faces)
//! ```

use super::{Die, Shows, Source};
use tumble_core::Fault;

/// Enumerates all rolls.
///
/// Call [`Every::begin`] before each roll and [`Every::advance`] after it.
#[derive(Clone, Debug)]
pub struct Every {
    digits: Vec<Digit>,
    met: usize,
    most_draws: usize,
    weight: Option<(u128, u128)>,
    cut: bool,
}

/// Which face a die shows in this roll, and which is its last; faces of one value are one.
#[derive(Clone, Copy, Debug)]
struct Digit {
    face: u64,
    last: u64,
}

impl Every {
    /// Enumerates rolls of at most this many dice; a roll that needs more is cut off there.
    pub fn new(most_draws: u64) -> Every {
        let most_draws = usize::try_from(most_draws).unwrap_or(usize::MAX);
        Every { digits: Vec::new(), met: 0, most_draws, weight: Some((1, 1)), cut: false }
    }

    /// Starts a roll.
    pub fn begin(&mut self) {
        self.met = 0;
        self.weight = Some((1, 1));
        self.cut = false;
    }

    /// Moves on to the next roll; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.digits.truncate(self.met);
        while let Some(digit) = self.digits.last_mut() {
            if digit.face < digit.last {
                digit.face += 1;
                return true;
            }
            self.digits.pop();
        }
        false
    }

    /// The weight of the dice of this roll, as numerator and denominator; none if it needs more
    /// than 128 bits.
    pub fn weight(&self) -> Option<(u128, u128)> {
        self.weight
    }

    /// Whether this roll needed more dice than allowed.
    pub fn was_cut(&self) -> bool {
        self.cut
    }
}

impl Source for Every {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        if self.met >= self.most_draws {
            self.cut = true;
            return Err(Fault::limit(format!("a roll of more than {} dice was cut off", self.most_draws)));
        }
        let last = match die.shows {
            Shows::Weighted(faces) => (faces.len() as u64).saturating_sub(1),
            Shows::Numbers | Shows::Members(_) => die.sides.last(),
        };
        if self.met == self.digits.len() {
            self.digits.push(Digit { face: 0, last });
        }
        let face = self.digits[self.met].face;
        self.met += 1;
        let (unit, share) = match die.shows {
            Shows::Weighted(faces) => {
                let (before, here) = faces.split_at(face as usize);
                (before.iter().map(|(_, weight)| weight).sum(), here.first().map_or(0, |(_, weight)| *weight))
            }
            Shows::Numbers | Shows::Members(_) => (face, 1),
        };
        self.weight =
            self.weight.and_then(|(num, den)| num.checked_mul(share.into()).zip(den.checked_mul(die.sides.count())));
        match self.weight {
            Some(_) => Ok(unit),
            None => Err(Fault::limit("the probability of a single roll is too small for 128 bits")),
        }
    }

    fn needs_path(&self) -> bool {
        false
    }
}
