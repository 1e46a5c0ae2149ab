//! Limits: how often an address may ask, who counts as one, and what happens to an evaluation that takes too long.

use crate::client::{Ask, Reply, Server};
use std::time::{Duration, Instant};
use tumble_server::Config;

const ROLL: &str = "{\"text\":\"d6\"}";

/// How many of so many rolls at once are answered.
fn answered(server: &Server, rolls: usize, from: &str) -> usize {
    let mut client = server.client();
    let ask = Ask::post("/api/v1/roll", ROLL).with("X-Forwarded-For", from);
    let replies: Vec<Reply> = (0..rolls).map(|_| client.ask(&ask)).collect();
    for refused in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!(refused.problem(), (429, "rate".to_owned()));
        assert_eq!(refused.header("retry-after"), "1");
    }
    replies.iter().filter(|reply| reply.status == 200).count()
}

fn slow_rate(config: &mut Config) {
    config.strangers.per_second = 1;
}

#[test]
fn an_address_has_a_rate() {
    let server = Server::with(slow_rate);
    assert!((2..5).contains(&answered(&server, 20, "198.51.100.1")), "a burst of two, and one each second");
    // Nobody believes a stranger who asks for another address.
    assert!(answered(&server, 5, "198.51.100.2") < 3);
    // What costs nothing is free.
    assert_eq!(server.get("/openapi.json").status, 200);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn behind_a_trusted_proxy_each_client_has_its_own() {
    let server = Server::with(|config| {
        slow_rate(config);
        config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    for address in ["198.51.100.1", "198.51.100.2", "2001:db8:1:2::1"] {
        assert!((2..5).contains(&answered(&server, 10, address)), "{address}");
    }
    // A client can put anything in front, and an IPv6 network is one client.
    for address in ["1.2.3.4, 198.51.100.1", "2001:db8:1:2:ffff::9"] {
        assert!(answered(&server, 10, address) < 3, "{address}");
    }
}

/// The emergency brake is 503 with a time to try again, and never says that a limit was reached.
#[test]
fn an_evaluation_that_takes_too_long_is_stopped() {
    let server = Server::with(|config| {
        config.strangers.steps = u64::MAX / 4;
        config.strangers.memory = u64::MAX / 4;
        config.strangers.workers = 1;
    });
    let start = Instant::now();
    let late = server.post("/api/v1/odds", "{\"notation\":\"troll\",\"text\":\"different 40d40\"}");
    assert_eq!(late.problem(), (503, "stopped".to_owned()));
    assert_eq!(late.header("retry-after"), "10");
    assert!((2..6).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    // The worker is free again.
    let start = Instant::now();
    assert_eq!(server.post("/api/v1/odds", ROLL).status, 200);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// Two of a client run and eight wait; more are sent away, and others are not in their way.
#[test]
fn a_full_queue_says_when_to_try_again() {
    let server = Server::with(|config| {
        config.strangers.steps = u64::MAX / 4;
        config.strangers.memory = u64::MAX / 4;
        config.strangers.workers = 1;
        config.strangers.per_second = 1_000;
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    });
    let long = Ask::post("/api/v1/odds", "{\"notation\":\"troll\",\"text\":\"different 40d40\"}");
    let mut greedy: Vec<_> = (0..12).map(|_| server.client()).collect();
    for client in &mut greedy {
        client.send(&long.clone().with("X-Forwarded-For", "198.51.100.1").bytes());
    }
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    let mut other = server.client();
    let reply = other.ask(&Ask::post("/api/v1/odds", ROLL).with("X-Forwarded-For", "198.51.100.2"));
    assert_eq!(reply.status, 200);
    assert!(start.elapsed() < Duration::from_secs(4), "next in line, after {:?}", start.elapsed());
    // Those that wait are given up when their clients go away.
    let full: Vec<Reply> =
        greedy.iter_mut().filter_map(|client| client.reply_within(Duration::from_millis(50))).collect();
    let busy = full.iter().filter(|reply| reply.problem() == (503, "busy".to_owned())).count();
    assert!(busy >= 3, "{busy}");
    assert!(full.iter().all(|reply| !reply.header("retry-after").is_empty()));
}

/// The longest answer is 1 MB.
#[test]
fn a_long_answer_is_refused() {
    let server = Server::with(|config| config.strangers.steps = 50_000_000);
    for body in ["{\"text\":\"1000d6\",\"times\":1000}", "{\"text\":\"d6\",\"times\":10000}"] {
        let reply = server.post("/api/v1/roll", body);
        assert_eq!(reply.problem(), (422, "limit".to_owned()), "{body}");
        assert!(reply.text().contains("longer than 1 MB"), "{}", reply.text());
    }
}

/// What a run has shown before it fails is part of the answer, if it fits.
#[test]
fn a_run_that_fails_late_has_a_short_answer() {
    let server = Server::patient();
    for (loops, has_dice) in [("x < 40", true), ("x >= 0", false)] {
        let program =
            format!("defroll \"R\" r() {{ x = 0; while ({loops}) {{ x = x + roll(\"d6\"); }} return 1 / 0; }}");
        let reply =
            server.post("/api/v1/script/run", &serde_json::json!({ "program": program, "seed": 1 }).to_string());
        assert_eq!(reply.status, 422, "{loops}");
        assert!(reply.body.len() <= 1 << 20, "{loops}: {} bytes", reply.body.len());
        assert_eq!(reply.json()["rolls"].is_array(), has_dice, "{loops}: {}", reply.json()["detail"]);
    }
}

#[test]
fn the_admin_says_how_the_server_is() {
    let server = Server::with(|config| config.admin_listen = Some(([127, 0, 0, 1], 0).into()));
    assert_eq!(server.post("/api/v1/roll", ROLL).status, 200);
    let admin = |path: &str| crate::client::Client::of(server.admin.unwrap()).ask(&Ask::get(path));
    assert_eq!((admin("/healthz").status, admin("/readyz").text().as_str()), (200, "ready\n"));
    let metrics = admin("/metrics");
    assert_eq!(metrics.status, 200);
    // Not on the address for everybody.
    assert_eq!(server.get("/metrics").status, 404);
}
