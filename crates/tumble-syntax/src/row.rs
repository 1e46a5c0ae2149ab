//! What a notation is: the row that the rest of Tumble knows it by.

use crate::Vars;
use std::fmt;
use tumble_core::{Code, Diagnostic, Draft, FnId, Function, Program, Span, check};

/// The meaning of a notation: expression, values, and the names of parameters to terms.
pub type Lower = fn(&str, &Vars, &[&str]) -> Result<Lowered, Vec<Diagnostic>>;

/// A notation: its name, and how its expressions become programs.
pub struct Notation {
    /// Its name, as in `--notation troll`.
    pub name: &'static str,
    /// One line for a list of notations.
    pub description: &'static str,
    /// Expressions that show what it looks like.
    pub examples: &'static [&'static str],
    /// Everything that can be written, for the reference.
    pub reference: &'static [Piece],
    /// How it writes results.
    pub spelling: Spelling,
    /// From an expression to terms, with values from outside by name; numbers with the names that come last are its
    /// parameters.
    pub lower: Lower,
    /// What an expression with errors can only mean, with the note about it; none if there is any doubt.
    pub read_as: fn(&str, &Vars) -> Option<Reading>,
    /// The canonical spelling of an expression.
    pub spell: fn(&str) -> Result<String, Vec<Diagnostic>>,
    /// The expression with spaces for its comments, every byte in its place.
    pub without_comments: fn(&str) -> String,
    /// From a program, compiled from an expression whose results are spelled like this, to an expression with the same
    /// meaning, or what cannot be expressed; the inverse of `lower`.
    pub write: fn(&Program, &Spelling) -> Result<String, Diagnostic>,
}

/// One of two, by the feature `full`: what is not chosen here is not linked.
pub(crate) const fn if_full<T: Copy>(full: T, reduced: T) -> T {
    if cfg!(feature = "full") { full } else { reduced }
}

/// The answer to whoever wants an expression written by a program that can't.
pub(crate) fn unwritten(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Request, span, "writing expressions is not available here")
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notation").field(&self.name).finish()
    }
}

/// An expression that is read in place of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The expression.
    pub text: String,
    /// What its author should know about it.
    pub note: String,
}

impl Reading {
    /// For a notation that reads only what is written.
    pub fn none(_: &str, _: &Vars) -> Option<Reading> {
        None
    }
}

/// Something that can be written in a notation.
pub struct Piece {
    /// The heading it is listed under.
    pub group: &'static str,
    /// How it is written, as in `khN`.
    pub spelling: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// An expression that shows it.
    pub example: &'static str,
}

/// A piece in one line.
pub(crate) const fn piece(
    group: &'static str,
    spelling: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Piece {
    Piece { group, spelling, meaning, example }
}

/// The pieces of a table: after its first line headings, and below each lines of a spelling, a meaning and an example with
/// `→` between them. It is read when Tumble is built.
pub(crate) const fn pieces<const ROWS: usize>(table: &'static str) -> [Piece; ROWS] {
    let mut pieces = [const { piece("", "", "", "") }; ROWS];
    let (_, mut rest) = cut(table, "\n\n");
    let (mut group, mut row) = ("", 0);
    while !rest.is_empty() {
        let (line, after) = cut(rest, "\n");
        rest = after;
        let (spelling, more) = cut(line, " → ");
        if !more.is_empty() {
            let (meaning, example) = cut(more, " → ");
            pieces[row] = piece(group, spelling, meaning, example);
            row += 1;
        } else if !line.is_empty() {
            group = line;
        }
    }
    pieces
}

/// How many pieces a table has.
pub(crate) const fn rows(table: &'static str) -> usize {
    let (mut arrows, mut rest) = (0usize, cut(table, " → ").1);
    while !rest.is_empty() {
        arrows += 1;
        rest = cut(rest, " → ").1;
    }
    arrows / 2
}

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

/// How a notation writes results for people.
pub struct Spelling {
    /// Whether a collection of exactly one number is the same as that number.
    pub lone: bool,
    /// No and yes.
    pub truths: [&'static str; 2],
    /// Whether text is quoted even where it is the whole result.
    pub quoted: bool,
    /// What several results are when there are none.
    pub none: &'static str,
}

impl Spelling {
    /// What most notations do.
    pub const PLAIN: Spelling = Spelling { lone: false, truths: ["false", "true"], quoted: false, none: "no result" };
}

/// An expression as terms that are not checked yet, so that they can become a part of something larger.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The terms.
    pub draft: Draft,
    /// The roll itself first, then the functions it needs.
    pub functions: Vec<Function>,
    /// The roll whose odds are asked for, if it differs: one of several equal rolls.
    pub one: Option<Box<Lowered>>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Labels, comments and names.
    pub notes: Vec<Note>,
}

impl Lowered {
    /// Nothing but terms and functions.
    pub fn new(draft: Draft, functions: Vec<Function>) -> Lowered {
        Lowered { draft, functions, one: None, warnings: vec![], notes: vec![] }
    }

    /// A program of its own.
    pub fn finish(self) -> Result<Compiled, Vec<Diagnostic>> {
        let Lowered { draft, functions, one, warnings, notes } = self;
        let one = one.map(|one| check(one.draft, one.functions, FnId(0))).transpose()?;
        Ok(Compiled { program: check(draft, functions, FnId(0))?, one, warnings, notes, read: None })
    }
}

/// A program, and what its author should know about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What to roll.
    pub program: Program,
    /// The program whose odds are asked for, if it differs: one of several equal rolls.
    pub one: Option<Program>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Labels, comments and names.
    pub notes: Vec<Note>,
    /// The expression that was read in place of the one typed, if it differs; all places are in it.
    pub read: Option<String>,
}

/// A label, a comment, or a name with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which of them.
    pub remark: Remark,
    /// What it says.
    pub text: String,
    /// The place of what a label names, or of a comment or name itself.
    pub span: Span,
}

/// What a diagnostic is that points nothing wrong out: how an expression was read, or how another tool reads it.
const NOTE: &str = "note";

/// A note about a place in an expression.
pub(crate) fn note(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic { kind: Some(NOTE.into()), ..Diagnostic::new(Code::Syntax, span, message) }
}

/// Whether a warning only says how an expression was read, or how another tool reads it.
pub fn is_note(warning: &Diagnostic) -> bool {
    warning.kind.as_deref() == Some(NOTE)
}

/// What a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The name of a part: `2d6[fire]`.
    Label,
    /// A comment on the whole: `# sneaking`.
    Comment,
    /// A name with this number from outside: `@str`.
    Value(i64),
    /// Dice that are shown in order, if true the highest first: `4d6sd`.
    Sorted(bool),
}
