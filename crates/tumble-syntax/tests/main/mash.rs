//! Random nonsense: never a panic, and every place lies inside the text.

use crate::random::Random;
use tumble_core::Diagnostic;
use tumble_syntax::{Vars, compile, notation};

const WORDS: &[&str] = &[
    "d",
    "z",
    "D",
    "U",
    "sum ",
    "sgn ",
    "mod ",
    "least ",
    "largest ",
    "count ",
    "drop ",
    "keep ",
    "pick ",
    "median ",
    "let ",
    "in ",
    "repeat ",
    "accumulate ",
    "while ",
    "until ",
    "foreach ",
    "do ",
    "if ",
    "then ",
    "else ",
    "min ",
    "max ",
    "minimal ",
    "choose ",
    "different ",
    "function ",
    "call ",
    "compositional ",
    "x",
    "y",
    "f",
    "n ",
    "Sum ",
    "summ ",
    "1",
    "2",
    "6",
    "0",
    "99999999999999999999",
    "0.5",
    "1.5",
    "?0.5",
    "?",
    "?1",
    "?50%",
    "\"a\"",
    "\"",
    "\"a|>b\"",
    "+",
    "-",
    "--",
    "*",
    "/",
    "//",
    "(",
    ")",
    ",",
    ";",
    "{",
    "}",
    "[",
    "]",
    ":=",
    ":",
    "=",
    "==",
    "=/=",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "=>",
    "..",
    ".",
    "@",
    "&",
    "#",
    "|",
    "||",
    "|>",
    "<|",
    "<>",
    "'",
    "~",
    "!",
    "%1",
    "%2",
    "%3",
    "%",
    "\\",
    "\n",
    "\t",
    " ",
    "\0",
    "§",
    "é",
    "🎲",
    "−",
    "“",
    "\u{a0}",
    "\u{85}",
    "`",
];

/// Words a player never needs to know.
const JARGON: &[&str] = &["token", "EOF", "parser", "end of input", "identifier", "lexer"];

fn check(seed: u64, text: &str) {
    let troll = notation("troll").unwrap();
    let vars: Vars = [("n".to_owned(), 3), ("unused".to_owned(), 1)].into();
    let found = match compile(troll, text, &vars) {
        Ok(compiled) => compiled.warnings,
        Err(found) => {
            assert_eq!(found.len(), 1, "seed {seed}: {text:?}: {found:?}");
            found
        }
    };
    for Diagnostic { span, message, hint, .. } in found {
        assert!(text.get(span.start..span.end).is_some(), "seed {seed}: {text:?}: {span:?}");
        assert!(!JARGON.iter().any(|word| message.contains(word)), "seed {seed}: {message:?}");
        for fixed in hint.iter().flat_map(|hint| hint.split('`').skip(1).step_by(2)) {
            let again = compile(troll, fixed, &vars);
            assert!(again.is_ok(), "seed {seed}: {text:?}: the hint {fixed:?} is wrong: {again:?}");
        }
    }
}

#[test]
fn mashed_words_never_panic() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let count = random.below(12);
        let text: String = (0..count).map(|_| random.pick(WORDS)).collect();
        check(seed, &text);
    }
}

#[test]
fn mashed_bytes_never_panic() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let count = random.below(24);
        let bytes: Vec<u8> = (0..count).map(|_| random.below(256) as u8).collect();
        check(seed, &String::from_utf8_lossy(&bytes));
        let printable: Vec<u8> = bytes.iter().map(|byte| 32 + byte % 95).collect();
        check(seed, &String::from_utf8_lossy(&printable));
    }
}

/// Good texts with one word too many, too few or changed: most hints come from here.
#[test]
fn damaged_texts_never_panic() {
    let texts: Vec<String> = crate::vectors::vectors().into_iter().map(|vector| vector.text).collect();
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let text = random.pick(&texts);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (start, word) = (random.pick(&places), random.pick(WORDS));
        let end = places.iter().copied().find(|place| *place > start).unwrap_or(start);
        let kept = if random.below(2) == 0 { start } else { end };
        let word = if random.below(3) == 0 { "" } else { word };
        check(seed, &format!("{}{word}{}", &text[..start], &text[kept..]));
    }
}
