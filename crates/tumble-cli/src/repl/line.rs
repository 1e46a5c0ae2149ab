//! What a line is before anybody computes: whole or not, a name given to something, coloured pieces.
//!
//! ```text
//! name "=" text      the name is letters and `_`; a text that begins so is put in parentheses: (x = 5)
//! ```

use std::ops::Range;
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

/// What a piece of a text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Die,
    Operator,
    Name,
    Quoted,
    Comment,
    Plain,
}

/// The pieces of a text, one after the other and without gaps.
pub(super) fn pieces(notation: &Notation, text: &str) -> Vec<(Kind, Range<usize>)> {
    let bare = (notation.without_comments)(text);
    let (mut pieces, mut at): (Vec<(Kind, Range<usize>)>, usize) = (vec![], 0);
    while let Some(first) = text[at..].chars().next() {
        let run = |inside: &dyn Fn(char) -> bool| text[at..].find(|c| !inside(c)).unwrap_or(text.len() - at);
        let (kind, length) = match first {
            _ if bare.as_bytes().get(at) != text.as_bytes().get(at) => {
                (Kind::Comment, text[at..].find('\n').unwrap_or(text.len() - at))
            }
            '"' => (Kind::Quoted, text[at + 1..].find('"').map_or(text.len() - at, |end| end + 2)),
            '0'..='9' => (Kind::Number, run(&|c| c.is_ascii_digit())),
            _ if first.is_alphabetic() || first == '_' => {
                let length = run(&|c| c.is_alphabetic() || c == '_');
                (word(notation, &text[at..at + length]), length)
            }
            _ if first.is_ascii_punctuation() => (Kind::Operator, 1),
            _ => (Kind::Plain, first.len_utf8()),
        };
        match pieces.last_mut() {
            Some((last, range)) if *last == kind => range.end += length,
            _ => pieces.push((kind, at..at + length)),
        }
        at += length;
    }
    pieces
}

fn word(notation: &Notation, word: &str) -> Kind {
    match word {
        "d" | "D" | "z" | "Z" | "dF" | "dp" => Kind::Die,
        _ if words(notation).any(|known| known.eq_ignore_ascii_case(word)) => Kind::Operator,
        _ => Kind::Name,
    }
}

/// The words of a notation: those of its reference that are no placeholders.
pub(super) fn words(notation: &Notation) -> impl Iterator<Item = &'static str> {
    let pieces = notation.reference.iter();
    pieces.flat_map(|piece| piece.spelling.split(|c: char| !c.is_alphabetic())).filter_map(|word| {
        let word = word.trim_end_matches(|c: char| c.is_uppercase());
        (word.len() > 1 && !matches!(word, "name" | "text")).then_some(word)
    })
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

    #[test]
    fn pieces_cover_the_text() {
        let kinds = |name: &str, text: &str| {
            let pieces = pieces(notation(name).unwrap(), text);
            let whole: String = pieces.iter().map(|(_, range)| &text[range.clone()]).collect();
            assert_eq!(whole, text);
            pieces.iter().map(|(kind, _)| *kind).collect::<Vec<_>>()
        };
        use Kind::*;
        assert_eq!(kinds("tabletop", "4d6kh3"), [Number, Die, Number, Operator, Number]);
        assert_eq!(kinds("tabletop", "é # 骰"), [Name, Plain, Comment]);
        assert_eq!(kinds("troll", "sum x \"é"), [Operator, Plain, Name, Plain, Quoted]);
        assert_eq!(kinds("troll", ""), []);
    }
}
