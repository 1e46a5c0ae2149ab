//! Requests that nobody thought of, made from the description of the API by schemathesis, which is installed into `target/`
//! if it is missing. Every status and every kind of body must be documented, what the schema forbids must be refused, and
//! nothing may be a server error. A second round is sent by somebody who may do everything at a table that exists.

use super::succeeded;
use crate::shell;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What it expects, for both rounds.
const CONFIG: &str = "crates/tumble-server/schemathesis.toml";

/// The version known to work.
const VERSION: &str = "schemathesis==4.32.5";

/// Random requests of each kind for each route: by a stranger, and at a table, which has more routes and slower ones.
const EXAMPLES: [&str; 2] = ["200", "40"];

pub(super) fn run(root: &Path) -> io::Result<bool> {
    let folder = root.join("target/schemathesis");
    if !folder.join("bin/schemathesis").exists() {
        succeeded(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        succeeded(Command::new(folder.join("bin/pip")).args(["install", "--quiet", VERSION]))?;
    }
    succeeded(shell::cargo().args(["build", "--package", "tumble-cli"]).current_dir(root))?;
    let (mut server, address) = served(root)?;
    // A stranger would use up what one address may make.
    let table = at_a_table(root, &folder, &address);
    let tried = table.and_then(|well| Ok(well & stranger(root, &folder, &address)?));
    server.kill()?;
    server.wait()?;
    tried
}

/// Somebody who sits nowhere.
fn stranger(root: &Path, folder: &Path, address: &str) -> io::Result<bool> {
    let config = root.join(CONFIG);
    Ok(schemathesis(folder, &config, address, EXAMPLES[0]).status()?.success())
}

/// Somebody with all rights at a table, whose id is known.
fn at_a_table(root: &Path, folder: &Path, address: &str) -> io::Result<bool> {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let made = ask(host, "/api/v1/tables", "{\"name\":\"Soak\",\"you\":\"Mia\"}")?;
    let cookie = between(&made, "set-cookie: ", ";")?;
    let table = between(&made, "\"table\":{\"id\":\"", "\"")?;
    let mut config = std::fs::read_to_string(root.join(CONFIG))?;
    let _ = write!(config, "\n[parameters]\ntable = \"{table}\"\n");
    let file = folder.join("at-a-table.toml");
    std::fs::write(&file, config)?;
    let mut tried = schemathesis(folder, &file, address, EXAMPLES[1]);
    // Deleting or leaving the table would end the round, and a stream has no end.
    tried.args(["--include-path-regex", "^/api/v1/tables/", "--exclude-path-regex", "/(leave|events|move)$"]);
    tried.args(["--exclude-method", "DELETE", "--header", &format!("Cookie: {cookie}")]);
    tried.args(["--header", &format!("Origin: {}", address.trim_end_matches('/'))]);
    Ok(tried.status()?.success())
}

fn schemathesis(folder: &Path, config: &Path, address: &str, examples: &str) -> Command {
    let mut command = Command::new(folder.join("bin/schemathesis"));
    command.arg("--config-file").arg(config).current_dir(folder);
    command.args(["run", &format!("{address}openapi.json"), "--max-examples", examples]);
    command
}

/// The whole reply to a body.
fn ask(host: &str, path: &str, body: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Idempotency-Key: {:032x}\r\nContent-Length: {}\r\n\r\n{body}",
        std::process::id(),
        body.len()
    )?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

fn between(text: &str, before: &str, after: &str) -> io::Result<String> {
    let found = text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).map(|(found, _)| found.to_owned());
    found.ok_or_else(|| io::Error::other(format!("no `{before}` in {text}")))
}

/// A server that lets one client ask as often as it likes, and its address.
fn served(root: &Path) -> io::Result<(Child, String)> {
    let database: PathBuf = std::env::temp_dir().join(format!("tumble-soak-{}.db", std::process::id()));
    let mut server = Command::new(shell::target(root).join("debug/tumble"));
    server
        .args(["serve", "--listen", "0", "--rate", "100000", "--member-rate", "100000", "--database"])
        .arg(&database)
        .env("TUMBLE_LOG", "error");
    let mut server = server.stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    if let Some(out) = server.stdout.take() {
        BufReader::new(out).read_line(&mut address)?;
    }
    Ok((server, address.trim().to_owned()))
}
