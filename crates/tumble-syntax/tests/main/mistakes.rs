//! The tables of what is said about mistakes: every row can be reached, says something, and offers what can be made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn notations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/notation")
}

fn sources(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| match path.extension().and_then(|end| end.to_str()) {
        _ if path.is_dir() => sources(&path),
        Some("rs") => std::fs::read_to_string(&path).unwrap(),
        _ => String::new(),
    };
    entries.map(text).collect()
}

/// Places that an offer can name; a number is what was found.
const PLACES: &[&str] =
    &["here", "before", "owner", "it", "start", "stop", "all", "close", "inner", "gap", "rest", "inside", "end"];

fn is_place(name: &str) -> bool {
    name.split("..").all(|name| PLACES.contains(&name) || name.parse::<u8>().is_ok())
}

#[test]
fn every_row_can_be_used() {
    for notation in ["alea", "nice", "tabletop", "troll", "yadn"] {
        let table = std::fs::read_to_string(notations().join(notation).join("mistakes.txt")).unwrap();
        // What every parser asks for is asked for in the shared files.
        let code = sources(&notations().join(notation))
            + "\"decimal\" \"character\" \"open range\" \"open list\" \"rule words\" \"small words\"";
        let mut wanted = BTreeSet::new();
        let table = table.replace("\n  ", " → ");
        let mut rows = table.lines().filter(|row| !row.is_empty() && !row.starts_with('/')).peekable();
        while let Some(row) = rows.next() {
            let (head, rest) = row.split_once(':').unwrap();
            let (whats, place) = head.split_once(" @").unwrap_or((head, "it"));
            assert!(is_place(place), "{notation}: {row}");
            wanted.extend(whats.split('|').map(str::to_owned));
            let mut fields = rest.split('→').map(str::trim).skip(1);
            assert!(fields.next().is_some() || rows.peek().is_some(), "{notation}: {row} says nothing");
            if whats.ends_with("words") {
                continue;
            }
            for offer in fields {
                let known = match offer.split_once('`') {
                    Some(("" | "read ", with)) => with.contains('`'),
                    Some((place, with)) => {
                        let place = place.trim_end_matches([':', ' ']);
                        let place = place.strip_prefix("name ").unwrap_or(place);
                        with.ends_with('`') && (is_place(place) || place.starts_with("each "))
                    }
                    None => {
                        offer == "drop"
                            || offer.strip_prefix("drop ").is_some_and(is_place)
                            || offer.starts_with("kind ")
                    }
                };
                assert!(known, "{notation}: {row}");
            }
        }
        for what in wanted {
            assert!(code.contains(&format!("\"{what}\"")), "{notation}: nobody asks for {what:?}");
        }
    }
}
