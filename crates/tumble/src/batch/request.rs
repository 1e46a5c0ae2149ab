//! What is asked, and how it is read from a line of JSON.

use crate::ask::Wanted;
use crate::render::chance::Question;
use crate::values::flat;
use serde_json::{Map, Value as Json};
use tumble_core::{Code, Diagnostic, Span};
use tumble_syntax::{Vars, everyday};

/// A question about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What to do with it.
    pub task: Task,
    /// The name of its notation.
    pub notation: String,
    /// The text.
    pub text: String,
    /// Values given from outside.
    pub vars: Vars,
}

/// What to do with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// `"do":"odds"`
    Odds {
        /// What is wanted besides the outcomes.
        wanted: Wanted,
        /// Send a checksum in place of the outcomes.
        digest: bool,
    },
    /// `"do":"odds"` with `at_least`, `at_most` or `exactly`: one number for each in place of a distribution.
    Chance {
        /// What is wanted besides the numbers.
        wanted: Wanted,
        /// What is asked.
        questions: Vec<Question>,
    },
    /// `"do":"translate"`
    Translate {
        /// The name of the notation to translate to.
        to: String,
    },
    /// `"do":"roll"`
    Roll {
        /// Where the dice come from; from the system without it.
        seed: Option<u64>,
        /// A series of rolls in place of one.
        times: Option<u64>,
    },
}

/// What a request can be about.
const CAN_BE: &str = "`do` can be `odds`, `roll` or `translate`";

/// The most numbers asked for in one request.
const MOST_QUESTIONS: usize = 1000;

/// The most rolls of one request.
const MOST_TIMES: u64 = 10_000;

/// The most rolls an approximate answer is made of.
const MOST_SAMPLES: u64 = 100_000_000;

impl Request {
    /// Reads a line.
    pub fn read(line: &[u8]) -> Result<Request, Diagnostic> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let text = std::str::from_utf8(line)
            .map_err(|error| refused(format!("the line is not UTF-8 text (byte {})", error.valid_up_to())))?;
        let json: Json = serde_json::from_str(text)
            .map_err(|error| refused(format!("the line is not JSON, at column {}", error.column().max(1))))?;
        let Json::Object(fields) = json else {
            return Err(refused("a request is a JSON object")
                .hint("for example `{\"do\":\"odds\",\"notation\":\"troll\",\"text\":\"sum 2d6\"}`"));
        };
        Request::from_fields(&Fields(fields))
    }

    fn from_fields(fields: &Fields) -> Result<Request, Diagnostic> {
        let task = match fields.text("do")?.as_deref() {
            Some("odds") => match fields.questions()? {
                none if none.is_empty() => Task::Odds { wanted: fields.wanted()?, digest: fields.digest()? },
                questions => Task::Chance { wanted: fields.wanted()?, questions },
            },
            Some("translate") => Task::Translate {
                to: fields.text("to")?.ok_or_else(|| {
                    refused("`to` is missing").hint("`to` is the name of a notation, such as `troll`")
                })?,
            },
            Some("roll") => {
                Task::Roll { seed: fields.count("seed", 0, u64::MAX)?, times: fields.count("times", 1, MOST_TIMES)? }
            }
            Some("run") => return Err(refused(format!("scripts are not there yet: {CAN_BE}"))),
            Some(other) => {
                return Err(refused(format!("there is nothing to `do` called `{}`", cut(other))).hint(CAN_BE));
            }
            None => return Err(refused("`do` is missing").hint(CAN_BE)),
        };
        Ok(Request {
            task,
            notation: fields.text("notation")?.unwrap_or_else(|| everyday().name.to_owned()),
            text: fields.text("text")?.ok_or_else(|| refused("`text` is missing"))?,
            vars: fields.vars()?,
        })
    }
}

struct Fields(Map<String, Json>);

impl Fields {
    /// A field; null is the same as none.
    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Result<Option<String>, Diagnostic> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(refused(format!("`{name}` must be a text"))),
        }
    }

    fn count(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Diagnostic> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value.as_u64() {
            Some(n) if (least..=most).contains(&n) => Ok(Some(n)),
            _ if most == u64::MAX => Err(refused(format!("`{name}` must be a whole number from {least}"))),
            _ => Err(refused(format!("`{name}` must be a whole number from {least} to {most}"))),
        }
    }

    fn truth(&self, name: &str) -> Result<bool, Diagnostic> {
        match self.get(name) {
            None => Ok(false),
            Some(Json::Bool(truth)) => Ok(*truth),
            Some(_) => Err(refused(format!("`{name}` must be true or false"))),
        }
    }

    fn wanted(&self) -> Result<Wanted, Diagnostic> {
        Ok(Wanted {
            iterations: self.count("iterations", 1, u64::MAX)?,
            explain: self.truth("explain")?,
            verify: self.truth("verify")?,
            approx: self.truth("approx")?,
            samples: self.count("samples", 1, MOST_SAMPLES)?,
            seed: self.count("seed", 0, u64::MAX)?,
        })
    }

    /// What is asked for one number each: a field is one of them or several.
    fn questions(&self) -> Result<Vec<Question>, Diagnostic> {
        let mut questions = Vec::new();
        for (name, wants) in [("at_least", "a whole number"), ("at_most", "a whole number"), ("exactly", "an outcome")]
        {
            let asked = match self.get(name) {
                None => &[],
                Some(Json::Array(several)) => several.as_slice(),
                Some(one) => std::slice::from_ref(one),
            };
            for value in asked {
                let question = match (name, value.as_i64(), value.as_str()) {
                    ("at_least", Some(n), _) => Question::AtLeast(n),
                    ("at_most", Some(n), _) => Question::AtMost(n),
                    ("exactly", Some(n), _) => Question::Exactly(n.to_string()),
                    ("exactly", None, Some(label)) => Question::Exactly(label.to_owned()),
                    _ => return Err(refused(format!("`{name}` must be {wants}, or an array of them"))),
                };
                questions.push(question);
            }
        }
        if questions.len() > MOST_QUESTIONS {
            return Err(refused(format!("at most {MOST_QUESTIONS} numbers can be asked for at once")));
        }
        Ok(questions)
    }

    fn digest(&self) -> Result<bool, Diagnostic> {
        match self.text("return")?.as_deref() {
            None | Some("outcomes") => Ok(false),
            Some("digest") => Ok(true),
            Some(_) => Err(refused("`return` can be `outcomes` or `digest`")),
        }
    }

    fn vars(&self) -> Result<Vars, Diagnostic> {
        let Some(vars) = self.get("vars") else { return Ok(Vars::new()) };
        let vars = vars.as_object().ok_or_else(|| refused("`vars` must be an object of names and numbers"))?;
        // Texts inside a sheet are no mistake, but a variable that is given by itself is meant to be used.
        let usable = |value: &Json| value.is_i64() || value.is_boolean() || value.is_object() || value.is_array();
        match vars.iter().find(|(_, value)| !usable(value)) {
            Some((name, _)) => Err(refused(format!("the variable `{}` must be a whole number of 64 bits", cut(name)))),
            None => flat(vars),
        }
    }
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}

/// As much of a given text as fits a message.
fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
