//! What can be asked of a distribution for one number in answer.
//!
//! ```text
//! question = ( "at least" | ">=" | ">" | "at most" | "<=" | "<" ) number | number "+"
//!          | "between" number "and" number | number ".." number             both ends belong to it
//!          | ( "exactly" | "=" ) outcome { "," outcome }                    any of them
//! outcome  = a number, or an outcome of the roll as a table, the notation or JSON spells it, with any blanks
//! ```
//!
//! An outcome may have commas of its own, such as `[1, 2]` or a word. So what is asked for is taken as one outcome
//! if the roll has one like it, and is split at the commas outside brackets and quotes if not.

use super::series::Series;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;
use tumble_core::{Code, Diagnostic, Span, Value};
use tumble_exact::{Fraction, Odds, number, ratio};

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
    /// One of these numbers, from the first to the second.
    Between(i64, i64),
    /// This outcome, as a table spells it, or any of several separated by commas.
    Exactly(String),
    /// Any of these outcomes.
    AnyOf(Vec<String>),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::AtLeast(n) => write!(f, "at least {n}"),
            Question::AtMost(n) => write!(f, "at most {n}"),
            Question::Between(low, high) => write!(f, "between {low} and {high}"),
            Question::Exactly(label) => match split(label).as_slice() {
                [] | [_] => write!(f, "exactly {label}"),
                several => write!(f, "{}", either(several)),
            },
            Question::AnyOf(labels) => write!(f, "{}", either(labels)),
        }
    }
}

/// `7, 9 or 11`
fn either<T: AsRef<str>>(labels: &[T]) -> String {
    let labels: Vec<&str> = labels.iter().map(|label| label.as_ref().trim()).collect();
    match labels.as_slice() {
        [] => "nothing".to_owned(),
        [one] => format!("exactly {one}"),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// What is between the commas outside brackets and quotes.
fn split(label: &str) -> Vec<String> {
    let (mut pieces, mut depth, mut quoted) = (vec![String::new()], 0usize, false);
    for c in label.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                pieces.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces.into_iter().map(|piece| piece.trim().to_owned()).collect()
}

impl FromStr for Question {
    type Err = Diagnostic;

    /// Reads `at least 15`, `>= 15`, `> 14`, `15+`, `at most 8`, `<= 8`, `< 9`, `between 7 and 9`, `7..9`, `exactly 7`,
    /// `= 7` or `= 7, 11`.
    fn from_str(text: &str) -> Result<Question, Diagnostic> {
        let whole = Span::new(0, text.len());
        let unclear = || {
            Diagnostic::new(Code::Syntax, whole, "this is not a question about an outcome")
                .hint("write it like `>= 15` or `at most 8`")
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
        } else if let Some((low, high)) = after("between").and_then(|rest| rest.split_once(" and ")) {
            number(low, 0).zip(number(high, 0)).and_then(|(low, high)| Question::between(low, high))
        } else if let Some((low, high)) = text.split_once("..") {
            number(low, 0).zip(number(high, 0)).and_then(|(low, high)| Question::between(low, high))
        } else {
            text.strip_suffix('+').and_then(|rest| number(rest, 0)).map(Question::AtLeast)
        };
        found.ok_or_else(unclear)
    }
}

impl Question {
    /// One of the numbers from `low` to `high`; none if there are none.
    pub fn between(low: i64, high: i64) -> Option<Question> {
        (low <= high).then_some(Question::Between(low, high))
    }

    /// The question with the outcomes spelled as this roll spells them; an error if nothing in this roll is spelled like
    /// one of them, because "never" would then be the answer to a typo.
    pub(super) fn settled<'v>(
        &self,
        values: impl Iterator<Item = &'v Value> + Clone,
        series: &Series,
    ) -> Result<Question, Diagnostic> {
        match self {
            Question::Exactly(asked) => match (self.settled_whole(values.clone(), series), split(asked)) {
                (Err(_), several) if several.len() > 1 => any_of(&several, values, series),
                (found, _) => found,
            },
            Question::AnyOf(several) => any_of(several, values, series),
            Question::AtLeast(_) | Question::AtMost(_) | Question::Between(..) => Ok(self.clone()),
        }
    }

    /// The same for what is asked for as one outcome.
    fn settled_whole<'v>(
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
            let label = series.label(value);
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
            Question::AtLeast(n) => ratio(value).map(|found| found >= (*n).into()),
            Question::AtMost(n) => ratio(value).map(|found| found <= (*n).into()),
            Question::Between(low, high) => ratio(value).map(|found| found >= (*low).into() && found <= (*high).into()),
            Question::Exactly(label) => Some(is(value, label, series)),
            Question::AnyOf(labels) => Some(labels.iter().any(|label| is(value, label, series))),
        }
    }

    /// The exact chance, though some outcomes are not listed; none where one of those may or may not belong to it.
    pub(super) fn known(&self, odds: &Odds) -> Option<Fraction> {
        let one = |label: &String| {
            let n = label.trim().parse().ok()?;
            odds.between(Some(n), Some(n))
        };
        match self {
            Question::AtLeast(n) => odds.between(Some(*n), None),
            Question::AtMost(n) => odds.between(None, Some(*n)),
            Question::Between(low, high) => odds.between(Some(*low), Some(*high)),
            Question::Exactly(label) => one(label),
            Question::AnyOf(labels) => labels.iter().try_fold(Fraction::zero(), |sum, label| Some(&sum + &one(label)?)),
        }
    }
}

/// Whether an outcome is spelled like this.
fn is(value: &Value, label: &str, series: &Series) -> bool {
    let same = label.trim().parse::<i64>().is_ok_and(|n| number(value) == Some(n));
    same || series.label(value).trim() == label.trim()
}

/// Any of these outcomes, each settled and each once.
fn any_of<'v>(
    several: &[String],
    values: impl Iterator<Item = &'v Value> + Clone,
    series: &Series,
) -> Result<Question, Diagnostic> {
    let mut labels: Vec<String> = Vec::new();
    for one in several {
        if one.trim().is_empty() {
            let error = Diagnostic::new(Code::Request, Span::default(), "missing outcome beside a comma");
            return Err(error.hint("write outcomes like 7,11"));
        }
        if let Question::Exactly(label) = Question::Exactly(one.clone()).settled_whole(values.clone(), series)? {
            let same = |known: &String| match (known.trim().parse::<i64>(), label.trim().parse::<i64>()) {
                (Ok(known), Ok(new)) => known == new,
                _ => known.trim() == label.trim(),
            };
            if !labels.iter().any(same) {
                labels.push(label);
            }
        }
    }
    Ok(Question::AnyOf(labels))
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
        self.json.as_ref().is_some_and(|asked| series.json(value) == *asked)
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
    let message = format!("`{asked}` is not an outcome of this roll");
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
            ("tabletop", "d6", "6,5", "1/3"),
            ("tabletop", "d6", "6, 06,6", "1/6"),
            ("tabletop", "d6", "6,x", "one of its outcomes is `1`"),
            ("tabletop", "d6!", "5, 7", "7/36"),
            ("troll", "2d2", "[1, 2], [2,2]", "3/4"),
            ("troll", "2d2", "{2, 1},[1,1]", "3/4"),
            ("tabletop", "d4;d6", "4;6, 1;1", "1/12"),
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
