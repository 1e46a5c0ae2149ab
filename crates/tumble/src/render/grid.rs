//! A table on a terminal or in Markdown: labels, and a block of cells with a bar for each distribution.
//!
//! ```text
//! label  percent  fraction  bar              one distribution
//! label  percent  bar       percent  bar     several, if there is room
//! ```

use super::look::Look;
use super::width::columns;
use super::{visible, width};

const WIDEST_OUTCOME: usize = 34;
const GAP: &str = "  ";
/// Shorter bars say nothing.
const SHORTEST_BAR: usize = 5;
/// The colours of bars on a terminal.
const COLOURS: [&str; 5] = ["34", "33", "32", "35", "36"];

/// A table before it has a width.
#[derive(Debug)]
pub(super) struct Grid {
    /// The titles of the distributions.
    pub(super) titles: Vec<String>,
    /// What the cells of each block answer.
    pub(super) heads: Vec<&'static str>,
    pub(super) rows: Vec<Row>,
}

/// One row: an outcome, or several that are folded together.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) label: String,
    /// Whether the label is a number, which is aligned to the right.
    pub(super) number: bool,
    pub(super) blocks: Vec<Block>,
}

/// What one distribution says about an outcome.
#[derive(Debug)]
pub(super) struct Block {
    /// Percent and fraction for each head; either may be empty.
    pub(super) cells: Vec<(String, String)>,
    /// The probability that the bar shows.
    pub(super) size: f64,
}

/// The widths of all columns.
struct Frame {
    label: usize,
    /// Of each block, the widths of percent and fraction for each head.
    cells: Vec<Vec<(usize, usize)>>,
    bar: usize,
    numbers: bool,
    largest: f64,
    colour: bool,
}

impl Grid {
    /// The lines of the table, if it fits, with bars if they are wanted; one distribution always fits.
    pub(super) fn written(&self, look: &Look, bars: bool) -> Option<String> {
        let labels: Vec<Vec<String>> = self.rows.iter().map(|row| wrapped(&row.label)).collect();
        let frame = self.frame(&labels, look).filter(|frame| !bars || frame.bar > 0)?;
        let mut out = self.head(&frame);
        for (row, label) in self.rows.iter().zip(&labels) {
            out.push_str(&frame.write(row, label));
        }
        Some(out)
    }

    fn frame(&self, labels: &[Vec<String>], look: &Look) -> Option<Frame> {
        let widest = |of: &dyn Fn(&Row) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let head = |i: usize| if self.has_heads() { self.heads[i].len() } else { 0 };
        let cell = |place: usize, i: usize| {
            let percent = widest(&|row| width(&row.blocks[place].cells[i].0));
            let fraction = widest(&|row| width(&row.blocks[place].cells[i].1));
            // A head is above percent, or above the fraction if there are none.
            if percent > 0 { (percent.max(head(i)), fraction) } else { (0, fraction.max(head(i))) }
        };
        let blocks = self.titles.len();
        let cells: Vec<Vec<(usize, usize)>> =
            (0..blocks).map(|place| (0..self.heads.len()).map(|i| cell(place, i)).collect()).collect();
        let label = labels.iter().flatten().map(|line| width(line)).max().unwrap_or(0);
        let taken = label + cells.iter().map(|cells| block_width(cells)).sum::<usize>();
        let left = look.width.saturating_sub(taken) / blocks.max(1);
        if blocks > 1 && (taken > look.width || self.is_cramped(&cells, left)) {
            return None;
        }
        let bar = left.saturating_sub(GAP.len());
        Some(Frame {
            label,
            cells,
            bar: if blocks > 1 && bar < SHORTEST_BAR { 0 } else { bar },
            numbers: self.rows.iter().all(|row| row.number),
            largest: self.rows.iter().flat_map(|row| &row.blocks).map(|block| block.size).fold(0.0, f64::max),
            colour: look.colour,
        })
    }

    /// Whether there are fractions.
    pub(super) fn has_fractions(&self) -> bool {
        self.rows
            .iter()
            .flat_map(|row| &row.blocks)
            .flat_map(|block| &block.cells)
            .any(|(_, fraction)| !fraction.is_empty())
    }

    /// Whether a title would be cut to less than it needs to be told apart.
    fn is_cramped(&self, cells: &[Vec<(usize, usize)>], left: usize) -> bool {
        let room = |place: usize| block_width(&cells[place]) + left - GAP.len();
        self.titles.iter().enumerate().any(|(place, title)| width(title) > room(place))
    }

    fn has_heads(&self) -> bool {
        self.heads != ["exactly"]
    }

    /// The titles if there are several, and what the cells answer if that is not plain.
    fn head(&self, frame: &Frame) -> String {
        let mut out = String::new();
        if self.titles.len() > 1 {
            let mut line = " ".repeat(frame.label);
            for (place, title) in self.titles.iter().enumerate() {
                let pad = (frame.block(place) - GAP.len()).saturating_sub(width(title));
                line.push_str(&format!("{GAP}{}{}", frame.coloured(title, "1", place), " ".repeat(pad)));
            }
            out.push_str(&format!("{}\n", line.trim_end()));
        }
        if self.has_heads() {
            let mut line = " ".repeat(frame.label);
            for cells in &frame.cells {
                for (head, (percent, fraction)) in self.heads.iter().zip(cells) {
                    line.push_str(&match (*percent, *fraction) {
                        (0, fraction) => format!("{GAP}{head:<fraction$}"),
                        (percent, 0) => format!("{GAP}{head:>percent$}"),
                        (percent, fraction) => format!("{GAP}{head:>percent$}{GAP}{:fraction$}", ""),
                    });
                }
                line.push_str(&" ".repeat(frame.bar_room()));
            }
            out.push_str(&format!("{}\n", line.trim_end()));
        }
        out
    }
}

/// The width of the cells of a block with the gaps before them.
fn block_width(cells: &[(usize, usize)]) -> usize {
    let gap = |width: usize| if width > 0 { width + GAP.len() } else { 0 };
    cells.iter().map(|(percent, fraction)| gap(*percent) + gap(*fraction)).sum()
}

impl Frame {
    fn bar_room(&self) -> usize {
        if self.bar > 0 { self.bar + GAP.len() } else { 0 }
    }

    fn block(&self, place: usize) -> usize {
        block_width(&self.cells[place]) + self.bar_room()
    }

    fn write(&self, row: &Row, label: &[String]) -> String {
        let mut out = String::new();
        for (i, line) in label.iter().enumerate() {
            let pad = " ".repeat(self.label.saturating_sub(width(line)));
            let (left, right) = if self.numbers { (pad.as_str(), "") } else { ("", pad.as_str()) };
            let first = if i == 0 { self.blocks(row) } else { String::new() };
            out.push_str(format!("{left}{line}{right}{first}").trim_end());
            out.push('\n');
        }
        out
    }

    fn blocks(&self, row: &Row) -> String {
        let mut out = String::new();
        for (place, block) in row.blocks.iter().enumerate() {
            for ((percent, fraction), (wide, long)) in block.cells.iter().zip(&self.cells[place]) {
                if *wide > 0 {
                    out.push_str(&format!("{GAP}{}{percent}", " ".repeat(wide - width(percent))));
                }
                if *long > 0 {
                    out.push_str(&format!("{GAP}{fraction}{}", " ".repeat(long - width(fraction))));
                }
            }
            if self.bar > 0 {
                let share = if self.largest > 0.0 { block.size / self.largest } else { 0.0 };
                let bar = bar(share, self.bar);
                let pad = if place + 1 < row.blocks.len() { self.bar - width(&bar) } else { 0 };
                out.push_str(&format!("{GAP}{}{}", self.coloured(&bar, "", place), " ".repeat(pad)));
            }
        }
        out
    }

    fn coloured(&self, text: &str, style: &str, place: usize) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let style = if style.is_empty() { String::new() } else { format!("{style};") };
        format!("\x1b[{style}{}m{text}\x1b[0m", COLOURS[place % COLOURS.len()])
    }
}

/// The lines of an outcome, none wider than the column; a collection is broken after a comma.
fn wrapped(label: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in visible(label).replace('\t', " ").split('\n') {
        let mut current = String::new();
        for piece in line.split_inclusive(' ') {
            if !current.is_empty() && width(&current) + width(piece.trim_end()) > WIDEST_OUTCOME {
                lines.push(std::mem::take(&mut current).trim_end().to_owned());
            }
            for c in piece.chars() {
                if width(&current) + columns(c) > WIDEST_OUTCOME {
                    lines.push(std::mem::take(&mut current));
                }
                current.push(c);
            }
        }
        lines.push(current.trim_end().to_owned());
    }
    lines
}

/// A bar of this share of `room` columns, to an eighth of a column.
fn bar(share: f64, room: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * (room * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_wrapped() {
        let long = format!("[{}]", ["10"; 20].join(", "));
        assert_eq!(
            wrapped(&long),
            ["[10, 10, 10, 10, 10, 10, 10, 10,", "10, 10, 10, 10, 10, 10, 10, 10,", "10, 10, 10, 10]"]
        );
        assert!(wrapped(&"x".repeat(100)).iter().all(|line| line.len() <= WIDEST_OUTCOME));
        assert_eq!(wrapped("a\nb"), ["a", "b"]);
    }

    #[test]
    fn bars_fill_their_room() {
        for (share, text) in [(0.0, ""), (1.0, "████"), (0.5, "██"), (0.28, "█▏")] {
            assert_eq!(bar(share, 4), text);
        }
    }
}
