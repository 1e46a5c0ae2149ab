//! `cargo xtask fuzz`: each target of `fuzz/` for a while, starting from the conformance vectors.
//!
//! No sanitizer is used: our crates forbid unsafe code, and without one the stable toolchain will
//! do. A panic, an input that takes too long or one that needs too much memory ends the run.

use crate::{seeds, shell};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The version of cargo-fuzz that is known to work.
const CARGO_FUZZ: &str = "0.13.2";

/// Seconds that one input may take, and megabytes that it may use.
const LIBFUZZER: &[&str] = &["-timeout=60", "-rss_limit_mb=2048", "-max_len=2048", "-print_final_stats=1"];

/// How a step ended that needs a tool which may be missing.
pub(crate) enum End {
    /// It ran; these are the problems found.
    Done(Vec<String>),
    /// The tool cannot be had.
    Skipped(String),
}

/// The command.
pub(crate) fn fuzz(seconds: u64) -> ExitCode {
    match each_target(seconds, &[]) {
        End::Done(problems) if problems.is_empty() => ExitCode::SUCCESS,
        End::Done(problems) => {
            problems.iter().for_each(|problem| eprintln!("{problem}"));
            ExitCode::FAILURE
        }
        End::Skipped(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Builds all targets and runs each one for `seconds`, with these further options of libFuzzer.
pub(crate) fn each_target(seconds: u64, options: &[&str]) -> End {
    if let Err(reason) = have_cargo_fuzz() {
        return End::Skipped(reason);
    }
    let root = shell::root();
    let start = Instant::now();
    if !ran_well(cargo_fuzz(&root, "build")) {
        return End::Done(vec!["the fuzz targets do not build".into()]);
    }
    println!("fuzz targets built in {:.1} s", start.elapsed().as_secs_f64());
    let targets = match targets(&root) {
        Ok(targets) => targets,
        Err(error) => return End::Done(vec![format!("can't read fuzz/fuzz_targets: {error}")]),
    };
    End::Done(targets.iter().filter_map(|target| run(&root, target, seconds, options).err()).collect())
}

/// The targets, one per file.
fn targets(root: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join("fuzz/fuzz_targets"))? {
        let name = entry?.file_name();
        names.extend(name.to_str().and_then(|name| name.strip_suffix(".rs")).map(str::to_string));
    }
    names.sort();
    Ok(names)
}

fn run(root: &Path, target: &str, seconds: u64, options: &[&str]) -> Result<(), String> {
    let seeds = seeds::write(root, target).map_err(|error| format!("{target}: no corpus: {error}"))?;
    println!("fuzzing {target} for {seconds} s, starting from {seeds} inputs");
    let mut command = cargo_fuzz(root, "run");
    command.arg(target).arg("--").arg(format!("-max_total_time={seconds}")).args(LIBFUZZER).args(options);
    let words = root.join("fuzz").join(format!("{}.dict", seeds::notation(target)));
    if words.exists() {
        command.arg(format!("-dict={}", words.display()));
    }
    match shell::stream(&mut command, |_| {}) {
        Ok(ended) if ended.well => Ok(()),
        Ok(ended) => Err(bad_input(target, &ended.last_lines)),
        Err(error) => Err(format!("{target}: could not start cargo: {error}")),
    }
}

fn bad_input(target: &str, said: &[String]) -> String {
    format!(
        "{}\n{target}: a bad input was found; see fuzz/artifacts/{target}. If nothing is there, the stack \
         overflowed: `cargo +nightly fuzz run {target}` finds the input again and keeps it",
        said.join("\n")
    )
}

/// `cargo fuzz VERB` on the profile of `fuzz/Cargo.toml`; checks for overflow are on.
fn cargo_fuzz(root: &Path, verb: &str) -> Command {
    let mut command = shell::cargo();
    command.args(["fuzz", verb, "--dev", "--sanitizer", "none"]).current_dir(root);
    command
}

fn ran_well(mut command: Command) -> bool {
    shell::stream(&mut command, |_| {}).is_ok_and(|ended| ended.well)
}

/// Installs cargo-fuzz where that surprises nobody: in CI and for root.
fn have_cargo_fuzz() -> Result<(), String> {
    if shell::cargo_has(&["fuzz", "--version"]) {
        return Ok(());
    }
    let install = ["install", "cargo-fuzz", "--locked", "--version", CARGO_FUZZ];
    let how = format!("cargo-fuzz is not installed; install it with `cargo {}`", install.join(" "));
    if std::env::var_os("CI").is_none_or(|ci| ci != "true") && !is_root() {
        return Err(how);
    }
    println!("cargo-fuzz is not installed; installing it");
    let mut command = shell::cargo();
    command.args(install);
    if ran_well(command) && shell::cargo_has(&["fuzz", "--version"]) { Ok(()) } else { Err(how) }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
