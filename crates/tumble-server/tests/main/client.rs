//! A server for a test, and a small client of its own: what is sent and what comes back, byte by byte.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;
use tumble_server::{Config, Running, start};

/// A server that ends with the test.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) database: PathBuf,
    running: Option<Running>,
    runtime: Runtime,
}

impl Server {
    /// One with these settings, on a free port.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Server {
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        let database = fresh_file();
        config.tables.database = postgres().unwrap_or_else(|| database.display().to_string());
        config.tables.members.per_second = 100_000;
        config.tables.new_per_hour = 100_000;
        config.tables.joins_per_minute = 100_000;
        change(&mut config);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let running = runtime.block_on(start(config)).unwrap();
        Server { address: running.address, admin: running.admin, database, running: Some(running), runtime }
    }

    /// One whose tables are in a file, whatever the others use: for what is done with that file.
    pub(crate) fn in_a_file() -> Server {
        let file = fresh_file();
        let mut server = Server::with(|config| {
            config.strangers.per_second = 100_000;
            config.tables.database = file.display().to_string();
        });
        server.database = file;
        server
    }

    /// One that lets a test ask as often as it likes.
    pub(crate) fn patient() -> Server {
        Server::with(|config| config.strangers.per_second = 100_000)
    }

    pub(crate) fn client(&self) -> Client {
        Client::of(self.address)
    }

    /// One request on a connection of its own.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.client().ask(&Ask::get(path))
    }

    /// The answer to a body.
    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.client().ask(&Ask::post(path, body))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            self.runtime.block_on(running.end());
        }
        for more in ["", "-wal", "-shm", "-lock"] {
            let _ = std::fs::remove_file(format!("{}{more}", self.database.display()));
        }
    }
}

/// A name for a database that nobody else uses.
pub(crate) fn fresh_file() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("tumble-test-{}-{number}.db", std::process::id()))
}

/// A new database of the PostgreSQL whose socket is in this folder, if `cargo xtask soak server` started one; else a file of
/// SQLite is used.
fn postgres() -> Option<String> {
    let folder = std::env::var("TUMBLE_TEST_POSTGRES").ok()?;
    let name = fresh_file().file_stem().unwrap().to_str().unwrap().replace('-', "_");
    let made = Command::new("createdb").args(["--host", &folder, "--username", "tumble", &name]).status();
    assert!(made.unwrap().success(), "no database {name}");
    Some(format!("postgres://tumble@localhost/{name}?host={folder}"))
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Ask {
    pub(crate) fn get(path: &str) -> Ask {
        Ask { method: "GET", path: path.to_owned(), headers: vec![], body: vec![] }
    }

    pub(crate) fn post(path: &str, body: &str) -> Ask {
        let kind = ("Content-Type", "application/json".to_owned());
        Ask { method: "POST", path: path.to_owned(), headers: vec![kind], body: body.as_bytes().to_vec() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Ask {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        if self.headers.iter().all(|(name, _)| *name != "Host") {
            head.push_str("Host: localhost\r\n");
        }
        if self.method != "GET" && self.headers.iter().all(|(name, _)| *name != "Content-Length") {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        self.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The status and the code of an error, which is one as we promise it.
    pub(crate) fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let body = self.json();
        assert_eq!(body["status"], self.status, "{body}");
        assert!(["type", "title", "detail", "code"].iter().all(|name| body[name].is_string()), "{body}");
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.len() > 8 && !detail.ends_with('.'), "{detail}");
        (self.status, body["code"].as_str().unwrap().to_owned())
    }
}

/// One connection.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn of(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, buffer: vec![] }
    }

    pub(crate) fn ask(&mut self, ask: &Ask) -> Reply {
        // A server that refuses a long body may answer, and close, before all of it is sent.
        let _ = self.stream.write_all(&ask.bytes());
        self.reply(ask.method == "HEAD").unwrap_or_else(|| panic!("no reply to {ask:?}"))
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// The next reply, if it comes this soon.
    pub(crate) fn reply_within(&mut self, time: Duration) -> Option<Reply> {
        self.stream.set_read_timeout(Some(time)).unwrap();
        self.reply(false)
    }

    /// The next reply; none if the connection ends before it.
    pub(crate) fn reply(&mut self, head_only: bool) -> Option<Reply> {
        let end = loop {
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            self.more()?;
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect()).unwrap();
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let bare = head_only || status == 304;
        let length = if bare { 0 } else { headers.get("content-length").map_or(0, |length| length.parse().unwrap()) };
        while self.buffer.len() < length {
            self.more()?;
        }
        Some(Reply { status, headers, body: self.buffer.drain(..length).collect() })
    }

    fn more(&mut self) -> Option<()> {
        let mut part = [0; 16 << 10];
        match self.stream.read(&mut part) {
            Ok(0) | Err(_) => None,
            Ok(n) => {
                self.buffer.extend_from_slice(&part[..n]);
                Some(())
            }
        }
    }
}
