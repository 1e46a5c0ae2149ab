//! The replay scenarios of scripts, through `tumble batch`: which dice stay, which are new, and what is asked.

use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use tumble::Limits;
use tumble::batch::{Settings, answer};

fn scenarios(file: &str) -> Vec<Json> {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    let json: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    json["scenarios"].as_array().unwrap().clone()
}

/// Runs all steps of a scenario, each with the dice of the one before.
fn check(scenario: &Json) {
    let settings = Settings::new(Limits::default(), || 0);
    let id = scenario["id"].as_str().unwrap();
    let (mut answers, mut dice, mut used) = (Map::new(), json!({}), 0);
    let feed = scenario["feed"].as_array().unwrap();
    for (number, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        for (path, value) in step["set_options"].as_object().unwrap() {
            answers.insert(path.clone(), value.clone());
        }
        let request = json!({
            "do": "run", "program": scenario["program"], "entry": scenario["entry"], "args": scenario["args"],
            "answers": answers, "dice": dice, "feed": feed[used..], "edits": step.get("edits").unwrap_or(&json!([])),
        });
        let found = answer(request.to_string().as_bytes(), &settings);
        let place = format!("{id}, step {number}: {found:#}");
        match step.get("error") {
            None => assert_eq!(found["ok"], true, "{place}"),
            Some(_) => assert_eq!(found["ok"], false, "{place}"),
        }
        assert_eq!(found["result"], step["result"], "{place}");
        assert_eq!(found["outputs"], step["outputs"], "{place}");
        same_fields(&step["rolls"], &found["rolls"], &place);
        same_fields(&step["options"], &found["options"], &place);
        let none = json!([]);
        let remembered = step.get("remembered_but_not_rolled").unwrap_or(&none);
        assert_eq!(found["remembered"], *remembered, "{place}");
        used += found["fed"].as_u64().unwrap() as usize;
        dice = found["dice"].clone();
    }
    assert_eq!(used, feed.len(), "{id}: every value was used");
}

/// Every field of the expected entries is there.
fn same_fields(expected: &Json, found: &Json, place: &str) {
    let (expected, found) = (expected.as_array().unwrap(), found.as_array().unwrap());
    assert_eq!(expected.len(), found.len(), "{place}");
    for (expected, found) in expected.iter().zip(found) {
        let optional = ["kind", "unfit", "new_dice", "choices", "low", "high", "asked"];
        let expected: BTreeMap<&String, &Json> = expected.as_object().unwrap().iter().collect();
        for (name, value) in &expected {
            assert_eq!(found[name.as_str()], **value, "{name}: {place}");
        }
        for name in optional {
            assert_eq!(
                found.get(name).is_some(),
                expected.keys().any(|known| known.as_str() == name),
                "{name}: {place}"
            );
        }
    }
}

#[test]
fn every_scenario_of_the_document_is_replayed() {
    let all = scenarios("hilton-replay.json");
    assert_eq!(all.len(), 15);
    all.iter().for_each(check);
}

#[test]
fn red_blue_and_green_die_of_the_document() {
    let all = scenarios("hilton-replay.json");
    let found = all.iter().find(|scenario| scenario["id"] == "s01").unwrap();
    assert_eq!(found["title"], "red, blue and green die: option off, on, off, on");
    check(found);
}

#[test]
fn every_further_scenario_is_replayed() {
    let all = scenarios("script-vectors.json");
    assert_eq!(all.len(), 7);
    all.iter().for_each(check);
}

/// A game and one of its rolls; the arguments are in a file beside it.
const GAMES: &[(&str, &str)] = &[
    ("blades", "Action"),
    ("cthulhu", "Skill check"),
    ("dnd5e", "Attack"),
    ("fullattack", "Full Attack"),
    ("pathfinder2", "Check"),
    ("savage", "Trait roll"),
    ("warhammer", "Volley"),
    ("yahtzee", "Turn"),
    ("yearzero", "Skill"),
];

/// The arguments of a game.
fn arguments(name: &str) -> Json {
    let path = format!("{}/../../examples/scripts/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What must be the same whenever the answers are.
pub(crate) fn lasting(found: &Json) -> Json {
    let rolls: Vec<Json> = found["rolls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|roll| json!([roll["path"], roll["dice"], roll["values"], roll["total"], roll["shown"]]))
        .collect();
    json!([found["ok"], found["result"], found["outputs"], found["tree"], rolls, found["options"], found["changes"]])
}

/// A number below a bound, and the next state.
pub(crate) fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

/// Some answer to an option.
pub(crate) fn some_answer(option: &Json, state: &mut u64) -> Json {
    let choices = option["choices"].as_array().map_or(1, Vec::len);
    match option.get("kind").and_then(Json::as_str) {
        None => json!(random(state, 2) == 1),
        Some("choice") => json!(random(state, choices)),
        Some("number") => {
            let (low, high) = (option["low"].as_i64().unwrap(), option["high"].as_i64().unwrap());
            json!(low + random(state, (high - low + 1) as usize) as i64)
        }
        Some(_) => (0..choices).filter(|_| random(state, 2) == 1).map(|at| json!(at)).collect(),
    }
}

/// No die has two faces, no identity occurs twice, the same answers give the same run, and a fresh run from the same
/// seed equals the one reached by changing answers.
fn toggled(program: &str, entry: &str, args: &Json, seed: u64) {
    let settings = Settings::new(Limits::default(), || 0);
    let ask = |answers: &Map<String, Json>, dice: &Json| {
        let request = json!({
            "do": "run", "program": program, "entry": entry, "args": args, "answers": answers, "dice": dice, "seed": seed,
        });
        answer(request.to_string().as_bytes(), &settings)
    };
    let (mut answers, mut dice, mut state) = (Map::new(), json!({}), seed);
    let (mut faces, mut seen) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..40 {
        let found = ask(&answers, &dice);
        assert_eq!(found["ok"], true, "{entry}: {found:#}");
        dice = found["dice"].clone();
        let mut identities = std::collections::BTreeSet::new();
        for roll in found["rolls"].as_array().unwrap() {
            for (identity, value) in roll["each"].as_array().unwrap().iter().zip(roll["values"].as_array().unwrap()) {
                assert!(identities.insert(identity.to_string()), "{entry}: {identity} twice");
                let before = faces.insert(identity.to_string(), value.clone());
                assert!(before.is_none_or(|before| before == *value), "{entry}: {identity}");
            }
        }
        let options = found["options"].as_array().unwrap();
        let paths: std::collections::BTreeSet<&str> =
            options.iter().map(|option| option["path"].as_str().unwrap()).collect();
        assert_eq!(paths.len(), options.len(), "{entry}: an option twice");
        let before = seen.insert(json!(answers).to_string(), lasting(&found));
        assert!(before.is_none_or(|before| before == lasting(&found)), "{entry}: {answers:?}");
        assert_eq!(lasting(&ask(&answers, &json!({}))), lasting(&found), "{entry}: a fresh run with {answers:?}");
        if options.is_empty() {
            return;
        }
        let option = &options[random(&mut state, options.len())];
        answers.insert(option["path"].as_str().unwrap().to_owned(), some_answer(option, &mut state));
    }
}

fn game(name: &str) -> String {
    let path = format!("{}/../../examples/scripts/{name}.tumble", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_game_can_be_toggled() {
    for (name, entry) in GAMES {
        for seed in 0..3 {
            toggled(&game(name), entry, &arguments(name), seed);
        }
    }
}

/// The story of the document's picture: a miss, a reroll, and new dice only on the way that it opened.
#[test]
fn a_reroll_of_the_full_attack_changes_nothing_else() {
    let settings = Settings::new(Limits::default(), || 0);
    let args = arguments("fullattack");
    let run = |answers: Json, dice: &Json, seed: u64| {
        let request = json!({
            "do": "run", "program": game("fullattack"), "entry": "Full Attack", "args": args, "answers": answers,
            "dice": dice, "seed": seed,
        });
        answer(request.to_string().as_bytes(), &settings)
    };
    let mut found = 0;
    for seed in 0..200 {
        let first = run(json!({}), &json!({}), seed);
        let line = |found: &Json, attack: usize| found["tree"][attack]["items"][0]["text"].as_str().unwrap().to_owned();
        if line(&first, 1) != "Miss (AC)" {
            continue;
        }
        let option =
            first["options"].as_array().unwrap().iter().find(|option| option["prompt"] == "Reroll sword?").unwrap();
        assert_eq!((&option["owner"], &option["owner_id"]), (&json!("Rogue"), &json!("7")));
        assert_eq!(option["group"], 2);
        let second = run(json!({ option["path"].as_str().unwrap(): true }), &first["dice"], seed + 1000);
        if line(&second, 1).starts_with("Miss") {
            continue;
        }
        found += 1;
        let rolls = |found: &Json, status: &str| -> Vec<String> {
            let rolls = found["rolls"].as_array().unwrap().iter().filter(|roll| roll["values"] != json!([]));
            rolls
                .filter(|roll| roll["status"] == status)
                .map(|roll| roll["path"].as_str().unwrap().to_owned())
                .collect()
        };
        let before: Vec<String> = rolls(&first, "new");
        let (kept, new) = (rolls(&second, "kept"), rolls(&second, "new"));
        assert_eq!(before, kept, "every die of before stays");
        assert!(new.len() >= 2, "the reroll, and what the hit needs: {new:?}");
        let second_attack = before.iter().find(|path| path.starts_with("we")).unwrap();
        assert!(new.iter().all(|path| path.starts_with(&second_attack[..4])), "{new:?} in {second_attack}");
        for attack in [0, 2] {
            assert_eq!(first["tree"][attack], second["tree"][attack]);
        }
    }
    assert!(found > 5, "{found}");
}

/// Programs that want too much end with a clear error at a place, or with an answer.
#[test]
fn hostile_programs_end() {
    let many = |count: usize, line: &str| line.repeat(count);
    let texts: Vec<(String, &str)> = vec![
        ("x = 1; while (x > 0) { x = x + 0; }".into(), "limit"),
        ("x = 0; while (x < 6) { x = roll(\"d6\") * 0; }".into(), "limit"),
        ("x = f(40); output(x);".into(), "limit"),
        ("x = g(0);".into(), "limit"),
        ("t = \"a\"; for (i : range(60)) { t = t + t; }".into(), "limit"),
        ("xs = [1]; for (i : range(60)) { xs = xs + xs; }".into(), "limit"),
        ("xs = [[1]]; for (i : range(40)) { xs = [xs[0] + xs[0]]; }".into(), "limit"),
        ("i = 0; while (i < 1000000) { output(i); i++; }".into(), "limit"),
        ("x = d(1000000, 6);".into(), "limit"),
        ("i = 0; while (i < 100000) { x = roll(\"d6\"); i++; }".into(), "limit"),
        ("i = 0; while (i < 10000) { x = userOption(\"?\"); i++; }".into(), "limit"),
        ("for (i : range(1001)) { x = roll(\"d\" + (i + 1)); }".into(), "limit"),
        ("xs = reverse(range(99999)); i = 0; while (i < 100000) { i++; y = count(xs, 3) + sum(xs); }".into(), "limit"),
        (
            "xs = [range(300) for (i : range(300))]; i = 0; while (i < 100000) { i++; b = contains(xs, [1]); }".into(),
            "limit",
        ),
        ("a = range(60000); b = range(60000); i = 0; while (i < 9) { i++; a[0] = b[1]; b[1] = 5; }".into(), "ok"),
        ("t = 0; for (i : range(100000)) { t += i; }".into(), "ok"),
        ("x = userSelect(\"?\", range(60));".into(), "ok"),
        ("x = [1, 2][2];".into(), "runtime"),
        ("x = max([1, 2, 3] + []) / (roll(\"d6\") * 0);".into(), "runtime"),
        ("x = roll(\"d6\" + text(\"?!\"));".into(), "runtime"),
        ("x = 9223372036854775807 + roll(\"d6\");".into(), "runtime"),
        (many(3000, "x = roll(\"d6\"); "), "ok"),
        (many(900, "if (roll(\"d1\") == 1) { ") + "x = 1;" + &many(900, " }"), "ok"),
        ("x = d(100000, 6); y = sum(dice(\"0d6\"));".into(), "ok"),
        ("i = 0; while (i < 2000000) { i++; }".into(), "ok"),
    ];
    let settings = Settings::new(Limits::default(), || 0);
    for (body, expected) in texts {
        let program = format!(
            "defroll \"R\" r() {{ {body} }} deffun f(n: int) {{ if (n < 2) {{ return 1; }} return f(n - 1) + f(n - 2); }} \
             deffun g(n: int) {{ return g(n + 1) + 1; }}"
        );
        let program = program.replace("return g(n + 1) + 1;", "if (n < 0) { return 0; } return g(n + 1) + 1;");
        let request = json!({ "do": "run", "program": program, "entry": "r", "seed": 1 });
        let found = answer(request.to_string().as_bytes(), &settings);
        let code = if found["ok"] == true { json!("ok") } else { found["error"]["code"].clone() };
        assert_eq!(code, expected, "{body:.80}: {:.300}", found["error"].to_string());
        if expected != "ok" {
            let (start, end) = (found["error"]["start"].as_u64().unwrap(), found["error"]["end"].as_u64().unwrap());
            assert!(start > 0 && start < end && end <= program.len() as u64, "{body:.80}: {start} to {end}");
        }
    }
}

/// One die can be rolled again, set by hand and taken back; the map of dice goes through JSON unchanged.
#[test]
fn single_dice_can_be_edited() {
    let settings = Settings::new(Limits::default(), || 0);
    let run = |dice: &Json, edits: Json, feed: Json| {
        let request = json!({
            "do": "run", "program": "defroll \"R\" r() { return roll(\"2d6\"); }", "dice": dice, "edits": edits, "feed": feed,
        });
        answer(request.to_string().as_bytes(), &settings)
    };
    let edit = |what: &str| json!([{ "do": what, "path": "r", "die": "d6", "index": 1 }]);
    let first = run(&json!({}), json!([]), json!([2, 3]));
    let steps: &[(Json, Json, i64, &str, Json)] = &[
        (edit("reroll"), json!([6]), 8, "partly new", json!([2, { "was": [3], "now": 6 }])),
        (edit("undo"), json!([]), 5, "partly new", json!([2, { "was": [], "now": 3, "then": [6] }])),
        (edit("reroll"), json!([]), 8, "partly new", json!([2, { "was": [3], "now": 6 }])),
        (json!([]), json!([]), 8, "kept", json!([2, { "was": [3], "now": 6 }])),
        (
            json!([{ "do": "set", "path": "r", "die": "d6", "index": 0, "value": 1 }]),
            json!([]),
            7,
            "partly new",
            json!([{ "was": [2], "now": 1, "by": "hand" }, { "was": [3], "now": 6 }]),
        ),
    ];
    let mut dice = first["dice"].clone();
    for (edits, feed, result, status, known) in steps {
        let found = run(&dice, edits.clone(), feed.clone());
        assert_eq!(found["result"], *result, "{edits}: {found:#}");
        assert_eq!(found["rolls"][0]["status"], *status, "{edits}");
        assert_eq!(found["dice"]["r"]["d6"], *known, "{edits}");
        dice = found["dice"].clone();
    }
    for (edits, words) in [
        (json!([{ "do": "undo", "path": "r", "die": "d6", "index": 5 }]), "no die `d6` with the index 5"),
        (json!([{ "do": "set", "path": "r", "die": "d6", "index": 0, "value": 7 }]), "can't show 7"),
        (json!([{ "do": "drop", "path": "r", "die": "d6" }]), "`reroll`, `undo` or `set`"),
    ] {
        let found = run(&dice, edits, json!([]));
        assert!(found["error"]["message"].as_str().unwrap().contains(words), "{found}");
    }
}

/// Arguments that are too large or of the wrong type are refused, with the way to the place.
#[test]
fn arguments_are_checked() {
    let settings = Settings::new(Limits::default(), || 0);
    let program = "deftype a { n: int, s: string, all: a list, w: dice } defenum e { x, y }\n\
        defroll \"R\" r(p: a, q: e) { return p.n + length(p.all) + roll(p.w) + (q == e.x ? 0 : length([p.s])); }";
    let mut deep = json!({ "n": 1 });
    for _ in 0..50 {
        deep = json!({ "all": [deep] });
    }
    for (args, code, words) in [
        (json!({ "p": { "w": "d1" } }), "", ""),
        (json!({ "p": { "w": "d1", "all": [{ "n": "x" }] } }), "request", "`p.all[0].n`: expected int, not a text"),
        (json!({ "p": { "w": "d1", "n": 1.5 } }), "request", "`p.n`: expected int, not a number that is not whole"),
        (json!({ "p": { "w": "2d" } }), "request", "`p.w`: \"2d\": "),
        (json!({ "p": [] }), "request", "`p`: expected a, not a list"),
        (json!({ "q": "z" }), "request", "`q`: unknown member \"z\"; there are x, y"),
        (json!({ "p": { "w": "d1", "s": "x".repeat(1 << 20) } }), "limit", "the arguments have more than 1 MB"),
        (json!({ "p": deep }), "request", "nested more than 60 deep"),
    ] {
        let request = json!({ "do": "run", "program": program, "args": args, "seed": 1 });
        let found = answer(request.to_string().as_bytes(), &settings);
        let message = found["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(
            found["error"]["code"].as_str().unwrap_or_default(),
            code,
            "{:.200}: {found:.400}",
            args.to_string()
        );
        assert!(message.contains(words), "{:.200}: {message}", args.to_string());
    }
}

/// One text can be rolled for its total and for its dice; each has a line of its own.
#[test]
fn a_text_can_be_thrown_in_two_ways() {
    let settings = Settings::new(Limits::default(), || 0);
    let program = "defroll \"R\" r() { a = roll(\"3d6kh2\"); b = dice(\"3d6kh2\"); return b + [a]; }";
    let request = json!({ "do": "run", "program": program, "feed": [1, 5, 3, 6, 2, 4] });
    let found = answer(request.to_string().as_bytes(), &settings);
    assert_eq!(found["result"], json!([6, 4, 8]));
    assert_eq!(found["rolls"][0]["shown"], "3d6kh2 (~~1~~, 5, 3) = 8");
    assert_eq!(found["rolls"][1]["shown"], "3d6kh2 (6, ~~2~~, 4) = [6, 4]");
}

/// The d20 keeps its face when a script adds a die to the text, and a text that is wrong is an error of its roll.
#[test]
fn texts_are_read_when_they_are_met() {
    let settings = Settings::new(Limits::default(), || 0);
    let run = |args: Json, dice: &Json| {
        let program = "defroll \"R\" r(t: string) { x = roll(t); output(x); return roll(t + \"+1\"); }";
        let request = json!({ "do": "run", "program": program, "args": args, "dice": dice, "seed": 3 });
        answer(request.to_string().as_bytes(), &settings)
    };
    let first = run(json!({ "t": "d20" }), &json!({}));
    let second = run(json!({ "t": "d20+d4" }), &first["dice"]);
    assert_eq!(first["rolls"][0]["values"][0], second["rolls"][0]["values"][0]);
    assert_eq!(second["rolls"][0]["new_dice"], json!([1]));
    let wrong = run(json!({ "t": "d20+" }), &json!({}));
    assert_eq!((&wrong["ok"], &wrong["error"]["code"]), (&json!(false), &json!("runtime")), "{wrong}");
    assert!(wrong["error"]["message"].as_str().unwrap().starts_with("\"d20+\": "), "{wrong}");
}
