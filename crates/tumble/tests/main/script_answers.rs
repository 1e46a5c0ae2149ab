//! Odds, best play and worth of scripts: the vectors, through the library and through `tumble batch`, and what requests
//! get for an answer.

use serde_json::{Map, Value as Json, json};
use tumble::batch::{Settings, answer};
use tumble::script::{Given, Goal, Players, Script, ScriptQuery, datum_from_json};
use tumble_core::Limits;

fn vectors(kind: &str) -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/script-vectors.json");
    let all: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all[kind].as_array().unwrap().clone()
}

/// The answer to a request.
fn ask(request: &Json) -> Json {
    answer(request.to_string().as_bytes(), &Settings::new(Limits::default(), || 0))
}

/// A request about a vector.
fn about(vector: &Json, more: Json) -> Json {
    let mut fields = Map::new();
    for name in ["program", "entry", "args"] {
        fields.insert(name.to_owned(), vector[name].clone());
    }
    if let Json::Object(more) = more {
        fields.extend(more);
    }
    Json::Object(fields)
}

#[test]
fn vectors_of_odds() {
    for vector in vectors("odds") {
        let found = ask(&about(&vector, json!({ "do": "odds", "say": vector["say"] })));
        for name in ["outcomes", "mean", "variance", "options"] {
            assert_eq!(found[name], vector[name], "{} {name}: {found}", vector["id"]);
        }
        let script = Script::read(vector["program"].as_str().unwrap(), false);
        let entry = script.entry(vector["entry"].as_str().unwrap(), &datum_from_json(&vector["args"])).unwrap();
        let odds = entry.odds(&Given::default(), true, &Limits::default()).unwrap();
        assert_eq!(odds.odds.mean().unwrap().to_string(), vector["mean"], "{}", vector["id"]);
        assert_eq!(odds.options.len(), vector["options"].as_array().unwrap().len());
    }
}

#[test]
fn vectors_of_best_play() {
    for vector in vectors("best") {
        for value in vector["values"].as_array().unwrap() {
            let more = json!({ "do": "best", "goal": value["goal"], "minimise": vector["minimise"] });
            let found = ask(&about(&vector, more));
            assert_eq!(found["value"], value["value"], "{} {found}", vector["id"]);
            assert_eq!(found["all_default"], value["all_default"], "{} {found}", vector["id"]);
            let first = &found["decisions"].as_array().unwrap()[..];
            assert_eq!(first.len(), 1, "{found}");
            let script = Script::read(vector["program"].as_str().unwrap(), false);
            let entry = script.entry(vector["entry"].as_str().unwrap(), &datum_from_json(&vector["args"])).unwrap();
            let owner = |owner: &Json| Some(owner.as_str().unwrap().to_owned());
            let minimise = vector["minimise"].as_array().unwrap().iter().map(owner).collect();
            let goal = value["goal"].get("at_least").map_or(Goal::Mean, |n| Goal::AtLeast(n.as_i64().unwrap()));
            let players = Players { minimise, fixed: vec![] };
            let best = entry.best(&Given::default(), &goal, &players, 1, &Limits::default()).unwrap();
            assert_eq!(best.value.to_string(), value["value"]);
        }
    }
}

#[test]
fn vectors_of_worth() {
    let mut count = 0;
    for vector in vectors("best") {
        for worth in vector["worth"].as_array().into_iter().flatten() {
            let more =
                json!({ "do": "worth", "feed": worth["feed"], "answers": worth["answers"], "path": worth["path"] });
            let found = ask(&about(&vector, more));
            assert_eq!(found["ok"], true, "{found}");
            assert_eq!(found["answers"], json!([[false, worth["no"]], [true, worth["yes"]]]), "{}", vector["id"]);
            count += 1;
        }
    }
    assert_eq!(count, 5);
}

/// Requests, and parts of their answers by JSON pointer; `$twice` is a program of the first line.
#[test]
fn requests_and_answers() {
    let mut lines =
        include_str!("script_answers.jsonl").lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let programs = lines.next().unwrap();
    for line in lines {
        let mut request = line["ask"].clone();
        if let Some(name) = request["program"].as_str().and_then(|text| text.strip_prefix('$')) {
            request["program"] = programs["programs"][name].clone();
        }
        let found = ask(&request);
        for (pointer, value) in line["get"].as_object().unwrap() {
            assert_eq!(found.pointer(pointer), Some(value), "{pointer} of {}\n{found}", line["ask"]);
        }
    }
}

/// Lists of arguments are walked by position, and what is missing on the way is made.
#[test]
fn ways_to_arguments() {
    let program = r#"deftype attack { bonus: int, damage: dice }
deftype fighter { name: string, ac: int = 10, attacks: attack list }
defroll "A" a(f: fighter) { return f.ac + sum([x.bonus for (x : f.attacks)]); }"#;
    let args = json!({ "F": { "attacks": [{ "bonus": 1 }, { "bonus": 2 }] } });
    for (args, way, wanted) in [
        (args.clone(), "f.attacks[1].bonus", Ok("61")),
        (args.clone(), "f.AC", Ok("53")),
        (Json::Null, "f.ac", Ok("50")),
        (
            args.clone(),
            "f.attacks[2].bonus",
            Err("`f.attacks` has 2 members, numbered from 0, so there is no `f.attacks[2]`"),
        ),
        (args.clone(), "f.attacks", Err("`f.attacks` is attack list, and only whole numbers can be swept")),
        (args.clone(), "f..ac", Err("`f..ac` is no argument; write it like target.ac or hero.attacks[1].bonus")),
        (args.clone(), "g", Err("the roll has no parameter `g`")),
    ] {
        let query = ScriptQuery { program: program.to_owned(), args, ..ScriptQuery::default() };
        let script = query.script();
        let found = query.entry(&script, &[(way.to_owned(), 50)]).and_then(|entry| {
            let odds = entry.odds(&Given::default(), false, &Limits::default())?;
            Ok(odds.odds.mean().unwrap().to_string())
        });
        assert_eq!(found.as_ref().map(String::as_str).map_err(|error| error.message.as_str()), wanted, "{way}");
    }
}
