//! Outcomes from top to bottom, with room for their names; each bar has its value at its end.

use super::paint::{self, Canvas, Weight};
use super::plan::Plan;
use super::{MARGIN, WIDTH};

const BAR: f64 = 18.0;
const GAP: f64 = 9.0;
/// The widest column of names.
const NAMES: f64 = 280.0;
/// Room for a value at the end of a bar.
const VALUE: f64 = 62.0;

/// Draws the plot below `top`, and tells where it ends.
pub(super) fn draw(plan: &Plan, top: f64, canvas: &mut Canvas) -> f64 {
    let names = plan.rows.iter().map(|row| paint::wide(&paint::cut(&row.label, NAMES, 13.0), 13.0)).fold(0.0, f64::max);
    let left = MARGIN + names + 10.0;
    let room = WIDTH - MARGIN - VALUE - left;
    let largest = plan.rows.iter().map(|row| row.most()).fold(f64::MIN_POSITIVE, f64::max);
    let bar = if plan.titles.len() > 1 { BAR * 0.75 } else { BAR };
    let mut y = top;
    for row in &plan.rows {
        let high = bar * plan.titles.len() as f64;
        let name = paint::cut(&row.label, NAMES, 13.0);
        canvas.text((left - 10.0, y + high / 2.0 + 4.5), &name, "ink", Weight::End);
        // What cannot happen has no bar and no value; the table that is heard says so.
        let possible: Vec<(usize, f64)> =
            row.shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0).collect();
        let mut at = y + (high - bar * possible.len() as f64) / 2.0;
        for (place, share) in possible {
            let (value, wide) = (paint::percent(share), share / largest * room);
            let about = format!("{}: {} {value}", plan.titles[place], row.label);
            canvas.lying(place, (left, at + 0.5), (wide.max(0.6), bar - 1.0), &about);
            canvas.text((left + wide + 7.0, at + bar / 2.0 + 4.0), &value, "soft value", Weight::Start);
            at += bar;
        }
        y += high + GAP;
    }
    canvas.line((left, top - 4.0), (left, y - GAP + 4.0), "axis");
    y
}
