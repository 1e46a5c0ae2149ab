//! Comma-separated values, one line per outcome of each distribution, as RFC 4180 has it.
//!
//! ```text
//! roll,outcome,fraction,probability
//! 4d6kh3,3,1/1296,0.0007716049382716049
//! ```
//!
//! Fractions are always whole, however long; an approximate distribution has none, and the bounds `low`
//! and `high` in two more columns. What is not listed is a line such as `above 94`.

use super::look::Look;
use super::series::{Measure, Point, Series, Share};
use crate::ask::Answer;
use serde_json::json;
use tumble_exact::Fraction;

/// The lines of one or several distributions, with their head.
pub(super) fn lines(series: &[Series], look: &Look) -> String {
    let measures = look.measures();
    let bounds = series.iter().any(|one| !one.is_exact());
    let mut out = record(&head(&measures, bounds));
    for one in series {
        let points = one.points();
        let measured: Vec<Vec<Option<Share>>> =
            measures.iter().map(|measure| one.measured(&points, *measure)).collect();
        let mut chances = chances(one);
        for (at, point) in points.iter().enumerate() {
            let outcome = point.value.as_ref().map_or_else(String::new, |value| one.spelled(value));
            let mut fields = vec![one.title().to_owned(), outcome];
            let mut chance = chances.next();
            for (measure, shares) in measures.iter().zip(&measured) {
                let known = if *measure == Measure::Exactly { chance.take() } else { None };
                fields.extend(share_fields(shares[at].as_ref(), known));
            }
            fields.extend(bound_fields(point, bounds));
            out.push_str(&record(&fields));
        }
        out.push_str(&rest(one, &measures, bounds));
    }
    out
}

fn head(measures: &[Measure], bounds: bool) -> Vec<String> {
    let mut names = vec!["roll", "outcome"];
    names.extend(measures.iter().flat_map(|measure| match measure {
        Measure::Exactly => ["fraction", "probability"],
        Measure::AtLeast => ["at_least_fraction", "at_least"],
        Measure::AtMost => ["at_most_fraction", "at_most"],
    }));
    if bounds {
        names.extend(["low", "high"]);
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The exact probabilities in order, also long ones.
fn chances(series: &Series) -> Box<dyn Iterator<Item = Fraction> + '_> {
    match series.answer() {
        Answer::Exact(odds, _) => Box::new(odds.outcomes().map(|(_, chance)| chance)),
        Answer::Approximate(..) => Box::new(std::iter::empty()),
    }
}

fn share_fields(share: Option<&Share>, known: Option<Fraction>) -> [String; 2] {
    let fraction = match (known, share) {
        (Some(fraction), _) => fraction.to_string(),
        (None, Some(Share::Exact(fraction))) => fraction.to_string(),
        _ => String::new(),
    };
    // JSON writes a float in few digits that give the same float again.
    [fraction, share.map_or_else(String::new, |share| json!(share.size()).to_string())]
}

fn bound_fields(point: &Point, wanted: bool) -> Vec<String> {
    match (&point.share, wanted) {
        (_, false) => vec![],
        (Share::Approximate(_, (low, high)), true) => vec![json!(low).to_string(), json!(high).to_string()],
        (_, true) => vec![String::new(), String::new()],
    }
}

fn rest(series: &Series, measures: &[Measure], bounds: bool) -> String {
    let Some(rest) = series.rest() else { return String::new() };
    let known = match series.answer() {
        Answer::Exact(odds, _) => Some(odds.unresolved()),
        Answer::Approximate(..) => None,
    };
    let mut fields = vec![series.title().to_owned(), rest.label.clone()];
    for measure in measures {
        let only = *measure == Measure::Exactly;
        fields.extend(share_fields(only.then_some(&rest.share), known.clone().filter(|_| only)));
    }
    fields.extend(bound_fields(&rest, bounds));
    record(&fields)
}

/// A line; a field with a comma, a quote or a line end is put in quotes.
pub(super) fn record(fields: &[String]) -> String {
    let field = |text: &String| {
        if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
    };
    fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n"
}
