//! The vectors of `conformance/`, and what an answer must be to fit one.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use tumble::Fraction;

/// One line of a file of vectors.
pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) vars: Json,
    pub(crate) iterations: u64,
    expected: Expected,
}

enum Expected {
    /// Exact probabilities, and the sum of all that are listed.
    Exact(Vec<(String, Fraction)>, f64),
    /// Probabilities as the reference printed them.
    Approximate(Vec<(String, f64)>, f64),
    /// A roll that can never stop.
    Endless,
    /// No outcome within the allowed nesting.
    NothingListed,
    /// An error while the text is read (true) or run.
    Error { syntax: bool },
}

/// What an engine said, in the words of the vectors.
#[derive(Debug)]
pub(crate) enum Answer {
    Odds { outcomes: Vec<(String, Fraction)>, unresolved: Fraction },
    Error { code: String, message: String, place: Option<(usize, usize)> },
}

/// All vectors for Troll.
pub(crate) fn troll() -> Vec<Vector> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/troll.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let vectors: Vec<Vector> = text.lines().map(|line| Vector::read(&serde_json::from_str(line).unwrap())).collect();
    assert!(vectors.len() > 400, "only {} vectors", vectors.len());
    vectors
}

impl Vector {
    fn read(json: &Json) -> Vector {
        let text = |name: &str| json[name].as_str().unwrap().to_owned();
        Vector {
            id: text("id"),
            text: text("expr"),
            vars: json["vars"].clone(),
            iterations: json["max_iterations"].as_u64().unwrap(),
            expected: Expected::read(json),
        }
    }

    /// The request that asks for its odds.
    pub(crate) fn request(&self) -> Json {
        json!({
            "do": "odds", "notation": "troll", "text": self.text, "vars": self.vars, "iterations": self.iterations
        })
    }

    /// Whether an answer fits; if not, why.
    pub(crate) fn check(&self, answer: &Answer) -> Result<(), String> {
        match (&self.expected, answer) {
            (Expected::Error { syntax }, Answer::Error { code, message, place }) => {
                let fits = if *syntax { &["syntax"][..] } else { &["runtime", "type", "name", "limit"] };
                if !fits.contains(&code.as_str()) {
                    return Err(format!("code `{code}` in place of one of {fits:?}"));
                }
                let inside = place.is_some_and(|(start, end)| start <= end && end <= self.text.len());
                if !inside || message.is_empty() {
                    return Err(format!("place {place:?}, message `{message}`"));
                }
                Ok(())
            }
            (Expected::Endless | Expected::NothingListed, Answer::Error { code, .. }) if code == "endless" => Ok(()),
            (Expected::NothingListed, Answer::Odds { outcomes, unresolved })
                if outcomes.is_empty() && *unresolved == Fraction::one() =>
            {
                Ok(())
            }
            (Expected::Exact(listed, total), Answer::Odds { outcomes, unresolved }) => {
                whole(outcomes, unresolved, *total)?;
                exactly(listed, outcomes)
            }
            (Expected::Approximate(listed, total), Answer::Odds { outcomes, unresolved }) => {
                whole(outcomes, unresolved, *total)?;
                nearly(listed, outcomes)
            }
            (_, Answer::Error { code, message, .. }) => Err(format!("{code}: {message}")),
            (_, Answer::Odds { outcomes, unresolved }) => {
                Err(format!("{} outcomes and {unresolved} unlisted in place of an error", outcomes.len()))
            }
        }
    }
}

impl Expected {
    fn read(json: &Json) -> Expected {
        if let Some(class) = json["error_class"].as_str() {
            return Expected::Error { syntax: class == "syntax" };
        }
        let note = json["note"].as_str().unwrap_or_default();
        if note.contains("non-terminating") {
            return Expected::Endless;
        }
        let total = json["total"].as_f64().unwrap_or(1.0);
        if total == 0.0 {
            return Expected::NothingListed;
        }
        let rows =
            |name: &str| json[name].as_array().map(|rows| rows.iter().map(|row| (same(&row[0]), row[1].clone())));
        if let Some(rows) = rows("dist_exact") {
            let listed = rows.map(|(outcome, chance)| (outcome, chance.as_str().unwrap().parse().unwrap()));
            return Expected::Exact(listed.collect(), total);
        }
        let listed = rows("dist").unwrap().map(|(outcome, chance)| (outcome, chance.as_f64().unwrap()));
        Expected::Approximate(listed.collect(), total)
    }
}

impl Answer {
    /// An answer of `tumble batch`.
    pub(crate) fn read(json: &Json) -> Answer {
        if json["ok"] == true {
            let rows = json["outcomes"].as_array().unwrap().iter();
            let fraction = |json: &Json| json.as_str().unwrap().parse().unwrap();
            return Answer::Odds {
                outcomes: rows.map(|row| (same(&row[0]), fraction(&row[1]))).collect(),
                unresolved: fraction(&json["unresolved"]),
            };
        }
        let error = &json["error"];
        let offset = |name: &str| error[name].as_u64().map(|n| n as usize);
        Answer::Error {
            code: error["code"].as_str().unwrap().to_owned(),
            message: error["message"].as_str().unwrap().to_owned(),
            place: offset("start").zip(offset("end")),
        }
    }
}

/// One spelling for values that are the same: a number is a collection of one.
pub(crate) fn same(outcome: &Json) -> String {
    fn wrap(outcome: &Json) -> Json {
        match outcome {
            Json::Number(n) => json!([n]),
            Json::Object(fields) => {
                let inside = |items: &Json| items.as_array().unwrap().iter().map(wrap).collect::<Vec<_>>();
                fields.iter().map(|(name, items)| (name.clone(), json!(inside(items)))).collect()
            }
            other => other.clone(),
        }
    }
    wrap(outcome).to_string()
}

/// Listed and unlisted are one together, and as much is listed as the vector says.
fn whole(outcomes: &[(String, Fraction)], unresolved: &Fraction, total: f64) -> Result<(), String> {
    let sum = outcomes.iter().fold(unresolved.clone(), |sum, (_, chance)| &sum + chance);
    if sum != Fraction::one() {
        return Err(format!("listed and unlisted are {sum} together"));
    }
    if (unresolved.to_f64() - (1.0 - total)).abs() > 1e-9 {
        return Err(format!("{} is unlisted in place of {}", unresolved.to_f64(), 1.0 - total));
    }
    Ok(())
}

fn exactly(listed: &[(String, Fraction)], outcomes: &[(String, Fraction)]) -> Result<(), String> {
    let wanted: BTreeMap<_, _> = listed.iter().filter(|(_, chance)| !chance.is_zero()).cloned().collect();
    let given: BTreeMap<_, _> = outcomes.iter().cloned().collect();
    if given.len() != outcomes.len() {
        return Err("an outcome is listed twice".into());
    }
    for outcome in wanted.keys().chain(given.keys()) {
        let (wanted, given) = (wanted.get(outcome), given.get(outcome));
        if wanted != given {
            let show = |chance: Option<&Fraction>| chance.map_or("nothing".to_owned(), Fraction::to_string);
            return Err(format!("P({outcome}) is {} in place of {}", show(given), show(wanted)));
        }
    }
    Ok(())
}

/// The reference computes with floats: one billionth off, or for rare outcomes one part in 10^15 of
/// the whole, which it may also leave out.
fn nearly(listed: &[(String, f64)], outcomes: &[(String, Fraction)]) -> Result<(), String> {
    let wanted: BTreeMap<&str, f64> = listed.iter().map(|(outcome, chance)| (outcome.as_str(), *chance)).collect();
    let given: BTreeMap<&str, f64> =
        outcomes.iter().map(|(outcome, chance)| (outcome.as_str(), chance.to_f64())).collect();
    for outcome in wanted.keys().chain(given.keys()) {
        let wanted = wanted.get(outcome).copied().unwrap_or(0.0);
        let given = given.get(outcome).copied().unwrap_or(0.0);
        if (wanted - given).abs() > f64::max(1e-9 * wanted.max(given), 1e-15) {
            return Err(format!("P({outcome}) is {given} in place of {wanted}"));
        }
    }
    Ok(())
}

/// Checks every vector and tells all that fail.
pub(crate) fn check_all(vectors: &[Vector], mut answer: impl FnMut(&Vector) -> Answer) {
    let failed: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let why = vector.check(&answer(vector)).err()?;
            Some(format!("{}: {:?}: {why}", vector.id, vector.text))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} vectors fail:\n{}", failed.len(), vectors.len(), failed.join("\n"));
}
