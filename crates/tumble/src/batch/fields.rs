//! The fields of a request: which there are, which belong to what is to be done, and what each may hold.
//!
//! A field that nobody knows is refused, and so is one that would change nothing: whoever sends it expects it to do
//! something, and a plausible answer to another question is worse than none.

use super::refused;
use crate::sheet::{Sheet, can_be_roll};
use serde_json::{Map, Value as Json};
use tumble_core::Diagnostic;
use tumble_syntax::{everyday, nearest};

/// The fields of every request.
const EVERY: &[&str] = &["id", "do", "text", "notation", "vars"];

/// The fields of a request to run a script.
pub(super) const RUN: &[&str] =
    &["id", "do", "program", "entry", "args", "answers", "dice", "edits", "feed", "seed", "version", "strict"];

/// What can be done, each with its own fields.
const TASKS: &[(&str, &[&str])] = &[
    (
        "odds",
        &[
            "at_least",
            "at_most",
            "between",
            "exactly",
            "name",
            "sweep",
            "format",
            "look",
            "iterations",
            "explain",
            "verify",
            "approx",
            "samples",
            "seed",
            "return",
        ],
    ),
    ("roll", &["seed", "times", "feed", "luck", "render"]),
    ("translate", &["to"]),
    ("check", &[]),
];

/// An object of a request.
pub(super) struct Fields(Map<String, Json>);

impl From<Map<String, Json>> for Fields {
    fn from(fields: Map<String, Json>) -> Fields {
        Fields(fields)
    }
}

impl Fields {
    /// Reads a line.
    pub(super) fn read(line: &[u8]) -> Result<Fields, Diagnostic> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let text = std::str::from_utf8(line)
            .map_err(|error| refused(format!("the line is not UTF-8 text (byte {})", error.valid_up_to())))?;
        let json: Json = serde_json::from_str(text).map_err(|error| refused(unreadable(&error)))?;
        match json {
            Json::Object(fields) => Ok(Fields(fields)),
            _ => Err(refused("a request is a JSON object").hint("for example `{\"do\":\"roll\",\"text\":\"2d6\"}`")),
        }
    }

    /// An object inside a request.
    pub(super) fn inside(&self, name: &str) -> Result<Option<Fields>, Diagnostic> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Object(fields)) => Ok(Some(Fields(fields.clone()))),
            Some(_) => Err(refused(format!("`{name}` must be an object"))),
        }
    }

    /// The field that tells requests apart, if it is one that can be echoed.
    pub(super) fn id(&self) -> Option<&Json> {
        self.get("id").filter(|id| id.is_string() || id.is_number())
    }

    /// Refuses an `id` that can't be echoed.
    pub(super) fn check_id(&self) -> Result<(), Diagnostic> {
        match (self.get("id"), self.id()) {
            (Some(_), None) => Err(refused("`id` must be a string or a number")),
            _ => Ok(()),
        }
    }

    /// Refuses what is no field of this task.
    pub(super) fn check(&self, task: &str) -> Result<(), Diagnostic> {
        if task == "run" {
            return self.only(RUN);
        }
        let own = TASKS.iter().find(|(name, _)| *name == task).map_or(&[] as &[&str], |(_, fields)| fields);
        let known: Vec<&str> = EVERY.iter().chain(own).copied().collect();
        for (name, value) in self.0.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            let homes = TASKS.iter().filter(|(_, fields)| fields.contains(&name.as_str()));
            let homes: Vec<String> = homes.map(|(home, _)| format!("`{home}`")).collect();
            if homes.is_empty() {
                return Err(unknown(name, &known));
            }
            if !value.is_null() {
                let message = format!("`{name}` has no effect on `{task}`");
                return Err(refused(message).hint(format!("it works with {}", homes.join(" and "))));
            }
        }
        Ok(())
    }

    /// Refuses everything but these fields, in an object inside a request.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Diagnostic> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown(name, known)),
            None => Ok(()),
        }
    }

    /// Refuses a field that does nothing, for this reason.
    pub(super) fn idle(&self, name: &str, why: &str) -> Result<(), Diagnostic> {
        match self.get(name) {
            None | Some(Json::Bool(false)) => Ok(()),
            Some(_) => Err(refused(format!("`{name}` has no effect {why}"))),
        }
    }

    /// The names of the fields that hold something.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A field; null is the same as none.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Diagnostic> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(refused(format!("`{name}` must be a string"))),
        }
    }

    pub(super) fn count(&self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Diagnostic> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value.as_u64() {
            Some(n) if (least..=most).contains(&n) => Ok(Some(n)),
            _ => Err(refused(format!("`{name}` must be a whole number from {least} to {most}"))),
        }
    }

    pub(super) fn truth(&self, name: &str) -> Result<bool, Diagnostic> {
        match self.get(name) {
            None => Ok(false),
            Some(Json::Bool(truth)) => Ok(*truth),
            Some(_) => Err(refused(format!("`{name}` must be true or false"))),
        }
    }

    /// One of several things with names.
    pub(super) fn choice<T: Copy>(&self, name: &str, all: &[(&str, T)]) -> Result<Option<T>, Diagnostic> {
        self.text(name)?.map(|given| chosen(name, &given, all)).transpose()
    }

    /// The values from outside, for a roll in this notation.
    pub(super) fn sheet(&self, notation: &str) -> Result<Sheet, Diagnostic> {
        let Some(vars) = self.get("vars") else { return Ok(Sheet::default()) };
        let vars = vars.as_object().ok_or_else(|| refused("`vars` must be an object of names and values"))?;
        // Anything may be inside a sheet, but a value that is given by itself is meant to be used.
        let useless = |value: &Json| match value {
            Json::String(roll) => notation != everyday().name || !can_be_roll(roll),
            Json::Number(number) => !number.is_i64(),
            Json::Null => true,
            Json::Bool(_) | Json::Object(_) | Json::Array(_) => false,
        };
        match vars.iter().find(|(_, value)| useless(value)) {
            Some((name, _)) if notation == everyday().name => {
                let message = format!("the variable `{}` is neither a 64-bit whole number nor a roll", cut(name));
                Err(refused(message))
            }
            Some((name, _)) => Err(refused(format!("the variable `{}` must be a 64-bit whole number", cut(name)))),
            None => Sheet::new(vars),
        }
    }
}

/// Why a line is no request.
fn unreadable(error: &serde_json::Error) -> String {
    let what = match error.to_string() {
        told if told.starts_with("recursion limit") => "the line is nested too deeply",
        told if told.starts_with("number out of range") => "the line has a number that is out of range",
        _ => "the line is not JSON",
    };
    format!("{what}, at column {}", error.column().max(1))
}

/// The thing with this name.
pub(super) fn chosen<T: Copy>(name: &str, given: &str, all: &[(&str, T)]) -> Result<T, Diagnostic> {
    let found = all.iter().find(|(known, _)| *known == given).map(|(_, thing)| *thing);
    found.ok_or_else(|| {
        let known: Vec<String> = all.iter().map(|(known, _)| format!("`{known}`")).collect();
        let known = match known.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
            few => few.concat(),
        };
        let not = if given.is_empty() { String::new() } else { format!(", not `{}`", cut(given)) };
        refused(format!("`{name}` must be {known}{not}"))
    })
}

/// A field that nobody knows, and the one that was most likely meant.
fn unknown(name: &str, known: &[&str]) -> Diagnostic {
    let hint = match nearest(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("known fields: {}", known.join(", ")),
    };
    refused(format!("unknown field `{}`", cut(name))).hint(hint)
}

/// As much of a given text as fits a message.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
