//! Members: renamed, made something else, handed the table over to, sent away; and bots, which are members with a key.

use super::role::Role;
use super::seat::{Caller, Seat, set_cookie};
use super::tables::{Secret, expired, named, read, seated};
use super::token::{self, hash};
use super::view::MemberView;
use crate::app::Shared;
use crate::body::Body;
use crate::net::Client;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Audience, Change, Event, now};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json as Sent, response::AppendHeaders};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyPool, Row, Transaction};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How long a link to another device holds, in milliseconds.
const MOVE: i64 = 3600 * 1000;

/// The most members of a table, and the most that ever were.
const MOST: i64 = 1000;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(change, kick))
        .routes(routes!(leave))
        .routes(routes!(new_key))
        .routes(routes!(move_seat))
        .routes(routes!(arrive))
}

/// A member before it is written.
pub(crate) struct Member {
    pub(crate) id: String,
    name: String,
    role: Role,
    bot: bool,
}

impl Member {
    pub(crate) fn new(name: &str, role: Role, bot: bool) -> Result<Member, Problem> {
        Ok(Member { id: token::name()?, name: name.to_owned(), role, bot })
    }

    pub(crate) fn view(&self) -> MemberView {
        MemberView { id: self.id.clone(), name: self.name.clone(), role: self.role, bot: self.bot, gone: false }
    }

    pub(crate) async fn insert(&self, tx: &mut Transaction<'static, Any>, table: &str) -> Result<(), Problem> {
        let row =
            sqlx::query("SELECT COUNT(*) FROM members WHERE table_id = $1").bind(table).fetch_one(&mut **tx).await?;
        if row.try_get::<i64, _>(0)? >= MOST {
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", "this table has had too many members"));
        }
        sqlx::query(
            "INSERT INTO members (id, table_id, name, role, kind, joined, gone) VALUES ($1, $2, $3, $4, $5, $6, 0)",
        )
        .bind(&self.id)
        .bind(table)
        .bind(&self.name)
        .bind(self.role.name())
        .bind(if self.bot { "bot" } else { "person" })
        .bind(now())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// What everybody gets to know of a member.
pub(crate) fn event(member: &MemberView) -> Event {
    Event::public("member", &json!({ "member": member }))
}

fn from_row(row: &AnyRow) -> Result<MemberView, sqlx::Error> {
    let (role, kind): (String, String) = (row.try_get("role")?, row.try_get("kind")?);
    Ok(MemberView {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        role: Role::named(&role).unwrap_or(Role::Spectator),
        bot: kind == "bot",
        gone: row.try_get::<i64, _>("gone")? != 0,
    })
}

/// Everybody who sits or sat at a table, in the order they came.
pub(crate) async fn of_table(pool: &AnyPool, table: &str) -> Result<Vec<MemberView>, Problem> {
    let rows = sqlx::query("SELECT * FROM members WHERE table_id = $1 ORDER BY joined, id")
        .bind(table)
        .fetch_all(pool)
        .await?;
    Ok(rows.iter().map(from_row).collect::<Result<_, _>>()?)
}

async fn in_change(change: &mut Change, table: &str, member: &str) -> Result<MemberView, Problem> {
    let row = sqlx::query("SELECT * FROM members WHERE table_id = $1 AND id = $2 AND gone = 0")
        .bind(table)
        .bind(member)
        .fetch_optional(&mut *change.tx)
        .await?;
    let missing = || Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such member");
    Ok(from_row(&row.ok_or_else(missing)?)?)
}

async fn write(change: &mut Change, member: &MemberView) -> Result<(), Problem> {
    sqlx::query("UPDATE members SET name = $2, role = $3, gone = $4 WHERE id = $1")
        .bind(&member.id)
        .bind(&member.name)
        .bind(member.role.name())
        .bind(if member.gone { now() } else { 0 })
        .execute(&mut *change.tx)
        .await?;
    if member.gone {
        for text in ["DELETE FROM seats WHERE member_id = $1", "DELETE FROM moves WHERE member_id = $1"] {
            sqlx::query(text).bind(&member.id).execute(&mut *change.tx).await?;
        }
    }
    Ok(())
}

/// What can be changed about a member.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemberChange {
    /// Your own, or anybody's for the game master.
    name: Option<String>,
    /// For the game master; `game_master` hands the table over.
    role: Option<Role>,
}

/// Rename a member, or make them something else
#[utoipa::path(patch, operation_id = "change_member", path = "/api/v1/tables/{table}/members/{member}", tag = "members",
    params(("table" = String, Path), ("member" = String, Path)), request_body = MemberChange,
    responses((status = 200, body = MemberView), TableProblems, Problems))]
async fn change(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
    Body(body): Body,
) -> Result<Sent<MemberView>, Problem> {
    let asked: MemberChange = read(&body)?;
    if id != seat.member || asked.role.is_some() {
        seat.at_least(Role::Master)?;
    }
    let mut change = app.tables.store.begin(&seat.table).await?;
    let mut member = in_change(&mut change, &seat.table, &id).await?;
    if let Some(name) = &asked.name {
        member.name = named("`name`", name)?;
    }
    let mut changed = vec![];
    if let Some(role) = asked.role {
        if id == seat.member && role != Role::Master {
            return Err(Problem::request("a table needs a game master").hint("hand it over to somebody else"));
        }
        if role == Role::Master && id != seat.member {
            if member.bot {
                return Err(Problem::request("a bot can't be the game master"));
            }
            let mut old = in_change(&mut change, &seat.table, &seat.member).await?;
            old.role = Role::Player;
            write(&mut change, &old).await?;
            changed.push(old);
        }
        member.role = role;
    }
    write(&mut change, &member).await?;
    changed.push(member.clone());
    let event = Event::public("member", &json!({ "member": member, "members": changed }));
    app.tables.commit(&seat.table, change, &event).await?;
    Ok(Sent(member))
}

/// Send a member away, or take a bot's key back
#[utoipa::path(delete, path = "/api/v1/tables/{table}/members/{member}", tag = "members",
    params(("table" = String, Path), ("member" = String, Path)),
    responses((status = 204), TableProblems, Problems))]
async fn kick(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
) -> Result<StatusCode, Problem> {
    seat.at_least(Role::Master)?;
    if id == seat.member {
        return Err(Problem::request("a table needs a game master").hint("hand it over to somebody else first"));
    }
    gone(&app, &seat.table, &id).await
}

/// Leave a table
#[utoipa::path(post, path = "/api/v1/tables/{table}/leave", tag = "members", params(("table" = String, Path)),
    responses((status = 204), TableProblems, Problems))]
async fn leave(State(app): State<Shared>, seat: Seat) -> Result<StatusCode, Problem> {
    if seat.is_master() {
        let problem = Problem::new(StatusCode::FORBIDDEN, "forbidden", "the game master can't leave");
        return Err(problem.hint("hand the table over to somebody else first, or delete it"));
    }
    gone(&app, &seat.table, &seat.member).await
}

async fn gone(app: &Shared, table: &str, id: &str) -> Result<StatusCode, Problem> {
    let mut change = app.tables.store.begin(table).await?;
    let mut member = in_change(&mut change, table, id).await?;
    member.gone = true;
    write(&mut change, &member).await?;
    app.tables.commit(table, change, &event(&member)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A bot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    /// The name of the bot.
    name: String,
    /// What it may do: what a `player` or a `spectator` may.
    role: Role,
}

/// A bot and its key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyView {
    member: MemberView,
    /// Shown once. Send it as `Authorization: Bearer …`.
    token: String,
}

/// Make a key for a bot
#[utoipa::path(post, path = "/api/v1/tables/{table}/keys", tag = "members", params(("table" = String, Path)),
    request_body = NewKey, responses((status = 201, body = KeyView), TableProblems, Problems))]
async fn new_key(
    State(app): State<Shared>,
    seat: Seat,
    Body(body): Body,
) -> Result<(StatusCode, Sent<KeyView>), Problem> {
    seat.at_least(Role::Master)?;
    let asked: NewKey = read(&body)?;
    if asked.role == Role::Master {
        return Err(Problem::request("a bot can't be the game master"));
    }
    let (member, secret) = (Member::new(&named("`name`", &asked.name)?, asked.role, true)?, token::secret()?);
    let mut change = app.tables.store.begin(&seat.table).await?;
    member.insert(&mut change.tx, &seat.table).await?;
    sqlx::query("INSERT INTO seats (token, member_id) VALUES ($1, $2)")
        .bind(hash(&secret))
        .bind(&member.id)
        .execute(&mut *change.tx)
        .await?;
    app.tables.commit(&seat.table, change, &event(&member.view())).await?;
    Ok((StatusCode::CREATED, Sent(KeyView { member: member.view(), token: secret })))
}

/// Make a link that moves your seat to another device
///
/// It can be used once, within an hour: `/move#SECRET`.
#[utoipa::path(post, path = "/api/v1/tables/{table}/move", tag = "members", params(("table" = String, Path)),
    responses((status = 201, body = Secret), TableProblems, Problems))]
async fn move_seat(State(app): State<Shared>, seat: Seat) -> Result<(StatusCode, Sent<Secret>), Problem> {
    let secret = token::secret()?;
    let mut change = app.tables.store.begin(&seat.table).await?;
    sqlx::query("DELETE FROM moves WHERE member_id = $1").bind(&seat.member).execute(&mut *change.tx).await?;
    sqlx::query("INSERT INTO moves (token, member_id, created) VALUES ($1, $2, $3)")
        .bind(hash(&secret))
        .bind(&seat.member)
        .bind(now())
        .execute(&mut *change.tx)
        .await?;
    let event = Event::hidden("move", Audience::Only(seat.member.clone()), &json!({}), None);
    app.tables.commit(&seat.table, change, &event).await?;
    Ok((StatusCode::CREATED, Sent(Secret { token: secret })))
}

/// The secret of a link to another device.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arriving {
    token: String,
}

/// A seat that has moved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Arrived {
    table: String,
    member: MemberView,
}

/// Take your seat on this device
#[utoipa::path(post, path = "/api/v1/move", tag = "members", request_body = Arriving,
    responses((status = 200, body = Arrived), TableProblems, Problems))]
async fn arrive(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    caller: Caller,
    Body(body): Body,
) -> Result<Response, Problem> {
    app.tables.joins.check(&client)?;
    let asked: Arriving = read(&body)?;
    let row = sqlx::query(
        "SELECT m.table_id, m.id FROM moves v JOIN members m ON m.id = v.member_id
         WHERE v.token = $1 AND v.created > $2 AND m.gone = 0",
    )
    .bind(hash(&asked.token))
    .bind(now() - MOVE)
    .fetch_optional(&app.tables.store.read)
    .await?;
    let row = row.ok_or_else(expired)?;
    let (table, id): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    let mut change = app.tables.store.begin(&table).await?;
    let used =
        sqlx::query("DELETE FROM moves WHERE token = $1").bind(hash(&asked.token)).execute(&mut *change.tx).await?;
    if used.rows_affected() == 0 {
        return Err(expired());
    }
    let member = in_change(&mut change, &table, &id).await?;
    let event = Event::hidden("move", Audience::Only(id.clone()), &json!({}), None);
    app.tables.commit(&table, change, &event).await?;
    let secret = seated(&app, &caller, &id).await?;
    let cookie = AppendHeaders(secret.map(|secret| set_cookie(&app, &secret)));
    Ok((cookie, Sent(Arrived { table, member })).into_response())
}
