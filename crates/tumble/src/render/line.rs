//! The line of a roll for where it is shown: as the program prints it, as Markdown for a chat, or without any marks.
//!
//! ```text
//! text       4d6kh3 (~~1~~, 4, 4, 3) = 11
//! markdown   4d6kh3 (~~1~~, 4, 4, 3) = **11**       what the roll itself contains is escaped: 2\*3
//! plain      4d6kh3 (1, 4, 4, 3) = 11
//! ```

use super::text::{self, dressed};
use crate::prepared::Prepared;
use tumble_roll::{Rolled, Style};

/// How the dice and the total of a line are marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// As the program prints it: dropped dice between `~~`.
    #[default]
    Text,
    /// Markdown for a chat: dropped dice are struck, the total is bold.
    Markdown,
    /// None at all.
    Plain,
}

impl Marks {
    /// All of them, with their names.
    pub const ALL: &'static [(&'static str, Marks)] =
        &[("text", Marks::Text), ("markdown", Marks::Markdown), ("plain", Marks::Plain)];
}

/// The line of a roll, without a line break at the end.
///
/// ```
/// use tumble::render::line::{Marks, line};
/// use tumble::{Limits, Prepared};
///
/// let stats: Prepared = "4d6kh3".parse()?;
/// let rolled = stats.roll(7, &Limits::default())?;
/// assert_eq!(line(&stats, &rolled, Marks::Markdown), "4d6kh3 (~~1~~, 4, 4, 3) = **11**");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn line(prepared: &Prepared, rolled: &Rolled, marks: Marks) -> String {
    let line = match marks {
        Marks::Text => text::roll(prepared, rolled),
        Marks::Markdown => marked(&dressed(prepared, rolled, MARKDOWN).join("\n")),
        Marks::Plain => text::roll(prepared, rolled).replace("~~", ""),
    };
    line.trim_end_matches('\n').to_owned()
}

/// Dropped dice struck, totals and verdicts bold, with stand-ins for the marks.
const MARKDOWN: Style = Style { die: |_, die| struck(die), total: bold, verdict: |_, verdict| bold(verdict) };

/// Stand-ins for marks while the rest of the line is escaped; no text of a roll has them.
const STRUCK: char = '\u{FDD0}';
const BOLD: char = '\u{FDD1}';

fn struck(die: String) -> String {
    match die.strip_prefix("~~").and_then(|die| die.strip_suffix("~~")) {
        Some(dropped) => format!("{STRUCK}{dropped}{STRUCK}"),
        None => die,
    }
}

fn bold(total: String) -> String {
    if total.trim().is_empty() { total } else { format!("{BOLD}{total}{BOLD}") }
}

/// Escapes what Markdown would take for marks, and puts in those that are meant.
fn marked(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        match c {
            STRUCK => out.push_str("~~"),
            BOLD => out.push_str("**"),
            '\\' | '`' | '*' | '_' | '~' | '|' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Vars, compile, dice::Scripted};

    fn check(text: &str, dice: &[i64], lines: [&str; 3]) {
        let prepared = compile("tabletop", text, &Vars::new()).unwrap();
        let rolled = prepared.roll_from(&mut Scripted::new(dice), &Default::default()).unwrap();
        let found = Marks::ALL.iter().map(|(_, marks)| line(&prepared, &rolled, *marks));
        assert_eq!(found.collect::<Vec<_>>(), lines, "{text}");
    }

    #[test]
    fn a_line_is_marked_for_where_it_is_shown() {
        let text = "4d6kh3 (3, ~~1~~, 6, 5) = 14";
        check("4d6kh3", &[3, 1, 6, 5], [text, "4d6kh3 (3, ~~1~~, 6, 5) = **14**", "4d6kh3 (3, 1, 6, 5) = 14"]);
    }

    #[test]
    fn signs_of_the_roll_itself_are_no_marks() {
        let text = "d6 (4) * 2 * 3 = 24  # *_hit_*";
        check("d6 * 2 * 3 # *_hit_*", &[4], [text, r"d6 (4) \* 2 \* 3 = **24**  # \*\_hit\_\*", text]);
    }
}
