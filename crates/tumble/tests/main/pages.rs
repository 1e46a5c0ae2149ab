//! The examples of README.md and the book that are marked with the name of a notation are run.
//!
//! ````text
//! ```troll
//! sum largest N 4d6          the text; it ends at the first line with an arrow
//! --> with N = 3             a variable
//! --> mean 15869/1296        also: variance
//! --> P(18) = 7/432          outcomes as in JSON: 7, [1, 2], "a", {"pair": [1, 2]}
//! --> P(>= 15) = 25/108      this number or more; also <=
//! --> headline mean 7/2      any of these claims as the number of a recipe, see recipes.rs
//! --> always 7               the only outcome
//! --> error division by zero a message that contains these words
//! ```
//! ````
//!
//! Lines below the arrows start the next text. Blocks marked `console` are run by the tests of the
//! program.

use crate::vectors::same;
use tumble::render::json;
use tumble::{DIALECTS, Data, Fraction, NOTATIONS, Odds, Options, Prepared, Value, Vars, compile, methods, number};

#[path = "markdown.rs"]
pub(crate) mod markdown;

#[test]
fn examples_are_true() {
    let mut failed = Vec::new();
    let mut count = 0;
    let (root, files) = markdown::manual();
    for page in files.iter().map(|file| markdown::read(&root, file)) {
        for notation in NOTATIONS.iter().chain(DIALECTS) {
            for block in markdown::blocks(&page.text, notation.name) {
                for example in examples(&block.lines) {
                    count += 1;
                    if let Err(why) = example.check(notation.name) {
                        failed.push(format!("{}:{}: {}: {why}", page.name, block.line, example.text.trim()));
                    }
                }
            }
        }
    }
    assert!(count >= 40, "only {count} examples were found");
    assert!(failed.is_empty(), "{} of {count} examples fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_method_is_explained() {
    let (root, _) = markdown::manual();
    let page = markdown::read(&root, &root.join("docs/book/src/trust.md"));
    for method in methods::ALL {
        let row = format!("| {} | {} |", method.name, method.does);
        assert!(page.text.contains(&row), "`{row}` is not in {}", page.name);
    }
}

#[test]
fn the_cheat_sheet_fits_on_a_screen() {
    let (root, _) = markdown::manual();
    let page = markdown::read(&root, &root.join("docs/book/src/cheat-sheet.md"));
    assert!(page.text.lines().count() <= 50);
    for line in page.text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

pub(crate) struct Example {
    pub(crate) text: String,
    pub(crate) vars: Vars,
    pub(crate) claims: Vec<String>,
}

pub(crate) fn examples(lines: &[&str]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in lines {
        let fresh = || Example { text: String::new(), vars: Vars::new(), claims: vec![] };
        let arrow = line.strip_prefix("--> ");
        if examples.last().is_none_or(|last| arrow.is_none() && !(last.claims.is_empty() && last.vars.is_empty())) {
            examples.push(fresh());
        }
        let Some(example) = examples.last_mut() else { continue };
        match arrow {
            None => example.text.push_str(&format!("{line}\n")),
            Some(claim) => match claim.strip_prefix("with ").and_then(|with| with.split_once('=')) {
                Some((name, value)) => {
                    example.vars.insert(name.trim().to_owned(), value.trim().parse().unwrap());
                }
                None => example.claims.push(claim.to_owned()),
            },
        }
    }
    examples
}

impl Example {
    fn check(&self, notation: &str) -> Result<(), String> {
        if self.claims.is_empty() {
            return Err("nothing is claimed about it".into());
        }
        let answer = compile(notation, self.text.trim_end(), &self.vars).map_err(|errors| errors.to_string()).and_then(
            |prepared| {
                let odds = prepared.odds(&Options::default()).map_err(|error| error.message)?;
                Ok((prepared, odds))
            },
        );
        self.claims.iter().try_for_each(|claim| match (claim.strip_prefix("error "), &answer) {
            (Some(words), Err(message)) if message.contains(words) => Ok(()),
            (Some(_), Ok(_)) => Err("there is no error".into()),
            (_, Err(message)) => Err(message.clone()),
            (None, Ok((prepared, odds))) => claimed(claim.strip_prefix("headline ").unwrap_or(claim), prepared, odds),
        })
    }
}

fn claimed(claim: &str, prepared: &Prepared, odds: &Odds) -> Result<(), String> {
    let equal = |given: Option<Fraction>, wanted: &str| match given {
        Some(given) if Ok(&given) == wanted.parse().as_ref() => Ok(()),
        Some(given) => Err(format!("`{claim}` is {given}")),
        None => Err(format!("`{claim}` is not known")),
    };
    if let Some(mean) = claim.strip_prefix("mean ") {
        return equal(odds.mean(), mean);
    }
    if let Some(variance) = claim.strip_prefix("variance ") {
        return equal(odds.variance(), variance);
    }
    let wanted = claim.strip_prefix("always ").map(|outcome| (outcome, "1"));
    let inside = claim.strip_prefix("P(").and_then(|rest| rest.rsplit_once(") = "));
    let Some((outcome, chance)) = wanted.or(inside) else { return Err(format!("`{claim}` is no claim")) };
    if let Some(least) = outcome.strip_prefix(">= ") {
        return equal(bound(odds, least).and_then(|least| odds.at_least(&least)), chance);
    }
    if let Some(most) = outcome.strip_prefix("<= ") {
        return equal(bound(odds, most).and_then(|most| odds.at_most(&most)), chance);
    }
    let outcome = same(&serde_json::from_str(outcome).map_err(|error| format!("`{outcome}`: {error}"))?);
    let mut outcomes = odds.outcomes();
    let found = outcomes.find(|(value, _)| same(&json::value(value, prepared.notation())) == outcome);
    equal(Some(found.map_or_else(Fraction::zero, |(_, chance)| chance)), chance)
}

/// A number as the outcomes are: alone, or the only member of a collection. Nothing if an outcome is no number.
fn bound(odds: &Odds, text: &str) -> Option<Value> {
    let n = text.parse().ok()?;
    odds.values().all(|value| number(value).is_some()).then_some(())?;
    let alone = odds.values().any(|value| matches!(value.data, Data::Int(_)));
    Some(if alone { Value::int(n) } else { Value::ints(&[n]) })
}
