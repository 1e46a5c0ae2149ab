//! `"sweep":{"N":"3..6","M":[1,5]}`: the same question for several values of variables, for all combinations of them.
//!
//! ```text
//! values = [ number, … ] | "from..to" | "from..to..step"      both ends belong to it
//! ```
//!
//! The answer has one entry for each combination, in order: what a request with these `vars` would be answered, also
//! where that is an error. Limits count for each of them. With `format`, one document shows them all.

use super::fields::Fields;
use super::{FULL, Request, Settings, Task, fits, perform_since, refused};
use crate::prepared::{no_such_notation, uses_variable};
use crate::render::{Axis, Study, json};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Code, Diagnostic, Span};
use tumble_syntax::{Vars, notation};

/// The most combinations of one request.
const MOST: usize = 1000;

/// Variables with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep(pub Vec<Axis>);

/// One combination.
type Case = Vec<(String, i64)>;

impl Sweep {
    /// Reads `sweep`.
    pub(super) fn read(fields: &Fields) -> Result<Option<Sweep>, Diagnostic> {
        let Some(given) = fields.inside("sweep")? else { return Ok(None) };
        let sweep: Vec<Axis> =
            given.entries().map(|(name, given)| axis(name, given)).collect::<Result<_, Diagnostic>>()?;
        let cases = sweep.iter().try_fold(1usize, |cases, axis| cases.checked_mul(axis.values.len()));
        match cases {
            _ if sweep.is_empty() => Err(refused("`sweep` needs a name and its values, such as {\"N\":\"1..6\"}")),
            Some(1..=MOST) => Ok(Some(Sweep(sweep))),
            _ => Err(refused(format!("`sweep` has more than {MOST} combinations"))),
        }
    }

    /// All combinations; the last variable changes first.
    pub(super) fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = vec![vec![]];
        for Axis { name, values } in &self.0 {
            let more = |case: &Case| -> Vec<Case> {
                values.iter().map(|value| [case.as_slice(), &[(name.clone(), *value)]].concat()).collect()
            };
            cases = cases.iter().flat_map(more).collect();
        }
        cases
    }
}

/// The values of one variable.
fn axis(name: &str, given: &Json) -> Result<Axis, Diagnostic> {
    let wrong =
        || refused(format!("the values of `{name}` must be an array of whole numbers, or a range such as \"1..6\""));
    match given {
        Json::Array(values) => {
            let values: Option<Vec<i64>> = values.iter().map(Json::as_i64).collect();
            Axis::new(name, values.ok_or_else(wrong)?).map_err(refused)
        }
        Json::String(range) => Axis::read(name, range).map_err(|why| refused(format!("`sweep`: {why}"))),
        _ => Err(wrong()),
    }
}

/// The answer to a request for every combination.
pub(super) fn answer(request: &Request, sweep: &Sweep, each: &Task, settings: &Settings) -> Result<Json, Diagnostic> {
    let cases = sweep.cases();
    check(request, &cases)?;
    let settings = &settings.each(cases.len() as u64);
    if let Task::Document { query, questions, document } = each
        && FULL
    {
        let mut study = Study::new(1, sweep.0.clone(), questions.clone())?;
        for (place, case) in cases.iter().enumerate() {
            let named =
                |error: Diagnostic| Diagnostic { message: format!("{}: {}", title(case), error.message), ..error };
            let prepared = Request { vars: with(request, case), ..request.clone() }.prepare();
            let prepared = prepared.map_err(|errors| named(errors.first()))?;
            let answer = prepared.ask(query, &settings.limits, &settings.sampling).map_err(named)?;
            study.put(0, place, request.series(prepared, answer));
        }
        let name = request.name.iter().map(|name| ("name".to_owned(), json!(name)));
        let fields = [("ok".to_owned(), json!(true))].into_iter().chain(name).chain(document.fields(&study, settings)?);
        return Ok(Json::Object(fields.collect()));
    }
    let (mut entries, mut written) = (Vec::new(), 0);
    for case in cases {
        let one = Request { task: each.clone(), vars: with(request, &case), ..request.clone() };
        let answered = perform_since(&one, settings, (settings.clock)()).unwrap_or_else(|error| json::error(&error));
        written += answered.to_string().len();
        let whole = Span::new(0, request.text.len());
        fits(written, settings.longest, whole, "ask for fewer values, or for one number each")?;
        let vars: Map<String, Json> = case.into_iter().map(|(name, value)| (name, json!(value))).collect();
        let mut entry = Map::from_iter([("vars".to_owned(), Json::Object(vars))]);
        if let Json::Object(fields) = answered {
            entry.extend(fields);
        }
        entries.push(Json::Object(entry));
    }
    Ok(json!({ "ok": true, "sweep": entries }))
}

/// Refuses a text that is wrong for all values, and a variable that it does not use.
fn check(request: &Request, cases: &[Case]) -> Result<(), Diagnostic> {
    let Some(first) = cases.first() else { return Ok(()) };
    let notation = notation(&request.notation).ok_or_else(|| no_such_notation(&request.notation))?;
    let vars = with(request, first);
    let prepared = match (Request { vars: vars.clone(), ..request.clone() }).prepare() {
        Err(errors) if errors.all().first().is_some_and(|error| error.code == Code::Syntax) => {
            return Err(errors.first());
        }
        prepared => prepared,
    };
    let text = prepared.as_ref().map_or(request.text.as_str(), |prepared| prepared.text());
    match first.iter().find(|(name, _)| !uses_variable(notation, text, &vars, name)) {
        Some((name, _)) => Err(refused(format!("`sweep` does nothing: the roll does not use `{name}`"))),
        None => Ok(()),
    }
}

fn with(request: &Request, case: &Case) -> Vars {
    let mut vars = request.vars.clone();
    vars.extend(case.iter().cloned());
    vars
}

/// `N = 3, M = 1`
fn title(case: &Case) -> String {
    case.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}
