//! What each answer to an open option is worth, given the dice that are on the table.

use super::act::{of_script, option, seen};
use crate::api::written;
use crate::app::{Shared, settings};
use crate::link::pairs;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::table::seat::Seat;
use crate::table::{object, script};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value as Json, json};
use tumble::batch;

/// What each answer to an option is worth
///
/// The mean of what the roll returns for each answer, given every die of the current run; dice that were rolled for
/// another answer are unknown. Only who may see everything that went into the roll may ask.
#[utoipa::path(get, path = "/api/v1/tables/{table}/executions/{number}/worth", tag = "rolls at a table",
    params(("table" = String, Path), ("number" = i64, Path), ("path" = String, Query, description = "The path of the option")),
    responses((status = 200, body = crate::api::schema::WorthAnswer), TableProblems, Problems))]
pub(crate) async fn worth(
    State(app): State<Shared>,
    Path((_, number)): Path<(String, i64)>,
    seat: Seat,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let query = query.unwrap_or_default();
    let path = pairs(&query).find(|(name, _)| name == "path").map(|(_, value)| value);
    let path = path.ok_or_else(|| Problem::request("missing `path`"))?;
    let execution = seen(&app, &seat, number).await?;
    of_script(&execution)?;
    option(&execution, &path)?;
    for id in execution.subject.picked.values() {
        if !object::is_visible(&app.tables.store.read, &seat, id).await? {
            let detail = "this roll was made with something that is hidden from you";
            return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", detail));
        }
    }
    let text = script::text_of(&app.tables.store.read, &execution).await?;
    let answers: Map<String, Json> =
        execution.answers.iter().map(|(path, answer)| (path.clone(), answer.value.clone())).collect();
    let asked = Map::from_iter([
        ("do".to_owned(), json!("worth")),
        ("program".to_owned(), json!(text)),
        ("entry".to_owned(), json!(execution.subject.entry)),
        ("args".to_owned(), execution.subject.args.clone()),
        ("answers".to_owned(), Json::Object(answers)),
        ("dice".to_owned(), execution.dice.clone()),
        ("path".to_owned(), json!(path)),
    ]);
    let job = move |limits: &tumble::Limits| written(batch::reply(asked, &settings(limits)));
    app.tables.work.run(seat.member.clone(), job).await?
}
