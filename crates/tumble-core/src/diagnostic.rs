//! What went wrong, where, and what to write instead.
//!
//! An operator says *what* ([`Fault`]); the evaluator adds *where* (a [`Span`]); the program around
//! it decides how it looks. One plain [`Diagnostic`] crosses every border.

use crate::remedy::Remedy;
use std::borrow::Cow;
use std::fmt;

/// A place in a text: byte offsets, the end not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The smallest place that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The sort of a mistake; its name is part of the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The text is not in the notation.
    Syntax,
    /// A variable or function that does not exist.
    Name,
    /// A value of the wrong sort: a text where a number is needed.
    Type,
    /// An operation that has no answer: a division by zero.
    Runtime,
    /// The budget is used up, or a size is beyond what is allowed.
    Limit,
    /// A roll that can never stop.
    Endless,
    /// The request itself is wrong, not the text in it.
    Request,
    /// Somebody stopped it.
    Stopped,
    /// Two ways to work out the same answer disagree: Tumble itself is wrong.
    Mistake,
}

impl Code {
    /// The name used on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Code::Syntax => "syntax",
            Code::Name => "name",
            Code::Type => "type",
            Code::Runtime => "runtime",
            Code::Limit => "limit",
            Code::Endless => "endless",
            Code::Request => "request",
            Code::Stopped => "stopped",
            Code::Mistake => "mistake",
        }
    }

    /// The code with this name.
    pub fn named(name: &str) -> Option<Code> {
        use Code::*;
        [Syntax, Name, Type, Runtime, Limit, Endless, Request, Stopped, Mistake]
            .into_iter()
            .find(|code| code.name() == name)
    }
}

/// What went wrong, without a place: what an operator on values can know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The sort of mistake.
    pub code: Code,
    /// A finer name that a notation's definition gives, such as `keep-too-few`.
    pub kind: Option<Cow<'static, str>>,
    /// Plain words.
    pub message: String,
    /// What to do about it; a text to write instead stands in backticks.
    pub hint: Option<String>,
    /// What the caller can do about it.
    pub remedies: Box<[Remedy]>,
}

impl Fault {
    /// A fault with a message and no hint.
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault { code, kind: None, message: message.into(), hint: None, remedies: Box::default() }
    }

    /// A value of the wrong sort.
    pub fn wrong_type(message: impl Into<String>) -> Fault {
        Fault::new(Code::Type, message)
    }

    /// An operation without an answer.
    pub fn runtime(message: impl Into<String>) -> Fault {
        Fault::new(Code::Runtime, message)
    }

    /// An answer that cannot be right: Tumble is wrong, not the asker.
    pub fn mistake(message: impl Into<String>) -> Fault {
        Fault::new(Code::Mistake, message).hint("this is a bug in Tumble; please report it with this expression")
    }

    /// A limit that was reached.
    pub fn limit(message: impl Into<String>) -> Fault {
        Fault::new(Code::Limit, message)
    }

    /// The same fault with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// The same fault with one more thing that the caller can do.
    pub fn remedy(mut self, remedy: Remedy) -> Fault {
        self.remedies = more(self.remedies, remedy);
        self
    }

    /// The same fault with a finer name.
    pub fn kind(mut self, kind: impl Into<Cow<'static, str>>) -> Fault {
        self.kind = Some(kind.into());
        self
    }

    /// The fault at its place.
    pub fn at(self, span: Span) -> Diagnostic {
        let Fault { code, kind, message, hint, remedies } = self;
        Diagnostic { code, kind, message, span, hint, remedies }
    }
}

/// Errors are kept small, because every step of an evaluation may return one; so there is no room to grow in them.
fn more(remedies: Box<[Remedy]>, one: Remedy) -> Box<[Remedy]> {
    remedies.into_iter().chain([one]).collect()
}

/// A message for the person who wrote the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The sort of mistake.
    pub code: Code,
    /// A finer name that a notation's definition gives, such as `keep-too-few`.
    pub kind: Option<Cow<'static, str>>,
    /// Plain words.
    pub message: String,
    /// The place in the text.
    pub span: Span,
    /// What to write instead.
    pub hint: Option<String>,
    /// What the caller can do about it.
    pub remedies: Box<[Remedy]>,
}

impl Diagnostic {
    /// A message at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Fault::new(code, message).at(span)
    }

    /// The same message with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The same message with one more thing that the caller can do.
    pub fn remedy(mut self, remedy: Remedy) -> Diagnostic {
        self.remedies = more(self.remedies, remedy);
        self
    }

    /// The same message with a finer name.
    pub fn kind(mut self, kind: impl Into<Cow<'static, str>>) -> Diagnostic {
        self.kind = Some(kind.into());
        self
    }

    /// The notations in which the text is valid, where it is not in its own.
    pub fn notations(&self) -> impl Iterator<Item = &str> {
        self.remedies.iter().filter_map(|remedy| match remedy {
            Remedy::Notation(name) => Some(name.as_ref()),
            _ => None,
        })
    }

    /// The names that need a value.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.remedies.iter().filter_map(|remedy| match remedy {
            Remedy::Set(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}
