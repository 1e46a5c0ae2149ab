//! The vectors of the reference implementation: wrong texts are refused, all others become programs
//! and keep their meaning when spelled anew.

use crate::json::Json;
use crate::written::written;
use tumble_core::Code;
use tumble_syntax::{Vars, compile, notation, troll};

pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) vars: Vars,
    pub(crate) refused: bool,
}

pub(crate) fn vectors() -> Vec<Vector> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/troll.jsonl");
    let lines = std::fs::read_to_string(path).expect("the vectors");
    lines.lines().map(|line| vector(&Json::parse(line))).collect()
}

fn vector(json: &Json) -> Vector {
    let word = |key: &str| json.get(key).and_then(Json::text).unwrap_or_default().to_owned();
    let vars = match json.get("vars") {
        Some(Json::Object(vars)) => vars.iter().map(|(name, value)| (name.clone(), whole(value))).collect(),
        _ => Vars::new(),
    };
    Vector { id: word("id"), text: word("expr"), vars, refused: word("error_class") == "syntax" }
}

fn whole(json: &Json) -> i64 {
    match json {
        Json::Number(n) => *n as i64,
        other => panic!("not a number: {other:?}"),
    }
}

/// The texts of the vectors of a notation.
pub(crate) fn texts(name: &str) -> Vec<String> {
    let name = if name == "nice" { "nice-dice" } else { name };
    let path = format!("{}/../../conformance/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap_or_default();
    lines.lines().filter_map(|line| Some(Json::parse(line).get("expr")?.text()?.to_owned())).collect()
}

#[test]
fn every_vector_is_refused_or_compiled() {
    let all = vectors();
    assert!(all.len() > 400);
    let troll = notation("troll").unwrap();
    for Vector { id, text, vars, refused } in all {
        match compile(troll, &text, &vars) {
            Ok(_) => assert!(!refused, "{id}: {text:?} should be refused"),
            Err(found) => {
                assert!(refused, "{id}: {text:?}: {found:?}");
                assert!(matches!(found[0].code, Code::Syntax | Code::Limit), "{id}: {found:?}");
            }
        }
    }
}

#[test]
fn every_vector_is_spelled_anew() {
    for Vector { id, text, .. } in vectors().into_iter().filter(|vector| !vector.refused) {
        let tree = troll::parse(&text).unwrap();
        let spelled = troll::spell(&tree);
        let again = troll::parse(&spelled).unwrap_or_else(|found| panic!("{id}: {spelled:?}: {found:?}"));
        assert_eq!(written(&again), written(&tree), "{id}: {text:?} spelled {spelled:?}");
        assert_eq!(troll::spell(&again), spelled, "{id}: the spelling of {text:?} is not stable");
    }
}
