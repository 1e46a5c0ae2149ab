//! `tumble odds`: the exact distribution of one or several texts, or an approximate one where that is
//! allowed and needed.

use crate::args::{Format, OddsArgs};
use crate::batch::clock;
use crate::{input, report, wait};
use std::io::{self, Write};
use tumble::batch::{Request, Settings, Task, perform};
use tumble::render::{explain, html, near, text};
use tumble::{Answer, Diagnostic, ONE_OF_SEVERAL, Reduced, Sampling};

/// Runs the command and gives the exit status: the highest of all texts. A file is written only if
/// there is something to write.
pub(crate) fn run(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let Some(path) = &args.output else { return answer(args, out) };
    let mut answered = Vec::new();
    let status = answer(args, &mut answered)?;
    if answered.is_empty() {
        return Ok(status);
    }
    match std::fs::write(path, answered) {
        Ok(()) => Ok(status),
        Err(error) => {
            let message = format!("`{}` cannot be written: {error}", path.display());
            report::errors(out, false, "", &[input::refused(message)])
        }
    }
}

fn answer(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let json = args.format() == Format::Json;
    let from_file = match &args.given.file {
        None => None,
        Some(path) => match input::file(path) {
            Ok(text) => Some(text),
            Err(error) => return report::errors(out, json, "", &[error]),
        },
    };
    if args.format() == Format::Html {
        return as_html(args, args.texts.iter().chain(&from_file), out);
    }
    let several = args.texts.len() > 1;
    let mut status = 0;
    for (i, text) in args.texts.iter().chain(&from_file).enumerate() {
        if several && !json {
            writeln!(out, "{}{text}", if i == 0 { "" } else { "\n" })?;
        }
        let one = if json { as_json(args, text, out)? } else { as_text(args, text, out)? };
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

/// One table for all texts, or none if one of them has no answer.
fn as_html<'t>(args: &OddsArgs, texts: impl Iterator<Item = &'t String>, out: &mut dyn Write) -> io::Result<u8> {
    if args.explain {
        let message = "--explain has no place in an HTML table; ask for it with --format text or json";
        return report::errors(out, false, "", &[input::refused(message)]);
    }
    let (mut columns, mut status) = (Vec::new(), 0);
    for text in texts {
        let prepared = match input::prepare(&args.given, text) {
            Ok(prepared) => prepared,
            Err(errors) => {
                status = status.max(report::errors(out, false, text, errors.all())?);
                continue;
            }
        };
        report::warnings(text, prepared.warnings());
        match prepared.ask(&args.wanted(), &args.given.most.limits(), &sampling(args)) {
            Ok(Answer::Exact(odds, _)) => {
                columns.push(html::Column::exact(&prepared, &Reduced::new(&odds)));
                report::notes(odds.warnings());
            }
            Ok(Answer::Near(near, why)) => columns.push(html::Column::near(&prepared, &near, &why)),
            Err(error) => status = status.max(report::errors(out, false, text, &[error])?),
        }
    }
    if status == 0 {
        out.write_all(html::table(&columns).as_bytes())?;
    }
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
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
