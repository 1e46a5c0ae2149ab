//! Options, one after the other, until nobody wants to change anything.
//!
//! ```text
//! 2          answers option 2            3 yes   answers option 3 with yes
//! again 4    rolls the dice of roll 4 again      again 4.2   the second die of it
//! set 4.2 6  the second die of roll 4 shows 6    undo        takes the last step back
//! dice       shows all dice                      save FILE   writes the roll with its dice
//! worth      shows what answers are worth        worth 2     those of option 2 in full
//! quit       or an empty line
//! ```

use super::execution::{Execution, State};
use super::{fill, show, worths};
use crate::args::{RunArgs, Then};
use crate::dice::{Typed, ask};
use crate::{report, screen};
use std::io::{self, Write};
use std::path::Path;
use tumble::batch::Json;
use tumble::render::script;
use tumble::script::{Edit, MetOption, Outcome, What};

const HELP: &str = "Type the number of an option to answer it, or one of\n\
    \x20 again 4    roll the dice of roll 4 again; again 4.2: its second die\n\
    \x20 set 4.2 6  the second die of roll 4 shows 6\n\
    \x20 dice       show all dice\n\
    \x20 worth      show what each answer is worth; worth 2: those of option 2;\n\
    \x20            worth best: if you play all that follows as well as can be\n\
    \x20 undo       take the last step back\n\
    \x20 save FILE  save the roll with its dice and answers\n\
    \x20 quit\n";

/// Plays until it is enough.
pub(super) fn play(execution: &mut Execution, args: &RunArgs, out: &mut dyn Write) -> io::Result<u8> {
    execution.warn();
    let mut shown = match run(execution, None, args.worth, out)? {
        Ok(outcome) => outcome,
        Err(status) => return Ok(status),
    };
    let mut before: Vec<(State, Vec<Edit>)> = Vec::new();
    writeln!(out, "\nType the number of an option to answer it, help, or quit.")?;
    loop {
        out.flush()?;
        let line = match ask("> ") {
            Typed::Line(line) => line,
            Typed::Cancelled | Typed::End => break,
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let state = execution.now.clone();
        let step = match words.as_slice() {
            [] | ["quit" | "q" | "exit" | ":q" | ":quit"] => break,
            ["help" | "?" | ":help"] => {
                write!(out, "{HELP}")?;
                continue;
            }
            ["dice"] => {
                write!(out, "{}", show::dice(&shown, false).trim_start_matches('\n'))?;
                continue;
            }
            ["worth", rest @ ..] => {
                write!(out, "{}", worth(execution, &shown, rest))?;
                continue;
            }
            ["save", path] => {
                match execution.save(Path::new(path)) {
                    Ok(()) => writeln!(out, "saved to {path}")?,
                    Err(error) => drop(report::errors(out, false, "", &[error])?),
                }
                continue;
            }
            ["undo"] => match before.pop() {
                Some((earlier, edits)) => {
                    // Dice that fell meanwhile stay known, so that the same step gives the same dice.
                    let dice = std::mem::take(&mut execution.now.dice);
                    let edits = edits.into_iter().rev().map(|edit| Edit { what: What::Undo, ..edit }).collect();
                    execution.now = State { dice, edits, ..earlier };
                    Step::Back
                }
                None => Step::Wrong("there is nothing to undo".to_owned()),
            },
            ["again", which] => again(execution, &shown, which),
            ["set", which, value] => set(execution, &shown, which, value),
            [number, rest @ ..] => option(execution, &shown, number, rest)?,
        };
        match step {
            Step::Wrong(message) => {
                writeln!(out, "{message}")?;
                continue;
            }
            Step::Done => before.push((state.clone(), execution.now.edits.clone())),
            Step::Back => {}
        }
        match run(execution, Some(&shown), args.worth, out)? {
            Ok(outcome) => shown = outcome,
            Err(_) => {
                before.pop();
                execution.now = state;
            }
        }
    }
    Ok(if args.json { 0 } else { u8::from(shown.result.is_err()) })
}

/// What came of a line.
enum Step {
    Done,
    Back,
    Wrong(String),
}

/// Runs it and shows what came of it.
fn run(
    execution: &mut Execution,
    before: Option<&Outcome>,
    then: Option<Then>,
    out: &mut dyn Write,
) -> io::Result<Result<Outcome, u8>> {
    match execution.run() {
        Ok(outcome) => {
            let worth = worths(execution, &outcome, then);
            write!(out, "{}", show::page(&outcome, before, screen::colour(), false, &worth))?;
            if let Err(error) = &outcome.result {
                report::errors(out, false, execution.text(), std::slice::from_ref(error))?;
            }
            Ok(Ok(outcome))
        }
        Err(error) => Ok(Err(report::errors(out, false, "", &[error])?)),
    }
}

/// What answers are worth: of all options in a line each, or of one in full.
fn worth(execution: &Execution, shown: &Outcome, rest: &[&str]) -> String {
    let (then, rest) = match rest {
        ["best", rest @ ..] | [rest @ .., "best"] => (Then::Best, rest),
        rest => (Then::Answered, rest),
    };
    let count = shown.options.len();
    match rest {
        _ if count == 0 => "there are no options\n".to_owned(),
        [] => show::options(shown, false, &worths(execution, shown, Some(then))).trim_start().to_owned(),
        [number, ..] => {
            let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let Some(option) = at.and_then(|at| shown.options.get(at)) else {
                return format!("`{number}`? The options are 1 to {count}\n");
            };
            match execution.worth(shown, &option.asked.path, then) {
                Ok(worth) => script::worth(&worth, &execution.shape(), false),
                Err(error) => format!("{}\n", error.message),
            }
        }
    }
}

/// The dice of a roll, or one of them: `4`, `4.2`.
fn dice(shown: &Outcome, which: &str) -> Result<Vec<(String, tumble::dice::Sides, u64)>, String> {
    let (roll, die) = match which.split_once('.') {
        Some((roll, die)) => (roll, Some(die)),
        None => (which, None),
    };
    let rolls = shown.rolls.len();
    let number = roll.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let found = number.and_then(|number| shown.rolls.get(number));
    let found = found.ok_or_else(|| format!("unknown roll `{roll}`; they are numbered 1 to {rolls}"))?;
    let Some(die) = die else { return Ok(found.identities.clone()) };
    let count = found.identities.len();
    let number = die.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let one = number.and_then(|number| found.identities.get(number));
    one.map(|one| vec![one.clone()]).ok_or_else(|| format!("unknown die `{die}`; that roll has {count}"))
}

fn edit(execution: &mut Execution, shown: &Outcome, which: &str, what: What) -> Step {
    match dice(shown, which) {
        Ok(dice) if dice.is_empty() => Step::Wrong("that roll has no dice".to_owned()),
        Ok(dice) => {
            let edits = dice.into_iter().map(|(path, sides, index)| Edit { what, path, sides, index });
            execution.now.edits.extend(edits);
            Step::Done
        }
        Err(message) => Step::Wrong(message),
    }
}

fn again(execution: &mut Execution, shown: &Outcome, which: &str) -> Step {
    edit(execution, shown, which, What::Reroll)
}

fn set(execution: &mut Execution, shown: &Outcome, which: &str, value: &str) -> Step {
    match value.parse() {
        Ok(value) => edit(execution, shown, which, What::Set(value)),
        Err(_) => Step::Wrong(format!("`{value}` is not a number on a die")),
    }
}

/// An option by its number, with an answer or a question for one.
fn option(execution: &mut Execution, shown: &Outcome, number: &str, rest: &[&str]) -> io::Result<Step> {
    let count = shown.options.len();
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let Some(option) = at.and_then(|at| shown.options.get(at)) else {
        return Ok(Step::Wrong(match count {
            0 => format!("`{number}`? There are no options; type help"),
            1 => format!("`{number}`? The only option is 1; type help for more"),
            _ => format!("`{number}`? The options are 1 to {count}; type help for more"),
        }));
    };
    let typed = match (rest, option.kind()) {
        ([], None) => None,
        ([], Some(_)) => match ask(&question(option)) {
            Typed::Line(line) => Some(line),
            Typed::Cancelled | Typed::End => return Ok(Step::Wrong("not changed".to_owned())),
        },
        _ => Some(rest.join(" ")),
    };
    let Some(answer) = read(option, typed.as_deref()) else {
        return Ok(Step::Wrong("that doesn't answer it".to_owned()));
    };
    execution.now.answers.insert(option.asked.path.clone(), answer);
    execution.now.prompts.insert(option.asked.path.clone(), option.asked.prompt.clone());
    Ok(Step::Done)
}

fn question(option: &MetOption) -> String {
    let choices = option.choices().unwrap_or(&[]);
    let numbered: Vec<String> =
        choices.iter().enumerate().map(|(at, text)| format!("  {}  {text}\n", at + 1)).collect();
    let how = match option.kind() {
        Some("select") => "numbers with blanks between them, or none: ",
        Some("choice") => "which? ",
        _ => "how much? ",
    };
    format!("{}{how}", numbered.concat())
}

/// An answer as it is typed; nothing turns a yes into a no.
fn read(option: &MetOption, typed: Option<&str>) -> Option<Json> {
    let choices = option.choices().unwrap_or(&[]);
    let position = |text: &str| {
        let by_number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let begins = |choice: &String| choice.to_lowercase().starts_with(&text.to_lowercase());
        let only = || choices.iter().filter(|choice| begins(choice)).count() == 1;
        let by_text = || choices.iter().position(begins).filter(|_| !text.is_empty() && only());
        by_number.filter(|at| *at < choices.len()).or_else(by_text)
    };
    match (option.kind(), typed.map(str::trim)) {
        (None, None) => Some(Json::from(option.asked.value.as_bool() != Some(true))),
        (None, Some(typed)) => fill::yes_or_no(typed).map(Json::from),
        (Some("choice"), Some(typed)) => position(typed).map(Json::from),
        (Some("select"), Some("none" | "")) => Some(Json::Array(vec![])),
        (Some("select"), Some(typed)) => {
            let places = typed.split([' ', ',']).filter(|word| !word.is_empty()).map(position);
            places.map(|place| place.map(Json::from)).collect::<Option<Vec<_>>>().map(Json::Array)
        }
        (Some(_), Some(typed)) => typed.parse::<i64>().ok().map(Json::from),
        (Some(_), None) => None,
    }
}
