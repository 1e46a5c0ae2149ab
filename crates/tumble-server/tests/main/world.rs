//! A table with somebody in every role, for tests.

use crate::client::{Ask, Client, Reply, Server};
use serde_json::{Value as Json, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};

/// A script with everything that a table can do with one.
pub(crate) const SCRIPT: &str = "
deftype hero { name: string, hp: int = 10 }
defroll \"Strike\" strike(who: hero) {
    x = roll(\"d20\");
    if (userOption(who, \"Reroll?\")) { x = roll(\"d20\"); }
    change(who, \"hp\", 0 - 1);
    output(\"Struck: \" + x);
    return x;
}";

/// Somebody with a cookie, a key, or neither.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    pub(crate) cookie: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) id: String,
}

/// A key that nobody used before.
pub(crate) fn fresh_key() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{:032x}", NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Who {
    /// The request as this person sends it.
    pub(crate) fn dressed(&self, ask: Ask) -> Ask {
        let ask = match &self.cookie {
            Some(cookie) => ask.with("Cookie", cookie).with("Origin", "http://localhost"),
            None => ask,
        };
        match &self.key {
            Some(key) => ask.with("Authorization", &format!("Bearer {key}")),
            None => ask,
        }
    }

    /// Sends it, and keeps the cookie that comes back.
    pub(crate) fn ask(&mut self, to: SocketAddr, ask: Ask) -> Reply {
        let reply = Client::of(to).ask(&self.dressed(ask));
        if let Some((cookie, _)) = reply.header("set-cookie").split_once(';') {
            self.cookie = Some(cookie.to_owned());
        }
        reply
    }

    pub(crate) fn get(&mut self, to: SocketAddr, path: &str) -> Reply {
        self.ask(to, Ask::get(path))
    }

    /// Something that rolls or answers, with a new key.
    pub(crate) fn post(&mut self, to: SocketAddr, path: &str, body: &Json) -> Reply {
        self.ask(to, Ask::post(path, &body.to_string()).with("Idempotency-Key", &fresh_key()))
    }
}

/// A table and those who sit at it.
pub(crate) struct World {
    pub(crate) at: SocketAddr,
    /// `/api/v1/tables/ID`
    pub(crate) table: String,
    pub(crate) made: Json,
    pub(crate) master: Who,
    /// Owns the hero, and has rolled roll number 1 with it.
    pub(crate) ann: Who,
    pub(crate) bob: Who,
    pub(crate) sue: Who,
    pub(crate) bot: Who,
    /// Sits at another table.
    pub(crate) other: Who,
    pub(crate) hero: String,
    pub(crate) saved: String,
    /// The path of the option of roll number 1.
    pub(crate) path: String,
}

fn joined(at: SocketAddr, table: &str, token: &Json, name: &str) -> Who {
    let mut who = Who::default();
    let reply = who.post(at, &format!("{table}/join"), &json!({ "token": token, "name": name }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    who.id = reply.json()["id"].as_str().unwrap().to_owned();
    who
}

impl World {
    pub(crate) fn new(server: &Server) -> World {
        let at = server.address;
        let mut master = Who::default();
        let made = master.post(at, "/api/v1/tables", &json!({ "name": "Friday", "you": "Mia" }));
        assert_eq!(made.status, 201, "{}", made.text());
        let made = made.json();
        master.id = made["you"]["id"].as_str().unwrap().to_owned();
        let table = format!("/api/v1/tables/{}", made["table"]["id"].as_str().unwrap());
        let [player, spectator] = ["player", "spectator"].map(|role| made["invites"][role].clone());
        let mut ann = joined(at, &table, &player, "Ann");
        let (bob, sue) = (joined(at, &table, &player, "Bob"), joined(at, &table, &spectator, "Sue"));
        let key = master.post(at, &format!("{table}/keys"), &json!({ "name": "Bot", "role": "player" })).json();
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let bot = Who { cookie: None, key: Some(text(&key["token"])), id: text(&key["member"]["id"]) };
        let mut other = Who::default();
        other.post(at, "/api/v1/tables", &json!({ "name": "Elsewhere", "you": "Zoe" }));
        let put =
            Ask { method: "PUT", ..Ask::post(&format!("{table}/script"), &json!({ "text": SCRIPT }).to_string()) };
        let written = master.ask(at, put);
        assert_eq!(written.status, 200, "{}", written.text());
        let hero = ann.post(at, &format!("{table}/objects"), &json!({ "type": "hero", "data": { "name": "Xena" } }));
        let hero = text(&hero.json()["id"]);
        let args = json!({ "entry": "strike", "args": { "who": { "$object": hero } } });
        let run = ann.post(at, &format!("{table}/runs"), &args);
        assert_eq!(run.status, 201, "{}", run.text());
        let path = text(&run.json()["shown"]["outcome"]["options"][0]["path"]);
        let saved =
            json!({ "name": "Hit", "text": "d20 + @str", "params": [{ "name": "str", "default": 2 }], "shared": true });
        let saved = text(&ann.post(at, &format!("{table}/saved"), &saved).json()["id"]);
        World { at, table, made, master, ann, bob, sue, bot, other, hero, saved, path }
    }
}
