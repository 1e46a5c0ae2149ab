//! `cargo xtask mutants`: do the tests notice if the engine is changed? A random sample of the small changes that
//! cargo-mutants finds, one at a time.
//!
//! ```text
//! mutants [--sample N] [--seed S] [--timeout SECONDS]
//! ```
//!
//! Changed are the exact engine and the rows of the core, without what `.cargo/mutants.toml` leaves out. The tests are
//! those of both crates and, of the library, the ones that know what an answer must be. It works on a copy of the tree
//! in `target/mutants/`, which stays, with what was built there: only the changed crate and what uses it are built anew.
//! cargo-mutants lists the changes; we make them ourselves, since it can't be asked for a sample. It is not part of
//! the gate.

use crate::fields::Fields;
use crate::{shell, tools};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The version that is known to work.
const CARGO_MUTANTS: &[&str] = &["cargo-mutants", "--locked", "--version", "27.1.0"];

/// The tests that must notice: all of the two crates, and what the library knows of answers.
const TESTS: &str = "package(tumble-exact) | package(tumble-core) | (package(tumble) & \
    test(/^(agreement|conformance|cases|alea|texts|endless|hidden|known|phrasings|regressions|across|by_hand|pages)::/) \
    | package(tumble) & test(/^script_(answers|engine|law)::/))";

/// Tests that take long; they are run last, since any other may notice first, and on fewer programs than usual.
const LONG: &str = "test(/^(endless|texts|agreement|hidden|script_law)::/)";
const PROGRAMS: &str = "300";

/// Changes of the fields of a row, which the patterns of `.cargo/mutants.toml` do not reach: all of these are wording.
const LEFT_OUT: &[&str] = &["delete field doc ", "delete field example ", "delete field hint ", "delete field name "];

/// A line of the shell that only builds the tests.
const BUILD: &str = "exec \"$@\" --no-run";

/// Kilobytes that a test may use.
const MEMORY: &str = "8000000";

struct Options {
    sample: usize,
    seed: u64,
    /// Seconds for one test; more if the tests take long without a change, as on a busy machine.
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
    let mut options = Options { sample: 50, seed: 1, timeout: 120 };
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

/// A change.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    name: String,
    file: String,
    diff: String,
}

/// What became of a change.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Killed,
    Survived,
    TimedOut,
    Unviable,
}

fn run(options: &Options) -> Result<(), String> {
    tools::have("cargo-mutants", CARGO_MUTANTS, || shell::cargo_has(&["mutants", "--version"]))?;
    let (root, start) = (shell::root(), Instant::now());
    let copy = Copy { folder: shell::target(&root).join("mutants") };
    copy.renew(&root)?;
    let all = list(&copy.tree())?;
    println!("{} changes are possible; a sample of {}, seed {}", all.len(), options.sample, options.seed);
    copy.prepare(options)?;
    println!("the tests pass without a change; {:.0} s", start.elapsed().as_secs_f64());
    let mut tried = Tried(vec![]);
    // What does not compile is no change: another one takes its place.
    for change in shuffled(all, options.seed) {
        if tried.viable() >= options.sample {
            break;
        }
        let start = Instant::now();
        let end = copy.try_change(&change)?;
        println!("{:<10}{:>6.0} s   {}", end.word(), start.elapsed().as_secs_f64(), change.name);
        tried.0.push((end, change.name));
    }
    println!("{}", tried.shown(start));
    Ok(())
}

impl End {
    fn word(self) -> &'static str {
        match self {
            End::Killed => "killed",
            End::Survived => "SURVIVED",
            End::TimedOut => "timed out",
            End::Unviable => "unviable",
        }
    }
}

/// The folder with the copy of the tree and what is built from it.
struct Copy {
    folder: PathBuf,
}

impl Copy {
    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    fn renew(&self, root: &Path) -> Result<(), String> {
        copy(root, &self.tree())
    }

    /// Builds everything and sees that the tests pass as they are.
    fn prepare(&self, options: &Options) -> Result<(), String> {
        self.limit(3600)?;
        if let (false, said) = self.nextest(BUILD)? {
            return Err(said);
        }
        let start = Instant::now();
        match self.test()? {
            (End::Survived, _) => self.limit(options.timeout.max(2 * start.elapsed().as_secs())),
            (_, said) => Err(format!("the tests do not pass without a change:\n{said}")),
        }
    }

    /// Lets nextest end a test after so many seconds, with everything that the test has started.
    fn limit(&self, seconds: u64) -> Result<(), String> {
        let config = format!(
            "[profile.default]\nfail-fast = true\nslow-timeout = {{ period = \"{seconds}s\", terminate-after = 1 }}\n\
             [[profile.default.overrides]]\nfilter = '{LONG}'\npriority = -100\n"
        );
        std::fs::write(self.folder.join("nextest.toml"), config).map_err(|error| error.to_string())
    }

    /// Makes a change, runs the tests and undoes it.
    fn try_change(&self, change: &Change) -> Result<End, String> {
        let path = self.tree().join(&change.file);
        let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(wrong)?;
        let changed =
            applied(&text, &change.diff).ok_or_else(|| format!("{}: the change does not fit", change.name))?;
        std::fs::write(&path, changed).map_err(wrong)?;
        let end = self.test();
        std::fs::write(&path, text).map_err(wrong)?;
        Ok(end?.0)
    }

    /// How the tests end, and what was said.
    fn test(&self) -> Result<(End, String), String> {
        let (well, said) = self.nextest(BUILD)?;
        if !well {
            return Ok((End::Unviable, said));
        }
        let (well, said) = self.nextest(&format!("ulimit -v {MEMORY}; exec \"$@\""))?;
        let timed_out = said.lines().any(|line| line.trim_start().starts_with("TIMEOUT ["));
        let failed = said.lines().any(|line| line.trim_start().starts_with("FAIL [") || line.contains("SIGABRT"));
        Ok((
            match (well, timed_out && !failed) {
                (true, _) => End::Survived,
                (false, true) => End::TimedOut,
                (false, false) => End::Killed,
            },
            said,
        ))
    }

    /// `cargo nextest run` on the copy, by a line of the shell in which it is `"$@"`.
    fn nextest(&self, line: &str) -> Result<(bool, String), String> {
        let mut command = Command::new("sh");
        command.args(["-c", line, "sh"]).arg(shell::cargo().get_program());
        command.args(["nextest", "run", "--color", "never", "--lib", "--tests", "-E", TESTS]);
        command.args(["-p", "tumble-core", "-p", "tumble-exact", "-p", "tumble"]);
        command.arg("--config-file").arg(self.folder.join("nextest.toml"));
        command.current_dir(self.tree()).env("CARGO_TARGET_DIR", self.folder.join("target"));
        command.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("TUMBLE_TEST_PROGRAMS", PROGRAMS);
        let output = command.output().map_err(|error| format!("could not start cargo nextest: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), said.into_owned()))
    }
}

/// A text with the one change of a diff; none if the text is another one.
fn applied(text: &str, diff: &str) -> Option<String> {
    let (head, hunk) = diff.split_once("@@ -")?.1.split_once("@@\n")?;
    let first: usize = head.split([',', ' ']).next()?.parse().ok()?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut at = first.checked_sub(1)?;
    let mut out: String = lines.get(..at)?.concat();
    for line in hunk.split_inclusive('\n') {
        let rest = line.get(1..).unwrap_or_default();
        if line.starts_with('+') {
            out.push_str(rest);
            continue;
        }
        if lines.get(at)?.trim_end() != rest.trim_end() {
            return None;
        }
        if !line.starts_with('-') {
            out.push_str(lines[at]);
        }
        at += 1;
    }
    out.push_str(&lines[at..].concat());
    Some(out)
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

/// All changes that `.cargo/mutants.toml` allows.
fn list(tree: &Path) -> Result<Vec<Change>, String> {
    let output = shell::cargo()
        .args(["mutants", "--list", "--json"])
        .current_dir(tree)
        .output()
        .map_err(|error| format!("could not start cargo mutants: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let all = Fields::read(&format!("{{\"all\":{text}}}")).map(|fields| fields.objects("all")).unwrap_or_default();
    let change = |one: &Fields| {
        let text = |name: &str| one.text(name).map(str::to_string);
        Some(Change { name: text("name")?, file: text("file")?, diff: text("diff")? })
    };
    let mut changes: Vec<Change> = all.iter().filter_map(change).collect();
    changes.retain(|change| !LEFT_OUT.iter().any(|part| change.name.contains(part)));
    if changes.is_empty() { Err(String::from_utf8_lossy(&output.stderr).into_owned()) } else { Ok(changes) }
}

/// A random order (Fisher and Yates, splitmix64).
fn shuffled<T>(mut names: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(1_000_003);
    for at in (1..names.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        names.swap(at, ((mixed ^ (mixed >> 31)) % (at as u64 + 1)) as usize);
    }
    names
}

/// All changes that were tried.
struct Tried(Vec<(End, String)>);

impl Tried {
    fn count(&self, end: End) -> usize {
        self.0.iter().filter(|(known, _)| *known == end).count()
    }

    fn viable(&self) -> usize {
        self.0.len() - self.count(End::Unviable)
    }

    fn shown(&self, start: Instant) -> String {
        let survived = self.0.iter().filter(|(end, _)| *end == End::Survived);
        let survived: String = survived.map(|(_, name)| format!("survived: {name}\n")).collect();
        let [killed, timed_out] = [End::Killed, End::TimedOut].map(|end| self.count(end));
        let noticed = killed + timed_out;
        let seconds = start.elapsed().as_secs_f64();
        format!(
            "\n{survived}{killed} killed, {} survived, {timed_out} timed out, {} unviable; {noticed} of {} noticed \
             ({:.1} %); {seconds:.0} s",
            self.count(End::Survived),
            self.count(End::Unviable),
            self.viable(),
            100.0 * noticed as f64 / self.viable().max(1) as f64,
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
        assert_eq!((options.sample, options.seed, options.timeout), (3, 7, 120));
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
    fn a_change_is_made_where_it_fits() {
        let text = "one\ntwo\nthree\nfour\nfive\n";
        let diff = "--- a.rs\n+++ replace + with - in f\n@@ -2,3 +2,3 @@\n two\n-three\n+3 /* ~ */\n four\n";
        assert_eq!(applied(text, diff).unwrap(), "one\ntwo\n3 /* ~ */\nfour\nfive\n");
        assert_eq!(applied(&text.replace("two", "2"), diff), None);
        assert_eq!(applied("one\n", diff), None);
        assert_eq!(applied(text, "nothing"), None);
    }

    #[test]
    fn results_are_counted() {
        let ends = [End::Killed, End::Killed, End::Survived, End::TimedOut, End::Unviable];
        let tried = Tried(ends.map(|end| (end, "a.rs:1: replace".to_string())).to_vec());
        assert_eq!(tried.viable(), 4);
        let shown = tried.shown(Instant::now());
        assert!(shown.contains("survived: a.rs") && shown.contains("3 of 4 noticed (75.0 %)"), "{shown}");
    }
}
