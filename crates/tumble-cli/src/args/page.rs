//! `tumble page`: the playground on this machine.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  tumble page web/dist --port 8080

Only this machine can reach it. `cargo xtask web` builds the folder.")]
pub(crate) struct PageArgs {
    /// Folder with the built page
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    /// Port to listen on [default: a free one]
    #[arg(short, long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
