//! The tests of the page: types, units, and a real browser.

use super::{build, need, node, run};
use crate::shell;
use crate::tally::{self, Tally};
use crate::tools::End;
use std::path::Path;
use std::process::Command;

/// What came of the tests: how many, and what to show again.
pub(crate) struct Checked {
    pub(crate) tally: Tally,
    pub(crate) notes: Vec<String>,
}

/// Builds the page and runs all of its tests.
pub(crate) fn check() -> Checked {
    let skipped = |why: String| Checked { tally: Tally::SKIPPED, notes: vec![why] };
    if let Err(why) = need::node() {
        return skipped(why);
    }
    if let Err(why) = build().and_then(|_| program()) {
        return Checked { tally: Tally::FAILED, notes: vec![why] };
    }
    let root = shell::root();
    let mut all = Checked { tally: Tally::default(), notes: vec![] };
    all.add(types(&root));
    all.add(tests(node(&root).arg("node_modules/vitest/vitest.mjs").arg("run"), tally::vitest));
    match need::browser() {
        Ok(browser) => all.add(tests(&mut playwright(&root, &browser, &["test"]), tally::playwright)),
        Err(why) => all.add(skipped(why)),
    }
    all
}

/// The pictures of README and book, made anew.
pub(crate) fn pictures() -> End {
    let made = build().and_then(|_| program()).and_then(|()| need::browser()).and_then(|browser| {
        let words = ["test", "--config", "tests/pictures.config.ts"];
        run(&mut playwright(&shell::root(), &browser, &words), "taking the pictures")
    });
    End::Done(made.err().into_iter().collect())
}

impl Checked {
    fn add(&mut self, other: Checked) {
        self.tally.add(other.tally);
        self.notes.extend(other.notes);
    }
}

/// The program, whose answers the page must give too.
fn program() -> Result<(), String> {
    let mut cargo = shell::cargo();
    cargo.args(["build", "--workspace", "--bin", "tumble", "--all-features"]).current_dir(shell::root());
    run(&mut cargo, "the program")
}

fn types(root: &Path) -> Checked {
    let words = ["node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human"];
    match run(node(root).args(words), "svelte-check") {
        Ok(()) => Checked { tally: Tally::PASSED, notes: vec![] },
        Err(why) => Checked { tally: Tally::FAILED, notes: vec![why] },
    }
}

fn playwright(root: &Path, browser: &Path, words: &[&str]) -> Command {
    let target = shell::target(root);
    let mut command = node(root);
    command.arg("node_modules/@playwright/test/cli.js").args(words);
    command.env("CHROMIUM", browser).env("TUMBLE", target.join("debug/tumble"));
    command
}

/// A runner of tests, counted by its summary.
fn tests(command: &mut Command, read: fn(&str) -> Option<Tally>) -> Checked {
    let mut tally = Tally::default();
    let ended = shell::stream(command, |line| {
        if let Some(found) = read(line) {
            tally.add(found);
        }
    });
    match ended {
        Ok(ended) if ended.well && tally.passed > 0 => Checked { tally, notes: vec![] },
        Ok(ended) => Checked { tally: Tally { failed: tally.failed.max(1), ..tally }, notes: ended.last_lines },
        Err(error) => Checked { tally: Tally::FAILED, notes: vec![format!("node could not be started: {error}")] },
    }
}
