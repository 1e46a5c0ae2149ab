//! `tumble repl`: an expression is rolled, a line with a colon is a command.
//!
//! ```text
//! terminal ─▶ reedline ─┐
//!                       ├─▶ session ─▶ roll | odds | commands ─▶ standard output
//! pipe     ─▶ joined ───┘
//! ```
//!
//! Brackets that are still open continue a text in the next line; an empty line ends it anyway. Without a
//! terminal each text is answered as soon as it is whole, with no prompt, and the exit status is the
//! highest that an answer had.

mod line;
mod saved;
mod session;
mod written;

mod call;
mod commands;

#[cfg(any(feature = "editor", test))]
mod complete;
#[cfg(feature = "editor")]
mod menu;
#[cfg(feature = "editor")]
mod pieces;
#[cfg(feature = "editor")]
mod terminal;

use crate::args::ReplArgs;
use crate::{input, report, screen, wait};
use line::Joined;
use session::{Next, Session};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What a session begins with, after an example.
const KEYS: &str = ":help lists the commands, Tab shows what can come next, Ctrl-D leaves.";
const NO_KEYS: &str = ":help lists the commands, Ctrl-D leaves.";

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &ReplArgs, out: &mut dyn Write) -> io::Result<u8> {
    let mut session = match Session::new(args) {
        Ok(session) => session,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    let somebody = io::stdin().is_terminal() && io::stdout().is_terminal();
    let editor = cfg!(feature = "editor") && somebody && io::stderr().is_terminal() && !screen::dumb();
    session.somebody = somebody;
    if somebody {
        let example = session.notation.examples[0];
        writeln!(out, "Type a roll, such as {example}, or :odds {example} for its odds.")?;
        writeln!(out, "{}", if editor { KEYS } else { NO_KEYS })?;
    }
    #[cfg(feature = "editor")]
    if editor && let Some(status) = terminal::run(&mut session, out)? {
        return Ok(status);
    }
    lines(session, somebody, out)
}

/// Answers line by line; somebody who types on a terminal without an editor sees a prompt.
fn lines(mut session: Session, prompts: bool, out: &mut dyn Write) -> io::Result<u8> {
    let (mut joined, mut status) = (Joined::default(), 0);
    loop {
        if prompts {
            let name = if joined.is_open() { "…" } else { session.notation.name };
            write!(out, "{name}> ")?;
            out.flush()?;
        }
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let more = match read {
            Ok(count) => count > 0,
            Err(error) => {
                let message = format!("can't read the input: {error}");
                return report::errors(out, false, "", &[input::refused(message)]);
            }
        };
        let texts = match std::str::from_utf8(&bytes) {
            Ok(line) if more => joined.push(session.notation, line),
            Ok(_) => joined.rest(),
            Err(_) => {
                status = status.max(report::errors(out, false, "", &[input::refused("this line is not UTF-8 text")])?);
                continue;
            }
        };
        for text in texts {
            match session.answer(&text, out)? {
                Next::Go(one) => status = status.max(one),
                Next::Quit => return Ok(status),
            }
        }
        wait::forget();
        out.flush()?;
        if !more {
            if prompts {
                writeln!(out)?;
            }
            return Ok(status);
        }
    }
}
