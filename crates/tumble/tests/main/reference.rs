//! The tables in each notation's page: every piece of the notation once, with an example that is run.
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble` writes the tables of today into the pages.

use std::collections::BTreeSet;
use tumble::{Code, Limits, NOTATIONS, Notation, Options, Vars, compile};

const BEGIN: &str = "<!-- every piece, made by `TUMBLE_UPDATE=1 cargo test -p tumble` -->";
const END: &str = "<!-- end of every piece -->";

fn page(notation: &Notation) -> String {
    format!("{}/../../docs/book/src/{}.md", env!("CARGO_MANIFEST_DIR"), notation.name)
}

/// What comes of an example: its mean, its only outcome, or how many outcomes there are.
fn shown(notation: &Notation, example: &str) -> String {
    let vars: Vars = [("str", 3), ("skill.stealth", 5), ("N", 3)].map(|(name, n)| (name.to_owned(), n)).into();
    let prepared = compile(notation.name, example, &vars).unwrap();
    let odds = match prepared.odds(&Options::default()) {
        Err(error) if error.code == Code::Limit => {
            prepared.roll(1, &Limits::default()).unwrap();
            return "too many outcomes to list".to_owned();
        }
        odds => odds.unwrap(),
    };
    let outcomes: Vec<_> = odds.outcomes().map(|(value, _)| value.clone()).collect();
    match (odds.mean(), outcomes.as_slice()) {
        (_, [only]) if odds.unresolved().is_zero() => {
            format!(
                "always {}",
                tumble::render::spelled(only, prepared.notation()).replace('|', "\\|").replace('\n', " ")
            )
        }
        (Some(mean), _) => format!("mean {mean}"),
        (None, _) => format!("{} outcomes", outcomes.len()),
    }
}

fn table(notation: &Notation) -> String {
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
    let mut out = String::new();
    let mut group = "";
    for piece in notation.reference {
        if piece.group != group {
            group = piece.group;
            out.push_str(&format!("\n| {group} | meaning | example | |\n|---|---|---|---|\n"));
        }
        let result = shown(notation, piece.example);
        let meaning = piece.meaning.replace('|', "\\|");
        out.push_str(&format!("| {} | {meaning} | {} | {result} |\n", code(piece.spelling), code(piece.example)));
    }
    out
}

#[test]
fn every_piece_stands_once_in_its_page() {
    for notation in NOTATIONS.iter().filter(|notation| !notation.reference.is_empty()) {
        let spellings: BTreeSet<&str> = notation.reference.iter().map(|piece| piece.spelling).collect();
        assert_eq!(spellings.len(), notation.reference.len(), "{}: a piece stands twice", notation.name);
        let text = std::fs::read_to_string(page(notation)).unwrap();
        let wanted = format!("{BEGIN}\n{}\n{END}", table(notation));
        if std::env::var_os("TUMBLE_UPDATE").is_some() {
            let (before, rest) = text.split_once(BEGIN).unwrap_or((&text, ""));
            let after = rest.split_once(END).map_or("\n", |(_, after)| after);
            let before = before.trim_end();
            let heading = if before.lines().any(|line| line == "## Every piece") { "" } else { "\n\n## Every piece" };
            std::fs::write(page(notation), format!("{before}{heading}\n\n{wanted}{after}")).unwrap();
        } else {
            assert!(text.contains(&wanted), "the table in {}.md is not the one of today", notation.name);
        }
    }
}
