//! Troll (Mogensen, 2009): a calculus of collections of numbers.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ Tree ─▶ lower ─▶ core
//!                           └───▶ spell ─▶ text
//! ```
//!
//! The definition is Troll's sampling semantics. Where the original computes probabilities that
//! disagree with its own rolls, the rolls are right.

pub mod syntax;

mod operator;

mod lex;
mod parse;

mod kind;
mod lower;

mod complain;
mod spell;
mod write;

use crate::explain::Table;
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use tumble_core::Diagnostic;

pub use parse::parse;
pub use spell::spell;

/// What is said about mistakes.
static MISTAKES: Table = Table::new(include_str!("mistakes.txt"), true);

/// The row of this notation.
pub(crate) const NOTATION: Notation = Notation {
    name: "troll",
    description: "Troll: collections of numbers, with loops, functions and text",
    examples: &["sum largest 3 4d6", "count 7 < 5#accumulate x := d10 while x = 10", "x := 2d6; (max x) - (min x)"],
    reference: operator::PIECES,
    spelling: Spelling { lone: true, ..Spelling::PLAIN },
    lower,
    read_as: Reading::none,
    spell: |text| Ok(spell(&parse(text)?)),
    without_comments,
    write: write::write,
};

fn lower(text: &str, vars: &Vars, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    lower::lower(&parse(text)?, text, vars, names)
}

/// A backslash outside a quoted text begins a comment that ends with its line.
fn without_comments(text: &str) -> String {
    let (mut out, mut quoted, mut comment) = (String::with_capacity(text.len()), false, false);
    for c in text.chars() {
        quoted ^= c == '"' && !comment;
        comment = (comment || (c == '\\' && !quoted)) && c != '\n';
        if comment { out.extend(std::iter::repeat_n(' ', c.len_utf8())) } else { out.push(c) }
    }
    out
}
