//! Everything that can be written, piece by piece: the rows of `reference.txt`, read when Tumble is built.

use crate::row::{Piece, piece};

/// How many rows there are.
const ROWS: usize = 80;

pub(super) const PIECES: &[Piece] = &{
    let mut pieces = [const { piece("", "", "", "") }; ROWS];
    let (_, mut rest) = cut(include_str!("reference.txt"), "\n\n");
    let (mut group, mut row) = ("", 0);
    while !rest.is_empty() {
        let (line, after) = cut(rest, "\n");
        rest = after;
        let (spelling, more) = cut(line, " → ");
        if more.is_empty() {
            group = if line.is_empty() { group } else { line };
        } else {
            let (meaning, example) = cut(more, " → ");
            pieces[row] = piece(group, spelling, meaning, example);
            row += 1;
        }
    }
    assert!(row == ROWS, "as many rows as there are in the table");
    pieces
};

/// What is before a sign, and what is after it.
const fn cut(text: &'static str, sign: &str) -> (&'static str, &'static str) {
    let (bytes, sign, mut at) = (text.as_bytes(), sign.as_bytes(), 0);
    while at + sign.len() <= bytes.len() {
        let mut same = 0;
        while same < sign.len() && bytes[at + same] == sign[same] {
            same += 1;
        }
        if same == sign.len() {
            let (before, rest) = text.split_at(at);
            return (before, rest.split_at(same).1);
        }
        at += 1;
    }
    (text, "")
}
