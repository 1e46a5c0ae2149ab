//! Failures, on standard error for people and on standard output for programs.

use crate::{screen, wait};
use std::io::{self, IsTerminal, Write};
use tumble::render::{json, place};
use tumble::{Code, Diagnostic};

/// The exit status of a bad text or a run-time error.
const BAD_TEXT: u8 = 1;
/// The exit status of a bad call or an unreadable file.
pub(crate) const BAD_CALL: u8 = 2;
/// The exit status of a limit or an endless roll.
const TOO_MUCH: u8 = 3;
/// The exit status of a mistake in Tumble itself.
const OUR_FAULT: u8 = 4;

/// More messages than this about one text are counted and not shown.
const MOST_SHOWN: usize = 5;

/// Tells what is wrong with `text`, and gives the exit status.
pub(crate) fn errors(out: &mut dyn Write, as_json: bool, text: &str, errors: &[Diagnostic]) -> io::Result<u8> {
    if as_json {
        if let Some(first) = errors.first() {
            writeln!(out, "{}", json::error(first))?;
        }
    } else {
        // What is already known comes before what went wrong.
        out.flush()?;
        let option = |names: &[&str]| names.iter().map(|name| format!("--var {name}=3")).collect::<Vec<_>>().join(" ");
        let told: Vec<Diagnostic> = errors.iter().map(|error| advised(text, error, option)).collect();
        tell("error", "31", text, &told);
    }
    Ok(errors.first().map_or(BAD_TEXT, |error| status(error.code)))
}

/// Where values from outside are missing, how they are given; `given` tells it of their names.
pub(crate) fn advised(text: &str, error: &Diagnostic, given: impl Fn(&[&str]) -> String) -> Diagnostic {
    let mut told = error.clone();
    let names = missing(text, error);
    if let (None, None, false) = (&error.hint, &error.note, names.is_empty()) {
        let them = if names.len() > 1 { "them values" } else { "it a value" };
        told.note = Some(format!("give {them} with {}", given(&names)));
    }
    told
}

/// The names of the values from outside that a text asks for and does not get.
pub(crate) fn missing<'e>(text: &str, error: &'e Diagnostic) -> Vec<&'e str> {
    let place = text.get(error.span.start..error.span.end).unwrap_or_default();
    let outside = error.code == Code::Name && place.trim_start_matches('(').starts_with('@');
    // The message names all of them.
    let quoted = error.message.split('`').skip(1).step_by(2).filter(|_| outside);
    quoted.filter_map(|name| Some(name.strip_prefix('@')?.trim_matches(['{', '}']))).collect()
}

/// Tells of doubtful places in a text.
pub(crate) fn warnings(text: &str, warnings: &[Diagnostic]) {
    tell("warning", "33", text, warnings);
}

/// Tells what the asker should know about an answer.
pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        let told = format!("{}: {note}\n", label("warning", "33"));
        let _ = write!(io::stderr(), "{}", screen::folded(told, &io::stderr()));
    }
}

/// Standard error is the last resort: if it cannot be written there is nobody to tell.
fn tell(word: &str, colour: &str, text: &str, messages: &[Diagnostic]) {
    let label = label(word, colour);
    let mut stderr = io::stderr().lock();
    for message in messages.iter().take(MOST_SHOWN) {
        let _ = write!(stderr, "{}", screen::folded(place::message(&label, text, message), &stderr));
    }
    if messages.len() > MOST_SHOWN {
        let _ = writeln!(stderr, "and {} more", messages.len() - MOST_SHOWN);
    }
}

/// The first word of a message, in colour on a terminal.
fn label(word: &str, colour: &str) -> String {
    if screen::shows_colour(io::stderr().is_terminal()) {
        format!("\x1b[1;{colour}m{word}\x1b[0m")
    } else {
        word.to_owned()
    }
}

fn status(code: Code) -> u8 {
    match code {
        Code::Syntax | Code::Name | Code::Type | Code::Runtime => BAD_TEXT,
        Code::Request => BAD_CALL,
        Code::Limit | Code::Endless => TOO_MUCH,
        Code::Stopped => wait::INTERRUPTED,
        Code::Mistake => OUR_FAULT,
    }
}
