//! The commands about a text itself: `tumble translate`, `check` and `fmt`.

use super::shared::{Given, Reading};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble translate -n troll "sum largest 3 4d6"
  tumble translate 4d6kh3 --to troll

Both texts are counted and compared before the translation is shown. What
cannot be said in the other notation is an error at its place."#)]
pub(crate) struct TranslateArgs {
    /// What to translate
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

    /// The notation to translate to; all of them without it
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble check stats.troll
  tumble check -n yadn *.txt

A file holds one text. Without -n its name may tell the notation: stats.troll."#)]
pub(crate) struct CheckArgs {
    /// Files to read; standard input for `-`
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  tumble fmt "4D6  k3+2"
  tumble fmt --file stats.troll --write

The text keeps its meaning. Of comments only those are kept that the spelling
has a place for, so a file that would lose one is not written."#)]
pub(crate) struct FmtArgs {
    /// What to reformat
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) words: Vec<String>,

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
