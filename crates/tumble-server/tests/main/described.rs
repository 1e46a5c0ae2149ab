//! The description of the API is checked in, and is what the server serves. `TUMBLE_UPDATE=1` writes it.

use crate::client::Server;
use serde_json::Value as Json;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_description_is_up_to_date() {
    let now = tumble_server::openapi();
    if std::env::var_os("TUMBLE_UPDATE").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(kept == now, "openapi.json is out of date; `TUMBLE_UPDATE=1 cargo test -p tumble-server` writes it");
    let served = Server::patient().get("/openapi.json");
    assert_eq!((served.text() == now, served.header("content-type")), (true, "application/json"));
}

/// What the description says of a request is what `batch` reads, and every route can refuse in the documented ways.
#[test]
fn every_route_is_described() {
    let all: Json = serde_json::from_str(&tumble_server::openapi()).unwrap();
    let paths = all["paths"].as_object().unwrap();
    assert!(paths.len() >= 12, "{:?}", paths.keys());
    let mut names = std::collections::BTreeSet::new();
    for (path, methods) in paths {
        for (method, route) in methods.as_object().unwrap() {
            let good = ["200", "201", "204"].iter().filter(|status| !route["responses"][**status].is_null()).count();
            assert_eq!(good, 1, "{method} {path}");
            for status in ["400", "421", "422", "429", "500", "503"] {
                let found = &route["responses"][status];
                assert!(!found["description"].is_null(), "{method} {path} {status}");
                let kinds = found["content"].as_object().map(|kinds| kinds.keys().cloned().collect::<Vec<_>>());
                assert_eq!(kinds.unwrap_or_default(), ["application/problem+json"], "{method} {path} {status}");
            }
            let name = route["operationId"].as_str().unwrap_or_default();
            assert!(!name.is_empty() && names.insert(name.to_owned()), "{method} {path}: `{name}` is taken");
            assert!(route["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{method} {path}");
        }
    }
}
