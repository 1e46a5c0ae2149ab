//! The everyday notation: what people type into chat for dice bots and virtual tables.
//!
//! ```text
//! text ─▶ parse ─▶ Tree ─▶ lower ─▶ core
//!                    └───▶ spell ─▶ text
//! ```
//!
//! A dice term is a pool; its modifiers apply from left to right to the dice that are there then; its
//! value is their sum, or a count. Everything else is arithmetic on whole numbers.

pub mod syntax;

pub mod tools;

mod dialect;
mod dice;
mod dicemaiden;
mod differences;
mod operand;
mod ordered;
mod parse;
mod picked;
mod tool;

mod lower;

mod complain;
mod elsewhere;
mod listed;
mod names;
mod notes;
mod quibble;
mod wording;

mod spell;
mod write;

use crate::explain::Table;
use crate::mistake::Parsed;
use crate::row::{if_full, pieces, rows, unwritten};
use crate::{Lowered, Notation, Reading, Spelling, Vars};
use dialect::TABLETOP;
use tumble_core::{Diagnostic, Span};

pub use differences::{Difference, differences};
pub use parse::parse;
pub use spell::spell;

/// What is said about mistakes, and everything that can be written.
pub(crate) static MISTAKES: Table = Table::new(include_str!("mistakes.txt"), false);
const REFERENCE: &str = include_str!("reference.txt");

/// The row of this notation.
pub(crate) const NOTATION: Notation = Notation {
    name: "tabletop",
    description: "the everyday notation of dice bots and virtual tabletops",
    examples: &["4d6kh3", "1d20 adv + 5", "(d20 + 7 >= 15) * (2d6 + 4)", "{d8!, d6!}kh1", "7d10!cs>=8,10:2"],
    reference: if_full(&pieces::<{ rows(REFERENCE) }>(REFERENCE), &[]),
    spelling: Spelling::PLAIN,
    lower,
    read_as,
    spell: if_full(respell, |text| Err(vec![unwritten(Span::new(0, text.len()))])),
    without_comments,
    write: if_full(write::write, |_, _| Err(unwritten(Span::default()))),
};

fn lower(text: &str, vars: &Vars, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    let prove = |fixed: &str| attempt(fixed, vars, names).map(|_| true);
    attempt(text, vars, names).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

/// What a text can only mean, though it is not spelled like that.
fn read_as(text: &str, vars: &Vars) -> Option<Reading> {
    let prove = |fixed: &str| attempt(fixed, vars, &[]).map(|_| true);
    let (text, note) = attempt(text, vars, &[]).err()?.reading(text, &prove)?;
    Some(Reading { text: text.trim().to_owned(), note })
}

/// The dice that count of a single dice term with its modifiers, as a collection in the order in which they fall.
pub(crate) fn members(text: &str, vars: &Vars, names: &[&str]) -> Result<Lowered, Vec<Diagnostic>> {
    let prove = |fixed: &str| dice_of(fixed, vars, names).map(|_| true);
    dice_of(text, vars, names).map_err(|mistake| vec![mistake.explain(text, &prove)])
}

fn dice_of(text: &str, vars: &Vars, names: &[&str]) -> Parsed<Lowered> {
    lower::members(&parse::attempt(&TABLETOP, text)?, text, vars, names)
}

fn attempt(text: &str, vars: &Vars, names: &[&str]) -> Parsed<Lowered> {
    as_written(text, vars, names).map_err(|mistake| elsewhere::explained(mistake, text))
}

fn as_written(text: &str, vars: &Vars, names: &[&str]) -> Parsed<Lowered> {
    let tree = parse::attempt(&TABLETOP, text)?;
    let mut lowered = lower::lower(&tree, text, vars, names)?;
    let notes = notes::compare(&tree, text, &lowered.warnings);
    lowered.warnings.extend(notes);
    lowered.warnings.extend(notes::doubts(&TABLETOP, &tree, text));
    Ok(lowered)
}

/// A `#` begins a comment that ends with its line; no label holds one.
fn without_comments(text: &str) -> String {
    tools::without_comments(&TABLETOP, text)
}

fn respell(text: &str) -> Result<String, Vec<Diagnostic>> {
    Ok(spell(&parse(text)?))
}
