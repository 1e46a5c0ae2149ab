//! `tumble roll`: rolls a text, once or several times.

use crate::args::RollArgs;
use crate::batch::clock;
use crate::{input, report};
use std::io::{self, Write};
use tumble::batch::{Request, Settings, Task, perform};
use tumble::render::text;
use tumble::{any_seed, nth_seed};

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &RollArgs, out: &mut dyn Write) -> io::Result<u8> {
    let given = &args.given;
    let text = match (&args.text, &given.file) {
        (Some(text), _) => Ok(text.clone()),
        (None, Some(path)) => input::file(path),
        (None, None) => Ok(String::new()),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => return report::errors(out, given.json, "", &[error]),
    };
    let seed = match args.seed.map_or_else(any_seed, Ok) {
        Ok(seed) => seed,
        Err(error) => return report::errors(out, given.json, "", &[error]),
    };
    if given.json { as_json(args, &text, seed, out) } else { as_text(args, &text, seed, out) }
}

fn as_text(args: &RollArgs, text: &str, seed: u64, out: &mut dyn Write) -> io::Result<u8> {
    let prepared = match input::prepare(&args.given, text) {
        Ok(prepared) => prepared,
        Err(errors) => return report::errors(out, false, text, errors.all()),
    };
    report::warnings(text, prepared.warnings());
    let limits = args.given.most.limits();
    for n in 0..args.times {
        match prepared.roll(nth_seed(seed, n), &limits) {
            Ok(rolled) => out.write_all(text::roll(&prepared, &rolled).as_bytes())?,
            Err(error) => return report::errors(out, false, text, &[error]),
        }
    }
    Ok(0)
}

fn as_json(args: &RollArgs, text: &str, seed: u64, out: &mut dyn Write) -> io::Result<u8> {
    let settings = Settings::new(args.given.most.limits(), clock);
    let vars = match input::vars(&args.given) {
        Ok(vars) => vars,
        Err(error) => return report::errors(out, true, text, &[error]),
    };
    let roll = |n: u64| {
        let task = Task::Roll { seed: Some(nth_seed(seed, n)), times: None };
        let notation = input::notation(&args.given).to_owned();
        perform(&Request { task, notation, text: text.to_owned(), vars: vars.clone() }, &settings)
    };
    for n in 0..args.times {
        match roll(n) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(error) => return report::errors(out, true, text, &[error]),
        }
    }
    Ok(0)
}
