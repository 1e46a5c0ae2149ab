//! What a line is before anybody computes: whole or not, and whether it gives a name to something.
//!
//! ```text
//! name "=" text      the name is letters and `_`; a text that begins so is put in parentheses: (x = 5)
//! ```

use tumble::Notation;

/// Lines that become whole texts.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pending: String,
}

impl Joined {
    /// Adds a line and gives the texts that are whole now.
    pub(super) fn push(&mut self, notation: &Notation, line: &str) -> Vec<String> {
        let mut whole = if line.trim().is_empty() || line.starts_with(':') { self.rest() } else { vec![] };
        self.pending.push_str(line);
        if !is_open(notation, &self.pending) {
            whole.extend(self.rest());
        }
        whole
    }

    /// Whether a text has begun and is not whole.
    pub(super) fn is_open(&self) -> bool {
        !self.pending.is_empty()
    }

    /// What is left at the end.
    pub(super) fn rest(&mut self) -> Vec<String> {
        let text = std::mem::take(&mut self.pending);
        if text.trim().is_empty() { vec![] } else { vec![text] }
    }
}

/// Whether brackets are still open. A command is always whole.
pub(super) fn is_open(notation: &Notation, text: &str) -> bool {
    if text.trim_start().starts_with(':') || text.ends_with("\n\n") {
        return false;
    }
    let (mut open, mut quoted) = (0i64, false);
    for c in (notation.without_comments)(text).chars() {
        quoted ^= c == '"';
        match c {
            '(' | '[' | '{' if !quoted => open += 1,
            ')' | ']' | '}' if !quoted => open -= 1,
            _ => {}
        }
    }
    open > 0
}

/// A name and what it is to stand for: `x = 4d6kh3`.
pub(super) fn binding(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || c == '_');
    let (rest, compares) = (rest.trim(), rest.starts_with(['=', '/']));
    (is_name && !compares && !rest.is_empty()).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::notation;

    fn joined(name: &str, lines: &[&str]) -> Vec<String> {
        let (mut joined, notation) = (Joined::default(), notation(name).unwrap());
        let mut texts: Vec<String> = lines.iter().flat_map(|line| joined.push(notation, line)).collect();
        texts.extend(joined.rest());
        texts
    }

    #[test]
    fn open_brackets_continue() {
        assert_eq!(joined("tabletop", &["d6\n", "(2\n", "+ 3)\n", "d8\n"]), ["d6\n", "(2\n+ 3)\n", "d8\n"]);
        assert_eq!(joined("tabletop", &["(2d6\n", "\n", "d8\n"]), ["(2d6\n", "d8\n"]);
        assert_eq!(joined("tabletop", &["(2d6\n", ":vars\n"]), ["(2d6\n", ":vars\n"]);
        assert_eq!(joined("tabletop", &["d6 # (\n", "{d6,\n"]), ["d6 # (\n", "{d6,\n"]);
        assert_eq!(joined("troll", &["\"(\"\n", "d6 \\ (\n", "2)\n"]), ["\"(\"\n", "d6 \\ (\n", "2)\n"]);
    }

    #[test]
    fn names_are_given() {
        for (text, bound) in [
            ("x = 4d6kh3", Some(("x", "4d6kh3"))),
            ("str=3", Some(("str", "3"))),
            ("(x = 3)", None),
            ("d6 = 6", None),
            ("x == 3", None),
            ("x =/= 3d6", None),
            ("x := 3; x", None),
            ("x =", None),
            ("= 3", None),
        ] {
            assert_eq!(binding(text), bound, "{text}");
        }
    }
}
