//! What several commands take: an expression, its notation, values for it, and limits.

use crate::input;
use clap::Args;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::str::FromStr;
use tumble::{Diagnostic, Interrupt, Limits, Sheet, Vars};

/// How an expression is given and how much it may cost.
#[derive(Debug, Args)]
pub(crate) struct Given {
    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Read the roll from a file; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Print the answer as JSON, like `tumble batch`
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) most: Most,
}

/// What an expression is written in, and the values it may use.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// The notation of the roll; see `tumble notations`
    #[arg(short, long, value_name = "NAME")]
    pub(crate) notation: Option<String>,

    /// Set a variable of the roll; can be repeated
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) vars: Vec<(String, i64)>,

    /// Read values and rolls such as @str, @skill.stealth and @sword from a JSON
    /// file, such as a character sheet; --var takes precedence
    #[arg(long = "vars", value_name = "FILE")]
    pub(crate) file_of_sheet: Option<PathBuf>,

    /// The sheet, once it is read: it may come from a pipe.
    #[arg(skip)]
    sheet: OnceCell<Result<Sheet, Diagnostic>>,

    /// Values that a session knows already.
    #[arg(skip)]
    pub(crate) known: Vars,
}

impl Reading {
    /// The character sheet; an empty one if none was given.
    pub(crate) fn sheet(&self) -> Result<&Sheet, Diagnostic> {
        let read = |path: &PathBuf| {
            let about = |error: Diagnostic| input::refused(format!("`{}`: {}", path.display(), error.message));
            input::file(path)?.parse().map_err(about)
        };
        let sheet = self.sheet.get_or_init(|| self.file_of_sheet.as_ref().map_or_else(|| Ok(Sheet::default()), read));
        sheet.as_ref().map_err(Diagnostic::clone)
    }

    /// Takes over what a session knows, unless a sheet is given here.
    pub(crate) fn knows(&mut self, vars: Vars, sheet: Sheet) {
        self.known = vars;
        if self.file_of_sheet.is_none() {
            self.sheet = OnceCell::from(Ok(sheet));
        }
    }
}

/// Limits that can be raised.
#[derive(Debug, Args)]
pub(crate) struct Most {
    /// Maximum number of steps for an answer [default: 50 million]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    max_steps: Option<u64>,

    /// Maximum number of dice in a roll and members in a collection [default: 1
    /// million]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    max_dice: Option<u64>,

    /// Maximum depth of nested function calls [default: 10,000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    max_depth: Option<u64>,

    /// A session goes on when somebody stops an answer.
    #[arg(skip)]
    pub(crate) interrupt: Interrupt,
}

impl Most {
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            steps: self.max_steps.unwrap_or(usual.steps),
            draws: self.max_dice.unwrap_or(usual.draws),
            members: self.max_dice.unwrap_or(usual.members),
            depth: self.max_depth.map_or(usual.depth, |depth| usize::try_from(depth).unwrap_or(usize::MAX)),
            interrupt: self.interrupt.clone(),
            ..usual
        }
    }
}

/// A whole number.
pub(crate) fn whole(given: &str) -> Result<i64, String> {
    number(given, "expected a whole number, such as 15")
}

/// A whole number that is not negative.
pub(crate) fn from_zero(given: &str) -> Result<u64, String> {
    number(given, "expected a whole number, 0 or more")
}

/// A whole number of things.
pub(crate) fn from_one(given: &str) -> Result<u64, String> {
    let needed = "expected a whole number, 1 or more";
    number(given, needed).and_then(|n| if n == 0 { Err(needed.to_owned()) } else { Ok(n) })
}

fn number<N: FromStr>(given: &str, needed: &str) -> Result<N, String> {
    let large = given.len() > 18 && given.trim_start_matches('+').bytes().all(|b| b.is_ascii_digit());
    let why = if large { "this is too large for a 64-bit whole number" } else { needed };
    given.parse().map_err(|_| why.to_owned())
}

fn variable(given: &str) -> Result<(String, i64), String> {
    let Some((name, value)) = given.split_once('=') else {
        return Err("expected a name, `=` and a number, such as N=3".into());
    };
    if name.is_empty() {
        return Err("missing name before `=`; write it like N=3".into());
    }
    match value.parse() {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(_) if value.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit()) && value.len() > 18 => {
            Err(format!("`{value}` is too large for a 64-bit whole number"))
        }
        Err(_) => Err(format!("`{value}` is not a whole number; write it like {name}=3")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_whole_numbers() {
        assert_eq!(variable("N=-3"), Ok(("N".into(), -3)));
        for bad in ["N", "=3", "N=", "N=x", "N=2d6", "N=9223372036854775808", "N=1.5"] {
            assert!(variable(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_asked_for_in_plain_words() {
        assert_eq!((whole("-3"), from_zero("0"), from_one("7")), (Ok(-3), Ok(0), Ok(7)));
        for (found, why) in [
            (whole("2.5").map(drop), "expected a whole number, such as 15"),
            (whole("9223372036854775808").map(drop), "this is too large for a 64-bit whole number"),
            (from_zero("-1").map(drop), "expected a whole number, 0 or more"),
            (from_one("0").map(drop), "expected a whole number, 1 or more"),
            (from_one("").map(drop), "expected a whole number, 1 or more"),
        ] {
            assert_eq!(found, Err(why.to_owned()));
        }
    }
}
