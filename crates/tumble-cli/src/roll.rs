//! `tumble roll`: rolls an expression, once or several times, with virtual dice or those on the table.

use crate::args::{Dice, RollArgs};
use crate::dice::Asked;
use crate::{dice, input, report, screen, unused, wait};
use std::io::{self, Write};
use tumble::batch::{Json, rolled};
use tumble::dice::Supplied;
use tumble::render::{ansi, luck, text};
use tumble::{Answer, Diagnostic, Limits, Luck, Prepared, Rolled, Span, any_seed, nth_seed};

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
        report::warnings(prepared.text(), prepared.warnings());
    }
    let rolls = Rolls { args, prepared, limits: args.given.most.limits() };
    match rolls.all(out)? {
        Ok(()) => Ok(if wait::interrupted() { wait::INTERRUPTED } else { 0 }),
        Err(error) => report::errors(out, json, &text, &[error]),
    }
}

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
        let odds = if self.args.odds { self.prepared.odds_for_luck(&self.limits).map(Some) } else { Ok(None) };
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
                let mut dice = Asked::new(self.args.ask.unwrap_or(dice::ask));
                self.each(out, &odds, |rolls, _| Ok((rolls.prepared.roll_from(&mut dice, &rolls.limits)?, None)))
            }
            Some(Dice::Given(values)) => {
                if self.args.times > values.len() as u64 {
                    return Ok(Err(input::refused(format!(
                        "fewer dice are given than {} rolls need",
                        self.args.times
                    ))));
                }
                let mut dice = Supplied::new(values);
                let last = self.args.times - 1;
                // All rolls or none: nobody can tell which of the dice were meant for a roll that failed.
                let mut told = Vec::new();
                let done = self.each(&mut told, &odds, |rolls, n| {
                    let rolled = rolls.prepared.roll_from(&mut dice, &rolls.limits)?;
                    if n == last {
                        dice.all_used().map_err(|fault| fault.at(Span::default()))?;
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
        let lucks: Vec<Luck> = odds.map(|odds| self.prepared.lucks(roll, odds)).unwrap_or_default();
        if !self.args.given.json {
            let told = if screen::colour() { ansi::lines } else { text::lines };
            return Ok(screen::folded(with_luck(&told(&self.prepared, roll), &lucks), &io::stdout()));
        }
        let mut answer = rolled(&self.prepared, roll, seed)?;
        if !lucks.is_empty() {
            answer.insert("luck".into(), luck::all_json(&lucks));
        }
        Ok(format!("{}\n", Json::Object(answer)))
    }
}

/// The lines of a roll, each with how lucky it was; a line for what comes before several rolls has no luck.
fn with_luck(lines: &[String], lucks: &[Luck]) -> String {
    let first = lines.len().saturating_sub(lucks.len());
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        out.push_str(&format!("{line}\n"));
        let luck = number.checked_sub(first).and_then(|number| lucks.get(number));
        out.push_str(&luck.map(luck::text).unwrap_or_default());
    }
    out
}
