//! Approximate answers: the same table, marked with ≈ and with the interval instead of the fraction.

use super::explain::{grouped, wrapped};
use super::json::value;
use super::look::Look;
use super::series::Series;
use super::text::{self, trimmed};
use crate::approximate::{Approximate, ApproximateOutcome, ApproximatedBy};
use crate::ask::Answer;
use crate::prepared::Prepared;
use serde_json::{Map, Value as Json, json};
use tumble_core::Diagnostic;

/// The table of an approximate distribution; `why` says why there is no exact one.
pub fn text(prepared: &Prepared, near: &Approximate, why: &Diagnostic, all: bool) -> String {
    let answer = Answer::Approximate(near.clone(), why.clone());
    text::tables(&[Series::new(prepared.clone(), answer)], &Look { all, ..Look::default() })
}

/// What stands above and below the table of an approximate distribution.
pub(super) fn around(near: &Approximate, why: &Diagnostic, table: &str) -> String {
    let mut out = wrapped("", &format!("APPROXIMATE: {}", source(near)));
    out.push('\n');
    out.push_str(table);
    out.push('\n');
    let moments = moments(near);
    if !moments.is_empty() {
        out.push_str(&format!("{}\n", moments.join("   ")));
    }
    let unseen = near.unseen() * 100.0;
    let unseen = if unseen < 0.01 { format!("{unseen:.1e}") } else { format!("{unseen:.2}") };
    let count = match near.outcomes.len() {
        1 => "1 outcome".to_owned(),
        n => format!("{} outcomes", grouped(n as u64)),
    };
    out.push_str(&match (near.by, near.given_up()) {
        (ApproximatedBy::Rolls { .. }, None) => format!(
            "{count} seen; the ranges are 99 % confidence intervals, and\n\
             anything never seen has less than {unseen} %\n"
        ),
        (ApproximatedBy::Rolls { .. }, Some(_)) => format!(
            "{count} seen; the ranges are 99 % confidence intervals, whatever the abandoned\n\
             rolls would have shown; anything never seen has less than {unseen} %\n"
        ),
        (ApproximatedBy::Floats { .. }, _) => {
            format!("{count} listed; all others together have less than {unseen} %\n")
        }
    });
    out.push_str(&wrapped("", &format!("not exact, because of a limit: {}", why.message)));
    out
}

/// Mean and deviation, where there are any.
pub(super) fn moments(near: &Approximate) -> Vec<String> {
    let (Some(mean), Some(deviation)) = (near.mean, near.deviation) else { return vec![] };
    let error = near.mean_error().map(|error| format!(" (standard error {})", trimmed(&format!("{error:.4}"))));
    let (mean, deviation) = (trimmed(&format!("{mean:.4}")), trimmed(&format!("{deviation:.4}")));
    vec![format!("mean ≈ {mean}{}", error.unwrap_or_default()), format!("std dev ≈ {deviation}")]
}

/// Where the numbers come from, and how far they can be trusted.
pub(super) fn source(near: &Approximate) -> String {
    match near.by {
        ApproximatedBy::Rolls { rolls, seed, stopped, given_up } => {
            let stopped = if stopped { " (stopped early)" } else { "" };
            let given_up = match given_up {
                0 => String::new(),
                given_up => format!("; {} of them reached a limit and were abandoned", grouped(given_up)),
            };
            format!("counted in {} rolls{stopped}, seed {seed}{given_up}", grouped(rolls))
        }
        ApproximatedBy::Floats { relative, dropped } => {
            let besides = if dropped > 0.0 { format!(" plus {}", rounded_up(dropped)) } else { String::new() };
            format!("in floating point, with a relative error of at most {}{besides}", rounded_up(relative))
        }
    }
}

/// Two digits of a bound, never less than it.
fn rounded_up(bound: f64) -> String {
    let near = format!("{bound:.1e}");
    if near.parse::<f64>().is_ok_and(|near| near >= bound) { near } else { format!("{:.1e}", bound * 1.05) }
}

/// The fields of an approximate answer.
pub fn json(prepared: &Prepared, near: &Approximate, why: &Diagnostic) -> Map<String, Json> {
    let row = |outcome: &ApproximateOutcome| {
        let (low, high) = outcome.interval;
        json!([value(&outcome.value, prepared.notation()), outcome.share, [low, high]])
    };
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| drop(fields.insert(name.to_owned(), value));
    put("exact", json!(false));
    put("approximate", json!(true));
    let given_up = match near.by {
        ApproximatedBy::Rolls { rolls, given_up, seed, stopped } => {
            put("method", json!("sampling"));
            put("samples", json!(rolls));
            put("stopped", json!(stopped));
            put("seed", json!(seed));
            put("confidence", json!(0.99));
            given_up as f64 / rolls.max(1) as f64
        }
        ApproximatedBy::Floats { relative, dropped } => {
            put("method", json!("floating point"));
            put("relative_error", json!(relative));
            put("absolute_error", json!(dropped));
            0.0
        }
    };
    put("outcomes", near.outcomes.iter().map(row).collect());
    put("unresolved", json!(given_up));
    put("unseen", json!(near.unseen()));
    put("mean", json!(near.mean));
    put("mean_error", json!(near.mean_error()));
    put("variance", json!(near.deviation.map(|deviation| deviation * deviation)));
    put("because", json!(why.message));
    fields
}

/// About how many bytes the outcomes take when they are written.
pub(crate) fn written(near: &Approximate) -> usize {
    near.outcomes.iter().map(|outcome| 66 + super::json::value_written(&outcome.value)).sum()
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn a_bound_is_never_rounded_down() {
        for (bound, written) in
            [(2.94e-13, "3.1e-13"), (2.96e-13, "3.0e-13"), (1.01e-5, "1.1e-5"), (9.96e-30, "1.0e-29")]
        {
            assert_eq!(rounded_up(bound), written);
            assert!(rounded_up(bound).parse::<f64>().unwrap() >= bound);
        }
    }
}
