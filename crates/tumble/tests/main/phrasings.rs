//! One question in many spellings has one answer: `bench/phrasings.jsonl`, a spelling per line. `cargo xtask bench
//! phrasings` times every spelling.

use crate::vectors::same;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use tumble::render::json;
use tumble::{Code, Fraction, Options, Vars, compile};

struct Spelling {
    question: String,
    kind: String,
    notation: String,
    text: String,
}

fn spellings() -> Vec<Spelling> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/phrasings.jsonl");
    let read = |line: &str| {
        let json: Json = serde_json::from_str(line).unwrap();
        let text = |name: &str| json[name].as_str().unwrap().to_owned();
        Spelling { question: text("question"), kind: text("kind"), notation: text("notation"), text: text("text") }
    };
    std::fs::read_to_string(path).unwrap().lines().map(read).collect()
}

/// Everything an answer says, in words that all notations share.
type Answer = (BTreeMap<String, Fraction>, Fraction, Option<Fraction>, Option<Fraction>);

/// The answer, or none if it is over a limit.
fn answer(spelling: &Spelling) -> Option<Answer> {
    let prepared = compile(&spelling.notation, &spelling.text, &Vars::new()).unwrap();
    let odds = match prepared.odds(&Options::default()) {
        Ok(odds) => odds,
        Err(error) => {
            assert_eq!(error.code, Code::Limit, "{}: {}: {error}", spelling.question, spelling.kind);
            return None;
        }
    };
    let word = |(value, chance)| (same(&json::value(value, prepared.notation())), chance);
    Some((odds.outcomes().map(word).collect(), odds.unresolved(), odds.mean(), odds.variance()))
}

#[test]
fn all_spellings_of_a_question_have_one_answer() {
    let mut known: BTreeMap<String, Answer> = BTreeMap::new();
    let mut wrong = Vec::new();
    for spelling in spellings() {
        let name = format!("{}: {}", spelling.question, spelling.kind);
        match answer(&spelling) {
            None => wrong.push(format!("{name} is refused")),
            Some(answer) => {
                if known.entry(spelling.question).or_insert_with(|| answer.clone()) != &answer {
                    wrong.push(format!("{name} has another answer than the first spelling"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_enough_questions_and_spellings() {
    let mut questions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Spelling { question, kind, .. } in spellings() {
        questions.entry(question).or_default().push(kind);
    }
    assert!(questions.len() >= 14, "only {} questions", questions.len());
    for (question, mut kinds) in questions {
        kinds.sort();
        assert!(kinds.len() >= 3 && kinds.windows(2).all(|pair| pair[0] != pair[1]), "{question}: {kinds:?}");
    }
}
