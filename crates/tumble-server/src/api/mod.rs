//! `/api/v1`: what `tumble batch` answers, a route for each `do`.
//!
//! ```text
//! POST /api/v1/odds  {"text":"4d6kh3"}  ─▶  batch {"do":"odds","text":"4d6kh3"}  ─▶  200 {"micros":…,"outcomes":…}
//!                                                                                   422 problem+json
//! ```

pub(crate) mod outcome;
pub(crate) mod schema;
pub(crate) mod shape;

use crate::app::{LONGEST_ANSWER, Shared, settings};
use crate::body::Body;
use crate::problem::{Problem, Problems};
use crate::rate::Asking;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schema::*;
use serde_json::{Map, Value as Json, json};
use std::time::Instant;
use tumble::{Code, batch};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// An answer, or why there is none.
type Answered = Result<Response, Problem>;

/// The routes.
pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(odds))
        .routes(routes!(roll))
        .routes(routes!(check))
        .routes(routes!(translate))
        .routes(routes!(notations))
        .routes(routes!(script_check))
        .routes(routes!(script_run))
        .routes(routes!(script_odds))
        .routes(routes!(script_best))
        .routes(routes!(script_worth))
}

/// What the body of a route is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Roll,
    Script,
}

/// The exact odds of a roll
///
/// The whole distribution, or one number for each question.
#[utoipa::path(post, path = "/api/v1/odds", tag = "rolls", request_body = OddsRequest,
    responses((status = 200, description = "The odds", body = OddsAnswer), Problems))]
async fn odds(app: State<Shared>, client: Asking, body: Body) -> Answered {
    answer(app, client, body, "odds", About::Roll).await
}

/// Roll dice
#[utoipa::path(post, path = "/api/v1/roll", tag = "rolls", request_body = RollRequest,
    responses((status = 200, description = "The roll with every die", body = RollAnswer), Problems))]
async fn roll(app: State<Shared>, client: Asking, body: Body) -> Answered {
    answer(app, client, body, "roll", About::Roll).await
}

/// Check an expression for errors
#[utoipa::path(post, path = "/api/v1/check", tag = "rolls", request_body = CheckRequest,
    responses((status = 200, description = "What is wrong with it, if anything", body = CheckAnswer), Problems))]
async fn check(app: State<Shared>, client: Asking, body: Body) -> Answered {
    answer(app, client, body, "check", About::Roll).await
}

/// Translate a roll to another notation
#[utoipa::path(post, path = "/api/v1/translate", tag = "rolls", request_body = TranslateRequest,
    responses((status = 200, description = "The same roll in the other notation", body = TranslateAnswer), Problems))]
async fn translate(app: State<Shared>, client: Asking, body: Body) -> Answered {
    answer(app, client, body, "translate", About::Roll).await
}

/// The notations, with everything that can be written in them
#[utoipa::path(get, path = "/api/v1/notations", tag = "rolls",
    responses((status = 200, description = "All notations", body = NotationsAnswer), Problems))]
async fn notations(_: Asking) -> Answered {
    let asked = Map::from_iter([("do".to_owned(), json!("notations"))]);
    written(batch::reply(asked, &settings(&tumble::Limits::default())))
}

/// Check a script: its problems, its types and its rolls
#[utoipa::path(post, path = "/api/v1/script/check", tag = "scripts", request_body = ScriptCheckRequest,
    responses((status = 200, description = "What is wrong with it, if anything, and what it offers", body = ScriptCheckAnswer), Problems))]
async fn script_check(app: State<Shared>, client: Asking, body: Body<SCRIPT>) -> Answered {
    answer(app, client, body, "check", About::Script).await
}

/// Run a roll of a script
#[utoipa::path(post, path = "/api/v1/script/run", tag = "scripts", request_body = RunRequest,
    responses((status = 200, description = "What the roll returned and showed", body = RunAnswer), Problems))]
async fn script_run(app: State<Shared>, client: Asking, body: Body<SCRIPT>) -> Answered {
    answer(app, client, body, "run", About::Script).await
}

/// The exact odds of what a roll of a script returns
#[utoipa::path(post, path = "/api/v1/script/odds", tag = "scripts", request_body = ScriptOddsRequest,
    responses((status = 200, description = "The odds", body = OddsAnswer), Problems))]
async fn script_odds(app: State<Shared>, client: Asking, body: Body<SCRIPT>) -> Answered {
    answer(app, client, body, "odds", About::Script).await
}

/// The best answers to the options of a script
#[utoipa::path(post, path = "/api/v1/script/best", tag = "scripts", request_body = BestRequest,
    responses((status = 200, description = "The value of best play, and how to play", body = BestAnswer), Problems))]
async fn script_best(app: State<Shared>, client: Asking, body: Body<SCRIPT>) -> Answered {
    answer(app, client, body, "best", About::Script).await
}

/// What each answer to an open option is worth
#[utoipa::path(post, path = "/api/v1/script/worth", tag = "scripts", request_body = WorthRequest,
    responses((status = 200, description = "The value of each answer", body = WorthAnswer), Problems))]
async fn script_worth(app: State<Shared>, client: Asking, body: Body<SCRIPT>) -> Answered {
    answer(app, client, body, "worth", About::Script).await
}

/// A body with a script and its arguments may be longer.
const SCRIPT: usize = 512 << 10;

async fn answer<const MOST: usize>(
    State(app): State<Shared>,
    Asking(client): Asking,
    Body(mut fields): Body<MOST>,
    task: &'static str,
    about: About,
) -> Answered {
    if fields.get("do").is_some_and(|given| given != task) {
        return Err(Problem::request(format!("`do` must be `{task}` here")).hint("leave `do` out"));
    }
    let has_program = fields.get("program").is_some_and(|program| !program.is_null());
    match about {
        About::Script if !has_program => return Err(Problem::request("missing `program`")),
        About::Roll if has_program => {
            return Err(
                Problem::request("`program` is for scripts").hint("use /api/v1/script/check, run, odds, best or worth")
            );
        }
        About::Script | About::Roll => {}
    }
    fields.insert("do".into(), json!(task));
    let start = Instant::now();
    let found = app.work.run(client, move |limits| written(batch::reply(fields, &settings(limits)))).await?;
    metrics::histogram!("tumble_evaluation_seconds", "task" => task).record(start.elapsed());
    found
}

/// An answer of `batch` as one over HTTP. What it takes to write it is part of the evaluation.
pub(crate) fn written(answer: Json) -> Answered {
    let Json::Object(mut fields) = answer else { return Err(Problem::bug()) };
    if fields.get("ok") != Some(&Json::Bool(true)) {
        return Err(Problem::of_answer(fields).within(LONGEST_ANSWER));
    }
    fields.shift_remove("ok");
    let text = Json::Object(fields).to_string();
    if text.len() > LONGEST_ANSWER {
        let long = format!("the answer would be longer than {} MB", LONGEST_ANSWER >> 20);
        return Err(
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::Limit.name(), long).hint("ask for less at once")
        );
    }
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}
