//! Values typed in, exactly as many as the rolls take: a value too many or too few was meant for another roll.

use super::{Die, Scripted, Source};
use tumble_core::{Code, Fault, Remedy};

/// Given values, over all rolls of a call.
#[derive(Clone, Debug)]
pub struct Supplied {
    dice: Scripted<NoMore>,
    given: usize,
}

impl Supplied {
    /// These values, in the order the dice are rolled.
    pub fn new(values: &[i64]) -> Supplied {
        let given = values.len();
        Supplied { dice: Scripted::new(values).or(NoMore { given }), given }
    }

    /// Refuses values that no die took; to be called after the last roll.
    pub fn all_used(&self) -> Result<(), Fault> {
        let used = self.dice.used();
        if used == self.given {
            return Ok(());
        }
        let takes = if used == 0 { "no dice".to_owned() } else { format!("only {used}") };
        Err(Fault::new(Code::Request, format!("{}, but the roll takes {takes}", given(self.given))))
    }
}

impl Source for Supplied {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let number = self.dice.used() + 1;
        self.dice.draw(die).map_err(|fault| match number > self.given {
            true => fault,
            false => Fault { message: format!("die {number}: {}", fault.message), ..fault },
        })
    }

    fn needs_path(&self) -> bool {
        false
    }
}

/// What comes after the last value.
#[derive(Clone, Copy, Debug)]
struct NoMore {
    given: usize,
}

impl Source for NoMore {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let message = match self.given {
            0 => format!("no dice are given; the roll needs a die: {die}"),
            some => format!("{}, but the roll needs one more die: {die}", given(some)),
        };
        Err(Fault::new(Code::Request, message).remedy(Remedy::Supply))
    }
}

fn given(count: usize) -> String {
    if count == 1 { "1 die is given".to_owned() } else { format!("{count} dice are given") }
}
