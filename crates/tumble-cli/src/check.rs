//! `tumble check`: whether the texts in files can be read, without rolling anything.

use crate::args::CheckArgs;
use crate::{input, report};
use std::io::{self, Write};
use std::path::Path;
use tumble::{Notation, Vars, prepare};

/// Runs the command and gives the exit status: the highest of all files.
pub(crate) fn run(args: &CheckArgs, out: &mut dyn Write) -> io::Result<u8> {
    let vars = match input::given_values(&args.reading) {
        Ok(vars) => vars,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    let mut status = 0;
    for path in &args.files {
        let one = match input::chosen(args.reading.notation.as_deref(), Some(path)) {
            Ok(notation) => one(path, notation, &vars, out)?,
            Err(error) => report::errors(out, false, "", &[error])?,
        };
        status = status.max(one);
    }
    Ok(status)
}

fn one(path: &Path, notation: &'static Notation, vars: &Vars, out: &mut dyn Write) -> io::Result<u8> {
    let text = match input::file(path) {
        Ok(text) => text,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    let name = path.display();
    match prepare(notation, &text, vars) {
        Ok(prepared) => {
            let doubts = prepared.warnings().len();
            let doubtful = if doubts == 0 { String::new() } else { format!(", {doubts} doubtful") };
            writeln!(out, "{name}: fine ({}{doubtful})", notation.name)?;
            out.flush()?;
            report::warnings(&text, prepared.warnings());
            Ok(0)
        }
        Err(errors) => {
            writeln!(out, "{name}: cannot be read ({})", notation.name)?;
            report::errors(out, false, &text, errors.all())
        }
    }
}
