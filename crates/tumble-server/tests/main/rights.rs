//! The matrix of rights, `rights.txt`: every route of the description as everybody. A new route without a row fails.

use crate::client::{Ask, Client, Server};
use crate::world::{Who, World, fresh_key};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const ACTORS: [&str; 7] = ["nobody", "spectator", "player", "owner", "master", "other", "bot"];

/// A row of the matrix.
struct Row {
    method: &'static str,
    path: &'static str,
    body: Option<&'static str>,
    statuses: Vec<u16>,
}

fn rows() -> Vec<Row> {
    include_str!("rights.txt").lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn row(line: &'static str) -> Row {
    let (method, rest) = line.split_once(' ').unwrap();
    let (path, rest) = rest.trim().split_once(' ').unwrap();
    let (body, statuses) = match rest.rfind('}') {
        Some(end) => (Some(rest[..=end].trim()), &rest[end + 1..]),
        None => (None, rest),
    };
    let statuses: Vec<u16> = statuses.split_whitespace().map(|status| status.parse().unwrap()).collect();
    assert_eq!(statuses.len(), ACTORS.len(), "{line}");
    Row { method, path, body, statuses }
}

impl Row {
    /// Whether it leaves the table as it was, so that the next actor finds the same.
    fn is_harmless(&self) -> bool {
        self.method == "GET"
    }

    fn ask(&self, world: &World) -> Ask {
        let filled = |text: &str| {
            let text = text.replace("/api/v1/tables/{table}", &world.table).replace("{member}", &world.bob.id);
            let text = text.replace("{number}", "1").replace("{object}", &world.hero).replace("{saved}", &world.saved);
            let secret = |json: &Json| json.as_str().unwrap_or_default().to_owned();
            let text = text.replace("$player", &secret(&world.made["invites"]["player"]));
            let text = text.replace("$recovery", &secret(&world.made["recovery"]));
            text.replace("$path", &world.path).replace("\"$hero\"", &format!("\"{}\"", world.hero))
        };
        let mut ask = match self.body {
            Some(body) => Ask::post(&filled(self.path), &filled(body)),
            None => Ask::get(&filled(self.path)),
        };
        ask.method = self.method;
        ask.with("Idempotency-Key", &fresh_key())
    }
}

fn actor<'w>(world: &'w World, name: &str, nobody: &'w Who) -> &'w Who {
    match name {
        "spectator" => &world.sue,
        "player" => &world.bob,
        "owner" => &world.ann,
        "master" => &world.master,
        "other" => &world.other,
        "bot" => &world.bot,
        _ => nobody,
    }
}

#[test]
fn everybody_may_do_what_the_matrix_says() {
    let server = Server::patient();
    let nobody = Who::default();
    let mut wrong = vec![];
    for row in rows() {
        let (mut world, mut spent) = (World::new(&server), false);
        for (name, wanted) in ACTORS.iter().zip(&row.statuses) {
            if spent {
                world = World::new(&server);
            }
            spent = !row.is_harmless() && *wanted < 300;
            let mut ask = row.ask(&world);
            if row.body.is_some_and(|body| body.contains("$move")) {
                let secret = world.ann.post(world.at, &format!("{}/move", world.table), &json!({})).json();
                ask.body = json!({ "token": secret["token"] }).to_string().into_bytes();
            }
            let mut client = Client::of(server.address);
            client.send(&actor(&world, name, &nobody).dressed(ask).bytes());
            let reply = client.reply(row.path.ends_with("/events")).unwrap();
            if reply.status != *wanted {
                wrong.push(format!(
                    "{} {} as {name}: {} for {wanted}: {}",
                    row.method,
                    row.path,
                    reply.status,
                    reply.text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_route_has_a_row() {
    let all: Json = serde_json::from_str(&tumble_server::openapi()).unwrap();
    let mut missing: BTreeSet<(String, String)> = BTreeSet::new();
    for (path, methods) in all["paths"].as_object().unwrap() {
        let about_tables = path.contains("/tables") || path.ends_with("/move") || path.ends_with("/packs");
        for method in methods.as_object().unwrap().keys().filter(|_| about_tables) {
            missing.insert((method.to_uppercase(), path.clone()));
        }
    }
    for row in rows() {
        let path = row.path.split('?').next().unwrap();
        assert!(missing.remove(&(row.method.to_owned(), path.to_owned())), "no such route: {} {path}", row.method);
    }
    assert!(missing.is_empty(), "no rights are written down for {missing:?}");
}
