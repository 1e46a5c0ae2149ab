//! What went wrong, where, and what to write instead.
//!
//! An operator knows *what* ([`Fault`]); the evaluator adds *where* (a [`Span`]); the program around
//! it decides how it looks. One plain [`Diagnostic`] crosses every border.

use crate::remedy::Remedy;
use std::borrow::Cow;
use std::fmt;

/// A place in an expression: byte offsets, the end not included.
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

/// The kind of an error; its name is part of the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The expression is not valid in its notation.
    Syntax,
    /// A variable or function that does not exist.
    Name,
    /// A value of the wrong kind: text where a number is expected.
    Type,
    /// An operation without a result: a division by zero.
    Runtime,
    /// A limit was reached.
    Limit,
    /// A roll that can never stop.
    Endless,
    /// The request itself is wrong, not the expression in it.
    Request,
    /// The caller stopped it.
    Stopped,
    /// Two ways to compute the same answer disagree: a bug in Tumble.
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

/// What went wrong, without a place: all that an operator on values knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of error.
    pub code: Code,
    /// A finer name that a notation's definition gives, such as `keep-too-few`.
    pub kind: Option<Cow<'static, str>>,
    /// What is wrong, in plain words.
    pub message: String,
    /// What to do about it; an expression to write instead is in backticks.
    pub hint: Option<String>,
    /// What the caller can do about it.
    pub remedies: Box<[Remedy]>,
}

impl Fault {
    /// A fault with a message and no hint.
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault { code, kind: None, message: message.into(), hint: None, remedies: Box::default() }
    }

    /// A value of the wrong kind.
    pub fn wrong_type(message: impl Into<String>) -> Fault {
        Fault::new(Code::Type, message)
    }

    /// An operation without a result.
    pub fn runtime(message: impl Into<String>) -> Fault {
        Fault::new(Code::Runtime, message)
    }

    /// An answer that cannot be right: a bug in Tumble, not an error of the caller.
    pub fn mistake(message: impl Into<String>) -> Fault {
        Fault::new(Code::Mistake, message).hint("this is a bug in Tumble; please report it with this expression")
    }

    /// A limit that was reached.
    pub fn limit(message: impl Into<String>) -> Fault {
        Fault::new(Code::Limit, message)
    }

    /// The same fault with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// The same fault with one more remedy.
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

/// An error or a warning for whoever wrote the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of error.
    pub code: Code,
    /// A finer name that a notation's definition gives, such as `keep-too-few`.
    pub kind: Option<Cow<'static, str>>,
    /// What is wrong, in plain words.
    pub message: String,
    /// The place in the expression.
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

    /// The same message with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The same message with one more remedy.
    pub fn remedy(mut self, remedy: Remedy) -> Diagnostic {
        self.remedies = more(self.remedies, remedy);
        self
    }

    /// The same message with a finer name.
    pub fn kind(mut self, kind: impl Into<Cow<'static, str>>) -> Diagnostic {
        self.kind = Some(kind.into());
        self
    }

    /// Other notations in which the expression is valid.
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
