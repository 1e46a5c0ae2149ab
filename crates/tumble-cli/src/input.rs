//! The text to work on, from the arguments or from a file.

use crate::args::{Given, Reading};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tumble::{Code, Diagnostic, Errors, Notation, Prepared, Span, Vars, everyday};

/// The longest file that is read, in bytes; no notation reads a longer text.
const LONGEST_FILE: u64 = 1 << 20;

/// The text of a file, or of standard input for `-`.
pub(crate) fn file(path: &Path) -> Result<String, Diagnostic> {
    let from_stdin = path == Path::new("-");
    let name = if from_stdin { "standard input".to_owned() } else { format!("`{}`", path.display()) };
    let mut bytes = Vec::new();
    let read = if from_stdin {
        io::stdin().lock().take(LONGEST_FILE + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) if bytes.len() as u64 > LONGEST_FILE => {
            let message = format!("{name} is longer than {} MB", LONGEST_FILE >> 20);
            Err(Diagnostic::new(Code::Limit, Span::default(), message))
        }
        Ok(_) => String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            refused(format!("{name} is not UTF-8 text (byte {place})"))
        }),
        Err(error) => Err(refused(unreadable(&name, &error))),
    }
}

/// The one roll of a command: its words with blanks between them, or what is in a file.
pub(crate) fn text(words: &[String], path: Option<&Path>) -> Result<String, Diagnostic> {
    match path {
        Some(path) if words.is_empty() => file(path),
        _ => Ok(words.join(" ")),
    }
}

/// Why a file cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("no such file: {name}"),
        io::ErrorKind::IsADirectory => format!("{name} is a folder, not a file"),
        io::ErrorKind::PermissionDenied => format!("no permission to read {name}"),
        _ => format!("can't read {name}: {error}"),
    }
}

/// A mistake in the call, not in a text.
pub(crate) fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}

/// The name of the notation that was asked for, or that the name of the file ends with, or of the everyday one.
pub(crate) fn notation(given: &Given) -> &str {
    let by_file = || given.file.as_deref().and_then(by_ending).unwrap_or(everyday()).name;
    given.reading.notation.as_deref().unwrap_or_else(by_file)
}

/// The same as a row, for a command that may have no file.
pub(crate) fn chosen(named: Option<&str>, file: Option<&Path>) -> Result<&'static Notation, Diagnostic> {
    match file.and_then(by_ending) {
        Some(notation) if named.is_none() => Ok(notation),
        _ => known(named),
    }
}

/// The notation that the name of a file ends with: `stats.troll`.
fn by_ending(path: &Path) -> Option<&'static Notation> {
    path.extension().and_then(|ending| ending.to_str()).and_then(tumble::notation)
}

/// The row of a notation.
pub(crate) fn known(name: Option<&str>) -> Result<&'static Notation, Diagnostic> {
    let name = name.unwrap_or(everyday().name);
    // The library has the words for one that is not there.
    let why = || tumble::compile(name, "", &Vars::new()).err().map(Errors::first);
    tumble::notation(name).ok_or_else(|| why().unwrap_or_else(|| refused(format!("unknown notation `{name}`"))))
}

/// The values that were given, in a file and one by one.
pub(crate) fn vars(given: &Given) -> Result<Vars, Diagnostic> {
    given_values(&given.reading)
}

/// The same for a command that reads its texts elsewhere.
pub(crate) fn given_values(reading: &Reading) -> Result<Vars, Diagnostic> {
    let mut vars = reading.sheet()?.numbers().clone();
    vars.extend(reading.known.clone());
    vars.extend(reading.vars.iter().cloned());
    Ok(vars)
}

/// Reads the text in the notation that was given.
pub(crate) fn prepare(given: &Given, text: &str) -> Result<Prepared, Errors> {
    compiled(given, text, &vars(given)?)
}

/// The same with values that are known; other names may be rolls of the sheet.
pub(crate) fn compiled(given: &Given, text: &str, vars: &Vars) -> Result<Prepared, Errors> {
    given.reading.sheet()?.prepare(known(Some(notation(given)))?, text, vars)
}
