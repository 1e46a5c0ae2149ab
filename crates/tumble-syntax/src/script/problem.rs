//! What is wrong with a script, or could be better: where, what, and the edits that put it right.
//!
//! All problems of a script are reported together. A script with an error does not run; a slip that Tumble understands
//! anyway (typographic quotes, a missing `;`) is a warning, and an error if the script is read strictly.

use tumble_core::sort;
use tumble_core::{Code, Diagnostic, Span};

/// How many problems are reported; errors come before warnings if there are more.
const MOST: usize = 50;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The script does not run.
    Error,
    /// It means something, but is not written as it should be.
    Slip,
    /// It runs, but perhaps not as its author expects.
    Warning,
}

/// A problem of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub level: Level,
    /// What, where, and a hint.
    pub diagnostic: Diagnostic,
    /// The edits that the hint describes; none if there is no hint, or only advice.
    pub edits: Vec<Edit>,
}

/// Text to write in place of other text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace.
    pub span: Span,
    /// What to write there.
    pub text: String,
}

impl Problem {
    /// An error.
    pub(super) fn error(code: Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { level: Level::Error, diagnostic: Diagnostic::new(code, span, message), edits: vec![] }
    }

    /// Something that cannot be read.
    pub(super) fn syntax(span: Span, message: impl Into<String>) -> Problem {
        Problem::error(Code::Syntax, span, message)
    }

    /// Something that does not fit.
    pub(super) fn wrong_type(span: Span, message: impl Into<String>) -> Problem {
        Problem::error(Code::Type, span, message)
    }

    /// The same as a slip.
    pub(super) fn slip(self) -> Problem {
        Problem { level: Level::Slip, ..self }
    }

    /// The same as a warning.
    pub(super) fn warning(self) -> Problem {
        Problem { level: Level::Warning, ..self }
    }

    /// The same with advice.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.diagnostic.hint = Some(hint.into());
        self
    }

    /// The same with a correction, described by `hint`.
    pub(super) fn fix(mut self, hint: impl Into<String>, span: Span, text: impl Into<String>) -> Problem {
        self.edits.push(Edit { span, text: text.into() });
        self.hint(hint)
    }

    /// Where it is.
    pub fn span(&self) -> Span {
        self.diagnostic.span
    }
}

impl From<Diagnostic> for Problem {
    /// An error that was found later.
    fn from(diagnostic: Diagnostic) -> Problem {
        Problem { level: Level::Error, diagnostic, edits: vec![] }
    }
}

/// The problems found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    pub(super) fn add(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// The same slip in several places is one problem, at the first of them.
    pub(super) fn merged(&mut self, edits: Vec<Edit>, message: impl Fn(usize) -> String, hint: &str) {
        let Some(first) = edits.first() else { return };
        let mut problem = Problem::syntax(first.span, message(edits.len())).hint(hint).slip();
        problem.edits = edits;
        self.add(problem);
    }

    /// Slips become errors.
    pub(super) fn strict(&mut self) {
        for problem in self.0.iter_mut().filter(|problem| problem.level == Level::Slip) {
            problem.level = Level::Error;
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.0.iter().any(|problem| problem.level == Level::Error)
    }

    /// All of them in the order of the text; if there are too many, the worst ones.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        if self.0.len() > MOST {
            sort::by_key(&mut self.0, |problem| (problem.level, problem.span()));
            self.0.truncate(MOST);
        }
        sort::by_key(&mut self.0, |problem| (problem.span(), problem.level));
        self.0
            .dedup_by(|next, first| next.span() == first.span() && next.diagnostic.message == first.diagnostic.message);
        self.0
    }
}

/// " here and in 3 other places", if there are several.
pub(super) fn places(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", here and in one other place".to_owned(),
        _ => format!(", here and in {} other places", count - 1),
    }
}
