//! The script of a table: its versions, and what becomes of objects when it changes.

use super::execution::Execution;
use super::object;
use super::pack;
use super::role::Role;
use super::seat::Seat;
use super::tables::{self, read};
use super::view::{Kind, ScriptView, VersionView};
use crate::app::Shared;
use crate::body::Body;
use crate::link::pairs;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Event, now};
use axum::Json as Sent;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sqlx::{AnyPool, Row};
use tumble::script::{Script, problems, schema};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The longest script.
const LONGEST: usize = 256 << 10;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(show, write))
}

/// The script of a table, or one of its versions
#[utoipa::path(get, path = "/api/v1/tables/{table}/script", tag = "scripts at a table",
    params(("table" = String, Path), ("number" = Option<i64>, Query, description = "An older version")),
    responses((status = 200, body = ScriptView), TableProblems, Problems))]
async fn show(State(app): State<Shared>, seat: Seat, RawQuery(query): RawQuery) -> Result<Sent<ScriptView>, Problem> {
    let pool = &app.tables.store.read;
    let query = query.unwrap_or_default();
    let asked = pairs(&query).find(|(name, _)| name == "number").map(|(_, value)| value.parse::<i64>());
    let asked = asked.transpose().map_err(|_| Problem::request("`number` must be a whole number"))?;
    let number = match asked {
        Some(number) => number,
        None => tables::find(pool, &seat.table).await?.view.script,
    };
    Ok(Sent(view(pool, &seat.table, number).await?))
}

async fn view(pool: &AnyPool, table: &str, number: i64) -> Result<ScriptView, Problem> {
    let rows = sqlx::query("SELECT number, author, created FROM scripts WHERE table_id = $1 ORDER BY number DESC")
        .bind(table)
        .fetch_all(pool)
        .await?;
    let mut versions = vec![];
    for row in &rows {
        versions.push(VersionView { number: row.try_get(0)?, author: row.try_get(1)?, created: row.try_get(2)? });
    }
    let text = if number == 0 { String::new() } else { text(pool, table, number).await? };
    let found = versions.iter().find(|version| version.number == number);
    let (author, created) = found.map(|found| (found.author.clone(), found.created)).unwrap_or_default();
    let script = Script::read(&text, false);
    let problems = problems(&script).as_array().cloned().unwrap_or_default();
    Ok(ScriptView { number, text, author, created, schema: schema(&script), problems, versions })
}

/// The text of a version.
async fn text(pool: &AnyPool, table: &str, number: i64) -> Result<String, Problem> {
    let row = sqlx::query("SELECT text FROM scripts WHERE table_id = $1 AND number = $2")
        .bind(table)
        .bind(number)
        .fetch_optional(pool)
        .await?;
    let missing = || Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such version of the script");
    Ok(row.ok_or_else(missing)?.try_get(0)?)
}

/// The current script, with its number.
pub(crate) async fn current(pool: &AnyPool, table: &str) -> Result<(i64, String), Problem> {
    match tables::find(pool, table).await?.view.script {
        0 => Err(Problem::new(StatusCode::CONFLICT, "conflict", "this table has no script yet")
            .hint("the game master can choose a rule pack or write one")),
        number => Ok((number, text(pool, table, number).await?)),
    }
}

/// The script that an execution was started with; nothing for a plain expression.
pub(crate) async fn text_of(pool: &AnyPool, execution: &Execution) -> Result<String, Problem> {
    match execution.subject.kind {
        Kind::Roll => Ok(String::new()),
        Kind::Script => text(pool, &execution.table, execution.subject.script).await,
    }
}

/// A new version.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewScript {
    /// The script; leave it out to take a rule pack.
    text: Option<String>,
    /// The name of a rule pack; its saved rolls come along.
    pack: Option<String>,
    /// The number of the version that you changed; if there is a newer one, nothing is written.
    from: Option<i64>,
}

/// What a new version changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Written {
    script: ScriptView,
    /// What became of the objects whose data did not fit as it was.
    migrated: Vec<Migration>,
}

/// What became of an object.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Migration {
    pub(crate) object: String,
    /// What was put aside, or took its default, and why.
    pub(crate) notes: Vec<String>,
}

/// Write a new version of the script
///
/// Rolls that are under way keep the version they were started with. Objects keep every field that fits; what does not
/// fit is put aside in `leftover` and comes back when a later version has a field for it.
#[utoipa::path(put, path = "/api/v1/tables/{table}/script", tag = "scripts at a table", params(("table" = String, Path)),
    request_body = NewScript, responses((status = 200, body = Written), TableProblems, Problems))]
async fn write(
    State(app): State<Shared>,
    seat: Seat,
    Body(body): Body<{ 600 << 10 }>,
) -> Result<Sent<Written>, Problem> {
    seat.at_least(Role::Master)?;
    let asked: NewScript = read(&body)?;
    let (text, pack) = match (asked.text, asked.pack) {
        (Some(text), None) => (text, None),
        (None, Some(name)) => {
            let pack = pack::named(&name)?;
            (pack.script.to_owned(), Some(pack))
        }
        _ => return Err(Problem::request("give either `text` or `pack`")),
    };
    let _turn = app.tables.turn(&seat.table).await;
    let now_at = tables::find(&app.tables.store.read, &seat.table).await?.view.script;
    if asked.from.is_some_and(|from| from != now_at) {
        let detail = "the script was changed meanwhile; look at the newer version first";
        return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail));
    }
    let (number, migrated) = store(&app, &seat.table, &seat.member, &text).await?;
    if let Some(pack) = pack {
        pack::lay_rolls(&app, &seat.table, &seat.member, pack).await?;
    }
    Ok(Sent(Written { script: view(&app.tables.store.read, &seat.table, number).await?, migrated }))
}

/// Writes a version and takes the objects along.
pub(crate) async fn store(
    app: &Shared,
    table: &str,
    author: &str,
    text: &str,
) -> Result<(i64, Vec<Migration>), Problem> {
    if text.len() > LONGEST {
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the script is longer than 256 KB"));
    }
    let script = Script::read(text, false);
    if !script.is_sound() {
        return Err(match tumble::script::unsound(&script) {
            Json::Object(answer) => Problem::of_answer(answer),
            _ => Problem::request("the script has errors"),
        });
    }
    let mut change = app.tables.store.begin(table).await?;
    change.grow(text.len()).await?;
    let row = sqlx::query("UPDATE tables SET script = 1 + (SELECT COUNT(*) FROM scripts WHERE table_id = $1) WHERE id = $1 RETURNING script")
        .bind(table)
        .fetch_one(&mut *change.tx)
        .await?;
    let number: i64 = row.try_get(0)?;
    sqlx::query(
        "INSERT INTO scripts (table_id, number, text, version, author, created) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(table)
    .bind(number)
    .bind(text)
    .bind(script.version())
    .bind(author)
    .bind(now())
    .execute(&mut *change.tx)
    .await?;
    let migrated = object::migrate(&mut change, table, &script).await?;
    let event = Event::public("script", &json!({ "number": number, "author": author }));
    app.tables.commit(table, change, &event).await?;
    Ok((number, migrated))
}
