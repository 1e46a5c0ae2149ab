//! What happens at tables: retries, two at once, what is too late, what can't be, links, migration, streams that resume.

use crate::client::{Ask, Client, Server};
use crate::world::{SCRIPT, Who, World, fresh_key};
use serde_json::{Value as Json, json};
use std::io::Read;
use std::time::Duration;

#[test]
fn a_retry_has_the_same_dice() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, path) = (world.at, format!("{}/rolls", world.table));
    let key = fresh_key();
    let ask = |text: &str| Ask::post(&path, &json!({ "text": text }).to_string()).with("Idempotency-Key", &key);
    let first = world.bob.ask(at, ask("8d1000"));
    let again = world.bob.ask(at, ask("8d1000"));
    assert_eq!((first.status, first.text()), (again.status, again.text()));
    assert_eq!(world.bob.ask(at, ask("9d1000")).problem(), (409, "conflict".to_owned()));
    assert_ne!(
        world.ann.ask(at, ask("8d1000")).json()["number"],
        first.json()["number"],
        "another member, another key"
    );
    let missing = world.bob.ask(at, Ask::post(&path, &json!({ "text": "d6" }).to_string()));
    assert_eq!(missing.problem(), (400, "request".to_owned()));
}

#[test]
fn numbers_have_no_gaps_however_many_roll_at_once() {
    let server = Server::patient();
    let world = World::new(&server);
    std::thread::scope(|scope| {
        for who in [&world.ann, &world.bob, &world.bot, &world.master] {
            let (mut who, at, path): (Who, _, _) = (who.clone(), world.at, format!("{}/rolls", world.table));
            scope.spawn(move || {
                for _ in 0..10 {
                    assert_eq!(who.post(at, &path, &json!({ "text": "2d6" })).status, 201);
                }
            });
        }
    });
    let mut master = world.master.clone();
    let state = master.get(world.at, &world.table).json();
    let numbers: Vec<i64> =
        state["executions"].as_array().unwrap().iter().map(|one| one["number"].as_i64().unwrap()).collect();
    assert_eq!(numbers, (1..=41).rev().collect::<Vec<_>>());
    let events = followed(&world, &mut master, 0, "");
    let ids: Vec<i64> = events.iter().map(|(id, _)| *id).collect();
    // Somebody's presence may have become known meanwhile.
    assert!(ids.len() as i64 >= state["last_event"].as_i64().unwrap());
    assert_eq!(ids, (1..=ids.len() as i64).collect::<Vec<_>>());
}

/// The events after one, as far as they are there.
fn followed(world: &World, who: &mut Who, after: i64, until: &str) -> Vec<(i64, Json)> {
    let mut client = Client::of(world.at);
    client.send(&who.dressed(Ask::get(&format!("{}/events?after={after}", world.table))).bytes());
    client.stream.set_read_timeout(Some(Duration::from_millis(if until.is_empty() { 700 } else { 10_000 }))).unwrap();
    let (mut all, mut part) = (String::new(), [0; 4096]);
    while let Ok(n @ 1..) = client.stream.read(&mut part) {
        all.push_str(&String::from_utf8_lossy(&part[..n]));
        if !until.is_empty() && all.contains(until) {
            break;
        }
    }
    let blocks = all.split("\n\n").map(|block| block.rsplit("\r\n").next().unwrap_or(block).to_owned() + "\n" + block);
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.trim_end().strip_prefix(name)).map(|value| value.trim().to_owned())
    };
    let mut events: Vec<(i64, Json)> = blocks
        .filter_map(|block| {
            let id = field(&block, "id:")?.parse().ok()?;
            let data = field(&block, "data:").map(|data| serde_json::from_str(&data).unwrap());
            Some((id, data.unwrap_or(Json::Null)))
        })
        .collect();
    events.dedup_by_key(|(id, _)| *id);
    events
}

#[test]
fn answers_are_given_by_their_owner_and_in_time() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, one) = (world.at, format!("{}/executions/1", world.table));
    let answers = format!("{one}/answers");
    let yes = |version: i64| json!({ "path": world.path, "value": true, "version": version });
    assert_eq!(world.bob.post(at, &answers, &yes(1)).problem(), (403, "forbidden".to_owned()));
    assert_eq!(world.ann.post(at, &answers, &yes(7)).problem(), (409, "conflict".to_owned()));
    let gone = json!({ "path": "iru", "value": true });
    assert_eq!(world.ann.post(at, &answers, &gone).problem(), (409, "conflict".to_owned()));
    let after = world.ann.post(at, &answers, &yes(1)).json();
    assert_eq!((&after["version"], &after["shown"]["outcome"]["rolls"][1]["status"]), (&json!(2), &json!("new")));
    assert_eq!(after["shown"]["outcome"]["rolls"][0]["status"], "kept");
    assert!(after["shown"]["before"]["result"].is_i64(), "{after}");
    // Who has seen the new die may not go back; the game master may, and finds the old result again.
    let no = json!({ "path": world.path, "value": false });
    assert_eq!(world.ann.post(at, &answers, &no).problem(), (403, "forbidden".to_owned()));
    let back = world.master.post(at, &answers, &no).json();
    assert_eq!(back["shown"]["outcome"]["result"], after["shown"]["before"]["result"]);
    let again = world.master.post(at, &answers, &json!({ "path": world.path, "value": true })).json();
    assert_eq!(again["shown"]["outcome"]["result"], after["shown"]["outcome"]["result"], "the same die as before");
    assert_eq!(world.master.post(at, &format!("{one}/close"), &json!({})).status, 200);
    assert_eq!(world.master.post(at, &answers, &no).problem(), (409, "conflict".to_owned()));
}

#[test]
fn two_answers_at_once_are_one_after_the_other() {
    let server = Server::patient();
    let world = World::new(&server);
    let answer = |mut who: Who| {
        let body = json!({ "path": world.path, "value": true, "version": 1 });
        who.post(world.at, &format!("{}/executions/1/answers", world.table), &body).status
    };
    let mut statuses = std::thread::scope(|scope| {
        let both = [world.ann.clone(), world.master.clone()].map(|who| scope.spawn(|| answer(who)));
        both.map(|one| one.join().unwrap())
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "one of them was too late");
}

#[test]
fn a_die_is_rolled_again_and_taken_back() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let rolled = world.ann.post(at, &format!("{table}/rolls"), &json!({ "text": "3d1000" })).json();
    let dice = format!("{table}/executions/{}/dice", rolled["number"]);
    let edit = |what: &str| json!({ "do": what, "path": "r", "die": "d1000", "index": 1 });
    assert_eq!(world.ann.post(at, &dice, &edit("reroll")).status, 403);
    let again = world.master.post(at, &dice, &edit("reroll")).json();
    let values = |view: &Json| -> Vec<i64> {
        view["shown"]["outcome"]["draws"].as_array().unwrap().iter().map(|die| die["value"].as_i64().unwrap()).collect()
    };
    let (before, after) = (values(&rolled), values(&again));
    assert_eq!((before[0], before[2]), (after[0], after[2]));
    assert_eq!(
        again["shown"]["edited"],
        json!([{ "path": "r", "die": "d1000", "index": 1, "by_hand": false }]),
        "everyone sees which die was rolled again"
    );
    let undone = world.master.post(at, &dice, &edit("undo")).json();
    assert_eq!((values(&undone), undone["shown"].get("edited")), (before, None));
    let set = json!({ "do": "set", "path": "r", "die": "d1000", "index": 0, "value": 7 });
    let typed = world.master.post(at, &dice, &set).json();
    assert_eq!((values(&typed)[0], &typed["shown"]["typed"]), (7, &json!(1)));
    assert_eq!(typed["shown"]["edited"][0]["by_hand"], json!(true));
}

#[test]
fn a_rule_pack_brings_its_saved_rolls_once() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let mut names = || -> Vec<String> {
        let put = Ask { method: "PUT", ..Ask::post(&format!("{table}/script"), r#"{"pack":"savage"}"#) };
        assert_eq!(world.master.ask(at, put).status, 200);
        let state = world.master.ask(at, Ask::get(&table)).json();
        let names = state["saved"].as_array().unwrap().iter().map(|saved| saved["name"].as_str().unwrap().to_owned());
        names.filter(|name| name == "Trait d8" || name == "Damage").collect()
    };
    assert_eq!(names(), ["Trait d8", "Damage"]);
    assert_eq!(names(), ["Trait d8", "Damage"], "not once more");
}

#[test]
fn dice_of_the_real_world_are_typed_in() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let rolls = format!("{table}/rolls");
    let roll = |dice: &[i64]| json!({ "text": "3d6", "dice": dice });
    let typed = world.bob.post(at, &rolls, &roll(&[3, 4, 5])).json();
    assert_eq!((&typed["shown"]["outcome"]["value"], &typed["shown"]["typed"]), (&json!(12), &json!(3)));
    for dice in [&[3, 4][..], &[3, 4, 5, 6], &[3, 4, 7]] {
        assert_eq!(world.bob.post(at, &rolls, &roll(dice)).status, 400, "{dice:?}");
    }
    let luck = world.bob.get(at, &format!("{table}/luck")).json();
    assert!(luck.as_array().unwrap().iter().all(|one| one["member"] != world.bob.id), "{luck}");
    let settings = json!({ "settings": { "typed_dice": false } });
    let patch = Ask { method: "PATCH", ..Ask::post(&table, &settings.to_string()) };
    assert_eq!(world.master.ask(at, patch).status, 200);
    assert_eq!(world.bob.post(at, &rolls, &roll(&[3, 4, 5])).problem(), (403, "forbidden".to_owned()));
}

#[test]
fn a_change_is_proposed_and_applied_once() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let changes = format!("{table}/executions/1/changes");
    let hp =
        |world: &mut World| world.ann.get(at, &format!("{table}/objects/{}", world.hero)).json()["data"]["hp"].clone();
    assert_eq!(hp(&mut world), 10, "a roll changes nothing by itself");
    assert_eq!(world.ann.post(at, &changes, &json!({ "index": 0 })).json()["shown"]["changes"][0]["applied"], true);
    assert_eq!(hp(&mut world), 9);
    assert_eq!(world.ann.post(at, &changes, &json!({ "index": 0 })).problem(), (409, "conflict".to_owned()));
    assert_eq!(world.ann.post(at, &changes, &json!({ "index": 5 })).problem(), (409, "conflict".to_owned()));
}

#[test]
fn a_new_script_takes_objects_along() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let put = |text: &str| Ask {
        method: "PUT",
        ..Ask::post(&format!("{table}/script"), &json!({ "text": text }).to_string())
    };
    let broken = world.master.ask(at, put("defroll \"X\" x() { return 1 + true; }"));
    assert_eq!(broken.status, 422);
    assert!(broken.json()["problems"].is_array(), "{}", broken.text());
    let text = SCRIPT.replace("hp: int = 10", "luck: int = 3");
    let text = text.replace("change(who, \"hp\", 0 - 1);", "");
    let written = world.master.ask(at, put(&text)).json();
    assert_eq!((&written["script"]["number"], &written["migrated"][0]["object"]), (&json!(2), &json!(world.hero)));
    let hero = world.ann.get(at, &format!("{table}/objects/{}", world.hero)).json();
    assert_eq!((&hero["data"], &hero["leftover"]), (&json!({ "name": "Xena", "luck": 3 }), &json!({ "hp": 10 })));
    // The roll that is under way keeps its version.
    let answer =
        world.ann.post(at, &format!("{table}/executions/1/answers"), &json!({ "path": world.path, "value": true }));
    assert_eq!(answer.json()["shown"]["script"], 1);
    let stale = json!({ "text": SCRIPT, "from": 1 });
    let stale = Ask { method: "PUT", ..Ask::post(&format!("{table}/script"), &stale.to_string()) };
    assert_eq!(world.master.ask(at, stale).problem(), (409, "conflict".to_owned()));
}

#[test]
fn links_are_the_passwords() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let old = world.made["invites"]["player"].clone();
    let new = world.master.post(at, &format!("{table}/invites"), &json!({ "role": "player" })).json()["token"].clone();
    let join = |token: &Json| {
        Who::default().post(at, &format!("{table}/join"), &json!({ "token": token, "name": "Eve" })).status
    };
    assert_eq!([join(&old), join(&new), join(&json!("rubbish"))], [403, 201, 403]);
    let secret = world.ann.post(at, &format!("{table}/move"), &json!({})).json()["token"].clone();
    let mut phone = Who::default();
    let arrived = phone.post(at, "/api/v1/move", &json!({ "token": secret }));
    assert_eq!(arrived.json()["member"]["id"], world.ann.id);
    assert_eq!(phone.get(at, &table).json()["you"]["id"], world.ann.id);
    assert_eq!(
        Who::default().post(at, "/api/v1/move", &json!({ "token": secret })).problem(),
        (403, "forbidden".to_owned())
    );
    assert_eq!(world.ann.get(at, &table).status, 200, "the old device keeps its seat");
    let mut lost = Who::default();
    let code = world.made["recovery"].as_str().unwrap().to_uppercase();
    assert_eq!(lost.post(at, &format!("{table}/recover"), &json!({ "code": code })).json()["role"], "game_master");
    // A cookie that we did not issue is not taken over.
    let mut forged = Who { cookie: Some("tumble=0123456789abcdef".to_owned()), ..Who::default() };
    let reply = forged.post(at, &format!("{table}/join"), &json!({ "token": new, "name": "Eve" }));
    assert!(reply.status == 201 && !reply.header("set-cookie").contains("0123456789abcdef"));
}

#[test]
fn another_page_can_do_nothing_with_a_cookie() {
    let server = Server::patient();
    let world = World::new(&server);
    let path = format!("{}/rolls", world.table);
    let ask = || {
        let ask = Ask::post(&path, "{\"text\":\"d6\"}").with("Cookie", world.ann.cookie.as_deref().unwrap());
        ask.with("Idempotency-Key", &fresh_key())
    };
    let status = |ask: Ask| Client::of(world.at).ask(&ask).status;
    assert_eq!(status(ask().with("Origin", "http://localhost")), 201);
    assert_eq!(status(ask().with("Origin", "http://evil.example")), 403);
    assert_eq!(status(ask()), 403, "no origin");
    assert_eq!(status(ask().with("Origin", "http://localhost").with("Content-Type", "text/plain")), 415);
}

#[test]
fn who_leaves_is_gone_and_streams_end() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let mut client = Client::of(at);
    client.send(&world.bob.dressed(Ask::get(&format!("{table}/events")).with("Connection", "close")).bytes());
    assert_eq!(client.reply(true).unwrap().status, 200);
    let kick = Ask { method: "DELETE", ..Ask::get(&format!("{table}/members/{}", world.bob.id)) };
    assert_eq!(world.master.ask(at, kick).status, 204);
    client.stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut rest = vec![];
    assert!(client.stream.read_to_end(&mut rest).is_ok(), "the stream has ended");
    assert_eq!(world.bob.get(at, &table).status, 404);
    // Handing over makes the other one game master, and nobody else.
    let hand = |member: &str| Ask {
        method: "PATCH",
        ..Ask::post(&format!("{table}/members/{member}"), "{\"role\":\"game_master\"}")
    };
    assert_eq!(world.master.ask(at, hand(&world.ann.id)).status, 200);
    assert_eq!(world.master.ask(at, hand(&world.ann.id)).status, 403);
    assert_eq!(world.ann.get(at, &table).json()["you"]["role"], "game_master");
}

#[test]
fn a_stream_resumes_where_it_ended() {
    let server = Server::patient();
    let mut world = World::new(&server);
    let (at, table) = (world.at, world.table.clone());
    let last = world.ann.get(at, &table).json()["last_event"].as_i64().unwrap();
    for text in ["d4", "d6", "d8"] {
        world.bob.post(at, &format!("{table}/rolls"), &json!({ "text": text }));
    }
    let mut sue = world.sue.clone();
    let seen = followed(&world, &mut sue, last + 1, "\"d8\"");
    let texts: Vec<&str> = seen.iter().filter_map(|(_, event)| event["execution"]["shown"]["text"].as_str()).collect();
    assert_eq!(texts, ["d6", "d8"]);
    let fifth: Vec<Client> = (0..4)
        .map(|_| {
            let mut client = Client::of(at);
            client.send(&sue.dressed(Ask::get(&format!("{table}/events"))).bytes());
            assert_eq!(client.reply(true).unwrap().status, 200);
            client
        })
        .collect();
    assert_eq!(sue.get(at, &format!("{table}/events")).problem(), (429, "rate".to_owned()));
    drop(fifth);
}

#[test]
fn a_backup_is_restored() {
    let server = Server::in_a_file();
    let mut world = World::new(&server);
    let file = crate::client::fresh_file();
    let database = server.database.display().to_string();
    tumble_server::database::backup(&database, &file).unwrap();
    world.bob.post(world.at, &format!("{}/rolls", world.table), &json!({ "text": "d6" }));
    assert!(tumble_server::database::restore(&database, &file).is_err(), "a server uses it");
    let fresh = crate::client::fresh_file();
    tumble_server::database::restore(&fresh.display().to_string(), &file).unwrap();
    let mut listed = vec![];
    tumble_server::database::tables(&fresh.display().to_string(), &mut listed).unwrap();
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains("Friday") && listed.contains("Elsewhere"), "{listed}");
    let second = Server::with(|config| config.tables.database = fresh.display().to_string());
    let state = world.bob.get(second.address, &world.table).json();
    assert_eq!(state["executions"].as_array().unwrap().len(), 1, "the roll after the backup is not in it");
}
