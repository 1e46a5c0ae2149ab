//! Dice that somebody rolls by hand and is asked for, one by one.
//!
//! A die is given by what it shows; one whose faces are not all numbers by the index of the face, from 1. An empty line,
//! `:quit` or Ctrl-C cancels the roll.

use crate::wait;
use std::io::{self, BufRead, Write};
use tumble::dice::{Die, Scripted, Source};
use tumble::{Code, Fault};

/// What came of a question.
pub(crate) enum Typed {
    Line(String),
    /// Ctrl-C.
    Cancelled,
    /// The input ends here.
    End,
}

/// Asks for a line. A session with an editor has another way, because the editor hears the keys.
pub(crate) type Ask = fn(&str) -> Typed;

/// Asks on standard error and reads standard input.
pub(crate) fn ask(question: &str) -> Typed {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{question}");
    let _ = stderr.flush();
    // Ctrl-C does not end a read, and whoever writes about it needs standard error.
    drop(stderr);
    let mut line = String::new();
    let asking = wait::Asking::new();
    let read = io::stdin().lock().read_line(&mut line);
    drop(asking);
    match read {
        _ if wait::interrupted() => Typed::Cancelled,
        Ok(1..) => Typed::Line(line),
        _ => {
            let _ = writeln!(io::stderr());
            Typed::End
        }
    }
}

/// Dice that are asked for.
pub(crate) struct Asked {
    pub(crate) ask: Ask,
    answered: usize,
}

impl Asked {
    pub(crate) fn new(ask: Ask) -> Asked {
        Asked { ask, answered: 0 }
    }
}

impl Source for Asked {
    fn draw(&mut self, die: &Die<'_>) -> Result<u64, Fault> {
        loop {
            let line = match (self.ask)(&format!("die {}, {die}: ", self.answered + 1)) {
                Typed::Line(line) => line,
                Typed::Cancelled => return Err(cancelled()),
                Typed::End => return Err(Fault::new(Code::Request, format!("the roll needs one more die: {die}"))),
            };
            let face = match line.trim() {
                "" | ":q" | ":quit" => return Err(cancelled()),
                typed => match typed.parse() {
                    Ok(value) => Scripted::new(vec![value]).draw(die).map_err(|fault| fault.message),
                    Err(_) => Err(format!(
                        "`{}` is not a number; an empty line cancels the roll",
                        typed.chars().take(40).collect::<String>()
                    )),
                },
            };
            match face {
                Ok(face) => {
                    self.answered += 1;
                    return Ok(face);
                }
                Err(why) => drop(writeln!(io::stderr(), "{why}")),
            }
        }
    }

    fn needs_path(&self) -> bool {
        false
    }
}

fn cancelled() -> Fault {
    Fault::new(Code::Stopped, "the roll is cancelled")
}
