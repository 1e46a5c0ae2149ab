//! Every link in the pages leads somewhere, and every page of the book is in its table of contents.
//!
//! ```text
//! [text](file)   [text](file#place)   [text](#place)   ![text](file)
//! ```
//!
//! A file is looked for beside the page, a place among the headings of the file: in small letters, with `-` for
//! blanks and without other signs, as GitHub and mdBook name it. Links to other sites are not followed.

use crate::pages::markdown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn links_lead_somewhere() {
    let (root, mut files) = markdown::manual();
    files.extend(
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"].map(|name| root.join(name)),
    );
    let (mut count, mut broken) = (0, Vec::new());
    for file in &files {
        let page = markdown::read(&root, file);
        for target in links(&page.text) {
            count += 1;
            if !leads(file, target) {
                broken.push(format!("{}: {target}", page.name));
            }
        }
    }
    assert!(count >= 20, "only {count} links were found");
    assert!(broken.is_empty(), "{} of {count} links lead nowhere:\n{}", broken.len(), broken.join("\n"));
}

/// A link that leaves the book works in the repository and is broken in the rendered book.
#[test]
fn the_book_links_to_itself() {
    let (root, files) = markdown::manual();
    let book = root.join("docs/book/src").canonicalize().unwrap();
    for file in files.iter().map(|file| file.canonicalize().unwrap()).filter(|file| file.starts_with(&book)) {
        for target in links(&std::fs::read_to_string(&file).unwrap()) {
            assert!(stays(&book, &file, target), "{}: {target} leaves the book", file.display());
        }
    }
    assert!(stays(&book, &book.join("recipes/board.md"), "../recipes.md#a"));
    assert!(!stays(&book, &book.join("batch.md"), "../../../examples/bot.py"));
}

/// Whether a link leads to something inside of the book.
fn stays(book: &Path, page: &Path, target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    path.is_empty() || page.with_file_name(path).canonicalize().is_ok_and(|file| file.starts_with(book))
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let (root, files) = markdown::manual();
    let book = root.join("docs/book/src");
    let summary = book.join("SUMMARY.md");
    let listed: Vec<PathBuf> =
        links(&std::fs::read_to_string(&summary).unwrap()).into_iter().map(|target| book.join(target)).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let missing: Vec<&PathBuf> =
        files.iter().filter(|file| file.starts_with(&book) && **file != summary && !once.contains(file)).collect();
    assert!(missing.is_empty(), "not in SUMMARY.md: {missing:?}");
}

/// A link to edit a page needs a repository that people can reach.
#[test]
fn the_book_is_described() {
    let (root, _) = markdown::manual();
    let [book, cargo] =
        ["docs/book/book.toml", "Cargo.toml"].map(|name| std::fs::read_to_string(root.join(name)).unwrap());
    for line in ["title = \"Tumble\"", "language = \"en\"", "create-missing = false"] {
        assert!(book.lines().any(|found| found == line), "book.toml has no line {line}");
    }
    let public = cargo.lines().any(|line| line.starts_with("repository"));
    assert!(public || !(book.contains("git-repository-url") || book.contains("edit-url-template")));
}

/// Whether there is a file, and a heading in it if one is named.
fn leads(page: &Path, target: &str) -> bool {
    let (path, place) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_owned(),
        path => page.with_file_name(path),
    };
    match std::fs::read_to_string(&file) {
        Ok(text) => place.is_empty() || places(&text).any(|known| known == place),
        Err(_) => place.is_empty() && file.exists(),
    }
}

/// The targets of the links in a page that stay in this repository; code is no link.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in prose(text) {
        // Every other piece between backticks is code, so that a target ends where its piece does.
        for piece in line.split('`').step_by(2) {
            let targets = piece.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            found.extend(targets.map(|(target, _)| target).filter(|target| !target.contains("://")));
        }
    }
    found
}

/// The names of the headings.
fn places(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter(|line| line.starts_with('#')).map(|heading| {
        let kept = heading.trim_start_matches('#').trim().chars();
        let kept = kept.filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}

/// The lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

#[test]
fn links_are_found() {
    for (text, found) in [
        ("see [a](b.md) and [`c`](d.md#e)", vec!["b.md", "d.md#e"]),
        ("[a](https://example.org) `[b](c)`", vec![]),
        ("```\n[a](b)\n```\n![c](d.svg)", vec!["d.svg"]),
    ] {
        assert_eq!(links(text), found, "{text}");
    }
    assert_eq!(places("# A & `b`: c\n```\n# no\n```").collect::<Vec<_>>(), ["a--b-c"]);
}
