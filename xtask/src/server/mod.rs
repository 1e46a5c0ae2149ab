//! `cargo xtask soak server`: what takes too long for the gate, or needs what not everybody has.
//!
//! ```text
//! asked      requests that nobody thought of, made from the description of the API; as a stranger and at a table
//! killed     fifty kills under load, what reaches the disk, and a disk that is full (strace; mounting needs root)
//! postgres   the tests of the server with PostgreSQL in place of SQLite
//! ```

mod asked;
mod postgres;

use crate::shell;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

/// A part of it; whether all was well.
type Part = fn(&Path) -> io::Result<bool>;

const PARTS: &[(&str, Part)] = &[("asked", asked::run), ("killed", killed), ("postgres", postgres::run)];

/// Runs the part with this name, or all; fails if something is found.
pub(crate) fn soak(only: Option<&str>) -> ExitCode {
    if let Some(name) = only.filter(|name| PARTS.iter().all(|(known, _)| known != name)) {
        eprintln!("there is no part `{name}`; the parts are asked, killed and postgres");
        return ExitCode::FAILURE;
    }
    let root = shell::root();
    let mut well = true;
    for (name, part) in PARTS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let ended = part(&root);
        match &ended {
            Ok(true) => println!("soak server: {name}: nothing found"),
            Ok(false) => eprintln!("soak server: {name}: see above"),
            Err(error) => eprintln!("soak server: {name}: could not be tried: {error}"),
        }
        well &= matches!(ended, Ok(true));
    }
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn killed(root: &Path) -> io::Result<bool> {
    let mut tests = shell::cargo();
    tests.args(["test", "--package", "tumble-cli", "--test", "main", "--", "kill::"]).env("TUMBLE_TEST_KILLS", "50");
    let killed = tests.current_dir(root).status()?.success();
    let program = shell::target(root).join("debug/tumble");
    let mut disk = Command::new("python3");
    disk.arg(root.join("bench/tables.py")).arg("disk").env("TUMBLE", program);
    Ok(killed & disk.status()?.success())
}

fn succeeded(command: &mut Command) -> io::Result<()> {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{} failed", command.get_program().display()))),
    }
}
