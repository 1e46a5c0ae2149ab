//! `tumble roll`: rolls a text, once or several times, with dice of the computer or of the table.

use crate::args::{Dice, RollArgs};
use crate::batch::clock;
use crate::dice::{Asked, Given};
use crate::{input, report, screen, unused, wait};
use std::io::{self, Write};
use tumble::batch::{Json, Settings, rolled};
use tumble::render::{ansi, luck, text};
use tumble::{Answer, Code, Data, Diagnostic, Limits, Luck, Prepared, Rolled, Value, Wanted, any_seed, nth_seed};

/// Runs the command and gives the exit status.
pub(crate) fn run(args: &RollArgs, out: &mut dyn Write) -> io::Result<u8> {
    let json = args.given.json;
    let text = match input::text(&args.words, args.given.file.as_deref()) {
        Ok(text) => text,
        Err(error) => return report::errors(out, json, "", &[error]),
    };
    unused::tell_roll(&args.given, &text);
    let prepared = match input::prepare(&args.given, &text) {
        Ok(prepared) => prepared,
        Err(errors) => {
            return match &args.misspelled {
                Some(meant) => report::errors(out, json, "", std::slice::from_ref(meant)),
                None => report::errors(out, json, &text, errors.all()),
            };
        }
    };
    if !json {
        report::warnings(&text, prepared.warnings());
    }
    let rolls = Rolls { args, prepared, limits: args.given.most.limits() };
    match rolls.all(out)? {
        Ok(()) => Ok(if wait::interrupted() { wait::INTERRUPTED } else { 0 }),
        Err(error) => report::errors(out, json, &text, &[error]),
    }
}

/// So many rolls tell how lucky one is to about a percent.
const FEW: u64 = 5_000;

/// What all rolls of a call share.
struct Rolls<'a> {
    args: &'a RollArgs,
    prepared: Prepared,
    limits: Limits,
}

/// The outer result is about writing, the inner one about rolling.
type Done = io::Result<Result<(), Diagnostic>>;

impl Rolls<'_> {
    fn all(&self, out: &mut dyn Write) -> Done {
        let odds = if self.args.odds { self.odds().map(Some) } else { Ok(None) };
        let odds = match odds {
            Ok(odds) => odds,
            Err(error) => return Ok(Err(error)),
        };
        match &self.args.dice {
            None => match self.args.seed.map_or_else(any_seed, Ok) {
                Ok(seed) => {
                    // Ctrl-C ends a series after a whole roll, and one roll at once.
                    if self.args.times > 1 {
                        wait::listen();
                    }
                    self.each(out, &odds, |rolls, n| {
                        let seed = nth_seed(seed, n);
                        Ok((rolls.prepared.roll(seed, &rolls.limits)?, Some(seed)))
                    })
                }
                Err(error) => Ok(Err(error)),
            },
            Some(Dice::Ask) => {
                let mut dice = Asked::default();
                self.each(out, &odds, |rolls, _| Ok((rolls.prepared.roll_from(&mut dice, &rolls.limits)?, None)))
            }
            Some(Dice::Given(values)) => {
                let mut dice = match Given::new(values, self.args.times) {
                    Ok(dice) => dice,
                    Err(error) => return Ok(Err(error)),
                };
                let last = self.args.times - 1;
                // All rolls or none: nobody can tell which of the dice were meant for a roll that failed.
                let mut told = Vec::new();
                let done = self.each(&mut told, &odds, |rolls, n| {
                    let rolled = rolls.prepared.roll_from(&mut dice, &rolls.limits)?;
                    if n == last {
                        dice.all_used()?;
                    }
                    Ok((rolled, None))
                })?;
                if done.is_ok() {
                    out.write_all(&told)?;
                }
                Ok(done)
            }
        }
    }

    /// Rolls as often as is wanted, and tells each roll.
    fn each(
        &self,
        out: &mut dyn Write,
        odds: &Option<Answer>,
        mut roll: impl FnMut(&Self, u64) -> Result<(Rolled, Option<u64>), Diagnostic>,
    ) -> Done {
        for n in 0..self.args.times {
            if wait::interrupted() {
                out.flush()?;
                report::notes(&[format!("stopped after {n} of {} rolls", self.args.times)]);
                break;
            }
            let told = roll(self, n).and_then(|(rolled, seed)| self.told(&rolled, seed, odds.as_ref()));
            match told {
                Ok(told) => out.write_all(told.as_bytes())?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }

    fn told(&self, roll: &Rolled, seed: Option<u64>, odds: Option<&Answer>) -> Result<String, Diagnostic> {
        let lucks: Vec<Luck> = odds.map(|odds| self.results(roll, odds)).unwrap_or_default();
        if !self.args.given.json {
            let told = if screen::colour() { ansi::roll } else { text::roll };
            let lines = lucks.iter().map(luck::text);
            let told: String = std::iter::once(told(&self.prepared, roll)).chain(lines).collect();
            return Ok(screen::folded(told, &io::stdout()));
        }
        let mut answer = rolled(&self.prepared, roll, seed)?;
        match lucks.as_slice() {
            [] => {}
            [one] => drop(answer.insert("luck".into(), luck::json(one))),
            several => drop(answer.insert("luck".into(), several.iter().map(luck::json).collect())),
        }
        Ok(format!("{}\n", Json::Object(answer)))
    }

    /// The luck of the result, or of each where the odds are those of one of several rolls.
    fn results(&self, roll: &Rolled, odds: &Answer) -> Vec<Luck> {
        let results: &[Value] = match &roll.value.data {
            Data::List(items) if self.prepared.counts_one() => items,
            _ => std::slice::from_ref(&roll.value),
        };
        results.iter().map(|result| Luck::of(odds, result)).collect()
    }

    /// What the rolls are held against: exact where that is quickly found, else about.
    fn odds(&self) -> Result<Answer, Diagnostic> {
        let limits = Limits { steps: self.limits.steps / 10, ..self.limits };
        let sampling = Settings::new(limits, clock).sampling;
        let ask =
            |approx, samples| self.prepared.ask(&Wanted { approx, samples, ..Wanted::default() }, &limits, &sampling);
        match ask(false, None) {
            Err(error) if error.code == Code::Limit => ask(true, None),
            // Rolls that the engine can list only in part take many dice each; a line about luck is not worth minutes.
            Ok(Answer::Exact(odds, _)) if odds.cut_short() => ask(true, Some(FEW)),
            other => other,
        }
    }
}
