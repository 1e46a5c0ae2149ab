//! `cargo xtask run`: the optimised program with the caller's arguments, or the main job of the day.

use crate::shell;
use std::ffi::OsString;
use std::process::{ExitCode, ExitStatus};

/// What is shown without arguments: a roll and its odds.
const DEMO: &[&[&str]] = &[&["roll", "4d6kh3"], &["odds", "4d6kh3"]];

/// Runs `tumble ARGS` and ends with its status; without arguments, the demonstration.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    if !args.is_empty() {
        return tumble(args);
    }
    for line in DEMO {
        println!("$ tumble {}", line.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
        let args: Vec<OsString> = line.iter().map(OsString::from).collect();
        let code = tumble(&args);
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    ExitCode::SUCCESS
}

/// Stays in the caller's folder, so that the files named in `args` are found.
fn tumble(args: &[OsString]) -> ExitCode {
    let mut cargo = shell::cargo();
    cargo.args(["run", "--release", "--quiet", "--manifest-path"]).arg(shell::root().join("Cargo.toml"));
    cargo.args(["--package", "tumble-cli", "--"]).args(args);
    match cargo.status() {
        Ok(status) => code(status),
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The status of the program as ours; a program ended by a signal counts as failed.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_blanks_are_quoted() {
        assert_eq!(quoted("sum 2d6"), "'sum 2d6'");
        assert_eq!(quoted("roll"), "roll");
    }
}
