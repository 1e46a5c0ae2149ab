//! What a player reads about a wrong text: `errors/NOTATION.txt` holds the texts with the place, the
//! sentence and the hint for each.
//!
//! ```text
//! > the text, `⏎` for the end of a line
//! 3-5: the sentence
//! the hint, if there is one
//! ```
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble-syntax` writes the answers of today into the files.

use tumble_core::{Code, Diagnostic, Program, Term};
use tumble_syntax::{NOTATIONS, Notation, Vars, compile};

/// How many wrong texts there must be.
const LEAST: &[(&str, usize)] = &[("troll", 100), ("tabletop", 40), ("yadn", 25), ("alea", 25), ("nice", 25)];

/// The values that the texts may use.
pub(crate) fn vars() -> Vars {
    [("str", 3), ("dex", 2), ("level", 4), ("skill.stealth", 5)].map(|(name, n)| (name.to_owned(), n)).into()
}

fn file(notation: &Notation) -> String {
    format!("{}/tests/main/errors/{}.txt", env!("CARGO_MANIFEST_DIR"), notation.name)
}

fn found(notation: &Notation, text: &str) -> Diagnostic {
    let found = compile(notation, text, &vars()).err().unwrap_or_else(|| panic!("{text:?} is not wrong"));
    assert_eq!(found.len(), 1, "{text:?}: {found:?}");
    assert_ne!(found[0].code, Code::Request, "{text:?}: {found:?}");
    found[0].clone()
}

fn answer(notation: &Notation, text: &str) -> String {
    let found = found(notation, text);
    let hint = found.hint.map(|hint| format!("\n{}", hint.replace('\n', "⏎"))).unwrap_or_default();
    format!("{}-{}: {}{hint}", found.span.start, found.span.end, found.message)
}

/// The wrong texts of a notation with what is said about them.
pub(crate) fn cases(notation: &Notation) -> Vec<(String, String)> {
    let file = std::fs::read_to_string(file(notation)).expect("the table");
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
    for notation in NOTATIONS {
        let cases = cases(notation);
        let least = LEAST.iter().find(|(name, _)| *name == notation.name).expect("a row").1;
        assert!(cases.len() >= least, "{}: only {} wrong texts", notation.name, cases.len());
        if std::env::var_os("TUMBLE_UPDATE").is_some() {
            let blocks =
                cases.iter().map(|(text, _)| format!("> {text}\n{}", answer(notation, &text.replace('⏎', "\n"))));
            let all = blocks.collect::<Vec<_>>().join("\n\n") + "\n";
            std::fs::write(file(notation), all).expect("a file that can be written");
            continue;
        }
        for (text, wanted) in cases {
            assert_eq!(answer(notation, &text.replace('⏎', "\n")), wanted, "{}: {text:?}", notation.name);
        }
    }
}

/// Every text in a hint becomes a program, and one that fails for no missing name.
#[test]
fn every_hint_is_right() {
    for notation in NOTATIONS {
        for (text, _) in cases(notation) {
            let Some(hint) = found(notation, &text.replace('⏎', "\n")).hint else { continue };
            let fixed: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
            assert_eq!(fixed.len(), 1, "{text:?}: {hint:?}");
            let program =
                compile(notation, fixed[0], &vars()).unwrap_or_else(|found| panic!("{text:?}: {found:?}")).program;
            assert!(!fails(&program) || NEEDS_A_VALUE.contains(&text.as_str()), "{text:?}: {hint:?}");
        }
    }
}

fn fails(program: &Program) -> bool {
    program.nodes().iter().any(|node| matches!(&node.term, Term::Prim { prim, .. } if prim.name == "fail"))
}

/// Texts with a name that only the command line can give a value.
const NEEDS_A_VALUE: &[&str] = &["nd10"];
