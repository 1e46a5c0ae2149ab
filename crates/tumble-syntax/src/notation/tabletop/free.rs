//! Words that are no part of the roll: a comment without its `#`.

use super::mistakes::listed;

/// More words than this are no comment but a mistake.
const LONGEST: usize = 80;

/// Words up to the end of a text that can only be a comment: none of them may change the roll, and a short one is a small
/// word of a sentence, because other short ones may be modifiers of some tool.
pub(super) fn comment_at_end(rest: &str) -> Option<&str> {
    let words = rest.trim_end();
    let plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | ',' | '.' | '!');
    if words.len() > LONGEST || !words.chars().all(plain) || words.contains(" -") || words.contains("- ") {
        return None;
    }
    let mut said = false;
    for word in words.split([' ', '-', ',', '.', '!']).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let small = listed("small words", &lower);
        if listed("rule words", &lower) || !small && lower.chars().count() < 3 {
            return None;
        }
        said |= !small;
    }
    said.then_some(words)
}
