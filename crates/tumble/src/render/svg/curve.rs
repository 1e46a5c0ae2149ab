//! One number for each value of a variable: a curve for each roll and question, with the values on a true scale.

use super::super::axis::Axis;
use super::super::look::{Look, Theme};
use super::super::numbers::{Numbers, size};
use super::MARGIN;
use super::colour::Palette;
use super::paint::{self, Canvas, Weight};
use super::scale::Scale;
use super::sheet::{Heard, Legend, Page, Sheet};

/// The room left and right of the first and the last point.
const SIDE: f64 = 18.0;
/// A point needs this much room to have its value above it.
const VALUE: f64 = 36.0;

pub(super) fn chart(numbers: &Numbers, axis: &Axis, look: &Look, theme: Theme) -> String {
    let lines: Vec<(usize, usize)> = numbers.lines().collect();
    let titles: Vec<String> = lines.iter().map(|(roll, asked)| numbers.title(*roll, *asked)).collect();
    let legend = match titles.len() {
        1 => Legend::Said(vec![]),
        _ => Legend::Rolls(titles.iter().map(|title| (title.clone(), vec![])).collect()),
    };
    let heard = numbers.matrices().into_iter().map(|matrix| heard(numbers, &axis.name, matrix)).collect();
    let sheet = Sheet {
        title: numbers.heading(look),
        legend,
        lines: true,
        notes: notes(numbers),
        heard,
        palette: Palette::Distinct(lines.len()),
    };
    sheet.written(look, theme, &|page, top, canvas| draw(numbers, axis, &lines, (page, top), canvas))
}

/// How far the numbers can be trusted.
pub(super) fn notes(numbers: &Numbers) -> Vec<String> {
    match numbers.is_exact() {
        true => vec!["every number is exact, shown rounded".to_owned()],
        false => vec!["not every number is exact; CSV has the bounds".to_owned()],
    }
}

/// A table of numbers as it is heard.
pub(super) fn heard(numbers: &Numbers, title: &str, matrix: super::super::numbers::Matrix) -> Heard {
    let title = matrix.title.unwrap_or_else(|| title.to_owned());
    let cell = |cell: &Option<_>| cell.as_ref().map_or_else(String::new, |number| numbers.told(number));
    let rows = matrix.rows.iter().map(|(label, cells)| (label.clone(), cells.iter().map(cell).collect())).collect();
    Heard { title, heads: [matrix.corner].into_iter().chain(matrix.columns).collect(), rows }
}

fn draw(
    numbers: &Numbers,
    axis: &Axis,
    lines: &[(usize, usize)],
    (page, top): (&Page, f64),
    canvas: &mut Canvas,
) -> f64 {
    let sizes = lines.iter().flat_map(|(roll, asked)| {
        (0..axis.values.len()).filter_map(|case| Some(size(numbers.at(*roll, *asked, case)?)))
    });
    let largest = sizes.fold(0.0, f64::max);
    let words = if numbers.asked.len() == 1 { numbers.words(0) } else { "chance".to_owned() };
    let words = paint::cut(&words, page.width - 2.0 * MARGIN, 12.0);
    let scale = Scale::draw(largest, &words, page, (top, 6.0), canvas);
    let place = places(axis, &scale);
    for (at, (roll, asked)) in lines.iter().enumerate() {
        let point = |case: usize| Some((place(case), scale.y(size(numbers.at(*roll, *asked, case)?))));
        let points: Vec<(f64, f64)> = (0..axis.values.len()).filter_map(point).collect();
        if points.len() > 1 {
            canvas.curve(at, &points);
        }
        if scale.right - scale.left > 8.0 * axis.values.len() as f64 {
            points.iter().for_each(|point| canvas.mark(at, *point, true));
        }
    }
    if let ([(roll, asked)], true) = (lines, nearest(axis, &place) >= VALUE) {
        for case in 0..axis.values.len() {
            let Some(number) = numbers.at(*roll, *asked, case) else { continue };
            let at = (place(case), scale.y(size(number)) - 9.0);
            let value = paint::percent(size(number));
            canvas.text(at, value.trim_end_matches(" %"), "soft value", Weight::Middle);
        }
    }
    names(axis, &scale, &place, canvas);
    scale.below(&paint::cut(&axis.name, page.width / 2.0, 12.0), canvas)
}

/// Where the values are from left to right.
fn places<'a>(axis: &'a Axis, scale: &Scale) -> impl Fn(usize) -> f64 + use<'a> {
    let (left, right) = (scale.left + SIDE, scale.right - SIDE);
    let ends = (axis.values.iter().min().copied().unwrap_or(0), axis.values.iter().max().copied().unwrap_or(0));
    let span = i128::from(ends.1) - i128::from(ends.0);
    move |case| match axis.values.get(case) {
        Some(value) if span > 0 => {
            left + (i128::from(*value) - i128::from(ends.0)) as f64 / span as f64 * (right - left)
        }
        _ => f64::midpoint(left, right),
    }
}

/// The smallest distance of two points.
fn nearest(axis: &Axis, place: &dyn Fn(usize) -> f64) -> f64 {
    let mut places: Vec<f64> = (0..axis.values.len()).map(place).collect();
    places.sort_by(f64::total_cmp);
    places.windows(2).map(|two| two[1] - two[0]).fold(f64::MAX, f64::min)
}

/// The values below the axis, as many as there is room for.
fn names(axis: &Axis, scale: &Scale, place: &dyn Fn(usize) -> f64, canvas: &mut Canvas) {
    let mut cases: Vec<usize> = (0..axis.values.len()).collect();
    cases.sort_by_key(|case| axis.values[*case]);
    let widest = axis.values.iter().map(|value| paint::wide(&value.to_string(), 13.0)).fold(0.0, f64::max) + 10.0;
    // Every second, fifth or tenth value, so that those that are named are as far from each other.
    let close = nearest(axis, place).max(0.1);
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|every| *every as f64 * close >= widest);
    for case in cases.into_iter().step_by(every.unwrap_or(1000)) {
        let x = place(case);
        canvas.line((x, scale.floor()), (x, scale.floor() + 4.0), "axis");
        canvas.text((x, scale.floor() + 20.0), &axis.values[case].to_string(), "ink", Weight::Middle);
    }
}
