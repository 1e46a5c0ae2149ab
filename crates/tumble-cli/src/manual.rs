//! `tumble completions` and `tumble man`: what the system wants to know about the program, made from the
//! description of its arguments.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::{input, report};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::{self, Write};

/// Prints the completions for a shell.
pub(crate) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> io::Result<u8> {
    // The generator stops the program if it cannot write, so it writes here first.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tumble", &mut script);
    out.write_all(&script).map(|()| 0)
}

/// Prints the page of the program, or writes all pages to a folder.
pub(crate) fn pages(args: &ManArgs, out: &mut dyn Write) -> io::Result<u8> {
    let Some(folder) = &args.folder else { return Man::new(Cli::command()).render(out).map(|()| 0) };
    // The pages of the commands are made from the same description, one file each.
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => writeln!(out, "wrote the manual pages to {}", folder.display()).map(|()| 0),
        Err(error) => {
            let message = format!("can't write the manual pages to `{}`: {error}", folder.display());
            report::errors(out, false, "", &[input::refused(message)])
        }
    }
}
