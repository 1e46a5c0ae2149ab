//! Dice that somebody rolls by hand: given in a row, or asked for one by one.
//!
//! A die is given by what it shows; one whose faces are not all numbers by the index of the face, from 1.

use crate::input::refused;
use std::io::{self, BufRead, Write};
use tumble::dice::{Die, Scripted, Shows, Source};
use tumble::{Code, Diagnostic, Fault};

/// Dice in the order they are given, over all rolls of a call.
pub(crate) struct Given {
    dice: Scripted<NoMore>,
    count: usize,
}

impl Given {
    /// The dice of so many rolls; a roll without any dice has no use for them.
    pub(crate) fn new(values: &[i64], rolls: u64) -> Result<Given, Diagnostic> {
        let count = values.len();
        if rolls > count as u64 {
            return Err(refused(format!("{} given, which is too few for {rolls} rolls", dice(count))));
        }
        Ok(Given { dice: Scripted::new(values).or(NoMore { count }), count })
    }

    /// Dice that no roll took are a mistake: somebody rolled them for something.
    pub(crate) fn all_used(&self) -> Result<(), Diagnostic> {
        let used = self.dice.used();
        if used == self.count {
            return Ok(());
        }
        Err(refused(format!("{} given, but the roll takes only {used}", dice(self.count))))
    }
}

impl Source for Given {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let number = self.dice.used() + 1;
        self.dice.draw(die).map_err(|fault| match number > self.count {
            true => fault,
            false => Fault { message: format!("die number {number}: {}", fault.message), ..fault },
        })
    }

    fn needs_path(&self) -> bool {
        false
    }
}

/// What comes after the last die.
struct NoMore {
    count: usize,
}

impl Source for NoMore {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        let message = format!("{} given, but the roll needs one more: {}", dice(self.count), described(die));
        Err(Fault::new(Code::Request, message)
            .hint("add the number on that die, or use `--dice ask` to be asked for each"))
    }
}

fn dice(count: usize) -> String {
    if count == 1 { "1 die is".to_owned() } else { format!("{count} dice are") }
}

/// Dice that are asked for on standard error and typed on standard input.
#[derive(Default)]
pub(crate) struct Asked {
    answered: usize,
}

impl Source for Asked {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        loop {
            let mut stderr = io::stderr().lock();
            let _ = write!(stderr, "die {}, {}: ", self.answered + 1, described(die));
            let _ = stderr.flush();
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            if !matches!(read, Ok(1..)) {
                let _ = writeln!(stderr);
                let message = format!("the roll needs one more die: {}", described(die));
                return Err(Fault::new(Code::Request, message));
            }
            let typed = line.trim();
            let face = match typed.parse() {
                Ok(value) => Scripted::new(vec![value]).draw(die).map_err(|fault| fault.message),
                Err(_) => Err(format!("`{}` is not a number", typed.chars().take(40).collect::<String>())),
            };
            match face {
                Ok(face) => {
                    self.answered += 1;
                    return Ok(face);
                }
                Err(why) => drop(writeln!(stderr, "{why}")),
            }
        }
    }

    fn needs_path(&self) -> bool {
        false
    }
}

/// More faces than this are counted and not listed.
const MOST_FACES: usize = 12;

/// `1 to 6`, `one of 1, 1, 100`, `1 = heads, 2 = tails`
fn described(die: &Die<'_>) -> String {
    let faces: Vec<_> = match die.shows {
        Shows::Numbers => return die.sides.to_string(),
        Shows::Weighted(faces) => faces.iter().map(|(face, _)| face).collect(),
        Shows::Members(faces) => faces.iter().collect(),
    };
    let numbers = faces.iter().all(|face| face.as_int().is_some());
    let shown = |(place, face)| if numbers { format!("{face}") } else { format!("{} = {face}", place + 1) };
    match faces.len() {
        0..=MOST_FACES => {
            let list = faces.iter().enumerate().map(shown).collect::<Vec<_>>().join(", ");
            if numbers { format!("one of {list}") } else { list }
        }
        count => format!("one of {count} faces"),
    }
}
