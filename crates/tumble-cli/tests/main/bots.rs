//! The bot in Python, over `tumble batch`, against the transcript that the bot in Rust is tested with too; and the Python
//! of the book.

use crate::console::markdown;
use crate::tool::shell;
use std::path::Path;

#[test]
fn the_bot_in_python_replies_as_in_its_transcript() {
    let found = shell("python3 --version", b"");
    assert_eq!(
        found.status, 0,
        "\n\npython3 is not on this machine, and examples/bot.py cannot be tested without it\n"
    );
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let transcript = std::fs::read_to_string(examples.join("transcript.txt")).unwrap();
    let (mut said, mut replies) = (String::new(), String::new());
    for line in transcript.lines() {
        match line.strip_prefix("> ") {
            Some(line) => said.push_str(&format!("{line}\n")),
            None => replies.push_str(&format!("{line}\n")),
        }
    }
    let ran = shell(&format!("python3 '{}' 7", examples.join("bot.py").display()), said.as_bytes());
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), (replies.as_str(), "", 0));
}

/// A line with `print` ends with a comment that is what it prints.
#[test]
fn the_python_of_the_book_prints_what_it_says() {
    let page = include_str!("../../../../docs/book/src/for-programs.md");
    let code: Vec<&str> = markdown::blocks(page, "python").into_iter().flat_map(|block| block.lines).collect();
    let said = code.iter().filter(|line| line.starts_with("print(")).map(|line| line.rsplit_once("  # ").unwrap().1);
    let said: String = said.map(|line| format!("{line}\n")).collect();
    assert!(said.lines().count() >= 5, "{said}");
    let ran = shell("python3 -", code.join("\n").as_bytes());
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), (said.as_str(), "", 0));
}
