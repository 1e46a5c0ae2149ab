//! `cargo xtask`: the developer's commands, in plain std Rust.
//!
//! Each command finds the repository by itself and does all of its own set-up, so it works from any
//! folder of a fresh clone.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a developer's tool speaks on the terminal")]

mod book;
mod build;
mod dist;
mod gate;
mod python;
mod run;

mod fuzz;
mod seeds;

mod bench;

mod mutants;
mod same;
mod server;

mod tidy;

mod beside;
mod fields;
mod json;
mod shell;
mod soak;
mod tally;
mod tools;
mod web;

use std::ffi::OsString;
use std::process::ExitCode;

const HELP: &str = "\
Developer commands of Tumble.

Usage: cargo xtask COMMAND

  run [ARGS…]      build the program and run `tumble ARGS`; without ARGS, `tumble serve` on a free port if Node is
                   installed, else a session
  test             the whole gate: format, clippy, tests, doc tests, docs, tidy, Python, the page in a browser, book, a
                   short fuzz run; in CI and for root it installs cargo-fuzz, mdBook and Chromium if they are missing
  web              build the page into web/dist, for any static host; needs Node
  web pictures     take the screenshots of README.md and the book anew
  book             render the book with mdBook into target/book
  tidy             the rules about the tree: crate borders, budgets, pages, wording
  fuzz [SECONDS]   fuzz each target for SECONDS (60 if not given)
  bench [--instructions]
                   time every job of bench/, check the answers and measure how the cost grows; --instructions counts
                   instructions too (needs valgrind)
  bench peers      compare with icepool, dyce, nice-dice, tyche and caith; writes bench/results.md and takes about
                   ten minutes
  bench phrasings  time one question in many spellings; --program FILE measures another program, here and in the
                   benchmarks above
  bench digits     time counts and sums of thousands of dice beside the writing of their digits
  soak             what takes too long for the gate: solitaire Yahtzee, and the law on thousands of random scripts
  soak dialects    roll d20 and RPG Dice Roller beside our dialects of them on random expressions; installs both into
                   target/ (needs python3 and npm)
  soak server [PART]
                   try `tumble serve` with random requests made from its OpenAPI document by schemathesis (asked), kill
                   it under load and fill its disk (killed), and test it with PostgreSQL (postgres); installs what is
                   missing (needs python3)
  same OLD [NEW] [--programs N] [--seed S]
                   ask two programs `tumble` the same: conformance, jobs, the manual and N random programs; a
                   different answer or a new refusal is a failure; without NEW, the program of this tree
  mutants [--sample N] [--seed S] [--timeout SECONDS]
                   change the exact engine in N (50) random places, one at a time, and see whether the tests notice;
                   needs cargo-mutants and cargo-nextest; what is left out is in .cargo/mutants.toml
  dist [--profile NAME] [--target TRIPLE] [--program FILE]
                   build an archive for people without Rust in target/dist: a static program, completions, manual
                   pages, licences; --program packs an existing program
  help             show this help
";

fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let command = if args.is_empty() { OsString::from("help") } else { args.remove(0) };
    match (command.to_str().unwrap_or_default(), args.as_slice()) {
        ("run", args) => run::run(args),
        ("test", []) => gate::test(),
        ("tidy", []) => tidy::tidy(),
        ("book", []) => tools::shown(book::render()),
        ("fuzz", []) => fuzz::fuzz(60),
        ("fuzz", [seconds]) => match seconds.to_str().and_then(|text| text.parse().ok()) {
            Some(seconds) => fuzz::fuzz(seconds),
            None => wrong("SECONDS must be a whole number"),
        },
        ("bench", args) => bench::bench(args).unwrap_or_else(|| wrong("`bench` can't be called like this")),
        ("web", args) => web::web(args).unwrap_or_else(|| wrong("`web` can't be called like this")),
        ("soak", []) => soak::soak(),
        ("soak", [what]) if what == "dialects" => beside::dialects(),
        ("soak", [what]) if what == "server" => server::soak(None),
        ("soak", [what, part]) if what == "server" => server::soak(Some(&part.to_string_lossy())),
        ("same", args) => same::same(args).unwrap_or_else(|| wrong("`same` needs a program to compare with")),
        ("mutants", args) => mutants::mutants(args).unwrap_or_else(|| wrong("`mutants` can't be called like this")),
        ("dist", args) => dist::dist(args).unwrap_or_else(|| wrong("`dist` can't be called like this")),
        ("help" | "-h" | "--help", _) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        (other, _) => wrong(&format!("`{other}` can't be called like this")),
    }
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("{message}\n\n{HELP}");
    ExitCode::from(2)
}
