//! Saved rolls: an expression with a name and values that are asked for.

use super::role::{Role, Viewer};
use super::seat::Seat;
use super::tables::{named, read};
use super::token;
use super::view::{SavedParam, SavedView};
use crate::app::Shared;
use crate::body::Body;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Audience, Change, Event, now};
use axum::Json as Sent;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row};
use tumble::{Vars, compile};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most saved rolls of a table, and the most values of one.
const MOST: i64 = 1000;
const MOST_PARAMS: usize = 20;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(change, delete)).routes(routes!(restore))
}

impl SavedView {
    fn from_row(row: &AnyRow) -> Result<SavedView, sqlx::Error> {
        let text = |name: &str| row.try_get::<String, _>(name);
        let params = text("params")?;
        Ok(SavedView {
            id: text("id")?,
            owner: text("owner")?,
            shared: row.try_get::<i64, _>("shared")? != 0,
            name: text("name")?,
            notation: text("notation")?,
            text: text("text")?,
            params: serde_json::from_str(&params).unwrap_or_default(),
            deleted: row.try_get::<i64, _>("deleted")? != 0,
        })
    }

    fn audience(&self) -> Audience {
        if self.shared { Audience::Everyone } else { Audience::Only(self.owner.clone()) }
    }

    fn event(&self, was_shared: bool) -> Event {
        let gone = json!({ "gone": self.id });
        let outside = (was_shared && !self.shared).then_some(&gone);
        Event::hidden("saved", self.audience(), &json!({ "saved": self }), outside)
    }
}

/// The saved rolls that somebody has.
pub(crate) async fn of_table(pool: &AnyPool, table: &str, viewer: &Viewer) -> Result<Vec<SavedView>, Problem> {
    let rows = sqlx::query("SELECT * FROM saved WHERE table_id = $1 AND deleted = 0 ORDER BY created, id")
        .bind(table)
        .fetch_all(pool)
        .await?;
    let all: Vec<SavedView> = rows.iter().map(SavedView::from_row).collect::<Result<_, _>>()?;
    Ok(all.into_iter().filter(|saved| saved.audience().has(viewer)).collect())
}

/// A roll to save.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSaved {
    pub(crate) name: String,
    /// The expression; `@str` is a value that is asked for if `params` names it.
    #[schema(example = "1d20 + @str")]
    pub(crate) text: String,
    pub(crate) notation: Option<String>,
    #[serde(default)]
    pub(crate) params: Vec<SavedParam>,
    /// Whether everyone at the table has it.
    #[serde(default)]
    pub(crate) shared: bool,
}

impl NewSaved {
    /// A roll that can be rolled.
    fn checked(self, id: String, owner: String) -> Result<SavedView, Problem> {
        if self.params.len() > MOST_PARAMS {
            return Err(Problem::request(format!("a saved roll has at most {MOST_PARAMS} values")));
        }
        let notation = self.notation.unwrap_or_else(|| tumble::everyday().name.to_owned());
        let vars: Vars = self.params.iter().map(|param| (param.name.clone(), param.default)).collect();
        // A name without a value may be one of a character.
        if let Err(errors) = compile(&notation, &self.text, &vars) {
            let error = errors.first();
            if error.code != tumble::Code::Name {
                return Err(Problem::from(&error));
            }
        }
        let name = named("`name`", &self.name)?;
        Ok(SavedView {
            id,
            owner,
            shared: self.shared,
            name,
            notation,
            text: self.text,
            params: self.params,
            deleted: false,
        })
    }
}

/// Save a roll under a name
#[utoipa::path(post, operation_id = "create_saved", path = "/api/v1/tables/{table}/saved", tag = "saved rolls", params(("table" = String, Path)),
    request_body = NewSaved, responses((status = 201, body = SavedView), TableProblems, Problems))]
async fn create(
    State(app): State<Shared>,
    seat: Seat,
    Body(body): Body,
) -> Result<(StatusCode, Sent<SavedView>), Problem> {
    seat.at_least(Role::Player)?;
    let asked: NewSaved = read(&body)?;
    let saved = asked.checked(token::name()?, seat.member.clone())?;
    let mut change = app.tables.store.begin(&seat.table).await?;
    insert(&mut change, &seat.table, &saved, now()).await?;
    app.tables.commit(&seat.table, change, &saved.event(false)).await?;
    Ok((StatusCode::CREATED, Sent(saved)))
}

async fn insert(change: &mut Change, table: &str, saved: &SavedView, created: i64) -> Result<(), Problem> {
    let row =
        sqlx::query("SELECT COUNT(*) FROM saved WHERE table_id = $1").bind(table).fetch_one(&mut *change.tx).await?;
    if row.try_get::<i64, _>(0)? >= MOST {
        let detail = "this table has as many saved rolls as it may";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", detail));
    }
    change.grow(saved.text.len()).await?;
    sqlx::query(
        "INSERT INTO saved (id, table_id, owner, shared, name, notation, text, params, deleted, created)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)",
    )
    .bind(&saved.id)
    .bind(table)
    .bind(&saved.owner)
    .bind(i64::from(saved.shared))
    .bind(&saved.name)
    .bind(&saved.notation)
    .bind(&saved.text)
    .bind(json!(saved.params).to_string())
    .bind(created)
    .execute(&mut *change.tx)
    .await?;
    Ok(())
}

/// The rolls of a rule pack, for everyone at a table; those that are there already are not added again.
pub(crate) async fn lay(change: &mut Change, table: &str, owner: &str, rolls: &[NewSaved]) -> Result<(), Problem> {
    let rows = sqlx::query("SELECT * FROM saved WHERE table_id = $1 AND deleted = 0 AND shared = 1")
        .bind(table)
        .fetch_all(&mut *change.tx)
        .await?;
    let there: Vec<SavedView> = rows.iter().map(SavedView::from_row).collect::<Result<_, _>>()?;
    let new = rolls.iter().filter(|roll| !there.iter().any(|old| old.name == roll.name && old.text == roll.text));
    // They keep their order, which is by time.
    for (created, roll) in (now()..).zip(new) {
        let saved = roll.clone().checked(token::name()?, owner.to_owned())?;
        insert(change, table, &saved, created).await?;
    }
    Ok(())
}

async fn find(pool: &AnyPool, seat: &Seat, id: &str) -> Result<SavedView, Problem> {
    let row = sqlx::query("SELECT * FROM saved WHERE table_id = $1 AND id = $2")
        .bind(&seat.table)
        .bind(id)
        .fetch_optional(pool)
        .await?;
    let missing = || Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such saved roll");
    let saved = SavedView::from_row(&row.ok_or_else(missing)?)?;
    if !saved.audience().has(&seat.viewer()) {
        return Err(missing());
    }
    if saved.owner != seat.member {
        seat.at_least(Role::Master)?;
    }
    Ok(saved)
}

/// Change a saved roll
#[utoipa::path(put, operation_id = "change_saved", path = "/api/v1/tables/{table}/saved/{saved}", tag = "saved rolls",
    params(("table" = String, Path), ("saved" = String, Path)), request_body = NewSaved,
    responses((status = 200, body = SavedView), TableProblems, Problems))]
async fn change(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
    Body(body): Body,
) -> Result<Sent<SavedView>, Problem> {
    let asked: NewSaved = read(&body)?;
    let before = find(&app.tables.store.read, &seat, &id).await?;
    let saved = asked.checked(id, before.owner.clone())?;
    write(&app, &seat, saved, before.shared).await
}

async fn write(app: &Shared, seat: &Seat, saved: SavedView, was_shared: bool) -> Result<Sent<SavedView>, Problem> {
    let mut change = app.tables.store.begin(&seat.table).await?;
    sqlx::query(
        "UPDATE saved SET shared = $2, name = $3, notation = $4, text = $5, params = $6, deleted = $7 WHERE id = $1",
    )
    .bind(&saved.id)
    .bind(i64::from(saved.shared))
    .bind(&saved.name)
    .bind(&saved.notation)
    .bind(&saved.text)
    .bind(json!(saved.params).to_string())
    .bind(if saved.deleted { now() } else { 0 })
    .execute(&mut *change.tx)
    .await?;
    app.tables.commit(&seat.table, change, &saved.event(was_shared)).await?;
    Ok(Sent(saved))
}

/// Delete a saved roll; it can be restored
#[utoipa::path(delete, operation_id = "delete_saved", path = "/api/v1/tables/{table}/saved/{saved}", tag = "saved rolls",
    params(("table" = String, Path), ("saved" = String, Path)),
    responses((status = 200, body = SavedView), TableProblems, Problems))]
async fn delete(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
) -> Result<Sent<SavedView>, Problem> {
    let before = find(&app.tables.store.read, &seat, &id).await?;
    let shared = before.shared;
    write(&app, &seat, SavedView { deleted: true, ..before }, shared).await
}

/// Restore a deleted saved roll
#[utoipa::path(post, operation_id = "restore_saved", path = "/api/v1/tables/{table}/saved/{saved}/restore", tag = "saved rolls",
    params(("table" = String, Path), ("saved" = String, Path)),
    responses((status = 200, body = SavedView), TableProblems, Problems))]
async fn restore(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
) -> Result<Sent<SavedView>, Problem> {
    let before = find(&app.tables.store.read, &seat, &id).await?;
    let shared = before.shared;
    write(&app, &seat, SavedView { deleted: false, ..before }, shared).await
}
