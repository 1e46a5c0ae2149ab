//! The wire format: what `tumble batch`, `--json` and the server send.
//!
//! ```text
//! number       7                      collection   [1, 2]          pair       {"pair": [1, 2]}
//! truth        true                   text         "a\nb"          results    {"results": [1, 2]}
//! probability  "1/36", "0", "1"       nothing      null
//! ```
//!
//! In Troll a collection of exactly one number is written as that number.

use super::series::Series;
use super::{lone, spelled, text};
use crate::ask::Answer;
use crate::prepared::{ONE_OF_SEVERAL, Prepared};
use crate::reduced::Reduced;
use crate::translate::Translation;
use serde_json::{Map, Value as Json, json};
use tumble_core::{Code, Data, Diagnostic, Remedy, Value};
use tumble_exact::{Fraction, Odds, Side};
use tumble_roll::{Check, DieState, Drawn, Event, Rolled, Sides, Step, Trace};
use tumble_syntax::Notation;

/// About how many bytes a value takes when it is written.
pub(crate) fn value_written(value: &Value) -> usize {
    match &value.data {
        Data::Nothing | Data::Bool(_) | Data::Tag(_) => 5,
        Data::Int(n) => 1 + n.unsigned_abs().checked_ilog10().unwrap_or(0) as usize,
        Data::Ratio(_) => 60,
        Data::Text(text) => 2 + text.lines.iter().map(|line| line.len() + 2).sum::<usize>(),
        Data::Pool(items) | Data::Tuple(items) | Data::List(items) => {
            12 + items.iter().map(|item| 1 + value_written(item)).sum::<usize>()
        }
    }
}

/// A value.
pub fn value(value: &Value, notation: &Notation) -> Json {
    let list = |items: &[Value]| Json::Array(items.iter().map(|item| self::value(item, notation)).collect());
    match &value.data {
        Data::Nothing | Data::Tag(_) => Json::Null,
        Data::Bool(truth) => json!(truth),
        Data::Int(n) => json!(n),
        Data::Ratio(ratio) => json!({ "fraction": ratio.to_string() }),
        Data::Text(text) => json!(text.to_string()),
        Data::Pool(items) => lone(items, notation).map_or_else(|| list(items), |n| json!(n)),
        Data::Tuple(items) if items.len() == 2 => json!({ "pair": list(items) }),
        Data::Tuple(items) => json!({ "tuple": list(items) }),
        Data::List(items) => json!({ "results": list(items) }),
    }
}

/// The outcomes of a distribution, each with its probability.
pub fn outcomes(reduced: &Reduced<'_>, notation: &Notation) -> Json {
    let row = |(outcome, chance): (&Value, Fraction)| json!([value(outcome, notation), chance.to_string()]);
    Json::Array(reduced.outcomes().map(row).collect())
}

/// One object per distribution and line, as `tumble batch` answers, but for the time it took.
pub(super) fn lines(series: &[Series]) -> Result<String, Diagnostic> {
    let mut out = String::new();
    for one in series {
        let mut fields = Map::from_iter([("ok".to_owned(), json!(true)), ("roll".to_owned(), json!(one.title()))]);
        fields.extend(match one.answer() {
            Answer::Exact(odds, verified) => match one.prepared() {
                Some(prepared) => crate::batch::exact_fields(prepared, &Reduced::new(odds), verified.as_ref())?,
                None => script_odds(one, odds),
            },
            Answer::Approximate(near, why) => match one.prepared() {
                Some(prepared) => super::approximate::json(prepared, near, why),
                None => Map::new(),
            },
        });
        out.push_str(&format!("{}\n", Json::Object(fields)));
    }
    Ok(out)
}

/// The fields of the odds of a script.
pub(crate) fn script_odds(series: &Series, odds: &Odds) -> Map<String, Json> {
    let row = |(outcome, chance): (&Value, Fraction)| json!([series.json(outcome), chance.to_string()]);
    let (mean, variance) = if series.is_number() { (odds.mean(), odds.variance()) } else { (None, None) };
    let mut fields = Map::new();
    fields.insert("exact".into(), json!(odds.exact()));
    fields.insert("outcomes".into(), odds.outcomes().map(row).collect());
    fields.insert("unresolved".into(), fraction(Some(&odds.unresolved())));
    fields.extend(side(odds.side()).map(|side| ("unlisted".to_owned(), json!(side))));
    fields.insert("mean".into(), fraction(mean.as_ref()));
    fields.insert("variance".into(), fraction(variance.as_ref()));
    fields.insert("warnings".into(), json!(odds.warnings()));
    fields
}

/// Where the outcomes are that are not listed, if there are any.
pub(crate) fn side(side: Side) -> Option<&'static str> {
    match side {
        Side::Nowhere => None,
        Side::Above => Some("above"),
        Side::Below => Some("below"),
        Side::Both => Some("above and below"),
        Side::Anywhere => Some("anywhere"),
    }
}

/// A fraction, or null.
pub fn fraction(fraction: Option<&Fraction>) -> Json {
    fraction.map_or(Json::Null, |fraction| json!(fraction.to_string()))
}

/// The warnings of odds: about the expression, what was counted, then about the answer.
pub fn odds_warnings(prepared: &Prepared, more: &[String]) -> Json {
    let several = prepared.counts_one().then(|| ONE_OF_SEVERAL.to_owned());
    warnings(prepared, &several.into_iter().chain(more.iter().cloned()).collect::<Vec<_>>())
}

/// The warnings: about the expression, then about the answer.
pub fn warnings(prepared: &Prepared, more: &[String]) -> Json {
    prepared.warnings().iter().map(|warning| warning.message.as_str()).chain(more.iter().map(String::as_str)).collect()
}

/// The fields of a roll: value, text, trace, draws; checks and subtotals of labels if there are any.
pub fn roll(prepared: &Prepared, rolled: &Rolled) -> Map<String, Json> {
    let notation = prepared.notation();
    let mut fields = Map::new();
    fields.insert("value".into(), value(&rolled.value, notation));
    fields.insert("text".into(), json!(spelled(&rolled.value, notation)));
    fields.insert("trace".into(), trace(&rolled.trace, prepared));
    if let Some(comment) = prepared.comment() {
        fields.insert("comment".into(), json!(comment));
    }
    fields.insert("draws".into(), rolled.draws.iter().map(|die| drawn(die, notation)).collect());
    let checks: Vec<Json> = rolled.events.iter().filter_map(check).collect();
    if !checks.is_empty() {
        fields.insert("checks".into(), Json::Array(checks));
    }
    let labels = text::subtotals(prepared, rolled);
    if !labels.is_empty() {
        fields.insert("labels".into(), labels.into_iter().map(|(label, sum)| (label.to_owned(), json!(sum))).collect());
    }
    fields
}

/// A comparison: its two numbers, and how it came out.
fn check(event: &Event) -> Option<Json> {
    let Event::Check(Check { span, left, sign, right, holds }) = event else { return None };
    let (left, right) = (left.value, right.value);
    Some(json!({
        "start": span.start, "end": span.end, "left": left, "sign": sign.sign(), "right": right, "success": holds,
    }))
}

/// About how many bytes a roll takes when it is written.
pub(crate) fn roll_written(rolled: &Rolled) -> usize {
    // The names of the fields of a die, its place in the trace and its numbers.
    let die = |drawn: &Drawn| 70 + drawn.path.len() + value_written(&drawn.shown);
    value_written(&rolled.value) * 3 + rolled.draws.iter().map(die).sum::<usize>() + 90 * rolled.events.len()
}

fn drawn(die: &Drawn, notation: &Notation) -> Json {
    let mut fields = Map::new();
    fields.insert("path".into(), json!(die.path));
    fields.insert("index".into(), json!(die.index));
    fields.insert("faces".into(), json!(u64::try_from(die.sides.count()).unwrap_or(u64::MAX)));
    fields.insert("value".into(), value(&die.shown, notation));
    match die.sides {
        Sides::Range { lo: 1, .. } => {}
        Sides::Range { lo, .. } => drop(fields.insert("lowest".into(), json!(lo))),
        // What a picked die shows does not tell which face it is.
        Sides::Pick { .. } => drop(fields.insert("face".into(), json!(die.face))),
    }
    fields.insert("state".into(), json!(state(die.state)));
    let more = [("became", die.became), ("score", die.score), ("natural", die.natural())];
    fields.extend(more.into_iter().filter_map(|(name, number)| Some((name.to_owned(), json!(number?)))));
    if let Some(from) = die.from {
        fields.insert("from".into(), json!(from));
    }
    Json::Object(fields)
}

fn state(state: DieState) -> &'static str {
    match state {
        DieState::Kept => "kept",
        DieState::Dropped => "dropped",
        DieState::Rerolled => "rerolled",
        DieState::Exploded => "exploded",
    }
}

/// A part of a roll; the tree is not deep.
fn trace(part: &Trace, prepared: &Prepared) -> Json {
    let (what, name) = match &part.what {
        Step::Whole => ("whole", None),
        Step::Dice => ("dice", None),
        Step::Loop => ("loop", None),
        Step::Pass(number) => ("pass", Some(json!(number))),
        Step::Call(name) => ("call", Some(json!(name))),
        Step::Row(name) => ("row", Some(json!(name))),
    };
    let mut fields = Map::new();
    fields.insert("what".into(), json!(what));
    if let Some(name) = name {
        fields.insert("name".into(), name);
    }
    if let Some(label) = prepared.label(part.span) {
        fields.insert("label".into(), json!(label));
    }
    fields.insert("start".into(), json!(part.span.start));
    fields.insert("end".into(), json!(part.span.end));
    if !part.dice.is_empty() {
        fields.insert("dice".into(), json!(part.dice));
    }
    if let Some(value) = &part.value {
        fields.insert("value".into(), self::value(value, prepared.notation()));
    }
    if !part.inside.is_empty() {
        fields.insert("inside".into(), part.inside.iter().map(|inner| trace(inner, prepared)).collect());
    }
    Json::Object(fields)
}

/// An expression in another notation.
pub fn translation(to: &Notation, translation: &Translation) -> Json {
    json!({ "ok": true, "notation": to.name, "text": translation.text, "checked": translation.checked })
}

/// What to change in the call, as the field of a request where it is one.
fn remedy(remedy: &Remedy) -> Json {
    match remedy {
        Remedy::Raise(limit, None) => json!({ "raise": limit.name() }),
        Remedy::Raise(limit, Some(to)) => json!({ "raise": limit.name(), "to": to }),
        Remedy::Approximate => json!({ "approx": true }),
        Remedy::CutEarlier => json!({ "lower": "iterations" }),
        Remedy::Notation(name) => json!({ "notation": name }),
        Remedy::Set(name) => json!({ "set": name }),
        Remedy::Supply => json!({ "feed": "one more" }),
    }
}

/// The answer to a request that failed.
pub fn error(error: &Diagnostic) -> Json {
    json!({ "ok": false, "error": diagnostic(error) })
}

/// What is wrong, where, and what to do about it.
pub fn diagnostic(error: &Diagnostic) -> Json {
    let mut fields = Map::new();
    fields.insert("code".into(), json!(error.code.name()));
    fields.insert("message".into(), json!(error.message));
    if error.code != Code::Request {
        fields.insert("start".into(), json!(error.span.start));
        fields.insert("end".into(), json!(error.span.end));
    }
    if let Some(hint) = &error.hint {
        fields.insert("hint".into(), json!(hint));
    }
    if let Some(note) = super::place::note(error) {
        fields.insert("note".into(), json!(note));
    }
    if !error.remedies.is_empty() {
        fields.insert("remedies".into(), error.remedies.iter().map(remedy).collect());
    }
    if let Some(kind) = &error.kind {
        fields.insert("kind".into(), json!(kind));
    }
    Json::Object(fields)
}
