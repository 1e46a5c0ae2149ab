//! What a session knows, and how it answers a line.
//!
//! ```text
//! line ─▶ command? ─▶ name? ─▶ roll
//!           :odds …     x := …   3d6
//! ```
//!
//! `x := ROLL` rolls once and calls the number `x`; `name(values) := ROLL` saves a roll, which is rolled anew at each
//! use; `ans` is the last number. Names are values from outside to every later roll, so they are written as the notation
//! writes those. A line that is no roll may be a command without its colon: `odds 3d6`.

use super::commands;
use super::line::{Naming, compared, is_name, known_words, misnamed, naming};
use super::saved::{Rolls, Saved, Writer};
use super::written::Written;
use crate::args::ReplArgs;
use crate::dice::Ask;
use crate::words::{Reader, Sort};
use crate::{input, report, screen, wait};
use std::io::{self, Write};
use tumble::render::{ansi, spelled, text};
use tumble::{Code, Diagnostic, Limits, Notation, Prepared, Rolled, Sheet, Vars, any_seed, nth_seed, number, prepare};

/// The name of the last number.
pub(super) const ANSWER: &str = "ans";

/// Whether the session goes on; the number is the exit status of the answer.
pub(super) enum Next {
    Go(u8),
    Quit,
}

/// Somebody's session.
pub(super) struct Session {
    pub(super) notation: &'static Notation,
    pub(super) vars: Vars,
    /// Where names may hold rolls.
    pub(super) sheet: Sheet,
    pub(super) saved: Rolls,
    /// The last roll, as it was typed.
    pub(super) last: Option<String>,
    pub(super) seed: u64,
    /// How many rolls were made with this seed.
    pub(super) rolls: u64,
    pub(super) limits: Limits,
    pub(super) loading: usize,
    /// Whether Ctrl-C stops an answer and not the session.
    pub(super) somebody: bool,
    /// How somebody is asked for a die, if there is an editor.
    pub(super) ask: Option<Ask>,
}

impl Session {
    pub(super) fn new(args: &ReplArgs) -> Result<Session, Diagnostic> {
        Ok(Session {
            notation: input::known(args.reading.notation.as_deref())?,
            vars: input::given_values(&args.reading)?,
            sheet: args.reading.sheet()?.clone(),
            saved: Rolls::new(),
            last: None,
            seed: args.seed.map_or_else(any_seed, Ok)?,
            rolls: 0,
            limits: Limits { interrupt: wait::interrupt(), ..args.most.limits() },
            loading: 0,
            somebody: false,
            ask: None,
        })
    }

    /// Answers one line.
    pub(super) fn answer(&mut self, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        wait::forget();
        if self.somebody {
            wait::listen();
        }
        let text = text.trim();
        // Whoever comes from the command line may go on as there.
        let text = text.strip_prefix("tumble ").map_or(text, str::trim_start);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if text.is_empty() {
            return Ok(Next::Go(0));
        }
        if word.starts_with(':') {
            return commands::run(self, word, rest.trim(), out);
        }
        match naming(self.notation, text) {
            Some(Naming::Value { name, text }) => self.bind(name, text, out),
            Some(Naming::Roll { name, params, body }) => self.save_roll(name, &params, body, out),
            None if self.is_roll(text) => self.roll(None, text, out),
            None => match (commands::bare(word), misnamed(self.notation, text)) {
                (Some(command), _) => commands::run(self, command, rest.trim(), out),
                (None, Some((why, meant))) => {
                    let error = input::refused(why);
                    refuse(out, meant.into_iter().fold(error, |error, meant| error.hint(format!("write {meant}"))))
                }
                (None, None) => self.roll(None, text, out),
            },
        }
    }

    /// The text with its saved rolls written out.
    pub(super) fn written_out(&self, text: &str) -> Result<Written, Diagnostic> {
        self.writer().written_out(text)
    }

    fn writer(&self) -> Writer<'_> {
        Writer { rolls: &self.saved, notation: self.notation, vars: &self.vars, limits: &self.limits }
    }

    /// Whether a text can be rolled; one that only lacks values can.
    pub(super) fn is_roll(&self, text: &str) -> bool {
        let written = self.written_out(text);
        written.is_ok_and(|written| self.reader().is_roll(&written.text))
    }

    /// What a text is.
    pub(super) fn sort(&self, text: &str) -> Sort {
        self.written_out(text).map_or(Sort::Not, |written| self.reader().sort(&written.text))
    }

    fn reader(&self) -> Reader<'_> {
        Reader { notation: self.notation, vars: &self.vars, sheet: &self.sheet }
    }

    /// Reads a text, or tells what is wrong with it.
    fn read(&self, typed: &str, out: &mut dyn Write) -> io::Result<Result<(Prepared, Written), u8>> {
        self.read_written(typed, self.written_out(typed), out)
    }

    fn read_written(
        &self,
        typed: &str,
        written: Result<Written, Diagnostic>,
        out: &mut dyn Write,
    ) -> io::Result<Result<(Prepared, Written), u8>> {
        let written = match written {
            Ok(written) => written,
            Err(error) => return Ok(Err(report::errors(out, false, typed, &[error])?)),
        };
        match self.sheet.prepare(self.notation, &written.text, &self.vars) {
            Ok(prepared) => {
                out.flush()?;
                report::warnings(prepared.text(), prepared.warnings());
                Ok(Ok((prepared, written)))
            }
            Err(errors) => {
                let told: Vec<Diagnostic> = match compared(typed).filter(|(name, _)| !self.vars.contains_key(*name)) {
                    Some((name, value)) => vec![to_store(name, value)],
                    None => errors.all().iter().map(|e| self.advised(typed, self.placed(typed, &written, e))).collect(),
                };
                let about = if told.first().is_some_and(|error| error.span.end > 0) { typed } else { "" };
                Ok(Err(report::errors_in_session(out, about, &told)?))
            }
        }
    }

    /// The message about a text as it was typed. A hint that is no roll then is left out.
    fn placed(&self, typed: &str, written: &Written, error: &Diagnostic) -> Diagnostic {
        let fold = |hint: &String| {
            let fixed = hint.strip_prefix("try `").and_then(|hint| hint.strip_suffix('`'));
            let Some(fixed) = fixed.filter(|_| written.text != typed) else { return Some(hint.clone()) };
            let fixed = written.folded(fixed, typed);
            self.is_roll(&fixed).then(|| format!("try `{fixed}`"))
        };
        Diagnostic { span: written.typed(error.span), hint: error.hint.as_ref().and_then(fold), ..error.clone() }
    }

    /// The message with how a name is used, or gets a value, in a session.
    fn advised(&self, text: &str, error: Diagnostic) -> Diagnostic {
        let place = text.get(error.span.start..error.span.end).unwrap_or_default();
        let mut told = error;
        if let Some(saved) = self.saved.get(place) {
            told.hint = Some(format!("a saved roll is used as `{}`", saved.head(place)));
        } else if told.code == Code::Name && is_name(place) && told.hint.as_ref().is_none_or(|h| h.contains(":=")) {
            told.hint = Some(format!("`{place} := 3` gives it a value"));
        }
        told
    }

    /// Rolls a text, and gives the number a name.
    pub(super) fn roll(&mut self, name: Option<&str>, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        let (prepared, written) = match self.read(text, out)? {
            Ok(read) => read,
            Err(status) => return Ok(Next::Go(status)),
        };
        let seed = nth_seed(self.seed, self.rolls);
        self.rolls += 1;
        let rolled = match prepared.roll(seed, &self.limits) {
            Ok(rolled) => rolled,
            // A sheet may have put in more, which nobody knows the places of.
            Err(error) if prepared.text() == written.text => {
                let error = self.placed(text, &written, &error);
                return report::errors_in_session(out, text, &[error]).map(Next::Go);
            }
            Err(error) => return report::errors_in_session(out, prepared.text(), &[error]).map(Next::Go),
        };
        let told = if screen::colour() { ansi::roll } else { text::roll };
        let told = |prepared: &Prepared, rolled: &Rolled| screen::folded(told(prepared, rolled), &io::stdout());
        let lead = name.map(|name| format!("{name} := ")).unwrap_or_default();
        match name {
            // What no die decided needs no story.
            Some(_) if rolled.draws.is_empty() => writeln!(out, "{lead}{}", spelled(&rolled.value, self.notation))?,
            _ => write!(out, "{lead}{}", told(&prepared, &rolled))?,
        }
        if let (None, Some((name, value))) = (name, compared(text)) {
            out.flush()?;
            report::notes(&[format!("this compares; `{name} := {value}` gives `{name}` a new value")]);
        }
        self.remember(name, text, &rolled, out)
    }

    /// Keeps what was rolled: the text for `:roll`, its number as `ans` and under its name.
    fn remember(&mut self, name: Option<&str>, text: &str, rolled: &Rolled, out: &mut dyn Write) -> io::Result<Next> {
        self.last = Some(text.to_owned());
        match (number(&rolled.value), name) {
            (Some(n), name) => {
                self.vars.extend([ANSWER].into_iter().chain(name).map(|name| (name.to_owned(), n)));
                name.map(|name| self.saved.remove(name));
                Ok(Next::Go(0))
            }
            (None, Some(name)) => {
                let error = input::refused(format!("`{name}` has no value now, because this is not a number"));
                refuse(out, error.hint(format!("`{name}() := {text}` saves the roll itself")))
            }
            (None, None) => Ok(Next::Go(0)),
        }
    }

    /// The number of a roll that was told already.
    pub(super) fn remember_number(&mut self, text: &str, seed: u64) {
        let written = self.written_out(text).ok();
        let prepared = written.and_then(|written| self.sheet.prepare(self.notation, &written.text, &self.vars).ok());
        let rolled = prepared.and_then(|prepared| prepared.roll(seed, &self.limits).ok());
        if let Some(n) = rolled.and_then(|rolled| number(&rolled.value)) {
            self.vars.insert(ANSWER.to_owned(), n);
        }
    }

    /// `x := 3d6`
    fn bind(&mut self, name: &str, text: &str, out: &mut dyn Write) -> io::Result<Next> {
        let known = Vars::from([(name.to_owned(), 1)]);
        if prepare(self.notation, name, &known).is_err() {
            return refuse(out, self.no_name(name));
        }
        self.roll(Some(name), text, out)
    }

    /// `fireball(level) := (level + 5)d6`
    fn save_roll(&mut self, name: &str, params: &[&str], body: &str, out: &mut dyn Write) -> io::Result<Next> {
        let means = |word: &str| {
            let uses = [format!("{word}(1)"), format!("{word}(1, 1)"), format!("{word} 1"), format!("2{word}6")];
            let read =
                |text: &String| prepare(self.notation, text, &Vars::new()).is_ok_and(|read| !read.is_corrected());
            uses.iter().any(read) || known_words(self.notation).any(|known| known == word)
        };
        if let Some(word) = [name].iter().chain(params).find(|word| means(word)) {
            return refuse(out, self.no_name(word));
        }
        if let Some(twice) = params.iter().enumerate().find(|(at, param)| params[..*at].contains(param)) {
            return refuse(out, input::refused(format!("`{}` is listed twice", twice.1)));
        }
        let params: Vec<String> = params.iter().map(|param| (*param).to_owned()).collect();
        let saved = Saved { params, body: body.to_owned(), notation: self.notation };
        let (head, sample) = (saved.head(name), format!("{name}({})", vec!["1"; saved.params.len()].join(", ")));
        let before = self.saved.insert(name.to_owned(), saved);
        // It is read once with values that do no harm, so that mistakes are told here and not at each use.
        let status = match self.is_roll(&sample) {
            true => 0,
            false => self.explain(name, &sample, out)?,
        };
        if status == 0 {
            writeln!(out, "{head} := {body}")?;
            self.vars.remove(name);
            return Ok(Next::Go(0));
        }
        match before {
            Some(before) => self.saved.insert(name.to_owned(), before),
            None => self.saved.remove(name),
        };
        Ok(Next::Go(status))
    }

    /// Tells what is wrong with a roll that was to be saved, in the body as it was typed if it can be read with its
    /// parameters as names.
    fn explain(&mut self, name: &str, sample: &str, out: &mut dyn Write) -> io::Result<u8> {
        let Some(Saved { params, body, .. }) = self.saved.get(name).cloned() else { return Ok(0) };
        let vars = self.vars.clone();
        self.vars.extend(params.iter().map(|param| (param.clone(), 1)));
        let named = params.iter().all(|param| prepare(self.notation, param, &self.vars).is_ok());
        let told = match named {
            true => self.read_written(&body, self.writer().body_written_out(name, &body), out)?.err(),
            false => None,
        };
        self.vars = vars;
        match told {
            Some(status) => Ok(status),
            None => Ok(self.read(sample, out)?.err().unwrap_or(0)),
        }
    }

    fn no_name(&self, name: &str) -> Diagnostic {
        input::refused(format!("`{name}` can't be a name in {}", self.notation.name))
    }
}

/// `x = 3` for an `x` that nobody knows.
fn to_store(name: &str, value: &str) -> Diagnostic {
    input::refused(format!("unknown name `{name}`")).hint(format!("`{name} := {value}` gives it a value"))
}

/// Tells what is wrong with a line.
pub(super) fn refuse(out: &mut dyn Write, error: Diagnostic) -> io::Result<Next> {
    report::errors(out, false, "", &[error]).map(Next::Go)
}
