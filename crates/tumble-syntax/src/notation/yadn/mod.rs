//! YADN, "Yet Another Dice Notation": pools in the order they fell, maps from numbers to words, choices.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ Tree ─▶ lower ─▶ core
//!                           └───▶ spell ─▶ text
//! ```
//!
//! The definition is the YADN text that comes with the Python package `yadr`, with its contradictions settled: where
//! text and grammar differ the text counts, where an example and its definition differ the definition does.

pub mod syntax;

mod operator;

mod lex;
mod parse;

mod lower;
mod maps;
mod sort;

mod spell;
mod write;

use crate::explain::Table;
use crate::mistake::{Mistake, Parsed};
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use tumble_core::Diagnostic;

pub use spell::spell;

/// What is said about mistakes.
static MISTAKES: Table = Table::new(include_str!("mistakes.txt"), true);

/// The row of this notation.
pub(crate) const NOTATION: Notation = Notation {
    name: "yadn",
    description: "YADN: ordered pools, maps from numbers to words, choices",
    examples: &["S 4dp6 ph 3", "5dp10 nb 7", "1d20 == 20 ? \"critical hit\" : \"normal\"", "4dp3 m \"fate\""],
    reference: operator::PIECES,
    spelling: Spelling { lone: false, truths: ["F", "T"], quoted: true, none: "No result." },
    lower,
    read_as: Reading::none,
    spell: |text| Ok(spell(&parse(text)?)),
    without_comments: str::to_owned,
    write: write::write,
};

/// Parses an expression; any input gives a tree or one diagnostic, and never a panic.
pub fn parse(text: &str) -> Result<syntax::Tree, Vec<Diagnostic>> {
    parse::attempt(text).map_err(|mistake| explained(text, &mistake))
}

/// There are no names for values from outside, except in maps.
fn lower(text: &str, _: &Vars, _: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    lowered(text).map_err(|mistake| explained(text, &mistake))
}

/// The terms of a text; the mistake is not explained yet.
fn lowered(text: &str) -> Parsed<Lowered> {
    lower::lower(&parse::attempt(text)?, text)
}

fn explained(text: &str, mistake: &Mistake) -> Vec<Diagnostic> {
    vec![mistake.explain(text, &|fixed| lowered(fixed).map(|_| true))]
}
