//! Mistakes in a text: what is wrong, and corrected texts that may be meant.
//!
//! A correction is only ever shown after it became a program; one that still has a mistake is corrected further,
//! a few times. So every text in a hint is a text of the notation.

use super::lower::lower;
use super::parse::attempt;
use tumble_core::{Code, Diagnostic, Span};

/// The first mistake of a text.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    code: Code,
    kind: Option<&'static str>,
    span: Span,
    message: String,
    /// Corrected texts, the likeliest first; they may have further mistakes.
    fixes: Vec<String>,
}

/// Longer texts get no correction: nobody would read it.
const LONGEST_FIX: usize = 400;

/// How many mistakes one correction may put right.
const MOST_REPAIRS: usize = 5;

impl Mistake {
    /// Something that cannot be read.
    pub(super) fn new(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code: Code::Syntax, kind: Some("parse"), span, message: message.into(), fixes: Vec::new() }
    }

    /// Something beyond what is allowed.
    pub(super) fn limit(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code: Code::Limit, kind: None, ..Mistake::new(span, message) }
    }

    /// Something that can be read and has no meaning.
    pub(super) fn of_kind(code: Code, kind: &'static str, span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code, kind: Some(kind), ..Mistake::new(span, message) }
    }

    /// Offers a whole text.
    pub(super) fn fix(mut self, fixed: String) -> Mistake {
        if fixed.len() <= LONGEST_FIX && !fixed.contains('`') && !fixed.trim().is_empty() {
            self.fixes.push(fixed);
        }
        self
    }

    /// Offers the text with `with` in place of `span`.
    pub(super) fn replace(self, text: &str, span: Span, with: &str) -> Mistake {
        if text.len() > LONGEST_FIX {
            return self;
        }
        self.fix(format!("{}{with}{}", &text[..span.start], &text[span.end..]))
    }

    /// Offers the text without `span`.
    pub(super) fn delete(self, text: &str, span: Span) -> Mistake {
        self.replace(text, span, "")
    }

    pub(super) fn boxed<T>(self) -> Result<T, Box<Mistake>> {
        Err(Box::new(self))
    }
}

/// The mistake with its best correction.
pub(super) fn explain(text: &str, mistake: Mistake) -> Diagnostic {
    let hint = repaired(&mistake, MOST_REPAIRS);
    let span = Span::new(mistake.span.start.min(text.len()), mistake.span.end.min(text.len()));
    let mut said = Diagnostic::new(mistake.code, span, mistake.message);
    said.kind = mistake.kind.map(Into::into);
    match hint {
        Some(fixed) => said.hint(format!("try `{}`", fixed.trim())),
        None => said,
    }
}

/// Every repair tries a few texts and goes a few repairs deep, so this stays small.
fn repaired(mistake: &Mistake, more: usize) -> Option<String> {
    mistake.fixes.iter().find_map(|fix| match attempt(fix).and_then(|tree| lower(&tree, fix)) {
        Ok(_) => Some(fix.clone()),
        Err(next) if more > 1 => repaired(&next, more - 1),
        Err(_) => None,
    })
}
