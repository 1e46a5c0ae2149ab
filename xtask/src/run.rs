//! `cargo xtask run`: the program with the caller's arguments, or a roll and its odds.
//!
//! A first build has to be quick, so it is made with less optimisation, and without the parts that need many other
//! crates: pictures as PNG and the line editor of a session. A call that needs one of them is built with it.

use crate::build::{self, Order};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::process::{Command, ExitCode, ExitStatus};

/// What is shown without arguments: a roll and its odds.
const DEMO: &[&[&str]] = &[&["roll", "4d6kh3"], &["odds", "4d6kh3"]];

/// The profile of the root `Cargo.toml`.
const PROFILE: &str = "quick";

/// Runs `tumble ARGS` and ends with its status; without arguments, the demonstration.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    let order = Order { profile: PROFILE, features: Some(features(args, io::stdin().is_terminal())), target: None };
    if !crate::shell::root().join("target").join(PROFILE).exists() {
        eprintln!("building tumble; the first time takes one to two minutes");
    }
    let program = match build::tumble(&order) {
        Ok(Some(program)) => program,
        Ok(None) => return ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    if !args.is_empty() {
        return tumble(program.as_os_str(), args);
    }
    for line in DEMO {
        println!("$ tumble {}", line.join(" "));
        let args: Vec<OsString> = line.iter().map(OsString::from).collect();
        let code = tumble(program.as_os_str(), &args);
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    println!("\nFor an interactive session: cargo xtask run repl");
    ExitCode::SUCCESS
}

/// The parts that a call needs, besides those that are always there.
fn features(args: &[OsString], terminal: bool) -> &'static str {
    let png = args.iter().any(|word| word.to_string_lossy().to_lowercase().contains("png"));
    let repl = args.first().is_some_and(|word| word == "repl");
    match (png || repl && terminal, repl) {
        (false, _) => "",
        (true, false) => "png",
        // Who has a session may ask for anything.
        (true, true) => "editor,png",
    }
}

fn tumble(program: &OsStr, args: &[OsString]) -> ExitCode {
    match Command::new(program).args(args).status() {
        Ok(status) => code(status),
        Err(error) => {
            eprintln!("{} could not be started: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}

/// The status of the program as ours; a program ended by a signal counts as failed.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_built_with_what_it_needs() {
        for (line, terminal, parts) in [
            ("", true, ""),
            ("odds 4d6kh3 -o odds.svg", true, ""),
            ("odds 4d6kh3 -o odds.PNG", true, "png"),
            ("odds 4d6kh3 --format=png", false, "png"),
            ("repl --seed 1", true, "editor,png"),
            ("repl --seed 1", false, ""),
        ] {
            let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            assert_eq!(features(&args, terminal), parts, "{line}");
        }
    }
}
