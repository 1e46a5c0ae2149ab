//! Failures, on standard error for people and on standard output for programs.

use crate::advice::{self, Place};
use crate::{screen, wait};
use clap::error::ErrorKind;
use std::io::{self, IsTerminal, Write};
use tumble::batch::Json;
use tumble::render::{is_hidden, json, place, visible};
use tumble::{Code, Diagnostic, is_note};

/// The exit status of a bad text or a run-time error.
pub(crate) const BAD_TEXT: u8 = 1;
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
        shown(out, text, errors, Place::Call)?;
    }
    Ok(errors.first().map_or(BAD_TEXT, |error| status(error.code)))
}

/// Writes an answer of `tumble batch`, and gives the exit status.
pub(crate) fn answered(out: &mut dyn Write, answer: &Json) -> io::Result<u8> {
    writeln!(out, "{answer}")?;
    let code = answer.pointer("/error/code").and_then(Json::as_str);
    let known = [Code::Request, Code::Limit, Code::Endless, Code::Stopped, Code::Mistake];
    Ok(match code {
        None => 0,
        Some(code) => known.into_iter().find(|known| known.name() == code).map_or(BAD_TEXT, status),
    })
}

/// The same for a line of a session.
pub(crate) fn errors_in_session(out: &mut dyn Write, text: &str, errors: &[Diagnostic]) -> io::Result<u8> {
    shown(out, text, errors, Place::Session)?;
    Ok(errors.first().map_or(BAD_TEXT, |error| status(error.code)))
}

/// Tells what is wrong with the arguments, or answers a question about them. The usage is left out where it would only
/// repeat the options that were given.
pub(crate) fn bad_call(error: &clap::Error) {
    // Arguments are quoted in the message; clap shows them as they are.
    if std::env::args_os().any(|word| word.to_string_lossy().contains(is_hidden)) {
        let _ = write!(io::stderr(), "{}", visible(&error.render().to_string()));
        return;
    }
    // A reader that has gone away needs no message about it.
    if error.kind() != ErrorKind::UnknownArgument {
        let _ = error.print();
        return;
    }
    let told = match screen::shows_colour(io::stderr().is_terminal()) {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    let parts: Vec<&str> = told.split("\n\n").filter(|part| !part.contains("Usage:")).collect();
    let _ = write!(io::stderr(), "{}", parts.join("\n\n"));
}

fn shown(out: &mut dyn Write, text: &str, errors: &[Diagnostic], place: Place) -> io::Result<()> {
    // What is already known comes before what went wrong.
    out.flush()?;
    tell("error", "31", text, errors, place);
    Ok(())
}

/// Tells of doubtful places in a text, and how it was read.
pub(crate) fn warnings(text: &str, warnings: &[Diagnostic]) {
    let (notes, doubts): (Vec<Diagnostic>, Vec<Diagnostic>) = warnings.iter().cloned().partition(is_note);
    tell("warning", "33", text, &doubts, Place::Call);
    for note in notes {
        // A text need not be shown once more where all of it is meant.
        let whole = note.span.start == 0 && note.span.end >= text.trim_end().len();
        tell("note", "36", if whole { "" } else { text }, &[note], Place::Call);
    }
}

/// Tells what the asker should know about an answer.
pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        let told = format!("{}: {}\n", label("warning", "33"), visible(advice::warning(note)));
        let _ = write!(io::stderr(), "{}", screen::folded(told, &io::stderr()));
    }
}

/// Standard error is the last resort: if it cannot be written there is nobody to tell.
fn tell(word: &str, colour: &str, text: &str, messages: &[Diagnostic], place: Place) {
    let label = label(word, colour);
    let mut stderr = io::stderr().lock();
    for message in messages.iter().take(MOST_SHOWN) {
        let (message, note) = advice::worded(message, place);
        let note = note.map(|note| format!("note: {}\n", visible(&note))).unwrap_or_default();
        let told = format!("{}{note}", place::message(&label, text, &message));
        let _ = write!(stderr, "{}", screen::folded(told, &stderr));
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
