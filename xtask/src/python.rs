//! The Python that people copy, over the program: the bot against the transcript that the bot in Rust is tested with
//! too, and the page of the book about programs.
//!
//! It is a step of the gate and no test of a crate, because a machine with Rust alone has no Python.

use crate::shell;
use crate::tools::End;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The seed of the transcript.
const SEED: &str = "7";

/// What is run, and what it must print.
struct Case {
    name: &'static str,
    args: Vec<String>,
    input: String,
    printed: String,
}

/// Runs the bot and the page, and compares what they print.
pub(crate) fn check() -> End {
    if !has_python() {
        return End::Skipped("python3 is not installed, so examples/bot.py and the book's Python were not run".into());
    }
    match problems(&shell::root()) {
        Ok(problems) => End::Done(problems),
        Err(error) => End::Done(vec![format!("the Python could not be run: {error}")]),
    }
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What is wrong with the bot and the page.
fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut build = shell::cargo();
    build.args(["build", "--workspace", "--bin", "tumble", "--all-features"]).current_dir(root);
    if !shell::stream(&mut build, |_| {})?.well {
        return Ok(vec!["the program does not build".into()]);
    }
    let target = shell::target(root);
    let path = format!("{}:{}", target.join("debug").display(), std::env::var("PATH").unwrap_or_default());
    let mut problems = Vec::new();
    for case in [bot(root)?, page(root)?] {
        problems.extend(case.problem(&path)?);
    }
    Ok(problems)
}

/// The bot: what the players say is its input.
fn bot(root: &Path) -> io::Result<Case> {
    let (input, printed) = parts(&std::fs::read_to_string(root.join("examples/transcript.txt"))?);
    let args = vec![root.join("examples/bot.py").display().to_string(), SEED.to_owned()];
    Ok(Case { name: "examples/bot.py", args, input, printed })
}

/// The page: all its Python is one program.
fn page(root: &Path) -> io::Result<Case> {
    let (input, printed) = code(&std::fs::read_to_string(root.join("docs/book/src/for-programs.md"))?);
    Ok(Case { name: "for-programs.md", args: vec!["-".to_owned()], input, printed })
}

impl Case {
    fn problem(&self, path: &str) -> io::Result<Option<String>> {
        let mut python = Command::new("python3");
        python.args(&self.args).env("PATH", path);
        let mut python = python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // The pipe is closed at the end of this line, so that the program ends.
        python.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(self.input.as_bytes()))?;
        let ran = python.wait_with_output()?;
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        let well = out == self.printed && err.is_empty() && ran.status.success() && !self.printed.is_empty();
        Ok((!well).then(|| format!("{} prints\n{out}{err}\ninstead of\n{}", self.name, self.printed)))
    }
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

/// The Python of a page, and what it prints: a line with `print` ends with a comment that says so.
fn code(page: &str) -> (String, String) {
    let (mut code, mut printed, mut inside) = (String::new(), String::new(), false);
    for line in page.lines() {
        match line {
            "```python" => inside = true,
            "```" => inside = false,
            line if inside => {
                code.push_str(&format!("{line}\n"));
                let said = line.strip_prefix("print(").and_then(|rest| rest.rsplit_once("  # "));
                printed.extend(said.map(|(_, said)| format!("{said}\n")));
            }
            _ => {}
        }
    }
    (code, printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_has_two_sides() {
        let (said, replies) = parts("> !roll d6\nd6 (3) = 3\n> hello\n");
        assert_eq!((said.as_str(), replies.as_str()), ("!roll d6\nhello\n", "d6 (3) = 3\n"));
    }

    #[test]
    fn a_page_says_what_its_code_prints() {
        let (program, printed) = code("text\n```python\na = 1\nprint(a)  # 1\n```\n```rust\nprint(2)  # 2\n```\n");
        assert_eq!((program.as_str(), printed.as_str()), ("a = 1\nprint(a)  # 1\n", "1\n"));
    }
}
