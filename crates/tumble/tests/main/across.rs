//! Across notations: the same question has the same answer, a text says where it is valid, and every text that can
//! be said in another notation means the same there.

use crate::vectors::same;
use std::collections::BTreeMap;
use tumble::render::json;
use tumble::{Fraction, NOTATIONS, Odds, Options, Prepared, Vars, compile};

/// The questions of `conformance/same.txt`: a notation and a text each.
fn questions() -> Vec<Vec<(String, String)>> {
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/same.txt")).unwrap();
    let lines = |block: &str| -> Vec<(String, String)> {
        let lines = block.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split_once(": ").unwrap()).map(|(name, text)| (name.into(), text.into())).collect()
    };
    file.split("\n\n").map(lines).filter(|question| !question.is_empty()).collect()
}

/// What is known of a distribution, in words that all notations share.
#[derive(Debug, PartialEq)]
struct Known {
    outcomes: BTreeMap<String, Fraction>,
    unresolved: Fraction,
    mean: Option<Fraction>,
    variance: Option<Fraction>,
}

fn known(prepared: &Prepared, odds: &Odds) -> Known {
    let word = |(value, chance)| (same(&json::value(value, prepared.notation())), chance);
    Known {
        outcomes: odds.outcomes().map(word).collect(),
        unresolved: odds.unresolved(),
        mean: odds.mean(),
        variance: odds.variance(),
    }
}

#[test]
fn one_question_has_one_answer() {
    let questions = questions();
    assert!(questions.len() >= 25, "only {} questions", questions.len());
    for question in questions {
        assert!(question.len() > 1, "{question:?}");
        let mut first: Option<Known> = None;
        for (name, text) in &question {
            let prepared = compile(name, text, &Vars::new()).unwrap();
            let odds = prepared.odds(&Options::default()).unwrap();
            assert!(odds.exact(), "{name}: {text}");
            let answer = known(&prepared, &odds);
            assert_eq!(*first.get_or_insert_with(|| known(&prepared, &odds)), answer, "{name}: {text}");
        }
    }
}

/// Every text in every notation: a translation is compared before it is given, so that it is given at all is
/// what is tested here; what the notations share must be sayable.
#[test]
fn translations_mean_the_same() {
    let mut given = BTreeMap::new();
    for (name, text) in questions().into_iter().flatten() {
        let prepared = compile(&name, &text, &Vars::new()).unwrap();
        for to in NOTATIONS {
            match prepared.translate(to) {
                Ok(translation) => {
                    assert!(translation.checked, "{name} to {}: {text} is {}", to.name, translation.text);
                    *given.entry(to.name).or_insert(0) += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind.as_deref(), Some("no-translation"), "{name} to {}: {text}: {error}", to.name);
                    // A writer that gives a text with another meaning is wrong, not short of words.
                    assert!(
                        !error.message.contains("has no text with the same results"),
                        "{name} to {}: {text}",
                        to.name
                    );
                }
            }
        }
    }
    for (name, least) in [("troll", 120), ("tabletop", 100), ("yadn", 60), ("alea", 50), ("nice", 70)] {
        assert!(given[name] >= least, "{} of the texts can be said in {name}", given[name]);
    }
}

#[test]
fn a_text_that_is_valid_elsewhere_says_so() {
    let table: [(&str, &str, &[&str]); 10] = [
        ("tabletop", "sum largest 3 4d6", &["troll"]),
        ("troll", "4d6kh3", &["tabletop", "nice"]),
        ("nice", "S 4dp6 ph 3", &["yadn"]),
        ("troll", "4d6K3H", &["alea"]),
        ("tabletop", "2d6 +* 3", &[]),
        ("tabletop", "d0", &[]),
        ("tabletop", "d-6", &[]),
        ("tabletop", "d{}", &[]),
        ("tabletop", "d[1,6]", &[]),
        ("tabletop", "d(1..6)", &[]),
    ];
    for (name, text, valid) in table {
        let error = compile(name, text, &Vars::new()).unwrap_err().first();
        assert_eq!(error.notations().collect::<Vec<_>>(), valid, "{name}: {text}: {error:?}");
    }
}
