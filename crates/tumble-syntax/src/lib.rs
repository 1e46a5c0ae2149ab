//! Every notation of Tumble: from an expression to its own tree, and from the tree to the core.
//!
//! A notation is a row of [`NOTATIONS`]. Its quirks are explicit in its own `lower`; the core knows
//! none of them. Nothing here panics, recurses without a bound or depends on anything but its input:
//! an expression that is wrong, too long or too deep gives a [`Diagnostic`].

mod notation;
mod row;
pub mod script;

mod build;
mod explain;
mod kit;
mod mistake;
mod nearest;
mod parser;
mod pattern;
mod scan;
mod single;
mod site;
mod tree;
mod view;
mod words;

pub use nearest::nearest;
pub use notation::tabletop::tools::{DIALECTS, respelled};
pub use notation::tabletop::{Difference, differences};
pub use notation::{alea, nice, tabletop, troll, yadn};
pub use row::{Compiled, Lower, Lowered, Notation, Note, Piece, Reading, Remark, Spelling, is_note};
pub use site::{Part, Site};
use tumble_core::{Diagnostic, Span};

/// Values given from outside, by name; a nested value has both names, joined by a dot.
pub type Vars = std::collections::BTreeMap<String, i64>;

/// Every notation, the everyday one first.
pub static NOTATIONS: &[Notation] = row::if_full(
    &[tabletop::NOTATION, troll::NOTATION, yadn::NOTATION, alea::NOTATION, nice::NOTATION],
    &[tabletop::NOTATION],
);

/// The notation or dialect with this name, which may have capitals.
pub fn notation(name: &str) -> Option<&'static Notation> {
    NOTATIONS.iter().chain(DIALECTS).find(|notation| notation.name.eq_ignore_ascii_case(name))
}

/// The default notation.
pub fn everyday() -> &'static Notation {
    &NOTATIONS[0]
}

/// Compiles an expression to a program. One with errors that can only mean one thing is read so, with a warning.
pub fn compile(notation: &Notation, text: &str, vars: &Vars) -> Result<Compiled, Vec<Diagnostic>> {
    let found = match (notation.lower)(text, vars, &[]) {
        Ok(lowered) => return lowered.finish(),
        Err(found) => found,
    };
    let Some(reading) = (notation.read_as)(text, vars) else { return Err(found) };
    let mut compiled = (notation.lower)(&reading.text, vars, &[])?.finish()?;
    compiled.warnings.insert(0, row::note(Span::new(0, reading.text.len()), reading.note));
    Ok(Compiled { read: Some(reading.text), ..compiled })
}
