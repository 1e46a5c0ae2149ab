//! `cargo xtask bench`: how fast the exact engine and the roller are.
//!
//! ```text
//! bench                  our program on every job of bench/jobs.jsonl, checked; bench/growth.md
//! bench --instructions   the same, and counted instructions of a few jobs (needs valgrind)
//! bench peers            the same jobs beside other libraries; bench/results.md
//! ```
//!
//! Every run of a job is a process of its own, so nothing is cached. The machine may be busy: the
//! best of several runs counts, and who is compared takes turns.

mod own;

mod peers;
mod results;
mod rolling;
mod targets;

mod growth;
mod instructions;
mod jobs;

mod child;
mod plot;
mod table;

use crate::shell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The command; none if the arguments are not known.
pub(crate) fn bench(args: &[OsString]) -> Option<ExitCode> {
    let root = shell::root();
    let args: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let done = match args.as_slice() {
        [] => build(&root).and_then(|tumble| own::bench(&root, &tumble, false)),
        ["--instructions"] => build(&root).and_then(|tumble| own::bench(&root, &tumble, true)),
        ["peers"] => build(&root).and_then(|tumble| peers::bench(&root, &tumble)),
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    })
}

/// Builds the program and tells where it is.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    well(shell::cargo().args(["build", "--release", "--package", "tumble-cli"]).current_dir(root))?;
    Ok(target(root).join("release/tumble"))
}

/// The folder for what is built.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |given| root.join(given))
}

/// Runs a program that must end well.
fn well(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} ended with {status}")),
        Err(error) => Err(format!("could not start {command:?}: {error}")),
    }
}
