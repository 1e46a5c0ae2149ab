//! A run behind one JSON object: what `tumble batch` does with `"do":"run"`.

use super::show::{Item, MetOption, Roll, Status};
use super::{Before, Entry, Outcome, Script, datum_from_json, datum_to_json, dice};
use crate::render::json as wire;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use tumble_core::{Answers, Code, Data, Diagnostic, Limits, Span, Value};
use tumble_roll::{Owner, Seeded, Shown};

/// A request to run a script.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The script.
    pub program: String,
    /// The roll, by name or title; the only one if it is left out.
    pub entry: Option<String>,
    /// Its arguments.
    pub args: Json,
    /// What was answered, by path.
    pub answers: HashMap<String, Json>,
    /// The dice that are known.
    pub dice: Json,
    /// What is done with single dice before the run.
    pub edits: Vec<Json>,
    /// Values for new dice, in order.
    pub feed: Vec<i64>,
    /// Where other new dice come from; unpredictable if it is left out.
    pub seed: Option<u64>,
    /// The version that the dice and answers belong to.
    pub version: Option<String>,
    /// Whether slips are errors.
    pub strict: bool,
}

/// The answer to such a request.
pub fn perform(request: &RunRequest, limits: &Limits) -> Result<Json, Diagnostic> {
    let (script, entry) = match opened(request)? {
        Ok(opened) => opened,
        Err(unsound) => return Ok(unsound),
    };
    let seeded = match request.seed {
        Some(seed) => Seeded::new(seed),
        None => Seeded::from_system().map_err(|fault| fault.at(Span::default()))?,
    };
    let before = before(request)?;
    let outcome = entry.run(before, seeded, limits)?;
    Ok(answer(&script, &entry, &outcome))
}

/// The script of a request and its roll; if the script can't be read, the answer that says so.
pub(crate) fn opened(request: &RunRequest) -> Result<Result<(Script, Entry), Json>, Diagnostic> {
    let script = Script::read(&request.program, request.strict);
    if request.version.as_ref().is_some_and(|version| *version != script.version()) {
        let message = "the program is not the one that this execution was started with";
        return Err(Diagnostic::new(Code::Request, Span::default(), message));
    }
    if !script.is_sound() {
        return Ok(Err(unsound(&script)));
    }
    let entry = script.entry(&entry_name(&script, request.entry.as_deref())?, &datum_from_json(&request.args))?;
    Ok(Ok((script, entry)))
}

pub(super) fn entry_name(script: &Script, given: Option<&str>) -> Result<String, Diagnostic> {
    let mut rolls = script.rolls();
    match (given, rolls.next(), rolls.next()) {
        (Some(given), ..) => Ok(given.to_owned()),
        (None, Some((_, only)), None) => Ok(only.to_owned()),
        (None, None, _) => {
            let found = Diagnostic::new(Code::Request, Span::default(), "the script has no roll");
            Err(found.hint("a roll begins with `defroll`"))
        }
        _ => {
            let message = "missing `entry`: which roll?";
            let titles: Vec<String> = script.rolls().map(|(title, _)| format!("\"{title}\"")).collect();
            let found = Diagnostic::new(Code::Request, Span::default(), message);
            Err(found.hint(format!("the rolls are {}", titles.join(", "))))
        }
    }
}

pub(crate) fn before(request: &RunRequest) -> Result<Before, Diagnostic> {
    let mut answers = HashMap::new();
    for (path, answer) in &request.answers {
        answers.insert(path.clone(), answered(path, answer)?);
    }
    Ok(Before {
        answers,
        asked: HashMap::new(),
        dice: if request.dice.is_null() { super::Dice::default() } else { dice::from_json(&request.dice)? },
        edits: request.edits.iter().map(dice::edit).collect::<Result<_, _>>()?,
        feed: request.feed.clone(),
    })
}

/// An answer: yes or no, a number, or positions.
pub fn answered(path: &str, json: &Json) -> Result<Value, Diagnostic> {
    let positions = |items: &Vec<Json>| items.iter().map(Json::as_i64).collect::<Option<Vec<_>>>();
    let value = match json {
        Json::Bool(truth) => Some(Value::bool(*truth)),
        Json::Number(number) => number.as_i64().map(Value::int),
        Json::Array(items) => positions(items).map(|items| Value::ints(&items)),
        Json::Null | Json::String(_) | Json::Object(_) => None,
    };
    value.ok_or_else(|| {
        let message = format!("the answer at `{path}` must be true or false, a whole number, or an array of them");
        Diagnostic::new(Code::Request, Span::default(), message)
    })
}

/// The answer for a script with errors: all of them.
pub fn unsound(script: &Script) -> Json {
    let first = script.problems().iter().find(|problem| problem.level == super::Level::Error);
    let mut fields = match first.map(|problem| wire::error(&problem.diagnostic)) {
        Some(Json::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.insert("problems".into(), problems(script));
    Json::Object(fields)
}

/// Everything that is wrong with a script.
pub fn problems(script: &Script) -> Json {
    let one = |problem: &super::Problem| {
        let level = if problem.level == super::Level::Error { "error" } else { "warning" };
        let edits: Vec<Json> = problem
            .edits
            .iter()
            .map(|edit| json!({ "start": edit.span.start, "end": edit.span.end, "text": edit.text }))
            .collect();
        let found = &problem.diagnostic;
        json!({
            "level": level, "code": found.code.name(), "message": found.message,
            "start": found.span.start, "end": found.span.end, "hint": found.hint, "edits": edits,
        })
    };
    script.problems().iter().map(one).collect()
}

/// The answer of a run.
pub fn answer(script: &Script, entry: &Entry, outcome: &Outcome) -> Json {
    let mut fields = Map::new();
    match &outcome.result {
        Ok(result) => {
            fields.insert("ok".into(), json!(true));
            fields.insert("result".into(), datum_to_json(result));
        }
        Err(error) => {
            if let Json::Object(error) = wire::error(error) {
                fields.extend(error);
            }
        }
    }
    fields.insert("outputs".into(), Json::Array(outputs(&outcome.tree)));
    fields.insert("tree".into(), outcome.tree.iter().map(item).collect());
    fields.insert("rolls".into(), outcome.rolls.iter().map(roll).collect());
    fields.insert("options".into(), outcome.options.iter().map(option).collect());
    fields.insert("changes".into(), outcome.changes.iter().filter_map(change).collect());
    fields.insert("dice".into(), dice::to_json(&outcome.dice));
    fields.insert("fed".into(), json!(outcome.fed));
    fields.insert("remembered".into(), json!(outcome.remembered));
    fields.insert("version".into(), json!(script.version()));
    let warnings = script.problems().iter().map(|problem| &problem.diagnostic).chain(&entry.warnings);
    fields.insert("warnings".into(), warnings.map(wire::diagnostic).collect());
    Json::Object(fields)
}

/// Lines as they are shown, each with the depth of its group.
fn outputs(tree: &[Item]) -> Vec<Json> {
    let mut found = Vec::new();
    let mut left: Vec<(usize, &Item)> = tree.iter().rev().map(|item| (0, item)).collect();
    while let Some((depth, item)) = left.pop() {
        match item {
            Item::Line { text, style: Some(style) } => found.push(json!([depth, text, style])),
            Item::Line { text, style: None } if depth == 0 => found.push(json!(text)),
            Item::Line { text, style: None } => found.push(json!([depth, text])),
            Item::Group { title, items, .. } => {
                found.extend(title.as_ref().map(|title| json!([depth + 1, title, "title"])));
                left.extend(items.iter().rev().map(|item| (depth + 1, item)));
            }
        }
    }
    found
}

fn item(item: &Item) -> Json {
    match item {
        Item::Line { text, style } => {
            let mut fields = Map::from_iter([("text".to_owned(), json!(text))]);
            fields.extend(style.as_ref().map(|style| ("style".to_owned(), json!(style))));
            Json::Object(fields)
        }
        Item::Group { number, title, items } => {
            let items: Vec<Json> = items.iter().map(self::item).collect();
            json!({ "group": number, "title": title, "items": items })
        }
    }
}

fn roll(roll: &Roll) -> Json {
    let values: Vec<Json> = roll.values.iter().map(plain).collect();
    let total = roll.total.as_ref().map_or(Json::Null, plain);
    let mut fields = Map::new();
    fields.insert("path".into(), json!(roll.path));
    fields.insert("dice".into(), json!(roll.dice));
    fields.insert("values".into(), json!(values));
    let (status, new) = match &roll.status {
        Status::New => ("new", None),
        Status::Kept => ("kept", None),
        Status::Partly(new) => ("partly new", Some(new)),
    };
    fields.insert("status".into(), json!(status));
    fields.extend(new.map(|new| ("new_dice".to_owned(), json!(new))));
    fields.insert("total".into(), total);
    fields.insert("shown".into(), json!(roll.shown));
    fields.insert("place".into(), json!([roll.place.start, roll.place.end]));
    let identity = |(path, sides, index): &(String, tumble_roll::Sides, u64)| json!([path, sides.kind(), index]);
    fields.insert("each".into(), roll.identities.iter().map(identity).collect());
    Json::Object(fields)
}

/// A value as it is shown in a run.
pub(super) fn plain(value: &Value) -> Json {
    match &value.data {
        Data::Int(n) => json!(n),
        Data::Ratio(ratio) => json!({ "fraction": ratio.to_string() }),
        Data::Bool(truth) => json!(truth),
        Data::Text(text) => json!(text.to_string()),
        Data::Pool(items) | Data::List(items) | Data::Tuple(items) => items.iter().map(plain).collect(),
        Data::Nothing | Data::Tag(_) => Json::Null,
    }
}

fn option(option: &MetOption) -> Json {
    let asked = &option.asked;
    let mut fields = Map::new();
    fields.insert("path".into(), json!(asked.path));
    fields.extend(option.kind().map(|kind| ("kind".to_owned(), json!(kind))));
    fields.insert("prompt".into(), json!(asked.prompt));
    owner(&asked.owner, &mut fields);
    fields.insert("value".into(), plain(&asked.value));
    fields.insert("default".into(), plain(&asked.default));
    fields.extend(option.choices().map(|choices| ("choices".to_owned(), json!(choices))));
    if let Answers::Number { low, high, .. } = asked.answers {
        fields.insert("low".into(), json!(low));
        fields.insert("high".into(), json!(high));
    }
    fields.insert("group".into(), json!(option.group));
    fields.insert("line".into(), json!(option.line));
    fields.extend(asked.unfit.as_ref().map(|unfit| ("unfit".to_owned(), plain(unfit))));
    fields.extend(option.answered_under.as_ref().map(|prompt| ("asked".to_owned(), json!(prompt))));
    fields.insert("place".into(), json!([asked.span.start, asked.span.end]));
    Json::Object(fields)
}

fn owner(owner: &Owner, fields: &mut Map<String, Json>) {
    fields.insert("owner".into(), json!(owner.name));
    fields.insert("owner_id".into(), json!(owner.id));
}

fn change(shown: &Shown) -> Option<Json> {
    let Shown::Change { owner: whose, field, amount } = shown else { return None };
    let mut fields = Map::new();
    owner(whose, &mut fields);
    fields.insert("field".into(), json!(field));
    fields.insert("amount".into(), json!(amount));
    Some(Json::Object(fields))
}
