//! What can be asked of a distribution for one number in answer.
//!
//! ```text
//! question = ( "at least" | ">=" | ">" | "at most" | "<=" | "<" ) number | number "+"
//!          | ( "exactly" | "=" ) outcome
//! ```

use super::labelled;
use super::series::Series;
use std::fmt;
use std::str::FromStr;
use tumble_core::{Code, Diagnostic, Span, Value};
use tumble_exact::{Odds, Side, number};

/// A question about one number.
///
/// ```
/// use tumble::render::chance::Question;
///
/// assert_eq!(">= 15".parse::<Question>()?, Question::AtLeast(15));
/// assert_eq!("at most 8".parse::<Question>()?.to_string(), "at most 8");
/// # Ok::<(), tumble::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// This number or a larger one.
    AtLeast(i64),
    /// This number or a smaller one.
    AtMost(i64),
    /// This outcome, as a table spells it.
    Exactly(String),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::AtLeast(n) => write!(f, "at least {n}"),
            Question::AtMost(n) => write!(f, "at most {n}"),
            Question::Exactly(label) => write!(f, "exactly {label}"),
        }
    }
}

impl FromStr for Question {
    type Err = Diagnostic;

    /// Reads `at least 15`, `>= 15`, `> 14`, `15+`, `at most 8`, `<= 8`, `< 9`, `exactly 7` or `= 7`.
    fn from_str(text: &str) -> Result<Question, Diagnostic> {
        let whole = Span::new(0, text.len());
        let unclear = || {
            Diagnostic::new(Code::Syntax, whole, "this asks for no number").hint("write it like `>= 15` or `at most 8`")
        };
        let number = |rest: &str, more: i64| rest.trim().parse::<i64>().ok().and_then(|n| n.checked_add(more));
        let text = text.trim();
        let after = |word: &str| text.strip_prefix(word);
        let found = if let Some(rest) = after("at least").or(after(">=")) {
            number(rest, 0).map(Question::AtLeast)
        } else if let Some(rest) = after("at most").or(after("<=")) {
            number(rest, 0).map(Question::AtMost)
        } else if let Some(rest) = after(">") {
            number(rest, 1).map(Question::AtLeast)
        } else if let Some(rest) = after("<") {
            number(rest, -1).map(Question::AtMost)
        } else if let Some(rest) = after("exactly").or(after("=")) {
            Some(rest.trim()).filter(|label| !label.is_empty()).map(|label| Question::Exactly(label.to_owned()))
        } else {
            text.strip_suffix('+').and_then(|rest| number(rest, 0)).map(Question::AtLeast)
        };
        found.ok_or_else(unclear)
    }
}

impl Question {
    /// Whether an outcome belongs to the answer; none if it cannot be compared.
    pub(super) fn holds(&self, value: &Value, series: &Series) -> Option<bool> {
        match self {
            Question::AtLeast(n) => number(value).map(|found| found >= *n),
            Question::AtMost(n) => number(value).map(|found| found <= *n),
            Question::Exactly(label) => {
                let same = label.trim().parse::<i64>().is_ok_and(|n| number(value) == Some(n));
                Some(same || labelled(value, series.prepared().notation()).trim() == label.trim())
            }
        }
    }

    /// Whether the unlisted outcomes on this side belong to the answer; none if some may.
    pub(super) fn holds_beyond(&self, odds: &Odds) -> Option<bool> {
        let least = odds.values().next().and_then(number);
        let most = odds.values().next_back().and_then(number);
        match (self, odds.side()) {
            (_, Side::Nowhere) => Some(false),
            (Question::AtLeast(n), Side::Above) => most.filter(|most| *n <= *most).map(|_| true),
            (Question::AtMost(n), Side::Above) => most.filter(|most| *n <= *most).map(|_| false),
            (Question::AtMost(n), Side::Below) => least.filter(|least| *n >= *least).map(|_| true),
            (Question::AtLeast(n), Side::Below) => least.filter(|least| *n >= *least).map(|_| false),
            (Question::Exactly(label), side) => {
                let n: i64 = label.trim().parse().ok()?;
                let inside = match side {
                    Side::Above => most.filter(|most| n <= *most),
                    Side::Below => least.filter(|least| n >= *least),
                    Side::Both => most.filter(|most| n <= *most).and(least.filter(|least| n >= *least)),
                    Side::Anywhere | Side::Nowhere => None,
                };
                inside.map(|_| false)
            }
            (_, Side::Both | Side::Anywhere) => None,
        }
    }
}
