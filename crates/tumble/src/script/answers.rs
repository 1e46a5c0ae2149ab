//! Odds, best play and worth of a script as JSON: the forms of `tumble batch`.
//!
//! ```text
//! options    [{"owner":"Ann","prompt":"Reroll?","met":"2/5","off":"163/40","on":"1141/200"},…]
//! decisions  [{"path":"ru","prompt":"Again?","owner":null,"known":"x = 2","answers":[[false,"2"],[true,"7/2"]],"best":true},…]
//! ```

use super::{Best, Decision, Effort, OpenWorth, OptionOdds, Shape, plain};
use crate::render::Series;
use crate::render::chance::{Chance, Question, chance};
use crate::render::json as wire;
use serde_json::{Map, Value as Json, json};
use tumble_core::sort;
use tumble_core::{Diagnostic, Question as Kind, Value};
use tumble_exact::{Fraction, Odds};

/// At most so many outcomes are shown for an answer.
const MOST_OUTCOMES: usize = 20;

/// What answers of an option are measured by.
#[derive(Clone, Copy, Debug)]
pub enum Measure<'q> {
    /// The mean, or the outcomes themselves if they are not numbers.
    Mean,
    /// The chance that something holds.
    Chance(&'q Question),
}

/// What an answer of an option leads to, in this measure.
#[derive(Clone, Debug)]
pub enum Leads {
    /// A number.
    To(Fraction),
    /// All outcomes.
    Among(Vec<(Value, Fraction)>),
}

/// The most likely of some outcomes, in their order.
pub(crate) fn likeliest(outcomes: &[(Value, Fraction)]) -> Vec<(Value, Fraction)> {
    let mut some = outcomes.to_vec();
    sort::by(&mut some, |a, b| b.1.cmp(&a.1));
    some.truncate(MOST_OUTCOMES);
    sort::by(&mut some, |a, b| a.0.cmp(&b.0));
    some
}

/// What an answer of an option leads to.
pub fn leads(odds: &Odds, shape: &Shape, measure: Measure<'_>) -> Result<Leads, Diagnostic> {
    if let Measure::Chance(question) = measure {
        let series = Series::of_script(shape.title(), shape.clone(), odds.clone());
        return Ok(match chance(&series, question)? {
            Chance::Exact(chance) | Chance::Between(chance, _) => Leads::To(chance),
            Chance::Approximate(..) => Leads::To(Fraction::zero()),
        });
    }
    if let Some(mean) = odds.mean().filter(|_| shape.is_number()) {
        return Ok(Leads::To(mean));
    }
    Ok(Leads::Among(odds.outcomes().map(|(value, chance)| (value.clone(), chance)).collect()))
}

/// The rows of options.
pub fn options(options: &[OptionOdds], shape: &Shape, measure: Measure<'_>) -> Result<Json, Diagnostic> {
    options.iter().map(|option| self::option(option, shape, measure)).collect()
}

fn option(option: &OptionOdds, shape: &Shape, measure: Measure<'_>) -> Result<Json, Diagnostic> {
    let mut fields = Map::new();
    fields.insert("owner".into(), json!(option.group.owner));
    fields.insert("prompt".into(), json!(option.group.form));
    fields.insert("met".into(), wire::fraction(option.met.as_ref()));
    let mut rows = vec![];
    for (answer, odds) in &option.answers {
        rows.push((plain(answer), leads_json(&leads(odds, shape, measure)?, shape)));
    }
    match (option.question, rows.as_slice()) {
        (Kind::Option, [(_, off), (_, on)]) => {
            fields.insert("off".into(), off.clone());
            fields.insert("on".into(), on.clone());
        }
        _ => {
            fields.insert("kind".into(), json!(option.question.name()));
            fields.insert("answers".into(), rows.into_iter().map(|(answer, leads)| json!([answer, leads])).collect());
            fields.insert("count".into(), json!(option.of));
        }
    }
    if let Some(why) = &option.refused {
        fields.insert("refused".into(), wire::diagnostic(why));
    }
    Ok(Json::Object(fields))
}

fn leads_json(leads: &Leads, shape: &Shape) -> Json {
    match leads {
        Leads::To(number) => json!(number.to_string()),
        Leads::Among(outcomes) => {
            let outcomes = likeliest(outcomes);
            outcomes.iter().map(|(value, chance)| json!([shape.json(value), chance.to_string()])).collect()
        }
    }
}

/// The fields of best play.
pub fn best(best: &Best, shape: &Shape) -> Map<String, Json> {
    let mut fields = Map::new();
    fields.insert("value".into(), json!(best.value.to_string()));
    fields.insert("all_default".into(), wire::fraction(best.all_default.as_ref()));
    if !best.unresolved.is_zero() {
        fields.insert("unresolved".into(), json!(best.unresolved.to_string()));
    }
    fields.insert("decisions".into(), best.decisions.iter().map(|one| decision(one, shape)).collect());
    fields.insert("count".into(), json!(best.of));
    fields.insert("states".into(), json!(best.states));
    fields
}

fn decision(decision: &Decision, shape: &Shape) -> Json {
    let Decision { path, prompt, group, answers, best, .. } = decision;
    let best = answers.get(*best).map_or(Json::Null, |(answer, _)| plain(answer));
    json!({
        "path": path, "prompt": prompt, "owner": group.owner, "known": known(decision, shape),
        "answers": valued(answers), "best": best,
    })
}

/// What was seen, in words: `x = 2, y = 5`. Passes of a loop are counted from 1.
pub fn known(decision: &Decision, shape: &Shape) -> String {
    words(&decision.known, shape)
}

pub(super) fn words(known: &[(String, Value)], shape: &Shape) -> String {
    let parts = known.iter().map(|(name, value)| match (name.strip_prefix("pass_of_"), value.as_int()) {
        (Some(name), Some(pass)) => format!("pass of {name} = {}", pass.saturating_add(1)),
        _ => format!("{name} = {}", shape.seen(value)),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// What the answers at an open option are worth.
pub fn worth(worth: &OpenWorth) -> Json {
    json!({ "ok": true, "answers": valued(&worth.answers) })
}

fn valued(answers: &[(Value, Fraction)]) -> Json {
    answers.iter().map(|(answer, value)| json!([plain(answer), value.to_string()])).collect()
}

/// What was done to find the odds.
pub fn effort(effort: &Effort) -> Json {
    let Effort { states, merged, shared, operations, costliest, steps } = effort;
    let costliest = costliest.as_ref().map(|(name, values)| json!({ "variable": name, "values": values }));
    json!({
        "states": states, "merged": merged, "calls": shared, "operations": operations.0,
        "only_shown": operations.1, "costliest": costliest, "steps": steps,
    })
}
