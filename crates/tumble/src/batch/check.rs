//! `"do":"check"`: everything that is wrong with a roll or a script, and what a script offers; `"do":"notations"`: what can
//! be written at all.
//!
//! ```text
//! {"do":"check","text":"4d6k3h"}
//! {"ok":true,"sound":false,"problems":[{"level":"error","code":"syntax","message":…,"start":5,"end":6,"hint":…}]}
//!
//! {"do":"check","program":"defroll …","tokens":true,"at":8}
//! {"ok":true,"sound":true,"problems":[],"schema":{…},"tokens":[[0,7,"keyword"],…],"completions":[…]}
//! ```

use super::fields::Fields;
use super::request::Request;
use crate::render::json as wire;
use crate::script::{Completion, Script, completions, problems, schema, tokens};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Code, Diagnostic};
use tumble_syntax::{DIALECTS, NOTATIONS, Notation, Piece};

/// The fields of a request to check a script.
const SCRIPT: &[&str] = &["id", "do", "program", "strict", "tokens", "at"];

/// Checks a roll.
pub(super) fn roll(fields: &Fields) -> Result<Json, Diagnostic> {
    fields.check("check")?;
    let request = Request::of_roll(fields)?;
    let (sound, level, found) = match request.prepare() {
        Ok(prepared) => (true, "warning", prepared.warnings().to_vec()),
        // A notation that does not exist is a mistake of the request and not of the expression.
        Err(errors) if errors.all().iter().any(|error| error.code == Code::Request) => return Err(errors.first()),
        Err(errors) => (false, "error", errors.all().to_vec()),
    };
    let problems: Vec<Json> = found.iter().map(|problem| leveled(level, problem)).collect();
    Ok(json!({ "ok": true, "sound": sound, "problems": problems }))
}

fn leveled(level: &str, problem: &Diagnostic) -> Json {
    let mut fields = Map::from_iter([("level".to_owned(), json!(level))]);
    if let Json::Object(more) = wire::diagnostic(problem) {
        fields.extend(more);
    }
    Json::Object(fields)
}

/// Checks a script.
pub(super) fn script(fields: &Fields) -> Result<Json, Diagnostic> {
    fields.only(SCRIPT)?;
    let text = fields.text("program")?.unwrap_or_default();
    let script = Script::read(&text, fields.truth("strict")?);
    let mut answer = Map::new();
    answer.insert("ok".into(), json!(true));
    answer.insert("sound".into(), json!(script.is_sound()));
    answer.insert("problems".into(), problems(&script));
    answer.insert("schema".into(), schema(&script));
    if fields.truth("tokens")? {
        let each = tokens(&text).into_iter().map(|(span, class)| json!([span.start, span.end, class.name()]));
        answer.insert("tokens".into(), each.collect());
    }
    if let Some(at) = fields.count("at", 0, u64::from(u32::MAX))? {
        let found = completions(&text, at as usize);
        answer.insert("completions".into(), found.iter().map(completion).collect());
    }
    Ok(Json::Object(answer))
}

fn completion(found: &Completion) -> Json {
    json!({ "text": found.text, "class": found.class.name(), "detail": found.detail, "doc": found.doc })
}

/// All notations, with everything that can be written in them.
pub(super) fn notations(fields: &Fields) -> Result<Json, Diagnostic> {
    fields.only(&["id", "do"])?;
    let rows = NOTATIONS.iter().map(|row| (row, false)).chain(DIALECTS.iter().map(|row| (row, true)));
    let all: Vec<Json> = rows.map(|(row, dialect)| notation(row, dialect)).collect();
    Ok(json!({ "ok": true, "notations": all }))
}

fn notation(row: &Notation, dialect: bool) -> Json {
    let reference: Vec<Json> = row.reference.iter().map(piece).collect();
    json!({
        "name": row.name, "description": row.description, "dialect": dialect, "examples": row.examples,
        "reference": reference,
    })
}

fn piece(piece: &Piece) -> Json {
    let Piece { group, spelling, meaning, example } = piece;
    json!({ "group": group, "spelling": spelling, "meaning": meaning, "example": example })
}
