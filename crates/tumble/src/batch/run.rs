//! A request to run a script, from the fields of a line.

use super::fields::Fields;
use super::refused;
use super::script::answered;
use crate::script::RunRequest;
use serde_json::Value as Json;
use tumble_core::Diagnostic;

/// Reads the request.
pub(super) fn read(fields: &Fields) -> Result<RunRequest, Diagnostic> {
    fields.check("run")?;
    request(fields)
}

/// The same, whatever else is asked.
pub(super) fn request(fields: &Fields) -> Result<RunRequest, Diagnostic> {
    let edits = match fields.get("edits") {
        None => vec![],
        Some(Json::Array(edits)) => edits.clone(),
        Some(_) => return Err(refused("`edits` must be an array")),
    };
    let feed = match fields.get("feed") {
        None => Some(vec![]),
        Some(values) => values.as_array().and_then(|all| all.iter().map(Json::as_i64).collect()),
    };
    Ok(RunRequest {
        program: fields.text("program")?.ok_or_else(no_program)?,
        entry: fields.text("entry")?,
        args: fields.get("args").cloned().unwrap_or(Json::Null),
        answers: answered(fields)?,
        dice: fields.get("dice").cloned().unwrap_or(Json::Null),
        edits,
        feed: feed.ok_or_else(|| refused("`feed` must be an array of whole numbers, such as [3,5,6,1]"))?,
        seed: fields.count("seed", 0, u64::MAX)?,
        version: fields.text("version")?,
        strict: fields.truth("strict")?,
    })
}

/// There is nothing to ask about.
pub(super) fn no_program() -> Diagnostic {
    refused("missing `program`").hint("`program` is the text of a script")
}
