//! Words and characters that people write for something the notation has, and words that are no part of a roll.

use super::MISTAKES;
use crate::nearest::nearest;

/// The modifier that letters were most likely meant to be.
pub(super) fn modifier_like(letters: &str) -> Option<&'static str> {
    nearest(letters, ["adv", "dis", "advantage", "disadvantage"].into_iter()).map(|word| &word[..3])
}

/// The text in plain characters: wide ones made narrow, quotes and pictures of dice replaced.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let alone = text.trim().chars().all(|c| matches!(c, '\u{1f3b2}' | '\u{fe0f}'));
    for c in text.chars() {
        match c {
            '\u{ff24}' => out.push('d'),
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            '"' | '\'' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{fe0f}' => {}
            c if c == '\u{200b}' || c == '\u{feff}' || c == '\u{ad}' || c.is_control() && !c.is_whitespace() => {}
            '\u{2014}' => out.push('-'),
            '\u{2026}' => out.push_str(".."),
            '\u{2022}' | '\u{22c5}' | '\u{2217}' => out.push('*'),
            '\u{2044}' | '\u{2215}' => out.push('/'),
            '\u{2680}'..='\u{2685}' => out.push_str(&(c as u32 - 0x267f).to_string()),
            '\u{1f3b2}' if alone && out.is_empty() => out.push_str("d6"),
            '\u{1f3b2}' if out.ends_with(|c: char| c.is_ascii_digit()) => out.push_str("d6"),
            '\u{1f3b2}' => {}
            _ => out.push(c),
        }
    }
    out
}

/// The text with phrases in the spelling of the notation; nothing if there are none.
pub(super) fn rephrased(text: &str) -> Option<String> {
    if text.len() > 400 || text.contains('#') {
        return None;
    }
    let phrased = MISTAKES.rewritten("phrase", text, true);
    let said = phrased.as_deref().unwrap_or(text);
    // `and` joins conditions; whether it adds rolls is not certain.
    let compares = said.contains(['<', '>', '=', '\u{2265}', '\u{2264}']);
    if compares { MISTAKES.rewritten("conditions", said, true).or(phrased) } else { phrased }
}
