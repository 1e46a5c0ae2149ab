//! Building the program for somebody who waits: a line that counts the seconds on a terminal, else a new line every few
//! seconds. Cargo's own progress stands still while a large crate is compiled.
//!
//! Cargo tells of each crate it has made as one JSON object per line; the last of them names the program.

use crate::{json, shell};
use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The longest time without a word, in a file and on a terminal.
const PATIENCE: Duration = Duration::from_secs(4);
const TICK: Duration = Duration::from_secs(1);

/// Starts the line of a terminal anew.
const AGAIN: &str = "\r\u{1b}[K";

/// What to build.
pub(crate) struct Order<'a> {
    pub(crate) profile: &'a str,
    /// The parts of tumble-cli that can be left out; `None` for all of them.
    pub(crate) features: Option<&'a str>,
    /// Another machine than this one.
    pub(crate) target: Option<&'a str>,
}

impl Order<'_> {
    fn arguments(&self) -> Vec<String> {
        let mut words: Vec<String> = ["--package", "tumble-cli"].map(str::to_owned).to_vec();
        if let Some(features) = self.features {
            words.extend(["--no-default-features", "--features", features].map(str::to_owned));
        }
        if let Some(target) = self.target {
            words.extend(["--target", target].map(str::to_owned));
        }
        words
    }
}

/// Builds the program and gives its path, or nothing if cargo has told why not.
pub(crate) fn tumble(order: &Order<'_>) -> io::Result<Option<PathBuf>> {
    let mut cargo = cargo("build", order);
    cargo.args(["--profile", order.profile, "--message-format", "json-render-diagnostics", "--quiet"]);
    let terminal = io::stderr().is_terminal();
    let patience = if terminal { TICK } else { PATIENCE };
    let mut child = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let lines = read(&mut child);
    let (start, mut made, mut all) = (Instant::now(), Made::default(), None);
    loop {
        match lines.recv_timeout(patience) {
            Ok(line) => made.add(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if made.told.is_none_or(|told| told.elapsed() >= patience) && start.elapsed() >= patience {
            let all = *all.get_or_insert_with(|| crates(order));
            made.told = Some(Instant::now());
            let (again, end) = if terminal { (AGAIN, "") } else { ("", "\n") };
            eprint!("{again}building tumble: {}{end}", progress(made.packages.len(), all, start.elapsed()));
        }
    }
    if terminal && made.told.is_some() {
        eprint!("{AGAIN}");
    }
    Ok(if child.wait()?.success() { made.program } else { None })
}

/// What cargo has told so far.
#[derive(Default)]
struct Made {
    packages: BTreeSet<String>,
    program: Option<PathBuf>,
    told: Option<Instant>,
}

impl Made {
    fn add(&mut self, line: &str) {
        if !line.starts_with("{\"reason\":\"compiler-artifact\"") || line.contains("\"kind\":[\"custom-build\"]") {
            return;
        }
        self.packages.extend(field(line, "package_id"));
        if let Some(program) = field(line, "executable") {
            self.program = Some(PathBuf::from(program));
        }
    }
}

/// The string in a field of an object.
fn field(object: &str, name: &str) -> Option<String> {
    let (_, rest) = object.split_once(&format!("\"{name}\":"))?;
    json::string(rest).map(|(text, _)| text)
}

fn progress(made: usize, all: Option<usize>, time: Duration) -> String {
    let of = all.map(|all| format!(" of {}", all.max(made))).unwrap_or_default();
    format!("{made}{of} crates after {} s", time.as_secs())
}

/// How many crates go into the program.
fn crates(order: &Order<'_>) -> Option<usize> {
    let mut tree = cargo("tree", order);
    tree.args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}", "--quiet"]);
    let listed = tree.stdin(Stdio::null()).stderr(Stdio::null()).output().ok().filter(|out| out.status.success())?;
    let listed = String::from_utf8(listed.stdout).ok()?;
    let names: BTreeSet<&str> = listed.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    (!names.is_empty()).then_some(names.len())
}

/// Stays in the caller's folder, so that the files it names are found.
fn cargo(verb: &str, order: &Order<'_>) -> Command {
    let mut cargo = shell::cargo();
    cargo.arg(verb).arg("--manifest-path").arg(shell::root().join("Cargo.toml")).args(order.arguments());
    cargo
}

/// The lines a program prints, as they come.
fn read(child: &mut Child) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_the_artifacts() {
        let mut made = Made::default();
        for line in [
            r#"{"reason":"compiler-artifact","package_id":"a 1","target":{"kind":["custom-build"]},"executable":"/b"}"#,
            r#"{"reason":"build-script-executed","package_id":"a 1"}"#,
            r#"{"reason":"compiler-artifact","package_id":"a 1","target":{"kind":["lib"]},"executable":null}"#,
            r#"{"reason":"compiler-artifact","package_id":"t 1","target":{"kind":["bin"]},"executable":"C:\\t.exe"}"#,
            r#"{"reason":"build-finished","success":true}"#,
        ] {
            made.add(line);
        }
        assert_eq!((made.packages.len(), made.program), (2, Some(PathBuf::from("C:\\t.exe"))));
    }

    #[test]
    fn progress_is_counted() {
        let time = Duration::from_millis(12_345);
        assert_eq!(progress(3, Some(40), time), "3 of 40 crates after 12 s");
        assert_eq!(progress(3, None, time), "3 crates after 12 s");
    }
}
