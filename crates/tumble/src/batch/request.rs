//! What is asked, and how it is read from the fields of a request.

use super::document::Document;
use super::fields::{Fields, cut};
use super::roll::{Dice, Roll};
use super::sweep::Sweep;
use super::{FULL, refused};
use crate::ask::{Answer, Query};
use crate::prepared::{Errors, Prepared, no_such_notation};
use crate::render::Series;
use crate::render::chance::Question;
use crate::render::effects::View;
use crate::render::line::Marks;
use crate::sheet::Sheet;
use serde_json::Value as Json;
use tumble_core::Diagnostic;
use tumble_syntax::{Vars, everyday, notation};

/// A request about an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What to do with the expression.
    pub task: Task,
    /// The name of its notation.
    pub notation: String,
    /// The expression.
    pub text: String,
    /// Values given from outside, which take precedence over those of the sheet.
    pub vars: Vars,
    /// Where names without a value may have rolls.
    pub sheet: Sheet,
    /// A name for the roll, which the answer shows.
    pub name: Option<String>,
}

/// What to do with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// `"do":"odds"`
    Odds {
        /// What is wanted besides the outcomes.
        query: Query,
        /// Send a checksum instead of the outcomes.
        digest: bool,
    },
    /// `"do":"odds"` with `at_least`, `at_most`, `between` or `exactly`: one number for each instead of a distribution.
    Chance {
        /// What is wanted besides the numbers.
        query: Query,
        /// What is asked.
        questions: Vec<Question>,
    },
    /// `"do":"odds"` with `format`: a table, a page or a picture.
    Document {
        /// How the odds are found.
        query: Query,
        /// What is asked; the whole distribution if nothing is.
        questions: Vec<Question>,
        /// What is made of them.
        document: Document,
    },
    /// `"do":"odds"` with `sweep`: the same for several values of a variable.
    Sweep {
        /// The variables and their values.
        sweep: Sweep,
        /// What to do for each.
        each: Box<Task>,
    },
    /// `"do":"translate"`
    Translate {
        /// The name of the notation to translate to.
        to: String,
    },
    /// `"do":"roll"`
    Roll(Roll),
}

/// What a request can be about.
const CAN_BE: &str = "`do` can be `odds`, `roll`, `translate`, `check`, `notations`, `run`, `best` or `worth`";

/// The most numbers asked for in one request.
const MOST_QUESTIONS: usize = 1000;

/// The most rolls of one request.
const MOST_TIMES: u64 = 10_000;

/// The most rolls an approximate answer is made of.
const MOST_SAMPLES: u64 = 100_000_000;

impl Request {
    /// Reads a line.
    pub fn read(line: &[u8]) -> Result<Request, Diagnostic> {
        Request::from_fields(&Fields::read(line)?)
    }

    /// An answer under the name of the request, if it has one.
    pub(super) fn series(&self, prepared: Prepared, answer: Answer) -> Series {
        let series = Series::new(prepared, answer);
        match &self.name {
            Some(name) => series.named(name),
            None => series,
        }
    }

    pub(super) fn from_fields(fields: &Fields) -> Result<Request, Diagnostic> {
        let read: fn(&Fields) -> Result<Task, Diagnostic> = match fields.text("do")?.as_deref() {
            Some("odds") => odds,
            Some("roll") => roll,
            Some("translate") if FULL => translate,
            Some(other) => {
                return Err(refused(format!("unknown `do` value `{}`", cut(other))).hint(CAN_BE));
            }
            None => return Err(refused("missing `do`").hint(CAN_BE)),
        };
        fields.check(fields.text("do")?.as_deref().unwrap_or_default())?;
        Ok(Request { task: read(fields)?, ..Request::of_roll(fields)? })
    }

    /// The roll of a request, whatever is to be done with it.
    pub(super) fn of_roll(fields: &Fields) -> Result<Request, Diagnostic> {
        let notation = fields.text("notation")?.unwrap_or_else(|| everyday().name.to_owned());
        let sheet = fields.sheet(&notation)?;
        Ok(Request {
            task: Task::Odds { query: Query::default(), digest: false },
            notation,
            text: fields.text("text")?.ok_or_else(|| refused("missing `text`"))?,
            vars: sheet.numbers().clone(),
            sheet,
            name: fields.text("name")?,
        })
    }

    /// The text, ready to be rolled or counted.
    pub fn prepare(&self) -> Result<Prepared, Errors> {
        let notation = notation(&self.notation).ok_or_else(|| no_such_notation(&self.notation))?;
        self.sheet.prepare(notation, &self.text, &self.vars)
    }
}

fn odds(fields: &Fields) -> Result<Task, Diagnostic> {
    if !FULL {
        return reduced(fields);
    }
    let (query, questions, digest) = (query(fields)?, questions(fields)?, digest(fields)?);
    let sweep = Sweep::read(fields)?;
    let swept = sweep.as_ref().map_or(0, |sweep| sweep.0.len());
    let document = Document::read(fields, View::of(1, swept, !questions.is_empty()))?;
    if !questions.is_empty() {
        fields.idle("return", "together with `at_least`, `at_most`, `between` or `exactly`")?;
    }
    let task = match document {
        None if questions.is_empty() => Task::Odds { query, digest },
        None => Task::Chance { query, questions },
        Some(document) => {
            fields.idle("return", "together with `format`")?;
            Task::Document { query, questions, document }
        }
    };
    Ok(match sweep {
        Some(sweep) => Task::Sweep { sweep, each: Box::new(task) },
        None => task,
    })
}

/// The odds where not everything can be asked for.
fn reduced(fields: &Fields) -> Result<Task, Diagnostic> {
    const LEFT_OUT: &[&str] = &["explain", "verify", "return", "format", "at_least", "at_most", "between", "exactly"];
    if let Some(name) = LEFT_OUT.iter().find(|name| fields.get(name).is_some()) {
        return Err(refused(format!("`{name}` is not available here")));
    }
    let task = Task::Odds { query: query(fields)?, digest: false };
    Ok(match Sweep::read(fields)? {
        Some(sweep) => Task::Sweep { sweep, each: Box::new(task) },
        None => task,
    })
}

fn roll(fields: &Fields) -> Result<Task, Diagnostic> {
    let dice = match fields.get("feed") {
        None => Dice::Seed(fields.count("seed", 0, u64::MAX)?),
        Some(values) => {
            fields.idle("seed", "together with `feed`")?;
            let values: Option<Vec<i64>> = values.as_array().and_then(|all| all.iter().map(Json::as_i64).collect());
            Dice::Feed(values.ok_or_else(|| refused("`feed` must be an array of whole numbers, such as [3,5,6,1]"))?)
        }
    };
    Ok(Task::Roll(Roll {
        dice,
        times: fields.count("times", 1, MOST_TIMES)?,
        marks: fields.choice("render", Marks::ALL)?.unwrap_or_default(),
        luck: fields.truth("luck")?,
    }))
}

fn translate(fields: &Fields) -> Result<Task, Diagnostic> {
    let missing = || refused("missing `to`").hint("`to` is the name of a notation, such as `troll`");
    Ok(Task::Translate { to: fields.text("to")?.ok_or_else(missing)? })
}

fn query(fields: &Fields) -> Result<Query, Diagnostic> {
    let query = Query {
        iterations: fields.count("iterations", 1, u64::MAX)?,
        explain: fields.truth("explain")?,
        verify: fields.truth("verify")?,
        approx: fields.truth("approx")?,
        samples: fields.count("samples", 1, MOST_SAMPLES)?,
        seed: fields.count("seed", 0, u64::MAX)?,
    };
    if query.iterations.is_some() {
        fields.idle("approx", "together with `iterations`, which gives an exact answer or none")?;
    }
    if !query.approx {
        fields.idle("samples", "without `\"approx\":true`")?;
        fields.idle("seed", "without `\"approx\":true`, because exact odds roll no dice")?;
    }
    Ok(query)
}

/// What can be asked for one number, each with what its field holds.
const QUESTIONS: &[(&str, &str)] = &[
    ("at_least", "a whole number"),
    ("at_most", "a whole number"),
    ("between", "a range such as \"7..9\""),
    ("exactly", "an outcome, or an array of those that are meant together"),
];

/// What is asked for one number each: a field is one of them or several.
pub(super) fn questions(fields: &Fields) -> Result<Vec<Question>, Diagnostic> {
    let (mut questions, of_script) = (Vec::new(), fields.get("program").is_some());
    for (name, wants) in QUESTIONS {
        let wrong = || refused(format!("`{name}` must be {wants}, or an array of several"));
        let asked = match fields.get(name) {
            None => continue,
            Some(Json::Array(none)) if none.is_empty() => return Err(wrong()),
            Some(Json::Array(several)) => several.as_slice(),
            Some(one) => std::slice::from_ref(one),
        };
        for value in asked {
            questions.push(question(name, value, of_script).ok_or_else(wrong)?);
        }
    }
    if questions.len() > MOST_QUESTIONS {
        return Err(refused(format!("at most {MOST_QUESTIONS} numbers can be asked for at once")));
    }
    Ok(questions)
}

/// One question of a field; none if it is not one.
fn question(name: &str, value: &Json, of_script: bool) -> Option<Question> {
    let outcome = |value: &Json| match value {
        Json::Number(n) => n.as_i64().map(|n| n.to_string()),
        Json::String(label) => Some(label.clone()),
        // What a script returns may be true, or a record.
        Json::Bool(_) | Json::Object(_) if of_script => Some(value.to_string()),
        Json::Bool(_) | Json::Object(_) | Json::Null | Json::Array(_) => None,
    };
    match (name, value.as_i64(), value.as_str(), value.as_array()) {
        ("at_least", Some(n), ..) => Some(Question::AtLeast(n)),
        ("at_most", Some(n), ..) => Some(Question::AtMost(n)),
        ("between", None, Some(range), _) => {
            let (low, high) = range.split_once("..")?;
            Question::between(low.trim().parse().ok()?, high.trim().parse().ok()?)
        }
        ("exactly", _, _, Some(together)) if !together.is_empty() => {
            Some(Question::AnyOf(together.iter().map(outcome).collect::<Option<_>>()?))
        }
        ("exactly", ..) => outcome(value).map(Question::Exactly),
        _ => None,
    }
}

fn digest(fields: &Fields) -> Result<bool, Diagnostic> {
    Ok(fields.choice("return", &[("outcomes", false), ("digest", true)])?.unwrap_or(false))
}
