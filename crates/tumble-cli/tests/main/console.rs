//! Every `console` block of README.md, the book and `tests/golden` is run and compared.
//!
//! ````text
//! ```console
//! $ tumble odds -n troll d2; echo $?     a line for a shell; lines with `> ` right below go on with it
//! 1  50.00 %  …                          what it prints, standard error included; … is anything
//! …                                      alone in a line: any lines
//! ```
//! ````
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble-cli` writes what the program prints now into the pages.

use crate::tool::shell;
use std::path::{Path, PathBuf};

#[path = "../../../tumble/tests/main/markdown.rs"]
pub(crate) mod markdown;

#[test]
fn the_pages_are_true() {
    let (root, files) = markdown::manual();
    check(&root, &files, 5);
}

#[test]
fn the_golden_texts_are_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files = Vec::new();
    markdown::under(&folder, &mut files);
    check(&folder, &files, 20);
}

/// The program and its commands.
pub(crate) const COMMANDS: &[&str] = &[
    "",
    "roll",
    "odds",
    "run",
    "best",
    "batch",
    "serve",
    "admin",
    "translate",
    "repl",
    "check",
    "fmt",
    "notations",
    "help",
    "completions",
    "man",
];

#[test]
fn help_fits_the_page() {
    for command in COMMANDS {
        let help = shell(&format!("tumble {command} --help"), b"").out;
        assert!(help.contains("Usage: tumble"), "{help}");
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

fn check(root: &Path, files: &[PathBuf], least: usize) {
    let (mut failed, mut count) = (Vec::new(), 0);
    for file in files {
        let page = markdown::read(root, file);
        let mut now = page.text.clone();
        for block in markdown::blocks(&page.text, "console") {
            for Session { typed, expected } in sessions(&block.lines) {
                count += 1;
                let command: Vec<&str> = typed.iter().map(|line| &line[2..]).collect();
                let printed = shell(&format!("{{ {}\n}} 2>&1", command.join("\n")), b"").out;
                let printed: Vec<&str> = printed.lines().collect();
                if !fits(&expected, &printed) {
                    let (typed, printed) = (lines(&typed), lines(&renewed(&expected, &printed)));
                    now = now.replacen(&format!("{typed}{}", lines(&expected)), &format!("{typed}{printed}"), 1);
                    failed.push(format!("{}:{}: {typed}{printed}", page.name, block.line));
                }
            }
        }
        if now != page.text && std::env::var_os("TUMBLE_UPDATE").is_some() {
            std::fs::write(file, now).unwrap();
        }
    }
    assert!(count >= least, "only {count} commands were found");
    assert!(failed.is_empty(), "{} of {count} commands print something else:\n\n{}", failed.len(), failed.join("\n"));
}

struct Session<'t> {
    typed: Vec<&'t str>,
    expected: Vec<&'t str>,
}

fn sessions<'t>(block: &[&'t str]) -> Vec<Session<'t>> {
    let mut sessions: Vec<Session<'t>> = Vec::new();
    for line in block {
        match sessions.last_mut() {
            _ if line.starts_with("$ ") => sessions.push(Session { typed: vec![line], expected: vec![] }),
            Some(session) if line.starts_with("> ") && session.expected.is_empty() => session.typed.push(line),
            Some(session) => session.expected.push(line),
            None => panic!("a block starts with a command, not with {line}"),
        }
    }
    sessions
}

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn fits(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..])),
        Some((line, rest)) => printed.first().is_some_and(|first| fits_line(line, first)) && fits(rest, &printed[1..]),
    }
}

/// The new lines, where as many old ones as fit stay with their `…`: from the start, and from the end.
fn renewed<'t>(expected: &[&'t str], printed: &[&'t str]) -> Vec<&'t str> {
    let fit = |(old, new): &(&&str, &&str)| **old != "…" && fits_line(old, new);
    let start = expected.iter().zip(printed).take_while(fit).count();
    let (old, new) = (&expected[start..], &printed[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(fit).count();
    let middle = new[..new.len() - end].iter().map(|line| {
        let kept = old.iter().find(|old| old.trim() != "…" && old.contains('…') && fits_line(old, line));
        *kept.unwrap_or(line)
    });
    [&expected[..start], &middle.collect::<Vec<_>>(), &old[old.len() - end..]].concat()
}

fn fits_line(expected: &str, printed: &str) -> bool {
    let mut pieces = expected.trim_end().split('…');
    let printed = printed.trim_end();
    let Some(mut rest) = pieces.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn wildcards() {
    for (expected, printed, fit) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a…c", "abc", true),
        ("…c", "abd", false),
        ("a…", "abc", true),
        ("a…b…c", "axbyc", true),
        ("a … b", "a … b", true),
    ] {
        assert_eq!(fits_line(expected, printed), fit, "{expected} {printed}");
    }
    assert_eq!(renewed(&["a…", "b", "x…", "…", "c…"], &["a1", "B", "x2", "y", "c3"]), ["a…", "B", "x…", "y", "c…"]);
    assert!(fits(&["a", "…", "c"], &["a", "x", "y", "c"]));
    assert!(!fits(&["a", "…", "c"], &["a", "x"]));
}
