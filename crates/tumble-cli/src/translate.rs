//! `tumble translate`: the same roll in another notation, or in all others.

use crate::args::TranslateArgs;
use crate::{input, report};
use std::io::{self, Write};
use tumble::render::json;
use tumble::{Code, DIALECTS, Diagnostic, NOTATIONS, Notation, Prepared, Span, notation};

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &TranslateArgs, out: &mut dyn Write) -> io::Result<u8> {
    let as_json = args.given.json;
    let text = match input::text(&args.words, args.given.file.as_deref()) {
        Ok(text) => text,
        Err(error) => return report::errors(out, as_json, "", &[error]),
    };
    let prepared = match input::prepare(&args.given, &text) {
        Ok(prepared) => prepared,
        Err(errors) => return report::errors(out, as_json, &text, errors.all()),
    };
    match &args.to {
        None => to_all(&prepared, as_json, out),
        Some(name) => match notation(name) {
            Some(to) => to_one(&prepared, to, as_json, out),
            None => report::errors(out, as_json, "", &[no_such(name)]),
        },
    }
}

fn no_such(name: &str) -> Diagnostic {
    let known: Vec<&str> = NOTATIONS.iter().chain(DIALECTS).map(|notation| notation.name).collect();
    Diagnostic::new(Code::Request, Span::default(), format!("unknown notation `{name}`"))
        .hint(format!("known notations: {}", known.join(", ")))
}

fn to_one(prepared: &Prepared, to: &'static Notation, as_json: bool, out: &mut dyn Write) -> io::Result<u8> {
    match prepared.translate(to) {
        Ok(translation) if as_json => writeln!(out, "{}", json::translation(to, &translation)).map(|()| 0),
        Ok(translation) => {
            writeln!(out, "{}", translation.text)?;
            out.flush()?;
            if !translation.checked {
                report::notes(&["the two expressions could not be compared exactly".to_owned()]);
            }
            Ok(0)
        }
        Err(error) => report::errors(out, as_json, prepared.text(), &[error]),
    }
}

/// One line for each other notation. A roll that fails, fails in all of them.
fn to_all(prepared: &Prepared, as_json: bool, out: &mut dyn Write) -> io::Result<u8> {
    let width = NOTATIONS.iter().map(|notation| notation.name.len()).max().unwrap_or(0);
    for to in NOTATIONS.iter().filter(|to| to.name != prepared.notation().name) {
        match prepared.translate(to) {
            Ok(translation) if as_json => writeln!(out, "{}", json::translation(to, &translation))?,
            Ok(translation) => {
                let lines = translation.text.replace('\n', &format!("\n{}", " ".repeat(width + 2)));
                writeln!(out, "{:width$}  {lines}", to.name)?;
            }
            Err(error) if error.kind.as_deref() != Some("no-translation") => {
                return report::errors(out, as_json, prepared.text(), &[error]);
            }
            Err(error) if as_json => writeln!(out, "{}", json::error(&error))?,
            Err(error) => writeln!(out, "{:width$}  ({})", to.name, error.message)?,
        }
    }
    Ok(0)
}
