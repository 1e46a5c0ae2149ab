//! `cargo xtask bench`: how fast the exact engine and the roller are.
//!
//! ```text
//! bench                  our program on every job of bench/jobs.jsonl, checked; bench/growth.md
//! bench --instructions   the same, and counted instructions of a few jobs (needs valgrind)
//! bench peers            the same jobs beside other libraries; bench/results.md
//! bench phrasings        one question in many spellings, bench/phrasings.jsonl
//! bench digits           how long an answer takes beside the writing of its digits
//!
//! --program FILE         an existing program instead of the one of this tree
//! ```
//!
//! Every run of a job is a process of its own, so nothing is cached. The machine may be busy: the
//! best of several runs counts, and who is compared takes turns.

mod own;

mod peers;
mod results;
mod rolling;
mod targets;

mod digits;
mod growth;
mod instructions;
mod jobs;
mod phrasings;

mod child;
mod plot;
mod table;

use crate::shell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

/// What is done in the repository with a program `tumble`.
type Command = fn(&Path, &Path) -> Result<(), String>;

/// The command; none if the arguments are not known.
pub(crate) fn bench(args: &[OsString]) -> Option<ExitCode> {
    let root = shell::root();
    let mut args: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let program = match args.iter().position(|arg| *arg == "--program") {
        Some(at) if at + 1 < args.len() => Some(PathBuf::from(args.drain(at..at + 2).nth(1)?)),
        _ => None,
    };
    let command: Command = match args.as_slice() {
        ["digits"] if program.is_none() => return Some(ended(digits::bench(&root))),
        [] => |root, tumble| own::bench(root, tumble, false),
        ["--instructions"] => |root, tumble| own::bench(root, tumble, true),
        ["peers"] => peers::bench,
        ["phrasings"] => phrasings::bench,
        _ => return None,
    };
    let done = program.map_or_else(|| build(&root), Ok).and_then(|tumble| command(&root, &tumble));
    Some(ended(done))
}

fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the program and tells where it is.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    well(shell::cargo().args(["build", "--release", "--package", "tumble-cli"]).current_dir(root))?;
    Ok(shell::target(root).join("release/tumble"))
}

/// Runs a program that must end well.
fn well(command: &mut process::Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} ended with {status}")),
        Err(error) => Err(format!("could not start {command:?}: {error}")),
    }
}
