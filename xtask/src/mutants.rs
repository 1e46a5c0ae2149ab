//! `cargo xtask mutants`: do the tests notice if the engine is changed? A random sample of small changes, by
//! cargo-mutants.
//!
//! ```text
//! mutants [--sample N] [--seed S] [--timeout SECONDS]
//! ```
//!
//! Changed are the exact engine and the rows of the core, without what `.cargo/mutants.toml` leaves out. The tests are
//! those of both crates and, of the library, the ones that know what an answer must be. It works on a copy of the tree
//! in `target/mutants/`, which stays, with what was built there: only the changed crate and what uses it are built anew.
//! It is not part of the gate.

use crate::fields::Fields;
use crate::{bench, shell, tools};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The version that is known to work.
const CARGO_MUTANTS: &[&str] = &["cargo-mutants", "--locked", "--version", "27.1.0"];

/// The tests that must notice: all of the two crates, and what the library knows of answers.
const TESTS: &str = "package(tumble-exact) | package(tumble-core) | (package(tumble) & \
    test(/^(agreement|conformance|cases|alea|texts|endless|known|regressions|across|by_hand|pages|phrasings)::/))";

struct Options {
    sample: usize,
    seed: u64,
    /// Seconds for the tests of one change.
    timeout: u64,
}

/// The command; none if the arguments are not known.
pub(crate) fn mutants(args: &[OsString]) -> Option<ExitCode> {
    let options = read(args)?;
    Some(match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    })
}

fn read(args: &[OsString]) -> Option<Options> {
    let mut options = Options { sample: 50, seed: 1, timeout: 300 };
    let mut args = args.iter().map(|arg| arg.to_str().unwrap_or_default());
    while let Some(name) = args.next() {
        let value: u64 = args.next()?.parse().ok()?;
        match name {
            "--sample" => options.sample = value.try_into().ok()?,
            "--seed" => options.seed = value,
            "--timeout" => options.timeout = value,
            _ => return None,
        }
    }
    Some(options)
}

/// What became of the changes that were tried.
#[derive(Default)]
struct Tried {
    caught: Vec<String>,
    missed: Vec<String>,
    timeout: Vec<String>,
    unviable: Vec<String>,
}

fn run(options: &Options) -> Result<(), String> {
    tools::have("cargo-mutants", CARGO_MUTANTS, || shell::cargo_has(&["mutants", "--version"]))?;
    let (root, start) = (shell::root(), Instant::now());
    let folder = bench::target(&root).join("mutants");
    let tree = folder.join("tree");
    copy(&root, &tree)?;
    let all = list(&tree)?;
    println!("{} changes are possible; a sample of {}, seed {}", all.len(), options.sample, options.seed);
    let mut order = shuffled(all, options.seed).into_iter();
    let (mut tried, mut baseline) = (Tried::default(), true);
    // What does not compile is no change: others take its place.
    loop {
        let missing = options.sample.saturating_sub(tried.viable());
        let batch: Vec<String> = order.by_ref().take(missing).collect();
        if batch.is_empty() {
            break;
        }
        test(&folder, &tree, &batch, options, baseline)?;
        tried.read(&folder)?;
        baseline = false;
    }
    println!("{}", tried.shown(start));
    Ok(())
}

/// Copies every file that git knows or would know. What is equal is not touched, so that it is not built anew; what is
/// gone is removed.
fn copy(root: &Path, tree: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("could not start git: {error}"))?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: HashSet<&str> = names.split('\0').filter(|name| root.join(name).is_file()).collect();
    if names.len() < 100 {
        return Err("git lists no files".into());
    }
    let wrong = |name: &str, error: std::io::Error| format!("can't copy {name}: {error}");
    for name in &names {
        let (from, to) = (root.join(name), tree.join(name));
        let bytes = std::fs::read(&from).map_err(|error| wrong(name, error))?;
        if std::fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        to.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|error| wrong(name, error))?;
        std::fs::write(&to, bytes).map_err(|error| wrong(name, error))?;
    }
    let mut folders = vec![tree.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| wrong("a folder", error))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.strip_prefix(tree).ok().and_then(Path::to_str).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if !names.contains(name) {
                std::fs::remove_file(&path).map_err(|error| wrong(name, error))?;
            }
        }
    }
    Ok(())
}

/// The names of all changes that `.cargo/mutants.toml` allows.
fn list(tree: &Path) -> Result<Vec<String>, String> {
    let output = shell::cargo()
        .args(["mutants", "--list", "--json"])
        .current_dir(tree)
        .output()
        .map_err(|error| format!("could not start cargo mutants: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let all = Fields::read(&format!("{{\"all\":{text}}}")).map(|fields| fields.objects("all")).unwrap_or_default();
    let names: Vec<String> = all.iter().filter_map(|one| Some(one.text("name")?.to_string())).collect();
    if names.is_empty() { Err(String::from_utf8_lossy(&output.stderr).into_owned()) } else { Ok(names) }
}

/// A random order (Fisher and Yates, splitmix64).
fn shuffled(mut names: Vec<String>, seed: u64) -> Vec<String> {
    let mut state = seed.wrapping_mul(1_000_003);
    for at in (1..names.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        names.swap(at, ((mixed ^ (mixed >> 31)) % (at as u64 + 1)) as usize);
    }
    names
}

/// Tries these changes one after the other, in the copy itself.
fn test(folder: &Path, tree: &Path, batch: &[String], options: &Options, baseline: bool) -> Result<(), String> {
    let mut command = shell::cargo();
    command.args(["mutants", "--in-place", "--test-tool", "nextest", "--cap-lints", "true", "--no-times"]);
    command.args(["--baseline", if baseline { "run" } else { "skip" }, "--colors", "never"]);
    command.args(["--timeout", &options.timeout.to_string(), "--build-timeout", "1200"]);
    command.args(["--test-package", "tumble-core", "--test-package", "tumble-exact", "--test-package", "tumble"]);
    command.arg("--output").arg(folder);
    for name in batch {
        command.arg("--re").arg(format!("^{}$", escaped(name)));
    }
    // Examples and benchmarks are not built; what is built stays warm beside the copy.
    command.args(["--", "--lib", "--tests", "-E", TESTS]);
    command.current_dir(tree).env("CARGO_TARGET_DIR", folder.join("target"));
    command.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
    // It ends badly where a change survives, which is what we want to know.
    shell::stream(&mut command, |_| {}).map_err(|error| format!("could not start cargo mutants: {error}"))?;
    Ok(())
}

/// A text as a regular expression that finds it alone.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| (!c.is_alphanumeric() && c != ' ' && c != '_').then_some('\\').into_iter().chain([c]))
        .collect()
}

impl Tried {
    /// Adds what the last run of cargo-mutants has written down.
    fn read(&mut self, folder: &Path) -> Result<(), String> {
        let lines = |name: &str| {
            let path = folder.join("mutants.out").join(name);
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok::<_, String>(text.lines().map(str::to_string).collect::<Vec<_>>())
        };
        let before = self.all();
        self.caught.extend(lines("caught.txt")?);
        self.missed.extend(lines("missed.txt")?);
        self.timeout.extend(lines("timeout.txt")?);
        self.unviable.extend(lines("unviable.txt")?);
        if self.all() > before { Ok(()) } else { Err("nothing was tried; do the tests pass as they are?".into()) }
    }

    fn all(&self) -> usize {
        self.viable() + self.unviable.len()
    }

    fn viable(&self) -> usize {
        self.caught.len() + self.missed.len() + self.timeout.len()
    }

    fn shown(&self, start: Instant) -> String {
        let mut out = String::new();
        for (title, names) in [("survived", &self.missed), ("timed out", &self.timeout)] {
            names.iter().for_each(|name| out.push_str(&format!("{title}: {name}\n")));
        }
        let noticed = self.caught.len() + self.timeout.len();
        let share = 100.0 * noticed as f64 / self.viable().max(1) as f64;
        let seconds = start.elapsed().as_secs_f64();
        format!(
            "{out}{} killed, {} survived, {} timed out, {} unviable; {noticed} of {} noticed ({share:.1} %); {seconds:.0} s, \
             {:.0} s each",
            self.caught.len(),
            self.missed.len(),
            self.timeout.len(),
            self.unviable.len(),
            self.viable(),
            seconds / self.all().max(1) as f64
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let read = |text: &str| read(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        let options = read("--seed 7 --sample 3").unwrap();
        assert_eq!((options.sample, options.seed, options.timeout), (3, 7, 300));
        assert!(read("").is_some());
        for wrong in ["3", "--sample", "--sample x", "--all 3"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn samples_are_random_and_the_same_again() {
        let names: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let one = shuffled(names.clone(), 1);
        assert_eq!(one, shuffled(names.clone(), 1));
        assert_ne!(one, shuffled(names.clone(), 2));
        let mut sorted = one.clone();
        sorted.sort_by_key(|name| name.parse::<u32>().unwrap());
        assert_eq!(sorted, names);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a/b.rs:1:2: replace + with - in f<W>"), r"a\/b\.rs\:1\:2\: replace \+ with \- in f\<W\>");
    }

    #[test]
    fn results_are_counted() {
        let names = |count: usize| vec!["a.rs:1: replace".to_string(); count];
        let tried = Tried { caught: names(8), missed: names(1), timeout: names(1), unviable: names(3) };
        assert_eq!((tried.viable(), tried.all()), (10, 13));
        let shown = tried.shown(Instant::now());
        assert!(shown.contains("survived: a.rs") && shown.contains("9 of 10 noticed (90.0 %)"), "{shown}");
    }
}
