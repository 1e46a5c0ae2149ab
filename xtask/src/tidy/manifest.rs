//! The dependencies of a manifest: as much of TOML as our manifests use.

/// A dependency.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    /// The package, also if it is renamed here.
    pub(super) name: String,
    /// Whether only tests, examples and benchmarks see it.
    pub(super) dev: bool,
}

/// The dependencies of every table of a manifest.
pub(super) fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    let mut table = Table::Other;
    for line in manifest.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            table = Table::named(header.trim_end_matches(']'));
            if let Table::One { name, dev } = &table {
                found.push(Dependency { name: name.clone(), dev: *dev });
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        match &table {
            Table::Other => {}
            Table::Many { dev } => {
                let key = unquoted(key.split('.').next().unwrap_or(key));
                found.push(Dependency { name: renamed(value).unwrap_or(key), dev: *dev });
            }
            Table::One { .. } if key.trim() == "package" => {
                if let Some(last) = found.last_mut() {
                    last.name = unquoted(value);
                }
            }
            Table::One { .. } => {}
        }
    }
    found
}

/// What the lines under a header speak of.
enum Table {
    /// `[dependencies]`
    Many {
        dev: bool,
    },
    /// `[dependencies.name]`
    One {
        name: String,
        dev: bool,
    },
    Other,
}

impl Table {
    fn named(header: &str) -> Table {
        // A condition such as `target.'cfg(unix)'.` may stand before the kind.
        for kind in ["dev-dependencies", "build-dependencies", "dependencies"] {
            let Some(at) = header.find(kind) else { continue };
            let dev = kind == "dev-dependencies";
            return match header[at + kind.len()..].strip_prefix('.') {
                Some(name) => Table::One { name: unquoted(name), dev },
                None => Table::Many { dev },
            };
        }
        Table::Other
    }
}

/// The real name in `{ package = "name", … }`.
fn renamed(value: &str) -> Option<String> {
    let (_, after) = value.split_once("package")?;
    let name = after.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    name.split('"').next().map(str::to_string)
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_dependency_is_seen() {
        let manifest = r#"
            [package]
            name = "a"
            [dependencies]
            # old = "1"
            b = "1"
            c.workspace = true
            d = { package = "real-d", version = "1" }
            [dev-dependencies]
            e = { workspace = true, features = ["arbitrary"] }
            [dependencies.f]
            package = "real-f"
            version = "1"
            [target.'cfg(unix)'.build-dependencies]
            g = "1"
            [features]
            h = ["dep:b"]
        "#;
        let found: Vec<(String, bool)> = dependencies(manifest).into_iter().map(|d| (d.name, d.dev)).collect();
        let expected = [("b", false), ("c", false), ("real-d", false), ("e", true), ("real-f", false), ("g", false)];
        assert_eq!(found, expected.map(|(name, dev)| (name.to_string(), dev)));
    }
}
