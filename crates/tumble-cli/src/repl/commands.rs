//! The commands of a session: a row each, and what they do.
//!
//! `:odds`, `:roll` and `:translate` are the commands of the program of the same name, with the notation, names, saved
//! rolls and limits of the session.

use super::call::{Asked, sorted};
use super::line::{Joined, is_name};
use super::saved::in_order;
use super::session::{ANSWER, Next, Session, refuse};
use crate::args::{Cli, Command, from_zero};
use crate::{help, input, odds, report, roll, screen, translate, wait};
use clap::Parser;
use std::io::{self, Write};
use std::path::Path;
use tumble::{Limits, NOTATIONS, nth_seed};

/// Files that load files may go so deep.
const DEEPEST: usize = 8;

type Run = fn(&mut Session, &str, &mut dyn Write) -> io::Result<Next>;

/// A command, how it is written and what it does.
pub(super) struct Row {
    pub(super) name: &'static str,
    usage: &'static str,
    pub(super) meaning: &'static str,
    run: Run,
}

/// Every command.
pub(super) const COMMANDS: &[Row] = &[
    row(":roll", ":roll [ROLL]", "roll, or roll the last one again; options as for `tumble roll`", again),
    row(":odds", ":odds [ROLL]", "exact odds; options as for `tumble odds`", odds),
    row(":translate", ":translate [ROLL]", "the same roll in other notations; --to NAME for one", translation),
    row(":notation", ":notation [NAME]", "show the notation, or change it", change),
    row(":seed", ":seed [N]", "show the seed of the dice, or start again from N", seed),
    row(":vars", ":vars", "list all names and saved rolls", list),
    row(":load", ":load FILE", "run the lines of a file", load),
    row(":save", ":save FILE", "write all names and saved rolls to a file, for :load", save),
    row(":help", ":help [WORD]", "this list, or what the notation has about a word", helped),
    row(":quit", ":quit", "leave; so does Ctrl-D", |_, _, _| Ok(Next::Quit)),
];

const fn row(name: &'static str, usage: &'static str, meaning: &'static str, run: Run) -> Row {
    Row { name, usage, meaning, run }
}

/// The command that a word without a colon is.
pub(super) fn bare(word: &str) -> Option<&'static str> {
    let word = if word == "exit" { "quit" } else { word };
    COMMANDS.iter().map(|row| row.name).find(|name| &name[1..] == word)
}

/// Runs a command; a beginning that only one command has is enough.
pub(super) fn run(session: &mut Session, word: &str, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
    let mut begins = COMMANDS.iter().filter(|row| row.name.starts_with(word));
    match (COMMANDS.iter().find(|row| row.name == word), begins.next(), begins.next()) {
        (Some(row), ..) | (None, Some(row), None) => (row.run)(session, rest, out),
        (None, Some(_), Some(_)) => {
            let names = COMMANDS.iter().filter(|row| row.name.starts_with(word));
            let names: Vec<String> = names.map(|row| format!("`{}`", row.name)).collect();
            refuse(out, input::refused(format!("`{word}` could be {}", names.join(" or "))))
        }
        _ => {
            let names: Vec<&str> = COMMANDS.iter().map(|row| row.name).collect();
            let word: String = word.chars().take(40).collect();
            let hint = format!("commands: {}", names.join(", "));
            refuse(out, input::refused(format!("unknown command `{word}`")).hint(hint))
        }
    }
}

/// A call of the program, as somebody in a session makes it.
struct Call {
    asked: Asked,
    /// The rolls as they were typed.
    typed: Vec<String>,
    command: Command,
}

/// Reads a call, or gives what came of it.
fn read(session: &Session, name: &str, rest: &str, out: &mut dyn Write) -> io::Result<Result<Call, Next>> {
    let asked = sorted(name, rest);
    let of_script = asked.has(&["--script"]);
    let typed = match (asked.text.is_empty(), &session.last) {
        (true, _) if of_script => vec![],
        (true, Some(last)) => vec![last.clone()],
        (true, None) => return refuse(out, input::refused("nothing has been rolled yet")).map(Err),
        (false, _) => asked.rolls(name == "odds", &|text| session.sort(text)),
    };
    let other = asked.has(&["-n", "--notation"]);
    let mut words: Vec<String> = vec!["tumble".to_owned(), name.to_owned()];
    if !other && !of_script {
        words.extend(["-n".to_owned(), session.notation.name.to_owned()]);
    }
    let Limits { steps, draws, depth, .. } = session.limits;
    for (option, limit) in [("--max-steps", steps), ("--max-dice", draws), ("--max-depth", depth as u64)] {
        if !asked.has(&[option]) {
            words.push(format!("{option}={limit}"));
        }
    }
    words.extend(asked.options.iter().cloned().chain(["--".to_owned()]));
    for text in &typed {
        match session.written_out(text) {
            Ok(written) if !other => words.push(written.text),
            Err(error) if !other => return report::errors(out, false, text, &[error]).map(|n| Err(Next::Go(n))),
            _ => words.push(text.clone()),
        }
    }
    Ok(match Cli::try_parse_from(words) {
        Ok(cli) => Ok(Call { asked, typed, command: cli.command }),
        Err(error) => {
            report::bad_call(&error);
            Err(Next::Go(report::BAD_CALL))
        }
    })
}

/// `:roll`
fn again(session: &mut Session, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
    let Call { asked, typed, command } = match read(session, "roll", rest, out)? {
        Ok(call) => call,
        Err(next) => return Ok(next),
    };
    let (Command::Roll(mut args), Some(text)) = (command, typed.first()) else { return Ok(Next::Go(report::BAD_CALL)) };
    if asked.options.is_empty() {
        return session.roll(None, text, out);
    }
    args.given.reading.knows(session.vars.clone(), session.sheet.clone());
    args.given.most.interrupt = session.limits.interrupt.clone();
    args.ask = session.ask;
    if args.seed.is_none() && args.dice.is_none() {
        args.seed = Some(nth_seed(session.seed, session.rolls));
        session.rolls += args.times;
    }
    let status = roll::run(&args, out)?;
    if let (0, Some(seed)) = (status, args.seed) {
        session.remember_number(text, nth_seed(seed, args.times - 1));
    }
    session.last = Some(text.clone());
    Ok(Next::Go(status))
}

/// `:odds`
fn odds(session: &mut Session, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
    let Call { typed, command, .. } = match read(session, "odds", rest, out)? {
        Ok(call) => call,
        Err(next) => return Ok(next),
    };
    let Command::Odds(mut args) = command else { return Ok(Next::Go(report::BAD_CALL)) };
    if let Some(error) = args.left_out() {
        return refuse(out, error);
    }
    args.given.reading.knows(session.vars.clone(), session.sheet.clone());
    args.given.most.interrupt = session.limits.interrupt.clone();
    args.typed.clone_from(&typed);
    let status = odds::run(&args, out)?;
    // The odds of a script leave the last roll as it is.
    session.last = typed.into_iter().next_back().or_else(|| session.last.take());
    Ok(Next::Go(status))
}

/// `:translate`
fn translation(session: &mut Session, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
    let command = match read(session, "translate", rest, out)? {
        Ok(call) => call.command,
        Err(next) => return Ok(next),
    };
    let Command::Translate(mut args) = command else { return Ok(Next::Go(report::BAD_CALL)) };
    args.given.reading.knows(session.vars.clone(), session.sheet.clone());
    args.given.most.interrupt = session.limits.interrupt.clone();
    translate::run(&args, out).map(Next::Go)
}

/// `:notation`
fn change(session: &mut Session, name: &str, out: &mut dyn Write) -> io::Result<Next> {
    if !name.is_empty() {
        match input::known(Some(name)) {
            Ok(notation) => session.notation = notation,
            Err(error) => return refuse(out, error),
        }
    }
    writeln!(out, "{}: {}", session.notation.name, session.notation.description)?;
    Ok(Next::Go(0))
}

/// `:seed`
fn seed(session: &mut Session, given: &str, out: &mut dyn Write) -> io::Result<Next> {
    if !given.is_empty() {
        match from_zero(given) {
            Ok(seed) => (session.seed, session.rolls) = (seed, 0),
            Err(why) => return refuse(out, input::refused(why)),
        }
    }
    let rolls = match session.rolls {
        0 => String::new(),
        1 => ", 1 roll ago".to_owned(),
        n => format!(", {n} rolls ago"),
    };
    writeln!(out, "seed {}{rolls}", session.seed)?;
    Ok(Next::Go(0))
}

/// `:vars`
fn list(session: &mut Session, _: &str, out: &mut dyn Write) -> io::Result<Next> {
    if session.vars.is_empty() && session.saved.is_empty() {
        writeln!(out, "no names yet; `x := 3d6` stores a number, `hit() := d20 + 5` saves a roll")?;
    }
    for (name, value) in &session.vars {
        writeln!(out, "{name} := {value}")?;
    }
    for (name, saved) in &session.saved {
        let other = saved.notation.name != session.notation.name;
        let notation = if other { format!("  ({})", saved.notation.name) } else { String::new() };
        writeln!(out, "{} := {}{notation}", saved.head(name), saved.body)?;
    }
    Ok(Next::Go(0))
}

/// `:load`
fn load(session: &mut Session, path: &str, out: &mut dyn Write) -> io::Result<Next> {
    if path.is_empty() || session.loading == DEEPEST {
        let message = if path.is_empty() { "which file?" } else { "these files load each other in a loop" };
        return refuse(out, input::refused(message));
    }
    let text = match input::file(Path::new(path)) {
        Ok(text) => text,
        Err(error) => return refuse(out, error),
    };
    session.loading += 1;
    let next = lines(session, &text, out);
    session.loading -= 1;
    next
}

/// Answers the lines of a text.
fn lines(session: &mut Session, text: &str, out: &mut dyn Write) -> io::Result<Next> {
    let (mut joined, mut status) = (Joined::default(), 0);
    let mut lines = text.split_inclusive('\n');
    loop {
        let line = lines.next();
        let texts = match line {
            Some(line) => joined.push(session.notation, line),
            None => joined.rest(),
        };
        for text in texts {
            match session.answer(&text, out)? {
                Next::Go(_) if wait::interrupted() => return Ok(Next::Go(wait::INTERRUPTED)),
                Next::Go(one) => status = status.max(one),
                Next::Quit => return Ok(Next::Quit),
            }
        }
        if line.is_none() {
            return Ok(Next::Go(status));
        }
    }
}

/// `:save`
fn save(session: &mut Session, path: &str, out: &mut dyn Write) -> io::Result<Next> {
    if path.is_empty() {
        return refuse(out, input::refused("which file?"));
    }
    let mut lines: Vec<String> = vec![];
    // Each saved roll in its own notation; that of the session comes last, with the numbers.
    let here = session.notation.name;
    let mut notations: Vec<&str> = NOTATIONS.iter().map(|notation| notation.name).collect();
    notations.sort_by_key(|name| *name == here);
    let mut names = 0;
    for notation in notations {
        // `ans` is whatever is loaded last, and names of a sheet cannot be given in a line.
        let values = session.vars.iter().filter(|(name, _)| notation == here && is_name(name) && *name != ANSWER);
        let values = values.map(|(name, value)| format!("{name} := {value}"));
        let rolls = in_order(&session.saved).into_iter().filter_map(|name| session.saved.get_key_value(name));
        let rolls = rolls.filter(|(_, saved)| saved.notation.name == notation);
        // Numbers first: a saved roll may use them.
        let own: Vec<String> =
            values.chain(rolls.map(|(name, saved)| format!("{} := {}", saved.head(name), saved.body))).collect();
        names += own.len();
        if !own.is_empty() || notation == here {
            lines.push(format!(":notation {notation}"));
            lines.extend(own);
        }
    }
    match std::fs::write(path, lines.join("\n") + "\n") {
        Ok(()) => {
            writeln!(out, "saved {} in {path}", if names == 1 { "1 name".into() } else { format!("{names} names") })?;
            Ok(Next::Go(0))
        }
        Err(error) => refuse(out, input::refused(format!("can't write `{path}`: {error}"))),
    }
}

/// `:help`
fn helped(session: &mut Session, about: &str, out: &mut dyn Write) -> io::Result<Next> {
    if about.is_empty() {
        for (usage, meaning) in [
            ("ROLL", "roll it; `ans` is the result"),
            ("NAME := ROLL", "roll it once and name the result"),
            ("NAME(A, B) := ROLL", "save a roll, with or without parameters: hit() := d20 + 5"),
            ("NAME(1, 2)", "roll a saved roll anew, even inside another roll"),
        ] {
            writeln!(out, "{usage:<19} {meaning}")?;
        }
        for row in COMMANDS {
            writeln!(out, "{:<19} {}", row.usage, row.meaning)?;
        }
        return Ok(Next::Go(0));
    }
    let words: Vec<&str> = about.split_whitespace().collect();
    if words == ["reading"] {
        return write!(out, "{}", help::READING).map(|()| Next::Go(0));
    }
    match help::reference(session.notation, &words, screen::colour()) {
        Ok(page) => write!(out, "{page}").map(|()| Next::Go(0)),
        Err(error) => refuse(out, error.hint("`:help` lists the commands")),
    }
}
