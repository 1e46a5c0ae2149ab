//! The string literals of a Rust file: what a person may get to read.

/// A string literal and the line it begins in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal<'t> {
    pub(super) line: usize,
    pub(super) text: &'t str,
}

/// The string literals of a Rust file, as they are written; comments are skipped.
pub(super) fn literals(text: &str) -> Vec<Literal<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let hashes = rest.strip_prefix('r').map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        let raw = rest.strip_prefix('r').is_some_and(|raw| raw[hashes..].starts_with('"'));
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' || (raw && !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')) {
            let open = if raw { hashes + 2 } else { 1 };
            let inside = &rest[open..];
            let end = if raw { inside.find(&format!("\"{}", "#".repeat(hashes))) } else { closing(inside) };
            let end = end.unwrap_or(inside.len());
            found.push(Literal { line: text[..at].matches('\n').count() + 1, text: &inside[..end] });
            (open + end + 1 + if raw { hashes } else { 0 }).min(rest.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\'") {
            3
        } else if rest.starts_with("'\\\"'") {
            4
        } else {
            c.len_utf8()
        };
    }
    found
}

/// Where a plain string ends.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        end.then_some(at)
    })
}
