//! One object for each number, a line each.
//!
//! ```text
//! {"roll":"d20 + @b","sweep":{"b":0},"question":"at least 15","probability":"3/10","about":0.3}
//! ```

use super::super::chance::number_fields;
use super::super::look::Look;
use super::{Numbers, Unit};
use serde_json::{Map, Value as Json, json};
use tumble_core::Diagnostic;

/// All numbers.
#[expect(clippy::unnecessary_wraps, reason = "what every format has")]
pub(in super::super) fn objects(numbers: &Numbers, _: &Look) -> Result<Vec<u8>, Diagnostic> {
    let mut out = String::new();
    for (roll, asked) in numbers.lines() {
        for case in 0..numbers.cases() {
            let Some(number) = numbers.at(roll, asked, case) else { continue };
            let mut fields = Map::from_iter([("roll".to_owned(), json!(numbers.rolls[roll]))]);
            let mut rest = case;
            let values = numbers.axes.iter().rev().map(|axis| {
                let value = axis.values[rest % axis.values.len()];
                rest /= axis.values.len();
                (axis.name.clone(), json!(value))
            });
            let mut values: Vec<(String, Json)> = values.collect();
            values.reverse();
            if !values.is_empty() {
                fields.insert("sweep".into(), Json::Object(values.into_iter().collect()));
            }
            fields.insert("question".into(), json!(numbers.asked[asked]));
            let known = number_fields(number).into_iter();
            fields.extend(known.map(|(name, value)| match (numbers.unit, name.as_str()) {
                (Unit::Mean, "probability") => ("mean".to_owned(), value),
                _ => (name, value),
            }));
            out.push_str(&format!("{}\n", Json::Object(fields)));
        }
    }
    Ok(out.into_bytes())
}
