//! What to write for the modifiers that only Foundry has.
//!
//! ```text
//! 4d6x6  4d6xo6               explodes, once
//! 6d6even  6d6odd             how many show an even or odd face
//! 10d10cs>7df1                takes a success away for each 1
//! d20ms15                     by how much 15 is passed
//! ```

use super::leftover::TIMES;
use super::parse::Parser;
use crate::mistake::Mistake;
use tumble_core::Span;

/// Even and odd faces are written out for dice with so many sides.
const MOST_FACES: u64 = 12;

impl Parser<'_> {
    /// A modifier from elsewhere, and the digits that follow it.
    pub(super) fn foreign(&self, letters: &str, span: Span, digits: &str) -> Option<Mistake> {
        let text = self.text;
        match letters {
            "x" | "xo" => Some(self.foreign_explosion(letters, span, digits)),
            "even" | "odd" if digits.is_empty() => {
                let mistake = Mistake::new(span, format!("unknown modifier `{letters}`; count the faces instead"));
                Some(self.halved(mistake, letters, span))
            }
            "df" => {
                let meant = if digits.is_empty() { "cf" } else { "cf=" };
                Some(Mistake::new(span, "to subtract failures, write `cf`").replace(text, span, meant))
            }
            "ms" if !digits.is_empty() => {
                Some(Mistake::new(span, "unknown modifier `ms`; subtract instead").replace(text, span, " - "))
            }
            _ => None,
        }
    }

    /// `3d6even`: the faces are written out, or if they are too many each die is divided by two.
    fn halved(&self, mistake: Mistake, letters: &str, span: Span) -> Mistake {
        let (text, sides) = (self.text, self.sides_before(span));
        let Some(before) = text[..span.start - sides.len()].strip_suffix(['d', 'D']) else { return mistake };
        let stem = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let Some(faces) = sides.parse::<u64>().ok().filter(|_| !stem.ends_with(char::is_alphanumeric)) else {
            return mistake;
        };
        if faces <= MOST_FACES {
            let faces = (1..=faces).filter(|face| face.is_multiple_of(2) == (letters == "even"));
            return mistake.replace(text, span, &faces.map(|face| format!("cs={face}")).collect::<String>());
        }
        let count = Some(&before[stem.len()..]).filter(|count| *count != "1").unwrap_or_default();
        let rest = u8::from(letters == "odd");
        mistake.replace(text, Span::new(stem.len(), span.end), &format!("{count}(d{sides} % 2 = {rest})"))
    }

    fn foreign_explosion(&self, letters: &str, span: Span, digits: &str) -> Mistake {
        let whole = Span::new(span.start, span.end + digits.len());
        let mistake = Mistake::new(whole, TIMES);
        let after = &self.text[whole.end..];
        let condition = after.len() - after.trim_start_matches(['<', '>', '=']).len();
        match letters {
            "xo" => mistake.replace(self.text, span, "!o"),
            _ if digits.is_empty() && condition > 0 => mistake.replace(self.text, span, "!"),
            _ => mistake,
        }
    }

    /// The digits right before a place.
    fn sides_before(&self, span: Span) -> &str {
        let before = &self.text[..span.start];
        &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
    }
}
