//! nice-dice: dice expressions as they are written for D&D, with comparisons and bindings.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ Tree ─▶ lower ─▶ core
//!                           └───▶ spell ─▶ text
//! ```
//!
//! The definition is the notation guide of nice-dice, not its program: where the two differ, the guide
//! is right. A blank may stand between any two words.

pub mod syntax;

mod operator;

mod lex;
mod parse;

mod lower;

mod spell;
mod write;

use crate::explain::Table;
use crate::mistake::Mistake;
use crate::row::{pieces, rows};
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use lower::Known;
use tumble_core::{Code, Diagnostic};

pub use parse::parse;
pub use spell::spell;

/// What is said about mistakes, and everything that can be written.
static MISTAKES: Table = Table::new(include_str!("mistakes.txt"), true);
const REFERENCE: &str = include_str!("reference.txt");

/// The row of this notation.
pub(crate) const NOTATION: Notation = Notation {
    name: "nice",
    description: "nice-dice: totals of dice, with comparisons, repetition and bindings",
    examples: &["4d6kh3", "(d20 + 5 >= 15) * (d8 + 3)", "[ATK: 2d20kh] (ATK > 1) * (ATK + 4 >= 12) * (d4 + 1)"],
    reference: &pieces::<{ rows(REFERENCE) }>(REFERENCE),
    spelling: Spelling::PLAIN,
    lower,
    read_as: Reading::none,
    spell: |text| Ok(spell(&parse(text)?)),
    without_comments: str::to_owned,
    write: write::write,
};

fn lower(text: &str, vars: &Vars, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    let known = Known { vars, names };
    parse::attempt(text)
        .and_then(|tree| lower::lower(&tree, text, known))
        .map_err(|mistake| vec![explained(text, known, &mistake)])
}

/// The mistake with its best correction.
fn explained(text: &str, known: Known<'_>, mistake: &Mistake) -> Diagnostic {
    let said = mistake.explain(text, &|fixed| lower::prove(fixed, known));
    if said.code == Code::Syntax && said.kind.is_none() { said.kind("parse") } else { said }
}
