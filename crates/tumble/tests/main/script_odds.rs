//! Odds of scripts: the vectors, and the law.

use serde_json::Value as Json;
use tumble::script::{Given, Script, datum_from_json};
use tumble_core::Limits;

fn vectors(kind: &str) -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/script-vectors.json");
    let all: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all[kind].as_array().unwrap().clone()
}

#[test]
fn vectors_of_odds() {
    for vector in vectors("odds") {
        let script = Script::read(vector["program"].as_str().unwrap(), false);
        let entry = script.entry(vector["entry"].as_str().unwrap(), &datum_from_json(&vector["args"])).unwrap();
        let found = entry.odds(&Given::default(), true, &Limits::default()).unwrap();
        println!("{}", found.odds);
        println!("{:?}", found.effort);
        for option in found.options {
            println!(
                "{:?} {} {:?}",
                option.group,
                option.met.unwrap(),
                option.answers.iter().map(|(v, o)| (v.to_string(), o.mean().unwrap().to_string())).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn vectors_of_best_play() {
    use tumble::script::{Goal, Players};
    for vector in vectors("best") {
        let script = Script::read(vector["program"].as_str().unwrap(), false);
        let entry = script.entry(vector["entry"].as_str().unwrap(), &datum_from_json(&vector["args"])).unwrap();
        let minimise =
            vector["minimise"].as_array().unwrap().iter().map(|o| Some(o.as_str().unwrap().to_owned())).collect();
        let players = Players { minimise, fixed: vec![] };
        for value in vector["values"].as_array().unwrap() {
            let goal = match value["goal"].get("at_least") {
                Some(n) => Goal::AtLeast(n.as_i64().unwrap()),
                None => Goal::Mean,
            };
            let found = entry.best(&Given::default(), &goal, &players, 7, &Limits::default()).unwrap();
            println!("{} {} want {} {}", found.value, found.all_default.unwrap(), value["value"], value["all_default"]);
            for d in &found.decisions {
                println!(
                    "   {} {} {:?} {:?}",
                    d.path,
                    d.prompt,
                    d.known.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>(),
                    d.answers.iter().map(|(v, f)| format!("{v}: {f}")).collect::<Vec<_>>()
                );
            }
        }
    }
}

#[test]
fn games() {
    use tumble::script::{Goal, Players};
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts/");
    for game in
        ["fullattack", "dnd5e", "blades", "savage", "yahtzee", "yearzero", "warhammer", "pathfinder2", "cthulhu"]
    {
        let script = Script::read(&std::fs::read_to_string(format!("{dir}{game}.tumble")).unwrap(), false);
        let all: Json = serde_json::from_str(&std::fs::read_to_string(format!("{dir}{game}.json")).unwrap()).unwrap();
        for (_, name) in script.rolls().map(|(a, b)| (a.to_owned(), b.to_owned())).collect::<Vec<_>>() {
            println!("=== {game} {name} {}", all.to_string().chars().take(60).collect::<String>());
            let entry = match script.entry(&name, &datum_from_json(&all)) {
                Ok(e) => e,
                Err(e) => {
                    println!("{e:?}");
                    continue;
                }
            };
            let start = std::time::Instant::now();
            match entry.odds(&Given::default(), true, &Limits::default()) {
                Ok(found) => {
                    println!(
                        "{:?} mean {:?} {} outcomes rest {} {:?}",
                        start.elapsed(),
                        found.odds.mean().map(|m| m.to_f64()),
                        found.odds.len(),
                        found.odds.unresolved().to_f64(),
                        found.effort
                    );
                    for option in found.options {
                        println!(
                            "   {:?} {} {:?}",
                            option.group,
                            option.met.map(|m| m.to_f64()).unwrap_or(-1.0),
                            option
                                .answers
                                .iter()
                                .take(3)
                                .map(|(v, o)| (v.to_string(), o.mean().map(|m| m.to_f64())))
                                .collect::<Vec<_>>()
                        );
                    }
                }
                Err(e) => println!("{:?} {} {:?}", start.elapsed(), e.message, e.hint),
            }
            let start = std::time::Instant::now();
            match entry.best(&Given::default(), &Goal::Mean, &Players::default(), 3, &Limits::default()) {
                Ok(found) => println!(
                    "  best {:?} {} {:?} states {} lost {}",
                    start.elapsed(),
                    found.value.to_f64(),
                    found.all_default.map(|f| f.to_f64()),
                    found.states,
                    found.unresolved.to_f64()
                ),
                Err(e) => println!("  best {:?} {} {:?}", start.elapsed(), e.message, e.hint),
            }
        }
    }
}
