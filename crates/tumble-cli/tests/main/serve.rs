//! `tumble serve` as a process: where it says it is, what it logs, how it ends, and that texts are shown as text.

use crate::tool::{TUMBLE, shell};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Served {
    process: Child,
    /// What it printed before its last address.
    said: Vec<String>,
    address: String,
}

fn serve(words: &[&str]) -> Served {
    let mut process = Command::new(TUMBLE)
        .arg("serve")
        .args(words)
        .env("TUMBLE_LOG", "debug")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut said = vec![];
    let address = loop {
        let line = lines.next().unwrap();
        match line.strip_prefix("http://127.0.0.1:") {
            Some(port) => break format!("127.0.0.1:{}", port.trim_end_matches('/')),
            None => said.push(line),
        }
    };
    Served { process, said, address }
}

impl Served {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends a request and reads until the connection ends.
    fn ask(&self, head: &str, body: &str) -> String {
        let mut stream = self.connect();
        let length = body.len();
        let end = format!("Host: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(format!("{head} HTTP/1.1\r\nContent-Type: application/json\r\n{end}").as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Sends a signal; how long it takes to end, and its log.
    fn end(mut self, signal: &str) -> (Duration, Option<i32>, String) {
        let start = Instant::now();
        let killed = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut log = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        let status = self.process.wait().unwrap();
        (start.elapsed(), status.code(), log)
    }
}

/// SIGTERM and SIGINT end it soon, whoever is connected: silent, in the middle of a request, and waiting for an answer.
#[test]
fn it_ends_soon_with_connections_open() {
    for signal in ["-TERM", "-INT"] {
        let served = serve(&["--listen", "0", "--max-steps", "1000000000000", "--memory", "100000"]);
        let silent: Vec<TcpStream> = (0..50).map(|_| served.connect()).collect();
        let mut half = served.connect();
        half.write_all(b"POST /api/v1/odds HTTP/1.1\r\nHost: localhost\r\n").unwrap();
        let mut waits = served.connect();
        let body = "{\"notation\":\"troll\",\"text\":\"different 40d40\"}";
        let head = "POST /api/v1/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        waits.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let (took, status, _) = served.end(signal);
        assert!(took < Duration::from_secs(2), "{signal} took {took:?}");
        assert_eq!(status, Some(0), "{signal}");
        drop(silent);
    }
}

/// The log names routes and statuses; paths, queries, bodies and headers are nobody's business.
#[test]
fn the_log_keeps_secrets() {
    let served = serve(&["--listen", "0"]);
    for (head, body) in [
        ("GET /odds.svg?text=1d6%2Bsecretquery", ""),
        ("GET /?roll=d6&as=secretquery", ""),
        ("GET /tables/secretpath?token=secretquery", ""),
        ("POST /api/v1/odds", "{\"text\":\"secretbody\"}"),
        ("POST /api/v1/roll", "{\"text\":\"d6 # secretbody\"}"),
        ("POST /api/v1/roll", "secretbody"),
        ("GET /x HTTP/1.1\r\nCookie: secretcookie\r\nX-Forwarded-For: secretheader\r\nA: b", ""),
    ] {
        assert!(served.ask(head, body).starts_with("HTTP/1.1 "), "{head}");
    }
    let (_, _, log) = served.end("-TERM");
    assert!(!log.contains("secret"), "{log}");
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let routes: Vec<&str> = lines.iter().filter_map(|line| line["route"].as_str()).collect();
    assert_eq!(routes, ["/odds.svg", "/", "none", "/api/v1/odds", "/api/v1/roll", "/api/v1/roll", "none"]);
}

#[test]
fn on_a_network_it_prints_addresses_and_a_code() {
    let served = serve(&["--lan", "--listen", "0"]);
    let said = served.said.join("\n");
    // A machine without a network has neither.
    if said.contains("http://") {
        assert!(said.contains("On the same network, scan this or open:") && said.contains('█'), "{said}");
    }
    assert!(served.ask("GET /openapi.json", "").starts_with("HTTP/1.1 200"));
    let (_, status, _) = served.end("-INT");
    assert_eq!(status, Some(0));
}

#[test]
fn what_can_not_be_served_is_refused() {
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port();
    for (line, why) in [
        (format!("tumble serve --listen {port}"), "is in use; another server may run there"),
        ("tumble serve --lan --listen 127.0.0.1:0".to_owned(), "`--lan` has no effect"),
        ("tumble serve --listen x".to_owned(), "write it like 127.0.0.1:2020"),
        ("tumble serve --trusted-proxy 10.0.0.0/99".to_owned(), "write it like 10.0.0.1 or 10.0.0.0/8"),
        ("tumble serve --public-url dice.example.org".to_owned(), "write it like https://dice.example.org"),
        ("tumble serve --rate 0".to_owned(), "0 is not in 1.."),
        ("tumble serve --workers 0".to_owned(), "0 is not in 1.."),
        ("TUMBLE_LISTEN=x tumble serve".to_owned(), "write it like 127.0.0.1:2020"),
        ("TUMBLE_LOG=loud tumble serve --listen 0".to_owned(), "TUMBLE_LOG must be off, error, warn, info or debug"),
    ] {
        let ran = shell(&line, b"");
        assert!(ran.status == 2 && ran.err.contains(why), "{line}: {ran:?}");
    }
}
