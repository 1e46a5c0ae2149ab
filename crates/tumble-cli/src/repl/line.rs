//! What a line is before anybody computes: whole or not, and whether it gives a name to something.
//!
//! ```text
//! name ":=" roll                           rolled once; the name is its number from then on
//! name "(" [ name { "," name } ] ")" ":=" roll    a saved roll, rolled anew at each use
//! ```
//!
//! A name is letters and `_`. `x := 3d6; x + 2` is neither: there the notation itself gives a name.

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
    if text.trim_start().starts_with(':') {
        return false;
    }
    let marks = marks(notation, text);
    let opened = marks.iter().filter(|(_, c)| matches!(c, '(' | '[' | '{')).count();
    opened > marks.iter().filter(|(_, c)| matches!(c, ')' | ']' | '}')).count()
}

/// The same for a text that somebody is typing: Enter on an empty line ends it anyway.
#[cfg(any(feature = "editor", test))]
pub(super) fn goes_on(notation: &Notation, typed: &str) -> bool {
    let (before, last) = typed.rsplit_once('\n').unwrap_or(("", typed));
    is_open(notation, typed) && (before.is_empty() || !last.trim().is_empty())
}

/// The characters of a text with their places, without comments and what is in quotes.
pub(super) fn marks(notation: &Notation, text: &str) -> Vec<(usize, char)> {
    let mut quoted = false;
    let bare = (notation.without_comments)(text);
    let outside = bare.char_indices().filter(|(_, c)| {
        quoted ^= *c == '"';
        !quoted && *c != '"'
    });
    outside.collect()
}

/// The words of a text, without comments, labels and what is in quotes; a word after `@` is a value from outside.
pub(super) fn words(notation: &Notation, text: &str) -> Vec<Range<usize>> {
    let marks = marks(notation, text);
    let (mut words, mut at): (Vec<Range<usize>>, usize) = (vec![], 0);
    while let Some(&(start, c)) = marks.get(at) {
        let run = |inside: fn(char) -> bool| marks[at + 1..].iter().take_while(|(_, c)| inside(*c)).count();
        let mut length = 1;
        match c {
            // A label is a bracket with nothing but words in it.
            '[' => {
                let words = run(|c| is_letter(c) || c == ' ');
                if marks.get(at + 1 + words).is_some_and(|(_, c)| *c == ']') {
                    length += words;
                }
            }
            '@' => length += run(|c| is_letter(c) || matches!(c, '.' | '{' | '}')),
            c if is_letter(c) => {
                length += run(is_letter);
                let (last, c) = marks[at + length - 1];
                words.push(start..last + c.len_utf8());
            }
            _ => {}
        }
        at += length;
    }
    words
}

/// Whether a character may be in a name.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a word is a name.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_letter)
}

/// What a line gives a name to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Naming<'t> {
    /// `x := 3d6`
    Value { name: &'t str, text: &'t str },
    /// `fireball(level) := (level + 5)d6`
    Roll { name: &'t str, params: Vec<&'t str>, body: &'t str },
}

/// The name that a line gives, if it gives one.
pub(super) fn naming<'t>(notation: &Notation, text: &'t str) -> Option<Naming<'t>> {
    let marks = marks(notation, text);
    let at = marks.windows(2).find(|pair| pair[0].1 == ':' && pair[1].1 == '=')?[0].0;
    let (name, rest) = (text[..at].trim(), text[at + 2..].trim());
    if rest.is_empty() {
        return None;
    }
    if is_name(name) {
        let mut depth = 0i64;
        let goes_on = marks.iter().filter(|(place, _)| *place > at).any(|(_, c)| {
            depth += i64::from(matches!(c, '(' | '[' | '{')) - i64::from(matches!(c, ')' | ']' | '}'));
            *c == ';' && depth == 0
        });
        return (!goes_on).then_some(Naming::Value { name, text: rest });
    }
    let (name, params) = name.strip_suffix(')')?.split_once('(')?;
    let params: Vec<&str> = match params.trim() {
        "" => vec![],
        params => params.split(',').map(str::trim).collect(),
    };
    let name = name.trim_end();
    let fine = is_name(name) && params.iter().all(|param| is_name(param));
    fine.then_some(Naming::Roll { name, params, body: rest })
}

/// What is wrong with the name that a line gives, and the line that was meant.
pub(super) fn misnamed(notation: &Notation, text: &str) -> Option<(String, Option<String>)> {
    const NAME: &str = "a name has only letters and `_`";
    let at = marks(notation, text).windows(2).find(|pair| pair[0].1 == ':' && pair[1].1 == '=')?[0].0;
    let (name, rest) = (text[..at].trim(), text[at + 2..].trim());
    if is_name(name) || rest.is_empty() {
        return None;
    }
    if let Some((head, params)) = name.strip_suffix(')').and_then(|head| head.split_once('(')) {
        let apart = |c: char| c == ',' || c.is_whitespace();
        let params: Vec<&str> = params.split(apart).filter(|param| !param.is_empty()).collect();
        return match params.iter().chain([&head.trim()]).find(|word| !is_name(word)) {
            Some(word) => Some((format!("`{word}` can't be a name: {NAME}"), None)),
            None => {
                let meant = format!("`{}({}) := {rest}`", head.trim(), params.join(", "));
                Some(("separate parameters with commas".to_owned(), Some(meant)))
            }
        };
    }
    let bare = name.trim_start_matches('@');
    let like_a_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\'' | ' ');
    if !bare.starts_with(is_letter) || !bare.chars().all(like_a_name) {
        return None;
    }
    let meant = bare.replace(['-', '.', '\'', ' '], "_");
    let meant = is_name(&meant).then(|| format!("`{meant} := {rest}`"));
    Some((format!("`{name}` can't be a name: {NAME}"), meant))
}

/// A line that compares a name, and may be meant to give it: `x = 3`.
pub(super) fn compared(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let (name, value) = (name.trim(), rest.trim());
    (is_name(name) && !rest.starts_with(['=', '/']) && !value.is_empty()).then_some((name, value))
}

/// The words of a notation: those of its reference that are no placeholders.
pub(super) fn known_words(notation: &Notation) -> impl Iterator<Item = &'static str> {
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
    fn an_empty_line_ends_what_is_typed() {
        let tabletop = notation("tabletop").unwrap();
        for (typed, open) in [
            ("d6", false),
            ("(2d6", true),
            ("(2d6\n", false),
            ("(2d6\n+ 3", true),
            ("(2d6\n+ 3\n  ", false),
            ("(2d6\n+ 3)", false),
            (":odds (2d6", false),
        ] {
            assert_eq!(goes_on(tabletop, typed), open, "{typed:?}");
        }
    }

    #[test]
    fn names_are_given() {
        let tabletop = notation("tabletop").unwrap();
        for (line, found) in [
            ("x := 4d6kh3", Some(("x", None, "4d6kh3"))),
            ("str:=3", Some(("str", None, "3"))),
            ("x := (y := d6; y + y)", Some(("x", None, "(y := d6; y + y)"))),
            ("x := 3; x", None),
            ("x := ", None),
            ("d6 := 3", None),
            ("(x := 3; x)", None),
            ("d6 # x := 3", None),
            ("fireball(level) := (level + 5)d6", Some(("fireball", Some("level"), "(level + 5)d6"))),
            ("attack () := d20 + 7", Some(("attack", Some(""), "d20 + 7"))),
            ("f(a, b) := x := a; x + b", Some(("f", Some("a b"), "x := a; x + b"))),
            ("f(3) := d6", None),
            ("f(a,) := d6", None),
        ] {
            let naming = naming(tabletop, line).map(|naming| match naming {
                Naming::Value { name, text } => (name, None, text),
                Naming::Roll { name, params, body } => (name, Some(params.join(" ")), body),
            });
            let found = found.map(|(name, params, body)| (name, params.map(str::to_owned), body));
            assert_eq!(naming, found, "{line}");
        }
    }

    #[test]
    fn names_that_cannot_be_given_are_explained() {
        for (line, message, meant) in [
            ("h(a b) := a", "commas", Some("`h(a, b) := a`")),
            ("h(a,) := a", "commas", Some("`h(a) := a`")),
            ("h(3) := a", "`3` can't", None),
            ("@str := 3", "`@str` can't", Some("`str := 3`")),
            ("str-mod := d6", "`str-mod` can't", Some("`str_mod := d6`")),
            ("h2 := 3", "`h2` can't", None),
        ] {
            let found = misnamed(tumble::everyday(), line).unwrap();
            assert!(found.0.contains(message) && found.1.as_deref() == meant, "{line}: {found:?}");
        }
        for line in ["x := 3; x", "2d6 + x := 3", "d6 # a-b := 3", "x := "] {
            assert_eq!(misnamed(tumble::everyday(), line), None, "{line}");
        }
    }

    #[test]
    fn comparisons_are_told_from_names() {
        for (text, name) in [
            ("x = 3", Some("x")),
            ("str=3", Some("str")),
            ("(x = 3)", None),
            ("d6 = 6", None),
            ("x == 3", None),
            ("x =/= 3d6", None),
            ("x := 3", None),
            ("x =", None),
        ] {
            assert_eq!(compared(text).map(|(name, _)| name), name, "{text}");
        }
    }

    #[test]
    fn words_stand_outside_of_labels_quotes_and_comments() {
        let found = |name: &str, text: &str| -> Vec<String> {
            words(notation(name).unwrap(), text).into_iter().map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(found("tabletop", "f(x)d6[fire x] + [X: d6] @x.y + é # x"), ["f", "x", "d", "X", "d", "é"]);
        assert_eq!(found("troll", "x + \"x\" \\ x"), ["x"]);
    }
}
