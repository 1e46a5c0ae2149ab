//! The terminal that answers go to: how wide it is, and whether it has colours.

use std::io::{self, IsTerminal};

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

/// Whether standard output shows colours, and nobody forbade them.
pub(crate) fn colour() -> bool {
    shows_colour(io::stdout().is_terminal())
}

/// The same for any stream, which is a terminal or not.
pub(crate) fn shows_colour(terminal: bool) -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    terminal && !forbidden && !dumb
}
