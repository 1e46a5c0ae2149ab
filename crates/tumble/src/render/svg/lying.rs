//! Outcomes from top to bottom, with room for their names; each bar has its value at its end.

use super::MARGIN;
use super::paint::{self, Canvas, Weight};
use super::plan::Plan;
use super::sheet::Page;

const BAR: f64 = 18.0;
const GAP: f64 = 9.0;
/// The widest column of names, as a share of the page.
const NAMES: f64 = 0.35;
/// Room for a value at the end of a bar.
const VALUE: f64 = 62.0;
/// Room for what names and bars mean.
const HEADS: f64 = 18.0;

/// Draws the plot below `top`, and tells where it ends.
pub(super) fn draw(plan: &Plan, page: &Page, top: f64, canvas: &mut Canvas) -> f64 {
    let widest = page.width * NAMES;
    let cut = |label: &str| paint::cut(label, widest, 13.0);
    let names = plan.rows.iter().map(|row| paint::wide(&cut(&row.label), 13.0));
    let left = MARGIN + names.fold(paint::wide("outcome", 12.0), f64::max) + 10.0;
    let room = page.width - MARGIN - VALUE - left;
    let largest = plan.rows.iter().map(|row| row.most()).fold(f64::MIN_POSITIVE, f64::max);
    let count = plan.titles.len() as f64;
    let (bar, gap) = (if plan.titles.len() > 1 { BAR * 0.75 } else { BAR }, GAP);
    let natural = plan.rows.len().max(1) as f64 * (bar * count + gap);
    let stretch = page.plot.map_or(1.0, |plot| ((plot - HEADS) / natural).clamp(0.45, 4.0));
    let (bar, gap) = (bar * stretch, gap * stretch);
    canvas.text((left - 10.0, top), "outcome", "soft small", Weight::End);
    canvas.text((left, top), "probability", "soft small", Weight::Start);
    let top = top + HEADS;
    let mut y = top;
    for row in &plan.rows {
        let high = bar * count;
        canvas.text((left - 10.0, y + high / 2.0 + 4.5), &cut(&row.label), "ink", Weight::End);
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
        y += high + gap;
    }
    canvas.line((left, top - 4.0), (left, y - gap + 4.0), "axis");
    y
}
