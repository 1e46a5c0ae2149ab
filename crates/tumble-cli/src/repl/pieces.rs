//! The pieces of a line, each with its kind, for the colours of an editor.

use super::line::known_words;
use std::ops::Range;
use tumble::Notation;

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
        _ if known_words(notation).any(|known| known.eq_ignore_ascii_case(word)) => Kind::Operator,
        _ => Kind::Name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::notation;

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
