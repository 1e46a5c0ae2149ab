//! Budgets for the tail: no file over 600 lines, no function over 80.
//!
//! A function is counted from its `fn` line to the closing brace in the same column, which is right
//! for formatted code. Exceptions are named here with a reason, and one that is no longer needed is
//! a breach too.

use super::tree::Tree;

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 80;

/// Files over the budget: path, reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Functions over the budget: path, name, reason.
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[];

/// Sources with their inline tests that are to have at most so many lines together: folders, goal. A goal, not yet a
/// rule: `cargo xtask tidy` only prints where we are.
const GOALS: &[(&[&str], usize)] = &[
    (&["crates/tumble-exact/src/"], 9_500),
    (&["crates/tumble-core/src/", "crates/tumble-exact/src/", "crates/tumble-roll/src/"], 18_500),
];

const NOTATIONS: &str = "crates/tumble-syntax/src/";

/// The script language, and the rows of dialects.
const DIALECT_DATA: &[&str] = &[
    "crates/tumble-syntax/src/script/",
    "crates/tumble-syntax/src/notation/tabletop/dialect.rs",
    "crates/tumble-syntax/src/notation/tabletop/differences.rs",
    "crates/tumble-syntax/src/notation/tabletop/tools.rs",
    "crates/tumble-syntax/src/notation/tabletop/dicemaiden/",
];

/// The lines that were counted in this way at commit c9955c2.
const BEFORE_DIALECTS: usize = 16_818;

/// How many lines there are, beside the goals.
pub(super) fn sizes(tree: &Tree) -> Vec<String> {
    let lines = |folder: &&str| -> usize {
        tree.rust().filter(|file| file.path.starts_with(folder)).map(|file| file.text.lines().count()).sum()
    };
    let size = |(folders, goal): &(&[&str], usize)| {
        let lines: usize = folders.iter().map(lines).sum();
        let over = if lines > *goal { format!(", {} over it", lines - goal) } else { String::new() };
        format!("{}: {lines} lines; the goal is {goal}{over}", folders.join(" + "))
    };
    GOALS.iter().map(size).chain([notations(tree)]).collect()
}

/// The size of the notations now and before there were dialects, without scripts and what is data of a dialect.
fn notations(tree: &Tree) -> String {
    let data = |path: &str| DIALECT_DATA.iter().any(|part| path.starts_with(part));
    let counted = tree.rust().filter(|file| file.path.starts_with(NOTATIONS) && !data(&file.path));
    let lines: usize = counted.map(|file| file.text.lines().count()).sum();
    format!("{NOTATIONS} without scripts and data of dialects: {lines} lines; {BEFORE_DIALECTS} before dialects")
}

/// No file is too long.
pub(super) fn files(tree: &Tree) -> Vec<String> {
    files_except(tree, LONG_FILES)
}

/// No function is too long.
pub(super) fn functions(tree: &Tree) -> Vec<String> {
    functions_except(tree, LONG_FUNCTIONS)
}

fn files_except(tree: &Tree, exceptions: &[(&str, &str)]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut unused: Vec<&str> = exceptions.iter().map(|(path, _)| *path).collect();
    for file in tree.rust() {
        let lines = file.text.lines().count();
        if lines <= FILE_LINES {
            continue;
        }
        if exceptions.iter().any(|(path, _)| *path == file.path) {
            unused.retain(|path| *path != file.path);
        } else {
            breaches.push(format!("{}: {lines} lines, the budget is {FILE_LINES}", file.path));
        }
    }
    breaches.extend(unused.iter().map(|path| format!("{path}: needs no exception from the file budget any more")));
    breaches
}

fn functions_except(tree: &Tree, exceptions: &[(&str, &str, &str)]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut unused: Vec<(&str, &str)> = exceptions.iter().map(|(path, name, _)| (*path, *name)).collect();
    for file in tree.rust() {
        for function in functions_of(&file.text).iter().filter(|function| function.lines > FUNCTION_LINES) {
            let key = (file.path.as_str(), function.name);
            if exceptions.iter().any(|(path, name, _)| (*path, *name) == key) {
                unused.retain(|unused| *unused != key);
            } else {
                breaches.push(format!(
                    "{}:{}: `{}` has {} lines, the budget is {FUNCTION_LINES}",
                    file.path, function.line, function.name, function.lines
                ));
            }
        }
    }
    let stale = |(path, name): &(&str, &str)| format!("{path}: `{name}` needs no exception any more");
    breaches.extend(unused.iter().map(stale));
    breaches
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    /// The number of its first line.
    line: usize,
    lines: usize,
}

fn functions_of(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter_map(|(at, line)| Some((at, function_name(line)?)));
    starts.filter_map(|(at, name)| Some(Function { name, line: at + 1, lines: body_end(&lines[at..])? + 1 })).collect()
}

/// The name, if the line starts a function.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    loop {
        match words.next()? {
            "fn" => break,
            "const" | "async" | "unsafe" | "extern" | "\"C\"" | "default" => {}
            word if word.starts_with("pub") => {}
            _ => return None,
        }
    }
    words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// The place of the last line of the function that starts with the first one; none without a body.
fn body_end(lines: &[&str]) -> Option<usize> {
    let column = indent(lines.first()?);
    let mut opened = false;
    for (at, line) in lines.iter().enumerate() {
        let code = line.split(" // ").next().unwrap_or(line).trim();
        let here = indent(line) == column;
        if here && (code.starts_with('}') || (at == 0 && code.ends_with('}'))) {
            return Some(at);
        }
        opened |= here && code.ends_with('{');
        if !opened && code.ends_with(';') {
            return None;
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_function(lines: usize) -> String {
        format!("//! a\n\npub(crate) fn long<T>(x: T) {{\n{}}}\n", "    x;\n".repeat(lines - 2))
    }

    #[test]
    fn a_long_file_is_found() {
        let at = |lines: usize| Tree::made(&[("crates/a/src/lib.rs", &"//\n".repeat(lines))]);
        assert!(files(&at(600)).is_empty());
        assert_eq!(files(&at(601)), ["crates/a/src/lib.rs: 601 lines, the budget is 600"]);
        assert!(files_except(&at(601), &[("crates/a/src/lib.rs", "a table")]).is_empty());
    }

    #[test]
    fn sizes_are_counted_with_inline_tests() {
        let tree = Tree::made(&[
            ("crates/tumble-core/src/lib.rs", "//! a\n"),
            ("crates/tumble-exact/src/algo/keep.rs", &"//\n".repeat(9_501)),
            ("crates/tumble-exact/tests/main.rs", "//! not counted\n"),
        ]);
        let sizes = sizes(&tree);
        assert!(sizes[0].ends_with("src/: 9501 lines; the goal is 9500, 1 over it"), "{}", sizes[0]);
        assert!(sizes[1].ends_with(": 9502 lines; the goal is 18500"), "{}", sizes[1]);
        assert!(sizes.last().is_some_and(|size| size.contains(": 0 lines; 16818 before")), "{sizes:?}");
    }

    #[test]
    fn a_long_function_is_found() {
        let at = |lines| Tree::made(&[("fuzz/fuzz_targets/a.rs", &long_function(lines))]);
        assert!(functions(&at(80)).is_empty());
        assert_eq!(functions(&at(81)), ["fuzz/fuzz_targets/a.rs:3: `long` has 81 lines, the budget is 80"]);
        assert!(functions_except(&at(81), &[("fuzz/fuzz_targets/a.rs", "long", "a flat match")]).is_empty());
    }

    #[test]
    fn an_exception_that_is_not_needed_is_found() {
        let tree = Tree::made(&[("crates/a/src/lib.rs", "//! a\n")]);
        assert_eq!(files_except(&tree, &[("crates/a/src/lib.rs", "a table")]).len(), 1);
        assert_eq!(functions_except(&tree, &[("crates/a/src/lib.rs", "f", "a flat match")]).len(), 1);
    }

    #[test]
    fn functions_are_counted_from_fn_to_brace() {
        let text = "\
trait A {
    fn declared(&self);
    fn declared_long(
        &self,
    ) -> bool;
}
fn one_line() {}
impl A for B {
    /// Not a `fn here`.
    pub const fn inner(
        x: u8,
    ) -> u8
    where
        u8: Copy,
    {
        if x {
        }
        x
    } // the end
}
";
        let found: Vec<(&str, usize, usize)> =
            functions_of(text).iter().map(|function| (function.name, function.line, function.lines)).collect();
        assert_eq!(found, [("one_line", 7, 1), ("inner", 10, 10)]);
    }
}
