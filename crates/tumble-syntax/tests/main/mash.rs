//! Random nonsense: never a panic, and every place lies inside the text.

use crate::random::Random;
use std::collections::BTreeSet;
use tumble_core::Diagnostic;
use tumble_syntax::{DIALECTS, NOTATIONS, Notation, Vars, compile};

/// Texts of each sort, for each notation.
const CASES: u64 = 10_000;

/// Signs that no notation expects everywhere.
const ODD: &[&str] = &[
    "\0",
    "§",
    "é",
    "🎲",
    "−",
    "“",
    "”",
    "’",
    "\u{a0}",
    "\u{85}",
    "`",
    "\n",
    "\t",
    " ",
    "\\",
    "99999999999999999999",
    "0.5",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "?",
    "#",
    "@",
    "=",
    "!=",
    "=>",
    "..",
    "!!",
    "--",
    "&&",
    "||",
    "_",
    "%",
    "^",
    "x",
    "n",
    "d",
    "6",
];

/// Words a player never needs to know.
const JARGON: &[&str] = &["token", "EOF", "parser", "end of input", "identifier", "lexer"];

/// Good and wrong texts of a notation.
fn texts(notation: &Notation) -> Vec<String> {
    let wrong = crate::errors::cases(notation).into_iter().map(|case| case.typed());
    let right = crate::vectors::texts(notation.name);
    let shown = notation.examples.iter().chain(notation.reference.iter().map(|piece| &piece.example));
    shown.map(|text| (*text).to_owned()).chain(wrong).chain(right).collect()
}

/// The words and signs of these texts.
fn words(texts: &[String]) -> Vec<String> {
    let mut words: BTreeSet<String> = ODD.iter().map(|word| (*word).to_owned()).collect();
    for text in texts {
        let mut word = String::new();
        for c in text.chars() {
            let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic(), c.is_whitespace());
            if word.chars().next_back().is_some_and(|last| kind(last) != kind(c)) {
                words.insert(std::mem::take(&mut word));
            }
            word.push(c);
        }
        words.insert(word);
    }
    words.into_iter().filter(|word| word.len() < 20).collect()
}

fn check(notation: &Notation, seed: u64, text: &str) {
    let mut vars: Vars = crate::errors::vars();
    vars.extend([("n".to_owned(), 3), ("unused".to_owned(), 1)]);
    let mut read = text.to_owned();
    let found = match compile(notation, text, &vars) {
        Ok(compiled) => {
            read = compiled.read.unwrap_or(read);
            compiled.warnings
        }
        Err(found) => {
            assert_eq!(found.len(), 1, "{} {seed}: {text:?}: {found:?}", notation.name);
            found
        }
    };
    for Diagnostic { span, message, hint, .. } in found {
        assert!(read.get(span.start..span.end).is_some(), "{} {seed}: {text:?}: {span:?}", notation.name);
        // What is quoted is the player's own.
        let said: String = message.split('`').step_by(2).collect();
        assert!(!JARGON.iter().any(|word| said.contains(word)), "{} {seed}: {message:?}", notation.name);
        for fixed in hint.iter().flat_map(|hint| hint.split('`').skip(1).step_by(2)) {
            let again = compile(notation, fixed, &vars);
            assert!(again.is_ok(), "{} {seed}: {text:?}: the hint {fixed:?} is wrong: {again:?}", notation.name);
        }
    }
}

#[test]
fn mashed_words_never_panic() {
    for notation in NOTATIONS.iter().chain(DIALECTS) {
        let words = words(&texts(notation));
        for seed in 0..CASES {
            let mut random = Random::new(seed);
            let count = random.below(12);
            let text: String = (0..count).map(|_| random.pick(&words)).collect();
            check(notation, seed, &text);
        }
    }
}

#[test]
fn mashed_bytes_never_panic() {
    for notation in NOTATIONS.iter().chain(DIALECTS) {
        for seed in 0..CASES {
            let mut random = Random::new(seed);
            let count = random.below(24);
            let bytes: Vec<u8> = (0..count).map(|_| random.below(256) as u8).collect();
            check(notation, seed, &String::from_utf8_lossy(&bytes));
            let printable: Vec<u8> = bytes.iter().map(|byte| 32 + byte % 95).collect();
            check(notation, seed, &String::from_utf8_lossy(&printable));
        }
    }
}

/// Good texts with one word too many, too few or changed: most hints come from here.
#[test]
fn damaged_texts_never_panic() {
    for notation in NOTATIONS.iter().chain(DIALECTS) {
        let texts = texts(notation);
        let words = words(&texts);
        for seed in 0..CASES {
            let mut random = Random::new(seed);
            let text = random.pick(&texts);
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (start, word) = (random.pick(&places), random.pick(&words));
            let end = places.iter().copied().find(|place| *place > start).unwrap_or(start);
            let kept = if random.below(2) == 0 { start } else { end };
            let word = if random.below(3) == 0 { "" } else { &word };
            check(notation, seed, &format!("{}{word}{}", &text[..start], &text[kept..]));
        }
    }
}
