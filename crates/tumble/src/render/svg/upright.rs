//! Numbers from left to right, probabilities upward: bars, or lines if there would be too many bars.
//!
//! A bar has its value above it, upright where there is room and turned where there is little; numbers on a scale are
//! named where there is room, at round ones.

use super::paint::{self, Canvas, Weight};
use super::plan::{Plan, Shape};
use super::scale::Scale;
use super::sheet::Page;

/// The share of its slot that a bar, or a group of bars, fills.
const FILLED: f64 = 0.78;
/// The widest slot.
const WIDEST: f64 = 110.0;
/// A value needs this much room above its bar; this much in small letters, and this much from bottom to top.
const VALUE: f64 = 34.0;
const SMALL_VALUE: f64 = 20.0;
const TURNED_VALUE: f64 = 10.0;
/// How far a turned value reaches above its bar.
const TURNED_HIGH: f64 = 16.0;

/// Where things are from left to right.
struct Frame {
    scale: Scale,
    left: f64,
    /// The width of a row.
    slot: f64,
}

impl Frame {
    fn middle(&self, row: usize) -> f64 {
        self.left + self.slot * (row as f64 + 0.5)
    }
}

/// How the value above a bar is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Wide,
    Small,
    Turned,
    None,
}

/// Draws the plot below `top`, and tells where it ends.
pub(super) fn draw(plan: &Plan, page: &Page, top: f64, canvas: &mut Canvas) -> f64 {
    let largest = plan.rows.iter().map(|row| row.most()).fold(0.0, f64::max);
    // The numbers of the scale take about this much.
    let value = value(plan, (page.width - 100.0) / plan.rows.len().max(1) as f64);
    let above = if value == Value::Turned { TURNED_HIGH } else { 0.0 };
    let scale = Scale::draw(largest, "probability", page, (top, above), canvas);
    let room = scale.right - scale.left;
    let slot = (room / plan.rows.len().max(1) as f64).min(WIDEST);
    // Few rows are in the middle.
    let left = scale.left + (room - slot * plan.rows.len() as f64) / 2.0;
    let frame = Frame { scale, left, slot };
    match plan.shape {
        Shape::Lines => curves(plan, &frame, canvas),
        _ => bars(plan, &frame, value, canvas),
    }
    names(plan, &frame, canvas);
    frame.scale.below("total", canvas)
}

/// How values are written above bars in slots of this width.
fn value(plan: &Plan, slot: f64) -> Value {
    match slot.min(WIDEST) * FILLED / plan.titles.len().max(1) as f64 {
        _ if plan.shape == Shape::Lines => Value::None,
        wide if wide / FILLED >= VALUE => Value::Wide,
        wide if wide >= SMALL_VALUE => Value::Small,
        wide if wide >= TURNED_VALUE => Value::Turned,
        _ => Value::None,
    }
}

fn bars(plan: &Plan, frame: &Frame, written: Value, canvas: &mut Canvas) {
    let wide = frame.slot * FILLED / plan.titles.len().max(1) as f64;
    let thin = if plan.titles.len() > 1 { (wide * 0.06).min(2.0) } else { 0.0 };
    for (at, row) in plan.rows.iter().enumerate() {
        for (place, share) in row.shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let x = frame.middle(at) - frame.slot * FILLED / 2.0 + wide * place as f64;
            let high = frame.scale.height(*share).max(0.6);
            let value = paint::percent(*share);
            let about = format!("{}: {} {value}", plan.titles[place], row.label);
            canvas.upright(place, (x + thin, frame.scale.floor()), (wide - 2.0 * thin, high), &about);
            let (middle, above) = (x + wide / 2.0, frame.scale.floor() - high - 5.0);
            let short = value.trim_end_matches(" %");
            match written {
                Value::Wide => canvas.text((middle, above), short, "soft value", Weight::Middle),
                Value::Small => canvas.text((middle, above), short, "soft tiny", Weight::Middle),
                Value::Turned => canvas.upward((middle + 3.4, above), short, "soft tiny"),
                Value::None => {}
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
        let at = |row: usize| (frame.middle(row), frame.scale.y(share(row)));
        canvas.curve(place, &rows.clone().map(at).collect::<Vec<_>>());
        if frame.slot >= 9.0 {
            rows.filter(possible).for_each(|row| canvas.mark(place, at(row), true));
        }
    }
}

/// The outcomes below the axis.
fn names(plan: &Plan, frame: &Frame, canvas: &mut Canvas) {
    let floor = frame.scale.floor();
    let y = floor + 20.0;
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
            canvas.line((frame.middle(at), floor), (frame.middle(at), floor + 4.0), "axis");
            let label = paint::cut(&start(&row.label), frame.slot.max(widest), 13.0);
            canvas.text((frame.middle(at), y), &label, "ink", Weight::Middle);
        }
    }
}

/// A range is named by its first number.
fn start(label: &str) -> String {
    label.split(" … ").next().unwrap_or(label).to_owned()
}
