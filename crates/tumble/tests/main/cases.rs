//! The vectors of the notations besides Troll, through the library and through the batch function.
//!
//! A file `conformance/NAME.jsonl` or `NAME-….jsonl` holds one text per line with what is known of it:
//!
//! ```text
//! dist              every outcome with its probability, all of it
//!   truncation      … with chains cut after max_links more dice; the rest is the tail
//!   truncated_above … up to this outcome, without end; the rest is the tail
//! mean              the exact mean alone, for rolls without end
//! result, text      the only outcome, and how it is written; with multi, several results
//! error             true, or the kind or code of the error; error_alt lists others that fit
//! ```

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use tumble::batch::{Settings, answer};
use tumble::render::{json, spelled};
use tumble::{Fraction, Limits, Options, Vars, compile};

/// How many vectors there must be in the files that were given to us.
const GIVEN: &[(&str, usize)] = &[("yadn", 345), ("alea", 169), ("nice-dice", 193)];

struct Case {
    place: String,
    notation: &'static str,
    line: Json,
}

fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.ends_with(".jsonl") && !file.starts_with("troll")) {
        let name = file.trim_end_matches(".jsonl");
        let notation = tumble::notation(name).or_else(|| tumble::notation(name.split('-').next()?)).unwrap();
        let lines = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        let case = |(number, line): (usize, &str)| Case {
            place: format!("{file}:{}", number + 1),
            notation: notation.name,
            line: serde_json::from_str(line).unwrap(),
        };
        let before = cases.len();
        cases.extend(lines.lines().enumerate().map(case));
        if let Some((_, given)) = GIVEN.iter().find(|(name, _)| *file == format!("{name}.jsonl")) {
            assert_eq!(cases.len() - before, *given, "{file}");
        }
    }
    cases
}

impl Case {
    fn text(&self) -> &str {
        self.line["expr"].as_str().unwrap()
    }

    fn vars(&self) -> Vars {
        let vars = self.line["vars"].as_object();
        vars.into_iter().flatten().map(|(name, value)| (name.clone(), value.as_i64().unwrap())).collect()
    }

    /// How many rolls of a chain are allowed: the first and so many links.
    fn iterations(&self) -> Option<u64> {
        self.line["truncation"]["max_links"].as_u64().map(|links| links + 1)
    }

    fn check(&self, answer: &Json) -> Result<(), String> {
        match &self.line["error"] {
            Json::Null if answer["ok"] == true => self.check_odds(answer),
            Json::Null => Err(answer["error"].to_string()),
            _ if answer["ok"] == true => Err("there is an answer in place of an error".into()),
            error => {
                let place =
                    |name: &str| answer["error"][name].as_u64().is_some_and(|at| at <= self.text().len() as u64);
                let other = self.line["error_alt"].as_array().into_iter().flatten();
                let given = [&answer["error"]["kind"], &answer["error"]["code"]];
                let fits = *error == true || other.chain([error]).any(|wanted| given.contains(&wanted));
                if fits && place("start") && place("end") { Ok(()) } else { Err(answer["error"].to_string()) }
            }
        }
    }

    fn check_odds(&self, answer: &Json) -> Result<(), String> {
        let fraction = |json: &Json| json.as_str().unwrap().parse::<Fraction>().unwrap();
        let table = |rows: &[Json], wrap: bool| -> BTreeMap<String, Fraction> {
            let outcome = |value: &Json| if wrap { json!({ "results": value }) } else { value.clone() };
            rows.iter().map(|row| (outcome(&row[0]).to_string(), fraction(&row[1]))).collect()
        };
        if let Some(mean) = self.line["mean"].as_str() {
            let fits = answer["mean"] == mean && answer["exact"] == true;
            return if fits { Ok(()) } else { Err(format!("mean {} in place of {mean}", answer["mean"])) };
        }
        let multi = self.line["multi"] == true;
        let wanted = match self.line["dist"].as_array() {
            Some(rows) => table(rows, multi),
            None => table(&[json!([self.line["result"], "1"])], multi),
        };
        let mut given = answer["outcomes"].as_array().unwrap().clone();
        let mut unlisted = fraction(&answer["unresolved"]);
        if let Some(bound) = self.line["truncated_above"].as_i64() {
            let beyond = |row: &Json| row[0].as_i64().is_some_and(|n| n > bound);
            unlisted = given.iter().filter(|row| beyond(row)).fold(unlisted, |sum, row| &sum + &fraction(&row[1]));
            given.retain(|row| !beyond(row));
        }
        let given = table(&given, false);
        let tail = [&self.line["tail"], &self.line["truncation"]["tail"]].into_iter().find(|tail| tail.is_string());
        let tail = tail.map_or_else(Fraction::zero, fraction);
        if answer["exact"] != true {
            return Err("the answer is not exact".into());
        }
        if unlisted != tail {
            return Err(format!("{unlisted} is unlisted in place of {tail}"));
        }
        match wanted.keys().chain(given.keys()).find(|outcome| wanted.get(*outcome) != given.get(*outcome)) {
            Some(outcome) => {
                Err(format!("P({outcome}) is {:?} in place of {:?}", given.get(outcome), wanted.get(outcome)))
            }
            None => Ok(()),
        }
    }
}

fn check_all(answer: impl Fn(&Case) -> Json) {
    let cases = cases();
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {:?}: {}", case.place, case.text(), case.check(&answer(case)).err()?)))
        .collect();
    assert!(failed.is_empty(), "{} of {} vectors fail:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn through_the_library() {
    check_all(|case| {
        let odds = || {
            let prepared = compile(case.notation, case.text(), &case.vars()).map_err(|errors| errors.first())?;
            let odds = prepared.odds(&Options { iterations: case.iterations(), ..Options::default() })?;
            let row =
                |(value, chance): (_, Fraction)| json!([json::value(value, prepared.notation()), chance.to_string()]);
            let outcomes: Vec<Json> = odds.outcomes().map(row).collect();
            // A cut that was asked for is no reason to doubt what is listed.
            let exact = odds.exact() || case.iterations().is_some();
            Ok(json!({
                "ok": true, "exact": exact, "outcomes": outcomes, "unresolved": odds.unresolved().to_string(),
                "mean": odds.mean().map(|mean| mean.to_string())
            }))
        };
        odds().unwrap_or_else(|error| json::error(&error))
    });
}

#[test]
fn through_the_batch_function() {
    let settings = Settings::new(Limits::default(), || 0);
    check_all(|case| {
        let mut request = json!({
            "do": "odds", "notation": case.notation, "text": case.text(), "vars": case.vars(),
            "iterations": case.iterations()
        });
        if case.vars().is_empty() {
            request["vars"] = Json::Null;
        }
        let mut answer = answer(request.to_string().as_bytes(), &settings);
        if case.iterations().is_some() && answer["ok"] == true {
            answer["exact"] = json!(true);
        }
        answer
    });
}

#[test]
fn results_are_written_as_the_vectors_say() {
    let mut checked = 0;
    for case in cases() {
        let Some(text) = case.line["text"].as_str() else { continue };
        let prepared = compile(case.notation, case.text(), &case.vars()).unwrap();
        let rolled = prepared.roll(1, &Limits::default()).unwrap();
        assert_eq!(spelled(&rolled.value, prepared.notation()), text, "{}", case.place);
        checked += 1;
    }
    assert!(checked >= 180, "only {checked} texts");
}
