//! What can be written after `tumble`: a file for each group of commands, and one for what they share.

mod about;
mod best;
mod odds;
mod roll;
mod run;
mod script;
#[cfg(feature = "server")]
mod serve;
mod session;
mod shared;
mod texts;

pub(crate) use about::{CompletionsArgs, HelpArgs, ManArgs};
pub(crate) use best::{BestArgs, Wanted};
pub(crate) use odds::OddsArgs;
pub(crate) use roll::{Dice, RollArgs};
pub(crate) use run::{RunArgs, Then};
#[cfg(feature = "server")]
pub(crate) use serve::{Admin, AdminArgs, ServeArgs};
pub(crate) use session::{BatchArgs, ReplArgs};
pub(crate) use shared::{Given, Reading, from_zero};
pub(crate) use texts::{CheckArgs, FmtArgs, TranslateArgs};

use clap::{Parser, Subcommand};

/// Roll dice and get exact odds.
#[derive(Debug, Parser)]
#[command(name = "tumble", version, max_term_width = 80, disable_help_subcommand = true)]
#[command(override_usage = "tumble <COMMAND>\n       tumble [OPTIONS] <ROLL>")]
#[command(after_help = r#"Examples:
  tumble                                 an interactive session
  tumble d20 adv + 5                     roll
  tumble odds 4d6kh3                     exact odds
  tumble odds "d20 + @str" --var str=3   give @str a value
  tumble -n troll "sum largest 3 4d6"    another notation
  tumble roll --help                     more about one command

`tumble ROLL` is short for `tumble roll ROLL`.

Exit status: 1 for an error in a roll, 2 for wrong arguments or an unreadable
file, 3 for a limit or a roll that can never stop, 4 if --verify finds a bug in
Tumble, 130 if stopped with Ctrl-C. `tumble help` lists more topics."#)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Roll dice and show every one of them
    Roll(RollArgs),
    /// Show the exact probability of every outcome
    Odds(Box<OddsArgs>),
    /// Run a roll of a script and answer its options
    Run(RunArgs),
    /// Find the best answers to the options of a script
    Best(BestArgs),
    /// Answer JSON requests, one per line
    Batch(BatchArgs),
    /// Translate a roll to another notation
    Translate(TranslateArgs),
    /// Start an interactive session
    Repl(ReplArgs),
    /// Serve the playground and an API to browsers and bots
    #[cfg(feature = "server")]
    Serve(ServeArgs),
    /// Back up, restore and look after the tables of a server
    #[cfg(feature = "server")]
    Admin(AdminArgs),
    /// Check files for errors
    Check(CheckArgs),
    /// Reformat a roll in its usual spelling
    Fmt(FmtArgs),
    /// List the notations a roll can be written in
    Notations,
    /// Explain a command or a notation
    Help(HelpArgs),
    /// Generate shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write all manual pages to a folder
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
