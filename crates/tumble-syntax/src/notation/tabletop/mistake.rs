//! Mistakes in a text: what is wrong, and corrected texts that may be meant.
//!
//! A correction is only ever shown after it became a program; one that still has a mistake is corrected
//! further, a few times. So every text in a hint can be rolled.

use tumble_core::{Code, Diagnostic, Span};

/// The first mistake of a text.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) message: String,
    /// Corrected texts, the likeliest first; they may have further mistakes.
    fixes: Vec<String>,
    /// What to offer if nothing else is left, as long as this is the only mistake.
    last: Option<String>,
}

/// Mistakes travel far, so they travel in a box.
pub(super) type Parsed<T> = Result<T, Box<Mistake>>;

/// Longer texts get no correction: nobody would read it.
const LONGEST_FIX: usize = 400;

/// How many mistakes one correction may put right.
const MOST_REPAIRS: usize = 5;

/// How many corrections are tried in all.
const MOST_TRIES: usize = 40;

impl Mistake {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { code: Code::Syntax, span, message: message.into(), fixes: Vec::new(), last: None }
    }

    pub(super) fn code(self, code: Code) -> Mistake {
        Mistake { code, ..self }
    }

    /// The same mistake in other words.
    pub(super) fn saying(self, message: String) -> Mistake {
        Mistake { message, ..self }
    }

    /// Something beyond what is allowed.
    pub(super) fn limit(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(span, message).code(Code::Limit)
    }

    pub(super) fn fail<T>(self) -> Parsed<T> {
        Err(Box::new(self))
    }

    /// Offers a whole text.
    pub(super) fn fix(mut self, fixed: String) -> Mistake {
        if fixed.len() <= LONGEST_FIX && !fixed.contains('`') && !fixed.trim().is_empty() {
            self.fixes.push(fixed);
        }
        self
    }

    /// Offers a whole text that is only worth it if there is no other mistake.
    pub(super) fn at_last(self, fixed: String) -> Mistake {
        let short = fixed.len() <= LONGEST_FIX && !fixed.contains('`');
        Mistake { last: short.then_some(fixed), ..self }
    }

    /// Offers the text with `with` in place of `span`.
    pub(super) fn replace(self, text: &str, span: Span, with: &str) -> Mistake {
        if text.len() > LONGEST_FIX {
            return self;
        }
        self.fix(format!("{}{with}{}", &text[..span.start], &text[span.end..]))
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
        let end = text.trim_end().len();
        self.replace(text, Span::new(end, text.len()), what)
    }
}

/// The mistake with its best correction; `prove` tells whether a text becomes a program.
pub(super) fn explain(text: &str, mistake: Mistake, prove: &dyn Fn(&str) -> Parsed<()>) -> Diagnostic {
    let hint = repaired(&mistake, MOST_REPAIRS, &mut MOST_TRIES.clone(), prove);
    let hint = hint.or_else(|| mistake.last.filter(|fixed| prove(fixed).is_ok()));
    let within = |at: usize| at.min(text.len());
    let span = Span::new(within(mistake.span.start), within(mistake.span.end));
    let said = Diagnostic::new(mistake.code, span, mistake.message);
    match hint {
        Some(fixed) => said.hint(format!("try `{}`", fixed.trim())),
        None => said,
    }
}

fn repaired(mistake: &Mistake, more: usize, tries: &mut usize, prove: &dyn Fn(&str) -> Parsed<()>) -> Option<String> {
    mistake.fixes.iter().find_map(|fix| {
        *tries = tries.checked_sub(1)?;
        match prove(fix) {
            Ok(()) => Some(fix.clone()),
            Err(next) if more > 1 => repaired(&next, more - 1, tries, prove),
            Err(_) => None,
        }
    })
}
