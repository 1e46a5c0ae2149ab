//! `tumble fmt`: an expression in the usual spelling of its notation, or a script in its usual layout.

use crate::args::FmtArgs;
use crate::{input, report};
use std::io::{self, Write};
use std::path::Path;
use tumble::Notation;

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &FmtArgs, out: &mut dyn Write) -> io::Result<u8> {
    if let Some(path) = args.file.as_deref().filter(|path| path.extension().is_some_and(|ending| ending == "tumble")) {
        return script(path, args, out);
    }
    let read = input::text(&args.words, args.file.as_deref());
    let notation = input::chosen(args.notation.as_deref(), args.file.as_deref());
    let (text, notation) = match read.and_then(|text| Ok((text, notation?))) {
        Ok(both) => both,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    let spelled = match (notation.spell)(&text) {
        Ok(spelled) => spelled,
        Err(errors) => return report::errors(out, false, &text, &errors),
    };
    match args.file.as_deref().filter(|path| args.write && *path != Path::new("-")) {
        Some(path) => write(path, &text, &spelled, notation, out),
        None => writeln!(out, "{spelled}").map(|()| 0),
    }
}

/// A script in its usual layout, with its comments.
fn script(path: &Path, args: &FmtArgs, out: &mut dyn Write) -> io::Result<u8> {
    let text = match input::file(path) {
        Ok(text) => text,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    match tumble::script::format(&text) {
        Err(errors) => report::errors(out, false, &text, &errors),
        Ok(formatted) if args.write && formatted == text => Ok(0),
        Ok(formatted) if args.write => save(path, &formatted, out),
        Ok(formatted) => write!(out, "{formatted}").map(|()| 0),
    }
}

/// Writes a file anew, if that changes something and nothing is lost.
fn write(path: &Path, text: &str, spelled: &str, notation: &Notation, out: &mut dyn Write) -> io::Result<u8> {
    let comments = |text: &str| (notation.without_comments)(text) != text;
    if comments(text) && !comments(spelled) {
        let message = format!("`{}` has comments that would be lost, so it was not changed", path.display());
        return report::errors(out, false, "", &[input::refused(message)]);
    }
    if text.trim_end() == spelled {
        return Ok(0);
    }
    save(path, &format!("{spelled}\n"), out)
}

fn save(path: &Path, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    match std::fs::write(path, text) {
        Ok(()) => Ok(0),
        Err(error) => {
            let message = format!("can't write `{}`: {error}", path.display());
            report::errors(out, false, "", &[input::refused(message)])
        }
    }
}
