//! What can be asked of a distribution for one number in answer.
//!
//! ```text
//! question = ( "at least" | ">=" | ">" | "at most" | "<=" | "<" ) number | number "+"
//!          | ( "exactly" | "=" ) outcome
//! outcome  = a number, or an outcome of the roll as a table, the notation or JSON spells it, with any blanks
//! ```

use super::series::Series;
use super::{json, labelled};
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;
use tumble_core::{Code, Diagnostic, Span, Value};
use tumble_exact::{Fraction, Odds, Side, number};

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
    /// The question with the outcome spelled as this roll spells it; an error if nothing in this roll is spelled like
    /// it, because "never" would then be said of a slip of the pen.
    pub(super) fn settled<'v>(
        &self,
        values: impl Iterator<Item = &'v Value>,
        series: &Series,
    ) -> Result<Question, Diagnostic> {
        let Question::Exactly(asked) = self else { return Ok(self.clone()) };
        if asked.trim().parse::<i64>().is_ok() {
            return Ok(self.clone());
        }
        let asked = Spelling::new(asked.trim());
        let (mut close, mut loose, mut alike, mut example) = (None, None, false, None);
        for value in values {
            let label = labelled(value, series.prepared().notation());
            let found = Spelling::new(label.trim());
            if found.text == asked.text {
                return Ok(self.clone());
            }
            alike |= asked.shape().next().is_some() && found.shape().eq(asked.shape());
            if found.plain == asked.plain || asked.json(value, series) {
                close.get_or_insert_with(|| label.clone());
            } else if found.members().is_some_and(|members| Some(members) == asked.members()) {
                loose.get_or_insert_with(|| label.clone());
            }
            example.get_or_insert(label);
        }
        match (close.or(loose), example) {
            (Some(label), _) => Ok(Question::Exactly(label)),
            (None, Some(example)) if !alike => Err(no_such(asked.text, &example)),
            _ => Ok(self.clone()),
        }
    }

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

    /// The answer about a number far beyond those listed, where their chances fall off in a known way.
    pub(super) fn far_out(&self, odds: &Odds) -> Option<Fraction> {
        Some(match self {
            Question::AtLeast(n) => odds.between(Some(*n), None)?,
            Question::AtMost(n) => odds.between(None, Some(*n))?,
            Question::Exactly(label) => {
                let n = label.trim().parse().ok()?;
                odds.between(Some(n), Some(n))?
            }
        })
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

/// An outcome as somebody wrote it.
struct Spelling<'t> {
    text: &'t str,
    /// Without blanks, and with one kind of brackets for collections.
    plain: String,
    json: Option<Json>,
}

impl Spelling<'_> {
    fn new(text: &str) -> Spelling<'_> {
        let bracket = |c| match c {
            '{' => '[',
            '}' => ']',
            other => other,
        };
        let plain = text.chars().filter(|c| !c.is_whitespace()).map(bracket).collect();
        // Only what JSON spells in its own way.
        let json = if text.starts_with(['[', '{', '"']) { serde_json::from_str(text).ok() } else { None };
        Spelling { text, plain, json }
    }

    fn json(&self, value: &Value, series: &Series) -> bool {
        self.json.as_ref().is_some_and(|asked| json::value(value, series.prepared().notation()) == *asked)
    }

    /// What is left without numbers: outcomes of one sort mostly have the same.
    fn shape(&self) -> impl Iterator<Item = char> + '_ {
        let number = |c: &char| c.is_ascii_digit() || matches!(c, '-' | ',');
        self.plain.chars().filter(move |c| !number(c))
    }

    /// The numbers of a collection in their order; a notation without order writes them in its own.
    fn members(&self) -> Option<Vec<i64>> {
        let inside = self.plain.strip_prefix('[')?.strip_suffix(']')?;
        let mut members: Vec<i64> = inside.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        members.sort_unstable();
        Some(members)
    }
}

fn no_such(asked: &str, example: &str) -> Diagnostic {
    let asked: String = asked.chars().take(40).collect();
    let message = format!("`{asked}` is not spelled like an outcome of this roll");
    Diagnostic::new(Code::Request, Span::default(), message).hint(format!("one of its outcomes is `{example}`"))
}

#[cfg(test)]
mod tests {
    use crate::render::Series;
    use crate::render::chance::{Chance, Question, chance};
    use crate::{Code, Options, Vars, compile};

    #[test]
    fn an_outcome_may_be_spelled_in_several_ways_and_nothing_else_is_one() {
        for (notation, text, asked, told) in [
            ("troll", "2d2", "[1, 2]", "1/2"),
            ("troll", "2d2", "{1,2}", "1/2"),
            ("troll", "2d2", "{2, 1}", "1/2"),
            ("troll", "2d2", "[1, 3]", "0"),
            ("troll", "2d2", "7", "0"),
            ("tabletop", "d4;d6", "4;6", "1/24"),
            ("tabletop", "d4;d6", r#"{"results": [4, 6]}"#, "1/24"),
            ("tabletop", "d4;d6", "4;7", "0"),
            ("tabletop", "d6", " 6 ", "1/6"),
            ("tabletop", "d6", "7", "0"),
            ("tabletop", "d6", "6.0", "one of its outcomes is `1`"),
            ("tabletop", "d6", "6,5", "one of its outcomes is `1`"),
            ("tabletop", "d6", "", "one of its outcomes is `1`"),
            ("tabletop", "d4;d6", "4 and 6", "one of its outcomes is `1; 1`"),
            ("troll", "2d2", "x", "one of its outcomes is `[1, 1]`"),
        ] {
            let prepared = compile(notation, text, &Vars::new()).unwrap();
            let odds = prepared.odds(&Options::default()).unwrap();
            let found = match chance(&Series::new(prepared, odds), &Question::Exactly(asked.into())) {
                Ok(Chance::Exact(found)) => found.to_string(),
                Ok(other) => panic!("{other:?}"),
                Err(error) => {
                    assert_eq!(error.code, Code::Request);
                    error.hint.unwrap()
                }
            };
            assert_eq!(found, told, "{text}, {asked}");
        }
    }
}
