//! Bad input: one clear problem each where an answer is possible, and the server goes on.

use crate::client::{Ask, Client, Reply, Server};
use std::time::{Duration, Instant};

/// A name, what is sent, and the status and code that come back.
type Case = (&'static str, Ask, u16, &'static str);

fn odds(body: &str) -> Ask {
    Ask::post("/api/v1/odds", body)
}

fn bodies() -> Vec<Case> {
    let deep = format!("{{\"text\":\"d6\",\"vars\":{}1{}}}", "{\"a\":".repeat(200), "}".repeat(200));
    let deeper = "[".repeat(60_000);
    let huge = format!("{{\"text\":\"{}\"}}", "1+".repeat(40_000));
    vec![
        ("malformed", odds("{\"text\":\"d6\""), 400, "request"),
        ("empty", odds(""), 400, "request"),
        ("no object", odds("[1,2]"), 400, "request"),
        ("a string", odds("\"d6\""), 400, "request"),
        ("not UTF-8", Ask { body: b"{\"text\":\"\xff\"}".to_vec(), ..odds("") }, 400, "request"),
        ("a number for the text", odds("{\"text\":6}"), 400, "request"),
        ("an object for a number", odds("{\"text\":\"d6\",\"at_least\":{}}"), 400, "request"),
        ("a number that is too large", odds("{\"text\":\"d6\",\"at_least\":1e400}"), 400, "request"),
        ("an unknown field", odds("{\"text\":\"d6\",\"atleast\":3}"), 400, "request"),
        ("no text", odds("{}"), 400, "request"),
        ("another task", odds("{\"do\":\"roll\",\"text\":\"d6\"}"), 400, "request"),
        ("a script among rolls", odds("{\"program\":\"defroll\"}"), 400, "request"),
        ("a roll among scripts", Ask::post("/api/v1/script/odds", "{\"text\":\"d6\"}"), 400, "request"),
        ("deep", odds(&deep), 400, "request"),
        ("very deep", odds(&deeper), 400, "request"),
        ("huge", odds(&huge), 413, "too_large"),
        (
            "another kind of body",
            odds("text=d6").with("Content-Type", "application/x-www-form-urlencoded"),
            415,
            "request",
        ),
        ("no kind of body", odds("{}").with("Content-Type", ""), 415, "request"),
        ("an error in the expression", odds("{\"text\":\"3d\"}"), 422, "syntax"),
        ("an unknown name", odds("{\"text\":\"d6 + @x\"}"), 422, "name"),
        ("over the limit", odds("{\"notation\":\"troll\",\"text\":\"different 40d40\"}"), 422, "limit"),
        ("many parentheses", odds(&format!("{{\"text\":\"{}\"}}", "(".repeat(60_000))), 422, "limit"),
        ("a check in no notation", Ask::post("/api/v1/check", "{\"text\":\"d6\",\"notation\":\"x\"}"), 400, "request"),
        ("an unknown notation", odds("{\"text\":\"d6\",\"notation\":\"x\"}"), 400, "request"),
    ]
}

fn heads() -> Vec<Case> {
    let method = |method: &'static str, path: &str| Ask { method, ..Ask::get(path) };
    vec![
        ("nothing there", Ask::get("/nothing"), 404, "not_found"),
        ("nothing in the API", Ask::get("/api/v1/nothing"), 404, "not_found"),
        ("a way out of the folder", Ask::get("/../../Cargo.toml"), 404, "not_found"),
        ("the same, escaped", Ask::get("/%2e%2e/%2e%2e/Cargo.toml"), 404, "not_found"),
        ("the policy is no file of the page", Ask::get("/policy.txt"), 404, "not_found"),
        ("another method", Ask::get("/api/v1/odds"), 405, "method"),
        ("another method of a page", method("PUT", "/"), 405, "method"),
        ("a foreign host", Ask::get("/").with("Host", "evil.example"), 421, "host"),
        ("a foreign host with our name", Ask::get("/").with("Host", "localhost.evil.example:80"), 421, "host"),
        ("no host", Ask::get("/").with("Host", ""), 421, "host"),
        ("a chart of nothing", Ask::get("/odds.svg"), 400, "request"),
        ("a chart with an error", Ask::get("/odds.svg?text=3d"), 422, "syntax"),
        ("a chart in no notation", Ask::get("/odds.png?text=d6&notation=x"), 400, "request"),
        ("a chart in no colours", Ask::get("/odds.png?text=d6&theme=x"), 400, "request"),
        ("a chart of too much", Ask::get("/odds.svg?text=different+40d40&notation=troll"), 422, "limit"),
    ]
}

#[test]
fn a_bad_request_gets_one_clear_problem() {
    let server = Server::patient();
    for (name, ask, status, code) in bodies().into_iter().chain(heads()) {
        let reply = server.client().ask(&ask);
        assert_eq!(reply.problem(), (status, code.to_owned()), "{name}: {}", reply.text());
        if status == 405 {
            assert!(!reply.header("allow").is_empty(), "{name}");
        }
    }
    assert_eq!(server.post("/api/v1/odds", "{\"text\":\"d6\"}").status, 200, "the server goes on");
}

/// An error in an expression has its place and its hint.
#[test]
fn a_problem_has_its_place() {
    let server = Server::patient();
    let found = server.post("/api/v1/roll", "{\"text\":\"4d6k3h\"}").json();
    assert_eq!((&found["code"], &found["start"], &found["end"]), (&"syntax".into(), &5.into(), &6.into()));
    assert_eq!((&found["hint"], &found["status"]), (&"try `4d6kh3`".into(), &422.into()));
}

/// What is no HTTP gets an answer of HTTP, and the connection ends.
#[test]
fn what_is_no_request_is_refused() {
    let server = Server::patient();
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(200_000));
    for (sent, statuses) in [
        ("HELLO\r\n\r\n", &[400][..]),
        ("GET / HTTP/9.9\r\n\r\n", &[400]),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", &[400]),
        (
            "POST /api/v1/odds HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
            &[400, 415],
        ),
        (long.as_str(), &[414, 431]),
    ] {
        let mut client = server.client();
        client.send(sent.as_bytes());
        let reply = client.reply(false);
        assert!(reply.is_some_and(|reply| statuses.contains(&reply.status)), "{}", &sent[..20.min(sent.len())]);
    }
    assert_eq!(server.get("/openapi.json").status, 200);
}

/// Several requests at once on one connection get their answers in order.
#[test]
fn requests_may_follow_each_other() {
    let server = Server::patient();
    let mut client = server.client();
    let one = |text: &str| {
        let body = format!("{{\"id\":\"{text}\",\"text\":\"{text}\"}}");
        let length = body.len();
        format!(
            "POST /api/v1/roll HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    client.send(format!("{}{}", one("d6"), one("d8")).as_bytes());
    let replies: Vec<Reply> = (0..2).filter_map(|_| client.reply(false)).collect();
    let ids: Vec<String> = replies.iter().map(|reply| reply.json()["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, ["d6", "d8"]);
}

/// A thousand silent connections, and some that send a byte now and then, keep nobody waiting; after ten seconds they are
/// closed. Those that sent the head of a request and not its body are answered.
#[test]
fn silent_and_slow_connections_keep_nobody_waiting() {
    let server = Server::patient();
    let silent: Vec<Client> = (0..1_000).map(|_| server.client()).collect();
    let mut slow: Vec<Client> = (0..20).map(|_| server.client()).collect();
    let mut half: Vec<Client> = (0..20).map(|_| server.client()).collect();
    slow.iter_mut().for_each(|client| client.send(b"GET / HT"));
    let head = "POST /api/v1/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{";
    half.iter_mut().for_each(|client| client.send(head.as_bytes()));
    let start = Instant::now();
    assert_eq!(server.post("/api/v1/odds", "{\"text\":\"4d6kh3\"}").status, 200);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    for client in &mut half {
        let reply = client.reply(false).unwrap();
        assert_eq!(reply.problem(), (408, "request".to_owned()));
    }
    for mut client in silent.into_iter().step_by(50).chain(slow) {
        assert!(client.reply(false).is_none_or(|reply| reply.status == 408));
    }
    let ended = start.elapsed();
    assert!((5..15).contains(&ended.as_secs()), "{ended:?}");
    assert_eq!(server.get("/openapi.json").status, 200);
}
