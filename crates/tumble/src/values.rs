//! Values from outside: an object of JSON, as deep as a character sheet is.
//!
//! ```text
//! {"str": 3, "skill": {"stealth": 5}, "slots": [4, 2]}
//! str = 3    skill.stealth = 5    slots.0 = 4    slots.1 = 2
//! ```
//!
//! True and false are 1 and 0. A sheet also holds text and fractions: they are left out, because a roll
//! cannot use them; [`unusable`] gives what a sheet has there instead.

use serde_json::{Map, Value as Json};
use tumble_core::{Code, Diagnostic, Span};
use tumble_syntax::Vars;

/// Deeper sheets are refused.
const DEEPEST: usize = 32;

/// Reads the values of a JSON document.
///
/// ```
/// let vars = tumble::values(r#"{"name": "Mia", "skill": {"stealth": 5}}"#)?;
/// assert_eq!(vars["skill.stealth"], 5);
/// # Ok::<(), tumble::Diagnostic>(())
/// ```
pub fn values(text: &str) -> Result<Vars, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str(text) {
        Ok(Json::Object(fields)) => flat(&fields),
        Ok(_) => Err(refused("values must be a JSON object, such as {\"str\": 3}")),
        Err(error) => Err(refused(format!(
            "the values are not JSON, at line {}, column {}",
            error.line().max(1),
            error.column().max(1)
        ))),
    }
}

/// What a sheet has under a name, if that is not a whole number.
///
/// ```
/// assert_eq!(tumble::unusable(r#"{"skill": {"stealth": 1.5}}"#, "skill.stealth").as_deref(), Some("1.5"));
/// ```
pub fn unusable(text: &str, name: &str) -> Option<String> {
    let sheet: Json = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    let inside = |found: &Json, part: &str| match found {
        Json::Object(fields) => fields.get(part).cloned(),
        Json::Array(items) => items.get(part.parse::<usize>().ok()?).cloned(),
        _ => None,
    };
    match name.split('.').try_fold(sheet, |found, part| inside(&found, part))? {
        Json::Number(number) if number.as_i64().is_none() => Some(number.to_string()),
        text @ Json::String(_) => Some(text.to_string()),
        _ => None,
    }
}

/// The numbers of an object, each by its names joined with dots.
pub(crate) fn flat(fields: &Map<String, Json>) -> Result<Vars, Diagnostic> {
    let mut vars = Vars::new();
    fields.iter().try_for_each(|(name, value)| add(name.clone(), value, 0, &mut vars))?;
    Ok(vars)
}

fn add(name: String, value: &Json, depth: usize, vars: &mut Vars) -> Result<(), Diagnostic> {
    if depth > DEEPEST {
        return Err(refused(format!("the values are nested more than {DEEPEST} deep")));
    }
    let inner = |part: &dyn std::fmt::Display| format!("{name}.{part}");
    match value {
        Json::Object(fields) => {
            fields.iter().try_for_each(|(part, value)| add(inner(part), value, depth + 1, vars))?;
        }
        Json::Array(items) => {
            items.iter().enumerate().try_for_each(|(i, value)| add(inner(&i), value, depth + 1, vars))?;
        }
        Json::Bool(truth) => drop(vars.insert(name, i64::from(*truth))),
        Json::Number(number) => drop(number.as_i64().map(|n| vars.insert(name, n))),
        Json::Null | Json::String(_) => {}
    }
    Ok(())
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_becomes_names_with_dots() {
        let sheet =
            r#"{"a": 1, "b": {"c": -2, "d": {"e": true}}, "f": [4, {"g": 5}], "name": "x", "h": 1.5, "i": null}"#;
        let wanted = [("a", 1), ("b.c", -2), ("b.d.e", 1), ("f.0", 4), ("f.1.g", 5)];
        assert_eq!(values(sheet).unwrap(), wanted.map(|(name, n)| (name.to_owned(), n)).into());
    }

    #[test]
    fn what_is_no_sheet_is_refused() {
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        for text in ["", "[]", "3", "{", "{\"a\": }", &deep] {
            assert_eq!(values(text).unwrap_err().code, Code::Request, "{text}");
        }
    }
}
