//! A server that is killed under load: whoever got a reply has what it says, exactly once, and who got none asks again with
//! the same key. `cargo xtask soak server` does it more often; what reaches the disk is counted by `bench/tables.py`.

use crate::tool::TUMBLE;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const SCRIPT: &str = "
defroll \"Twice\" twice() {
    x = roll(\"d1000\");
    if (userOption(\"Again?\")) { x = roll(\"d1000\"); }
    return x;
}";

/// How long a client tries before the test gives up; the server is away for well under a second at a time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that can be killed and started again on the same database.
struct Mortal {
    folder: PathBuf,
    process: Mutex<Child>,
    address: Mutex<String>,
}

impl Mortal {
    fn born() -> Mortal {
        let folder = std::env::temp_dir().join(format!("tumble-kill-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (process, address) = started(&folder);
        Mortal { folder, process: Mutex::new(process), address: Mutex::new(address) }
    }

    fn address(&self) -> String {
        self.address.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends it with no time to say goodbye (SIGKILL), and starts another one.
    fn killed_and_born_again(&self) {
        let mut process = self.process.lock().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
        let (again, address) = started(&self.folder);
        *process = again;
        *self.address.lock().unwrap() = address;
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = process.kill();
        let _ = process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn started(folder: &Path) -> (Child, String) {
    let words = ["serve", "--listen", "0", "--member-rate", "100000", "--database", "tumble.db"];
    let mut command = Command::new(TUMBLE);
    command.args(words).current_dir(folder).env("TUMBLE_LOG", "error").stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("http://").map(|rest| rest.trim_end_matches('/').to_owned()));
    (process, address.unwrap())
}

/// Somebody who asks, and what makes the server know them.
struct Client<'a> {
    server: &'a Mortal,
    headers: String,
}

impl Client<'_> {
    /// One attempt; none if the connection broke before the whole answer was there.
    fn attempt(&self, method: &str, path: &str, key: &str, body: &Json) -> Option<(u16, String, Json)> {
        let mut stream = TcpStream::connect(self.server.address()).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Idempotency-Key: {key}\r\n{}Content-Length: {}\r\n\r\n",
            self.headers,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok()?;
        let (head, body) = reply.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, head.to_owned(), serde_json::from_str(body).ok()?))
    }

    /// Asks until there is an answer, always with the same key; whether it took more than one attempt, and the answer.
    fn insist(&self, path: &str, key: &str, body: &Json) -> (bool, Json) {
        let start = Instant::now();
        let mut again = false;
        while start.elapsed() < PATIENCE {
            match self.attempt("POST", path, key, body) {
                Some((200 | 201, _, answer)) => return (again, answer),
                // It is ending, or too busy; it says so and did nothing.
                None | Some((503, ..)) => again = true,
                Some((status, _, answer)) => panic!("{path} {body}: {status} {answer}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("no answer to {path} {body}")
    }
}

fn fresh_key() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{:032x}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A table with a script; its path, the game master, and two players.
fn table(server: &Mortal) -> (String, Client<'_>, Vec<Client<'_>>) {
    let nobody = Client { server, headers: String::new() };
    let (_, head, made) =
        nobody.attempt("POST", "/api/v1/tables", &fresh_key(), &json!({ "name": "Friday", "you": "Mia" })).unwrap();
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next()).unwrap();
    let master = Client { server, headers: format!("Cookie: {cookie}\r\nOrigin: http://localhost\r\n") };
    let path = format!("/api/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    let (status, _, problem) =
        master.attempt("PUT", &format!("{path}/script"), &fresh_key(), &json!({ "text": SCRIPT })).unwrap();
    assert_eq!(status, 200, "{problem}");
    let player = |name: &str| {
        let body = json!({ "name": name, "role": "player" });
        let (_, key) = master.insist(&format!("{path}/keys"), &fresh_key(), &body);
        Client { server, headers: format!("Authorization: Bearer {}\r\n", key["token"].as_str().unwrap()) }
    };
    let players = vec![player("Ann"), player("Bob")];
    (path, master, players)
}

/// What one client was told: the label of a roll or the number of a run, and the result.
type Told = Vec<(Json, Json)>;

/// Rolls and runs with an answer, in turn, until told to stop; what was acknowledged, and how often it took a retry.
fn play(client: &Client<'_>, table: &str, name: &str, stop: &AtomicBool) -> (Told, u32) {
    let (mut told, mut retries) = (vec![], 0);
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if turn % 3 != 0 {
            let label = format!("{name}-{turn}");
            let body = json!({ "text": "3d1000", "label": label });
            let (again, roll) = client.insist(&format!("{table}/rolls"), &fresh_key(), &body);
            retries += u32::from(again);
            told.push((json!(label), roll["shown"]["total"].clone()));
            continue;
        }
        let (again, run) = client.insist(&format!("{table}/runs"), &fresh_key(), &json!({ "entry": "twice" }));
        let path = &run["shown"]["outcome"]["options"][0]["path"];
        let yes = json!({ "path": path, "value": true, "version": 1 });
        let answers = format!("{table}/executions/{}/answers", run["number"]);
        let (once_more, after) = client.insist(&answers, &fresh_key(), &yes);
        retries += u32::from(again) + u32::from(once_more);
        told.push((run["number"].clone(), after["shown"]["outcome"]["result"].clone()));
    }
    (told, retries)
}

/// Every execution of the table, under its label or its number.
fn history(master: &Client<'_>, table: &str) -> BTreeMap<String, Vec<Json>> {
    let (_, _, all) = master.attempt("GET", &format!("{table}/export.json"), "", &Json::Null).unwrap();
    let mut found: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for one in all["executions"].as_array().unwrap() {
        let (name, result) = match one["shown"]["label"].as_str() {
            Some(label) => (json!(label), &one["shown"]["total"]),
            None => (one["number"].clone(), &one["shown"]["outcome"]["result"]),
        };
        found.entry(name.to_string()).or_default().push(result.clone());
    }
    found
}

/// The numbers of all events, as a new listener gets them.
fn events(master: &Client<'_>, table: &str) -> Vec<u64> {
    let (_, _, now) = master.attempt("GET", table, "", &Json::Null).unwrap();
    let last = now["last_event"].as_u64().unwrap();
    let mut stream = TcpStream::connect(master.server.address()).unwrap();
    let head = format!("GET {table}/events?after=0 HTTP/1.1\r\nHost: localhost\r\n{}\r\n", master.headers);
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut next = || lines.find_map(|line| line.strip_prefix("id:")?.trim().parse().ok());
    let mut numbers: Vec<u64> = vec![];
    while numbers.last() != Some(&last) {
        let Some(number) = next() else { panic!("the stream ended before its last event") };
        numbers.push(number);
    }
    numbers
}

fn survives(kills: u32) {
    let server = Mortal::born();
    let (table, master, players) = table(&server);
    let stop = AtomicBool::new(false);
    let told: Vec<(Told, u32)> = std::thread::scope(|scope| {
        let names = ["ann", "bob", "mia", "mia-too"];
        let clients = [&players[0], &players[1], &master, &master];
        let playing: Vec<_> = names
            .into_iter()
            .zip(clients)
            .map(|(name, client)| scope.spawn(|| play(client, &table, name, &stop)))
            .collect();
        for kill in 0..kills {
            // Not always in the same moment of a request.
            std::thread::sleep(Duration::from_millis(u64::from(150 + 37 * (kill % 7))));
            server.killed_and_born_again();
        }
        std::thread::sleep(Duration::from_millis(150));
        stop.store(true, Ordering::Relaxed);
        playing.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let found = history(&master, &table);
    let acknowledged: usize = told.iter().map(|(told, _)| told.len()).sum();
    for (what, result) in told.iter().flat_map(|(told, _)| told) {
        assert_eq!(found.get(&what.to_string()), Some(&vec![result.clone()]), "{what}");
    }
    assert_eq!(found.len(), acknowledged, "everything that was asked for was acknowledged in the end");
    let retries: u32 = told.iter().map(|(_, retries)| retries).sum();
    assert!(retries > 0, "no request was cut off by {kills} kills");
    let numbers = events(&master, &table);
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<u64>>());
    assert!(numbers.len() >= acknowledged);
}

#[test]
fn kills_lose_and_double_nothing() {
    let kills = std::env::var("TUMBLE_TEST_KILLS").map_or(10, |kills| kills.parse().unwrap());
    survives(kills);
}
