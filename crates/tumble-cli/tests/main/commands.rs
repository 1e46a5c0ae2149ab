//! Commands in the sentences and tables of README.md and the book are run, not only those in `console` blocks.
//!
//! ```text
//! Code that starts with `tumble ` is a command. It has to succeed, or to end with the status that is given right
//! after it: `tumble d0` <!-- status 1 -->. A word in capitals, as in `tumble check FILE`, is the reader's to fill
//! in; PLACEHOLDERS fills it in here. Files such as `mia.json` are those of FILES. The bare name of a command, such as
//! `tumble odds`, is run with `--help`.
//! ```
//!
//! Every option that is named anywhere has to be an option of a command.

use crate::console::{COMMANDS, markdown};
use crate::tool::shell;
use markdown::Span;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the commands find in their folder.
const FILES: &[(&str, &str)] = &[
    ("stats.troll", "sum largest 3 4d6"),
    ("rule.troll", "if 3 < d6 then \"yes\" else \"no\""),
    ("mia.json", r#"{"str": 3, "strength": 3, "abilities": {"str": {"mod": 3}}, "skill": {"stealth": 5}}"#),
    ("rules.tumble", "defroll \"Check\" check(dc: int) { return roll(\"d20\") >= dc; }"),
    ("requests.jsonl", r#"{"do":"odds","text":"2d6"}"#),
];

/// What stands for a word in capitals.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("FILE", "stats.troll"),
    ("FILE.troll", "stats.troll"),
    ("DIR", "pages"),
    ("ROLL", "d20"),
    ("COMMAND", "odds"),
    ("NAME", "tabletop"),
];

#[test]
fn commands_in_sentences_and_tables_work() {
    let (root, files) = markdown::manual();
    let folder = Folder::made("manual");
    let (mut count, mut failed) = (0, Vec::new());
    for page in files.iter().map(|file| markdown::read(&root, file)) {
        let (run, wrong) = wrong(&page.text, &folder);
        count += run;
        failed.extend(wrong.into_iter().map(|why| format!("{}:{why}", page.name)));
    }
    assert!(count >= 20, "only {count} commands were found");
    assert!(failed.is_empty(), "{} of {count} commands do not work:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn options_that_are_named_exist() {
    let known = options();
    let (root, files) = markdown::manual();
    let (mut count, mut failed) = (0, Vec::new());
    for page in files.iter().map(|file| markdown::read(&root, file)) {
        for span in markdown::spans(&page.text) {
            for option in named(&span.code) {
                count += 1;
                if !known.contains(option) {
                    failed.push(format!("{}:{}: there is no option {option}", page.name, span.line));
                }
            }
        }
    }
    assert!(count >= 50, "only {count} options were found");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A folder with the files; it goes away with the value.
struct Folder(PathBuf);

impl Folder {
    fn made(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tumble-commands-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in FILES {
            std::fs::write(path.join(name), text).unwrap();
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How many commands a page has, and those that end in another way than the page says.
fn wrong(page: &str, folder: &Folder) -> (usize, Vec<String>) {
    let spans = markdown::spans(page);
    let commands: Vec<&Span> = spans.iter().filter(|span| span.code.starts_with("tumble ")).collect();
    let wrong = commands.iter().filter_map(|span| {
        let ran = shell(&format!("cd '{}' && {}", folder.0.display(), filled(&span.code)), input(&span.code));
        let wanted = status(span.after);
        (ran.status != wanted)
            .then(|| format!("{}: `{}` ends with {}, not {wanted}: {}", span.line, span.code, ran.status, ran.err))
    });
    (commands.len(), wrong.collect())
}

/// A command without words for the reader to fill in.
fn filled(command: &str) -> String {
    if command.strip_prefix("tumble ").is_some_and(|name| COMMANDS.contains(&name)) {
        return format!("{command} --help");
    }
    // A server does not end by itself, and its database is not there; that the options are right can be seen without.
    if command.starts_with("tumble serve ") || command.starts_with("tumble admin ") {
        return format!("{command} --help");
    }
    let fill = |word| PLACEHOLDERS.iter().find(|(name, _)| *name == word).map_or(word, |(_, value)| *value);
    command.split(' ').map(fill).collect::<Vec<_>>().join(" ")
}

/// What a command that reads its standard input finds there.
fn input(command: &str) -> &'static [u8] {
    if command.contains("--file -") { b"3d6\n" } else { b"" }
}

/// The status that the page promises.
fn status(after: &str) -> i32 {
    let promised = after.strip_prefix(" <!-- status ").and_then(|rest| rest.split_once(" -->"));
    promised.map_or(0, |(status, _)| status.parse().unwrap())
}

/// All long options of all commands.
fn options() -> BTreeSet<String> {
    let help = COMMANDS.iter().map(|command| shell(&format!("tumble {command} --help"), b"").out);
    help.flat_map(|help| named(&help).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The long options in a text; those of cargo are not ours.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '-'));
    let ours = !text.starts_with("cargo ");
    words.filter(move |word| {
        ours && word.strip_prefix("--").is_some_and(|name| name.starts_with(|sign: char| sign.is_ascii_lowercase()))
    })
}

#[test]
fn bad_pages_are_found() {
    let folder = Folder::made("bad");
    for (page, run, bad) in [
        ("Write `tumble 3d6` and\n`tumble odds\n3d6`.", 2, 0),
        ("| a | `tumble odds 3d6 --at-leats 4` |", 1, 1),
        ("`tumble d0`", 1, 1),
        ("`tumble d0` <!-- status 1 -->", 1, 0),
        ("`tumble d6` <!-- status 1 -->", 1, 1),
        ("`tumble check FILE`, `tumble \"d20 + @str\" --vars mia.json`", 2, 0),
        ("`tumble check NOTHING`", 1, 1),
        ("`tumble odds` and `tumble evens`", 2, 1),
        ("`tumble odds d6 \\| cat`, `cargo run`\n```\n`tumble d0`\n```\n", 1, 0),
    ] {
        let (count, wrong) = wrong(page, &folder);
        assert_eq!((count, wrong.len()), (run, bad), "{page}: {wrong:?}");
    }
    assert!(Path::new(&folder.0).exists());
    assert!(!options().contains("--at-leats") && options().contains("--at-least"));
    assert_eq!(named("`--at-leats 4`, a -- b, --> c").collect::<Vec<_>>(), ["--at-leats"]);
}
