//! One request, one answer, both a JSON object: what `tumble batch` does with each line.
//!
//! ```text
//! {"do":"odds","notation":"troll","text":"sum 2d2","vars":{"N":2},"iterations":12}
//! {"ok":true,"micros":41,"exact":true,"outcomes":[[2,"1/4"],[3,"1/2"],[4,"1/4"]],
//!  "unresolved":"0","mean":"3","variance":"1/2","warnings":[]}
//!
//! {"do":"roll","notation":"troll","text":"3d6","seed":7}
//! {"ok":true,"value":[1,3,6],"text":"[1, 3, 6]","trace":{…},"draws":[…],"seed":7,"warnings":[]}
//! ```
//!
//! Whatever comes in, an answer goes out: `{"ok":false,"error":{…}}` where there is none.

mod request;

pub use request::{Request, Task};
pub use serde_json::Value as Json;

use crate::ask::{Answer, Wanted};
use crate::digest::digest;
use crate::near::Sampling;
use crate::prepared::{Prepared, any_seed, compile, no_such_notation, nth_seed};
use crate::reduced::Reduced;
use crate::render::{Series, chance, explain, json, near};
use crate::verify::Verified;
use serde_json::{Map, json};
use tumble_core::{Code, Diagnostic, Limits, Span};
use tumble_roll::Rolled;
use tumble_syntax::notation;

/// The longest answer, in bytes.
pub const LONGEST_ANSWER: usize = 32 << 20;

/// What is the same for all requests.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What one request may cost.
    pub limits: Limits,
    /// A clock in microseconds, with any start; nothing but `micros` depends on it.
    pub clock: fn() -> u64,
    /// How an approximate answer is made, where a request does not say.
    pub sampling: Sampling,
}

impl Settings {
    /// On one core, and with nobody who watches.
    pub fn new(limits: Limits, clock: fn() -> u64) -> Settings {
        Settings { limits, clock, sampling: Sampling::default() }
    }
}

/// The answer to one line.
pub fn answer(line: &[u8], settings: &Settings) -> Json {
    let start = (settings.clock)();
    let answered = Request::read(line).and_then(|request| perform_since(&request, settings, start));
    answered.unwrap_or_else(|error| json::error(&error))
}

/// The answer to a request, or why there is none.
pub fn perform(request: &Request, settings: &Settings) -> Result<Json, Diagnostic> {
    perform_since(request, settings, (settings.clock)())
}

fn perform_since(request: &Request, settings: &Settings, start: u64) -> Result<Json, Diagnostic> {
    let prepared = compile(&request.notation, &request.text, &request.vars).map_err(|errors| errors.first())?;
    let fields = match &request.task {
        Task::Odds { wanted, digest } => {
            odds(&prepared, wanted, *digest, settings, &|| (settings.clock)().saturating_sub(start))?
        }
        Task::Chance { wanted, questions } => {
            let answer = prepared.ask(wanted, &settings.limits, &settings.sampling)?;
            return chance::json(&Series::new(prepared, answer), questions);
        }
        Task::Translate { to } => {
            let to = notation(to).ok_or_else(|| no_such_notation(to))?;
            return Ok(json::translation(to, &prepared.translate(to)?));
        }
        &Task::Roll { seed, times } => {
            let seed = seed.map_or_else(any_seed, Ok)?;
            match times {
                None => roll(&prepared, &settings.limits, seed, &mut 0)?,
                Some(times) => rolls(&prepared, &settings.limits, seed, times)?,
            }
        }
    };
    let mut answer = Map::new();
    answer.insert("ok".into(), json!(true));
    answer.extend(fields);
    Ok(Json::Object(answer))
}

fn odds(
    prepared: &Prepared,
    wanted: &Wanted,
    digest: bool,
    settings: &Settings,
    elapsed: &dyn Fn() -> u64,
) -> Result<Map<String, Json>, Diagnostic> {
    let (odds, verified) = match prepared.ask(wanted, &settings.limits, &settings.sampling)? {
        Answer::Exact(odds, verified) => (odds, verified),
        Answer::Near(near, why) => {
            fits(near::written(&near), prepared, "ask for a number made of the roll, such as its sum")?;
            let mut fields = Map::from_iter([("micros".to_owned(), json!(elapsed()))]);
            fields.extend(near::json(prepared, &near, &why));
            fields.insert("warnings".into(), json::odds_warnings(prepared, &[]));
            return Ok(fields);
        }
    };
    let reduced = Reduced::new(&odds);
    let mut fields = Map::from_iter([("micros".to_owned(), json!(elapsed()))]);
    exact(prepared, &reduced, digest, &mut fields)?;
    if let Some(told) = odds.explanation().filter(|_| wanted.explain) {
        fields.insert("explain".into(), explain::json(told));
    }
    if let Some(verified) = &verified {
        fields.insert("verified".into(), explain::verified_json(verified));
    }
    Ok(fields)
}

/// The fields of an exact distribution, for who needs no time.
pub(crate) fn exact_fields(
    prepared: &Prepared,
    reduced: &Reduced<'_>,
    verified: Option<&Verified>,
) -> Result<Map<String, Json>, Diagnostic> {
    let mut fields = Map::new();
    exact(prepared, reduced, false, &mut fields)?;
    if let Some(verified) = verified {
        fields.insert("verified".into(), explain::verified_json(verified));
    }
    Ok(fields)
}

fn exact(
    prepared: &Prepared,
    reduced: &Reduced<'_>,
    wants_digest: bool,
    fields: &mut Map<String, Json>,
) -> Result<(), Diagnostic> {
    fields.insert("exact".into(), json!(reduced.odds.exact()));
    if wants_digest {
        fields.insert("count".into(), json!(reduced.odds.len()));
        fields.insert("sha256_hex".into(), json!(digest(reduced, prepared.notation())));
    } else {
        fits(reduced.written(), prepared, "ask for `\"return\":\"digest\"`, or for a smaller roll")?;
        fields.insert("outcomes".into(), json::outcomes(reduced, prepared.notation()));
    }
    fields.insert("unresolved".into(), json::fraction(Some(&reduced.unresolved)));
    fields.insert("mean".into(), json::fraction(reduced.mean.as_ref()));
    fields.insert("variance".into(), json::fraction(reduced.variance.as_ref()));
    fields.insert("warnings".into(), json::odds_warnings(prepared, reduced.odds.warnings()));
    Ok(())
}

/// One roll; `written` is how much of the answer is used up.
fn roll(prepared: &Prepared, limits: &Limits, seed: u64, written: &mut usize) -> Result<Map<String, Json>, Diagnostic> {
    told(prepared, &prepared.roll(seed, limits)?, Some(seed), written)
}

/// The answer to a request for a roll that was made elsewhere, with dice of any kind.
pub fn rolled(prepared: &Prepared, rolled: &Rolled, seed: Option<u64>) -> Result<Map<String, Json>, Diagnostic> {
    let mut answer = Map::from_iter([("ok".to_owned(), json!(true))]);
    answer.extend(told(prepared, rolled, seed, &mut 0)?);
    Ok(answer)
}

fn told(
    prepared: &Prepared,
    rolled: &Rolled,
    seed: Option<u64>,
    written: &mut usize,
) -> Result<Map<String, Json>, Diagnostic> {
    *written += json::roll_written(rolled);
    fits(*written, prepared, "roll fewer dice")?;
    let mut fields = json::roll(prepared, rolled);
    if let Some(seed) = seed {
        fields.insert("seed".into(), json!(seed));
    }
    fields.insert("warnings".into(), json::warnings(prepared, &[]));
    Ok(fields)
}

fn rolls(prepared: &Prepared, limits: &Limits, seed: u64, times: u64) -> Result<Map<String, Json>, Diagnostic> {
    let mut written = 0;
    let one = |n| roll(prepared, limits, nth_seed(seed, n), &mut written).map(Json::Object);
    let rolls = (0..times).map(one).collect::<Result<Vec<Json>, Diagnostic>>()?;
    Ok(Map::from_iter([("rolls".to_owned(), Json::Array(rolls))]))
}

fn fits(written: usize, prepared: &Prepared, hint: &str) -> Result<(), Diagnostic> {
    if written <= LONGEST_ANSWER {
        return Ok(());
    }
    let whole = Span::new(0, prepared.text().len());
    let message = format!("the answer would be longer than {} MB", LONGEST_ANSWER >> 20);
    Err(Diagnostic::new(Code::Limit, whole, message).hint(hint))
}
