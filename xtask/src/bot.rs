//! The bot in Python, over the program, against the transcript that the bot in Rust is tested with too.
//!
//! It is a step of the gate and no test of a crate, because a machine with Rust alone has no Python.

use crate::fuzz::End;
use crate::shell;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The seed of the transcript.
const SEED: &str = "7";

/// Runs the bot and compares what it replies.
pub(crate) fn check() -> End {
    if !has_python() {
        return End::Skipped("python3 is not installed, so examples/bot.py was not run".into());
    }
    let root = shell::root();
    match std::fs::read_to_string(root.join("examples/transcript.txt")).and_then(|told| problems(&root, &told)) {
        Ok(problems) => End::Done(problems),
        Err(error) => End::Done(vec![format!("examples/bot.py could not be run: {error}")]),
    }
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What is wrong with the replies of the bot.
fn problems(root: &Path, transcript: &str) -> io::Result<Vec<String>> {
    let mut build = shell::cargo();
    build.args(["build", "--package", "tumble-cli", "--all-features"]).current_dir(root);
    if !shell::stream(&mut build, |_| {})?.well {
        return Ok(vec!["the program does not build".into()]);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let path = format!("{}:{}", target.join("debug").display(), std::env::var("PATH").unwrap_or_default());
    let mut bot = Command::new("python3");
    bot.arg(root.join("examples/bot.py")).arg(SEED).env("PATH", path);
    let mut bot = bot.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (said, replies) = parts(transcript);
    // The pipe is closed at the end of this line, so that the bot ends.
    bot.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(said.as_bytes()))?;
    let ran = bot.wait_with_output()?;
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    Ok(match out == replies && err.is_empty() && ran.status.success() {
        true => vec![],
        false => vec![format!("examples/bot.py replies\n{out}{err}\ninstead of\n{replies}")],
    })
}

/// What is said to the bot, and what it replies.
fn parts(transcript: &str) -> (String, String) {
    let (mut said, mut replies) = (String::new(), String::new());
    for line in transcript.lines() {
        match line.strip_prefix("> ") {
            Some(line) => said.push_str(&format!("{line}\n")),
            None => replies.push_str(&format!("{line}\n")),
        }
    }
    (said, replies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_has_two_sides() {
        let (said, replies) = parts("> !roll d6\nd6 (3) = 3\n> hello\n");
        assert_eq!((said.as_str(), replies.as_str()), ("!roll d6\nhello\n", "d6 (3) = 3\n"));
    }
}
