//! A grid of numbers as a heat map: the larger a number, the stronger the colour of its cell, with a scale below.
//!
//! ```text
//!            dc
//!  b      10   11   12
//!  0      55   50   45       several grids are below each other, with one scale for all
//!  1      60   55   50
//! ```

use super::super::look::{Look, Theme};
use super::super::numbers::{Matrix, Numbers, Unit, size};
use super::MARGIN;
use super::colour::{Palette, STEPS};
use super::curve::{heard, notes};
use super::paint::{self, Canvas, Weight};
use super::sheet::{Legend, Page, Sheet};

/// The height of a cell, and its largest width.
const HIGH: f64 = 27.0;
const WIDEST: f64 = 74.0;
/// The room between cells.
const GAP: f64 = 1.5;
/// What is above the cells of a grid: the names of the columns, and what they are.
const ABOVE: f64 = 42.0;
/// What is below all of them: the scale.
const BELOW: f64 = 46.0;

pub(super) fn chart(numbers: &Numbers, look: &Look, theme: Theme) -> String {
    let matrices = numbers.matrices();
    let heard = numbers.matrices().into_iter().map(|matrix| heard(numbers, "", matrix)).collect();
    let range = range(numbers, &matrices);
    let sheet = Sheet {
        title: numbers.heading(look),
        legend: Legend::Said(vec![]),
        lines: false,
        notes: notes(numbers),
        heard,
        palette: Palette::Heat,
    };
    sheet.written(look, theme, &|page, top, canvas| {
        let below = draw(numbers, &matrices, range, (page, top), canvas);
        scale(numbers, range, (page, below), canvas)
    })
}

/// The numbers at the ends of the scale.
fn range(numbers: &Numbers, matrices: &[Matrix]) -> (f64, f64) {
    let sizes = || matrices.iter().flat_map(|one| &one.rows).flat_map(|(_, cells)| cells).flatten().map(size);
    let (least, most) = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
    match numbers.unit {
        _ if least > most => (0.0, 1.0),
        // A chance is large or small of itself; a mean only beside others.
        Unit::Chance => (0.0, most.max(f64::MIN_POSITIVE)),
        Unit::Mean => (least, most),
    }
}

fn step(size: f64, (least, most): (f64, f64)) -> usize {
    if most > least { ((size - least) / (most - least) * STEPS as f64).round() as usize } else { STEPS / 2 }
}

/// Draws all grids, and tells where they end.
fn draw(
    numbers: &Numbers,
    matrices: &[Matrix],
    range: (f64, f64),
    (page, top): (&Page, f64),
    canvas: &mut Canvas,
) -> f64 {
    let rows: usize = matrices.iter().map(|matrix| matrix.rows.len()).sum();
    let several = matrices.len() > 1;
    let around = matrices.len() as f64 * (ABOVE + if several { 26.0 } else { 0.0 }) + BELOW;
    let high = page.plot.map_or(HIGH, |plot| ((plot - around) / rows.max(1) as f64).max(4.0));
    let mut y = top - 8.0;
    for matrix in matrices {
        if let Some(title) = matrix.title.as_ref().filter(|_| several) {
            canvas.text(
                (MARGIN, y + 8.0),
                &paint::cut(title, page.width - 2.0 * MARGIN, 13.5),
                "ink name",
                Weight::Start,
            );
            y += 26.0;
        }
        y = grid(numbers, matrix, range, (page, y, high), canvas);
    }
    y
}

fn grid(
    numbers: &Numbers,
    matrix: &Matrix,
    range: (f64, f64),
    (page, top, high): (&Page, f64, f64),
    canvas: &mut Canvas,
) -> f64 {
    let (down, across) = matrix.corner.split_once(" \\ ").unwrap_or((&matrix.corner, ""));
    let down = paint::cut(down, page.width / 4.0, 12.0);
    let names = matrix.rows.iter().map(|(label, _)| paint::wide(label, 13.0)).fold(paint::wide(&down, 12.0), f64::max);
    let left = MARGIN + names + 10.0;
    let room = page.width - MARGIN - left;
    let wide = (room / matrix.columns.len().max(1) as f64).min(WIDEST);
    let middle = left + wide * matrix.columns.len() as f64 / 2.0;
    canvas.text((middle, top + 6.0), &paint::cut(across, room, 12.0), "soft small", Weight::Middle);
    canvas.text((left - 10.0, top + 28.0), &down, "soft small", Weight::End);
    let widest = matrix.columns.iter().map(|head| paint::wide(head, 13.0)).fold(0.0, f64::max) + 6.0;
    let every = (widest / wide).ceil().max(1.0) as usize;
    for (place, head) in matrix.columns.iter().enumerate().step_by(every) {
        canvas.text((left + wide * (place as f64 + 0.5), top + 28.0), head, "ink", Weight::Middle);
    }
    let short = |size: f64| told(numbers.unit, size, wide);
    let roomy = wide >= 44.0 && high >= 20.0;
    let rows_apart = (17.0 / high).ceil().max(1.0) as usize;
    let mut y = top + ABOVE - 6.0;
    for (place, (label, cells)) in matrix.rows.iter().enumerate() {
        if place % rows_apart == 0 {
            canvas.text((left - 10.0, y + high / 2.0 + 4.5), label, "ink", Weight::End);
        }
        for (column, number) in cells.iter().enumerate().filter_map(|(column, number)| Some((column, number.as_ref()?)))
        {
            let (step, x) = (step(size(number), range), left + wide * column as f64);
            let about = format!("{} = {label}, {across} = {}: {}", down, matrix.columns[column], numbers.told(number));
            canvas.cell(step, (x, y), (wide - GAP, high - GAP), &about);
            if let Some(short) = short(size(number)).filter(|_| high >= 13.0) {
                let at = (x + (wide - GAP) / 2.0, y + high / 2.0 + if roomy { 4.0 } else { 3.5 });
                let class = if roomy { format!("t{step}") } else { format!("t{step} value") };
                canvas.text(at, &short, &class, Weight::Middle);
            }
        }
        y += high;
    }
    y + 6.0
}

/// A number with as many digits as there is room for.
fn told(unit: Unit, size: f64, room: f64) -> Option<String> {
    let percent = size * 100.0 + 1e-9;
    let long = match unit {
        Unit::Chance => paint::percent(size).trim_end_matches(" %").to_owned(),
        Unit::Mean => format!("{size:.2}"),
    };
    let short = match unit {
        Unit::Chance if size > 0.0 && percent < 0.5 => "<1".to_owned(),
        Unit::Chance if size < 1.0 && percent >= 99.5 => ">99".to_owned(),
        Unit::Chance => format!("{percent:.0}"),
        Unit::Mean => format!("{size:.1}"),
    };
    let whole = long.strip_suffix(".0").map(str::to_owned);
    [whole.unwrap_or(long), short].into_iter().find(|told| paint::wide(told, 11.0) + 4.0 <= room)
}

/// The scale of the colours; where the plot ends.
fn scale(numbers: &Numbers, (least, most): (f64, f64), (page, top): (&Page, f64), canvas: &mut Canvas) -> f64 {
    let end = |size: f64| match numbers.unit {
        Unit::Chance => paint::percent(size),
        Unit::Mean => format!("{size:.2}"),
    };
    let (low, high) = (end(least), end(most));
    let words = if numbers.asked.len() == 1 { numbers.words(0) } else { "chance".to_owned() };
    let left = MARGIN + paint::wide(&low, 12.0) + 8.0;
    let wide = (page.width / 4.0 / (STEPS + 1) as f64).max(3.0);
    let y = top + 12.0;
    canvas.text((MARGIN, y + 10.0), &low, "soft small", Weight::Start);
    for step in 0..=STEPS {
        canvas.cell(step, (left + wide * step as f64, y), (wide + 0.3, 12.0), "");
    }
    let right = left + wide * (STEPS + 1) as f64 + 8.0;
    let told = format!("{high}   {words}");
    canvas.text((right, y + 10.0), &paint::cut(&told, page.width - MARGIN - right, 12.0), "soft small", Weight::Start);
    y + 20.0
}
