//! What a player reads about a wrong text: `troll-errors.txt` holds the texts with the place, the
//! sentence and the hint for each.
//!
//! ```text
//! > the text, `⏎` for the end of a line
//! 3-5: the sentence
//! the hint, if there is one
//! ```
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble-syntax` writes the answers of today into the file.

use tumble_core::{Code, Diagnostic, Term};
use tumble_syntax::{Vars, compile, notation};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/main/troll-errors.txt");

fn found(text: &str) -> Diagnostic {
    let troll = notation("troll").unwrap();
    let found = compile(troll, text, &Vars::new()).err().unwrap_or_else(|| panic!("{text:?} is not wrong"));
    assert_eq!(found.len(), 1, "{text:?}: {found:?}");
    assert!(matches!(found[0].code, Code::Syntax | Code::Limit), "{text:?}: {found:?}");
    found[0].clone()
}

fn answer(text: &str) -> String {
    let found = found(text);
    let hint = found.hint.map(|hint| format!("\n{}", hint.replace('\n', "⏎"))).unwrap_or_default();
    format!("{}-{}: {}{hint}", found.span.start, found.span.end, found.message)
}

fn cases() -> Vec<(String, String)> {
    let file = std::fs::read_to_string(FILE).expect("the table");
    let blocks = file.trim_end().split("\n\n");
    blocks
        .map(|block| {
            let (text, answer) = block.split_once('\n').unwrap_or((block, ""));
            (text.strip_prefix("> ").expect("a text").to_owned(), answer.to_owned())
        })
        .collect()
}

#[test]
fn wrong_texts_are_explained() {
    let cases = cases();
    assert!(cases.len() >= 100);
    if std::env::var_os("TUMBLE_UPDATE").is_some() {
        let blocks = cases.iter().map(|(text, _)| format!("> {text}\n{}", answer(&text.replace('⏎', "\n"))));
        std::fs::write(FILE, blocks.collect::<Vec<_>>().join("\n\n") + "\n").expect("a file that can be written");
        return;
    }
    for (text, wanted) in cases {
        assert_eq!(answer(&text.replace('⏎', "\n")), wanted, "{text:?}");
    }
}

/// Every text in a hint becomes a program, and one that fails for no missing name.
#[test]
fn every_hint_is_right() {
    let troll = notation("troll").unwrap();
    for (text, _) in cases() {
        let Some(hint) = found(&text.replace('⏎', "\n")).hint else { continue };
        let fixed: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
        assert_eq!(fixed.len(), 1, "{text:?}: {hint:?}");
        let program =
            compile(troll, fixed[0], &Vars::new()).unwrap_or_else(|found| panic!("{text:?}: {found:?}")).program;
        let fails = |term: &Term| matches!(term, Term::Prim { prim, .. } if prim.name == "fail");
        let missing = program.nodes().iter().any(|node| fails(&node.term));
        assert!(!missing || NEEDS_A_VALUE.contains(&text.as_str()), "{text:?}: {hint:?}");
    }
}

/// Texts with a name that only the command line can give a value.
const NEEDS_A_VALUE: &[&str] = &["nd10"];
