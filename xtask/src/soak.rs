//! What takes too long for the gate: a whole game solved, and the law on thousands of random scripts.

use std::process::{Command, ExitCode};

/// Random scripts of each kind.
const PROGRAMS: &str = "3000";

/// The published value of solitaire Yahtzee under each set of rules, to its digits.
const YAHTZEE: &[(&str, &str)] = &[("forced", "254.58"), ("free", "254.5896"), ("plain", "245.87")];

/// Runs everything; fails if something does.
pub(crate) fn soak() -> ExitCode {
    let game = Command::new("cargo").args(["run", "--release", "-p", "tumble", "--example", "yahtzee"]).output();
    let game = match game {
        Ok(done) if done.status.success() => String::from_utf8_lossy(&done.stdout).into_owned(),
        Ok(done) => return failed(&String::from_utf8_lossy(&done.stderr)),
        Err(error) => return failed(&error.to_string()),
    };
    print!("{game}");
    let right = |(rules, value): &(&str, &str)| game.contains(&format!("{rules}: {value}"));
    if !YAHTZEE.iter().all(right) {
        return failed("the value of Yahtzee is not the published one");
    }
    let law = Command::new("cargo")
        .args(["test", "-p", "tumble", "--test", "main", "script_law"])
        .env("TUMBLE_TEST_PROGRAMS", PROGRAMS)
        .status();
    match law {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => failed("the law does not hold"),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}
