//! `tumble odds`: the exact distribution of one or several expressions, or an approximate one where that is
//! allowed and needed.

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::{input, report, screen, script_odds, sweep, unused, wait};
use std::io::{self, IsTerminal, Write};
use tumble::batch::{Json, Request, Settings, Task, perform};
use tumble::render::effects::{View, idle, undrawable};
use tumble::render::{Format, Look, Series, Study, explain, text, visible};
use tumble::{Answer, CUT_SHORT, Diagnostic, NO_MEAN, ONE_OF_SEVERAL, Sampling};

/// Runs the command and gives the exit status: the highest of all expressions. A file is written only if
/// there is something to write.
pub(crate) fn run(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let Some(path) = &args.output else { return answer(args, out) };
    let mut answered = Vec::new();
    let status = answer(args, &mut answered)?;
    if answered.is_empty() {
        return Ok(status);
    }
    match std::fs::write(path, answered) {
        Ok(()) => {
            report::notes(&Vec::from_iter(args.other_ending()));
            Ok(status)
        }
        Err(error) => {
            let message = format!("`{}` cannot be written: {error}", path.display());
            report::errors(out, false, "", &[input::refused(message)])
        }
    }
}

fn answer(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    let format = args.format();
    if let Some(message) = refusal(args, format) {
        return report::errors(out, false, "", &[input::refused(message)]);
    }
    if let Some(path) = &args.of.script {
        return script_odds::answer(args, path, format, out);
    }
    let json = format.name == "json";
    let mut texts = args.texts.clone();
    match args.given.file.as_deref().map(input::file).transpose() {
        Ok(text) => texts.extend(text),
        Err(error) => return report::errors(out, json, "", &[error]),
    }
    let study = Study::new(texts.len(), args.sweep.clone(), args.questions());
    let mut study = match study.and_then(|study| unused::tell_odds(args, &texts).map(|()| study)) {
        Ok(study) => study,
        Err(error) => return report::errors(out, json, "", &[error]),
    };
    let status = match json {
        true => as_json(args, &texts, &study, out)?,
        false => {
            let status = sweep::counted(args, &texts, &mut study, out)?;
            written(args, format, &study, status, out)?
        }
    };
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
}

/// Why this cannot be had in this format.
fn refusal(args: &OddsArgs, format: &Format) -> Option<String> {
    if let Some(message) = args.unknown_ending() {
        return Some(message);
    }
    if let Some(name) = args.of.idle() {
        return Some(format!("{name} does nothing without --script"));
    }
    let rolls = args.texts.len().max(1);
    let view = View::of(rolls, args.sweep.len(), !args.questions().is_empty());
    if let Some(message) = undrawable(view, format.name) {
        return Some(message);
    }
    let approx = (!args.approx).then_some("--approx");
    let nothing = |(setting, named): (_, String)| idle(setting, &named, view, format.name, approx);
    if let Some(message) = args.settings().into_iter().find_map(nothing) {
        return Some(message);
    }
    if args.name.len() > rolls {
        let count = if rolls == 1 { "only 1 roll".to_owned() } else { format!("only {rolls} rolls") };
        return Some(format!(
            "--name is given {} times, but for {count}; give one for each, in order",
            args.name.len()
        ));
    }
    let to_terminal = format.binary && args.output.is_none() && io::stdout().is_terminal();
    to_terminal.then(|| format!("a terminal cannot show {0}; write it to a file with -o odds.{0}", format.ending))
}

/// The answer to a roll under its name, if it has one; else under what was typed, if that was written out before it was
/// read.
pub(crate) fn named(args: &OddsArgs, roll: usize, series: Series) -> Series {
    let typed = args.typed.get(roll).or(args.texts.get(roll));
    match (args.name.get(roll), typed) {
        (Some(name), _) => series.named(name),
        (None, Some(typed)) if typed.trim() != series.text().trim() => series.titled(typed.trim()),
        (None, _) => series,
    }
}

fn look(args: &OddsArgs) -> Look {
    // What goes into a file is not for this terminal.
    let (width, colour) =
        if args.output.is_some() { (screen::PAGE, false) } else { (screen::width(), screen::colour()) };
    Look {
        width,
        colour,
        all: args.all,
        show: args.show.clone(),
        separate: args.separate,
        theme: args.theme.unwrap_or_default(),
        title: args.title.clone(),
        size: args.size,
    }
}

/// Writes all answers. A document is made of all of them, or not at all if one is missing; a terminal shows those there
/// are.
pub(crate) fn written(
    args: &OddsArgs,
    format: &Format,
    study: &Study,
    status: u8,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let series = study.series();
    if series.is_empty() || (status != 0 && format.name != "text") {
        return Ok(status);
    }
    let alone = matches!(study.view(), View::Roll | View::Rolls) && args.of.script.is_none();
    // To know more about each answer, one reads one after the other.
    if alone && format.name == "text" && (args.explain || args.verify || args.approx) {
        return Ok(status.max(one_by_one(args, series, out)?));
    }
    match study.write(format, &look(args)) {
        Ok(bytes) => {
            out.write_all(&bytes)?;
            if study.view() == View::Chances && format.name == "text" {
                workings(args, series, out)?;
            }
            let one_number = matches!(study.view(), View::Chances | View::Curve | View::Grid);
            tell_notes(series, if one_number { &[NO_MEAN, CUT_SHORT] } else { &[] }, out)?;
            Ok(status)
        }
        Err(error) => {
            let text = series.first().map_or("", Series::text);
            report::errors(out, false, text, &[error])
        }
    }
}

fn one_by_one(args: &OddsArgs, series: &[Series], out: &mut dyn Write) -> io::Result<u8> {
    for (i, one) in series.iter().enumerate() {
        if series.len() > 1 {
            writeln!(out, "{}{}", if i == 0 { "" } else { "\n" }, visible(one.title()))?;
        }
        out.write_all(text::tables(std::slice::from_ref(one), &look(args)).as_bytes())?;
        more(args, one, out)?;
    }
    tell_notes(series, &[], out)?;
    Ok(0)
}

/// How the numbers were found, after them.
fn workings(args: &OddsArgs, series: &[Series], out: &mut dyn Write) -> io::Result<()> {
    for one in series.iter().filter(|_| args.explain || args.verify) {
        if series.len() > 1 {
            writeln!(out, "\n{}", visible(one.title()))?;
        }
        more(args, one, out)?;
    }
    Ok(())
}

/// What was asked besides the table.
fn more(args: &OddsArgs, series: &Series, out: &mut dyn Write) -> io::Result<()> {
    let Answer::Exact(odds, verified) = series.answer() else { return Ok(()) };
    if args.approx {
        writeln!(out, "not approximate: the exact answer was within the limits")?;
    }
    if let Some(verified) = verified {
        out.write_all(explain::verified(verified).as_bytes())?;
    }
    if let (Some(told), Some(prepared)) = (odds.explanation().filter(|_| args.explain), series.prepared()) {
        write!(out, "\n{}", explain::text(prepared, told))?;
    }
    Ok(())
}

/// Things to know about the answers, after them, each of them once; but nothing that does not matter here.
fn tell_notes(series: &[Series], not: &[&str], out: &mut dyn Write) -> io::Result<()> {
    out.flush()?;
    let mut notes: Vec<String> = Vec::new();
    for one in series {
        if let Answer::Exact(odds, _) = one.answer() {
            let counts_one = one.prepared().is_some_and(tumble::Prepared::counts_one);
            let several = counts_one.then(|| ONE_OF_SEVERAL.to_owned());
            for note in several.into_iter().chain(odds.warnings().iter().cloned()) {
                if !notes.contains(&note) && !not.contains(&note.as_str()) {
                    notes.push(note);
                }
            }
        }
    }
    report::notes(&notes);
    Ok(())
}

/// One object for each roll and each value of what is swept, as `tumble batch` answers.
fn as_json(args: &OddsArgs, texts: &[String], study: &Study, out: &mut dyn Write) -> io::Result<u8> {
    let mut status = 0;
    for (roll, text) in texts.iter().enumerate() {
        for (_, case) in sweep::until_stopped(study.cases()) {
            status = status.max(match object(args, (roll, text), &case) {
                Ok(answer) => writeln!(out, "{answer}").map(|()| 0)?,
                Err(error) => report::errors(out, true, text, &[error])?,
            });
        }
        if wait::interrupted() {
            break;
        }
    }
    Ok(status)
}

fn object(args: &OddsArgs, (roll, text): (usize, &str), case: &[(String, i64)]) -> Result<Json, Diagnostic> {
    let settings = Settings { sampling: sampling(args), ..Settings::new(args.given.most.limits(), clock) };
    let vars = sweep::with(&input::vars(&args.given)?, case);
    let (query, questions) = (args.query(), args.questions());
    let task = match questions.is_empty() {
        true => Task::Odds { query, digest: false },
        false => Task::Chance { query, questions },
    };
    let notation = input::notation(&args.given).to_owned();
    let name = args.name.get(roll).cloned();
    let sheet = args.given.reading.sheet()?.clone();
    let mut answer = perform(&Request { task, notation, text: text.to_owned(), vars, sheet, name }, &settings)?;
    if let (Json::Object(fields), false) = (&mut answer, case.is_empty()) {
        let swept = case.iter().map(|(name, value)| (name.clone(), Json::from(*value))).collect();
        fields.insert("sweep".into(), Json::Object(swept));
    }
    Ok(answer)
}

/// Only an answer that may be approximate can be interrupted and still be given.
pub(crate) fn sampling(args: &OddsArgs) -> Sampling {
    let limits = args.given.most.limits();
    if args.approx { wait::sampling() } else { Settings::new(limits, clock).sampling }
}
