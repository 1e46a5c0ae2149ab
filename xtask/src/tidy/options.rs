//! Only the program speaks of its options. What a library says is also read in a bot, on a web page or in another
//! language, so a string below `tumble-cli` names no `--option`; it says the same as data (`Remedy`).

use super::literals::{Literal, literals};
use super::tree::{File, Tree};

/// The crates that the program is made of.
const BELOW: &[&str] = &[
    "crates/tumble-core/src",
    "crates/tumble-syntax/src",
    "crates/tumble-roll/src",
    "crates/tumble-exact/src",
    "crates/tumble/src",
];

/// No string literal below the program names an option.
pub(super) fn only_the_program_names_them(tree: &Tree) -> Vec<String> {
    let rust = tree.under(BELOW).filter(|file| file.path.ends_with(".rs"));
    rust.flat_map(|file| literals(&file.text).into_iter().flat_map(|found| named(file, &found))).collect()
}

fn named(file: &File, literal: &Literal<'_>) -> Vec<String> {
    let found = options(literal.text).into_iter();
    let advice = "only tumble-cli names options; say it as a `Remedy`";
    found.map(|option| format!("{}:{}: `{option}` in a string: {advice}", file.path, literal.line)).collect()
}

/// The options in a text: `--max-steps`, `-n`. A property of CSS (`--size: 3`) is none.
fn options(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('-') {
        let before = text[..at].chars().next_back();
        if !before.is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '(' | '"' | '\'')) {
            continue;
        }
        let dashes = if text[at..].starts_with("--") { 2 } else { 1 };
        let word = &text[at + dashes..];
        let end = word.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(word.len());
        let long = dashes == 2 && word.starts_with(|c: char| c.is_ascii_lowercase()) && !word[end..].starts_with(':');
        let short = dashes == 1 && &word[..end] == "n" && word[end..].starts_with([' ', '`']);
        if long || short {
            found.push(&text[at..at + dashes + end]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, breaches: usize) {
        let found = only_the_program_names_them(&Tree::made(&[(path, text)]));
        assert_eq!(found.len(), breaches, "{text}: {found:?}");
    }

    #[test]
    fn an_option_below_the_program_is_found() {
        let core = "crates/tumble-core/src/limits.rs";
        for text in [
            r#"hint("raise the limit with --max-steps")"#,
            r#"format!("`-n {}`", name)"#,
            "\"two \\\n   lines --approx\"",
            r##"r#"a "raw" one: --json"#"##,
            r#"let quote = '"'; let hint = "(--approx)";"#,
            r#"("a \" quote", "--var")"#,
        ] {
            check(core, text, 1);
        }
    }

    #[test]
    fn comments_signs_and_the_program_are_left_alone() {
        let core = "crates/tumble-core/src/limits.rs";
        for text in [
            "// raise it with --max-steps, \"-n troll\"",
            r#"("<!-- a comment -->", "a -- b", "x - n", "d20-n", "2d6--1")"#,
            r#"format!("style=\"--size: {size}\"")"#,
            r#"let hint = "ask for a smaller roll"; // not "--this""#,
        ] {
            check(core, text, 0);
        }
        check("crates/tumble-cli/src/advice.rs", "\"with --approx\"", 0);
    }
}
