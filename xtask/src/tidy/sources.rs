//! Rules about what source files say.

use super::tree::{File, Tree};

/// The notations; the core names none of them.
const NOTATIONS: &[&str] = &["troll", "yadn", "alea", "tabletop", "anydice"];

/// Folders that only the authors have; spelled in two halves, so that this file passes.
const ELSEWHERE: &[&str] = &[concat!("..", "/shared"), concat!("/work", "/shared")];

/// Every Rust file opens with a paragraph about itself.
pub(super) fn openings(tree: &Tree) -> Vec<String> {
    let closed = tree.rust().filter(|file| !file.text.starts_with("//!"));
    closed.map(|file| format!("{}: must open with a `//!` paragraph that says what it is", file.path)).collect()
}

/// The core has no notation in mind.
pub(super) fn core_names_no_notation(tree: &Tree) -> Vec<String> {
    lines(tree.under(&["crates/tumble-core/src"]), |line| {
        let name = NOTATIONS.iter().find(|name| names(line, name))?;
        Some(format!("the core must not name a notation, but says `{name}`"))
    })
}

/// Nothing in the repository needs a file that is not in it.
pub(super) fn nothing_outside_the_repository(tree: &Tree) -> Vec<String> {
    lines(tree.under(&["crates", "xtask", "bench", "conformance"]), |line| {
        let folder = ELSEWHERE.iter().find(|folder| line.contains(*folder))?;
        Some(format!("`{folder}` is not part of the repository"))
    })
}

/// No test is switched off.
pub(super) fn no_ignored_tests(tree: &Tree) -> Vec<String> {
    lines(tree.rust(), |line| {
        let attribute = line.trim_start().starts_with("#[") && names(line, "ignore");
        attribute.then(|| "a test must not be ignored; fix it or remove it".to_string())
    })
}

/// The breaches of a rule about single lines.
fn lines<'a>(files: impl Iterator<Item = &'a File>, rule: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        for (at, line) in file.text.lines().enumerate() {
            breaches.extend(rule(line).map(|breach| format!("{}:{}: {breach}", file.path, at + 1)));
        }
    }
    breaches
}

/// Whether a line has this word in any case, also as part of a name such as `troll_dice` or `TrollDice`.
fn names(line: &str, word: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphabetic) && !after.is_some_and(char::is_lowercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(text: &str) -> Tree {
        Tree::made(&[("crates/tumble-core/src/lib.rs", text)])
    }

    #[test]
    fn a_file_without_an_opening_is_found() {
        assert!(openings(&core("//! The core.\n")).is_empty());
        assert_eq!(openings(&core("use std::fmt;\n")).len(), 1);
    }

    #[test]
    fn a_notation_in_the_core_is_found() {
        for text in ["// as in Troll", "fn yadn_pool() {}", "struct AleaDie;", "\"anydice\"", "// `tabletop`"] {
            assert_eq!(core_names_no_notation(&core(text)).len(), 1, "{text}");
        }
        assert!(core_names_no_notation(&core("// a controller, aleatory")).is_empty());
        let elsewhere = Tree::made(&[("crates/tumble-syntax/src/lib.rs", "//! Troll")]);
        assert!(core_names_no_notation(&elsewhere).is_empty());
    }

    #[test]
    fn a_path_out_of_the_repository_is_found() {
        let tree = Tree::made(&[("conformance/a.md", &format!("see {}/spec", ELSEWHERE[0])), ("crates/a.rs", "")]);
        assert_eq!(nothing_outside_the_repository(&tree).len(), 1);
    }

    #[test]
    fn an_ignored_test_is_found() {
        for attribute in ["ignore", "ignore = \"slow\"", "cfg_attr(miri, ignore)"] {
            assert_eq!(no_ignored_tests(&core(&format!("    #[{attribute}]\n"))).len(), 1, "{attribute}");
        }
        assert!(no_ignored_tests(&core("#[allow(ignored_thing)]\n// ignore this\n")).is_empty());
    }
}
