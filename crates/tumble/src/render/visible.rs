//! Text from strangers as it may be shown: what can't be seen, or changes how the rest is shown, is written as an escape.
//!
//! ```text
//! U+001B (starts the commands of a terminal)  ─▶  \u{1b}
//! U+202E (turns the direction of writing)     ─▶  \u{202e}
//! ```
//!
//! Data stays as it is: in JSON and CSV a text is the text that was given.

use std::borrow::Cow;

/// Whether a character is written as an escape: control characters except line breaks and tabs, line separators, and
/// whatever turns the direction of writing.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => true,
        c => c.is_control(),
    }
}

/// A text without hidden characters.
///
/// ```
/// assert_eq!(tumble::render::visible("a\u{202e}b\nc"), "a\\u{202e}b\nc");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    text.chars().for_each(|c| push(&mut out, c));
    Cow::Owned(out)
}

/// Adds one character, as an escape if it is hidden.
pub(super) fn push(out: &mut String, c: char) {
    if is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
}
