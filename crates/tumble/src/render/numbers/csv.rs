//! Comma-separated values, one line for each number, in the long form that spreadsheets pivot.
//!
//! ```text
//! roll,b,dc,question,fraction,probability
//! d20 + @b >= @dc,0,10,success,11/20,0.55
//! ```
//!
//! A mean has the columns `fraction` and `mean`. Where a number is not exact, `low` and `high` have its bounds.

use super::super::chance::Chance;
use super::super::csv::record;
use super::super::look::Look;
use super::{Numbers, Unit, size};
use serde_json::json;
use tumble_core::Diagnostic;

/// All numbers with their head.
#[expect(clippy::unnecessary_wraps, reason = "what every format has")]
pub(in super::super) fn lines(numbers: &Numbers, _: &Look) -> Result<Vec<u8>, Diagnostic> {
    let bounds = numbers.cells.iter().flatten().any(|cell| !matches!(cell, Chance::Exact(_)));
    let mut head = vec!["roll".to_owned()];
    head.extend(numbers.axes.iter().map(|axis| axis.name.clone()));
    head.extend(match numbers.unit {
        Unit::Chance => ["question", "fraction", "probability"].map(str::to_owned).to_vec(),
        Unit::Mean => ["fraction", "mean"].map(str::to_owned).to_vec(),
    });
    if bounds {
        head.extend(["low".to_owned(), "high".to_owned()]);
    }
    let mut out = record(&head);
    for (roll, asked) in numbers.lines() {
        for case in 0..numbers.cases() {
            let Some(number) = numbers.at(roll, asked, case) else { continue };
            let mut fields = vec![numbers.rolls[roll].clone()];
            fields.extend(values(numbers, case));
            if numbers.unit == Unit::Chance {
                fields.push(numbers.asked[asked].clone());
            }
            fields.extend(number_fields(number, bounds));
            out.push_str(&record(&fields));
        }
    }
    Ok(out.into_bytes())
}

/// The values of the variables in a case.
fn values(numbers: &Numbers, case: usize) -> Vec<String> {
    let mut rest = case;
    let mut values: Vec<String> = Vec::new();
    for axis in numbers.axes.iter().rev() {
        values.push(axis.values[rest % axis.values.len()].to_string());
        rest /= axis.values.len();
    }
    values.reverse();
    values
}

fn number_fields(number: &Chance, bounds: bool) -> Vec<String> {
    let float = |size: f64| json!(size).to_string();
    let (mut fields, ends) = match number {
        Chance::Exact(fraction) => (vec![fraction.to_string(), float(size(number))], [String::new(), String::new()]),
        Chance::Between(low, high) => (vec![String::new(), String::new()], [float(low.to_f64()), float(high.to_f64())]),
        Chance::Approximate(share, (low, high)) => (vec![String::new(), float(*share)], [float(*low), float(*high)]),
    };
    if bounds {
        fields.extend(ends);
    }
    fields
}
