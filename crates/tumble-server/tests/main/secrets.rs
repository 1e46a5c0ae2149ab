//! What is hidden stays hidden: a roll and an object full of secrets, looked for in every answer and every event.

use crate::client::{Ask, Client, Server};
use crate::world::{Who, World};
use serde_json::json;
use std::io::Read;
use std::time::Duration;

/// Words that only the game master may see.
const SECRETS: &[&str] = &["SECRETLABEL", "SECRETNAME", "77123", "88123"];

/// Everything that can be read.
fn readings(world: &World, object: &str, number: i64) -> Vec<String> {
    let table = &world.table;
    let mut all: Vec<String> = ["", "/executions", "/script", "/luck", "/export.json", "/export.csv"]
        .iter()
        .map(|path| format!("{table}{path}"))
        .collect();
    all.push(format!("{table}/executions/{number}"));
    all.push(format!("{table}/executions/{number}/worth?path=r"));
    all.push(format!("{table}/objects/{object}"));
    all
}

#[test]
fn nobody_else_learns_what_is_hidden() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let listeners: Vec<(&str, Client)> = [("bob", &world.bob), ("sue", &world.sue), ("bot", &world.bot)]
        .map(|(name, who)| {
            let mut client = Client::of(at);
            client.send(&who.dressed(Ask::get(&format!("{table}/events?after=0"))).bytes());
            (name, client)
        })
        .into();
    let master = &mut world.master;
    let object = json!({ "type": "hero", "data": { "name": "SECRETNAME", "hp": 77123 }, "visibility": "master" });
    let object = master.post(at, &format!("{table}/objects"), &object).json()["id"].as_str().unwrap().to_owned();
    let roll = json!({ "text": "d6 + 88123", "label": "SECRETLABEL", "visibility": "master" });
    let number = master.post(at, &format!("{table}/rolls"), &roll).json()["number"].as_i64().unwrap();
    let run = json!({ "entry": "strike", "args": { "who": { "$object": object } }, "label": "SECRETLABEL", "visibility": "own" });
    master.post(at, &format!("{table}/runs"), &run);
    // A hidden character's numbers are not shown by a public roll either.
    master.post(at, &format!("{table}/rolls"), &json!({ "text": "d6", "object": object }));
    let seen = master.get(at, &format!("{table}/executions/{number}")).text();
    assert!(seen.contains("SECRETLABEL") && seen.contains("88123"), "{seen}");
    let paths = readings(&world, &object, number);
    for (name, who) in [
        ("bob", world.bob.clone()),
        ("sue", world.sue.clone()),
        ("bot", world.bot.clone()),
        ("other", world.other.clone()),
    ] {
        let mut who: Who = who;
        for path in &paths {
            check(name, path, &who.get(at, path).text());
        }
        for (path, body) in [
            ("rolls", json!({ "text": "d6 + @hp", "object": object })),
            ("runs", json!({ "entry": "strike", "args": { "who": { "$object": object } } })),
            (&*format!("executions/{number}/answers"), json!({ "path": "ru", "value": true })),
            (&*format!("executions/{number}/close"), json!({})),
            (&*format!("executions/{number}/reveal"), json!({ "visibility": "everyone" })),
            (&*format!("objects/{object}/restore"), json!({})),
        ] {
            let reply = who.post(at, &format!("{table}/{path}"), &body);
            assert!(reply.status >= 400, "{name} {path}: {}", reply.text());
            check(name, path, &reply.text());
        }
    }
    for (name, mut client) in listeners {
        client.stream.set_read_timeout(Some(Duration::from_millis(700))).unwrap();
        let mut all = Vec::new();
        let mut part = [0; 4096];
        while let Ok(n @ 1..) = client.stream.read(&mut part) {
            all.extend_from_slice(&part[..n]);
        }
        let text = String::from_utf8_lossy(&all).into_owned();
        assert!(text.contains("\"hidden\":true"), "that something was rolled is no secret: {text}");
        check(name, "events", &text);
    }
}

fn check(name: &str, path: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{name} sees {secret} at {path}: {text}");
    }
}
