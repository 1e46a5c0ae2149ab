//! Every vector through the library.

use crate::vectors::{self, Answer, Vector, same};
use tumble::render::json;
use tumble::{Diagnostic, Options, Vars, compile};

#[test]
fn troll() {
    vectors::check_all(&vectors::troll(), |vector| {
        odds(vector).unwrap_or_else(|error| Answer::Error {
            code: error.code.name().to_owned(),
            message: error.message,
            place: Some((error.span.start, error.span.end)),
        })
    });
}

fn odds(vector: &Vector) -> Result<Answer, Diagnostic> {
    let prepared = compile("troll", &vector.text, &vars(vector)).map_err(|errors| errors.first())?;
    let odds = prepared.odds(&Options { iterations: Some(vector.iterations), ..Options::default() })?;
    let outcomes = odds.outcomes().map(|(value, chance)| (same(&json::value(value, prepared.notation())), chance));
    Ok(Answer::Odds { outcomes: outcomes.collect(), unresolved: odds.unresolved() })
}

pub(crate) fn vars(vector: &Vector) -> Vars {
    vector.vars.as_object().unwrap().iter().map(|(name, value)| (name.clone(), value.as_i64().unwrap())).collect()
}
