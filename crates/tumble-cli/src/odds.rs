//! `tumble odds`: the exact distribution of one or several texts.

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::{input, report};
use std::io::{self, Write};
use tumble::batch::{Request, Settings, Task, perform};
use tumble::render::text;
use tumble::{Diagnostic, Options, Reduced};

/// Runs the command and gives the exit status: the highest of all texts.
pub(crate) fn run(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let from_file = match &args.given.file {
        None => None,
        Some(path) => match input::file(path) {
            Ok(text) => Some(text),
            Err(error) => return report::errors(out, args.given.json, "", &[error]),
        },
    };
    let several = args.texts.len() > 1;
    let mut status = 0;
    for (i, text) in args.texts.iter().chain(&from_file).enumerate() {
        if several && !args.given.json {
            writeln!(out, "{}{text}", if i == 0 { "" } else { "\n" })?;
        }
        let one = if args.given.json { as_json(args, text, out)? } else { as_text(args, text, out)? };
        status = status.max(one);
    }
    Ok(status)
}

fn as_text(args: &OddsArgs, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    let prepared = match input::prepare("odds", &args.given, text) {
        Ok(prepared) => prepared,
        Err(errors) => return report::errors(out, false, text, errors.all()),
    };
    report::warnings(text, prepared.warnings());
    let options = Options { limits: args.given.most.limits(), iterations: args.iterations, ..Options::default() };
    match prepared.odds(&options) {
        Ok(odds) => {
            out.write_all(text::odds(&prepared, &Reduced::new(&odds), args.all).as_bytes())?;
            out.flush()?;
            report::notes(odds.warnings());
            Ok(0)
        }
        Err(error) => report::errors(out, false, text, &[error]),
    }
}

fn as_json(args: &OddsArgs, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    let settings = Settings { limits: args.given.most.limits(), clock };
    let answer = || -> Result<_, Diagnostic> {
        let notation = input::notation("odds", &args.given, text)?.to_owned();
        let task = Task::Odds { iterations: args.iterations, digest: false };
        perform(&Request { task, notation, text: text.to_owned(), vars: args.given.vars() }, &settings)
    };
    match answer() {
        Ok(answer) => writeln!(out, "{answer}").map(|()| 0),
        Err(error) => report::errors(out, true, text, &[error]),
    }
}
