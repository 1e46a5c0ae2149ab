//! Every notation of Tumble: a text to its own tree, the tree to the core.
//!
//! A notation is a row of [`NOTATIONS`]. Its quirks are explicit in its own `lower`; the core knows
//! none of them. Nothing here panics, recurses without a bound or depends on anything but its input:
//! a text that is wrong, too long or too deep gives a [`Diagnostic`].

mod notation;
mod row;

#[allow(dead_code)]
mod kit;
mod nearest;
mod scan;

pub use notation::{tabletop, troll};
pub use row::{Compiled, Notation, Note, Piece, Remark, Spelling};
use tumble_core::Diagnostic;

/// Values given from outside, by name; a value inside another has both names, joined by a dot.
pub type Vars = std::collections::BTreeMap<String, i64>;

/// Every notation, the oldest first.
pub static NOTATIONS: &[Notation] = &[troll::NOTATION, tabletop::NOTATION];

/// The notation with this name.
pub fn notation(name: &str) -> Option<&'static Notation> {
    NOTATIONS.iter().find(|notation| notation.name == name)
}

/// Turns a text into a program.
pub fn compile(notation: &Notation, text: &str, vars: &Vars) -> Result<Compiled, Vec<Diagnostic>> {
    (notation.compile)(text, vars)
}
