//! `tumble run`.

use super::shared::from_zero;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble run fullattack.tumble "Full Attack" --args fight.json
  tumble run yahtzee.tumble Turn
  tumble run savage.tumble --answer u=true --seed 7 --json
  tumble run --load game.json

In a terminal you are asked for what is missing, and can answer the options of
the roll as often as you like: the dice that were rolled stay."#)]
pub(crate) struct RunArgs {
    /// The script
    #[arg(value_name = "FILE", required_unless_present = "load")]
    pub(crate) file: Option<PathBuf>,

    /// The roll to make, by its title or name
    #[arg(value_name = "ROLL")]
    pub(crate) roll: Option<String>,

    /// Its arguments: a JSON file, or a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) args: Option<String>,

    /// Answer an option: its path and the answer, such as ru=true, u=2 or
    /// u=[0,3]
    #[arg(long = "answer", value_name = "PATH=ANSWER")]
    pub(crate) answers: Vec<String>,

    /// Seed for repeatable dice: any number, 0 or more
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    pub(crate) seed: Option<u64>,

    /// Treat slips that would be understood as errors
    #[arg(long)]
    pub(crate) strict: bool,

    /// Save the roll with its dice and answers to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Go on with a saved roll
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "roll", "args"])]
    pub(crate) load: Option<PathBuf>,

    /// Show what each answer to an option is worth, with the dice as they fell;
    /// --worth=best plays the options without an answer as well as can be
    #[arg(long, value_name = "THEN", num_args = 0..=1, require_equals = true, default_missing_value = "answered")]
    pub(crate) worth: Option<Then>,

    /// Print the answer as JSON, as `tumble batch` does
    #[arg(long)]
    pub(crate) json: bool,
}

/// What becomes of the other options when answers to one are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Then {
    /// They are as answered, or at their default.
    Answered,
    /// Those without an answer are played best.
    Best,
}
