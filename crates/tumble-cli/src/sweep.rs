//! `--sweep N=3..10`: the same question for several values of a variable, in one answer.
//!
//! ```text
//! sweep  = name "=" values
//! values = number ".." number [ ".." step ] | number { "," number }
//! ```

use crate::args::OddsArgs;
use crate::batch::clock;
use crate::{input, odds, report, unused, wait};
use std::io::{self, Write};
use tumble::batch::{Json, Request, Settings, Task, perform};
use tumble::render::sweep::{Column, table};
use tumble::render::{Series, Show};
use tumble::{Answer, Diagnostic, Prepared, Sampling, Vars, compile};

/// More values than this are no table any more.
const MOST: i64 = 1000;

/// A variable and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sweep {
    pub(crate) name: String,
    pub(crate) values: Vec<i64>,
}

impl Sweep {
    /// The values, up to the one at which somebody presses Ctrl-C.
    fn until_stopped(&self) -> impl Iterator<Item = &i64> {
        self.values.iter().enumerate().map_while(|(place, value)| {
            // Before the first value is there, there is nothing to wait for.
            if place > 0 {
                wait::listen_between();
            }
            (!wait::interrupted()).then_some(value)
        })
    }
}

/// Reads what stands after `--sweep`.
pub(crate) fn sweep(given: &str) -> Result<Sweep, String> {
    let bad = || format!("`{given}` is no sweep; write it like N=3..10, N=0..100..10 or N=2,4,8");
    let (name, values) = given.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(bad)?;
    let number = |piece: &str| piece.trim().parse::<i64>().map_err(|_| bad());
    let values = match values.split("..").collect::<Vec<_>>().as_slice() {
        [list] => list.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
        [from, to] => range(number(from)?, number(to)?, 1)?,
        [from, to, step] => range(number(from)?, number(to)?, number(step)?)?,
        _ => return Err(bad()),
    };
    Ok(Sweep { name: name.to_owned(), values })
}

/// Both ends are meant.
fn range(from: i64, to: i64, step: i64) -> Result<Vec<i64>, String> {
    if step < 1 {
        return Err("a step is 1 or more".to_owned());
    }
    match to.checked_sub(from).map(|span| span / step) {
        Some(span) if (0..MOST).contains(&span) => Ok((0..=span).map(|n| from + n * step).collect()),
        Some(span) if span < 0 => Err(format!("there is nothing from {from} up to {to}")),
        _ => Err(format!("these are more than {MOST} values")),
    }
}

/// The values a text is answered with, each under its title; one case without a title if there is no sweep.
pub(crate) fn cases(args: &OddsArgs, text: &str) -> Result<Vec<(Option<String>, Vars)>, Diagnostic> {
    let vars = input::vars(&args.given)?;
    let Some(sweep) = &args.sweep else { return Ok(vec![(None, vars)]) };
    let several = args.texts.len() > 1;
    let case = |value: &i64| {
        let title = format!("{} = {value}", sweep.name);
        let mut vars = vars.clone();
        vars.insert(sweep.name.clone(), *value);
        (Some(if several { format!("{text}, {title}") } else { title }), vars)
    };
    Ok(sweep.values.iter().map(case).collect())
}

/// Answers every text for every value; without a sweep that is `tumble odds` itself.
pub(crate) fn run(args: &OddsArgs, out: &mut dyn Write) -> io::Result<u8> {
    // The table across the values is a form of text; all other forms take each value as a roll of its own.
    let plain = args.output.is_none()
        && args.title.is_none()
        && args.questions().is_empty()
        && matches!(args.format().name, "text" | "json");
    let Some(sweep) = args.sweep.as_ref().filter(|_| plain) else { return odds::run(args, out) };
    let json = args.format().name == "json";
    if let Some(message) = odds::refusal(args, args.format()).or_else(|| no_fractions(args)) {
        return report::errors(out, false, "", &[input::refused(message)]);
    }
    let mut texts = args.texts.clone();
    let vars = match args.given.file.as_deref().map(input::file).transpose().and_then(|file| {
        texts.extend(file);
        input::vars(&args.given)
    }) {
        Ok(vars) => vars,
        Err(error) => return report::errors(out, json, "", &[error]),
    };
    unused::tell_odds(args, &texts);
    let limits = args.given.most.limits();
    let sampling = &if args.approx { wait::sampling() } else { Settings::new(limits, clock).sampling };
    let with = |value: i64| {
        let mut vars = vars.clone();
        vars.insert(sweep.name.clone(), value);
        vars
    };
    let mut status = 0;
    for (i, text) in texts.iter().enumerate() {
        if json {
            for value in sweep.until_stopped() {
                let one = as_json(args, text, (&sweep.name, *value), with(*value), sampling, out)?;
                status = status.max(one);
            }
            continue;
        }
        if texts.len() > 1 {
            writeln!(out, "{}{text}", if i == 0 { "" } else { "\n" })?;
        }
        status = status.max(as_text(sweep, args, text, &with, sampling, out)?);
    }
    Ok(if status == 0 && wait::interrupted() { wait::INTERRUPTED } else { status })
}

/// Why the table of a sweep cannot show what was asked for.
fn no_fractions(args: &OddsArgs) -> Option<String> {
    let asked = args.show.contains(&Show::Fraction);
    asked.then(|| {
        "the table of a sweep has no room for fractions; ask for them with --format md, csv or json".to_owned()
    })
}

fn as_text(
    sweep: &Sweep,
    args: &OddsArgs,
    text: &str,
    with: &dyn Fn(i64) -> Vars,
    sampling: &Sampling,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let (mut columns, mut known, mut status): (Vec<Column>, Option<Prepared>, u8) = (vec![], None, 0);
    for value in sweep.until_stopped() {
        let prepared = match compile(input::notation(&args.given), text, &with(*value)) {
            Ok(prepared) => prepared,
            // A text that cannot be read is wrong for all values.
            Err(errors) if known.is_none() => return report::errors(out, false, text, errors.all()),
            Err(errors) => {
                status = status.max(failed(sweep, *value, text, errors.all(), out)?);
                continue;
            }
        };
        match prepared.ask(&args.query(), &args.given.most.limits(), sampling) {
            // Somebody stopped it before anything was rolled.
            Ok(Answer::Approximate(near, _)) if near.outcomes.is_empty() && wait::interrupted() => {}
            Ok(answer) => columns.push(Column::new(*value, Series::new(prepared.clone(), answer))),
            Err(error) => status = status.max(failed(sweep, *value, text, &[error], out)?),
        }
        known.get_or_insert(prepared);
    }
    if wait::interrupted() {
        out.flush()?;
        report::notes(&[format!("stopped after {} of {} values", columns.len(), sweep.values.len())]);
    }
    if let Some(prepared) = known.filter(|_| !columns.is_empty()) {
        report::warnings(text, prepared.warnings());
        out.write_all(table(&sweep.name, &columns, &odds::look(args)).as_bytes())?;
    }
    Ok(status)
}

/// Tells for which value there is no answer.
fn failed(sweep: &Sweep, value: i64, text: &str, errors: &[Diagnostic], out: &mut dyn Write) -> io::Result<u8> {
    out.flush()?;
    report::notes(&[format!("there is no answer for {} = {value}", sweep.name)]);
    report::errors(out, false, text, errors)
}

fn as_json(
    args: &OddsArgs,
    text: &str,
    (name, value): (&str, i64),
    vars: Vars,
    sampling: &Sampling,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let settings = Settings { sampling: *sampling, ..Settings::new(args.given.most.limits(), clock) };
    let task = Task::Odds { query: args.query(), digest: false };
    let notation = input::notation(&args.given).to_owned();
    let sheet = args.given.reading.sheet().cloned().unwrap_or_default();
    match perform(&Request { task, notation, text: text.to_owned(), vars, sheet }, &settings) {
        Ok(mut answer) => {
            if let Json::Object(fields) = &mut answer {
                let swept = [(name.to_owned(), Json::from(value))].into_iter().collect();
                fields.insert("sweep".into(), Json::Object(swept));
            }
            writeln!(out, "{answer}").map(|()| 0)
        }
        Err(error) => report::errors(out, true, text, &[error]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_ranges_or_lists() {
        for (given, values) in [
            ("N=3..6", Some(vec![3, 4, 5, 6])),
            ("N=-1..1", Some(vec![-1, 0, 1])),
            ("N=0..10..4", Some(vec![0, 4, 8])),
            ("N=2, 4,8", Some(vec![2, 4, 8])),
            ("N=5", Some(vec![5])),
            ("N=6..3", None),
            ("N=0..1000", None),
            ("N=-9223372036854775808..9223372036854775807", None),
            ("N=0..9..0", None),
            ("N=", None),
            ("=3", None),
            ("N", None),
            ("N=1..2..3..4", None),
            ("N=a..b", None),
        ] {
            let read = sweep(given).ok().map(|sweep| sweep.values);
            assert_eq!(read, values, "{given}");
        }
    }
}
