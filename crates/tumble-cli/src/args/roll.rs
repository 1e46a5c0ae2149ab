//! `tumble roll`.

use super::shared::{Given, from_one, from_zero};
use crate::dice::Ask;
use clap::Args;
use tumble::Diagnostic;

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble roll 4d6kh3
  tumble roll 2d6 --times 5 --seed 7
  tumble roll 2d6 + 3                           no quotes needed
  tumble roll "d20 + @skill.stealth" --vars mia.json
  tumble roll --file stats.troll --json         read as Troll, by its extension
  tumble roll 4d6kh3 --odds                     with how lucky it was
  tumble roll 4d6kh3 --dice 3,5,6,1             with the dice on your table

`tumble help reading` explains how to read the result."#)]
pub(crate) struct RollArgs {
    /// What to roll; several words make one roll
    #[arg(value_name = "ROLL", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

    /// What to say if it cannot be read, because the first word is nearly a command.
    #[arg(skip)]
    pub(crate) misspelled: Option<Diagnostic>,

    /// How somebody is asked for a die.
    #[arg(skip)]
    pub(crate) ask: Option<Ask>,

    #[command(flatten)]
    pub(crate) given: Given,

    /// Seed for repeatable dice: any number, 0 or more
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    pub(crate) seed: Option<u64>,

    /// Roll this many times; with --seed, each roll has its own seed derived from
    /// it
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = from_one)]
    pub(crate) times: u64,

    /// Show how lucky each roll was: the share of rolls it beats
    #[arg(long)]
    pub(crate) odds: bool,

    /// Use the dice on your table: their numbers in the order rolled, such as
    /// 3,5,6,1, or `ask` to be asked for each
    #[arg(long, value_name = "DICE", value_parser = dice, allow_hyphen_values = true, conflicts_with = "seed")]
    pub(crate) dice: Option<Dice>,
}

/// Dice that somebody rolled by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dice {
    /// `ask`
    Ask,
    /// `3,5,6,1`
    Given(Vec<i64>),
}

fn dice(given: &str) -> Result<Dice, String> {
    if given == "ask" {
        return Ok(Dice::Ask);
    }
    let value = |piece: &str| {
        let what = match piece.trim() {
            "" => "a number is missing".to_owned(),
            other => format!("`{other}` is not a number on a die"),
        };
        piece.trim().parse().map_err(|_| format!("{what}; write numbers like 3,5,6,1, or `ask`"))
    };
    given.split(',').map(value).collect::<Result<_, _>>().map(Dice::Given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_numbers_or_asked_for() {
        assert_eq!(dice("3, 5,-1"), Ok(Dice::Given(vec![3, 5, -1])));
        assert_eq!(dice("ask"), Ok(Dice::Ask));
        for bad in ["", "3,", "3;5", "six", "3 5"] {
            assert!(dice(bad).is_err(), "{bad}");
        }
    }
}
