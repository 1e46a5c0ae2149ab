//! A page with tables of numbers: bars for a list or a curve, colours for a grid.

use super::super::html::{escaped, framed};
use super::super::look::Look;
use super::{Matrix, Numbers, size};
use tumble_core::Diagnostic;

/// The page.
#[expect(clippy::unnecessary_wraps, reason = "what every format has")]
pub(in super::super) fn page(numbers: &Numbers, look: &Look) -> Result<Vec<u8>, Diagnostic> {
    let sizes = || numbers.cells.iter().flatten().map(size);
    let largest = sizes().fold(0.0, f64::max);
    let least = if numbers.axes.len() > 1 { sizes().fold(largest, f64::min) } else { 0.0 };
    let matrices = numbers.matrices();
    let several = matrices.len() > 1;
    let tables = matrices.iter().map(|matrix| table(numbers, matrix, (least, largest), several, look));
    Ok(framed(&numbers.heading(look), look, &tables.collect::<String>()).into_bytes())
}

fn table(numbers: &Numbers, matrix: &Matrix, (least, most): (f64, f64), titled: bool, look: &Look) -> String {
    let grid = numbers.axes.len() > 1;
    let property = if grid { "heat" } else { "size" };
    let caption = matrix.title.as_ref().filter(|_| titled);
    let caption = caption.map(|title| format!("<caption>{}</caption>\n", escaped(title))).unwrap_or_default();
    let head = |text: &str| format!("<th scope=\"col\">{}</th>", escaped(text));
    let heads: String = matrix.columns.iter().map(|column| head(column)).collect();
    let share = |size: f64| if most > least { (size - least) / (most - least) } else { 0.0 };
    let cell = |cell: &Option<_>| match cell {
        None => "<td></td>".to_owned(),
        Some(number) => format!(
            "<td style=\"--{property}: {:.4}\"><span class=\"data\">{}</span></td>",
            share(size(number)),
            escaped(&numbers.cell(number, look))
        ),
    };
    let row = |(label, cells): &(String, Vec<Option<_>>)| {
        let cells: String = cells.iter().map(cell).collect();
        format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped(label))
    };
    let rows: String = matrix.rows.iter().map(row).collect();
    let class = if grid { " class=\"grid\"" } else { "" };
    format!(
        "<table{class}>\n{caption}<thead>\n<tr>{}{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        head(&matrix.corner)
    )
}
