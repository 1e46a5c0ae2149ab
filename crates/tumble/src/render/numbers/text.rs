//! Grids on a terminal.
//!
//! ```text
//! d20 + @b >= @dc: chance of success, in percent
//! b \ dc  10  11
//!      0  55  50
//! ```
//!
//! Decimals are left out where all of them are zeros.

use super::super::look::Look;
use super::super::sweep::{Line, blocks};
use super::{Matrix, Numbers, Unit, fraction};
use tumble_core::Diagnostic;

/// All grids, one after the other.
#[expect(clippy::unnecessary_wraps, reason = "what every format has")]
pub(in super::super) fn tables(numbers: &Numbers, look: &Look) -> Result<Vec<u8>, Diagnostic> {
    let tables: Vec<String> = numbers.matrices().iter().map(|matrix| table(numbers, matrix, look)).collect();
    Ok(tables.join("\n").into_bytes())
}

fn table(numbers: &Numbers, matrix: &Matrix, look: &Look) -> String {
    let unit = match numbers.unit {
        _ if look.wants_fractions() => "",
        Unit::Chance => ", in percent",
        Unit::Mean => "",
    };
    let title = matrix.title.as_ref().map_or_else(String::new, |title| format!("{title}{unit}\n"));
    let mut lines: Vec<Line> = vec![(matrix.corner.clone(), matrix.columns.clone())];
    // Chances on a d20 or a d100 are whole, and more of them fit without their zeros.
    let whole =
        matrix.rows.iter().flat_map(|(_, cells)| cells).flatten().all(|one| numbers.figure(one).ends_with(".00"));
    let cell = |number: &Option<_>| match number {
        None => String::new(),
        Some(number) => match fraction(number, look).filter(|_| look.wants_fractions()) {
            Some(fraction) => fraction,
            None if whole => numbers.figure(number).trim_end_matches(".00").to_owned(),
            None => numbers.figure(number),
        },
    };
    lines.extend(matrix.rows.iter().map(|(label, cells)| (label.clone(), cells.iter().map(cell).collect())));
    format!("{title}{}", blocks(&lines, None, look.width))
}
