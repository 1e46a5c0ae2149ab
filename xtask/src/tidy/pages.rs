//! The pages at the root stay true: ARCHITECTURE.md and CHANGELOG.md.

use super::tree::Tree;

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const CHANGELOG: &str = "CHANGELOG.md";
const TERMS: &str = "crates/tumble-core/src/term.rs";
const ARCHITECTURE_LINES: usize = 215;

/// Every crate of the table in ARCHITECTURE.md exists, and every crate is in the table.
pub(super) fn crate_table(tree: &Tree) -> Vec<String> {
    let told = told_crates(tree.text(ARCHITECTURE).unwrap_or_default());
    let real: Vec<&str> = tree.packages().into_iter().map(|(name, _)| name).collect();
    let missing = real.iter().filter(|name| !told.contains(name));
    let gone = told.iter().filter(|name| !real.contains(name));
    missing
        .map(|name| format!("{ARCHITECTURE}: `{name}` is missing from the table of crates"))
        .chain(gone.map(|name| format!("{ARCHITECTURE}: there is no crate `{name}`")))
        .collect()
}

/// The first words of the rows of the table under the heading that speaks of crates.
fn told_crates(page: &str) -> Vec<&str> {
    let is_heading = |line: &&str| line.starts_with('#') && line.to_lowercase().contains("crates");
    page.lines()
        .skip_while(|line| !is_heading(line))
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect()
}

/// ARCHITECTURE.md can be read in one sitting.
pub(super) fn architecture_is_short(tree: &Tree) -> Vec<String> {
    match tree.text(ARCHITECTURE).map(|text| text.lines().count()) {
        Some(lines) if lines < ARCHITECTURE_LINES => vec![],
        Some(lines) => vec![format!("{ARCHITECTURE}: {lines} lines, it must stay under {ARCHITECTURE_LINES}")],
        None => vec![format!("{ARCHITECTURE} is missing")],
    }
}

/// The number of core forms in ARCHITECTURE.md, `**11 forms**`, is the number in the core.
pub(super) fn forms_are_counted(tree: &Tree) -> Vec<String> {
    let Some(terms) = tree.text(TERMS) else { return vec![format!("{TERMS} is missing")] };
    let forms = variants(terms, "pub enum Term {");
    if tree.text(ARCHITECTURE).unwrap_or_default().contains(&format!("**{forms} forms**")) {
        vec![]
    } else {
        vec![format!("{ARCHITECTURE}: must say that the core has `**{forms} forms**`; a new one needs a reason")]
    }
}

/// The number of variants of a formatted enum.
fn variants(text: &str, opening: &str) -> usize {
    let body = text.lines().skip_while(|line| *line != opening).skip(1).take_while(|line| *line != "}");
    body.filter(|line| line.strip_prefix("    ").is_some_and(|rest| rest.starts_with(char::is_uppercase))).count()
}

/// CHANGELOG.md has a place for the next line.
pub(super) fn changelog_is_open(tree: &Tree) -> Vec<String> {
    let text = tree.text(CHANGELOG).unwrap_or_default();
    if text.lines().any(|line| line.starts_with("## ") && line.contains("Unreleased")) {
        vec![]
    } else {
        vec![format!("{CHANGELOG}: there is no section `## Unreleased`")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "# Map\n\n| `Lit` | a form |\n\n## The crates\n\n| crate | what |\n|---|---|\n| `a` | x |\n\n| `b` |\n";

    #[test]
    fn a_crate_that_is_not_told_is_found() {
        let tree = Tree::made(&[(ARCHITECTURE, TABLE), ("crates/a/Cargo.toml", ""), ("xtask/Cargo.toml", "")]);
        assert_eq!(crate_table(&tree), ["ARCHITECTURE.md: `xtask` is missing from the table of crates"]);
    }

    #[test]
    fn a_crate_that_is_gone_is_found() {
        let tree = Tree::made(&[(ARCHITECTURE, TABLE)]);
        assert_eq!(crate_table(&tree), ["ARCHITECTURE.md: there is no crate `a`"]);
    }

    #[test]
    fn a_long_or_missing_map_is_found() {
        let at = |lines: usize| Tree::made(&[(ARCHITECTURE, &"x\n".repeat(lines))]);
        assert!(architecture_is_short(&at(ARCHITECTURE_LINES - 1)).is_empty());
        assert_eq!(architecture_is_short(&at(ARCHITECTURE_LINES)).len(), 1);
        assert_eq!(architecture_is_short(&Tree::made(&[("Cargo.toml", "")])).len(), 1);
    }

    #[test]
    fn a_wrong_number_of_forms_is_found() {
        let terms =
            "pub enum Term {\n    /// `7`\n    Lit(u8),\n    Let {\n        X: u8,\n    },\n}\nenum B {\n    C,\n}\n";
        let at = |page| Tree::made(&[(TERMS, terms), (ARCHITECTURE, page)]);
        assert!(forms_are_counted(&at("There are **2 forms**.")).is_empty());
        assert_eq!(forms_are_counted(&at("There are **3 forms**.")).len(), 1);
        assert_eq!(forms_are_counted(&Tree::made(&[("Cargo.toml", "")])).len(), 1);
    }

    #[test]
    fn a_changelog_without_an_open_section_is_found() {
        assert!(changelog_is_open(&Tree::made(&[(CHANGELOG, "# Changes\n\n## [Unreleased]\n")])).is_empty());
        assert_eq!(changelog_is_open(&Tree::made(&[(CHANGELOG, "# Changes\n\n## 0.1.0\n")])).len(), 1);
    }
}
