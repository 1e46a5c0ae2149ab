//! Values that were given one by one and that no text of the call uses: most likely a slip of the fingers.
//!
//! A whole character sheet (`--vars`) may hold anything, and beside one nothing is said.

use crate::args::{Given, OddsArgs};
use crate::{input, report};
use tumble::{nearest, uses_variable};

/// Tells which values of `--var` and `--sweep` none of the texts uses.
pub(crate) fn tell_odds(args: &OddsArgs, texts: &[String]) {
    let sweep = args.sweep.as_ref().and_then(|sweep| Some((sweep.name.as_str(), *sweep.values.first()?)));
    tell(&args.given, sweep, texts);
}

/// Tells which values of `--var` the text does not use.
pub(crate) fn tell_roll(given: &Given, text: &str) {
    tell(given, None, &[text.to_owned()]);
}

fn tell(given: &Given, more: Option<(&str, i64)>, texts: &[String]) {
    let single = given.reading.vars.iter().map(|(name, _)| name.as_str()).chain(more.map(|(name, _)| name));
    let mut names: Vec<&str> = single.collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() || given.reading.file_of_sheet.is_some() {
        return;
    }
    let (Ok(mut vars), Ok(notation)) = (input::vars(given), input::known(Some(input::notation(given)))) else {
        return;
    };
    vars.extend(more.map(|(name, value)| (name.to_owned(), value)));
    let used = |name: &str| texts.iter().any(|text| uses_variable(notation, text, &vars, name));
    for name in names.into_iter().filter(|name| !used(name)) {
        let meant = nearest(name, vars.keys().map(String::as_str).filter(|other| used(other)));
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        let who = if texts.len() > 1 { "no expression uses" } else { "the expression does not use" };
        report::notes(&[format!("{who} the value `{name}`{meant}")]);
    }
}
