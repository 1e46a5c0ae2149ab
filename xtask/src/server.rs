//! `cargo xtask soak server`: requests that nobody thought of, made from the description of the API by schemathesis, which
//! is installed into `target/` if it is missing. Every status and every kind of body must be documented, what the schema
//! forbids must be refused, and nothing may be a server error.

use crate::shell;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

/// The version known to work.
const VERSION: &str = "schemathesis==4.32.5";

/// Random requests of each kind for each route.
const EXAMPLES: &str = "200";

/// Runs it; fails if something is found.
pub(crate) fn soak() -> ExitCode {
    match run(&shell::root()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the server could not be tried: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(root: &Path) -> io::Result<bool> {
    let folder = root.join("target/schemathesis");
    if !folder.join("bin/schemathesis").exists() {
        succeeded(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        succeeded(Command::new(folder.join("bin/pip")).args(["install", "--quiet", VERSION]))?;
    }
    succeeded(shell::cargo().args(["build", "--package", "tumble-cli"]).current_dir(root))?;
    let (mut server, address) = served(root)?;
    let tried = Command::new(folder.join("bin/schemathesis"))
        .arg("--config-file")
        .arg(root.join("crates/tumble-server/schemathesis.toml"))
        .args(["run", &format!("{address}openapi.json"), "--max-examples", EXAMPLES])
        .current_dir(folder)
        .status();
    server.kill()?;
    server.wait()?;
    Ok(tried?.success())
}

/// A server that lets one client ask as often as it likes, and its address.
fn served(root: &Path) -> io::Result<(Child, String)> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let mut server = Command::new(target.join("debug/tumble"));
    server
        .args(["serve", "--listen", "0", "--rate", "100000", "--database", "target/soak.db"])
        .env("TUMBLE_LOG", "error");
    let mut server = server.stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    if let Some(out) = server.stdout.take() {
        BufReader::new(out).read_line(&mut address)?;
    }
    Ok((server, address.trim().to_owned()))
}

fn succeeded(command: &mut Command) -> io::Result<()> {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{} failed", command.get_program().display()))),
    }
}
