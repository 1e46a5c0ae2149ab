//! The terminal that answers go to: how wide it is, and whether it has colours.

use std::io::{self, IsTerminal};
use tumble::render::width as columns_of;

/// What stands before the rest of a line that was broken.
const INDENT: &str = "    ";

/// The width of what does not go to a terminal.
pub(crate) const PAGE: usize = 80;

/// Bars that are longer than this are hard to compare, and tables narrower than this hard to read.
const WIDEST: usize = 240;
const NARROWEST: usize = 40;

/// The columns there are: what `COLUMNS` says, else those of the terminal.
pub(crate) fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    let terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let found = asked.filter(|columns| *columns > 0).or_else(terminal);
    found.map_or(PAGE, |columns| columns.clamp(NARROWEST, WIDEST))
}

/// Lines for this stream: on a terminal, those that are too wide for it are broken at a blank. Lines that begin with
/// a blank are left alone: something below them may point into them.
pub(crate) fn folded(text: String, stream: &impl IsTerminal) -> String {
    let columns = width();
    let fits = |line: &str| line.starts_with(' ') || shown(line) <= columns;
    if !stream.is_terminal() || text.lines().all(fits) {
        return text;
    }
    text.lines().map(|line| if fits(line) { format!("{line}\n") } else { broken(line, columns) }).collect()
}

/// One line as several; all but the first are indented.
fn broken(line: &str, columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        if used > INDENT.len() && used + shown(word.trim_end()) > columns {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(INDENT);
            used = INDENT.len();
        }
        out.push_str(word);
        used += shown(word);
    }
    out + "\n"
}

/// The columns of a line; what sets a colour takes none.
fn shown(line: &str) -> usize {
    let mut pieces = line.split("\x1b[");
    let first = pieces.next().map_or(0, columns_of);
    let after = |piece: &str| piece.split_once('m').map_or(0, |(_, text)| columns_of(text));
    first + pieces.map(after).sum::<usize>()
}

/// Whether standard output shows colours, and nobody forbade them.
pub(crate) fn colour() -> bool {
    shows_colour(io::stdout().is_terminal())
}

/// The same for any stream, which is a terminal or not.
pub(crate) fn shows_colour(terminal: bool) -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    terminal && !forbidden && !dumb()
}

/// Whether the terminal is said to know nothing but lines.
pub(crate) fn dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value.is_empty() || value == "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        for (line, columns, lines) in [
            ("2d6 (1, 2) = 3", 80, "2d6 (1, 2) = 3\n"),
            ("2d6 (1, 2) = 3", 11, "2d6 (1, 2)\n    = 3\n"),
            ("2d6 (1, 2) = 3", 7, "2d6 (1,\n    2)\n    = 3\n"),
            ("a \x1b[2;9m~~1~~\x1b[0m, 2", 10, "a \x1b[2;9m~~1~~\x1b[0m, 2\n"),
            ("tooooooooolong x", 5, "tooooooooolong\n    x\n"),
        ] {
            assert_eq!(broken(line, columns), lines, "{line} in {columns}");
        }
    }
}
