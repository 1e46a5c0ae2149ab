//! Tables in Markdown that can also be read as they are, and the words for times and ratios.

/// A table; the first row is its head. All columns but the first are aligned to the right if they
/// hold numbers.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let Some(head) = rows.first() else { return String::new() };
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0).max(3)).collect();
    let right: Vec<bool> = (0..head.len()).map(|column| numeric(&rows[1..], column)).collect();
    let mut out = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cells = widths.iter().zip(&right).enumerate().map(|(column, (width, right))| {
            let cell = row.get(column).map_or("", String::as_str);
            if *right { format!(" {cell:>width$} ") } else { format!(" {cell:<width$} ") }
        });
        out.push_str(&format!("|{}|\n", cells.collect::<Vec<_>>().join("|")));
        if at == 0 {
            let rule = |(width, right): (&usize, &bool)| {
                if *right { format!("{}:", "-".repeat(width + 1)) } else { "-".repeat(width + 2) }
            };
            out.push_str(&format!("|{}|\n", widths.iter().zip(&right).map(rule).collect::<Vec<_>>().join("|")));
        }
    }
    out
}

/// Whether most cells of a column are short and begin with a digit.
fn numeric(rows: &[Vec<String>], column: usize) -> bool {
    let cells = || rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
    let short = |cell: &&String| cell.chars().count() <= 12;
    let digits = |cell: &&String| cell.starts_with(|c: char| c.is_ascii_digit() || "+-<>".contains(c));
    let digits = cells().filter(short).filter(digits).count();
    column > 0 && digits * 2 > cells().count()
}

/// A time with three digits.
pub(super) fn span(seconds: f64) -> String {
    if seconds < 999.5e-6 {
        format!("{} µs", three_digits(seconds * 1e6))
    } else if seconds < 0.9995 {
        format!("{} ms", three_digits(seconds * 1e3))
    } else {
        format!("{} s", three_digits(seconds))
    }
}

/// A number with three digits, or all of those before the point.
pub(super) fn three_digits(number: f64) -> String {
    match number.abs() {
        size if size < 9.995 => format!("{number:.2}"),
        size if size < 99.95 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// The geometric mean; none of nothing.
pub(super) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.is_empty() {
        return None;
    }
    Some((ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
}

/// The middle of the sorted numbers, the lower one of two; none of nothing.
pub(super) fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

/// The smallest number; none of nothing.
pub(super) fn best(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().min_by(f64::total_cmp)
}

/// A row made of anything that can be shown.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(super) use row;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let rows = [row!["job", "ours", "why"], row!["a", "10 µs", "b"], row!["long name", "2 s", ""]];
        let expected = "\
| job       |  ours | why |
|-----------|------:|-----|
| a         | 10 µs | b   |
| long name |   2 s |     |
";
        assert_eq!(table(&rows), expected);
        assert_eq!(table(&[]), "");
    }

    #[test]
    fn times_have_three_digits() {
        for (seconds, text) in [
            (0.0000004, "0.40 µs"),
            (0.0000417, "41.7 µs"),
            (0.000999, "999 µs"),
            (0.0009999, "1.00 ms"),
            (0.0123, "12.3 ms"),
            (0.9999, "1.00 s"),
            (1234.5, "1234 s"),
        ] {
            assert_eq!(span(seconds), text);
        }
    }

    #[test]
    fn means_and_medians() {
        assert!((geometric_mean(&[1.0, 10.0, 100.0]).unwrap() - 10.0).abs() < 1e-9);
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!((median(&[]), best(&[])), (None, None));
        assert_eq!(best(&[3.0, 1.0, 2.0]), Some(1.0));
    }
}
