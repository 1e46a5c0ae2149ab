//! The commands about the program: `tumble help`, `completions` and `man`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble help                     the commands and topics
  tumble help odds                one command
  tumble help notation troll      everything in Troll
  tumble help notation troll sum  only entries about `sum`")]
pub(crate) struct HelpArgs {
    /// A command, `reading`, or `notation` and its name
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
    /// Folder for tumble.1, tumble-roll.1 and so on
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
