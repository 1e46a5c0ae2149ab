//! Dice that somebody rolls by hand and is asked for, one by one.
//!
//! A die is given by what it shows; one whose faces are not all numbers by the index of the face, from 1.

use std::io::{self, BufRead, Write};
use tumble::dice::{Die, Scripted, Source};
use tumble::{Code, Fault};

/// Dice that are asked for on standard error and typed on standard input.
#[derive(Default)]
pub(crate) struct Asked {
    answered: usize,
}

impl Source for Asked {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        loop {
            let mut stderr = io::stderr().lock();
            let _ = write!(stderr, "die {}, {}: ", self.answered + 1, die);
            let _ = stderr.flush();
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            if !matches!(read, Ok(1..)) {
                let _ = writeln!(stderr);
                let message = format!("the roll needs one more die: {}", die);
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
