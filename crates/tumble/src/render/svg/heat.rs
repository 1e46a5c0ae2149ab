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
const WIDEST: f64 = 110.0;
/// All cells together are at most so high, unless there are very many.
const HIGHEST: f64 = 2400.0;
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
    let rows = rows.max(1) as f64;
    let high = page.plot.map_or((HIGHEST / rows).clamp(1.0, HIGH), |plot| ((plot - around) / rows).max(1.0));
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
    heads(matrix, (left, top + 28.0), wide, canvas);
    let digits = Digits::of(numbers.unit, matrix, wide);
    let gap = if high.min(wide) > 4.0 * GAP { GAP } else { 0.0 };
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
            canvas.cell(step, (x, y), (wide - gap, high - gap), &about);
            if digits != Digits::None && high >= 13.0 {
                let at = (x + (wide - gap) / 2.0, y + high / 2.0 + if roomy { 4.0 } else { 3.5 });
                let class = if roomy { format!("t{step}") } else { format!("t{step} value") };
                canvas.text(at, &digits.told(numbers.unit, size(number)), &class, Weight::Middle);
            }
        }
        y += high;
    }
    y + 22.0
}

/// The values across, as many as there is room for.
fn heads(matrix: &Matrix, (left, y): (f64, f64), wide: f64, canvas: &mut Canvas) {
    let widest = matrix.columns.iter().map(|head| paint::wide(head, 13.0)).fold(0.0, f64::max) + 6.0;
    let every = (widest / wide).ceil().max(1.0) as usize;
    for (place, head) in matrix.columns.iter().enumerate().step_by(every) {
        canvas.text((left + wide * (place as f64 + 0.5), y), head, "ink", Weight::Middle);
    }
}

/// How the numbers of a grid are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// So many decimals, and more for a small chance.
    Decimals(usize),
    /// No decimals, or one for a mean.
    Few,
    None,
}

impl Digits {
    /// As many digits as all numbers need and there is room for.
    fn of(unit: Unit, matrix: &Matrix, room: f64) -> Digits {
        let sizes = || matrix.rows.iter().flat_map(|(_, cells)| cells).flatten().map(size);
        let scale = if unit == Unit::Chance { 100.0 } else { 1.0 };
        let round = |decimals: &usize| {
            let shown = 10f64.powi(*decimals as i32) * scale;
            sizes().all(|size| (size * shown - (size * shown).round()).abs() < 1e-6)
        };
        let most = if unit == Unit::Chance { 1 } else { 2 };
        let decimals = Digits::Decimals((0..most).find(round).unwrap_or(most));
        let fits = |digits: &Digits| sizes().all(|size| paint::wide(&digits.told(unit, size), 11.0) + 4.0 <= room);
        [decimals, Digits::Few].into_iter().find(fits).unwrap_or(Digits::None)
    }

    fn told(self, unit: Unit, size: f64) -> String {
        let percent = size * 100.0 + 1e-9;
        match (self, unit) {
            (Digits::None, _) => String::new(),
            (Digits::Decimals(0), Unit::Chance) => format!("{percent:.0}"),
            (Digits::Decimals(_), Unit::Chance) => paint::percent(size).trim_end_matches(" %").to_owned(),
            (Digits::Decimals(decimals), Unit::Mean) => format!("{size:.decimals$}"),
            (Digits::Few, Unit::Chance) if size > 0.0 && percent < 0.5 => "<1".to_owned(),
            (Digits::Few, Unit::Chance) if size < 1.0 && percent >= 99.5 => ">99".to_owned(),
            (Digits::Few, Unit::Chance) => format!("{percent:.0}"),
            (Digits::Few, Unit::Mean) => format!("{size:.1}"),
        }
    }
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
    let y = top - 4.0;
    canvas.text((MARGIN, y + 10.0), &low, "soft small", Weight::Start);
    for step in 0..=STEPS {
        canvas.cell(step, (left + wide * step as f64, y), (wide + 0.3, 12.0), "");
    }
    let right = left + wide * (STEPS + 1) as f64 + 8.0;
    let told = format!("{high}   {words}");
    canvas.text((right, y + 10.0), &paint::cut(&told, page.width - MARGIN - right, 12.0), "soft small", Weight::Start);
    y + 20.0
}
