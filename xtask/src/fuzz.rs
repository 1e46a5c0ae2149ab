//! `cargo xtask fuzz`: each target of `fuzz/` for a while, starting from the conformance vectors.
//!
//! No sanitizer is used: our crates forbid unsafe code, and without one the stable toolchain will
//! do. A panic, an input that takes too long or one that needs too much memory ends the run.

use crate::tools::{self, End};
use crate::{seeds, shell};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The version of cargo-fuzz that is known to work.
const CARGO_FUZZ: &[&str] = &["cargo-fuzz", "--locked", "--version", "0.13.2"];

/// Seconds that one input may take, and megabytes that it may use.
const LIBFUZZER: &[&str] = &["-timeout=60", "-rss_limit_mb=2048", "-max_len=2048", "-print_final_stats=1"];

/// The command.
pub(crate) fn fuzz(seconds: u64) -> ExitCode {
    tools::shown(each_target(seconds, &[]))
}

/// Builds all targets and runs each one for `seconds`, with these further options of libFuzzer.
pub(crate) fn each_target(seconds: u64, options: &[&str]) -> End {
    if let Err(reason) = tools::have("cargo-fuzz", CARGO_FUZZ, || shell::cargo_has(&["fuzz", "--version"])) {
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
