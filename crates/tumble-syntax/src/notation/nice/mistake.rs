//! Mistakes in a text: what is wrong, and corrected texts that may be meant.
//!
//! A correction is only ever shown after it became a program; one that still has a mistake is
//! corrected further, a few times. So every text in a hint can be rolled.

use super::lower::is_sound;
use super::parse::attempt;
use crate::Vars;
use tumble_core::{Code, Diagnostic, Span};

/// The first mistake of a text.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    code: Code,
    kind: Option<&'static str>,
    pub(super) span: Span,
    message: String,
    /// Corrected texts, the likeliest first; they may have further mistakes.
    fixes: Vec<String>,
}

/// Longer texts get no correction: nobody would read it.
pub(super) const LONGEST_FIX: usize = 400;

/// How many mistakes one correction may put right.
const MOST_REPAIRS: usize = 5;

impl Mistake {
    /// A text that does not fit the grammar.
    pub(super) fn new(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code: Code::Syntax, kind: Some("parse"), span, message: message.into(), fixes: Vec::new() }
    }

    /// Something beyond what is allowed.
    pub(super) fn limit(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code: Code::Limit, kind: None, ..Mistake::new(span, message) }
    }

    /// The same mistake with another kind.
    pub(super) fn kind(self, kind: &'static str) -> Mistake {
        Mistake { kind: Some(kind), ..self }
    }

    /// The same mistake with another code.
    pub(super) fn code(self, code: Code) -> Mistake {
        Mistake { code, ..self }
    }

    /// Offers a whole text.
    pub(super) fn fix(mut self, fixed: String) -> Mistake {
        if fixed.len() <= LONGEST_FIX && !fixed.contains('`') {
            self.fixes.push(fixed.trim().to_owned());
        }
        self
    }

    /// Offers the text with `with` in place of `span`.
    pub(super) fn replace(self, text: &str, span: Span, with: &str) -> Mistake {
        match instead(text, span, with) {
            Some(fixed) => self.fix(fixed),
            None => self,
        }
    }

    /// Offers the text with `what` put in at a place.
    pub(super) fn insert(self, text: &str, at: usize, what: &str) -> Mistake {
        self.replace(text, Span::new(at, at), what)
    }

    /// Offers the text without `span` and the blanks before it.
    pub(super) fn delete(self, text: &str, span: Span) -> Mistake {
        let start = text[..span.start].trim_end().len();
        self.replace(text, Span::new(start, span.end), "")
    }

    /// Offers the text with `what` after everything.
    pub(super) fn append(self, text: &str, what: &str) -> Mistake {
        self.replace(text, Span::new(text.trim_end().len(), text.len()), what)
    }

    /// The message with its best correction.
    pub(super) fn explain(self, vars: &Vars) -> Diagnostic {
        let hint = self.repaired(vars, MOST_REPAIRS);
        let hint = hint.map(|fixed| format!("try `{fixed}`"));
        Diagnostic {
            code: self.code,
            kind: self.kind.map(Into::into),
            message: self.message,
            span: self.span,
            hint,
            note: None,
        }
    }

    fn repaired(&self, vars: &Vars, more: usize) -> Option<String> {
        self.fixes.iter().find_map(|fix| match attempt(fix) {
            Ok(tree) => is_sound(&tree, fix, vars).then(|| fix.clone()),
            Err(next) if more > 1 => next.repaired(vars, more - 1),
            Err(_) => None,
        })
    }
}

/// The text with `with` in place of `span`, unless it is so long that nobody would read it.
pub(super) fn instead(text: &str, span: Span, with: &str) -> Option<String> {
    (text.len() <= LONGEST_FIX).then(|| format!("{}{with}{}", &text[..span.start], &text[span.end..]))
}
