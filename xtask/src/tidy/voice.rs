//! The section Voice of CONTRIBUTING.md, as far as a program can check it: phrases that are not what a player or an
//! engineer would say, in every string of the program, in its help and in its pages.
//!
//! The list is short on purpose. A phrase belongs here if it is never right, wherever it is found.

use super::literals::literals;
use super::tree::{File, Tree};

/// A phrase that is never right, and what to write instead.
const NEVER: &[(&str, &str)] = &[
    ("there is nothing named", "unknown name"),
    ("is no word of", "unknown word"),
    ("is not a word of this", "unknown word"),
    ("has no meaning here", "unexpected"),
    ("have no meaning here", "unexpected"),
    ("what joins them", "missing operator"),
    ("closes nothing", "unmatched"),
    ("is told", "is shown, is explained"),
    ("are told", "are shown, are explained"),
    ("is warned", "gives a warning"),
    ("are warned", "give a warning"),
    ("held against", "compared with"),
    ("outcomes alike", "no single mode"),
    ("is not listed, all", "lies above the last one"),
    ("points of percent", "percentage points"),
    ("brings another die", "explodes"),
    ("without putting", "without replacement"),
    ("cut toward zero", "rounded toward zero"),
    ("mistake of its own", "a bug in Tumble"),
    ("limit was met", "limit was reached"),
    ("is needed here", "expected"),
    ("stands only", "is only used"),
    ("only stands", "is only used"),
    ("stands before", "comes before"),
    ("stands right after", "comes right after"),
];

/// The pages and folders that are checked, besides every string of the crates.
const PAGES: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs/book/src"];

/// Where the phrases are quoted: this file, and the section that explains them.
const QUOTED: &str = "xtask/src/tidy/voice.rs";
const SECTION: &str = "\n## Voice\n";

/// No string, help text or page has a phrase of the list.
pub(super) fn plain_english(tree: &Tree) -> Vec<String> {
    let sources = tree.rust().filter(|file| file.path.contains("/src/") && file.path != QUOTED);
    let mut found: Vec<String> = sources.flat_map(|file| [strings(file), help(file)].concat()).collect();
    found.extend(tree.matching(PAGES).flat_map(|file| breaches(file, 1, &prose(&file.text))));
    found
}

/// What the strings of a file say; a line that ends with `\` goes on in the next.
fn strings(file: &File) -> Vec<String> {
    literals(&file.text).iter().flat_map(|found| breaches(file, found.line, &found.text.replace("\\\n", " "))).collect()
}

/// What clap makes help texts of: the doc comments of the arguments.
fn help(file: &File) -> Vec<String> {
    if !file.path.starts_with("crates/tumble-cli/src/args/") {
        return Vec::new();
    }
    let line = |line: &str| line.trim().strip_prefix("///").unwrap_or_default().to_owned();
    breaches(file, 1, &file.text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// A page with empty lines for the section that quotes the phrases.
fn prose(page: &str) -> String {
    let Some((before, after)) = page.split_once(SECTION) else { return page.to_owned() };
    let end = after.find("\n## ").unwrap_or(after.len());
    let lines = SECTION.matches('\n').count() + after[..end].matches('\n').count();
    format!("{before}{}{}", "\n".repeat(lines), &after[end..])
}

/// The phrases in a text whose first line has this number.
fn breaches(file: &File, first: usize, text: &str) -> Vec<String> {
    let (words, lines) = words(text);
    let hits = NEVER.iter().flat_map(|(never, instead)| {
        let at = words.match_indices(never).filter(|(at, _)| {
            let apart = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
            apart(words[..*at].chars().next_back()) && apart(words[at + never.len()..].chars().next())
        });
        at.map(move |(at, _)| (at, never, instead))
    });
    let breach = |(at, never, instead): (usize, &&str, &&str)| {
        format!("{}:{}: \"{never}\"; write \"{instead}\" (see Voice in CONTRIBUTING.md)", file.path, first + lines[at])
    };
    hits.map(breach).collect()
}

/// A text in small letters with one blank between words, so that a phrase may run over the end of a line; and for each
/// byte the line it is in.
fn words(text: &str) -> (String, Vec<usize>) {
    let (mut words, mut lines) = (String::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            words.push_str(&word.to_ascii_lowercase());
            words.push(' ');
            lines.resize(words.len(), number);
        }
    }
    (words, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, breaches: &[&str]) {
        let found = plain_english(&Tree::made(&[(path, text)]));
        let at = |breach: &String| breach.split(": ").next().unwrap_or_default().to_owned();
        assert_eq!(found.iter().map(at).collect::<Vec<_>>(), breaches, "{text}: {found:?}");
    }

    #[test]
    fn a_phrase_is_found_where_it_is() {
        let source = "crates/tumble-core/src/limits.rs";
        check(
            source,
            "//! A file.\nfn f() { g(\"`x` has no meaning here\") }",
            &["crates/tumble-core/src/limits.rs:2"],
        );
        check(source, "\"the rest is not \\\n    listed, all above\"", &["crates/tumble-core/src/limits.rs:1"]);
        check("xtask/src/gate.rs", "let a = 1;\nlet b = \"It Is Told\";", &["xtask/src/gate.rs:2"]);
        check("README.md", "One line.\nThey differ by 3 points\nof percent.", &["README.md:2"]);
        let help = "    /// Files\n    /// that are warned\n    files: Vec<PathBuf>,";
        check("crates/tumble-cli/src/args/texts.rs", help, &["crates/tumble-cli/src/args/texts.rs:2"]);
    }

    #[test]
    fn other_words_and_places_are_left_alone() {
        let source = "crates/tumble-core/src/limits.rs";
        check(source, "// a comment: this is told elsewhere\nlet a = \"this told us\";", &[]);
        check(source, "/// Held against the other.\nfn f() { \"unfold; shield against\" }", &[]);
        check("crates/tumble-core/tests/limits.rs", "\"this is told\"", &[]);
        check("docs/plan.md", "It is told.", &[]);
        check("CONTRIBUTING.md", "Fine.\n\n## Voice\n\n| is told | is shown |\n", &[]);
        check(
            "CONTRIBUTING.md",
            "Fine.\n\n## Voice\n\nIt is told.\n\n## Tests\n\nIt is told.\n",
            &["CONTRIBUTING.md:9"],
        );
    }
}
