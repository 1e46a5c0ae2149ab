//! One request, one answer, both a JSON object: what `tumble batch` does with each line.
//!
//! ```text
//! {"do":"odds","notation":"troll","text":"sum 2d2","vars":{"N":2},"iterations":12}
//! {"ok":true,"micros":41,"exact":true,"outcomes":[[2,"1/4"],[3,"1/2"],[4,"1/4"]],
//!  "unresolved":"0","mean":"3","variance":"1/2","warnings":[]}
//!
//! {"id":1,"do":"roll","text":"4d6kh3","seed":7}
//! {"id":1,"ok":true,"value":11,"text":"11","line":"4d6kh3 (~~1~~, 4, 4, 3) = 11","trace":{…},"draws":[…],…}
//!
//! {"do":"run","program":"defroll \"Demo\" demo() { … }","answers":{"ru":true},"dice":{…}}
//! {"ok":true,"result":33,"outputs":[…],"rolls":[…],"options":[…],"dice":{…},…}
//! ```
//!
//! Whatever comes in, an answer goes out: `{"ok":false,"error":{…}}` where there is none.

mod check;
mod document;
mod fields;
mod parts;
mod request;
mod roll;
mod run;
mod script;
mod script_odds;
mod sweep;

pub use document::Document;
pub use parts::Parts;
pub use request::{Request, Task};
pub use roll::{Dice, Roll, rolled};
pub use serde_json::Value as Json;
pub use sweep::Sweep;

use crate::approximate::Sampling;
use crate::ask::{Answer, Query};
use crate::digest::digest;
use crate::prepared::{Prepared, no_such_notation};
use crate::reduced::Reduced;
use crate::render::chance::Question;
use crate::render::{Series, Study, approximate, chance, explain, json};
use crate::verify::Verified;
use fields::Fields;
use serde_json::{Map, json};
use tumble_core::{Code, Diagnostic, Limits, Span};
use tumble_syntax::notation;

/// Whether all of these requests are answered; what comes behind a question for it is linked only then.
const FULL: bool = cfg!(feature = "full");

/// The longest answer, in bytes, unless the settings say otherwise.
pub const LONGEST_ANSWER: usize = 32 << 20;

/// What is the same for all requests.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What one request may cost.
    pub limits: Limits,
    /// A clock in microseconds, with any start; nothing but `micros` depends on it.
    pub clock: fn() -> u64,
    /// How an approximate answer is made, where a request does not say.
    pub sampling: Sampling,
    /// Which requests are answered.
    pub parts: Parts,
    /// The longest answer, in bytes.
    pub longest: usize,
    /// Whether the limits are those of a whole request, so that the entries of a sweep and the rolls of a series share them.
    pub shared: bool,
}

impl Settings {
    /// On one thread, without reporting progress.
    pub fn new(limits: Limits, clock: fn() -> u64) -> Settings {
        Settings {
            limits,
            clock,
            sampling: Sampling::default(),
            parts: Parts::ALL,
            longest: LONGEST_ANSWER,
            shared: false,
        }
    }

    /// The same for each of so many parts of a request.
    fn each(&self, parts: u64) -> Settings {
        let steps = if self.shared { self.limits.steps / parts.max(1) } else { self.limits.steps };
        Settings { limits: Limits { steps, ..self.limits.clone() }, ..self.clone() }
    }
}

/// The answer to one line; it begins with the `id` of the request, if there is one.
pub fn answer(line: &[u8], settings: &Settings) -> Json {
    let start = (settings.clock)();
    match Fields::read(line) {
        Ok(fields) => answer_since(&fields, settings, start),
        Err(error) => json::error(&error),
    }
}

/// The answer to an object that was read elsewhere.
pub fn reply(request: Map<String, Json>, settings: &Settings) -> Json {
    answer_since(&Fields::from(request), settings, (settings.clock)())
}

fn answer_since(fields: &Fields, settings: &Settings, start: u64) -> Json {
    let answered = fields.check_id().and_then(|()| done(fields, settings, start));
    identified(fields.id(), answered.unwrap_or_else(|error| json::error(&error)))
}

fn done(fields: &Fields, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
    let of_script = fields.get("program").is_some();
    match fields.text("do").as_ref().map(Option::as_deref) {
        Ok(Some("notations")) if FULL => check::notations(fields),
        Ok(Some("run" | "best" | "worth")) => settings.parts.script(fields, settings, start),
        Ok(Some("odds" | "check")) if of_script => settings.parts.script(fields, settings, start),
        Ok(Some("check")) => check::roll(fields),
        _ => Request::from_fields(fields).and_then(|request| perform_since(&request, settings, start)),
    }
}

/// An answer made elsewhere, with the `id` of the line it answers.
pub fn answered(line: &[u8], answer: Json) -> Json {
    match Fields::read(line) {
        Ok(fields) => identified(fields.id(), answer),
        Err(_) => answer,
    }
}

fn identified(id: Option<&Json>, answer: Json) -> Json {
    match (id, answer) {
        (Some(id), Json::Object(fields)) => {
            Json::Object([("id".to_owned(), id.clone())].into_iter().chain(fields).collect())
        }
        (_, answer) => answer,
    }
}

/// The answer to a request, or why there is none.
pub fn perform(request: &Request, settings: &Settings) -> Result<Json, Diagnostic> {
    perform_since(request, settings, (settings.clock)())
}

fn perform_since(request: &Request, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
    let prepared = || request.prepare().map_err(|errors| errors.first());
    let fields = match &request.task {
        Task::Odds { query, digest } => {
            odds(&prepared()?, query, *digest, settings, &|| (settings.clock)().saturating_sub(start))?
        }
        Task::Chance { query, questions } if FULL => chances(prepared()?, query, questions, settings)?,
        Task::Document { query, questions, document } if FULL => {
            let prepared = prepared()?;
            let answer = prepared.ask(query, &settings.limits, &settings.sampling)?;
            let mut study = Study::new(1, vec![], questions.clone())?;
            study.put(0, 0, request.series(prepared, answer));
            let mut fields = document.fields(&study, settings)?;
            study.series().iter().for_each(|one| more(one.answer(), query, &mut fields));
            fields
        }
        Task::Sweep { sweep, each } => return sweep::answer(request, sweep, each, settings),
        Task::Translate { to } if FULL => {
            let prepared = prepared()?;
            let to = notation(to).ok_or_else(|| no_such_notation(to))?;
            return Ok(json::translation(to, &prepared.translate_within(to, &settings.limits)?));
        }
        Task::Roll(how) => {
            let prepared = prepared()?;
            let mut fields = roll::answer(&prepared, how, settings)?;
            // Places are those of the text with the rolls of the sheet written out.
            if prepared.text() != request.text {
                fields.insert("expanded".into(), json!(prepared.text()));
            }
            fields
        }
        _ => return Err(refused("this is not available here")),
    };
    let mut answer = Map::new();
    answer.insert("ok".into(), json!(true));
    if let Some(name) = &request.name {
        answer.insert("name".into(), json!(name));
    }
    answer.extend(fields);
    Ok(Json::Object(answer))
}

/// One number for each question.
fn chances(
    prepared: Prepared,
    query: &Query,
    questions: &[Question],
    settings: &Settings,
) -> Result<Map<String, Json>, Diagnostic> {
    let answer = prepared.ask(query, &settings.limits, &settings.sampling)?;
    let series = Series::new(prepared, answer);
    let mut fields = match chance::json(&series, questions)? {
        Json::Object(fields) => fields,
        _ => Map::new(),
    };
    more(series.answer(), query, &mut fields);
    Ok(fields)
}

/// How an answer was found and how it was verified, where that was asked.
fn more(answer: &Answer, query: &Query, fields: &mut Map<String, Json>) {
    let Answer::Exact(odds, verified) = answer else { return };
    if !FULL {
        return;
    }
    if let Some(told) = odds.explanation().filter(|_| query.explain) {
        fields.insert("explain".into(), explain::json(told));
    }
    if let Some(verified) = verified {
        fields.insert("verified".into(), explain::verified_json(verified));
    }
}

fn odds(
    prepared: &Prepared,
    query: &Query,
    digest: bool,
    settings: &Settings,
    elapsed: &dyn Fn() -> u64,
) -> Result<Map<String, Json>, Diagnostic> {
    let answer = prepared.ask(query, &settings.limits, &settings.sampling)?;
    let mut fields = Map::new();
    match &answer {
        Answer::Exact(odds, _) => {
            let reduced = Reduced::new(odds);
            fields.insert("micros".into(), json!(elapsed()));
            exact(prepared, &reduced, digest, settings.longest, &mut fields)?;
        }
        Answer::Approximate(near, why) => {
            let hint = "ask for a number, such as the sum of the roll";
            fits(approximate::written(near), settings.longest, whole(prepared), hint)?;
            fields.insert("micros".into(), json!(elapsed()));
            fields.extend(approximate::json(prepared, near, why));
            fields.insert("warnings".into(), json::odds_warnings(prepared, &[]));
        }
    }
    more(&answer, query, &mut fields);
    Ok(fields)
}

/// The fields of an exact distribution, for who needs no time.
pub(crate) fn exact_fields(
    prepared: &Prepared,
    reduced: &Reduced<'_>,
    verified: Option<&Verified>,
) -> Result<Map<String, Json>, Diagnostic> {
    let mut fields = Map::new();
    exact(prepared, reduced, false, LONGEST_ANSWER, &mut fields)?;
    if let Some(verified) = verified {
        fields.insert("verified".into(), explain::verified_json(verified));
    }
    Ok(fields)
}

fn exact(
    prepared: &Prepared,
    reduced: &Reduced<'_>,
    wants_digest: bool,
    longest: usize,
    fields: &mut Map<String, Json>,
) -> Result<(), Diagnostic> {
    fields.insert("exact".into(), json!(reduced.odds.exact()));
    if wants_digest && FULL {
        fields.insert("count".into(), json!(reduced.odds.len()));
        fields.insert("sha256_hex".into(), json!(digest(reduced, prepared.notation())));
    } else {
        let hint = "ask for `\"return\":\"digest\"`, or for a smaller roll";
        fits(reduced.written(), longest, whole(prepared), hint)?;
        fields.insert("outcomes".into(), json::outcomes(reduced, prepared.notation()));
    }
    fields.insert("unresolved".into(), json::fraction(Some(&reduced.unresolved)));
    if let Some(side) = json::side(reduced.odds.side()) {
        fields.insert("unlisted".into(), json!(side));
    }
    fields.insert("mean".into(), json::fraction(reduced.mean.as_ref()));
    fields.insert("variance".into(), json::fraction(reduced.variance.as_ref()));
    fields.insert("warnings".into(), json::odds_warnings(prepared, reduced.odds.warnings()));
    Ok(())
}

fn whole(prepared: &Prepared) -> Span {
    Span::new(0, prepared.text().len())
}

/// Refuses an answer of so many bytes if that is too long.
fn fits(written: usize, longest: usize, whole: Span, hint: &str) -> Result<(), Diagnostic> {
    if written <= longest {
        return Ok(());
    }
    let message = format!("the answer would be longer than {} MB", longest >> 20);
    Err(Diagnostic::new(Code::Limit, whole, message).hint(hint))
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}
