//! What the two programs are asked: the conformance vectors, the jobs of `bench/`, everything that looks like an
//! expression in the manual and the golden pages, and random texts of every notation.
//!
//! Each piece of code of a page is asked in every notation. Where it is none of its texts, both must say so.

use crate::fields::{Fields, quoted};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

#[allow(dead_code, clippy::unwrap_used, reason = "the tests of the library choose a seed by the environment")]
#[path = "../../../crates/tumble/tests/main/grammars.rs"]
mod grammars;
#[allow(dead_code, clippy::unwrap_used, reason = "the tests of the library read more of a page")]
#[path = "../../../crates/tumble/tests/main/markdown.rs"]
mod markdown;

use grammars::{ENDLESS, Grammars, RULES, Random, SMALL};

const NOTATIONS: [&str; 5] = ["tabletop", "troll", "yadn", "alea", "nice"];

/// A request for odds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    notation: String,
    text: String,
    /// An object in JSON.
    vars: String,
    /// Further fields, each with a comma before it.
    more: String,
}

impl Question {
    fn new(notation: &str, text: &str) -> Question {
        Question { notation: notation.into(), text: text.into(), vars: "{}".into(), more: String::new() }
    }

    pub(super) fn request(&self) -> String {
        let Question { notation, text, vars, more } = self;
        format!("{{\"do\":\"odds\",\"notation\":\"{notation}\",\"text\":{},\"vars\":{vars}{more}}}", quoted(text))
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.notation, quoted(&self.text))?;
        if self.vars != "{}" {
            write!(f, " with {}", self.vars)?;
        }
        write!(f, "{}", self.more)
    }
}

/// Questions with the name of their source.
pub(super) type Sources = Vec<(String, Vec<Question>)>;

/// All questions that are written somewhere, each once.
pub(super) fn written(root: &Path) -> Result<Sources, String> {
    let sources = vec![
        ("conformance".to_string(), conformance(root)?),
        ("bench/jobs.jsonl".to_string(), jobs(root)?),
        ("the manual and golden pages".to_string(), pages(root)),
    ];
    let mut seen = HashSet::new();
    Ok(sources
        .into_iter()
        .map(|(name, questions)| (name, questions.into_iter().filter(|one| seen.insert(one.clone())).collect()))
        .collect())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn conformance(root: &Path) -> Result<Vec<Question>, String> {
    let folder = root.join("conformance");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut questions = Vec::new();
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let notation = name.split(['.', '-']).next().unwrap_or_default();
        for line in read(&file)?.lines() {
            if name.ends_with(".txt") {
                questions.extend(line.split_once(": ").map(|(notation, text)| Question::new(notation, text)));
            } else if let Some(fields) = Fields::read(line) {
                questions.extend(vector(notation, &fields));
            }
        }
    }
    Ok(questions)
}

/// A vector as it is, and also with its loops cut if it has a number for that.
fn vector(notation: &str, fields: &Fields) -> Vec<Question> {
    let Some(text) = fields.text("expr") else { return vec![] };
    let vars = fields.raw("vars").filter(|vars| vars.starts_with('{')).unwrap_or_else(|| "{}".into());
    let question = Question { vars, ..Question::new(notation, text) };
    let cut = fields.number("max_iterations").map(|cut| format!(",\"iterations\":{cut}"));
    let cut = cut.map(|more| Question { more, ..question.clone() });
    [Some(question), cut].into_iter().flatten().collect()
}

/// The jobs by their checksums, which also long answers have.
fn jobs(root: &Path) -> Result<Vec<Question>, String> {
    let text = read(&root.join("bench/jobs.jsonl"))?;
    let jobs = text.lines().filter_map(Fields::read);
    let digest = || ",\"return\":\"digest\"".to_string();
    let question =
        |job: Fields| Some(Question { more: digest(), ..Question::new(job.text("notation")?, job.text("text")?) });
    Ok(jobs.filter_map(question).collect())
}

fn pages(root: &Path) -> Vec<Question> {
    let mut files = vec![root.join("README.md")];
    markdown::under(&root.join("docs/book"), &mut files);
    markdown::under(&root.join("crates/tumble-cli/tests/golden"), &mut files);
    let mut questions = Vec::new();
    for file in files {
        let page = markdown::read(root, &file);
        let everywhere = |text: &str| NOTATIONS.map(|notation| Question::new(notation, text));
        for span in markdown::spans(&page.text) {
            questions.extend(everywhere(&span.code));
            if span.code.starts_with("tumble") {
                words(&span.code).iter().for_each(|word| questions.extend(everywhere(word)));
            }
        }
        for line in markdown::blocks(&page.text, "console").iter().flat_map(|block| &block.lines) {
            if line.starts_with(['$', '>']) {
                words(line).iter().for_each(|word| questions.extend(word_questions(word)));
            }
        }
        for notation in NOTATIONS {
            for block in markdown::blocks(&page.text, notation) {
                questions.extend(examples(notation, &block.lines));
            }
        }
    }
    questions
}

/// A word of a command: a request for odds as it is, anything else in every notation.
fn word_questions(word: &str) -> Vec<Question> {
    match Fields::read(word) {
        Some(fields) if fields.text("do") == Some("odds") => {
            let Some(text) = fields.text("text") else { return vec![] };
            let notation = fields.text("notation").unwrap_or("tabletop");
            let vars = fields.raw("vars").unwrap_or_else(|| "{}".into());
            vec![Question { vars, ..Question::new(notation, text) }]
        }
        Some(_) => vec![],
        None => NOTATIONS.map(|notation| Question::new(notation, word)).to_vec(),
    }
}

/// The words of a command, those in quotes as one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (vec![], String::new(), None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            _ => word.push(c),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The rolls of a marked block; lines with an arrow end them, and may give values.
fn examples(notation: &str, lines: &[&str]) -> Vec<Question> {
    let (mut questions, mut text, mut vars) = (vec![], String::new(), vec![]);
    let finish = |text: &mut String, vars: &mut Vec<String>| {
        let question = Question { vars: format!("{{{}}}", vars.join(",")), ..Question::new(notation, text.trim_end()) };
        text.clear();
        vars.clear();
        question
    };
    let mut claimed = false;
    for line in lines {
        let claim = line.strip_prefix("--> ");
        if claim.is_none() && claimed {
            questions.push(finish(&mut text, &mut vars));
        }
        claimed = claim.is_some();
        match claim.map(|claim| claim.strip_prefix("with ").and_then(|with| with.split_once('='))) {
            None => text.push_str(&format!("{line}\n")),
            Some(Some((name, value))) => vars.push(format!("{}:{}", quoted(name.trim()), value.trim())),
            Some(None) => {}
        }
    }
    questions.push(finish(&mut text, &mut vars));
    questions
}

/// Random texts, as many as wanted in all; programs with rules of their own have a larger share.
pub(super) fn random(wanted: usize, seed: u64) -> Sources {
    let kinds: [(&str, Grammars, usize); 3] = [("small", SMALL, 1), ("endless", ENDLESS, 1), ("rules", RULES, 4)];
    let shares: usize = kinds.iter().map(|(_, grammars, share)| grammars.len() * share).sum();
    let mut sources = Vec::new();
    for (kind, grammars, share) in kinds {
        for (notation, grammar) in grammars {
            let (wanted, mut seen) = ((wanted * share).div_ceil(shares), HashSet::new());
            let texts =
                (0..20 * wanted as u64).map(|n| Random::seeded(seed, n).text(grammar, "text", 0).replace('¤', ""));
            let texts = texts.filter(|text| seen.insert(text.clone())).take(wanted);
            let questions = texts.map(|text| Question::new(notation, &text)).collect();
            sources.push((format!("random {notation}, {kind}"), questions));
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_questions_of_the_repository_are_found() {
        let sources = written(&crate::shell::root()).unwrap();
        let least = [2000, 60, 5000];
        for ((name, questions), least) in sources.iter().zip(least) {
            assert!(questions.len() > least, "{name}: {}", questions.len());
        }
        let all: Vec<String> =
            sources.iter().flat_map(|(_, questions)| questions.iter().map(Question::to_string)).collect();
        for part in [
            "troll \"sum N d2\" with {\"N\":2}",
            "troll \"sum largest N 4d6\" with {\"N\":3}",
            "tabletop \"5d10!!kh3\"",
        ] {
            assert!(all.iter().any(|one| one.contains(part)), "{part}");
        }
    }

    #[test]
    fn random_texts_are_of_all_notations() {
        let sources = random(130, 1);
        for notation in NOTATIONS {
            assert!(sources.iter().any(|(name, texts)| name.contains(notation) && texts.len() == 10), "{notation}");
        }
        assert_eq!(sources.iter().find(|(name, _)| name == "random troll, rules").unwrap().1.len(), 40);
        let texts =
            |sources: &Sources| sources.iter().flat_map(|(_, all)| all).map(Question::request).collect::<Vec<_>>();
        assert_eq!(texts(&random(130, 1)), texts(&sources));
        assert_ne!(texts(&random(130, 2)), texts(&sources));
    }

    #[test]
    fn commands_are_split() {
        assert_eq!(
            words("$ tumble odds 'd20 + 5' -n troll \"x 'y\"  z"),
            ["$", "tumble", "odds", "d20 + 5", "-n", "troll", "x 'y", "z"]
        );
    }
}
