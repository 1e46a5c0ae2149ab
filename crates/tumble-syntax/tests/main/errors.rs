//! What a player reads about a wrong text: `errors/NOTATION.txt` holds the texts with the place, the
//! sentence and the hint for each.
//!
//! ```text
//! > the text, `⏎` for the end of a line
//! meant `what was meant`, or: meant unknown
//! 3-5: the sentence
//! the hint, if there is one
//! ```
//!
//! A text that is read in spite of its mistake has the note about that as its answer. Only what is known to be meant is
//! offered; that a hint means it is proved in `crates/tumble/tests/main/hints.rs`, which can compute odds.
//!
//! `TUMBLE_UPDATE=1 cargo test -p tumble-syntax` writes the answers of today into the files.

use tumble_core::{Code, Diagnostic, Program, Term};
use tumble_syntax::{DIALECTS, NOTATIONS, Notation, Vars, compile};

/// How many wrong texts each table must have.
const LEAST: usize = 99;

/// Every notation, and every tool whose texts are read.
fn all() -> impl Iterator<Item = &'static Notation> {
    NOTATIONS.iter().chain(DIALECTS)
}

/// The values that the texts may use.
pub(crate) fn vars() -> Vars {
    [("str", 3), ("dex", 2), ("level", 4), ("skill.stealth", 5)].map(|(name, n)| (name.to_owned(), n)).into()
}

fn file(notation: &Notation) -> String {
    format!("{}/tests/main/errors/{}.txt", env!("CARGO_MANIFEST_DIR"), notation.name)
}

fn found(notation: &Notation, text: &str) -> Option<Diagnostic> {
    let found = match compile(notation, text, &vars()) {
        Ok(compiled) => {
            assert!(compiled.read.is_some(), "{text:?} is not wrong");
            return None;
        }
        Err(found) => found,
    };
    assert_eq!(found.len(), 1, "{text:?}: {found:?}");
    assert_ne!(found[0].code, Code::Request, "{text:?}: {found:?}");
    Some(found[0].clone())
}

fn answer(notation: &Notation, text: &str) -> String {
    let Some(found) = found(notation, text) else {
        let compiled = compile(notation, text, &vars()).expect("a text that is read");
        return format!("note: {}", compiled.warnings[0].message);
    };
    let hint = found.hint.map(|hint| format!("\n{}", hint.replace('\n', "⏎"))).unwrap_or_default();
    format!("{}-{}: {}{hint}", found.span.start, found.span.end, found.message)
}

/// A row of a table.
pub(crate) struct Case {
    /// The text.
    pub(crate) text: String,
    /// The line that says what was meant, where the table has that column.
    meant: Option<String>,
    /// What is said about it.
    answer: String,
}

impl Case {
    /// The text as typed.
    pub(crate) fn typed(&self) -> String {
        self.text.replace('⏎', "\n")
    }
}

/// The wrong texts of a notation with what is said about them.
pub(crate) fn cases(notation: &Notation) -> Vec<Case> {
    let file = std::fs::read_to_string(file(notation)).expect("the table");
    let blocks = file.trim_end().split("\n\n");
    blocks
        .map(|block| {
            let (text, rest) = block.split_once('\n').unwrap_or((block, ""));
            let text = text.strip_prefix("> ").expect("a text").to_owned();
            let (meant, answer) = match rest.strip_prefix("meant ") {
                Some(rest) => rest.split_once('\n').map_or((Some(rest), ""), |(meant, answer)| (Some(meant), answer)),
                None => (None, rest),
            };
            Case { text, meant: meant.map(str::to_owned), answer: answer.to_owned() }
        })
        .collect()
}

fn written(notation: &Notation, case: &Case) -> String {
    let meant = case.meant.as_ref().map(|meant| format!("meant {meant}\n")).unwrap_or_default();
    format!("> {}\n{meant}{}", case.text, answer(notation, &case.typed()))
}

#[test]
fn wrong_texts_are_explained() {
    for notation in all() {
        let cases = cases(notation);
        assert!(cases.len() >= LEAST, "{}: only {} wrong texts", notation.name, cases.len());
        if std::env::var_os("TUMBLE_UPDATE").is_some() {
            let blocks = cases.iter().map(|case| written(notation, case));
            let all = blocks.collect::<Vec<_>>().join("\n\n") + "\n";
            std::fs::write(file(notation), all).expect("a file that can be written");
            continue;
        }
        for case in cases {
            assert_eq!(answer(notation, &case.typed()), case.answer, "{}: {:?}", notation.name, case.text);
        }
    }
}

/// Every text in a hint becomes a program, and one that fails for no missing name.
#[test]
fn every_hint_is_right() {
    for notation in all() {
        for case in cases(notation) {
            let text = case.typed();
            let Some(hint) = found(notation, &text).and_then(|found| found.hint) else { continue };
            let fixed: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
            assert_eq!(fixed.len(), 1, "{text:?}: {hint:?}");
            let program =
                compile(notation, fixed[0], &vars()).unwrap_or_else(|found| panic!("{text:?}: {found:?}")).program;
            assert!(!fails(&program) || NEEDS_A_VALUE.contains(&text.as_str()), "{text:?}: {hint:?}");
        }
    }
}

/// Where nobody knows what was meant, nothing is offered and nothing is read.
#[test]
fn what_is_unknown_is_not_offered() {
    for notation in all() {
        for case in cases(notation) {
            let meant = case.meant.as_deref().unwrap_or_else(|| panic!("{:?} has no meaning", case.text));
            let offered = found(notation, &case.typed()).is_none_or(|found| found.hint.is_some());
            assert!(!offered || meant != "unknown", "{}: {:?}", notation.name, case.text);
        }
    }
}

fn fails(program: &Program) -> bool {
    program.nodes().iter().any(|node| matches!(&node.term, Term::Prim { prim, .. } if prim.name == "fail"))
}

/// Texts with a name that only the command line can give a value.
const NEEDS_A_VALUE: &[&str] = &["nd10"];
