//! `cargo xtask test`: every check of the repository, one step after the other.
//!
//! A failed step does not stop the others. The failures are shown again at the end, and the last
//! line is `N passed, N failed`: tests count one each, a step without tests counts as one.

use crate::tally::{self, Tally};
use crate::tools::End;
use crate::{book, fuzz, python, shell, tidy, web};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Seconds per fuzz target.
const FUZZ_SECONDS: u64 = 6;

/// One step of the gate.
struct Step {
    name: &'static str,
    work: Work,
}

/// What a step does.
enum Work {
    /// A program that passes or fails as a whole.
    Whole(&'static [&'static str]),
    /// The same, for the docs, where a warning is an error.
    Docs(&'static [&'static str]),
    /// A test runner, and how to read its summary.
    Tests(&'static [&'static str], fn(&str) -> Option<Tally>),
    Tidy,
    Python,
    Web,
    Book,
    Fuzz,
}

/// What came of a step.
struct Outcome {
    tally: Tally,
    /// What to show again at the end.
    notes: Vec<String>,
}

const FORMAT: Step = Step { name: "format", work: Work::Whole(&["fmt", "--all", "--check"]) };

const FUZZ_FORMAT: Step = Step {
    name: "format of the fuzz targets",
    work: Work::Whole(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]),
};

/// The program without its optional parts.
const BARE: Step = Step {
    name: "clippy of the smallest program",
    work: Work::Whole(&["clippy", "--package", "tumble-cli", "--no-default-features", "--", "-D", "warnings"]),
};

const CLIPPY: Step = Step {
    name: "clippy",
    work: Work::Whole(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
};

const NEXTEST: Step = Step {
    name: "tests",
    work: Work::Tests(
        &["nextest", "run", "--workspace", "--all-features", "--no-fail-fast", "--failure-output=immediate-final"],
        tally::nextest,
    ),
};

const LIBTEST: Step = Step {
    name: "tests",
    work: Work::Tests(&["test", "--workspace", "--all-features", "--all-targets", "--no-fail-fast"], tally::libtest),
};

const DOC_TESTS: Step = Step {
    name: "doc tests",
    work: Work::Tests(&["test", "--workspace", "--all-features", "--doc", "--no-fail-fast"], tally::libtest),
};

const DOCS: Step = Step { name: "docs", work: Work::Docs(&["doc", "--workspace", "--all-features", "--no-deps"]) };

const TIDY: Step = Step { name: "tidy", work: Work::Tidy };

const PYTHON: Step = Step { name: "Python", work: Work::Python };

const WEB: Step = Step { name: "web", work: Work::Web };

const BOOK: Step = Step { name: "book", work: Work::Book };

const FUZZ: Step = Step { name: "fuzz", work: Work::Fuzz };

/// Runs all steps.
pub(crate) fn test() -> ExitCode {
    let tests = if shell::cargo_has(&["nextest", "--version"]) {
        NEXTEST
    } else {
        println!("cargo-nextest is not installed; `cargo test` runs the tests instead");
        LIBTEST
    };
    let steps = [FORMAT, FUZZ_FORMAT, CLIPPY, BARE, tests, DOC_TESTS, DOCS, TIDY, PYTHON, WEB, BOOK, FUZZ];
    let mut done = Vec::new();
    for step in &steps {
        println!("\n==> {}", step.name);
        let start = Instant::now();
        let outcome = step.run();
        let time = start.elapsed();
        println!("{}", row(step.name, &outcome.tally, time));
        done.push((step.name, outcome, time));
    }
    report(&done)
}

impl Step {
    fn run(&self) -> Outcome {
        match self.work {
            Work::Whole(args) => cargo(args, &[], None),
            Work::Docs(args) => cargo(args, &[("RUSTDOCFLAGS", "-D warnings")], None),
            Work::Tests(args, read) => cargo(args, &[], Some(read)),
            Work::Tidy => whole(tidy::breaches(&shell::root())),
            Work::Python => ended(python::check()),
            Work::Web => {
                let web::Checked { tally, notes } = web::check();
                Outcome { tally, notes }
            }
            Work::Book => ended(book::render()),
            // A fixed seed, so that the gate tries the same inputs first each time.
            Work::Fuzz => ended(fuzz::each_target(FUZZ_SECONDS, &["-seed=1", "-verbosity=0"])),
        }
    }
}

/// Runs cargo and counts tests if there is a way to read them.
fn cargo(args: &[&str], env: &[(&str, &str)], read: Option<fn(&str) -> Option<Tally>>) -> Outcome {
    println!("$ cargo {}", args.join(" "));
    let (mut tests, mut clashes) = (Tally::default(), Vec::new());
    let mut command = shell::cargo();
    command.args(args).current_dir(shell::root()).envs(env.iter().copied());
    let ended = shell::stream(&mut command, |line| {
        if let Some(found) = read.and_then(|read| read(line)) {
            tests.add(found);
        }
        if is_clash(line) {
            clashes.push(line.to_owned());
        }
    });
    let (well, notes) = match ended {
        Ok(ended) => (ended.well, ended.last_lines),
        Err(error) => (false, vec![format!("could not start cargo: {error}")]),
    };
    match well && !clashes.is_empty() {
        true => Outcome { tally: counted(tests, false, read.is_some()), notes: clashes },
        false => Outcome { tally: counted(tests, well, read.is_some()), notes: if well { vec![] } else { notes } },
    }
}

/// Whether two things are written to one place, such as the docs of a library and a program of the same name; cargo
/// only warns about it.
fn is_clash(line: &str) -> bool {
    line.trim_start().starts_with("warning: output filename collision")
}

/// A runner that failed without a failed test, because nothing was built, counts as one failure.
fn counted(tests: Tally, well: bool, has_tests: bool) -> Tally {
    match (well, has_tests) {
        (true, true) => tests,
        (true, false) => Tally::PASSED,
        (false, _) if tests.failed > 0 => tests,
        (false, _) => Tally { failed: 1, ..tests },
    }
}

/// A step that found these problems.
fn whole(problems: Vec<String>) -> Outcome {
    problems.iter().for_each(|problem| println!("{problem}"));
    let tally = if problems.is_empty() { Tally::PASSED } else { Tally::FAILED };
    Outcome { tally, notes: problems }
}

/// A step with a tool that may be missing.
fn ended(end: End) -> Outcome {
    match end {
        End::Done(problems) => whole(problems),
        End::Skipped(reason) => {
            println!("SKIPPED: {reason}");
            Outcome { tally: Tally::SKIPPED, notes: vec![reason] }
        }
    }
}

/// Shows the times, what failed or was skipped, and the line of counts.
fn report(done: &[(&str, Outcome, Duration)]) -> ExitCode {
    println!();
    let mut all = Tally::default();
    for (name, outcome, time) in done {
        println!("{}", row(name, &outcome.tally, *time));
        all.add(outcome.tally);
    }
    for (name, outcome, _) in done.iter().filter(|(_, outcome, _)| !outcome.notes.is_empty()) {
        println!("\n==> {name}: {}", if outcome.tally.failed > 0 { "FAILED" } else { "SKIPPED" });
        outcome.notes.iter().flat_map(|note| note.lines()).for_each(|line| println!("    {line}"));
    }
    println!("\n{all}");
    if all.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn row(name: &str, tally: &Tally, time: Duration) -> String {
    let word = match tally {
        Tally { failed: 1.., .. } => "FAILED",
        Tally { passed: 0, skipped: 1.., .. } => "SKIPPED",
        _ => "ok",
    };
    // The colon keeps the row from being taken for the last line.
    format!("    {word:<8}{name:<28}{:>7.1} s: {tally}", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_that_overwrite_each_other_are_found() {
        assert!(is_clash("warning: output filename collision at /t/target/doc/tumble/index.html"));
        assert!(!is_clash("warning: unused variable"));
    }

    #[test]
    fn a_step_without_tests_counts_as_one() {
        assert_eq!(counted(Tally::default(), true, false), Tally::PASSED);
        assert_eq!(counted(Tally::default(), false, false), Tally::FAILED);
    }

    #[test]
    fn a_runner_that_fails_before_its_tests_counts_as_one_failure() {
        let passed = Tally { passed: 4, failed: 0, skipped: 0 };
        assert_eq!(counted(passed, true, true), passed);
        assert_eq!(counted(passed, false, true), Tally { failed: 1, ..passed });
        let failed = Tally { failed: 2, ..passed };
        assert_eq!(counted(failed, false, true), failed);
    }
}
