//! Crate borders: what each manifest may name.
//!
//! The core depends on nothing; syntax, roll and exact see the core and not each other; the shells
//! see `tumble` only. Each kind of outside crate has one home.

use super::manifest::dependencies;
use super::tree::Tree;

/// Our crates, and which of our crates each may depend on, tests included.
const OURS: &[(&str, &[&str])] = &[
    ("tumble-core", &[]),
    ("tumble-syntax", &["tumble-core"]),
    ("tumble-roll", &["tumble-core"]),
    ("tumble-exact", &["tumble-core"]),
    ("tumble", &["tumble-core", "tumble-syntax", "tumble-roll", "tumble-exact"]),
    ("tumble-server", &["tumble"]),
    ("tumble-cli", &["tumble", "tumble-server"]),
    ("tumble-python", &["tumble"]),
    ("tumble-wasm", &["tumble"]),
    ("tumble-wasm-rolls", &["tumble-wasm"]),
    ("tumble-wasm-scripts", &["tumble-wasm"]),
    ("tumble-glue", &[]),
    ("xtask", &["tumble"]),
];

/// A kind of outside crate, and where it may be named.
struct Kind {
    what: &'static str,
    /// Names; a star at the end stands for any rest.
    names: &'static [&'static str],
    homes: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind { what: "a random generator", names: &["rand*", "siphasher"], homes: &["tumble-roll"] },
    // The server makes secrets of it, never dice.
    Kind { what: "the chance of the system", names: &["getrandom"], homes: &["tumble-roll", "tumble-server"] },
    Kind { what: "big integers", names: &["dashu*", "num", "num-*"], homes: &["tumble-exact"] },
    Kind {
        what: "serialization",
        names: &["serde", "serde_*"],
        homes: &["tumble", "tumble-cli", "tumble-server", "tumble-python", "tumble-wasm"],
    },
    Kind { what: "an argument parser", names: &["clap*"], homes: &["tumble-cli"] },
    Kind {
        what: "HTTP",
        names: &["axum*", "hyper*", "http*", "tokio*", "tower*", "utoipa*", "reqwest", "ureq"],
        homes: &["tumble-server"],
    },
    Kind { what: "SQL", names: &["sqlx*", "rusqlite", "diesel*", "tokio-postgres"], homes: &["tumble-server"] },
];

/// Crates that use nothing from outside, except for their tests.
const ALONE: &[&str] = &["tumble-core", "xtask"];

/// Our crates depend on each other in one direction.
pub(super) fn ours(tree: &Tree) -> Vec<String> {
    let mut breaches = Vec::new();
    for (name, file) in tree.packages() {
        let Some((_, allowed)) = OURS.iter().find(|(ours, _)| *ours == name) else {
            breaches.push(format!("{}: add to xtask/src/tidy/borders.rs what `{name}` may depend on", file.path));
            continue;
        };
        for dependency in dependencies(&file.text) {
            let known = OURS.iter().any(|(ours, _)| *ours == dependency.name);
            // A crate may name itself, to switch on a feature for its own tests.
            let itself = dependency.dev && dependency.name == name;
            if known && !itself && !allowed.contains(&dependency.name.as_str()) {
                breaches.push(format!("{}: `{name}` must not depend on `{}`", file.path, dependency.name));
            }
        }
    }
    breaches
}

/// Outside crates are named only where they belong.
pub(super) fn outside(tree: &Tree) -> Vec<String> {
    let mut breaches = Vec::new();
    for (name, file) in tree.packages() {
        for dependency in dependencies(&file.text) {
            let other = &dependency.name;
            if ALONE.contains(&name) && !dependency.dev && !OURS.iter().any(|(ours, _)| ours == other) {
                breaches.push(format!("{}: `{name}` must not depend on anything, but names `{other}`", file.path));
            }
            for kind in KINDS.iter().filter(|kind| kind.has(other) && !kind.homes.contains(&name)) {
                breaches.push(format!(
                    "{}: `{other}` is {}, which only {} may name",
                    file.path,
                    kind.what,
                    kind.homes.join(", ")
                ));
            }
        }
    }
    breaches
}

impl Kind {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, manifest: &str) -> Tree {
        Tree::made(&[(&format!("crates/{name}/Cargo.toml"), manifest)])
    }

    #[test]
    fn a_dependency_in_the_wrong_direction_is_found() {
        let cases = [
            ("tumble-core", "[dependencies]\ntumble-roll.workspace = true", false),
            ("tumble-core", "[dev-dependencies]\ntumble-core = { path = \".\", features = [\"arbitrary\"] }", true),
            ("tumble-exact", "[dev-dependencies]\ntumble-roll.workspace = true", false),
            ("tumble-exact", "[dev-dependencies]\ntumble-core = { features = [\"arbitrary\"] }", true),
            ("tumble-syntax", "[dependencies]\nlogos = \"1\"\ntumble-core.workspace = true", true),
            ("tumble", "[dependencies]\ntumble-exact.workspace = true", true),
            ("tumble", "[dependencies]\ntumble-cli.workspace = true", false),
            ("tumble", "[dependencies]\ntumble-server.workspace = true", false),
            ("tumble-cli", "[dependencies]\ntumble-server.workspace = true", true),
            ("tumble-new", "", false),
        ];
        for (name, manifest, fine) in cases {
            assert_eq!(ours(&made(name, manifest)).is_empty(), fine, "{name}: {manifest}");
        }
    }

    #[test]
    fn an_outside_crate_away_from_home_is_found() {
        let cases = [
            ("tumble-core", "[dependencies]\nitoa = \"1\"", false),
            ("tumble-core", "[dev-dependencies]\nproptest.workspace = true", true),
            ("tumble-roll", "[dependencies]\nrand_chacha.workspace = true\nsiphasher.workspace = true", true),
            ("tumble-exact", "[dependencies]\nrand_core.workspace = true", false),
            ("tumble-exact", "[dependencies]\ndashu-int.workspace = true", true),
            ("tumble-roll", "[dependencies]\nnum-bigint = \"0.4\"", false),
            ("tumble-syntax", "[dev-dependencies]\nserde_json.workspace = true", false),
            ("tumble", "[dependencies]\nserde_json.workspace = true", true),
            ("tumble", "[dependencies]\nclap.workspace = true", false),
            ("tumble-cli", "[dependencies]\nclap.workspace = true", true),
            ("tumble-cli", "[dependencies]\naxum = \"0.8\"", false),
            ("tumble", "[dependencies]\nsqlx = \"0.9\"", false),
            ("tumble-server", "[dependencies]\naxum = \"0.8\"\nsqlx = \"0.9\"", true),
        ];
        for (name, manifest, fine) in cases {
            assert_eq!(outside(&made(name, manifest)).is_empty(), fine, "{name}: {manifest}");
        }
    }
}
