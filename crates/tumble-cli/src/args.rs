//! What can be written after `tumble`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use tumble::render::chance::Question;
use tumble::render::{FORMATS, Format, Show, Theme, format, format_of};
use tumble::{Limits, Wanted};

/// Roll dice and get exact odds, from one text.
#[derive(Debug, Parser)]
#[command(name = "tumble", version, max_term_width = 80, disable_help_subcommand = true)]
#[command(override_usage = "tumble <COMMAND>\n       tumble [OPTIONS] <TEXT>")]
#[command(after_help = "\
Examples:
  tumble 4d6kh3                          roll
  tumble odds 4d6kh3                     exact odds
  tumble odds 'd20 + @str' --var str=3   a value from outside
  tumble -n troll 'sum largest 3 4d6'    another notation
  tumble roll --help                     more about one command

`tumble TEXT` is short for `tumble roll TEXT`.

Exit status: 1 for a bad text, 2 for a bad call or an unreadable file, 3 for a
limit or a roll that can never stop, 4 if --verify finds Tumble wrong, 130 if
Ctrl-C stopped it. `tumble help` lists the topics there is more about.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Roll the dice and show every one of them
    Roll(RollArgs),
    /// Show the exact probability of every outcome
    Odds(OddsArgs),
    /// Answer requests, one JSON object per line
    Batch(BatchArgs),
    /// Say the same roll in another notation
    Translate(TranslateArgs),
    /// Type texts and get answers, with names for what was rolled
    Repl(ReplArgs),
    /// Say whether texts in files can be read
    Check(CheckArgs),
    /// Write a text in its usual spelling
    Fmt(FmtArgs),
    /// List the notations a text can be written in
    Notations,
    /// Explain a command, or everything a notation has
    Help(HelpArgs),
    /// Print what a shell needs to complete the arguments
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them to a folder
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble roll 4d6kh3
  tumble roll 2d6 --times 5 --seed 7
  tumble roll 'd20 + @skill.stealth' --vars mia.json
  tumble roll -n troll --file stats.troll --json
  tumble roll 4d6kh3 --odds                     and how lucky that was
  tumble roll 4d6kh3 --dice 3,5,6,1             with the dice on your table

A die that was dropped is shown as ~~1~~, one that was rolled again as 1r, and
one that led to a further die as 6!.")]
pub(crate) struct RollArgs {
    /// What to roll
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) text: Option<String>,

    #[command(flatten)]
    pub(crate) given: Given,

    /// Roll the same dice again: any number from 0 up
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Roll this many times; with --seed, roll number i has a seed of its own,
    /// made from the given one and i
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) times: u64,

    /// Tell how lucky each roll was: what share of all rolls it beats
    #[arg(long)]
    pub(crate) odds: bool,

    /// Use dice from your table: what they show, as 3,5,6,1 in the order they are
    /// rolled, or `ask` to be asked for each
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble odds 4d6kh3
  tumble odds 3d6 '2d6 + 3'
  tumble odds '(@N)d10!cs>=8' --var N=3
  tumble odds 4d6kh3 --explain --verify
  tumble odds -n troll 'different 40d40' --approx --samples 100000
  tumble odds 4d6kh3 --show at-least
  tumble odds 4d6kh3 --at-least 15
  tumble odds 4d6kh3 3d6 -o odds.svg
  tumble odds 4d6kh3 3d6 --format csv

Loops without an end, such as exploding dice, are solved exactly. What is too
rare to be listed has a row of its own.")]
pub(crate) struct OddsArgs {
    /// What to count; several texts stand side by side where they fit
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) texts: Vec<String>,

    #[command(flatten)]
    pub(crate) given: Given,

    /// How the answer looks [default: text, or what the ending of FILE says]
    #[arg(long, value_name = "NAME", conflicts_with = "json", value_parser = formats())]
    format: Option<String>,

    /// Write the answer to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Cut loops after N rolls, as the program Troll does, and list the rest as
    /// one row
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iterations: Option<u64>,

    /// Which probabilities to show, and how; several are separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = named(Show::ALL))]
    pub(crate) show: Vec<Show>,

    /// Show every row, also the rare ones at the ends of a long table
    #[arg(long)]
    pub(crate) all: bool,

    /// Show one table per text, also where they fit side by side
    #[arg(long)]
    pub(crate) separate: bool,

    /// The colours of a picture
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = named(Theme::ALL))]
    pub(crate) theme: Theme,

    /// Tell only the chance of this number or a larger one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    at_least: Vec<i64>,

    /// Tell only the chance of this number or a smaller one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    at_most: Vec<i64>,

    /// Tell only the chance of this outcome
    #[arg(long, value_name = "OUTCOME", allow_hyphen_values = true)]
    exactly: Vec<String>,

    /// Tell how the answer was found, what it was expected to cost and what it
    /// took
    #[arg(long)]
    pub(crate) explain: bool,

    /// Work the answer out a second time in another way, and compare
    #[arg(long)]
    pub(crate) verify: bool,

    /// Allow an approximate answer where the exact one is over its limit
    #[arg(long, conflicts_with = "iterations")]
    pub(crate) approx: bool,

    /// Make an approximate answer of this many rolls [default: up to 1 million]
    #[arg(long, value_name = "N", requires = "approx", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,

    /// Roll the same dice again for an approximate answer
    #[arg(long, value_name = "N", requires = "approx")]
    seed: Option<u64>,

    /// Give a variable one value after the other, and put the answers side by
    /// side: N=3..10, N=0..100..10 or N=2,4,8
    #[arg(long, value_name = "NAME=VALUES", value_parser = crate::sweep::sweep)]
    #[arg(conflicts_with_all = ["explain", "verify"])]
    pub(crate) sweep: Option<crate::sweep::Sweep>,
}

/// The names of the formats.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
}

/// One of several things that have names.
fn named<T: Copy + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = all.iter().map(|(name, _)| *name).collect();
    let find = |given: String| all.iter().find(|(name, _)| *name == given).map(|(_, thing)| *thing);
    PossibleValuesParser::new(names).try_map(move |given| find(given).ok_or("there is no such name"))
}

impl OddsArgs {
    /// The format that was named, or that the ending of the file tells.
    pub(crate) fn format(&self) -> &'static Format {
        let named = if self.given.json { Some("json") } else { self.format.as_deref() };
        let file = self.output.as_ref().and_then(|path| path.to_str());
        let found = named.map_or_else(|| file.and_then(format_of), format);
        found.unwrap_or(&FORMATS[0])
    }

    /// What was asked for one number.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let least = self.at_least.iter().map(|n| Question::AtLeast(*n));
        let most = self.at_most.iter().map(|n| Question::AtMost(*n));
        least.chain(most).chain(self.exactly.iter().cloned().map(Question::Exactly)).collect()
    }

    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            iterations: self.iterations,
            explain: self.explain,
            verify: self.verify,
            approx: self.approx,
            samples: self.samples,
            seed: self.seed,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble translate -n troll 'sum largest 3 4d6'
  tumble translate 4d6kh3 --to troll

Both texts are counted and compared before the translation is shown. What
cannot be said in the other notation is an error at its place.")]
pub(crate) struct TranslateArgs {
    /// What to translate
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) text: Option<String>,

    /// The notation to translate to; all of them without it
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  echo '{\"do\":\"odds\",\"text\":\"2d6\"}' | tumble batch
  tumble batch requests.jsonl > answers.jsonl

Every line gets one line, in order and as soon as it and those before it have
their answers; a bad request gets
{\"ok\":false,\"error\":{...}} and the next one is read.")]
pub(crate) struct BatchArgs {
    /// Where the requests are; standard input without it, or for `-`
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Work on up to N requests at a time [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) most: Most,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble repl
  tumble repl -n troll --var N=4
  printf 'x = 4d6kh3\\n:odds x + 2\\n' | tumble repl

A line that starts with `:` is a command; `:help` lists them.")]
pub(crate) struct ReplArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Roll the same dice again: any number from 0 up
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) most: Most,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble check stats.troll
  tumble check -n yadn *.txt

A file holds one text. Without -n its name may tell the notation: stats.troll.")]
pub(crate) struct CheckArgs {
    /// Files to read; standard input for `-`
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble fmt '4D6  k3+2'
  tumble fmt --file stats.troll --write

The text keeps its meaning. Of comments only those are kept that the spelling
has a place for, so a file that would lose one is not written.")]
pub(crate) struct FmtArgs {
    /// What to write
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) text: Option<String>,

    /// The notation of the text; see `tumble notations`
    #[arg(short, long, value_name = "NAME")]
    pub(crate) notation: Option<String>,

    /// Read the text from a file; from standard input for `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Write it back to the file
    #[arg(long, requires = "file")]
    pub(crate) write: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble help                     the commands and topics
  tumble help odds                one command
  tumble help notation troll      everything that can be written in Troll
  tumble help notation troll sum  only what is about `sum`")]
pub(crate) struct HelpArgs {
    /// A command, or `notation` and the name of one
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble completions bash > ~/.local/share/bash-completion/completions/tumble
  tumble completions zsh > ~/.zfunc/_tumble
  tumble completions fish > ~/.config/fish/completions/tumble.fish
  tumble completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble man | man -l -
  tumble man ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder for tumble.1, tumble-roll.1 and so on
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// How a text is given and how much it may cost.
#[derive(Debug, Args)]
pub(crate) struct Given {
    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Read the text from a file; from standard input for `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Print one JSON object per answer, as `tumble batch` does
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) most: Most,
}

/// What a text is written in, and the values it may use.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// The notation of the text; see `tumble notations`
    #[arg(short, long, value_name = "NAME")]
    pub(crate) notation: Option<String>,

    /// Give a variable of the text a value; can be repeated
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) vars: Vec<(String, i64)>,

    /// Give the text the values of a JSON file, such as a character sheet: @str,
    /// @skill.stealth; --var goes before it
    #[arg(long = "vars", value_name = "FILE")]
    pub(crate) sheet: Option<PathBuf>,
}

/// Limits that can be raised.
#[derive(Debug, Args)]
pub(crate) struct Most {
    /// The most steps an answer may take [default: 50 million]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,

    /// The most dice of one roll, and members of one collection [default: 1
    /// million]
    #[arg(long, value_name = "N")]
    max_dice: Option<u64>,
}

impl Most {
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            steps: self.max_steps.unwrap_or(usual.steps),
            draws: self.max_dice.unwrap_or(usual.draws),
            members: self.max_dice.unwrap_or(usual.members),
            ..usual
        }
    }
}

fn dice(given: &str) -> Result<Dice, String> {
    if given == "ask" {
        return Ok(Dice::Ask);
    }
    let value = |piece: &str| {
        let piece = piece.trim();
        piece.parse().map_err(|_| format!("`{piece}` is not what a die shows; write numbers like 3,5,6,1, or ask"))
    };
    given.split(',').map(value).collect::<Result<_, _>>().map(Dice::Given)
}

fn variable(given: &str) -> Result<(String, i64), String> {
    let Some((name, value)) = given.split_once('=') else {
        return Err("write a name, `=` and a number, such as N=3".into());
    };
    if name.is_empty() {
        return Err("a name is missing before `=`; write it like N=3".into());
    }
    match value.parse() {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(_) if value.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit()) && value.len() > 18 => {
            Err(format!("`{value}` is too large for a whole number of 64 bits"))
        }
        Err(_) => Err(format!("`{value}` is not a whole number; write it like {name}=3")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_of_the_arguments_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn dice_are_numbers_or_asked_for() {
        assert_eq!(dice("3, 5,-1"), Ok(Dice::Given(vec![3, 5, -1])));
        assert_eq!(dice("ask"), Ok(Dice::Ask));
        for bad in ["", "3,", "3;5", "six", "3 5"] {
            assert!(dice(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn variables_are_whole_numbers() {
        assert_eq!(variable("N=-3"), Ok(("N".into(), -3)));
        for bad in ["N", "=3", "N=", "N=x", "N=2d6", "N=9223372036854775808", "N=1.5"] {
            assert!(variable(bad).is_err(), "{bad}");
        }
    }
}
