//! A row of the primitive table is the only home of its operator. Whoever evaluates asks its columns and does not know which
//! row it has before it; only a notation names rows, in its table of operators, where it lowers to them and where it writes them.

use super::literals::literals;
use super::tree::{File, Tree};

/// Where the rows are.
const TABLE: &str = "crates/tumble-core/src/prim";

/// Where a notation names rows: its operators, its lowering and its writer, and what all of them share.
const NOTATIONS: &str = "crates/tumble-syntax/src/";
const NAMING: &[&str] = &["/operator.rs", "/lower/", "/lower.rs", "/build.rs", "/write.rs", "/view.rs"];

/// The exact engine, and the files of it that know rows: those that write them in place of others, and those that still have
/// to ask for one by its name.
const ENGINE: &str = "crates/tumble-exact/src/";
const STILL: &[&str] = &[
    "algo/extreme.rs",
    "algo/keep.rs",
    "machine/forms.rs",
    "machine/rows.rs",
    "machine/totals.rs",
    "outcome.rs",
    "prepare/by_face.rs",
    "prepare/code.rs",
    "prepare/patterns.rs",
    "prepare/totals.rs",
    "prepare/watch.rs",
    "words.rs",
];

/// No file outside the core names a row, except where a notation lowers and writes.
pub(super) fn a_row_is_known_at_home(tree: &Tree) -> Vec<String> {
    known_at_home_except(tree, STILL)
}

fn known_at_home_except(tree: &Tree, still: &[&str]) -> Vec<String> {
    let rows: Vec<&str> = tree.under(&[TABLE]).flat_map(|file| quoted(&file.text, "    name: \"", '"')).collect();
    let statics: Vec<&str> = tree.under(&[TABLE]).flat_map(|file| quoted(&file.text, "pub static ", ':')).collect();
    let sources = tree.rust().filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/"));
    let mut stale: Vec<&str> = still.to_vec();
    let mut found = Vec::new();
    for file in sources.filter(|file| !file.path.starts_with("crates/tumble-core/") && !may_name(&file.path)) {
        let breaches = breaches(file, &rows, &statics);
        match file.path.strip_prefix(ENGINE).filter(|path| still.contains(path)) {
            Some(path) => stale.retain(|other| *other != path || breaches.is_empty()),
            None => found.extend(breaches),
        }
    }
    found.extend(stale.iter().map(|path| format!("{ENGINE}{path}: knows no row now; take it out of the table")));
    found
}

fn may_name(path: &str) -> bool {
    let notation = path.starts_with(NOTATIONS) && NAMING.iter().any(|place| path.contains(place));
    notation || path.ends_with("tests.rs")
}

/// What follows an opening at the beginning of a line, up to an end.
fn quoted<'t>(text: &'t str, open: &'static str, end: char) -> Vec<&'t str> {
    text.lines().filter_map(|line| line.strip_prefix(open)?.split(end).next()).collect()
}

fn breaches(file: &File, rows: &[&str], statics: &[&str]) -> Vec<String> {
    let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let breach = |line: usize, name: &str| format!("{}:{line}: `{name}` is known at home; ask a column", file.path);
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let named = |name: &&&str| words.windows(3).any(|of| of[0] == "prim" && of[2] == **name);
        let listed = |name: &&&str| line.contains("prim::{") && words.contains(*name);
        found.extend(statics.iter().filter(|name| named(name) || listed(name)).map(|name| breach(number + 1, name)));
    }
    // Rows share their names with plain words, so a word counts only where somebody has a row and looks at its name.
    if code.contains("Prim") && code.contains(".name") {
        let lines: Vec<&str> = code.lines().collect();
        let compared = |line: usize| ["==", "!=", "=>", "matches!"].iter().any(|sign| lines[line - 1].contains(sign));
        let rows = literals(code).into_iter().filter(|found| rows.contains(&found.text) && compared(found.line));
        found.extend(rows.map(|literal| breach(literal.line, literal.text)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "pub static SUM: Prim = Prim {\n    name: \"sum\",\n};\n";

    fn check(path: &str, text: &str, breaches: &[usize]) {
        let files = [("crates/tumble-core/src/prim/pool.rs", ROW), (path, text)];
        let found = known_at_home_except(&Tree::made(&files), &[]);
        let line = |breach: &String| breach.split(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(0);
        assert_eq!(found.iter().map(line).collect::<Vec<usize>>(), breaches, "{path}: {found:?}");
    }

    #[test]
    fn a_row_that_is_named_elsewhere_is_found() {
        let roll = "crates/tumble-roll/src/scribe.rs";
        check(roll, "use tumble_core::prim;\nif *row == prim::SUM {}", &[2]);
        check(roll, "use tumble_core::prim::{Prim, SUM};", &[1]);
        check(roll, "fn f(row: &Prim) -> bool {\n    row.name == \"sum\"\n}", &[2]);
        check(roll, "match prim.name {\n    \"sum\" => f(),\n    _ => g(Prim),\n}", &[2]);
        check("crates/tumble-syntax/src/single.rs", "let row = &prim::SUM;", &[1]);
        check("crates/tumble-exact/src/listing.rs", "let row = &prim::SUM;", &[1]);
    }

    #[test]
    fn an_exception_that_is_not_needed_is_found() {
        let with =
            |text| Tree::made(&[("crates/tumble-core/src/prim/pool.rs", ROW), ("crates/tumble-exact/src/a.rs", text)]);
        assert!(known_at_home_except(&with("prim::SUM"), &["a.rs"]).is_empty());
        assert_eq!(known_at_home_except(&with("prim::Sort"), &["a.rs"]).len(), 1);
        assert_eq!(known_at_home_except(&with("prim::Sort"), &["b.rs"]).len(), 1);
    }

    #[test]
    fn notations_tests_and_plain_words_are_left_alone() {
        let roll = "crates/tumble-roll/src/scribe.rs";
        check(roll, "// as prim::SUM does\nlet sort = prim::Sort::Int;", &[]);
        check(roll, "let words = [\"sum\", \"Prim\"];\nlet shown = row.name;", &[]);
        check(roll, "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { prim::SUM } }", &[]);
        check("crates/tumble-roll/tests/deep.rs", "prim::SUM", &[]);
        for place in [
            "build.rs",
            "view.rs",
            "notation/yadn/operator.rs",
            "notation/troll/lower/expr.rs",
            "notation/nice/write.rs",
        ] {
            check(&format!("{NOTATIONS}{place}"), "one(&prim::SUM, dice)", &[]);
        }
    }
}
