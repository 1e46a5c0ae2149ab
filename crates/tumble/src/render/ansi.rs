//! The same for a terminal: the plain text, with colours and marks.
//!
//! ```text
//! dropped    ~~1~~   struck and dim        exploded   6!   bold        nat 20, success   green
//! rerolled   1r      dim                   total      17   bold        nat 1, failure    red
//! ```
//!
//! Colour never carries meaning alone: without colours, the marks remain.

use super::text::dressed;
use crate::prepared::Prepared;
use tumble_roll::{DieState, Drawn, Rolled, Style};

/// The roll in one line, or one line for each of several equal rolls, for a terminal.
pub fn roll(prepared: &Prepared, rolled: &Rolled) -> String {
    lines(prepared, rolled).into_iter().map(|line| line + "\n").collect()
}

/// The same, line by line.
pub fn lines(prepared: &Prepared, rolled: &Rolled) -> Vec<String> {
    let verdict = |holds, word: String| styled(if holds { "32" } else { "31" }, &word);
    // Whoever writes the stand-in gets no colours, so that nobody can write commands of the terminal.
    if prepared.text().contains(ESCAPE) {
        return dressed(prepared, rolled, Style::PLAIN);
    }
    let lines = dressed(prepared, rolled, Style { die, total: |total| styled("1", &total), verdict });
    lines.into_iter().map(|line| line.replace(ESCAPE, "\x1b")).collect()
}

/// Stands for the escape character while those of the roll itself are made visible.
const ESCAPE: char = '\u{FDD2}';

fn die(die: &Drawn, shown: String) -> String {
    match (die.state, die.natural()) {
        _ if die.is_out() => styled("2;9", &shown),
        (DieState::Rerolled, _) => styled("2", &shown),
        (DieState::Exploded, _) => styled("1", &shown),
        (_, Some(20)) => styled("1;32", &shown),
        (_, Some(_)) => styled("1;31", &shown),
        _ => match die.score {
            Some(score) if score < 0 => styled("31", &shown),
            Some(score) if score > 1 => styled("1", &shown),
            _ => shown,
        },
    }
}

fn styled(code: &str, text: &str) -> String {
    format!("{ESCAPE}[{code}m{text}{ESCAPE}[0m")
}

#[cfg(test)]
mod tests {
    use crate::{Vars, compile, dice::Scripted, render::text};

    fn check(text: &str, dice: &[i64], shown: &str) {
        let prepared = compile("tabletop", text, &Vars::new()).unwrap();
        let rolled = prepared.roll_from(&mut Scripted::new(dice), &Default::default()).unwrap();
        let line = super::roll(&prepared, &rolled);
        let marked = ["0", "1", "2", "2;9", "31", "32", "1;31", "1;32"]
            .iter()
            .fold(line.clone(), |line, code| line.replace(&format!("\x1b[{code}m"), ""));
        assert_eq!(line.replace("\x1b[", "["), format!("{shown}\n"), "{text}");
        assert_eq!(marked, text::roll(&prepared, &rolled), "{text}");
    }

    #[test]
    fn the_marks_stay_and_are_set_off() {
        check("4d6kh3", &[3, 1, 6, 5], "4d6kh3 (3, [2;9m~~1~~[0m, 6, 5) = [1m14[0m");
        check("d6!", &[6, 2], "d6! ([1m6![0m + 2) = [1m8[0m");
        check("d6ro1 # once", &[1, 4], "d6ro1 ([2m1r[0m→4) = [1m4[0m  # once");
        check("d20 >= 15", &[20], "d20 ([1;32mnat 20[0m) = [1m20[0m vs 15: [32msuccess[0m");
        check("d20 >= 15", &[1], "d20 ([1;31mnat 1[0m) = [1m1[0m vs 15: [31mfailure[0m");
        check(
            "3d10cs>=8,10:2cf=1",
            &[10, 5, 1],
            "3d10cs>=8,10:2cf=1 ([1m10:2[0m, [2;9m~~5~~[0m, [31m1:-1[0m) = [1m1[0m",
        );
        check("2d6[fire]", &[1, 4], "2d6[fire] (1, 4) = [1m5[0m");
        check("d6 # \u{1b}[2J\u{202e}", &[4], "d6 (4) = [1m4[0m  # \\u{1b}[2J\\u{202e}");
        check("d6 # \u{fdd2}[2J", &[4], "d6 (4) = 4  # \u{fdd2}[2J");
    }
}
