//! `cargo xtask web`: the page, from Rust and TypeScript to a folder of files for any static host.
//!
//! ```text
//! bindings/wasm ─▶ two modules ─▶ glue ─▶ web/src/generated ┐
//! docs/book recipes ─▶ examples                             ├─▶ Vite ─▶ web/dist, with Brotli and gzip copies
//! web/src                                                   ┘
//! ```
//!
//! It needs Node and the WebAssembly target; the second is added by itself. What is up to date is not made again.

mod check;
mod need;

pub(crate) use check::{Checked, check};

use crate::shell;
use crate::tools::End;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The modules of the page: the crate, and the name in `web/src/generated`.
const MODULES: &[&str] = &["rolls", "scripts"];

const WASM: &str = "wasm32-unknown-unknown";

/// What the folder is made from, besides the modules.
const SOURCES: &[&str] = &[
    "web/src",
    "web/public",
    "web/scripts",
    "web/index.html",
    "web/vite.config.ts",
    "web/package-lock.json",
    "docs/book/src/recipes",
];

/// The command.
pub(crate) fn web(args: &[std::ffi::OsString]) -> Option<std::process::ExitCode> {
    match args {
        [] => Some(crate::tools::shown(match build() {
            Ok(folder) => {
                println!("{}", folder.display());
                End::Done(vec![])
            }
            Err(why) => End::Skipped(why),
        })),
        [word] if word == "pictures" => Some(crate::tools::shown(check::pictures())),
        _ => None,
    }
}

/// Whether this machine can build the page.
pub(crate) fn can_build() -> Result<(), String> {
    need::node()
}

/// Builds the page and gives its folder, or why that is not possible here.
pub(crate) fn build() -> Result<PathBuf, String> {
    need::node()?;
    need::target(WASM)?;
    let root = shell::root();
    modules(&root)?;
    packages(&root)?;
    let dist = root.join("web/dist");
    if newest(&root) > stamp(&dist.join("sw.js")) {
        run(node(&root).arg("scripts/build.mjs"), "the page")?;
    }
    Ok(dist)
}

/// Node in the folder of the page.
fn node(root: &Path) -> Command {
    let mut node = Command::new("node");
    node.current_dir(root.join("web"));
    node
}

/// The modules, and beside them the program that writes their JavaScript: each has a long last step on one core.
fn modules(root: &Path) -> Result<(), String> {
    println!("building the WebAssembly modules; the first time takes a few minutes");
    let glue = cargo(root, "bindings/wasm/glue/Cargo.toml", "target/glue", &[]);
    let (one, two) = std::thread::scope(|scope| {
        let glue = scope.spawn(|| run(&mut { glue }, "the glue program"));
        (MODULES.iter().try_for_each(|name| module(root, name)), glue.join())
    });
    one?;
    two.map_err(|_| "the glue program could not be built".to_owned())??;
    let generated = root.join("web/src/generated");
    fs::create_dir_all(&generated).map_err(|error| format!("{}: {error}", generated.display()))?;
    for name in MODULES {
        let module = root.join(format!("target/wasm/{WASM}/release/tumble_wasm_{name}.wasm"));
        if stamp(&module) > stamp(&generated.join(format!("{name}_bg.wasm"))) {
            let mut glue = Command::new(root.join("target/glue/release/tumble-glue"));
            run(glue.arg(&module).arg(&generated).arg(name), "the glue")?;
        }
    }
    Ok(())
}

/// One module, built on its own: in one build with the other it would get the features of both.
fn module(root: &Path, name: &str) -> Result<(), String> {
    let package = format!("tumble-wasm-{name}");
    let words = ["--target", WASM, "--package", &package];
    let mut cargo = cargo(root, "bindings/wasm/Cargo.toml", "target/wasm", &words);
    // The places of panics are in it: they must not tell of the machine that built it, nor depend on it.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={}/=", root.display()));
    run(&mut cargo, "a WebAssembly module")
}

fn cargo(root: &Path, manifest: &str, target: &str, more: &[&str]) -> Command {
    let mut cargo = shell::cargo();
    cargo.args(["build", "--release", "--locked", "--manifest-path"]).arg(root.join(manifest));
    cargo.arg("--target-dir").arg(root.join(target)).args(more).current_dir(root);
    cargo
}

/// What npm installs, exactly as the lock file has it; browsers are not downloaded.
fn packages(root: &Path) -> Result<(), String> {
    let web = root.join("web");
    if stamp(&web.join("package-lock.json")) <= stamp(&web.join("node_modules/.package-lock.json")) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(&web).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run(&mut npm, "npm ci")
}

/// Runs a program to its end.
fn run(command: &mut Command, what: &str) -> Result<(), String> {
    match shell::stream(command, |_| {}) {
        Ok(ended) if ended.well => Ok(()),
        Ok(ended) => Err(format!("{what} failed:\n{}", ended.last_lines.join("\n"))),
        Err(error) => Err(format!("{what} could not be started: {error}")),
    }
}

/// When a file was last written; long ago if there is none.
fn stamp(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// When anything that the folder is made from was last written.
fn newest(root: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut left: Vec<PathBuf> = SOURCES.iter().map(|path| root.join(path)).collect();
    while let Some(path) = left.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => left.extend(entries.flatten().map(|entry| entry.path())),
            // The build writes the examples itself.
            Err(_) if path.ends_with("examples.json") => {}
            Err(_) => newest = newest.max(stamp(&path)),
        }
    }
    newest
}
