//! No modules import each other in a circle, not even through others.
//!
//! ```text
//! folder    what is in it imports from what is beside it, and never in a circle: files and folders alike
//! mod.rs    what a folder shares with its files; that they import it from above them is no circle
//! ```
//!
//! A scanner, not a parser: it reads every path that begins with `crate` or `super`, in imports and elsewhere.

use super::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The crates this is about.
const CRATES: &[&str] = &["tumble-core", "tumble-exact", "tumble-roll"];

/// Circles that are still there, by folder. The table only ever becomes shorter.
const LEFT: &[(&str, &[&str])] = &[
    ("crates/tumble-exact/src", &["dist", "hidden", "law", "moments", "outcome", "tailed"]),
    ("crates/tumble-roll/src/flat", &["dice", "rounds", "run", "tape"]),
    ("crates/tumble-roll/src/flat", &["fuse", "row"]),
];

/// The path of a module inside its crate.
type Module = Vec<String>;

/// What imports from what beside it.
type Edges = BTreeMap<String, BTreeSet<String>>;

/// No circle but those in the table.
pub(super) fn are_none(tree: &Tree) -> Vec<String> {
    none_except(tree, LEFT)
}

fn none_except(tree: &Tree, left: &[(&str, &[&str])]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut stale = left.to_vec();
    for name in CRATES {
        let root = format!("crates/{name}/src");
        for (folder, edges) in folders(tree, &root) {
            for circle in circles(&edges) {
                let listed = |(at, members): &(&str, &[&str])| *at == folder && circle.iter().eq(members.iter());
                if left.iter().any(listed) {
                    stale.retain(|entry| !listed(entry));
                } else {
                    let told: Vec<String> = circle.iter().map(|one| told(one, &edges, &circle)).collect();
                    breaches.push(format!("{folder}: modules import in a circle: {}", told.join("; ")));
                }
            }
        }
    }
    let gone = |(folder, members): &(&str, &[&str])| {
        format!("{folder}: {} are no circle now; make the table in circles.rs shorter", members.join(", "))
    };
    breaches.extend(stale.iter().map(gone));
    breaches
}

fn told(one: &str, edges: &Edges, circle: &[String]) -> String {
    let to: Vec<&str> = edges[one].iter().filter(|other| circle.contains(other)).map(String::as_str).collect();
    format!("{one} from {}", to.join(" and "))
}

/// Every folder of a crate, with what its files and folders import from each other.
fn folders(tree: &Tree, root: &str) -> BTreeMap<String, Edges> {
    let prefix = format!("{root}/");
    let own = tree.rust().filter(|file| file.path.starts_with(&prefix) && !file.path.ends_with("tests.rs"));
    let files: Vec<(Module, &File)> = own.map(|file| (module(&file.path[prefix.len()..]), file)).collect();
    let modules: BTreeSet<&Module> = files.iter().map(|(module, _)| module).collect();
    let mut all: BTreeMap<String, Edges> = BTreeMap::new();
    for (from, file) in &files {
        for path in paths(&file.text, from) {
            let Some(to) = (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|to| modules.contains(to))
            else {
                continue;
            };
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
                let folder = [&[root.to_owned()], &from[..shared]].concat().join("/");
                all.entry(folder).or_default().entry(a.clone()).or_default().insert(b.clone());
            }
        }
    }
    all
}

fn module(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let path = path.trim_end_matches("/mod");
    path.split('/').filter(|part| *part != "lib").map(str::to_owned).collect()
}

/// All paths from the root of the crate that a file names outside of its tests.
fn paths(text: &str, from: &[String]) -> Vec<Module> {
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for start in ["crate", "super"] {
        for (at, _) in code.match_indices(&format!("{start}::")) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let base = if start == "crate" { vec![] } else { from.split_last().map_or(vec![], |(_, up)| up.to_vec()) };
            branches(&code[at + start.len() + 2..], base, &mut found);
        }
    }
    found
}

/// The paths of one import tree, `a::{b, c::d}`, below a base; what follows the tree.
fn branches<'t>(text: &'t str, mut base: Module, found: &mut Vec<Module>) -> &'t str {
    let mut rest = text.trim_start();
    loop {
        if let Some(inside) = rest.strip_prefix('{') {
            rest = inside.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                let after = branches(rest, base.clone(), found);
                // What is no import, such as a renaming, is passed over.
                let end = after.find([',', '}']).unwrap_or(after.len());
                rest = after[end..].trim_start_matches(',').trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        match &rest[..end] {
            "super" => _ = base.pop(),
            "self" => {}
            name => base.push(name.to_owned()),
        }
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(further) if end > 0 => rest = further,
            _ => {
                found.push(base);
                return rest;
            }
        }
    }
}

/// The sets of modules that can all be reached from each other.
fn circles(edges: &Edges) -> Vec<Vec<String>> {
    let reached = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(next) = open.pop() {
            let more = edges.get(&next).into_iter().flatten();
            open.extend(more.filter(|to| seen.insert((*to).clone())).cloned());
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<String>> = edges.keys().map(|from| (from, reached(from))).collect();
    let mut circles: Vec<Vec<String>> = Vec::new();
    for (from, to) in all.iter().filter(|(from, to)| to.contains(**from)) {
        let back = |other: &&String| all.get(other).is_some_and(|reached| reached.contains(*from));
        let circle: Vec<String> = to.iter().filter(back).cloned().collect();
        if !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "crates/tumble-exact/src";

    fn tree(files: &[(&str, &str)]) -> Tree {
        let named: Vec<(String, &str)> = files.iter().map(|(path, text)| (format!("{ROOT}/{path}"), *text)).collect();
        Tree::made(&named.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>())
    }

    fn check(files: &[(&str, &str)], breaches: &[&str]) {
        let found = none_except(&tree(files), &[]);
        assert_eq!(found.len(), breaches.len(), "{found:?}");
        for (found, breach) in found.iter().zip(breaches) {
            assert!(found.contains(breach), "{found} has no {breach}");
        }
    }

    #[test]
    fn circles_are_found() {
        check(&[("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { crate::a::g() }")], &["a from b; b from a"]);
        check(
            &[("a.rs", "use crate::{c, b::B};"), ("b.rs", "use super::c;"), ("c.rs", "use super::a;")],
            &["c from a"],
        );
        let walk = ("algo/walk/mod.rs", "use crate::plan::{Desk, Goal};");
        check(
            &[("plan.rs", "use crate::algo::{\n    keep, walk,\n};"), walk, ("algo/keep.rs", "")],
            &["algo from plan"],
        );
        check(&[("m/a.rs", "use super::b::{self, B};"), ("m/b.rs", "use crate::m::a as c;")], &["src/m: modules"]);
        check(&[("m/a.rs", "use crate::n;"), ("n/b.rs", "use super::super::m::a;"), ("n/mod.rs", "")], &["m from n"]);
    }

    #[test]
    fn what_is_above_is_shared() {
        check(&[("m/mod.rs", "use a::A;\nmod a;"), ("m/a.rs", "use super::Shared;"), ("lib.rs", "use m::B;")], &[]);
        check(
            &[("a.rs", "use crate::b::B;"), ("b.rs", "// crate::a\n#[cfg(test)]\nmod tests {\n    use crate::a; }")],
            &[],
        );
        check(
            &[("a.rs", "use crate::b::B;"), ("b.rs", "let x = my_crate::a::f();"), ("b_tests.rs", "use crate::a;")],
            &[],
        );
    }

    #[test]
    fn an_exception_that_is_not_needed_is_found() {
        let circle = [("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a;")];
        assert!(none_except(&tree(&circle), &[(ROOT, &["a", "b"])]).is_empty());
        assert_eq!(none_except(&tree(&circle), &[(ROOT, &["a", "b", "c"])]).len(), 2);
        assert_eq!(none_except(&tree(&circle[..1]), &[(ROOT, &["a", "b"])]).len(), 1);
    }
}
