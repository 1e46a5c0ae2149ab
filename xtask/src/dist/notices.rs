//! The licences of everything that is linked into the program: the crates it is made of, with the licence files that
//! each has in its sources, the standard library, and on Linux the C library.
//!
//! Texts that several crates share are there once.

use super::output;
use crate::fields::Fields;
use crate::shell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// How the names of licence files begin.
const NAMES: &[&str] = &["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl"];

/// A part of the program.
struct Part {
    /// `clap 4.6.7`
    name: String,
    licence: String,
    home: String,
    /// The texts in its sources.
    texts: Vec<String>,
}

/// The page for a program that runs on this target.
pub(super) fn all(target: &str) -> Result<String, String> {
    let mut parts = crates(target)?;
    parts.push(standard_library()?);
    if target.contains("musl") {
        parts.push(Part {
            name: "musl".to_owned(),
            licence: "MIT".to_owned(),
            home: "https://musl.libc.org".to_owned(),
            texts: vec![format!("Copyright © 2005-2020 Rich Felker, et al.\n\n{MIT}")],
        });
    }
    Ok(page(&parts))
}

fn page(parts: &[Part]) -> String {
    let mut out = String::from("# Third-party licences\n\nThe program `tumble` contains these works of others.\n\n");
    out.push_str("| | licence | |\n|---|---|---|\n");
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for part in parts {
        out.push_str(&format!("| {} | {} | {} |\n", part.name, part.licence, part.home));
        for text in &part.texts {
            texts.entry(text).or_default().push(&part.name);
        }
    }
    for (text, names) in texts {
        out.push_str(&format!("\n## {}\n\n```text\n{text}\n```\n", names.join(", ")));
    }
    out
}

/// The crates that `tumble` is linked from, without our own.
fn crates(target: &str) -> Result<Vec<Part>, String> {
    let manifest = shell::root().join("Cargo.toml");
    let mut tree = shell::cargo();
    tree.arg("tree").arg("--manifest-path").arg(&manifest).args(["--package", "tumble-cli", "--target", target]);
    tree.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let tree = output(&mut tree)?;
    // A crate that is compiled into another one, such as a macro, is listed too: too many are better than too few.
    let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(named).collect();
    let mut metadata = shell::cargo();
    metadata.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(&manifest);
    let metadata = Fields::read(&output(&mut metadata)?).ok_or("cargo metadata cannot be read")?;
    let mut parts = Vec::new();
    for package in metadata.objects("packages") {
        let text = |name| package.text(name).unwrap_or_default();
        let ours = package.text("source").is_none();
        if ours || !linked.contains(&(text("name"), text("version"))) {
            continue;
        }
        let folder = Path::new(text("manifest_path")).parent().unwrap_or(Path::new("."));
        let given =
            package.text("license_file").into_iter().filter_map(|file| fs::read_to_string(folder.join(file)).ok());
        let texts: BTreeSet<String> = files(folder).into_iter().chain(given).map(|text| tidy(&text)).collect();
        parts.push(Part {
            name: format!("{} {}", text("name"), text("version")),
            licence: text("license").to_owned(),
            home: text("repository").to_owned(),
            texts: texts.into_iter().collect(),
        });
    }
    let found = parts.len();
    let foreign = linked.iter().filter(|(name, _)| !is_ours(name)).count();
    if found == foreign { Ok(parts) } else { Err(format!("{foreign} crates are linked, but {found} were found")) }
}

fn is_ours(name: &str) -> bool {
    name == "tumble" || name.starts_with("tumble-")
}

/// `clap v4.6.7 (*)`
fn named(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" v")?;
    Some((name, rest.split(' ').next()?))
}

/// The licence files of a folder, and of a folder for them in it.
fn files(folder: &Path) -> Vec<String> {
    let is_licence = |name: &str| NAMES.iter().any(|start| name.to_lowercase().starts_with(start));
    let mut texts = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    for entry in entries.filter(|entry| is_licence(&entry.file_name().to_string_lossy())) {
        let path = entry.path();
        if path.is_dir() {
            let inner = fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
            texts.extend(inner.filter_map(|file| fs::read_to_string(file.path()).ok()));
        } else {
            texts.extend(fs::read_to_string(path).ok());
        }
    }
    texts
}

/// The same text however its lines end, so that equal licences are equal.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn standard_library() -> Result<Part, String> {
    let sysroot = output(std::process::Command::new("rustc").args(["--print", "sysroot"]))?;
    let folder = Path::new(sysroot.trim()).join("share/doc/rust");
    let texts = ["MIT.txt", "Apache-2.0.txt"]
        .iter()
        .filter_map(|name| fs::read_to_string(folder.join("licenses").join(name)).ok().map(|text| tidy(&text)));
    Ok(Part {
        name: "The Rust Standard Library".to_owned(),
        licence: "MIT OR Apache-2.0".to_owned(),
        home: "https://github.com/rust-lang/rust".to_owned(),
        texts: texts.collect(),
    })
}

const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
\"Software\"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_there_once() {
        let part = |name: &str, text: &str| Part {
            name: name.to_owned(),
            licence: "MIT".to_owned(),
            home: String::new(),
            texts: vec![tidy(text)],
        };
        let page = page(&[part("a 1", "Free.\r\n"), part("b 2", "\nFree."), part("c 3", "Other.")]);
        assert!(page.contains("## a 1, b 2\n\n```text\nFree.\n```"), "{page}");
        assert!(page.contains("## c 3\n"), "{page}");
    }

    #[test]
    fn crates_are_named_with_their_version() {
        assert_eq!(named("clap v4.6.7"), Some(("clap", "4.6.7")));
        assert_eq!(named("clap_derive v4.6.7 (proc-macro) (*)"), Some(("clap_derive", "4.6.7")));
        assert_eq!(named(""), None);
    }
}
