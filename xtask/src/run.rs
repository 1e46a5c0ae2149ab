//! `cargo xtask run`: the program with the caller's arguments, or the page on this machine; where it can't be built, a
//! session on a terminal, else a roll and its odds.
//!
//! A first build has to be quick, so it is made with less optimisation, and without the parts that need many other
//! crates: pictures as PNG and the line editor of a session. A call that needs one of them is built with it.

use crate::build::{self, Order};
use crate::web;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::process::{Command, ExitCode, ExitStatus};

/// What is shown where there is neither the page nor a terminal: a roll and its odds.
const DEMO: &[&[&str]] = &[&["roll", "4d6kh3"], &["odds", "4d6kh3"]];

/// The profile of the root `Cargo.toml`.
const PROFILE: &str = "quick";

/// Runs `tumble ARGS` and ends with its status; without arguments, the page.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    if !args.is_empty() {
        return called(args, |_| ());
    }
    let page = web::can_build().and_then(|()| {
        println!("building the page and the program");
        web::build()
    });
    match page {
        Ok(_) => {
            let words = ["serve", "--listen", "127.0.0.1:0"].map(OsString::from);
            called(&words, |_| println!("Tumble runs at this address; Ctrl-C ends it."))
        }
        Err(why) => {
            println!("No page in the browser: {why}\n");
            if io::stdin().is_terminal() { called(&["repl".into()], |_| ()) } else { called(&[], demo) }
        }
    }
}

/// Builds the program with what these arguments need, and runs it; without arguments, only `before`.
fn called(args: &[OsString], before: impl FnOnce(&OsStr)) -> ExitCode {
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
    before(program.as_os_str());
    if args.is_empty() { ExitCode::SUCCESS } else { tumble(program.as_os_str(), args) }
}

fn demo(program: &OsStr) {
    for line in DEMO {
        println!("$ tumble {}", line.join(" "));
        tumble(program, &line.iter().map(OsString::from).collect::<Vec<_>>());
    }
    println!("\nFor an interactive session: cargo xtask run repl");
}

/// The parts that a call needs, besides those that are always there.
fn features(args: &[OsString], terminal: bool) -> &'static str {
    let png = args.iter().any(|word| word.to_string_lossy().to_lowercase().contains("png"));
    let command = |name: &str| args.first().is_some_and(|word| word == name);
    let repl = command("repl");
    match (png || repl && terminal, repl) {
        _ if command("serve") => "server",
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
            ("serve --lan", true, "server"),
        ] {
            let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            assert_eq!(features(&args, terminal), parts, "{line}");
        }
    }
}
