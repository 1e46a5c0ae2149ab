//! The evening in the book's page on tables, request by request.
//!
//! ```text
//! Ann: POST /api/v1/tables/$table/rolls     a block marked `http`: who, method and path,
//! {"text":"d6"}                             the body,
//!
//! 201                                       and after an empty line the status and a part of the answer:
//! {"number":1,"member":"$ann"}              fields that are shown are there; `$name` is anything, the same each time
//! ```

use crate::client::{Ask, Server, fresh_file};
use crate::world::{Who, fresh_key};
use serde_json::Value as Json;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../../docs/book/src/tables.md");

type Names = BTreeMap<String, String>;

fn filled(text: &str, names: &Names) -> String {
    // The longest first: `$table` is not `$tab` and the rest.
    let mut all: Vec<_> = names.iter().collect();
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    all.iter().fold(text.to_owned(), |text, (name, value)| text.replace(*name, value))
}

/// Whether an answer has everything that is shown of it; names that are new are learned.
fn has(answer: &Json, shown: &Json, names: &mut Names) -> bool {
    match (answer, shown) {
        (Json::String(answer), Json::String(shown)) if shown.starts_with('$') => {
            *names.entry(shown.clone()).or_insert_with(|| answer.clone()) == *answer
        }
        (Json::Object(answer), Json::Object(shown)) => shown.iter().all(|(name, shown)| {
            let name = names.get(name).unwrap_or(name).clone();
            answer.get(&name).is_some_and(|answer| has(answer, shown, names))
        }),
        (Json::Array(answer), Json::Array(shown)) => {
            answer.len() >= shown.len() && answer.iter().zip(shown).all(|(answer, shown)| has(answer, shown, names))
        }
        _ => answer == shown,
    }
}

#[test]
fn the_evening_of_the_book_is_played() {
    let server = Server::in_a_file();
    let (mut people, mut names): (BTreeMap<&str, Who>, Names) = Default::default();
    let blocks: Vec<&str> = PAGE.split("```http\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    assert!(blocks.len() >= 12);
    for block in &blocks {
        let (asked, answered) = block.split_once("\n\n").unwrap();
        let (head, body) = asked.split_once('\n').unwrap_or((asked, ""));
        let (who, request) = head.split_once(": ").unwrap();
        let (method, path) = request.split_once(' ').unwrap();
        let ask = match method {
            "GET" => Ask::get(&filled(path, &names)),
            _ => Ask::post(&filled(path, &names), &filled(body, &names)).with("Idempotency-Key", &fresh_key()),
        };
        let reply = people.entry(who).or_default().ask(server.address, ask);
        let (status, shown) = answered.split_once('\n').unwrap();
        assert_eq!(reply.status.to_string(), status, "{block}\n{}", reply.text());
        let shown: Json = serde_json::from_str(shown).unwrap();
        assert!(has(&reply.json(), &shown, &mut names), "{block}\n{}", reply.text());
    }
    // And tomorrow it is all there again, from the backup.
    let (backup, tomorrow) = (fresh_file(), fresh_file());
    tumble_server::database::backup(&server.database.display().to_string(), &backup).unwrap();
    tumble_server::database::restore(&tomorrow.display().to_string(), &backup).unwrap();
    let again = Server::with(|config| config.tables.database = tomorrow.display().to_string());
    let path = format!("/api/v1/tables/{}/executions/3", names["$table"]);
    let ann = people.get_mut("Ann").unwrap();
    assert_eq!(ann.get(again.address, &path).json(), ann.get(server.address, &path).json());
}
