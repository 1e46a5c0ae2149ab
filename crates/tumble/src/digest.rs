//! The checksum of a distribution, for answers that are too long to send.
//!
//! The text that is summed has one line for each outcome, in their order: `OUTCOME:NUM/DEN` and a
//! line feed; OUTCOME in decimal, a collection or pair as `[a,b]`, text as in JSON; NUM and DEN in
//! lowest terms and lower-case hexadecimal.

use crate::reduced::Reduced;
use crate::render::json;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use tumble_syntax::Notation;

/// The SHA-256 of the distribution, in hexadecimal.
pub(crate) fn digest(reduced: &Reduced<'_>, notation: &Notation) -> String {
    let mut hasher = Sha256::new();
    for (outcome, chance) in reduced.outcomes() {
        hasher.update(format!("{}:{}\n", plain(&json::value(outcome, notation)), chance.hex()));
    }
    hexadecimal(&hasher.finalize())
}

/// Bytes in lower-case hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// An outcome without blanks, pairs like collections.
fn plain(outcome: &serde_json::Value) -> String {
    match outcome.get("pair") {
        Some(pair) => plain(pair),
        None => match outcome.as_array() {
            Some(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(",")),
            None => outcome.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::plain;
    use serde_json::json;

    #[test]
    fn outcomes_are_plain() {
        for (outcome, text) in [
            (json!(7), "7"),
            (json!([]), "[]"),
            (json!([1, 2]), "[1,2]"),
            (json!({ "pair": [1, [2, 3]] }), "[1,[2,3]]"),
            (json!("a\nb"), "\"a\\nb\""),
        ] {
            assert_eq!(plain(&outcome), text);
        }
    }
}
