//! Every vector through HTTP is what `batch` answers, without `ok` and `micros`; errors are problem+json with the same
//! fields.

use crate::client::{Ask, Client, Reply, Server};
use serde_json::{Map, Value as Json, json};
use tumble::Limits;
use tumble::batch::{Settings, answer};

/// The vectors that there must be.
const FEWEST: usize = 2_500;

/// Connections that ask at the same time.
const CLIENTS: usize = 4;

/// What the server allows by default.
fn settings() -> Settings {
    let limits = Limits { steps: 2_000_000, bytes: 64 << 20, draws: 50_000, members: 200_000, ..Limits::default() };
    Settings { longest: 1 << 20, shared: true, ..Settings::new(limits, || 0) }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The requests about rolls: the odds of every vector, and one roll of it.
fn rolls() -> Vec<Json> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let mut requests = vec![];
    for file in files.iter().filter_map(|file| file.strip_suffix(".jsonl")) {
        let notation = tumble::notation(file).or_else(|| tumble::notation(file.split('-').next()?)).unwrap().name;
        for line in read(&format!("conformance/{file}.jsonl")).lines() {
            let vector: Json = serde_json::from_str(line).unwrap();
            let links = vector["truncation"]["max_links"].as_u64().map(|links| links + 1);
            let iterations = vector["max_iterations"].as_u64().or(links);
            let (text, vars) = (&vector["expr"], &vector["vars"]);
            requests.push(
                json!({ "do": "odds", "notation": notation, "text": text, "vars": vars, "iterations": iterations }),
            );
            requests.push(json!({ "do": "roll", "notation": notation, "text": text, "vars": vars, "seed": 7 }));
        }
    }
    requests
}

/// The requests about scripts.
fn scripts() -> Vec<Json> {
    let all: Json = serde_json::from_str(&read("conformance/script-vectors.json")).unwrap();
    let each = |kind: &str| all[kind].as_array().unwrap().clone();
    let about = |vector: &Json, more: Json| {
        let kept = ["program", "entry", "args"].map(|name| (name.to_owned(), vector[name].clone()));
        Json::Object(kept.into_iter().chain(more.as_object().unwrap().clone()).collect::<Map<_, _>>())
    };
    let mut requests = vec![];
    for vector in each("odds") {
        requests.push(about(&vector, json!({ "do": "odds", "say": vector["say"] })));
        requests.push(about(&vector, json!({ "do": "run", "seed": 3 })));
        requests.push(json!({ "do": "check", "program": vector["program"], "tokens": true }));
    }
    for vector in each("best") {
        for value in vector["values"].as_array().unwrap() {
            let more = json!({ "do": "best", "goal": value["goal"], "minimise": vector["minimise"] });
            requests.push(about(&vector, more));
        }
    }
    let lines = read("crates/tumble/tests/main/script_answers.jsonl");
    let mut lines = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let programs = lines.next().unwrap()["programs"].clone();
    for line in lines {
        let mut request = line["ask"].clone();
        if let Some(name) = request["program"].as_str().and_then(|name| programs.get(name.strip_prefix('$')?)) {
            request["program"] = name.clone();
        }
        // Dice that nobody fixes are different each time.
        if request["seed"].is_null() && ["run", "worth"].map(Json::from).contains(&request["do"]) {
            request["seed"] = json!(3);
        }
        requests.push(request);
    }
    requests
}

/// Where a request goes.
fn path(request: &Json) -> String {
    let task = request["do"].as_str().unwrap();
    if request["program"].is_null() { format!("/api/v1/{task}") } else { format!("/api/v1/script/{task}") }
}

/// The answer of `batch` as HTTP has it: the status, and the body.
fn wanted(request: &Json) -> (u16, Json) {
    let Json::Object(mut fields) = answer(request.to_string().as_bytes(), &settings()) else { panic!("no object") };
    untimed(&mut fields);
    if fields.shift_remove("ok") == Some(json!(true)) {
        return (200, Json::Object(fields));
    }
    let Some(Json::Object(mut error)) = fields.shift_remove("error") else { panic!("no error in {fields:?}") };
    let (code, detail) = (error.shift_remove("code").unwrap(), error.shift_remove("message").unwrap());
    let (status, title) = if code == "request" { (400, "Bad Request") } else { (422, "Unprocessable Entity") };
    let mut problem = Map::new();
    for (name, value) in [("type", json!("about:blank")), ("title", json!(title)), ("status", json!(status))] {
        problem.insert(name.into(), value);
    }
    problem.insert("detail".into(), detail);
    problem.insert("code".into(), code);
    problem.extend(error.into_iter().chain(fields));
    (status, Json::Object(problem))
}

/// Takes out what depends on the clock; a sweep has it in each of its entries.
fn untimed(fields: &mut Map<String, Json>) {
    fields.shift_remove("micros");
    let entries = fields.get_mut("sweep").and_then(Json::as_array_mut).into_iter().flatten();
    entries.filter_map(Json::as_object_mut).for_each(untimed);
}

/// A busy machine may pull the brake, and says when to try again.
fn asked(client: &mut Client, request: &Json) -> Reply {
    let ask = Ask::post(&path(request), &request.to_string());
    loop {
        let reply = client.ask(&ask);
        if reply.status != 503 {
            return reply;
        }
        assert!(reply.header("retry-after").parse::<u64>().unwrap() > 0);
    }
}

/// Compares the answers, and says whether there is one.
fn check(client: &mut Client, request: &Json) -> bool {
    let reply = asked(client, request);
    let Json::Object(mut body) = reply.json() else { panic!("no object") };
    untimed(&mut body);
    assert_eq!((reply.status, Json::Object(body)), wanted(request), "{request}");
    let kind = if reply.status == 200 { "application/json" } else { "application/problem+json" };
    assert_eq!(reply.header("content-type"), kind, "{request}");
    reply.status == 200
}

#[test]
fn every_vector_is_answered_as_by_batch() {
    let server = Server::patient();
    let requests: Vec<Json> = rolls().into_iter().chain(scripts()).collect();
    assert!(requests.len() > 2 * FEWEST, "{}", requests.len());
    let part = &|start: usize| {
        let mut client = server.client();
        requests.iter().skip(start).step_by(CLIENTS).filter(|request| check(&mut client, request)).count()
    };
    let answered: usize = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..CLIENTS).map(|start| scope.spawn(move || part(start))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert!(answered > requests.len() / 2, "only {answered} of {} are answered", requests.len());
}
