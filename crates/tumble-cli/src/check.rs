//! `tumble check`: checks files for errors, without rolling anything.

pub(crate) mod script;

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
        if path.extension().is_some_and(|ending| ending == "tumble") {
            status = status.max(script::check(path, args, out)?);
            continue;
        }
        if args.strict || args.json {
            let message = format!("`--strict` and `--json` are for scripts, and `{}` is none", path.display());
            return report::errors(out, false, "", &[input::refused(message).hint("a script ends with .tumble")]);
        }
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
            let doubts = prepared.warnings().iter().filter(|warning| !tumble::is_note(warning)).count();
            let counted = if doubts == 0 {
                String::new()
            } else {
                format!(", {doubts} warning{}", if doubts == 1 { "" } else { "s" })
            };
            writeln!(out, "{name}: ok ({}{counted})", notation.name)?;
            out.flush()?;
            report::warnings(prepared.text(), prepared.warnings());
            Ok(0)
        }
        Err(errors) => {
            writeln!(out, "{name}: error ({})", notation.name)?;
            report::errors(out, false, &text, errors.all())
        }
    }
}
