//! Every notation of Tumble: a text to its own tree, the tree to the core.
//!
//! A notation is a row of [`NOTATIONS`]. Its quirks are explicit in its own `lower`; the core knows
//! none of them. Nothing here panics, recurses without a bound or depends on anything but its input:
//! a text that is wrong, too long or too deep gives a [`Diagnostic`].

mod notation;
mod scan;

pub use notation::troll;
use tumble_core::{Diagnostic, Program};

/// Values given from outside, by name.
pub type Vars = std::collections::BTreeMap<String, i64>;

/// A notation: what it is called, and how its texts become programs.
pub struct Notation {
    /// Its name, as in `--notation troll`.
    pub name: &'static str,
    /// One line for a list of notations.
    pub description: &'static str,
    /// Texts that show what it looks like.
    pub examples: &'static [&'static str],
    /// From a text to a program.
    pub compile: fn(&str, &Vars) -> Result<Compiled, Vec<Diagnostic>>,
    /// The canonical spelling of a text.
    pub spell: fn(&str) -> Result<String, Vec<Diagnostic>>,
    /// The text with blanks for its comments, every byte in its place.
    pub without_comments: fn(&str) -> String,
}

/// A program, and what its author should know about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What to roll or count.
    pub program: Program,
    /// Doubtful places that do not stop the program.
    pub warnings: Vec<Diagnostic>,
}

/// Every notation, the oldest first.
pub static NOTATIONS: &[Notation] = &[troll::NOTATION];

/// The notation with this name.
pub fn notation(name: &str) -> Option<&'static Notation> {
    NOTATIONS.iter().find(|notation| notation.name == name)
}

/// Turns a text into a program.
pub fn compile(notation: &Notation, text: &str, vars: &Vars) -> Result<Compiled, Vec<Diagnostic>> {
    (notation.compile)(text, vars)
}
