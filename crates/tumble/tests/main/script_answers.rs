//! Odds, best play and worth of scripts: the vectors, through the library and through `tumble batch`, and what requests
//! get for an answer.

use serde_json::{Map, Value as Json, json};
use tumble::Fraction;
use tumble::batch::{Settings, answer};
use tumble::script::{Given, Goal, Players, Script, ScriptQuery, advice, datum_from_json};
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

/// What an open option is worth, averaged over the dice before it, is what the odds and best play say of the whole.
#[test]
fn worth_averages_to_the_whole() {
    for (rerolls, value) in [(1, "17/4"), (2, "14/3")] {
        let again = |n: i32| format!("if (userOption(\"Again {n}?\")) {{ x = roll(\"d6\"); }}");
        let program: String = (0..rerolls).map(again).collect();
        let program = format!("defroll \"R\" r() {{ x = roll(\"d6\"); {program} return x; }}");
        let best = ask(&json!({ "do": "best", "program": program }));
        assert_eq!(best["value"], value);
        let odds = ask(&json!({ "do": "odds", "program": program }));
        let (mut sums, fraction) = ([Fraction::zero(), Fraction::zero(), Fraction::zero()], |json: &Json| {
            json.as_str().unwrap().parse::<Fraction>().unwrap()
        });
        for face in 1..=6 {
            let run = json!({ "do": "worth", "program": program, "feed": [face], "path": "ru" });
            let plain = ask(&run);
            for at in 0..2 {
                sums[at] = &sums[at] + &fraction(&plain["answers"][at][1]);
            }
            let mut run = run;
            run["then"] = json!("best");
            let free = ask(&run);
            let highest = (0..2).map(|at| fraction(&free["answers"][at][1])).max().unwrap();
            sums[2] = &sums[2] + &highest;
        }
        let means = sums.map(|sum| (&sum / &Fraction::whole(6)).to_string());
        assert_eq!(means[2], value);
        assert_eq!(json!([means[0], means[1]]), json!([odds["options"][0]["off"], odds["options"][0]["on"]]));
    }
}

/// What to do, in words: what does not matter is left out, one number is a threshold.
#[test]
fn best_play_in_words() {
    for (body, wanted) in [
        ("x = roll(\"d6\"); if (userOption(\"A?\")) { x = roll(\"d6\"); } return x;", "A?: yes if x is at most 3"),
        (
            "x = roll(\"d6\"); y = roll(\"d6\"); if (userOption(\"A?\")) { x = roll(\"d6\"); } return x + y;",
            "A?: yes if x is at most 3",
        ),
        ("x = roll(\"d6\"); if (userOption(\"A?\")) { x = 7 - x; } return x;", "A?: yes if x is at most 3"),
        (
            "x = roll(\"d6\"); if (userOption(\"A?\")) { x = x == 3 || x == 4 ? 6 : 0; } return x;",
            "A?: yes if x is 3 to 4",
        ),
        ("x = roll(\"d6\"); if (userOption(\"A?\")) { x++; } return x;", "A?: always yes"),
        ("x = roll(\"d6\"); if (userOption(\"A?\")) { output(x); } return x;", "A?: makes no difference"),
        (
            "x = roll(\"d3\"); return x == userNumber(\"N\", 1, 3, 1) ? 1 : 0;",
            "N: 1 if x is 1; 2 if x is 2; 3 if x is 3",
        ),
        (
            "x = roll(\"d6\"); return userChoice(\"C\", [\"a\", \"b\"]) == 0 ? x : 4;",
            "C: #2 if x is at most 3; #1 if x is at least 4",
        ),
        (
            "x = roll(\"d6\"); for (n : [0, 3]) { if (userOption(\"A?\")) { x = roll(\"d6\"); } } return x;",
            "A?:|  pass of n = 1: yes if x is at most 4|  pass of n = 2: yes if x is at most 3",
        ),
        (
            "ds = sort(dice(\"2d2\")); return sum(reroll(ds, userSelect(\"S\", ds), 2));",
            "S:|  ds = [1, 1]  1 1 of ds|  ds = [1, 2]  1 of ds|  ds = [2, 2]  none",
        ),
    ] {
        let query = ScriptQuery { program: format!("defroll \"R\" r() {{ {body} }}"), ..ScriptQuery::default() };
        let entry = query.entry(&query.script(), &[]).unwrap();
        let best = entry.best(&Given::default(), &Goal::Mean, &Players::default(), 100, &Limits::default()).unwrap();
        let (said, left) = tumble::render::script::advice(&advice(&best, &entry.shape(None)), 20);
        assert_eq!((said.trim_end().replace('\n', "|").as_str(), left), (wanted, 0), "{body}");
    }
}
