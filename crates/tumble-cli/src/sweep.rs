//! `--sweep N=3..10`: the same question for several values of a variable, or of two, in one answer.
//!
//! ```text
//! sweep  = name "=" values
//! values = number ".." number [ ".." step ] | number { "," number }
//! ```

use crate::args::OddsArgs;
use crate::{input, odds, report, wait};
use std::io::{self, Write};
use tumble::render::{Axis, Series, Study};
use tumble::{Answer, Diagnostic, Errors, Vars};

/// Reads what follows `--sweep`.
pub(crate) fn sweep(given: &str) -> Result<Axis, String> {
    let bad = || format!("`{given}` is not a sweep; write it like N=3..10, N=0..100..10 or N=2,4,8");
    let (name, values) = given.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(bad)?;
    Axis::read(name, values)
}

/// The values an expression has in one case.
pub(crate) fn with(vars: &Vars, case: &[(String, i64)]) -> Vars {
    let mut vars = vars.clone();
    vars.extend(case.iter().cloned());
    vars
}

/// The values in words: `b = 3, dc = 10`.
pub(crate) fn spelled(case: &[(String, i64)]) -> String {
    case.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// The cases, up to the one at which somebody presses Ctrl-C.
pub(crate) fn until_stopped<T>(cases: Vec<T>) -> impl Iterator<Item = (usize, T)> {
    let several = cases.len() > 1;
    cases.into_iter().enumerate().map_while(move |(place, case)| {
        // Before the first answer is there, there is nothing to wait for.
        if place > 0 && several {
            wait::listen_between();
        }
        (!wait::interrupted()).then_some((place, case))
    })
}

/// Answers every expression for every value; what has no answer is reported at once.
pub(crate) fn counted(args: &OddsArgs, texts: &[String], study: &mut Study, out: &mut dyn Write) -> io::Result<u8> {
    let vars = match input::vars(&args.given) {
        Ok(vars) => vars,
        Err(error) => return report::errors(out, false, "", &[error]),
    };
    // A comparison with a roll that is not there says nothing, so all of them are read before one is answered.
    let mut status = 0;
    let first = with(&vars, &study.cases().into_iter().next().unwrap_or_default());
    for text in texts.iter().filter(|_| texts.len() > 1) {
        if let Err(errors) = input::compiled(&args.given, text, &first) {
            status = status.max(report::errors(out, false, text, errors.all())?);
        }
    }
    if status != 0 {
        return Ok(status);
    }
    for (roll, text) in texts.iter().enumerate() {
        status = status.max(one(args, (roll, text), &vars, study, out)?);
        if wait::interrupted() {
            break;
        }
    }
    let cases = study.cases().len() * texts.len();
    if wait::interrupted() && cases > texts.len() {
        out.flush()?;
        report::notes(&[format!("stopped after {} of {cases} values", study.series().len())]);
    }
    Ok(status)
}

/// Answers one expression for every value.
fn one(
    args: &OddsArgs,
    (roll, text): (usize, &str),
    vars: &Vars,
    study: &mut Study,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let (mut status, mut known) = (0, false);
    for (place, case) in until_stopped(study.cases()) {
        let (errors, read) = match answer(args, text, &with(vars, &case), known) {
            Ok(Some(series)) => {
                known = true;
                study.put(roll, place, odds::named(args, roll, series));
                continue;
            }
            // Somebody stopped it before anything was rolled.
            Ok(None) => continue,
            Err(Failed::Unread(errors)) => (errors.all().to_vec(), known),
            Err(Failed::Unanswered(error)) => (vec![error], true),
        };
        // An expression that cannot be read is wrong for all values.
        if case.is_empty() || !read {
            return report::errors(out, false, text, &errors);
        }
        out.flush()?;
        report::notes(&[format!("there is no answer for {}", spelled(&case))]);
        status = status.max(report::errors(out, false, text, &errors)?);
        known = true;
    }
    Ok(status)
}

/// Why there is no answer.
enum Failed {
    Unread(Errors),
    Unanswered(Diagnostic),
}

/// One answer; none if somebody stopped it. Warnings about an expression are shown once.
fn answer(args: &OddsArgs, text: &str, vars: &Vars, warned: bool) -> Result<Option<Series>, Failed> {
    let prepared = input::compiled(&args.given, text, vars).map_err(Failed::Unread)?;
    if !warned {
        report::warnings(prepared.text(), prepared.warnings());
    }
    let limits = args.given.most.limits();
    match prepared.ask(&args.query(), &limits, &odds::sampling(args)).map_err(Failed::Unanswered)? {
        Answer::Approximate(near, _) if near.outcomes.is_empty() && wait::interrupted() => Ok(None),
        answer => Ok(Some(Series::new(prepared, answer))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_a_name_and_values() {
        for (given, values) in
            [("N=3..5", Some(vec![3, 4, 5])), ("N=7", Some(vec![7])), ("=3", None), ("N", None), ("N=", None)]
        {
            assert_eq!(sweep(given).ok().map(|axis| axis.values), values, "{given}");
        }
    }
}
