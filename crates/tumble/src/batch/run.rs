//! A request to run a script, from the fields of a line.

use super::fields::Fields;
use super::refused;
use crate::script::RunRequest;
use serde_json::Value as Json;
use std::collections::HashMap;
use tumble_core::Diagnostic;

/// Reads the request.
pub(super) fn read(fields: &Fields) -> Result<RunRequest, Diagnostic> {
    fields.check("run")?;
    let missing = || refused("missing `program`").hint("`program` is the text of a script");
    let answers = match fields.get("answers") {
        None => HashMap::new(),
        Some(Json::Object(answers)) => answers.iter().map(|(path, answer)| (path.clone(), answer.clone())).collect(),
        Some(_) => return Err(refused("`answers` must be an object of paths and answers")),
    };
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
        program: fields.text("program")?.ok_or_else(missing)?,
        entry: fields.text("entry")?,
        args: fields.get("args").cloned().unwrap_or(Json::Null),
        answers,
        dice: fields.get("dice").cloned().unwrap_or(Json::Null),
        edits,
        feed: feed.ok_or_else(|| refused("`feed` must be an array of whole numbers, such as [3,5,6,1]"))?,
        seed: fields.count("seed", 0, u64::MAX)?,
        version: fields.text("version")?,
        strict: fields.truth("strict")?,
    })
}
