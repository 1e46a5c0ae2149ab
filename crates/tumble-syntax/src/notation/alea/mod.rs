//! Alea (christhekeele): pools of dice with modifiers that act from left to right.
//!
//! ```text
//! text ─▶ parse ─▶ Tree ─▶ lower ─▶ core
//!                   └────▶ spell ─▶ text
//! ```
//!
//! The definition is Alea's own description; most of it was never implemented there. Where it can be read in two
//! ways, the page of the manual says which one holds.

pub mod syntax;

mod parse;

mod lower;

mod spell;
mod write;

use crate::explain::Table;
use crate::mistake::Mistake;
use crate::row::{pieces, rows};
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use tumble_core::{Code, Diagnostic};

pub use parse::parse;
pub use spell::spell;

/// What is said about mistakes, and everything that can be written.
static MISTAKES: Table = Table::new(include_str!("mistakes.txt"), true);
const REFERENCE: &str = include_str!("reference.txt");

/// The row of this notation.
pub(crate) const NOTATION: Notation = Notation {
    name: "alea",
    description: "Alea: pools with advantage, explosions, keep, drop and count",
    examples: &["4d6K3H", "d20+ + 5", "5d10!!KH", "6d6C>=5"],
    reference: &pieces::<{ rows(REFERENCE) }>(REFERENCE),
    spelling: Spelling::PLAIN,
    lower,
    read_as: Reading::none,
    spell: |text| Ok(spell(&parse(text)?)),
    without_comments: str::to_owned,
    write: write::write,
};

/// No name of the text can be given a value from outside, so values and names are of no use here.
fn lower(text: &str, _: &Vars, _: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    parse::attempt(text).and_then(|tree| lower::lower(&tree)).map_err(|mistake| vec![explained(text, &mistake)])
}

/// The mistake with its best correction.
fn explained(text: &str, mistake: &Mistake) -> Diagnostic {
    let prove = |fixed: &str| parse::attempt(fixed).and_then(|tree| lower::lower(&tree)).map(|_| true);
    let said = mistake.explain(text, &prove);
    if said.code == Code::Syntax && said.kind.is_none() { said.kind("parse") } else { said }
}
