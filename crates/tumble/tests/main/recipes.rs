//! The recipes of the book. A recipe is a part of a page in `docs/book/src/recipes` under a heading of its own: a
//! question (a line between asterisks), texts with claims, a session, and exactly one claim that is its headline:
//!
//! ````text
//! ## Game: what is rolled
//!
//! *The question that the headline answers?*
//!
//! ```tabletop
//! 4d6kh3
//! --> headline P(>= 15) = 25/108
//! ```
//! ````
//!
//! `by_hand.rs` counts every headline once more. `TUMBLE_UPDATE=1 cargo test -p tumble` writes the table of all recipes
//! into `recipes.md`.

use crate::by_hand::COUNTED;
use crate::pages::markdown::{blocks, under};
use crate::pages::{Example, examples};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tumble::{Fraction, Limits, NOTATIONS, compile};

const BEGIN: &str = "<!-- all recipes, made by `TUMBLE_UPDATE=1 cargo test -p tumble` -->";
const END: &str = "<!-- end of all recipes -->";

struct Recipe {
    /// Its page, such as `recipes/board.md`.
    page: String,
    title: String,
    question: String,
    /// Every text with the name of its notation.
    texts: Vec<(&'static str, Example)>,
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src")
}

/// All recipes, the pages in the order of the book.
fn recipes() -> Vec<Recipe> {
    let mut files = Vec::new();
    under(&book().join("recipes"), &mut files);
    let order = std::fs::read_to_string(book().join("SUMMARY.md")).unwrap();
    let name = |file: &PathBuf| format!("recipes/{}", file.file_name().unwrap().display());
    let missing: Vec<String> = files.iter().map(name).filter(|name| !order.contains(name)).collect();
    assert!(missing.is_empty(), "not in SUMMARY.md: {missing:?}");
    files.sort_by_key(|file| order.find(&name(file)));
    files.iter().flat_map(|file| page(&name(file), &std::fs::read_to_string(file).unwrap())).collect()
}

fn page(name: &str, text: &str) -> Vec<Recipe> {
    let parts = text.split("\n## ").skip(1);
    let recipe = |part: &str| {
        let title = part.lines().next().unwrap_or_default();
        let question = part.lines().find_map(|line| line.strip_prefix('*')?.strip_suffix('*'));
        assert!(question.is_some(), "{name}: {title}: there is no question");
        assert!(!blocks(part, "console").is_empty(), "{name}: {title}: there are no odds");
        let texts = |notation: &'static str| {
            let inside = blocks(part, notation).into_iter().flat_map(|block| examples(&block.lines));
            inside.map(move |example| (notation, example)).collect::<Vec<_>>()
        };
        let texts = NOTATIONS.iter().flat_map(|notation| texts(notation.name)).collect();
        Recipe {
            page: name.to_owned(),
            title: title.to_owned(),
            question: question.unwrap_or_default().to_owned(),
            texts,
        }
    };
    parts.map(recipe).collect()
}

impl Recipe {
    /// Its headline: the notation, the text with its values, and the claim.
    fn headline(&self) -> (&'static str, &Example, &str) {
        let found = self.texts.iter().flat_map(|(notation, example)| {
            example.claims.iter().filter_map(move |claim| Some((*notation, example, claim.strip_prefix("headline ")?)))
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), 1, "{}: a recipe has one headline", self.title);
        found[0]
    }

    /// The number of its headline. That Tumble says the same is what `pages.rs` checks.
    fn number(&self) -> Fraction {
        let (_, _, claim) = self.headline();
        claim.rsplit(' ').next().unwrap_or_default().parse().unwrap()
    }

    /// Its line in the table of all recipes.
    fn row(&self) -> String {
        let (_, _, claim) = self.headline();
        let number = self.number();
        let about = number.to_f64();
        let about = if claim.starts_with('P') { format!("{:.2} %", about * 100.0) } else { format!("{about:.2}") };
        let exact =
            Some(number.to_string()).filter(|spelled| spelled.len() <= 13).map(|spelled| format!(" ({spelled})"));
        let anchor: String = self.title.to_lowercase().chars().filter_map(anchored).collect();
        let exact = exact.unwrap_or_default();
        format!("| [{}]({}#{anchor}) | {} | {about}{exact} |\n", self.title, self.page, self.question)
    }
}

/// How a letter of a heading stands in the address that mdBook makes of it.
fn anchored(letter: char) -> Option<char> {
    match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    }
}

#[test]
fn headlines_are_counted_by_hand() {
    let recipes = recipes();
    let titles: BTreeSet<&str> = recipes.iter().map(|recipe| recipe.title.as_str()).collect();
    let counted: BTreeSet<&str> = COUNTED.iter().map(|(title, _)| *title).collect();
    assert_eq!(titles, counted, "every recipe is counted by hand, and nothing else is");
    assert_eq!((titles.len(), counted.len()), (recipes.len(), COUNTED.len()), "a title stands twice");
    assert!(recipes.len() >= 20, "only {} recipes", recipes.len());
    let mut failed = Vec::new();
    for recipe in &recipes {
        let (_, count) = COUNTED.iter().find(|(title, _)| *title == recipe.title).unwrap();
        let (ways, of) = count();
        let by_hand: Fraction = format!("{ways}/{of}").parse().unwrap();
        if by_hand != recipe.number() {
            failed.push(format!("{}: {} on the page, {by_hand} by hand", recipe.title, recipe.number()));
        }
    }
    assert!(failed.is_empty(), "{} headlines are wrong:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn recipes_can_be_rolled() {
    for recipe in recipes() {
        for (notation, example) in &recipe.texts {
            let prepared = compile(notation, example.text.trim_end(), &example.vars).unwrap();
            // What another tool makes of it is no doubt about the recipe.
            let doubts: Vec<&str> = prepared.warnings().iter().map(|warning| warning.message.as_str()).collect();
            let elsewhere = |doubt: &&str| doubt.contains(" reads this ") || doubt.contains(" read this ");
            assert!(doubts.iter().all(elsewhere), "{}: {doubts:?}", recipe.title);
            for seed in 1..=20 {
                if let Err(error) = prepared.roll(seed, &Limits::default()) {
                    panic!("{}: {}: {}", recipe.title, example.text, error.message);
                }
            }
        }
    }
}

#[test]
fn the_table_of_all_recipes_is_of_today() {
    let rows: String = recipes().iter().map(Recipe::row).collect();
    let wanted = format!("{BEGIN}\n\n| game | question | answer |\n|---|---|--:|\n{rows}\n{END}");
    let file = book().join("recipes.md");
    let text = std::fs::read_to_string(&file).unwrap();
    if std::env::var_os("TUMBLE_UPDATE").is_some() {
        let (before, rest) = text.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        std::fs::write(&file, format!("{before}{wanted}{after}")).unwrap();
    } else {
        assert!(text.contains(&wanted), "the table in recipes.md is not the one of today");
    }
}
