//! What a session knows, and how it answers a text or a command.
//!
//! A text is rolled. `x = TEXT` rolls it and calls the number `x`; `ans` is the last number. Names are
//! values from outside to every later text, so they are written as the notation writes those.

use super::line::{Joined, binding};
use crate::args::{Cli, Command, ReplArgs};
use crate::{help, input, report, screen, wait};
use clap::Parser;
use std::io::{self, Write};
use std::path::Path;
use tumble::render::{ansi, spelled, text};
use tumble::{Diagnostic, Limits, Notation, Prepared, Rolled, Vars, any_seed, nth_seed, number, prepare};

/// The name of the last number.
pub(super) const ANSWER: &str = "ans";

/// Files that load files may go so deep.
const DEEPEST: usize = 8;

/// A command, how it is written and what it does.
pub(super) struct Row {
    pub(super) name: &'static str,
    usage: &'static str,
    pub(super) meaning: &'static str,
    run: fn(&mut Session, &str, &mut dyn Write) -> io::Result<Next>,
}

/// Every command.
pub(super) const COMMANDS: &[Row] = &[
    row(":roll", ":roll [TEXT]", "roll a text, or the last one again", Session::again),
    row(":odds", ":odds [TEXT]", "exact odds; options as for `tumble odds`", Session::odds),
    row(":notation", ":notation [NAME]", "show the notation, or change it", Session::change),
    row(":vars", ":vars", "list all names with their values", Session::list),
    row(":load", ":load FILE", "answer the lines of a file", Session::load),
    row(":save", ":save FILE", "write notation and names to a file, for :load", Session::save),
    row(":help", ":help [WORD]", "these lines, or what the notation has about a word", Session::help),
    row(":quit", ":quit", "leave; Ctrl-D does too", |_, _, _| Ok(Next::Quit)),
];

type Run = fn(&mut Session, &str, &mut dyn Write) -> io::Result<Next>;

const fn row(name: &'static str, usage: &'static str, meaning: &'static str, run: Run) -> Row {
    Row { name, usage, meaning, run }
}

/// Whether the session goes on; the number is the exit status of the answer.
pub(super) enum Next {
    Go(u8),
    Quit,
}

/// Somebody's session.
pub(super) struct Session {
    notation: &'static Notation,
    vars: Vars,
    last: Option<String>,
    seed: u64,
    rolls: u64,
    limits: Limits,
    loading: usize,
    /// Whether Ctrl-C stops an answer and not the session.
    pub(super) somebody: bool,
}

impl Session {
    pub(super) fn new(args: &ReplArgs) -> Result<Session, Diagnostic> {
        Ok(Session {
            notation: input::known(args.reading.notation.as_deref())?,
            vars: input::given_values(&args.reading)?,
            last: None,
            seed: args.seed.map_or_else(any_seed, Ok)?,
            rolls: 0,
            limits: Limits { interrupt: wait::interrupt(), ..args.most.limits() },
            loading: 0,
            somebody: false,
        })
    }

    pub(super) fn notation(&self) -> &'static Notation {
        self.notation
    }

    #[cfg(feature = "editor")]
    pub(super) fn vars(&self) -> &Vars {
        &self.vars
    }

    /// Answers one text or command.
    pub(super) fn answer(&mut self, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        wait::forget();
        if self.somebody {
            wait::listen();
        }
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Ok(Next::Go(0)),
            "quit" | "exit" if rest.is_empty() => Ok(Next::Quit),
            "help" if rest.is_empty() => self.help("", out),
            _ if word.starts_with(':') => self.command(word, rest.trim(), out),
            _ => match binding(text) {
                Some((name, value)) => self.bind(name, value, out),
                None => self.roll(None, text, out),
            },
        }
    }

    fn command(&mut self, word: &str, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
        // A beginning that only one command has is enough.
        let mut begins = COMMANDS.iter().filter(|row| row.name.starts_with(word));
        match (COMMANDS.iter().find(|row| row.name == word), begins.next(), begins.next()) {
            (Some(row), ..) | (None, Some(row), None) => (row.run)(self, rest, out),
            _ => {
                let names: Vec<&str> = COMMANDS.iter().map(|row| row.name).collect();
                let word: String = word.chars().take(40).collect();
                let hint = format!("commands: {}", names.join(", "));
                refuse(out, input::refused(format!("there is no command `{word}`")).hint(hint))
            }
        }
    }

    /// Reads a text, or tells what is wrong with it.
    fn read(&self, text: &str, out: &mut dyn Write) -> io::Result<Result<Prepared, u8>> {
        match prepare(self.notation, text, &self.vars) {
            Ok(prepared) => {
                out.flush()?;
                report::warnings(text, prepared.warnings());
                Ok(Ok(prepared))
            }
            Err(errors) => {
                let line = |names: &[&str]| {
                    let lines: Vec<String> = names.iter().map(|name| format!("`{name} = 3`")).collect();
                    format!("the line{} {}", if lines.len() > 1 { "s" } else { "" }, lines.join(", "))
                };
                let told: Vec<Diagnostic> =
                    errors.all().iter().map(|error| report::advised(text, error, line)).collect();
                Ok(Err(report::errors(out, false, text, &told)?))
            }
        }
    }

    /// Rolls a text, and gives the number a name.
    fn roll(&mut self, name: Option<&str>, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        let prepared = match self.read(text, out)? {
            Ok(prepared) => prepared,
            Err(status) => return Ok(Next::Go(status)),
        };
        let seed = nth_seed(self.seed, self.rolls);
        self.rolls += 1;
        let rolled = match prepared.roll(seed, &self.limits) {
            Ok(rolled) => rolled,
            Err(error) => return report::errors(out, false, text, &[error]).map(Next::Go),
        };
        let told = if screen::colour() { ansi::roll } else { text::roll };
        let told = |prepared: &Prepared, rolled: &Rolled| screen::folded(told(prepared, rolled), &io::stdout());
        let lead = name.map(|name| format!("{name} = ")).unwrap_or_default();
        match name {
            // What no die decided needs no story.
            Some(_) if rolled.draws.is_empty() => writeln!(out, "{lead}{}", spelled(&rolled.value, self.notation))?,
            _ => write!(out, "{lead}{}", told(&prepared, &rolled))?,
        }
        self.last = Some(text.to_owned());
        match (number(&rolled.value), name) {
            (Some(n), name) => {
                self.vars.extend([ANSWER].into_iter().chain(name).map(|name| (name.to_owned(), n)));
                Ok(Next::Go(0))
            }
            (None, Some(name)) => {
                refuse(out, input::refused(format!("`{name}` stands for nothing: this is no number")))
            }
            (None, None) => Ok(Next::Go(0)),
        }
    }

    fn bind(&mut self, name: &str, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        let known = Vars::from([(name.to_owned(), 1)]);
        if prepare(self.notation, name, &known).is_err() {
            let message = format!("`{name}` cannot be a name in {}", self.notation.name);
            return refuse(out, input::refused(message));
        }
        self.roll(Some(name), text, out)
    }

    /// `:roll`
    fn again(&mut self, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        match (text, self.last.clone()) {
            ("", Some(last)) => self.roll(None, &last, out),
            ("", None) => refuse(out, input::refused("nothing was rolled yet")),
            _ => self.roll(None, text, out),
        }
    }

    /// `:odds`: the same as the command of the program, with the names of the session.
    fn odds(&mut self, rest: &str, out: &mut dyn Write) -> io::Result<Next> {
        let (text, options) = split_options(rest);
        let text = match (text, &self.last) {
            ("", Some(last)) => last.clone(),
            ("", None) => return refuse(out, input::refused("nothing was rolled yet")),
            (text, _) => text.to_owned(),
        };
        let mut words: Vec<String> = ["tumble", "odds", "-n", self.notation.name].map(str::to_owned).to_vec();
        words.push(format!("--max-steps={}", self.limits.steps));
        words.push(format!("--max-dice={}", self.limits.draws));
        words.extend(options.split_whitespace().map(str::to_owned));
        words.extend(["--".to_owned(), text.clone()]);
        match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Command::Odds(mut args)) => {
                args.given.reading.known.clone_from(&self.vars);
                args.given.most.interrupt = self.limits.interrupt;
                let status = crate::sweep::run(&args, out)?;
                self.last = Some(text);
                Ok(Next::Go(status))
            }
            Ok(_) => Ok(Next::Go(report::BAD_CALL)),
            Err(error) => {
                let _ = error.print();
                Ok(Next::Go(report::BAD_CALL))
            }
        }
    }

    /// `:notation`
    fn change(&mut self, name: &str, out: &mut dyn Write) -> io::Result<Next> {
        if !name.is_empty() {
            match input::known(Some(name)) {
                Ok(notation) => self.notation = notation,
                Err(error) => return refuse(out, error),
            }
        }
        writeln!(out, "{}: {}", self.notation.name, self.notation.description)?;
        Ok(Next::Go(0))
    }

    /// `:vars`
    fn list(&mut self, _: &str, out: &mut dyn Write) -> io::Result<Next> {
        if self.vars.is_empty() {
            writeln!(out, "no names yet; x = 3d6 makes one")?;
        }
        for (name, value) in &self.vars {
            writeln!(out, "{name} = {value}")?;
        }
        Ok(Next::Go(0))
    }

    /// `:load`
    fn load(&mut self, path: &str, out: &mut dyn Write) -> io::Result<Next> {
        if path.is_empty() || self.loading == DEEPEST {
            let message = if path.is_empty() { "which file?" } else { "these files load one another without end" };
            return refuse(out, input::refused(message));
        }
        let text = match input::file(Path::new(path)) {
            Ok(text) => text,
            Err(error) => return refuse(out, error),
        };
        let (mut joined, mut status) = (Joined::default(), 0);
        self.loading += 1;
        let mut lines = text.split_inclusive('\n');
        loop {
            let line = lines.next();
            let texts = match line {
                Some(line) => joined.push(self.notation, line),
                None => joined.rest(),
            };
            for text in texts {
                match self.answer(&text, out)? {
                    Next::Go(_) if wait::interrupted() => {
                        self.loading -= 1;
                        return Ok(Next::Go(wait::INTERRUPTED));
                    }
                    Next::Go(one) => status = status.max(one),
                    Next::Quit => return Ok(Next::Quit),
                }
            }
            if line.is_none() {
                self.loading -= 1;
                return Ok(Next::Go(status));
            }
        }
    }

    /// `:save`
    fn save(&mut self, path: &str, out: &mut dyn Write) -> io::Result<Next> {
        if path.is_empty() {
            return refuse(out, input::refused("which file?"));
        }
        let mut text = format!(":notation {}\n", self.notation.name);
        let lines = self.vars.iter().map(|(name, value)| format!("{name} = {value}"));
        // `ans` is whatever is loaded last, and names of a sheet cannot be given in a line.
        let lines: Vec<String> = lines.filter(|line| binding(line).is_some_and(|(name, _)| name != ANSWER)).collect();
        text.extend(lines.iter().map(|line| format!("{line}\n")));
        match std::fs::write(path, text) {
            Ok(()) => {
                writeln!(
                    out,
                    "{} in {path}",
                    if lines.len() == 1 { "1 name is".into() } else { format!("{} names are", lines.len()) }
                )?;
                Ok(Next::Go(0))
            }
            Err(error) => refuse(out, input::refused(format!("`{path}` cannot be written: {error}"))),
        }
    }

    /// `:help`
    fn help(&mut self, about: &str, out: &mut dyn Write) -> io::Result<Next> {
        if about.is_empty() {
            writeln!(out, "TEXT               roll it; `ans` is the number from then on")?;
            writeln!(out, "NAME = TEXT        roll it and give the number a name")?;
            for row in COMMANDS {
                writeln!(out, "{:<18} {}", row.usage, row.meaning)?;
            }
            return Ok(Next::Go(0));
        }
        let words: Vec<&str> = about.split_whitespace().collect();
        match help::reference(self.notation, &words, screen::colour()) {
            Ok(page) => write!(out, "{page}").map(|()| Next::Go(0)),
            Err(error) => refuse(out, error),
        }
    }
}

fn refuse(out: &mut dyn Write, error: Diagnostic) -> io::Result<Next> {
    report::errors(out, false, "", &[error]).map(Next::Go)
}

/// A text, and the options after it: `4d6kh3 --explain`. An option is two dashes and a letter after a blank.
fn split_options(rest: &str) -> (&str, &str) {
    let option = |at: &usize| rest[at + 3..].starts_with(|c: char| c.is_ascii_lowercase());
    if rest.starts_with("--") && rest[2..].starts_with(|c: char| c.is_ascii_lowercase()) {
        return ("", rest);
    }
    match rest.match_indices(" --").map(|(at, _)| at).find(option) {
        Some(at) => (rest[..at].trim(), &rest[at..]),
        None => (rest.trim(), ""),
    }
}
