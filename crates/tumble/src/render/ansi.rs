//! The same texts for a terminal: what stands there in plain text stands here too, and is set off.
//!
//! ```text
//! dropped    ~~1~~   struck and dim        exploded   6!   bold
//! rerolled   1r      dim                   total      17   bold
//! ```
//!
//! Nothing is said by looks alone: who sees no colours reads the marks.

use super::text::dressed;
use crate::prepared::Prepared;
use tumble_roll::{DieState, Rolled};

/// The roll in one line, for a terminal.
pub fn roll(prepared: &Prepared, rolled: &Rolled) -> String {
    dressed(prepared, rolled, die, |total| format!("\x1b[1m{total}\x1b[0m"))
}

fn die(state: DieState, shown: String) -> String {
    match state {
        DieState::Kept => shown,
        DieState::Dropped => format!("\x1b[2;9m{shown}\x1b[0m"),
        DieState::Rerolled => format!("\x1b[2m{shown}\x1b[0m"),
        DieState::Exploded => format!("\x1b[1m{shown}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Vars, compile, dice::Scripted, render::text};

    fn check(text: &str, dice: &[i64], shown: &str) {
        let prepared = compile("tabletop", text, &Vars::new()).unwrap();
        let rolled = prepared.roll_from(&mut Scripted::new(dice), &Default::default()).unwrap();
        let line = super::roll(&prepared, &rolled);
        let marked =
            ["0", "1", "2", "2;9"].iter().fold(line.clone(), |line, code| line.replace(&format!("\x1b[{code}m"), ""));
        assert_eq!(line.replace("\x1b[", "["), format!("{shown}\n"), "{text}");
        assert_eq!(marked, text::roll(&prepared, &rolled), "{text}");
    }

    #[test]
    fn the_marks_stay_and_are_set_off() {
        check("4d6kh3", &[3, 1, 6, 5], "4d6kh3 (3, [2;9m~~1~~[0m, 6, 5) = [1m14[0m");
        check("d6!", &[6, 2], "d6! ([1m6![0m, 2) = [1m8[0m");
        check("d6ro1 # once", &[1, 4], "d6ro1 ([2m1r[0m, 4) = [1m4[0m  # once");
        check("2d6[fire]", &[1, 4], "2d6[fire] (1, 4) = [1m5[0m");
    }
}
