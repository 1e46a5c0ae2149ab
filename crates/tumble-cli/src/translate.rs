//! `tumble translate`: the same roll in another notation, or in all others.

use crate::args::TranslateArgs;
use crate::{input, report};
use std::io::{self, Write};
use tumble::{NOTATIONS, Notation, Prepared};

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &TranslateArgs, out: &mut dyn Write) -> io::Result<u8> {
    let text = match input::text(args.text.as_ref(), &args.given) {
        Ok(text) => text,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    let prepared = match input::prepare(&args.given, &text) {
        Ok(prepared) => prepared,
        Err(errors) => return report::errors(out, false, &text, errors.all()),
    };
    match &args.to {
        None => to_all(&prepared, out),
        Some(name) => match input::known(Some(name)) {
            Ok(to) => to_one(&prepared, to, out),
            Err(error) => report::errors(out, false, "", &[error]),
        },
    }
}

fn to_one(prepared: &Prepared, to: &'static Notation, out: &mut dyn Write) -> io::Result<u8> {
    match prepared.translate(to) {
        Ok(translation) => {
            writeln!(out, "{}", translation.text)?;
            out.flush()?;
            if !translation.checked {
                report::notes(&["the two texts could not be counted and compared exactly".to_owned()]);
            }
            Ok(0)
        }
        Err(error) => report::errors(out, false, prepared.text(), &[error]),
    }
}

/// One line for each other notation.
fn to_all(prepared: &Prepared, out: &mut dyn Write) -> io::Result<u8> {
    let width = NOTATIONS.iter().map(|notation| notation.name.len()).max().unwrap_or(0);
    for to in NOTATIONS.iter().filter(|to| to.name != prepared.notation().name) {
        match prepared.translate(to) {
            Ok(translation) => {
                let lines = translation.text.replace('\n', &format!("\n{}", " ".repeat(width + 2)));
                writeln!(out, "{:width$}  {lines}", to.name)?;
            }
            Err(error) => writeln!(out, "{:width$}  ({})", to.name, error.message)?,
        }
    }
    Ok(0)
}
