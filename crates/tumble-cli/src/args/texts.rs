//! The commands about an expression itself: `tumble translate`, `check` and `fmt`.

use super::shared::{Given, Reading};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble translate -n troll "sum largest 3 4d6"
  tumble translate 4d6kh3 --to troll

The odds of both are compared before the translation is shown. Anything the
other notation can't express is an error that points at the place."#)]
pub(crate) struct TranslateArgs {
    /// What to translate
    #[arg(value_name = "ROLL", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

    /// The notation to translate to [default: all of them]
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble check stats.troll
  tumble check -n yadn *.txt
  tumble check rules.tumble          a script

A file holds one roll, or a script if it ends with .tumble. Without -n, a file
extension such as .troll sets the notation."#)]
pub(crate) struct CheckArgs {
    /// Files to check; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// In a script, treat slips that would be understood as errors
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print the problems, types and rolls of a script as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble fmt "4D6  k3+2"
  tumble fmt --file stats.troll --write
  tumble fmt --file rules.tumble --write     a script, with its comments

The meaning does not change. Some comments of a roll can't be kept; a file that
would lose one is not written."#)]
pub(crate) struct FmtArgs {
    /// What to reformat
    #[arg(value_name = "ROLL", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

    /// The notation of the roll; see `tumble notations`
    #[arg(short, long, value_name = "NAME")]
    pub(crate) notation: Option<String>,

    /// Read the roll from a file; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Write it back to the file
    #[arg(long, requires = "file")]
    pub(crate) write: bool,
}
