//! Markdown tables of numbers.
//!
//! ```text
//! | b \ dc | 10 | 15 |
//! |--:|--:|--:|
//! | **0** | 55.00 % | 30.00 % |
//! ```

use super::super::look::Look;
use super::super::markdown::{escaped, row};
use super::{Matrix, Numbers};
use tumble_core::Diagnostic;

/// All tables, each under what it shows.
#[expect(clippy::unnecessary_wraps, reason = "what every format has")]
pub(in super::super) fn tables(numbers: &Numbers, look: &Look) -> Result<Vec<u8>, Diagnostic> {
    let mut parts = Vec::new();
    if look.title.is_some() {
        parts.push(format!("### {}\n", escaped(&numbers.heading(look))));
    }
    parts.extend(numbers.matrices().iter().map(|matrix| table(numbers, matrix, look)));
    Ok(parts.join("\n").into_bytes())
}

fn table(numbers: &Numbers, matrix: &Matrix, look: &Look) -> String {
    let mut out = matrix.title.as_ref().map_or_else(String::new, |title| format!("{}\n\n", escaped(title)));
    let numeric = !numbers.axes.is_empty();
    out.push_str(&row(escaped(&matrix.corner), matrix.columns.iter().map(|head| escaped(head)).collect()));
    out.push_str(&format!("|{}|{}\n", if numeric { "--:" } else { ":--" }, "--:|".repeat(matrix.columns.len())));
    for (label, cells) in &matrix.rows {
        let label = if numeric { format!("**{label}**") } else { escaped(label) };
        let cell = |cell: &Option<_>| cell.as_ref().map_or_else(String::new, |number| numbers.cell(number, look));
        out.push_str(&row(label, cells.iter().map(cell).collect()));
    }
    out
}
