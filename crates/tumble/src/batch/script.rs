//! Requests about scripts: `"do":"run"`, `"odds"` with `program`, `"best"` and `"worth"`.
//!
//! ```text
//! {"do":"odds","program":"defroll …","args":{…},"say":[{"owner":"Ann","prompt":"Reroll?","value":true}]}
//! {"do":"best","program":"defroll …","goal":{"at_least":20},"minimise":["Goblin"],"decisions":10}
//! {"do":"worth","program":"defroll …","dice":{…},"path":"ru","then":"best"}
//! ```

use super::fields::{Fields, chosen};
use super::{Settings, refused, run};
use crate::render::json;
use crate::script::{self, Aim, Players, Said, Script, ScriptQuery, Wish, answers};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use tumble_core::{Diagnostic, Span};
use tumble_roll::Seeded;

/// The fields of a request for best play.
const BEST: &[&str] = &[
    "id",
    "do",
    "program",
    "entry",
    "args",
    "answers",
    "say",
    "field",
    "strict",
    "goal",
    "minimise",
    "fixed",
    "decisions",
];

/// The fields of a request for what answers are worth: those of a run, and these.
const WORTH: &[&str] = &["path", "goal", "then", "minimise", "fixed", "field"];

/// The most decisions after the first.
const MOST_DECISIONS: u64 = 1000;

/// Best play.
pub(super) fn best(fields: &Fields, settings: &Settings) -> Result<Json, Diagnostic> {
    fields.only(BEST)?;
    let query = query(fields)?;
    let (aim, players) = (aim(fields)?, players(fields)?);
    let more = fields.count("decisions", 0, MOST_DECISIONS)?.unwrap_or(0);
    let script = query.script();
    if !script.is_sound() {
        return Ok(script::unsound(&script));
    }
    let entry = query.entry(&script, &[])?;
    let given = query.given(&entry)?;
    let shape = entry.shape(given.field);
    let found = entry.best(&given, &aim.goal(&shape)?, &players, 1 + more as usize, &settings.limits)?;
    let mut answer = Map::from_iter([("ok".to_owned(), json!(true))]);
    answer.extend(answers::best(&found, &shape));
    answer.insert("warnings".into(), json!(doubts(&script, &entry)));
    Ok(Json::Object(answer))
}

/// What the answers at an open option are worth.
pub(super) fn worth(fields: &Fields, settings: &Settings) -> Result<Json, Diagnostic> {
    let known: Vec<&str> = super::fields::RUN.iter().chain(WORTH).copied().collect();
    fields.only(&known)?;
    let request = run::request(fields)?;
    let missing = || refused("missing `path`").hint("`path` is where the option was met, such as `ru`");
    let path = fields.text("path")?.ok_or_else(missing)?;
    let best = fields.text("then")?.map(|then| chosen("then", &then, &[("best", ())])).transpose()?.is_some();
    let (aim, players) = (aim(fields)?, players(fields)?);
    if !best {
        fields.idle("minimise", "without `\"then\":\"best\"`")?;
        fields.idle("fixed", "without `\"then\":\"best\"`")?;
    }
    let (script, entry) = match script::opened(&request)? {
        Ok(opened) => opened,
        Err(unsound) => return Ok(unsound),
    };
    let field = fields.text("field")?.map(|name| entry.field(&name)).transpose()?;
    let wish = Wish { goal: aim.goal(&entry.shape(field))?, best: best.then_some(players), field };
    let seeded = match request.seed {
        Some(seed) => Seeded::new(seed),
        None => Seeded::from_system().map_err(|fault| fault.at(Span::default()))?,
    };
    let found = entry.worth(script::before(&request)?, seeded, &path, &wish, &settings.limits)?;
    let mut answer = answers::worth(&found);
    if let Json::Object(fields) = &mut answer {
        fields.insert("warnings".into(), json!(doubts(&script, &entry)));
    }
    Ok(answer)
}

/// What a question about a roll of a script begins with.
pub(super) fn query(fields: &Fields) -> Result<ScriptQuery, Diagnostic> {
    Ok(ScriptQuery {
        program: fields.text("program")?.ok_or_else(run::no_program)?,
        entry: fields.text("entry")?,
        args: fields.get("args").cloned().unwrap_or(Json::Null),
        answers: answered(fields)?,
        say: said(fields)?,
        field: fields.text("field")?,
        strict: fields.truth("strict")?,
    })
}

/// Answers by path.
pub(super) fn answered(fields: &Fields) -> Result<HashMap<String, Json>, Diagnostic> {
    match fields.get("answers") {
        None => Ok(HashMap::new()),
        Some(Json::Object(answers)) => {
            Ok(answers.iter().map(|(path, answer)| (path.clone(), answer.clone())).collect())
        }
        Some(_) => Err(refused("`answers` must be an object of paths and answers")),
    }
}

/// Answers by owner and prompt.
fn said(fields: &Fields) -> Result<Vec<Said>, Diagnostic> {
    let wrong = || {
        refused("`say` must be an array of prompts and answers")
            .hint("write it like [{\"owner\":\"Ann\",\"prompt\":\"Reroll?\",\"value\":true}]")
    };
    let one = |said: &Json| {
        let said = said.as_object().ok_or_else(wrong)?;
        if let Some(name) = said.keys().find(|name| !["owner", "prompt", "value"].contains(&name.as_str())) {
            return Err(refused(format!("unknown field `{}` in `say`", super::fields::cut(name))));
        }
        let owner = match said.get("owner") {
            None => None,
            Some(Json::Null) => Some(None),
            Some(name) => Some(Some(name.as_str().ok_or_else(wrong)?.to_owned())),
        };
        let prompt = said.get("prompt").and_then(Json::as_str).ok_or_else(wrong)?.to_owned();
        Ok(Said { owner, prompt, value: said.get("value").ok_or_else(wrong)?.clone() })
    };
    match fields.get("say") {
        None => Ok(vec![]),
        Some(Json::Array(all)) => all.iter().map(one).collect(),
        Some(_) => Err(wrong()),
    }
}

/// `"mean"`, `{"at_least":20}`
fn aim(fields: &Fields) -> Result<Aim, Diagnostic> {
    let wrong = || {
        refused("`goal` must be \"mean\", or an object with one of `at_least`, `at_most` and `exactly`")
            .hint("for example {\"at_least\":20}")
    };
    match fields.get("goal") {
        None => Ok(Aim::Mean),
        Some(Json::String(name)) if name == "mean" => Ok(Aim::Mean),
        Some(Json::Object(goal)) if goal.len() == 1 => match goal.iter().next() {
            Some((name, value)) if name == "at_least" => value.as_i64().map(Aim::AtLeast).ok_or_else(wrong),
            Some((name, value)) if name == "at_most" => value.as_i64().map(Aim::AtMost).ok_or_else(wrong),
            Some((name, value)) if name == "exactly" => Ok(Aim::Exactly(value.clone())),
            _ => Err(wrong()),
        },
        Some(_) => Err(wrong()),
    }
}

/// Who plays against the others, and who keeps to the answers that are given.
fn players(fields: &Fields) -> Result<Players, Diagnostic> {
    let owners = |name: &str| {
        let wrong = || refused(format!("`{name}` must be an array of owners, such as [\"Goblin\"]"));
        let one = |owner: &Json| match owner {
            Json::Null => Ok(None),
            Json::String(owner) => Ok(Some(owner.clone())),
            _ => Err(wrong()),
        };
        match fields.get(name) {
            None => Ok(vec![]),
            Some(Json::Array(owners)) => owners.iter().map(one).collect(),
            Some(_) => Err(wrong()),
        }
    };
    Ok(Players { minimise: owners("minimise")?, fixed: owners("fixed")? })
}

/// What is doubtful in a script, and what its arguments lack.
pub(super) fn doubts(script: &Script, entry: &script::Entry) -> Vec<String> {
    let doubts = script.problems().iter().map(|problem| &problem.diagnostic).chain(&entry.warnings);
    doubts.map(|found| found.message.clone()).collect()
}

/// An error in JSON.
pub(super) fn failed(error: &Diagnostic) -> Json {
    json::error(error)
}
