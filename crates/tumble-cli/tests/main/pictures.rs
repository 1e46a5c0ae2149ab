//! Every picture in README.md and the book is made by the command above it, and is the one it makes today.
//!
//! ```text
//! <!-- $ tumble odds 4d6kh3 3d6 --format svg -->
//! ![what it shows](img/scores.svg)
//! ```
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble-cli` writes the pictures of today. Screenshots of the page are taken by
//! `cargo xtask web pictures`, which needs a browser; here they only have to be there.

use crate::console::markdown;
use crate::tool::shell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn the_pictures_are_those_of_today() {
    let (root, files) = markdown::manual();
    let (mut used, mut failed) = (BTreeSet::new(), Vec::new());
    for file in &files {
        let page = markdown::read(&root, file);
        for Picture { command, target } in pictures(&page.text) {
            let path = file.parent().unwrap_or(&root).join(target);
            match command {
                None => failed.push(format!("{}: {target} has no command in the line above it", page.name)),
                Some(command) => failed.extend(stale(&path, command).map(|why| format!("{}: {why}", page.name))),
            }
            used.extend(path.canonicalize());
        }
    }
    for path in kept(&root.join("docs/book/src/img")) {
        if !used.contains(&path) {
            failed.push(format!("{} is shown nowhere", path.display()));
        }
    }
    assert!(used.len() >= 2, "only {} pictures were found", used.len());
    assert!(failed.is_empty(), "{}\nTUMBLE_UPDATE=1 writes the pictures of today", failed.join("\n"));
}

/// A picture in a page.
#[derive(Debug, PartialEq)]
struct Picture<'t> {
    command: Option<&'t str>,
    target: &'t str,
}

/// Lines that are a picture, each with the command of the line above it.
fn pictures(text: &str) -> Vec<Picture<'_>> {
    let above = std::iter::once("").chain(text.lines());
    above
        .zip(text.lines())
        .filter_map(|(above, line)| {
            let (_, target) = line.strip_prefix("![")?.strip_suffix(')')?.split_once("](")?;
            let command = above.strip_prefix("<!-- $ ").and_then(|rest| rest.strip_suffix(" -->"));
            Some(Picture { command, target })
        })
        .collect()
}

/// What is wrong with a picture; with `TUMBLE_UPDATE` nothing is, afterwards.
fn stale(path: &Path, command: &str) -> Option<String> {
    if command == "cargo xtask web pictures" {
        return (!path.is_file()).then(|| format!("{} is missing", path.display()));
    }
    let made = shell(command, b"");
    if made.status != 0 {
        return Some(format!("$ {command}\n{}", made.err));
    }
    if std::fs::read_to_string(path).is_ok_and(|old| old == made.out) {
        return None;
    }
    if std::env::var_os("TUMBLE_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent()?).unwrap();
        std::fs::write(path, made.out).unwrap();
        return None;
    }
    Some(format!("{} is not what `{command}` prints", path.display()))
}

/// The pictures in a folder.
fn kept(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().canonicalize().unwrap()).collect()
}

#[test]
fn pictures_are_found() {
    for (text, found) in [
        ("<!-- $ tumble x -->\n![a](b.svg)\n", vec![Picture { command: Some("tumble x"), target: "b.svg" }]),
        ("text\n![a](b.svg)", vec![Picture { command: None, target: "b.svg" }]),
        ("![a](b.svg)", vec![Picture { command: None, target: "b.svg" }]),
        ("<!-- $ tumble x -->\n[a](b.svg)\n", vec![]),
    ] {
        assert_eq!(pictures(text), found, "{text}");
    }
}
