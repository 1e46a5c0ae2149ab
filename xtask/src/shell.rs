//! Starting other programs: where the repository is, and output that is shown and read at once.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// How many of the last lines of a program are kept, to be shown again if it fails.
const KEPT_LINES: usize = 60;

/// How lines begin that only tell of progress; they are not worth showing again.
const PROGRESS: &[&str] = &["Compiling ", "Checking ", "Documenting ", "Downloading ", "Downloaded ", "PASS ["];

/// Where cargo puts what it builds.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |given| root.join(given))
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The cargo that started us.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Whether `cargo ARGS` can be run at all, for example `cargo nextest --version`.
pub(crate) fn cargo_has(args: &[&str]) -> bool {
    let mut probe = cargo();
    probe.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// How a program ended.
pub(crate) struct Ended {
    /// Whether it ended with status 0.
    pub(crate) well: bool,
    /// The last lines of its output.
    pub(crate) last_lines: Vec<String>,
}

/// Runs a program, passes its output on line by line, and hands each line to `read`.
pub(crate) fn stream(command: &mut Command, read: impl FnMut(&str) + Send) -> io::Result<Ended> {
    if io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let reader = Mutex::new(Reader { read, last: VecDeque::new() });
    std::thread::scope(|scope| {
        scope.spawn(|| err.map(|from| reader.pass_on(from, io::stderr())));
        out.map(|from| reader.pass_on(from, io::stdout()))
    });
    let well = child.wait()?.success();
    let last_lines = reader.into_inner().map_or_else(|_| Vec::new(), |reader| reader.last.into());
    Ok(Ended { well, last_lines })
}

/// What the two streams of a program have in common.
struct Reader<F> {
    read: F,
    last: VecDeque<String>,
}

/// Passing on a stream until its end.
trait PassOn {
    fn pass_on(&self, from: impl Read, to: impl Write);
}

impl<F: FnMut(&str)> PassOn for Mutex<Reader<F>> {
    fn pass_on(&self, from: impl Read, mut to: impl Write) {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            // A closed terminal must not end the program that writes to it.
            let _ = to.write_all(&line).and_then(|()| to.flush());
            if let Ok(mut reader) = self.lock() {
                reader.line(&plain(&String::from_utf8_lossy(&line)));
            }
            line.clear();
        }
    }
}

impl<F: FnMut(&str)> Reader<F> {
    fn line(&mut self, line: &str) {
        (self.read)(line);
        if PROGRESS.iter().any(|start| line.trim_start().starts_with(start)) {
            return;
        }
        if self.last.len() == KEPT_LINES {
            self.last.pop_front();
        }
        self.last.push_back(line.to_string());
    }
}

/// A line without colours and without its end.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.trim_end().chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_line_ends_are_removed() {
        assert_eq!(plain("\u{1b}[32;1m     Summary\u{1b}[0m [ 0.1s] 1 test\r\n"), "     Summary [ 0.1s] 1 test");
    }

    #[test]
    fn both_streams_are_read_and_the_status_is_kept() {
        let mut seen = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two >&2; echo '  Compiling three'; exit 3"]);
        let ended = stream(&mut command, |line| seen.push(line.to_string())).unwrap();
        seen.sort();
        assert_eq!(seen, ["  Compiling three", "one", "two"]);
        assert!(!ended.well);
        assert_eq!(ended.last_lines.len(), 2);
    }
}
