//! A chart as SVG: one file that needs nothing else, readable in light and dark and for screen readers.
//!
//! ```text
//! chart    title, what can be said of the whole or a legend, plot, notes
//! plot     upright   numbers from left to right; bars, or lines if there would be too many bars
//!          lying     other outcomes from top to bottom, with room for their names
//!          curve     one number for each value of a variable
//!          heat      a number in each cell of a grid
//! heard    the same as a table that is not drawn: `role="table"`
//! ```
//!
//! Colours are classes with a light and a dark rule, so that readers which know no media queries still
//! see the light chart.

mod colour;
mod curve;
mod heat;
mod lying;
mod paint;
mod plan;
mod scale;
mod sheet;
mod upright;
mod words;

use super::look::{Look, Theme};
use super::numbers::Numbers;
use super::series::Series;
use plan::{Plan, Shape};
use sheet::{Page, Sheet};
use tumble_core::Diagnostic;

/// The room around everything.
const MARGIN: f64 = 24.0;

/// The chart of one or several distributions.
pub(super) fn chart(series: &[Series], look: &Look, theme: Theme) -> Result<String, Diagnostic> {
    let plan = Plan::new(series, look)?;
    let sheet = Sheet {
        title: plan.title.clone(),
        legend: plan.legend.clone(),
        lines: plan.shape == Shape::Lines,
        notes: plan.notes.clone(),
        heard: vec![plan.heard()],
        palette: plan.palette,
    };
    let draw = |page: &Page, top: f64, canvas: &mut paint::Canvas| match plan.shape {
        Shape::Bars | Shape::Lines => upright::draw(&plan, page, top, canvas),
        Shape::Lying => lying::draw(&plan, page, top, canvas),
    };
    Ok(sheet.written(look, theme, &draw))
}

/// The chart of one number for each value of one variable, or for each pair of values of two.
pub(super) fn numbers(numbers: &Numbers, look: &Look, theme: Theme) -> Result<String, Diagnostic> {
    Ok(match numbers.axes.as_slice() {
        [axis] => curve::chart(numbers, axis, look, theme),
        _ => heat::chart(numbers, look, theme),
    })
}
