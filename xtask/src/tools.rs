//! Tools that a step of the gate needs and that cargo can install.

use crate::shell;
use std::process::{Command, ExitCode};

/// How a step ended that needs a tool which may be missing.
pub(crate) enum End {
    /// It ran; these are the problems found.
    Done(Vec<String>),
    /// The tool cannot be had.
    Skipped(String),
}

/// Makes sure that a tool is there. It is installed where that surprises nobody: in CI and for root. Everybody else
/// reads how to do it.
pub(crate) fn have(name: &str, install: &[&str], has: impl Fn() -> bool) -> Result<(), String> {
    if has() {
        return Ok(());
    }
    let how = format!("{name} is not installed; install it with `cargo install {}`", install.join(" "));
    if !may_install() {
        return Err(how);
    }
    println!("{name} is not installed: installing it, as always in CI and for root; this takes a few minutes");
    let mut command = shell::cargo();
    command.arg("install").args(install);
    let well = shell::stream(&mut command, |_| {}).is_ok_and(|ended| ended.well);
    if well && has() { Ok(()) } else { Err(how) }
}

/// Whether tools may be installed: in CI and for root, where that surprises nobody.
pub(crate) fn may_install() -> bool {
    std::env::var_os("CI").is_some_and(|ci| ci == "true") || is_root()
}

/// The end of a command that is such a step alone.
pub(crate) fn shown(end: End) -> ExitCode {
    let problems = match end {
        End::Done(problems) => problems,
        End::Skipped(reason) => vec![reason],
    };
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
