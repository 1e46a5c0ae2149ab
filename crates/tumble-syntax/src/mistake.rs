//! Errors in an expression: what is wrong, and corrections that may be meant.
//!
//! A correction is only shown after it was proven to be valid in the notation; one that still has an error is
//! corrected further, a few times.

use tumble_core::{Code, Diagnostic, Remedy, Span};

/// The first mistake of a text.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) code: Code,
    kind: Option<&'static str>,
    pub(crate) span: Span,
    pub(crate) message: String,
    /// Corrected texts, the likeliest first; they may have further mistakes.
    fixes: Vec<Fix>,
    /// Names that need a value from outside.
    missing: Box<[String]>,
    /// What is said if the first correction is certain enough to be read without asking.
    certain: Option<Box<str>>,
}

/// How a text can be put right.
#[derive(Clone, Debug)]
enum Fix {
    /// Another text.
    Whole(String),
    /// Something else in a place.
    Instead(Span, String),
    /// Nothing in a place, and no blanks before it.
    Without(Span),
}

impl Fix {
    /// The text that it makes, unless nobody would read it.
    fn of(&self, text: &str) -> Option<String> {
        let fixed = match self {
            Fix::Whole(fixed) => Some(fixed.clone()),
            Fix::Instead(span, with) => instead(text, *span, with),
            Fix::Without(span) => instead(text, Span::new(text[..span.start].trim_end().len(), span.end), ""),
        };
        fixed.filter(|fixed| can_be_shown(fixed))
    }
}

/// Mistakes travel far, so they travel in a box.
pub(crate) type Parsed<T> = Result<T, Box<Mistake>>;

/// Tells whether a text can be offered, or what is still wrong with it.
pub(crate) type Prove<'p> = &'p dyn Fn(&str) -> Parsed<bool>;

/// Longer texts get no correction: nobody would read it.
pub(crate) const LONGEST_FIX: usize = 400;

/// How many mistakes one correction may put right.
const MOST_REPAIRS: usize = 5;

/// How many corrections are tried in all.
const MOST_TRIES: usize = 40;

impl Mistake {
    /// A text that does not fit the grammar.
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Mistake {
        let (fixes, missing, certain) = (Vec::new(), Box::default(), None);
        Mistake { code: Code::Syntax, kind: None, span, message: message.into(), fixes, missing, certain }
    }

    /// Something that can be read and has no meaning.
    pub(crate) fn coded(code: Code, span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(span, message).code(code)
    }

    /// Something beyond what is allowed.
    pub(crate) fn limit(span: Span, message: impl Into<String>) -> Mistake {
        Mistake::new(span, message).code(Code::Limit)
    }

    /// The same mistake with another code.
    pub(crate) fn code(self, code: Code) -> Mistake {
        Mistake { code, ..self }
    }

    /// The same mistake with a finer name.
    pub(crate) fn kind(self, kind: &'static str) -> Mistake {
        Mistake { kind: Some(kind), ..self }
    }

    /// The same mistake, for want of values for these names.
    pub(crate) fn missing(self, names: &[&str]) -> Mistake {
        Mistake { missing: names.iter().map(|name| (*name).to_owned()).collect(), ..self }
    }

    /// The same mistake at another place.
    pub(crate) fn at(self, span: Span) -> Mistake {
        Mistake { span, ..self }
    }

    /// The same mistake in other words.
    pub(crate) fn saying(self, message: String) -> Mistake {
        Mistake { message, ..self }
    }

    pub(crate) fn fail<T>(self) -> Parsed<T> {
        Err(Box::new(self))
    }

    fn with(mut self, fix: Fix) -> Mistake {
        self.fixes.push(fix);
        self
    }

    /// The same with what is offered if there is something to offer.
    pub(crate) fn when<T>(self, found: Option<T>, offer: impl FnOnce(Mistake, T) -> Mistake) -> Mistake {
        match found {
            Some(found) => offer(self, found),
            None => self,
        }
    }

    /// Offers a whole text.
    pub(crate) fn fix(self, fixed: String) -> Mistake {
        if can_be_shown(&fixed) { self.with(Fix::Whole(fixed)) } else { self }
    }

    /// Offers a whole text that can only be meant; where a person types, it is read with a note.
    pub(crate) fn certainly(self, fixed: String) -> Mistake {
        let note = format!("read as `{}`", fixed.trim());
        self.certainly_noting(fixed, note)
    }

    /// Offers this text and no other; it is read if it can only be meant.
    pub(crate) fn meaning(self, fixed: String, certain: bool) -> Mistake {
        let alone = Mistake { fixes: vec![], certain: None, ..self };
        if certain { alone.certainly(fixed) } else { alone.fix(fixed) }
    }

    /// The same with another note.
    pub(crate) fn certainly_noting(self, fixed: String, note: String) -> Mistake {
        let certain = (self.fixes.is_empty() && can_be_shown(&fixed)).then(|| note.into());
        Mistake { certain, ..self.fix(fixed) }
    }

    /// Offers the text with `with` in place of `span`.
    pub(crate) fn replace(self, span: Span, with: &str) -> Mistake {
        self.with(Fix::Instead(span, with.to_owned()))
    }

    /// Offers the text with `what` put in at a place.
    pub(crate) fn insert(self, at: usize, what: &str) -> Mistake {
        self.replace(Span::new(at, at), what)
    }

    /// Offers the text without `span` and the blanks before it.
    pub(crate) fn delete(self, span: Span) -> Mistake {
        self.with(Fix::Without(span))
    }

    /// The message with its best correction.
    pub(crate) fn explain(&self, text: &str, prove: Prove<'_>) -> Diagnostic {
        let hint = self.repaired(text, MOST_REPAIRS, &mut MOST_TRIES.clone(), prove);
        let within = |at: usize| at.min(text.len());
        let span = Span::new(within(self.span.start), within(self.span.end));
        let mut said = Diagnostic::new(self.code, span, self.message.clone());
        said.kind = self.kind.map(Into::into);
        said.hint = hint.map(|fixed| format!("try `{}`", fixed.trim()));
        said.remedies = self.missing.iter().cloned().map(Remedy::Set).collect();
        said
    }

    /// The text that is certainly meant, if every mistake on the way to it leaves no doubt, and the note about it.
    pub(crate) fn reading(&self, text: &str, prove: Prove<'_>) -> Option<(String, String)> {
        let (mut text, mut note) = (self.fixes.first()?.of(text)?, self.certain.as_deref()?.to_owned());
        for _ in 0..MOST_REPAIRS {
            match prove(&text) {
                Ok(sound) => return sound.then_some((text, note)),
                Err(next) => {
                    next.certain.as_deref()?;
                    text = next.fixes.first()?.of(&text)?;
                    note = format!("read as `{}`", text.trim());
                }
            }
        }
        None
    }

    fn repaired(&self, text: &str, more: usize, tries: &mut usize, prove: Prove<'_>) -> Option<String> {
        self.fixes.iter().filter_map(|fix| fix.of(text)).find_map(|fixed| {
            *tries = tries.checked_sub(1)?;
            match prove(&fixed) {
                Ok(sound) => sound.then_some(fixed),
                Err(next) if more > 1 => next.repaired(&fixed, more - 1, tries, prove),
                Err(_) => None,
            }
        })
    }
}

/// A mistake on its way out.
pub(crate) fn fail<T>(mistake: Mistake) -> Parsed<T> {
    mistake.fail()
}

/// The text with `with` in place of `span`, unless it is so long that nobody would read it.
pub(crate) fn instead(text: &str, span: Span, with: &str) -> Option<String> {
    (text.len() <= LONGEST_FIX).then(|| format!("{}{with}{}", &text[..span.start], &text[span.end..]))
}

/// What is written, for a message: in backticks, and not longer than anyone would read.
pub(crate) fn shown(written: &str) -> String {
    match written.char_indices().nth(30) {
        Some((end, _)) => format!("`{}…`", &written[..end]),
        None => format!("`{written}`"),
    }
}

/// `a, b and c`; of more than `most` only the first ones.
pub(crate) fn listed<Name: AsRef<str>>(names: &[Name], most: usize) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => {
            format!("{} and {}", first.join(", "), if names.len() > most { "others" } else { last })
        }
        None => String::new(),
    }
}

fn can_be_shown(fixed: &str) -> bool {
    fixed.len() <= LONGEST_FIX && !fixed.contains('`')
}
