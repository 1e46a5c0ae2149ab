//! The pages for people who come from another tool: the table of each is made from the row of its dialect, and what it
//! shows is proved.
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble` writes the tables of today into the pages.

#![expect(clippy::panic, reason = "a test says what it could not read")]

use tumble::{DIALECTS, Difference, Notation, Options, Prepared, Vars, compile, differences};

const BEGIN: &str = "<!-- every difference, made by `TUMBLE_UPDATE=1 cargo test -p tumble` -->";
const END: &str = "<!-- end of every difference -->";

fn page(dialect: &Notation) -> String {
    format!("{}/../../docs/book/src/coming-from/{}.md", env!("CARGO_MANIFEST_DIR"), dialect.name)
}

fn read(notation: &str, text: &str) -> Prepared {
    compile(notation, text, &Vars::new()).unwrap_or_else(|errors| panic!("{notation}: {text}: {errors}"))
}

fn distribution(prepared: &Prepared) -> String {
    let odds = prepared.odds(&Options::default()).unwrap_or_else(|error| panic!("{prepared}: {error:?}"));
    let rows = odds.outcomes().map(|(value, chance)| format!("{value}: {chance}"));
    format!("{}; {} left", rows.collect::<Vec<_>>().join(", "), odds.unresolved())
}

fn row(dialect: &Notation, found: &Difference) -> String {
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
    let there = read(dialect.name, &found.there);
    let here = match &found.here {
        Some(here) => {
            assert_eq!(
                distribution(&there),
                distribution(&read("tabletop", here)),
                "{}: {}",
                dialect.name,
                found.there
            );
            if found.same { "the same".to_owned() } else { code(here) }
        }
        None => format!("with `-n {}`", dialect.name),
    };
    let odds = there.odds(&Options::default()).unwrap();
    let mean = odds.mean().map_or_else(String::new, |mean| format!("mean {mean}"));
    format!("| {} | {} | {here} | {mean} |\n", code(&found.there), found.meaning.replace('|', "\\|"))
}

fn table(dialect: &Notation) -> String {
    let found = differences(dialect.name);
    let mut groups: Vec<&str> = Vec::new();
    for each in &found {
        if !groups.contains(&each.group) {
            groups.push(each.group);
        }
    }
    let mut out = String::new();
    for group in groups {
        out.push_str(&format!("\n| {group} | meaning | Tumble | |\n|---|---|---|---|\n"));
        out.extend(found.iter().filter(|each| each.group == group).map(|each| row(dialect, each)));
    }
    out
}

#[test]
fn every_difference_stands_in_its_page() {
    for dialect in DIALECTS {
        let text = std::fs::read_to_string(page(dialect)).unwrap();
        let wanted = format!("{BEGIN}\n{}\n{END}", table(dialect));
        if std::env::var_os("TUMBLE_UPDATE").is_some() {
            let (before, rest) = text.split_once(BEGIN).unwrap_or((&text, ""));
            let after = rest.split_once(END).map_or("\n", |(_, after)| after);
            let before = before.trim_end();
            let heading = if before.lines().any(|line| line == "## Every piece") { "" } else { "\n\n## Every piece" };
            std::fs::write(page(dialect), format!("{before}{heading}\n\n{wanted}{after}")).unwrap();
        } else {
            assert!(text.contains(&wanted), "the table in {} is not the one of today", page(dialect));
        }
    }
}

/// A table that hides what is different would be of no use.
#[test]
fn every_dialect_has_differences() {
    for dialect in DIALECTS {
        let found = differences(dialect.name);
        assert!(found.len() >= 20, "{}: only {} pieces", dialect.name, found.len());
        assert!(found.iter().any(|each| !each.same), "{}: nothing is different", dialect.name);
    }
}
