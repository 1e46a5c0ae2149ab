//! `tumble run`: a roll of a script, with its options.
//!
//! ```text
//! file ─▶ script ─▶ roll and arguments ─▶ run ─▶ what it shows ─▶ an answer ─▶ run again, and so on
//! ```
//!
//! Away from a terminal it runs once, with the answers that were given.

mod execution;
mod fill;
mod session;
mod show;

use crate::args::{RunArgs, Then};
use crate::dice::{Typed, ask};
use crate::{check, input, report};
use execution::Execution;
use std::io::{self, IsTerminal, Write};
use tumble::Diagnostic;
use tumble::render::{script, visible};
use tumble::script::{MetOption, Outcome, Script, unsound};

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> io::Result<u8> {
    let asks = !args.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    let begun = match &args.load {
        Some(path) => Execution::load(path),
        None => begin(args, asks, out)?,
    };
    let mut execution = match begun {
        Ok(execution) => execution,
        Err(Stopped::Unsound(script)) => return problems(args, &script, out),
        Err(Stopped::Refused(error)) => return report::errors(out, args.json, "", &[*error]),
    };
    if let Err(error) = execution.answer_all(&args.answers) {
        return report::errors(out, args.json, "", &[error]);
    }
    let status = match asks {
        true => session::play(&mut execution, args, out)?,
        false => once(&mut execution, args, out)?,
    };
    if let Some(path) = &args.save
        && let Err(error) = execution.save(path)
    {
        return report::errors(out, false, "", &[error]);
    }
    Ok(status)
}

/// Why there is nothing to run.
enum Stopped {
    Unsound(Box<Script>),
    Refused(Box<Diagnostic>),
}

impl From<Diagnostic> for Stopped {
    fn from(error: Diagnostic) -> Stopped {
        Stopped::Refused(Box::new(error))
    }
}

/// The script, the roll and its arguments.
fn begin(args: &RunArgs, asks: bool, out: &mut dyn Write) -> io::Result<Result<Execution, Stopped>> {
    let text = match args.file.as_deref().map(input::file) {
        Some(Ok(text)) => text,
        Some(Err(error)) => return Ok(Err(error.into())),
        None => return Ok(Err(input::refused("which script?").into())),
    };
    let script = Script::read(&text, args.strict);
    if !script.is_sound() {
        return Ok(Err(Stopped::Unsound(Box::new(script))));
    }
    let entry = match chosen(&script, args.roll.as_deref(), asks, out)? {
        Ok(entry) => entry,
        Err(error) => return Ok(Err(error.into())),
    };
    let given = match args.args.as_deref().map(fill::given).transpose() {
        Ok(given) => given,
        Err(error) => return Ok(Err(error.into())),
    };
    let arguments = match given {
        Some(given) => given,
        None if asks => match fill::asked(&script, &entry, out)? {
            Some(arguments) => arguments,
            None => return Ok(Err(input::refused("cancelled").into())),
        },
        None => tumble::batch::Json::Null,
    };
    Ok(Execution::new(script, entry, arguments, args.seed).map_err(Stopped::from))
}

/// The roll that was named, or the only one.
pub(crate) fn roll(script: &Script, named: Option<&str>) -> Result<String, Diagnostic> {
    let rolls: Vec<(&str, &str)> = script.rolls().collect();
    match (named, rolls.as_slice()) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, [(_, only)]) => Ok((*only).to_owned()),
        (None, []) => Err(input::refused("the script has no roll").hint("a roll begins with `defroll`")),
        (None, _) => {
            let titles: Vec<String> = rolls.iter().map(|(title, _)| format!("\"{title}\"")).collect();
            let hint = format!("name one: {}", titles.join(", "));
            Err(input::refused("the script has several rolls").hint(hint))
        }
    }
}

/// The roll that was named, or the only one, or the one that is chosen now.
fn chosen(
    script: &Script,
    named: Option<&str>,
    asks: bool,
    out: &mut dyn Write,
) -> io::Result<Result<String, Diagnostic>> {
    let rolls: Vec<(String, String)> =
        script.rolls().map(|(title, name)| (title.to_owned(), name.to_owned())).collect();
    if named.is_some() || rolls.len() < 2 || !asks {
        return Ok(roll(script, named));
    }
    for (number, (title, _)) in rolls.iter().enumerate() {
        writeln!(out, "  {}  {}", number + 1, visible(title))?;
    }
    loop {
        out.flush()?;
        let line = match ask("Which roll? ") {
            Typed::Line(line) => line,
            Typed::Cancelled | Typed::End => return Ok(Err(input::refused("cancelled"))),
        };
        let typed = line.trim();
        let by_number = typed.parse::<usize>().ok().and_then(|number| rolls.get(number.checked_sub(1)?));
        let by_title =
            rolls.iter().find(|(title, name)| title.eq_ignore_ascii_case(typed) || name.eq_ignore_ascii_case(typed));
        match by_number.or(by_title) {
            Some((_, name)) => return Ok(Ok(name.clone())),
            None => writeln!(out, "type a number from 1 to {}", rolls.len())?,
        }
    }
}

/// Arguments from a file, or from the call.
pub(crate) fn arguments(given: &str) -> Result<tumble::batch::Json, Diagnostic> {
    fill::given(given)
}

/// One run without questions.
fn once(execution: &mut Execution, args: &RunArgs, out: &mut dyn Write) -> io::Result<u8> {
    let outcome = match execution.run() {
        Ok(outcome) => outcome,
        Err(error) => return report::errors(out, args.json, "", &[error]),
    };
    if args.json {
        let answer = execution.json(&outcome, args.worth);
        writeln!(out, "{answer}")?;
        return Ok(u8::from(outcome.result.is_err()));
    }
    execution.warn();
    report::notes(&execution.unasked(&outcome));
    let worth = worths(execution, &outcome, args.worth);
    write!(out, "{}", show::page(&outcome, None, crate::screen::colour(), true, &worth))?;
    match &outcome.result {
        Ok(_) => Ok(0),
        Err(error) => report::errors(out, false, execution.text(), std::slice::from_ref(error)),
    }
}

/// A line for each option: what its answers are worth, if that is wanted.
fn worths(execution: &Execution, outcome: &Outcome, then: Option<Then>) -> Vec<String> {
    let Some(then) = then else { return vec![] };
    let line = |option: &MetOption| match execution.worth(outcome, &option.asked.path, then) {
        Ok(worth) => format!("worth: {}", script::worth_line(&worth)),
        Err(error) => format!("worth not known: {}", error.message),
    };
    outcome.options.iter().map(line).collect()
}

/// What is wrong with a script.
fn problems(args: &RunArgs, script: &Script, out: &mut dyn Write) -> io::Result<u8> {
    if args.json {
        writeln!(out, "{}", unsound(script))?;
    } else {
        out.flush()?;
        let name = args.file.as_deref().map_or_else(String::new, |path| path.display().to_string());
        write!(io::stderr(), "{}", check::script::wrong(&name, script))?;
    }
    Ok(report::BAD_TEXT)
}
