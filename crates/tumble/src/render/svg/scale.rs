//! The scale of probabilities from bottom to top, which bars and curves share.
//!
//! ```text
//! 15 % ┤      ▂█▂         the topmost line is the first round number at or above the largest
//! 10 % ┤    ▂█████▂       probability; there are three to six lines
//!  5 % ┤  ▂█████████▂
//!  0 % ┼─┬─────┬─────┬─
//! ```

use super::MARGIN;
use super::paint::{self, Canvas, Weight};
use super::sheet::Page;

/// The height of a plot if nobody asks for another, without what is written below it and above it.
const HIGH: f64 = 280.0;
const AROUND: f64 = 80.0;

/// A line with its number needs this much room.
const LINE: f64 = 26.0;

/// The highest bar reaches so far at most.
const HIGHEST: f64 = 0.97;

/// Where probabilities are.
pub(super) struct Scale {
    /// Where the plot begins and ends from left to right.
    pub(super) left: f64,
    pub(super) right: f64,
    top: f64,
    high: f64,
    /// The probability of the topmost line.
    most: f64,
}

impl Scale {
    /// Draws the lines, their numbers and what they mean; `above` is room for a value above the highest bar.
    pub(super) fn draw(largest: f64, words: &str, page: &Page, (top, above): (f64, f64), canvas: &mut Canvas) -> Scale {
        let high = page.plot.map_or(HIGH, |plot| (plot - AROUND - above).max(20.0));
        let step = step(largest, (high / LINE).clamp(1.0, 6.0));
        // The highest bar ends below the topmost line, so that its value has room.
        let lines = (largest / step / HIGHEST).ceil().max(1.0) as usize;
        // Nothing lies above 100 %; there the value is above the plot.
        let all = (1.0 / step).round() as usize;
        let (lines, room_above) = if lines > all { (all, 24.0 + above) } else { (lines, 12.0 + above) };
        let tick = |line: usize| format!("{} %", rounded(line as f64 * step * 100.0));
        let left = MARGIN + paint::wide(&tick(lines), 13.0).max(paint::wide(&tick(1), 13.0)) + 10.0;
        canvas.text((MARGIN, top + 2.0), words, "soft small", Weight::Start);
        let scale =
            Scale { left, right: page.width - MARGIN, top: top + room_above + 12.0, high, most: lines as f64 * step };
        for line in 0..=lines {
            let y = scale.y(line as f64 * step);
            canvas.line((left, y), (scale.right, y), if line == 0 { "axis" } else { "grid" });
            canvas.text((left - 8.0, y + 4.5), &tick(line), "soft", Weight::End);
        }
        scale
    }

    pub(super) fn floor(&self) -> f64 {
        self.top + self.high
    }

    pub(super) fn height(&self, share: f64) -> f64 {
        share / self.most * self.high
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.floor() - self.height(share)
    }

    /// Writes what is from left to right below the numbers there, and tells where the plot ends.
    pub(super) fn below(&self, words: &str, canvas: &mut Canvas) -> f64 {
        let middle = f64::midpoint(self.left, self.right);
        canvas.text((middle, self.floor() + 39.0), words, "soft small", Weight::Middle);
        self.floor() + 46.0
    }
}

/// The distance of two lines: 1, 2 or 5 times a power of ten, so that there are at most so many.
fn step(largest: f64, most: f64) -> f64 {
    let mut steps = (-18..=0).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    steps.find(|step| largest / step <= most && *step <= 1.0).unwrap_or(1.0)
}

/// Without the noise of floating point.
fn rounded(percent: f64) -> String {
    let digits = if percent < 0.001 { 9 } else { 4 };
    let text = format!("{percent:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
