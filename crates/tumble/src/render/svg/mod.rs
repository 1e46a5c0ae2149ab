//! A chart as SVG: one file that needs nothing else, readable in light and dark and for screen readers.
//!
//! ```text
//! chart    title, what can be said of the whole or a legend, plot, notes
//! plot     upright   numbers from left to right; bars, or lines if there would be too many bars
//!          lying     other outcomes from top to bottom, with room for their names
//! heard    the same as a table that is not drawn: `role="table"`
//! ```
//!
//! Colours are classes with a light and a dark rule, so that readers which know no media queries still
//! see the light chart.

mod lying;
mod paint;
mod plan;
mod upright;

use super::look::{Look, Theme};
use super::series::Series;
use paint::{Canvas, Weight, escaped};
use plan::{Plan, Shape};
use tumble_core::Diagnostic;

/// The width of a chart.
const WIDTH: f64 = 800.0;
const MARGIN: f64 = 24.0;

/// The chart of one or several distributions.
pub(super) fn chart(series: &[Series], look: &Look, theme: Theme) -> Result<String, Diagnostic> {
    let plan = Plan::new(series, look)?;
    let mut canvas = Canvas::default();
    let top = head(&plan, &mut canvas);
    let below = match plan.shape {
        Shape::Bars | Shape::Lines => upright::draw(&plan, top, &mut canvas),
        Shape::Lying => lying::draw(&plan, top, &mut canvas),
    };
    let height = foot(&plan, below, &mut canvas);
    let said = plan.said.iter().map(|(title, said)| format!("{title}: {said}")).chain(plan.notes.iter().cloned());
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
         height=\"{height:.0}\" role=\"graphics-document\" aria-roledescription=\"chart\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<style>{}</style>\n\
         <rect class=\"back\" width=\"100%\" height=\"100%\"/>\n<g aria-hidden=\"true\">\n{}</g>\n{}</svg>\n",
        escaped(&plan.title),
        escaped(&said.collect::<Vec<_>>().join("; ")),
        paint::style(theme, plan.titles.len()),
        canvas.drawn(),
        heard(&plan),
    ))
}

/// The title, and below it the legend; where the plot begins.
fn head(plan: &Plan, canvas: &mut Canvas) -> f64 {
    let mut y = 36.0;
    canvas.text((MARGIN, y), &paint::cut(&plan.title, WIDTH - 2.0 * MARGIN, 20.0), "ink title", Weight::Start);
    for (place, (title, said)) in plan.said.iter().enumerate() {
        y += 22.0;
        if plan.said.len() == 1 {
            canvas.text((MARGIN, y), &paint::cut(said, WIDTH - 2.0 * MARGIN, 13.0), "soft", Weight::Start);
            continue;
        }
        canvas.mark(place, (MARGIN + 6.0, y - 4.5), plan.shape == Shape::Lines);
        let title = paint::cut(title, WIDTH * 0.4, 13.0);
        let room = WIDTH - 2.0 * MARGIN - 30.0 - paint::wide(&title, 13.0);
        canvas.pair((MARGIN + 20.0, y), (&title, "ink name"), (&paint::cut(said, room, 13.0), "soft"));
    }
    y + 26.0
}

/// The notes; where the picture ends.
fn foot(plan: &Plan, below: f64, canvas: &mut Canvas) -> f64 {
    let mut y = below + 4.0;
    for line in plan.notes.iter().flat_map(|note| paint::lines(note, WIDTH - 2.0 * MARGIN, 12.0)) {
        y += 17.0;
        canvas.text((MARGIN, y), &line, "soft small", Weight::Start);
    }
    y + 20.0
}

/// The table for who cannot see the chart.
fn heard(plan: &Plan) -> String {
    let cell = |role: &str, text: &str| format!("<text role=\"{role}\">{}</text>", escaped(text));
    let mut out = format!("<g class=\"heard\" role=\"table\" aria-label=\"{}\">\n", escaped(&plan.title));
    let heads: String = plan.titles.iter().map(|title| cell("columnheader", title)).collect();
    out.push_str(&format!("<g role=\"row\">{}{heads}</g>\n", cell("columnheader", "Outcome")));
    for row in &plan.rows {
        let cells: String = row.shares.iter().map(|share| cell("cell", &paint::percent(*share))).collect();
        out.push_str(&format!("<g role=\"row\">{}{cells}</g>\n", cell("rowheader", &row.label)));
    }
    out + "</g>\n"
}
