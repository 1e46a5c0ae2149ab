//! `tumble odds`: the exact distribution of one or several texts, or an approximate one where that is
//! allowed and needed.

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::{input, report, wait};
use std::io::{self, Write};
use tumble::batch::{Request, Settings, Task, perform};
use tumble::render::{explain, near, text};
use tumble::{Answer, Diagnostic, ONE_OF_SEVERAL, Reduced, Sampling};

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
    let prepared = match input::prepare(&args.given, text) {
        Ok(prepared) => prepared,
        Err(errors) => return report::errors(out, false, text, errors.all()),
    };
    report::warnings(text, prepared.warnings());
    match prepared.ask(&args.wanted(), &args.given.most.limits(), &sampling(args)) {
        Ok(Answer::Exact(odds, verified)) => {
            out.write_all(text::odds(&prepared, &Reduced::new(&odds), args.all).as_bytes())?;
            if args.approx {
                writeln!(out, "not approximate: the exact answer was within the limits")?;
            }
            if let Some(verified) = &verified {
                out.write_all(explain::verified(verified).as_bytes())?;
            }
            if let Some(told) = odds.explanation().filter(|_| args.explain) {
                write!(out, "\n{}", explain::text(&prepared, told))?;
            }
            out.flush()?;
            if prepared.counts_one() {
                report::notes(&[ONE_OF_SEVERAL.to_owned()]);
            }
            report::notes(odds.warnings());
            Ok(0)
        }
        Ok(Answer::Near(answer, why)) => {
            out.write_all(near::text(&prepared, &answer, &why, args.all).as_bytes())?;
            Ok(if wait::interrupted() { wait::INTERRUPTED } else { 0 })
        }
        Err(error) => report::errors(out, false, text, &[error]),
    }
}

fn as_json(args: &OddsArgs, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    let limits = args.given.most.limits();
    let settings = Settings { sampling: sampling(args), ..Settings::new(limits, clock) };
    let answer = || -> Result<_, Diagnostic> {
        let (notation, vars) = (input::notation(&args.given).to_owned(), input::vars(&args.given)?);
        let task = Task::Odds { wanted: args.wanted(), digest: false };
        perform(&Request { task, notation, text: text.to_owned(), vars }, &settings)
    };
    match answer() {
        Ok(answer) => writeln!(out, "{answer}").map(|()| if wait::interrupted() { wait::INTERRUPTED } else { 0 }),
        Err(error) => report::errors(out, true, text, &[error]),
    }
}

/// Only an answer that may be approximate can be interrupted and still be given.
fn sampling(args: &OddsArgs) -> Sampling {
    let limits = args.given.most.limits();
    if args.approx { wait::sampling() } else { Settings::new(limits, clock).sampling }
}
