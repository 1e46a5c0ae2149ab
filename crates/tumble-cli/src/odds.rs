//! `tumble odds`: the exact distribution of one or several texts, or an approximate one where that is
//! allowed and needed.

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::{input, report, screen, sweep, unused, wait};
use std::io::{self, IsTerminal, Write};
use tumble::batch::{Json, Request, Settings, Task, perform};
use tumble::render::{Format, Look, Series, Show, chance, explain, render, text};
use tumble::{Answer, CUT_SHORT, Diagnostic, Errors, NO_MEAN, ONE_OF_SEVERAL, Sampling, Vars};

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
    let json = format.name == "json";
    let mut texts = args.texts.clone();
    match args.given.file.as_deref().map(input::file).transpose() {
        Ok(text) => texts.extend(text),
        Err(error) => return report::errors(out, json, "", &[error]),
    }
    unused::tell_odds(args, &texts);
    if json {
        let mut status = 0;
        for text in &texts {
            status = status.max(as_json(args, text, out)?);
            if wait::interrupted() {
                break;
            }
        }
        return Ok(status);
    }
    let (series, status) = counted(args, &texts, out)?;
    let status = match format.name {
        _ if !args.questions().is_empty() => status.max(as_chances(args, &series, out)?),
        "text" => status.max(as_text(args, &series, out)?),
        // One table or picture for all texts, or none if one of them has no answer.
        _ if status == 0 => as_format(args, format, &series, out)?,
        _ => status,
    };
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
}

/// Why this cannot be had in this format.
pub(crate) fn refusal(args: &OddsArgs, format: &Format) -> Option<String> {
    if let Some(message) = args.unknown_ending() {
        return Some(message);
    }
    let spoken = matches!(format.name, "text" | "json");
    if args.explain && !spoken {
        return Some(format!("--explain has no place in {}; ask for it with --format text or json", format.name));
    }
    if !args.questions().is_empty() && !spoken {
        return Some(format!("one number is no {}; ask for it with --format text or json", format.name));
    }
    if args.title.is_some() && matches!(format.name, "text" | "json" | "csv") {
        return Some(format!("--title has no place in {}; it is for md, html, svg and png", format.name));
    }
    if !args.show.is_empty() && format.name == "json" {
        return Some("--show has no place in json, which has every outcome with its fraction".to_owned());
    }
    if args.show.contains(&Show::Fraction) && matches!(format.name, "html" | "svg" | "png") {
        return Some(format!("{} shows no fractions; ask for them with --format text, md, csv or json", format.name));
    }
    let to_terminal = format.binary && args.output.is_none() && io::stdout().is_terminal();
    to_terminal.then(|| format!("a terminal cannot show {0}; write it to a file with -o odds.{0}", format.ending))
}

/// The answers to all texts that have one; errors are told at once.
fn counted(args: &OddsArgs, texts: &[String], out: &mut dyn Write) -> io::Result<(Vec<Series>, u8)> {
    let (mut series, mut status) = (Vec::new(), 0);
    for text in texts {
        let cases = match sweep::cases(args, text) {
            Ok(cases) => cases,
            Err(error) => return Ok((series, report::errors(out, false, text, &[error])?)),
        };
        for (title, vars) in cases {
            match one(args, text, &vars) {
                Ok(found) => series.push(match title {
                    Some(title) => found.titled(title),
                    None => found,
                }),
                Err(errors) => status = status.max(report::errors(out, false, text, errors.all())?),
            }
            // Who stops one answer does not wait for the next.
            if wait::interrupted() {
                return Ok((series, status));
            }
        }
    }
    Ok((series, status))
}

fn one(args: &OddsArgs, text: &str, vars: &Vars) -> Result<Series, Errors> {
    let prepared = input::compiled(&args.given, text, vars)?;
    report::warnings(prepared.text(), prepared.warnings());
    let answer = prepared.ask(&args.query(), &args.given.most.limits(), &sampling(args))?;
    Ok(Series::new(prepared, answer))
}

pub(crate) fn look(args: &OddsArgs) -> Look {
    // What goes into a file is not for this terminal.
    let (width, colour) =
        if args.output.is_some() { (screen::PAGE, false) } else { (screen::width(), screen::colour()) };
    Look {
        width,
        colour,
        all: args.all,
        show: args.show.clone(),
        separate: args.separate,
        theme: args.theme,
        title: args.title.clone(),
    }
}

fn as_text(args: &OddsArgs, series: &[Series], out: &mut dyn Write) -> io::Result<u8> {
    let look = look(args);
    // Who wants to know more about each answer reads one after the other.
    if args.explain || args.verify || args.approx {
        for (i, one) in series.iter().enumerate() {
            if series.len() > 1 {
                writeln!(out, "{}{}", if i == 0 { "" } else { "\n" }, one.title())?;
            }
            out.write_all(text::tables(std::slice::from_ref(one), &look).as_bytes())?;
            more(args, one, out)?;
        }
    } else {
        out.write_all(text::tables(series, &look).as_bytes())?;
    }
    tell_notes(series, &[], out)
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
    if let Some(told) = odds.explanation().filter(|_| args.explain) {
        write!(out, "\n{}", explain::text(series.prepared(), told))?;
    }
    Ok(())
}

/// Things to know about the answers, after them, each told once; but nothing that does not matter here.
fn tell_notes(series: &[Series], not: &[&str], out: &mut dyn Write) -> io::Result<u8> {
    out.flush()?;
    let mut notes: Vec<String> = Vec::new();
    for one in series {
        if let Answer::Exact(odds, _) = one.answer() {
            let several = one.prepared().counts_one().then(|| ONE_OF_SEVERAL.to_owned());
            for note in several.into_iter().chain(odds.warnings().iter().cloned()) {
                if !notes.contains(&note) && !not.contains(&note.as_str()) {
                    notes.push(note);
                }
            }
        }
    }
    report::notes(&notes);
    Ok(0)
}

fn as_chances(args: &OddsArgs, series: &[Series], out: &mut dyn Write) -> io::Result<u8> {
    match chance::text(series, &args.questions()) {
        Ok(told) => {
            out.write_all(told.as_bytes())?;
            for one in series.iter().filter(|_| args.explain || args.verify) {
                if series.len() > 1 {
                    writeln!(out, "\n{}", one.title())?;
                }
                more(args, one, out)?;
            }
            tell_notes(series, &[NO_MEAN, CUT_SHORT], out)
        }
        Err(error) => {
            let text = series.first().map_or("", |one| one.prepared().text());
            report::errors(out, false, text, &[error])
        }
    }
}

fn as_format(args: &OddsArgs, format: &Format, series: &[Series], out: &mut dyn Write) -> io::Result<u8> {
    match render(format, series, &look(args)) {
        Ok(written) => {
            out.write_all(&written)?;
            tell_notes(series, &[], out)
        }
        Err(error) => report::errors(out, false, "", &[error]),
    }
}

/// Asks for one object: the whole distribution, or the answers to the questions for every value of a sweep.
fn as_json(args: &OddsArgs, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    let told = match args.questions().is_empty() {
        true => vec![distribution(args, text)],
        false => match sweep::cases(args, text) {
            Ok(cases) => cases.into_iter().map(|(_, vars)| chances(args, text, vars)).collect(),
            Err(error) => vec![Err(error)],
        },
    };
    let mut status = 0;
    for told in told {
        let one = match told {
            Ok(answer) => writeln!(out, "{answer}").map(|()| 0)?,
            Err(error) => report::errors(out, true, text, &[error])?,
        };
        status = status.max(one);
    }
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
}

fn distribution(args: &OddsArgs, text: &str) -> Result<Json, Diagnostic> {
    let settings = Settings { sampling: sampling(args), ..Settings::new(args.given.most.limits(), clock) };
    let (notation, vars) = (input::notation(&args.given).to_owned(), input::vars(&args.given)?);
    let task = Task::Odds { query: args.query(), digest: false };
    let sheet = args.given.reading.sheet()?.clone();
    perform(&Request { task, notation, text: text.to_owned(), vars, sheet }, &settings)
}

fn chances(args: &OddsArgs, text: &str, vars: Vars) -> Result<Json, Diagnostic> {
    let swept = args.sweep.as_ref().and_then(|sweep| Some((sweep.name.clone(), Json::from(*vars.get(&sweep.name)?))));
    let prepared = input::compiled(&args.given, text, &vars).map_err(Errors::first)?;
    let answer = prepared.ask(&args.query(), &args.given.most.limits(), &sampling(args))?;
    let mut told = chance::json(&Series::new(prepared, answer), &args.questions())?;
    if let (Some(swept), Json::Object(fields)) = (swept, &mut told) {
        fields.insert("sweep".into(), Json::Object([swept].into_iter().collect()));
    }
    Ok(told)
}

/// Only an answer that may be approximate can be interrupted and still be given.
fn sampling(args: &OddsArgs) -> Sampling {
    let limits = args.given.most.limits();
    if args.approx { wait::sampling() } else { Settings::new(limits, clock).sampling }
}
