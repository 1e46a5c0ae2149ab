//! Dice that a request brings along: `"feed":[3,5,6,1]` gives the values of the dice in the order they are rolled.
//!
//! There must be exactly as many as the rolls take: a value too many or too few was meant for another roll.

use super::refused;
use tumble_core::{Code, Diagnostic, Fault};
use tumble_roll::source::{Die, Scripted, Source};

/// The values of a request, over all its rolls.
pub(super) struct Feed {
    dice: Scripted<NoMore>,
    given: usize,
}

impl Feed {
    pub(super) fn new(values: &[i64]) -> Feed {
        let given = values.len();
        Feed { dice: Scripted::new(values).or(NoMore { given }), given }
    }

    /// Refuses values that no die took.
    pub(super) fn all_used(&self) -> Result<(), Diagnostic> {
        let used = self.dice.used();
        match used == self.given {
            true => Ok(()),
            false => Err(refused(format!("{}, but the roll took {}", has(self.given), dice(used)))),
        }
    }
}

impl Source for Feed {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let number = self.dice.used() + 1;
        self.dice.draw(die).map_err(|fault| match number > self.given {
            true => fault,
            false => Fault { message: format!("value {number} of `feed`: {}", fault.message), ..fault },
        })
    }

    fn needs_path(&self) -> bool {
        false
    }
}

/// What comes after the last value.
struct NoMore {
    given: usize,
}

impl Source for NoMore {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let (has, takes) = (has(self.given), dice(self.given + 1));
        Err(Fault::new(Code::Request, format!("{has}, but the roll takes at least {takes}; the next is {}", die.sides)))
    }
}

fn has(count: usize) -> String {
    if count == 1 { "`feed` has 1 value".to_owned() } else { format!("`feed` has {count} values") }
}

fn dice(count: usize) -> String {
    if count == 1 { "1 die".to_owned() } else { format!("{count} dice") }
}
