//! `cargo xtask tidy`: rules about the tree that no compiler checks.
//!
//! Each rule is a function from the tree to its breaches, with a test that shows it can fail. The
//! whole is itself a test, so `cargo test` finds a breach too.

mod borders;
mod budgets;
mod circles;
mod forms;
mod options;
mod pages;
mod rows;
mod sources;
mod voice;

mod literals;
mod manifest;
mod tree;

use crate::shell;
use std::path::Path;
use std::process::ExitCode;
use tree::Tree;

/// A rule; a breach is a line that names the file and what to do.
type Rule = fn(&Tree) -> Vec<String>;

static RULES: &[Rule] = &[
    borders::ours,
    borders::outside,
    budgets::files,
    budgets::functions,
    circles::are_none,
    forms::are_all_named,
    options::only_the_program_names_them,
    pages::crate_table,
    pages::architecture_is_short,
    pages::forms_are_counted,
    pages::changelog_is_open,
    rows::a_row_is_known_at_home,
    sources::openings,
    sources::core_names_no_notation,
    sources::nothing_outside_the_repository,
    sources::no_ignored_tests,
    voice::plain_english,
];

/// The command; it also prints how large the engine is.
pub(crate) fn tidy() -> ExitCode {
    if let Ok(tree) = Tree::read(&shell::root()) {
        budgets::sizes(&tree).iter().for_each(|size| println!("{size}"));
    }
    let found = breaches(&shell::root());
    found.iter().for_each(|breach| eprintln!("{breach}"));
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every breach in the tree under `root`.
pub(crate) fn breaches(root: &Path) -> Vec<String> {
    match Tree::read(root) {
        Ok(tree) => RULES.iter().flat_map(|rule| rule(&tree)).collect(),
        Err(error) => vec![format!("can't read the tree under {}: {error}", root.display())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let found = breaches(&shell::root());
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}
