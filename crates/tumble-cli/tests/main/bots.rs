//! The bot in Python, over `tumble batch`, against the transcript that the bot in Rust is tested with too.

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
