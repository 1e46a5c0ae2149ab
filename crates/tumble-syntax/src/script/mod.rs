//! Scripts: the rules of a game as a typed program with entries, after Hilton's dice rolling language.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ Tree ─▶ check ─▶ types, rolls, problems
//!                           └──────────────▶ lower with an entry and arguments ─▶ core
//! ```
//!
//! A script has entries and typed arguments, so it is not a row of the table of notations; [`read`] is its door. The
//! texts that it rolls are in the everyday notation.

mod args;
mod builtin;
mod check;
mod docs;
mod format;
mod lex;
mod lower;
mod parse;
mod problem;
mod rolls;
mod syntax;
mod tokens;
mod types;
mod walk;

pub use args::Datum;
pub use builtin::{BUILTINS, Builtin};
use check::Checked;
pub use format::format;
use problem::Problems;
pub use problem::{Edit, Level, Problem};
use syntax::Tree;
pub use tokens::{Class, Completion, completions, tokens};
use tumble_core::{Code, Diagnostic, Program, Span, Throw, Value};
pub use types::{Constant, EnumType, FieldType, RecordType, Signature, Tables, Type};

/// The longest script, in bytes.
pub const LONGEST: usize = 256 * 1024;

/// A script that was read: what it declares, and what is wrong with it.
#[derive(Debug)]
pub struct Script {
    /// Everything that is wrong with it, in the order of the text.
    pub problems: Vec<Problem>,
    sound: bool,
    tree: Tree,
    known: Checked,
}

/// Reads a script; `strict` makes errors of slips that would be understood.
pub fn read(text: &str, strict: bool) -> Script {
    if text.len() > LONGEST {
        let message = format!("this script is longer than {LONGEST} bytes");
        let problems = vec![Problem::error(Code::Limit, Span::new(0, 0), message)];
        let (tree, known) = (Tree::default(), Checked::default());
        return Script { problems, sound: false, tree, known };
    }
    let mut problems = Problems::default();
    let tokens = lex::tokens(text, &mut problems);
    let tree = parse::parse(text, &tokens, &mut problems);
    let mut known = check::check(text, &tree, &mut problems);
    if strict {
        problems.strict();
    }
    if !problems.has_errors() {
        lower::values(&tree, &mut known).into_iter().for_each(|error| problems.add(error.into()));
    }
    let sound = !problems.has_errors();
    Script { problems: problems.finish(), sound, tree, known }
}

impl Script {
    /// Its types, constants, functions and rolls.
    pub fn tables(&self) -> &Tables {
        &self.known.tables
    }

    /// Whether it can run.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// The roll with this name or title.
    pub fn entry(&self, name: &str) -> Option<usize> {
        let key = name.to_lowercase();
        let rolls = || self.tables().functions.iter().enumerate().filter(|(_, function)| function.title.is_some());
        let by_name = rolls().find(|(_, function)| types::same(&function.name, &key));
        let by_title =
            || rolls().find(|(_, function)| function.title.as_ref().is_some_and(|title| types::same(title, &key)));
        by_name.or_else(by_title).map(|(number, _)| number)
    }

    /// The program of a roll with these arguments. Only a sound script has one.
    pub fn lower(&self, entry: usize, args: Vec<Value>) -> Result<Program, Vec<Diagnostic>> {
        if !self.sound {
            let errors = self.problems.iter().filter(|problem| problem.level == Level::Error);
            return Err(errors.map(|problem| problem.diagnostic.clone()).collect());
        }
        lower::program(&self.tree, &self.known, entry, args)
    }
}

/// Reads a dice text that a script throws.
pub fn read_dice(text: &str, throw: Throw) -> Result<Program, Diagnostic> {
    let compiled = rolls::read(text, &[], throw == Throw::Dice)?.finish();
    let nothing = || Diagnostic::new(Code::Syntax, Span::new(0, text.len()), "this can't be read");
    let compiled = compiled.map_err(|found| found.into_iter().next().unwrap_or_else(nothing))?;
    Ok(compiled.program)
}
