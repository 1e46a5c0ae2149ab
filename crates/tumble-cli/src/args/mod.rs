//! What can be written after `tumble`: a file for each group of commands, and one for what they share.

mod about;
mod odds;
mod roll;
mod session;
mod shared;
mod texts;

pub(crate) use about::{CompletionsArgs, HelpArgs, ManArgs};
pub(crate) use odds::OddsArgs;
pub(crate) use roll::{Dice, RollArgs};
pub(crate) use session::{BatchArgs, ReplArgs};
pub(crate) use shared::{Given, Reading, from_zero};
pub(crate) use texts::{CheckArgs, FmtArgs, TranslateArgs};

use clap::{Parser, Subcommand};

/// Roll dice and get exact odds.
#[derive(Debug, Parser)]
#[command(name = "tumble", version, max_term_width = 80, disable_help_subcommand = true)]
#[command(override_usage = "tumble <COMMAND>\n       tumble [OPTIONS] <TEXT>")]
#[command(after_help = r#"Examples:
  tumble                                 an interactive session
  tumble d20 adv + 5                     roll
  tumble odds 4d6kh3                     exact odds
  tumble odds "d20 + @str" --var str=3   a value from outside
  tumble -n troll "sum largest 3 4d6"    another notation
  tumble roll --help                     more about one command

`tumble TEXT` is short for `tumble roll TEXT`.

Exit status: 1 for a bad text, 2 for a bad call or an unreadable file, 3 for a
limit or a roll that can never stop, 4 if --verify finds Tumble wrong, 130 if
Ctrl-C stopped it. `tumble help` lists the topics there is more about."#)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Roll the dice and show every one of them
    Roll(RollArgs),
    /// Show the exact probability of every outcome
    Odds(Box<OddsArgs>),
    /// Answer requests, one JSON object per line
    Batch(BatchArgs),
    /// Translate a roll to another notation
    Translate(TranslateArgs),
    /// Start an interactive session
    Repl(ReplArgs),
    /// Check files for errors
    Check(CheckArgs),
    /// Reformat a roll in its usual spelling
    Fmt(FmtArgs),
    /// List the notations a roll can be written in
    Notations,
    /// Explain a command, or everything a notation has
    Help(HelpArgs),
    /// Generate shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them to a folder
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_of_the_arguments_is_sound() {
        Cli::command().debug_assert();
    }
}
