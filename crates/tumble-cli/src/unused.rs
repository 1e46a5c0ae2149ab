//! Values that were given one by one and that no expression of the call uses: most likely a typo.
//!
//! A value gives a warning; a sweep, which would show the same answer many times, is refused. A whole character sheet
//! (`--vars`) may hold anything, and beside one there is no warning.

use crate::args::{Given, OddsArgs};
use crate::{input, report};
use tumble::{Diagnostic, Vars, nearest, uses_variable};

/// Warns of values of `--var` that none of the expressions uses, and refuses such a `--sweep`.
pub(crate) fn tell_odds(args: &OddsArgs, texts: &[String]) -> Result<(), Diagnostic> {
    let first = |axis: &tumble::render::Axis| Some((axis.name.clone(), *axis.values.first()?));
    let swept: Vec<(String, i64)> = args.sweep.iter().filter_map(first).collect();
    let unused = unused(&args.given, &swept, texts);
    for (name, meant) in unused {
        if swept.iter().any(|(swept, _)| *swept == name) {
            let message = format!("--sweep {name} does nothing: {}", unwanted(&name, &meant, texts.len()));
            return Err(input::refused(message));
        }
        report::notes(&[unwanted(&name, &meant, texts.len())]);
    }
    Ok(())
}

/// Warns of values of `--var` that the expression does not use.
pub(crate) fn tell_roll(given: &Given, text: &str) {
    for (name, meant) in unused(given, &[], &[text.to_owned()]) {
        report::notes(&[unwanted(&name, &meant, 1)]);
    }
}

fn unwanted(name: &str, meant: &Option<String>, texts: usize) -> String {
    let meant = meant.as_ref().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    let who = if texts > 1 { "no expression uses" } else { "the expression does not use" };
    format!("{who} the value `{name}`{meant}")
}

/// The values that no expression uses, each with the one that was most likely meant.
fn unused(given: &Given, swept: &[(String, i64)], texts: &[String]) -> Vec<(String, Option<String>)> {
    let single = given.reading.vars.iter().chain(swept).map(|(name, _)| name.clone());
    let mut names: Vec<String> = single.collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() || given.reading.file_of_sheet.is_some() {
        return vec![];
    }
    let (Ok(mut vars), Ok(notation)) = (input::vars(given), input::known(Some(input::notation(given)))) else {
        return vec![];
    };
    vars.extend(swept.iter().cloned());
    let used = |name: &str| texts.iter().any(|text| uses_variable(notation, text, &vars, name));
    // An expression that cannot be read uses nothing, and says so itself.
    let reads = |vars: &Vars| texts.iter().all(|text| tumble::prepare(notation, text, vars).is_ok());
    if !reads(&vars) && !swept.is_empty() {
        return vec![];
    }
    let names = names.into_iter().filter(|name| !used(name));
    names
        .map(|name| {
            let meant = nearest(&name, vars.keys().map(String::as_str).filter(|other| used(other))).map(str::to_owned);
            (name, meant)
        })
        .collect()
}
