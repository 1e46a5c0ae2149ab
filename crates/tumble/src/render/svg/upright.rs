//! Outcomes from left to right, probabilities upward.
//!
//! ```text
//! 15 % ┤      ▂█▂         the topmost line is the first round number at or above the largest
//! 10 % ┤    ▂█████▂       probability; there are three to six lines
//!  5 % ┤  ▂█████████▂
//!  0 % ┼─┬─────┬─────┬─   numbers on a scale are named where there is room, at round ones
//!        5    10    15
//! ```

use super::paint::{self, Canvas, Weight};
use super::plan::{Plan, Shape};
use super::{MARGIN, WIDTH};

const HIGH: f64 = 280.0;
/// The highest bar reaches so far at most.
const HIGHEST: f64 = 0.97;
/// The share of its slot that a bar, or a group of bars, fills.
const FILLED: f64 = 0.78;
/// The widest slot.
const WIDEST: f64 = 110.0;
/// A value needs this much room above its bar.
const VALUE: f64 = 34.0;
/// And this much if it is told in short.
const SHORT_VALUE: f64 = 15.0;

/// Where things are.
struct Frame {
    left: f64,
    /// The width of a row.
    slot: f64,
    top: f64,
    /// The probability of the topmost line.
    most: f64,
}

impl Frame {
    fn middle(&self, row: usize) -> f64 {
        self.left + self.slot * (row as f64 + 0.5)
    }

    fn height(&self, share: f64) -> f64 {
        share / self.most * HIGH
    }

    fn floor(&self) -> f64 {
        self.top + HIGH
    }
}

/// Draws the plot below `top`, and tells where it ends.
pub(super) fn draw(plan: &Plan, top: f64, canvas: &mut Canvas) -> f64 {
    let largest = plan.rows.iter().map(|row| row.most()).fold(0.0, f64::max);
    let step = step(largest);
    // The highest bar ends below the topmost line, so that its value has room.
    let lines = (largest / step / HIGHEST).ceil().max(1.0) as usize;
    // Nothing lies above 100 %; there the value stands above the plot.
    let all = (1.0 / step).round() as usize;
    let (lines, room_above) = if lines > all { (all, 24.0) } else { (lines, 12.0) };
    let tick = |line: usize| format!("{} %", rounded(line as f64 * step * 100.0));
    let left = MARGIN + paint::wide(&tick(lines), 13.0).max(paint::wide(&tick(1), 13.0)) + 10.0;
    let room = WIDTH - MARGIN - left;
    let slot = (room / plan.rows.len().max(1) as f64).min(WIDEST);
    // Few rows stand in the middle.
    let start = left + (room - slot * plan.rows.len() as f64) / 2.0;
    let frame = Frame { left: start, slot, top: top + room_above, most: lines as f64 * step };
    for line in 0..=lines {
        let y = frame.floor() - frame.height(line as f64 * step);
        canvas.line((left, y), (WIDTH - MARGIN, y), if line == 0 { "axis" } else { "grid" });
        canvas.text((left - 8.0, y + 4.5), &tick(line), "soft", Weight::End);
    }
    match plan.shape {
        Shape::Lines => curves(plan, &frame, canvas),
        _ => bars(plan, &frame, canvas),
    }
    names(plan, &frame, canvas);
    frame.floor() + 40.0
}

fn bars(plan: &Plan, frame: &Frame, canvas: &mut Canvas) {
    let wide = frame.slot * FILLED / plan.titles.len().max(1) as f64;
    let thin = if plan.titles.len() > 1 { (wide * 0.06).min(2.0) } else { 0.0 };
    for (at, row) in plan.rows.iter().enumerate() {
        for (place, share) in row.shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let x = frame.middle(at) - frame.slot * FILLED / 2.0 + wide * place as f64;
            let high = frame.height(*share).max(0.6);
            let value = paint::percent(*share);
            let about = format!("{}: {} {value}", plan.titles[place], row.label);
            canvas.upright(place, (x + thin, frame.floor()), (wide - 2.0 * thin, high), &about);
            let above = (x + wide / 2.0, frame.floor() - high - 5.0);
            if wide / FILLED >= VALUE {
                canvas.text(above, value.trim_end_matches(" %"), "soft value", Weight::Middle);
            } else if wide >= SHORT_VALUE && *share >= 0.0005 {
                canvas.text(above, &short(*share), "soft tiny", Weight::Middle);
            }
        }
    }
}

fn curves(plan: &Plan, frame: &Frame, canvas: &mut Canvas) {
    for place in 0..plan.titles.len() {
        let share = |row: usize| plan.rows[row].shares[place];
        // From one row before the first that can happen to one after the last.
        let possible = |row: &usize| share(*row) > 0.0;
        let Some(first) = (0..plan.rows.len()).find(possible) else { continue };
        let last = (0..plan.rows.len()).rev().find(possible).unwrap_or(first);
        let rows = first.saturating_sub(1)..=(last + 1).min(plan.rows.len() - 1);
        let at = |row: usize| (frame.middle(row), frame.floor() - frame.height(share(row)));
        canvas.curve(place, &rows.clone().map(at).collect::<Vec<_>>());
        if frame.slot >= 9.0 {
            rows.filter(possible).for_each(|row| canvas.mark(place, at(row), true));
        }
    }
}

/// The outcomes below the axis.
fn names(plan: &Plan, frame: &Frame, canvas: &mut Canvas) {
    let y = frame.floor() + 20.0;
    let numbers = &plan.rows[..plan.rows.len() - usize::from(plan.rest)];
    let widest = numbers.iter().map(|row| paint::wide(&start(&row.label), 13.0)).fold(0.0, f64::max) + 10.0;
    let every = match plan.scale {
        Some((_, wide)) => {
            let mut rounds = (0..20).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i128.pow(power)));
            rounds.find(|round| *round >= wide && (round / wide) as f64 * frame.slot >= widest).unwrap_or(wide)
        }
        None => 1,
    };
    for (at, row) in plan.rows.iter().enumerate() {
        let number = plan.scale.map_or(0, |(first, wide)| first + wide * at as i128);
        let rest = plan.rest && at + 1 == plan.rows.len();
        if rest && paint::wide(&row.label, 13.0) > frame.slot {
            canvas.text((frame.middle(at) + frame.slot / 2.0, y + 18.0), &row.label, "soft", Weight::End);
        } else if rest {
            canvas.text((frame.middle(at), y), &row.label, "soft", Weight::Middle);
        } else if number.rem_euclid(every) == 0 {
            canvas.line((frame.middle(at), frame.floor()), (frame.middle(at), frame.floor() + 4.0), "axis");
            let label = paint::cut(&start(&row.label), frame.slot.max(widest), 13.0);
            canvas.text((frame.middle(at), y), &label, "ink", Weight::Middle);
        }
    }
}

/// A value in three letters; 100 is what is certain.
fn short(share: f64) -> String {
    let percent = share * 100.0 + 1e-9;
    if share < 1.0 && percent >= 99.5 {
        return ">99".to_owned();
    }
    if percent < 9.95 { format!("{percent:.1}") } else { format!("{percent:.0}") }
}

/// A range is named by its first number.
fn start(label: &str) -> String {
    label.split(" … ").next().unwrap_or(label).to_owned()
}

/// The distance of two lines: 1, 2 or 5 times a power of ten.
fn step(largest: f64) -> f64 {
    let mut steps = (-18..=0).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    steps.find(|step| largest / step <= 6.0).unwrap_or(0.2)
}

/// Without the noise of floating point.
fn rounded(percent: f64) -> String {
    let digits = if percent < 0.001 { 9 } else { 4 };
    let text = format!("{percent:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
