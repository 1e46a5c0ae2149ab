//! The scenarios of the document through the API: the same paths, values and options as `batch`.

use crate::client::{Ask, Server};
use crate::world::{Who, fresh_key};
use serde_json::{Map, Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, reply};

const SCENARIOS: &str = include_str!("../../../../conformance/hilton-replay.json");

/// What a run shows of its rolls and options, without who owns what: at a table that is somebody who sits there.
fn told(run: &Json) -> Json {
    let pick = |list: &Json, names: &[&str]| -> Vec<Json> {
        let one = |entry: &Json| {
            Json::Object(names.iter().map(|name| ((*name).to_owned(), entry[*name].clone())).collect::<Map<_, _>>())
        };
        list.as_array().into_iter().flatten().map(one).collect()
    };
    json!({
        "rolls": pick(&run["rolls"], &["path", "dice", "values", "status"]),
        "options": pick(&run["options"], &["path", "prompt", "value"]),
        "outputs": run["outputs"], "result": run["result"],
    })
}

#[test]
fn every_scenario_is_the_same_at_a_table() {
    let server = Server::patient();
    let all: Json = serde_json::from_str(SCENARIOS).unwrap();
    let scenarios = all["scenarios"].as_array().unwrap();
    assert!(scenarios.len() >= 15);
    for scenario in scenarios {
        played(&server, scenario);
    }
}

fn played(server: &Server, scenario: &Json) {
    let (at, id) = (server.address, &scenario["id"]);
    let mut master = Who::default();
    let made = master.post(at, "/api/v1/tables", &json!({ "name": "Replay", "you": "Mia" })).json();
    let table = format!("/api/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    let script = json!({ "text": scenario["program"] }).to_string();
    let put = Ask { method: "PUT", ..Ask::post(&format!("{table}/script"), &script) };
    let written = master.ask(at, put);
    assert_eq!(written.status, 200, "{id}: {}", written.text());
    let feed: Vec<i64> = scenario["feed"].as_array().into_iter().flatten().filter_map(Json::as_i64).collect();
    let (mut used, mut dice, mut answers) = (0, Json::Null, Map::new());
    for (number, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        let mut changed = step["set_options"].as_object().cloned().unwrap_or_default().into_iter();
        let answer = changed.next();
        assert!(changed.next().is_none(), "{id}: one answer at a time");
        answers.extend(answer.clone());
        let asked = json!({ "do": "run", "program": scenario["program"], "entry": scenario["entry"],
            "args": scenario["args"], "answers": answers, "dice": dice, "feed": feed[used..] });
        let Json::Object(asked) = asked else { return };
        let expected = reply(asked, &Settings::new(Limits::default(), || 0));
        let fed = expected["fed"].as_u64().unwrap_or(0) as usize;
        let typed = &feed[used..used + fed];
        let (path, body) = match answer {
            None => ("runs", json!({ "entry": scenario["entry"], "args": scenario["args"], "dice": typed })),
            Some((path, value)) => ("executions/1/answers", json!({ "path": path, "value": value, "dice": typed })),
        };
        let ask = Ask::post(&format!("{table}/{path}"), &body.to_string()).with("Idempotency-Key", &fresh_key());
        let got = master.ask(at, ask);
        assert!(got.status < 300, "{id} step {number}: {}", got.text());
        assert_eq!(told(&got.json()["shown"]["outcome"]), told(&expected), "{id} step {number}");
        used += fed;
        dice = expected["dice"].clone();
    }
}
