//! What to write for the modifiers that only Foundry has.
//!
//! ```text
//! 4d6x6  4d6xo6               explodes, once
//! 10d10cs>7df1                takes a success away for each 1
//! d20ms15                     by how much 15 is passed
//! ```

use super::leftover::TIMES;
use super::parse::Parser;
use crate::mistake::Mistake;
use tumble_core::Span;

impl Parser<'_> {
    /// A modifier from elsewhere, and the digits that follow it.
    pub(super) fn foreign(&self, letters: &str, span: Span, digits: &str) -> Option<Mistake> {
        match letters {
            "x" | "xo" => Some(self.foreign_explosion(letters, span, digits)),
            "df" => {
                let mistake = Mistake::new(span, "to subtract failures, write `cf`");
                // Alone it takes away what is not counted.
                Some(if digits.is_empty() { mistake } else { mistake.replace(span, "cf=") })
            }
            "ms" if !digits.is_empty() => {
                Some(Mistake::new(span, "unknown modifier `ms`; subtract instead").replace(span, " - "))
            }
            _ => None,
        }
    }

    fn foreign_explosion(&self, letters: &str, span: Span, digits: &str) -> Mistake {
        let whole = Span::new(span.start, span.end + digits.len());
        let mistake = Mistake::new(whole, TIMES);
        let after = &self.text[whole.end..];
        let condition = after.len() - after.trim_start_matches(['<', '>', '=']).len();
        match letters {
            "xo" => mistake.replace(span, "!o"),
            _ if digits.is_empty() && condition > 0 => mistake.replace(span, "!"),
            _ => mistake,
        }
    }
}
