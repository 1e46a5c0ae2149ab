//! Approximate answers: the same table, marked with ≈ and with the interval in place of the fraction.

use super::explain::{grouped, wrapped};
use super::json::value;
use super::table;
use super::text::trimmed;
use crate::near::{Near, NearOutcome};
use crate::prepared::Prepared;
use serde_json::{Map, Value as Json, json};
use tumble_core::Diagnostic;

/// The table of an approximate distribution; `why` says why there is no exact one.
pub fn text(prepared: &Prepared, near: &Near, why: &Diagnostic, all: bool) -> String {
    let rolls = grouped(near.rolls);
    let stopped = if near.stopped { " (stopped early)" } else { "" };
    let mut out = format!("APPROXIMATE: counted in {rolls} rolls{stopped}, seed {}\n\n", near.seed);
    out.push_str(&table::near(prepared, near, all));
    out.push('\n');
    if let (Some((mean, error)), Some(deviation)) = (near.mean, near.deviation) {
        let (mean, error) = (trimmed(&format!("{mean:.4}")), trimmed(&format!("{error:.4}")));
        out.push_str(&format!("mean ≈ {mean} (standard error {error})   deviation ≈ {deviation:.4}\n"));
    }
    let unseen = near.unseen() * 100.0;
    let unseen = if unseen < 0.01 { format!("{unseen:.1e}") } else { format!("{unseen:.2}") };
    let count = grouped(near.outcomes.len() as u64);
    out.push_str(&format!("{count} outcomes seen; the ranges hold the true value in 99 of 100 cases,\n"));
    out.push_str(&format!("and what was never seen has less than {unseen} %\n"));
    out.push_str(&wrapped("", &format!("not exact, because of a limit: {}", why.message)));
    out
}

/// The fields of an approximate answer.
pub fn json(prepared: &Prepared, near: &Near, why: &Diagnostic) -> Map<String, Json> {
    let row = |outcome: &NearOutcome| {
        let (low, high) = outcome.interval;
        json!([value(&outcome.value, prepared.notation()), outcome.share, [low, high]])
    };
    let mut fields = Map::new();
    fields.insert("exact".into(), json!(false));
    fields.insert("approximate".into(), json!(true));
    fields.insert("method".into(), json!("sampling"));
    fields.insert("samples".into(), json!(near.rolls));
    fields.insert("stopped".into(), json!(near.stopped));
    fields.insert("seed".into(), json!(near.seed));
    fields.insert("confidence".into(), json!(0.99));
    fields.insert("outcomes".into(), near.outcomes.iter().map(row).collect());
    fields.insert("unresolved".into(), json!(near.given_up as f64 / near.rolls.max(1) as f64));
    fields.insert("mean".into(), json!(near.mean.map(|(mean, _)| mean)));
    fields.insert("mean_error".into(), json!(near.mean.map(|(_, error)| error)));
    fields.insert("variance".into(), json!(near.deviation.map(|deviation| deviation * deviation)));
    fields.insert("unseen".into(), json!(near.unseen()));
    fields.insert("because".into(), json!(why.message));
    fields
}

/// About how many bytes the outcomes take when they are written.
pub(crate) fn written(near: &Near) -> usize {
    near.outcomes.iter().map(|outcome| 66 + super::json::value_written(&outcome.value)).sum()
}
