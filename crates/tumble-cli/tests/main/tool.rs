//! Starts the program and collects what it says.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program.
pub(crate) const TUMBLE: &str = env!("CARGO_BIN_EXE_tumble");

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a line in a shell that finds the program, with `input` as its standard input.
pub(crate) fn shell(line: &str, input: &[u8]) -> Ran {
    let folder = Path::new(TUMBLE).parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut child = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that does not read its input closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        status: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}
