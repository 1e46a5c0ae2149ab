//! No `match` on a form has a wildcard arm, so that a new form is a list of compiler errors.
//!
//! ```text
//! match term { Term::Lit(_) => …, _ => … }                        a breach, and so with a name in place of `_`
//! match form { Form::Core(Term::Lit(_)) => …, Form::Core(_) => … }  a breach: the wildcard stands where a form does
//! if let Term::A … else if let Term::B …                          a breach: a `match` in disguise
//! match term { _ if rare => …, Term::Lit(_) => … }                fine: what is guarded does not make it exhaustive
//! if let Term::Lit(value) = …     matches!(…)     let … else      fine: these look for one form
//! ```
//!
//! A scanner for formatted code, not a parser: it finds arms by brackets.

use super::tree::Tree;

/// The enums whose variants are forms.
const ENUMS: &[&str] = &["Term", "Form"];

/// Files that still have such arms. They belong to a part of the exact engine that is being replaced; the table only
/// ever becomes shorter.
const LEFT: &[&str] = &[
    "crates/tumble-exact/src/machine/forms.rs",
    "crates/tumble-exact/src/machine/stream.rs",
    "crates/tumble-exact/src/machine/walk.rs",
    "crates/tumble-exact/src/prepare/ahead.rs",
    "crates/tumble-exact/src/prepare/facts.rs",
    "crates/tumble-exact/src/prepare/looks.rs",
    "crates/tumble-exact/src/prepare/mod.rs",
    "crates/tumble-exact/src/prepare/patterns.rs",
    "crates/tumble-exact/src/prepare/watch.rs",
];

/// No match on a form is left open.
pub(super) fn are_all_named(tree: &Tree) -> Vec<String> {
    named_except(tree, LEFT)
}

fn named_except(tree: &Tree, left: &[&str]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut unused: Vec<&str> = left.to_vec();
    for file in tree.rust().filter(|file| !file.path.starts_with("xtask/")) {
        let found = open_matches(&file.text);
        if left.contains(&file.path.as_str()) {
            unused.retain(|path| *path != file.path || found.is_empty());
            continue;
        }
        breaches.extend(found.iter().map(|(line, what)| format!("{}:{line}: {what}", file.path)));
    }
    breaches.extend(unused.iter().map(|path| format!("{path}: names all forms now; take it out of the table")));
    breaches
}

/// The lines of a file where a form is not named, and why that is a breach.
fn open_matches(text: &str) -> Vec<(usize, &'static str)> {
    let code = code_alone(text);
    let line = |at: usize| code[..at].matches('\n').count() + 1;
    let mut found = Vec::new();
    for at in words(&code, "match") {
        if body(&code, at).is_some_and(|(start, end)| is_open(&arms(&code[start..end]))) {
            found.push((line(at), "every arm must name its forms, but one is a wildcard"));
        }
    }
    for at in words(&code, "else").filter(|at| goes_on_looking(&code, *at)) {
        found.push((line(at), "`else if let` on another form is a `match` in disguise"));
    }
    found.sort_unstable();
    found
}

/// The file with blanks for its comments, strings and characters, every byte in its place.
fn code_alone(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' {
            1 + quoted(&rest[1..])
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            raw(rest)
        } else if c == '\'' {
            character(rest)
        } else {
            0
        };
        let (gone, kept) = rest.split_at(length.max(c.len_utf8()));
        match length {
            0 => out.push_str(gone),
            _ => gone.bytes().for_each(|byte| out.push(if byte == b'\n' { '\n' } else { ' ' })),
        }
        rest = kept;
    }
    out
}

/// The length of the rest of a string, with the quote that closes it.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of a raw string; 0 if it is none.
fn raw(text: &str) -> usize {
    let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let (open, close) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
    text[open..].find(&close).map_or(text.len(), |end| open + end + close.len())
}

/// The length of a character; 0 for a lifetime.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(0, |end| end + 4),
        Some(_) => letters.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}

/// Where a word stands by itself.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '!';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| !code[..*at].ends_with(part) && !code[at + word.len()..].starts_with(part))
}

/// The inside of the braces of a `match`.
fn body(code: &str, at: usize) -> Option<(usize, usize)> {
    let open = at + until(&code[at..], |rest| rest.starts_with('{'))?;
    Some((open + 1, open + 1 + until(&code[open + 1..], |rest| rest.starts_with('}'))?))
}

/// The first place outside of brackets where this holds.
fn until(code: &str, holds: impl Fn(&str) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        if depth == 0 && holds(&code[at..]) {
            return Some(at);
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// An arm: its pattern in one line, and whether it has a guard.
struct Arm {
    pattern: String,
    guarded: bool,
}

fn arms(body: &str) -> Vec<Arm> {
    let (mut arms, mut rest) = (Vec::new(), body);
    while let Some(arrow) = until(rest, |rest| rest.starts_with("=>")) {
        let head = rest[..arrow].trim_start_matches([',', ' ', '\n']);
        let guard = until(head, |rest| rest.starts_with(" if ") || rest.starts_with("\n") && is_guard(rest));
        let pattern = head[..guard.unwrap_or(head.len())].split_whitespace().collect::<Vec<_>>().join(" ");
        arms.push(Arm { pattern, guarded: guard.is_some() });
        let value = rest[arrow + 2..].trim_start();
        rest = match value
            .strip_prefix('{')
            .and_then(|inside| Some(&inside[until(inside, |r| r.starts_with('}'))? + 1..]))
        {
            Some(after) => after,
            None => until(value, |rest| rest.starts_with(',')).map_or("", |comma| &value[comma..]),
        };
    }
    arms
}

fn is_guard(rest: &str) -> bool {
    rest.trim_start().starts_with("if ")
}

/// Whether one of the arms of a match on a form names none.
fn is_open(arms: &[Arm]) -> bool {
    let all: Vec<(&str, bool)> =
        arms.iter().flat_map(|arm| alternatives(&arm.pattern).into_iter().map(|one| (one, arm.guarded))).collect();
    let before: Vec<&str> = all.iter().flat_map(|(one, _)| before_forms(one)).collect();
    let hides = |one: &str| before.iter().any(|start| one.strip_prefix(start).is_some_and(is_wild));
    all.iter().any(|(one, guarded)| !guarded && hides(one))
}

/// `a | b`, each without a name before `@`.
fn alternatives(pattern: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), pattern);
    while let Some(bar) = until(rest, |rest| rest.starts_with('|')) {
        found.push(&rest[..bar]);
        rest = &rest[bar + 1..];
    }
    found.push(rest);
    let bare = |one: &'_ str| one.find(" @ ").map_or(0, |at| at + 3);
    found.into_iter().map(str::trim).map(|one| &one[bare(one)..]).collect()
}

/// The beginnings of a pattern after which a form, or something with a form in it, is named.
fn before_forms(pattern: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for name in ENUMS {
        for at in words(pattern, name).filter(|at| pattern[at + name.len()..].starts_with("::")) {
            found.extend([0, at].into_iter().chain(unclosed(&pattern[..at])).map(|end| &pattern[..end]));
        }
    }
    found
}

/// The places after brackets that are still open.
fn unclosed(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at + 1),
            ')' => _ = open.pop(),
            _ => {}
        }
    }
    open
}

/// Whether a pattern begins with `_` or a name for whatever is there.
fn is_wild(pattern: &str) -> bool {
    let word = pattern.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let rest = pattern[word.len()..].trim_start();
    let name = word.starts_with(|c: char| c == '_' || c.is_lowercase()) && word != "true" && word != "false";
    name && !rest.starts_with("::") && !rest.starts_with('@') && !rest.starts_with('(')
}

/// Whether an `else` asks for another form after an `if let` that asked for one.
fn goes_on_looking(code: &str, at: usize) -> bool {
    let names = |head: &str| !before_forms(head).is_empty();
    let after = code[at + 4..].trim_start();
    let Some(pattern) = after.strip_prefix("if let ").and_then(|rest| rest.split('=').next()) else { return false };
    let before = code[..at].trim_end();
    let mut depth = 0usize;
    let open = before.char_indices().rev().find(|(_, c)| {
        depth = depth.saturating_add(usize::from(*c == '}')).saturating_sub(usize::from(*c == '{'));
        depth == 0
    });
    let head = open.map_or("", |(open, _)| &before[..open]);
    let head = head.rfind("if let ").map_or("", |start| &head[start..]);
    names(pattern) && !head.contains('{') && names(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: &[&str] = &[
        "match term { Term::Lit(_) => 1, Term::Var(_) => 2 }",
        "match term { Term::Lit(_) => { match n { 1 => a, _ => b } } Term::Var(_) => 2 }",
        "match term { _ if early => 1, Term::Lit(n) if n => 1, Term::Lit(_) | Term::Var(_) => 2 }",
        "match term { term @ (Term::Lit(_) | Term::Var(_)) => term }",
        "match form { Form::Core(term) => match term { Term::Lit(_) => 1 }, Form::Watch(_) => 2 }",
        "match n { 0 => Term::Lit(n), _ => Term::Var(n) }",
        "match c { '{' => Term::Lit(0), _ => \"_ => Term::Var\" } // Term::Lit => 1, _ => 2",
        "if let Term::Lit(n) = term { n } else { 0 }",
        "let Term::Lit(n) = term else { return };",
        "matches!(term, Term::Lit(_))",
        "match MyTerm::new() { MyTerm::Lit => 1, _ => 2 }",
        "if a { 1 } else if let Term::Lit(n) = term { n } else { 0 }",
    ];

    const BREACHES: &[&str] = &[
        "match term { Term::Lit(_) => 1, _ => 2 }",
        "match term { Term::Lit(_) => 1, other => 2 }",
        "match self.term(|c| { c }) { Term::Lit(n) if n => { 1 } Term::Lit(_) | _ => 2 }",
        "match x { Some(Term::Lit(_)) => 1, Some(_) => 2, None => 3 }",
        "match x { (Note::Plain, Term::Draw { faces }) => 1, _ => 2 }",
        "match x { (Term::Lit(_), 1) => 1, (_, 2) => 2, (Term::Var(_), _) => 3 }",
        "match form { Form::Core(Term::Lit(_)) => 1, Form::Core(_) | Form::Watch(_) => 2 }",
        "match form { Form::Core(Term::Lit(_)) => 1, form => 2 }",
        "if let Term::Lit(n) = term { { n } } else if let Term::Var(n) = term { n } else { 0 }",
    ];

    fn made(code: &str) -> Tree {
        Tree::made(&[("crates/a/src/lib.rs", &format!("//! a\nfn f() {{ {code} }}\n"))])
    }

    #[test]
    fn a_match_that_names_every_form_is_fine() {
        for code in FINE {
            assert_eq!(named_except(&made(code), &[]), [""; 0], "{code}");
        }
    }

    #[test]
    fn a_wildcard_arm_is_found() {
        for code in BREACHES {
            let found = named_except(&made(code), &[]);
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].starts_with("crates/a/src/lib.rs:2: "), "{found:?}");
            assert!(named_except(&made(code), &["crates/a/src/lib.rs"]).is_empty(), "{code}");
        }
    }

    #[test]
    fn an_exception_that_is_not_needed_is_found() {
        assert_eq!(named_except(&made(FINE[0]), &["crates/a/src/lib.rs"]).len(), 1);
    }
}
