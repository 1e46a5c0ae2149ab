//! `"do":"odds"` with `program`: the exact odds of what a roll of a script returns, and what its options are worth.

use super::document::Document;
use super::fields::Fields;
use super::request::questions;
use super::script::{doubts, failed, query};
use super::sweep::Sweep;
use super::{Settings, fits};
use crate::render::chance::{self, Question};
use crate::render::effects::View;
use crate::render::{Series, Study, json};
use crate::script::answers::{self, Measure};
use crate::script::{self, Script, ScriptOdds, ScriptQuery, Shape};
use serde_json::{Map, Value as Json, json};
use tumble_core::{Diagnostic, Span};

/// The fields of such a request.
const FIELDS: &[&str] = &[
    "id", "do", "program", "entry", "args", "answers", "say", "field", "strict", "name", "at_least", "at_most",
    "between", "exactly", "sweep", "format", "look", "explain",
];

/// A question about the odds of a script.
struct Asking {
    query: ScriptQuery,
    questions: Vec<Question>,
    sweep: Option<Sweep>,
    document: Option<Document>,
    name: Option<String>,
    explain: bool,
}

/// One answer: the odds as a series, and what was found besides.
struct Found {
    series: Series,
    shape: Shape,
    odds: ScriptOdds,
    doubts: Vec<String>,
}

/// The answer to such a request.
pub(super) fn answer(fields: &Fields, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
    fields.only(FIELDS)?;
    let asking = read(fields)?;
    let script = asking.query.script();
    if !script.is_sound() {
        return Ok(script::unsound(&script));
    }
    let mut answer = Map::from_iter([("ok".to_owned(), json!(true))]);
    answer.extend(asking.name.iter().map(|name| ("name".to_owned(), json!(name))));
    match (&asking.document, &asking.sweep) {
        (Some(document), _) => answer.extend(asking.drawn(&script, document, settings)?),
        (None, Some(sweep)) => {
            answer.insert("sweep".into(), asking.swept(&script, sweep, settings)?);
        }
        (None, None) => answer.extend(asking.single(&script, &[], settings, start)?),
    }
    Ok(Json::Object(answer))
}

fn read(fields: &Fields) -> Result<Asking, Diagnostic> {
    let (questions, sweep) = (questions(fields)?, Sweep::read(fields)?);
    let view = View::of(1, sweep.as_ref().map_or(0, |sweep| sweep.0.len()), !questions.is_empty());
    let document = Document::read(fields, view)?;
    if document.is_some() {
        fields.idle("explain", "together with `format`")?;
    }
    let (name, explain) = (fields.text("name")?, fields.truth("explain")?);
    Ok(Asking { query: query(fields)?, questions, sweep, document, name, explain })
}

impl Asking {
    fn found(
        &self,
        script: &Script,
        case: &[(String, i64)],
        worth: bool,
        settings: &Settings,
    ) -> Result<Found, Diagnostic> {
        let entry = self.query.entry(script, case)?;
        let given = self.query.given(&entry)?;
        let shape = entry.shape(given.field);
        let odds = entry.odds(&given, worth, &settings.limits)?;
        let mut doubts = doubts(script, &entry);
        doubts.extend(odds.unheard.iter().map(|prompt| shape.unheard(prompt)));
        let series = Series::of_script(shape.title(), shape.clone(), odds.odds.clone());
        let series = match &self.name {
            Some(name) => series.named(name),
            None => series,
        };
        Ok(Found { series, shape, odds, doubts })
    }

    /// What the answers of options are measured by; with several questions at once, nothing is.
    fn measure(&self) -> Option<Measure<'_>> {
        match self.questions.as_slice() {
            [] => Some(Measure::Mean),
            [one] => Some(Measure::Chance(one)),
            _ => None,
        }
    }

    /// The fields of one answer.
    fn single(
        &self,
        script: &Script,
        case: &[(String, i64)],
        settings: &Settings,
        start: u64,
    ) -> Result<Map<String, Json>, Diagnostic> {
        let found = self.found(script, case, self.measure().is_some(), settings)?;
        let mut fields = Map::new();
        if self.questions.is_empty() {
            fields.insert("micros".into(), json!((settings.clock)().saturating_sub(start)));
            fields.extend(json::script_odds(&found.series, &found.odds.odds));
        } else if let Json::Object(answers) = chance::json(&found.series, &self.questions)? {
            fields.extend(answers.into_iter().filter(|(name, _)| name != "ok"));
        }
        if let Some(measure) = self.measure() {
            fields.insert("options".into(), answers::options(&found.odds.options, &found.shape, measure)?);
        }
        let warnings: Vec<&String> = found.doubts.iter().chain(found.odds.odds.warnings()).collect();
        fields.shift_remove("warnings");
        fields.insert("warnings".into(), json!(warnings));
        if self.explain {
            fields.insert("explain".into(), answers::effort(&found.odds.effort));
        }
        Ok(fields)
    }

    /// One answer for each combination of values.
    fn swept(&self, script: &Script, sweep: &Sweep, settings: &Settings) -> Result<Json, Diagnostic> {
        let (mut entries, mut written) = (vec![], 0);
        let cases = sweep.cases();
        let settings = &settings.each(cases.len() as u64);
        for case in cases {
            let start = (settings.clock)();
            let vars: Map<String, Json> = case.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            let mut entry = Map::from_iter([("vars".to_owned(), Json::Object(vars))]);
            match self.single(script, &case, settings, start) {
                Ok(fields) => {
                    entry.insert("ok".into(), json!(true));
                    entry.extend(fields);
                }
                // A wrong way to an argument is wrong for all values.
                Err(error) if error.code == tumble_core::Code::Request => return Err(error),
                Err(error) => {
                    if let Json::Object(fields) = failed(&error) {
                        entry.extend(fields);
                    }
                }
            }
            let entry = Json::Object(entry);
            written += entry.to_string().len();
            fits(written, settings.longest, Span::default(), "ask for fewer values, or for one number each")?;
            entries.push(entry);
        }
        Ok(Json::Array(entries))
    }

    /// A document of all answers.
    fn drawn(
        &self,
        script: &Script,
        document: &Document,
        settings: &Settings,
    ) -> Result<Map<String, Json>, Diagnostic> {
        let axes = self.sweep.as_ref().map_or_else(Vec::new, |sweep| sweep.0.clone());
        let mut study = Study::new(1, axes, self.questions.clone())?;
        let mut warnings: Vec<String> = vec![];
        let cases = study.cases();
        let each = settings.each(cases.len() as u64);
        for (place, case) in cases.iter().enumerate() {
            let found = self.found(script, case, false, &each)?;
            let new = found.doubts.into_iter().filter(|doubt| !warnings.contains(doubt)).collect::<Vec<_>>();
            warnings.extend(new);
            study.put(0, place, found.series);
        }
        let mut fields = document.fields(&study, settings)?;
        if let Some(Json::Array(more)) = fields.get_mut("warnings") {
            more.splice(0..0, warnings.into_iter().map(Json::from));
        }
        Ok(fields)
    }
}
