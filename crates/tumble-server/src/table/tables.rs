//! Tables themselves: made, joined, read, changed, deleted.

use super::members::{self, Member};
use super::role::Role;
use super::seat::{Caller, Seat, Token, set_cookie};
use super::token::{self, hash};
use super::view::{MemberView, SeatView, TableSettings, TableState, TableView};
use super::{execution, object, pack, saved};
use crate::app::Shared;
use crate::body::Body;
use crate::net::Client;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Event, no_table, now};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json as Sent, response::AppendHeaders};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many seeds are made ahead.
pub(crate) const SEEDS_AHEAD: i64 = 16;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(create, mine))
        .routes(routes!(state, change, delete))
        .routes(routes!(join))
        .routes(routes!(recover))
        .routes(routes!(invite))
}

/// What a new table needs.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTable {
    /// The name of the table.
    name: String,
    /// Your own name.
    you: String,
    /// A rule pack to begin with; `/api/v1/packs` lists them.
    pack: Option<String>,
    /// What the server asks for, if not everybody may make tables on it.
    create_key: Option<String>,
}

/// A new table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Created {
    table: TableView,
    you: MemberView,
    /// Write it down: it makes you game master again on any device.
    recovery: String,
    /// The secrets of the invite links: `/t/ID#SECRET`.
    invites: Invites,
}

/// The secrets of invite links. They are shown once; a new one ends the old one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Invites {
    player: String,
    spectator: String,
}

/// A row of the store.
pub(crate) struct Table {
    pub(crate) view: TableView,
    pub(crate) last_event: i64,
}

impl Table {
    fn from_row(row: &AnyRow) -> Result<Table, sqlx::Error> {
        let settings: String = row.try_get("settings")?;
        Ok(Table {
            view: TableView {
                id: row.try_get("id")?,
                name: row.try_get("name")?,
                settings: serde_json::from_str(&settings).unwrap_or_default(),
                created: row.try_get("created")?,
                script: row.try_get("script")?,
            },
            last_event: row.try_get("last_event")?,
        })
    }
}

/// A table by its id.
pub(crate) async fn find(pool: &AnyPool, id: &str) -> Result<Table, Problem> {
    let row = sqlx::query("SELECT * FROM tables WHERE id = $1").bind(id).fetch_optional(pool).await?;
    Ok(Table::from_row(&row.ok_or_else(no_table)?)?)
}

/// A name that people give: not empty, not long, no control characters.
pub(crate) fn named(what: &str, given: &str) -> Result<String, Problem> {
    let name = given.trim();
    if name.is_empty() {
        return Err(Problem::request(format!("{what} must not be empty")));
    }
    if name.chars().count() > 80 {
        return Err(Problem::request(format!("{what} must not be longer than 80 characters")));
    }
    if name.chars().any(char::is_control) {
        return Err(Problem::request(format!("{what} must not contain control characters")));
    }
    Ok(name.to_owned())
}

/// A body as its type.
pub(crate) fn read<T: serde::de::DeserializeOwned>(
    body: &serde_json::Map<String, serde_json::Value>,
) -> Result<T, Problem> {
    serde_json::from_value(serde_json::Value::Object(body.clone())).map_err(|error| Problem::request(error.to_string()))
}

/// Make a table
///
/// Whoever makes it is its game master.
#[utoipa::path(post, operation_id = "create_table", path = "/api/v1/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = Created), TableProblems, Problems))]
async fn create(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    caller: Caller,
    Body(body): Body,
) -> Result<Response, Problem> {
    let asked: NewTable = read(&body)?;
    let (name, you) = (named("`name`", &asked.name)?, named("`you`", &asked.you)?);
    let pack = asked.pack.as_deref().map(pack::named).transpose()?;
    if let Some(key) = &app.tables.config.create_key
        && asked.create_key.as_deref().map(hash) != Some(hash(key))
    {
        let problem = Problem::new(StatusCode::FORBIDDEN, "forbidden", "a key is needed to make tables on this server");
        return Err(problem.hint("ask whoever runs it for the key"));
    }
    app.tables.creations.check(&client)?;
    count(&app).await?;
    let made = Made::new(&name, &you)?;
    made.write(app.tables.store.writer()).await?;
    let secret = seated(&app, &caller, &made.member.id).await?;
    if let Some(pack) = pack {
        pack::lay(&app, &made.id, &made.member.id, pack).await?;
    }
    let view = find(&app.tables.store.read, &made.id).await?.view;
    let answer = Created {
        table: view,
        you: made.member.view(),
        recovery: made.recovery,
        invites: Invites { player: made.player, spectator: made.spectator },
    };
    Ok((StatusCode::CREATED, AppendHeaders(secret.map(|secret| set_cookie(&app, &secret))), Sent(answer))
        .into_response())
}

/// Refuses one table too many.
async fn count(app: &Shared) -> Result<(), Problem> {
    let Some(most) = app.tables.config.most else { return Ok(()) };
    let row = sqlx::query("SELECT COUNT(*) FROM tables").fetch_one(&app.tables.store.read).await?;
    if u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(u64::MAX) < most {
        return Ok(());
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "this server has as many tables as it may"))
}

/// A table before it is written.
struct Made {
    id: String,
    name: String,
    member: Member,
    recovery: String,
    player: String,
    spectator: String,
}

impl Made {
    fn new(name: &str, you: &str) -> Result<Made, Problem> {
        Ok(Made {
            id: token::name()?,
            name: name.to_owned(),
            member: Member::new(you, Role::Master, false)?,
            recovery: token::recovery_code()?,
            player: token::secret()?,
            spectator: token::secret()?,
        })
    }

    async fn write(&self, pool: &AnyPool) -> Result<(), Problem> {
        let mut tx = pool.begin().await?;
        let at = now();
        sqlx::query(
            "INSERT INTO tables (id, name, settings, recovery, created, touched, last_event, last_execution, script, bytes)
             VALUES ($1, $2, $3, $4, $5, $5, 0, 0, 0, 0)",
        )
        .bind(&self.id)
        .bind(&self.name)
        .bind(json!(TableSettings::default()).to_string())
        .bind(hash(&self.recovery))
        .bind(at)
        .execute(&mut *tx)
        .await?;
        for (role, secret) in [(Role::Player, &self.player), (Role::Spectator, &self.spectator)] {
            sqlx::query("INSERT INTO invites (table_id, role, token) VALUES ($1, $2, $3)")
                .bind(&self.id)
                .bind(role.name())
                .bind(hash(secret))
                .execute(&mut *tx)
                .await?;
        }
        for number in 1..=SEEDS_AHEAD {
            execution::add_seed(&mut tx, &self.id, number).await?;
        }
        self.member.insert(&mut tx, &self.id).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Gives a browser a seat; the secret of its cookie if it needs a new one.
pub(crate) async fn seated(app: &Shared, caller: &Caller, member: &str) -> Result<Option<String>, Problem> {
    let known = match (&caller.token, caller.token.hash()) {
        (Token::Cookie(_), Some(hashed)) if is_known(&app.tables.store.read, &hashed).await? => Some(hashed),
        // A secret that we did not issue is never accepted.
        _ => None,
    };
    let (hashed, fresh) = match known {
        Some(hashed) => (hashed, None),
        None => {
            let secret = token::secret()?;
            (hash(&secret), Some(secret))
        }
    };
    sqlx::query("INSERT INTO seats (token, member_id) VALUES ($1, $2) ON CONFLICT (token, member_id) DO NOTHING")
        .bind(&hashed)
        .bind(member)
        .execute(app.tables.store.writer())
        .await?;
    Ok(fresh)
}

async fn is_known(pool: &AnyPool, hashed: &str) -> Result<bool, Problem> {
    Ok(sqlx::query("SELECT 1 FROM seats WHERE token = $1 LIMIT 1").bind(hashed).fetch_optional(pool).await?.is_some())
}

/// The tables that this browser has seats at
#[utoipa::path(get, path = "/api/v1/tables", tag = "tables", responses((status = 200, body = Vec<SeatView>), TableProblems, Problems))]
async fn mine(State(app): State<Shared>, caller: Caller) -> Result<Sent<Vec<SeatView>>, Problem> {
    let Some(hashed) = caller.token.hash() else { return Ok(Sent(vec![])) };
    let rows = sqlx::query(
        "SELECT t.id, t.name, t.touched, m.id AS member, m.role FROM seats s JOIN members m ON m.id = s.member_id
         JOIN tables t ON t.id = m.table_id WHERE s.token = $1 AND m.gone = 0 ORDER BY t.touched DESC",
    )
    .bind(hashed)
    .fetch_all(&app.tables.store.read)
    .await?;
    let mut seats = vec![];
    for row in rows {
        let role: String = row.try_get("role")?;
        seats.push(SeatView {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            role: Role::named(&role).unwrap_or(Role::Spectator),
            member: row.try_get("member")?,
            touched: row.try_get("touched")?,
        });
    }
    Ok(Sent(seats))
}

/// Everything at a table, as you may see it
#[utoipa::path(get, path = "/api/v1/tables/{table}", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = TableState), TableProblems, Problems))]
async fn state(State(app): State<Shared>, seat: Seat) -> Result<Sent<TableState>, Problem> {
    let (pool, viewer) = (&app.tables.store.read, seat.viewer());
    // The number is read first: what happens meanwhile comes once more as an event, and nothing is missed.
    let table = find(pool, &seat.table).await?;
    let members = members::of_table(pool, &seat.table).await?;
    let you = members.iter().find(|member| member.id == seat.member).cloned().ok_or_else(no_table)?;
    Ok(Sent(TableState {
        last_event: table.last_event,
        table: table.view,
        you,
        members,
        online: app.tables.hubs.online(&seat.table),
        objects: object::of_table(pool, &seat.table, &viewer).await?,
        saved: saved::of_table(pool, &seat.table, &viewer).await?,
        executions: execution::latest(pool, &seat.table, &viewer, None, 50).await?,
    }))
}

/// What can be changed about a table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableChange {
    name: Option<String>,
    settings: Option<TableSettings>,
}

/// Rename a table or change how it is played
#[utoipa::path(patch, operation_id = "change_table", path = "/api/v1/tables/{table}", tag = "tables", params(("table" = String, Path)),
    request_body = TableChange, responses((status = 200, body = TableView), TableProblems, Problems))]
async fn change(State(app): State<Shared>, seat: Seat, Body(body): Body) -> Result<Sent<TableView>, Problem> {
    seat.at_least(Role::Master)?;
    let asked: TableChange = read(&body)?;
    let mut change = app.tables.store.begin(&seat.table).await?;
    let row = sqlx::query("SELECT * FROM tables WHERE id = $1").bind(&seat.table).fetch_one(&mut *change.tx).await?;
    let mut view = Table::from_row(&row)?.view;
    if let Some(name) = &asked.name {
        view.name = named("`name`", name)?;
    }
    view.settings = asked.settings.unwrap_or(view.settings);
    sqlx::query("UPDATE tables SET name = $2, settings = $3 WHERE id = $1")
        .bind(&seat.table)
        .bind(&view.name)
        .bind(json!(view.settings).to_string())
        .execute(&mut *change.tx)
        .await?;
    app.tables.commit(&seat.table, change, &Event::public("table", &json!({ "table": view }))).await?;
    Ok(Sent(view))
}

/// Delete a table, with everything that ever happened at it
#[utoipa::path(delete, operation_id = "delete_table", path = "/api/v1/tables/{table}", tag = "tables", params(("table" = String, Path)),
    responses((status = 204), TableProblems, Problems))]
async fn delete(State(app): State<Shared>, seat: Seat) -> Result<StatusCode, Problem> {
    seat.at_least(Role::Master)?;
    erase(app.tables.store.writer(), &seat.table).await?;
    app.tables.hubs.close(&seat.table);
    Ok(StatusCode::NO_CONTENT)
}

/// Everything of a table.
pub(crate) async fn erase(pool: &AnyPool, table: &str) -> Result<(), Problem> {
    const OF_MEMBERS: &[&str] = &["seats", "moves", "answered"];
    const OF_TABLE: &[&str] = &["invites", "scripts", "objects", "saved", "seeds", "executions", "events", "members"];
    let mut tx = pool.begin().await?;
    let gone = sqlx::query("DELETE FROM tables WHERE id = $1").bind(table).execute(&mut *tx).await?;
    if gone.rows_affected() == 0 {
        return Err(no_table());
    }
    for name in OF_MEMBERS {
        let text = format!("DELETE FROM {name} WHERE member_id IN (SELECT id FROM members WHERE table_id = $1)");
        sqlx::query(sqlx::AssertSqlSafe(text)).bind(table).execute(&mut *tx).await?;
    }
    for name in OF_TABLE {
        let text = format!("DELETE FROM {name} WHERE table_id = $1");
        sqlx::query(sqlx::AssertSqlSafe(text)).bind(table).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// What a guest brings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Joining {
    /// The secret of the invite link: what stands behind its `#`.
    token: String,
    /// Your name.
    name: String,
}

/// Take a seat with an invite link
#[utoipa::path(post, path = "/api/v1/tables/{table}/join", tag = "tables", params(("table" = String, Path)),
    request_body = Joining, responses((status = 201, body = MemberView),
        TableProblems, Problems))]
async fn join(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    Path(table): Path<String>,
    caller: Caller,
    Body(body): Body,
) -> Result<Response, Problem> {
    app.tables.joins.check(&client)?;
    let asked: Joining = read(&body)?;
    let name = named("`name`", &asked.name)?;
    let row = sqlx::query("SELECT role FROM invites WHERE table_id = $1 AND token = $2")
        .bind(&table)
        .bind(hash(&asked.token))
        .fetch_optional(&app.tables.store.read)
        .await?;
    let role = row.map(|row| row.try_get::<String, _>(0)).transpose()?.and_then(|role| Role::named(&role));
    let role = role.ok_or_else(expired)?;
    let member = Member::new(&name, role, false)?;
    let mut change = app.tables.store.begin(&table).await?;
    member.insert(&mut change.tx, &table).await?;
    app.tables.commit(&table, change, &members::event(&member.view())).await?;
    let secret = seated(&app, &caller, &member.id).await?;
    let cookie = AppendHeaders(secret.map(|secret| set_cookie(&app, &secret)));
    Ok((StatusCode::CREATED, cookie, Sent(member.view())).into_response())
}

pub(crate) fn expired() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "forbidden", "this link is no longer valid")
        .hint("copy the whole link, or ask the game master for a new one")
}

/// The code of a game master who lost everything else.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovering {
    code: String,
}

/// Become game master again with the recovery code
#[utoipa::path(post, path = "/api/v1/tables/{table}/recover", tag = "tables", params(("table" = String, Path)),
    request_body = Recovering, responses((status = 200, body = MemberView),
        TableProblems, Problems))]
async fn recover(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    Path(table): Path<String>,
    caller: Caller,
    Body(body): Body,
) -> Result<Response, Problem> {
    app.tables.joins.check(&client)?;
    let asked: Recovering = read(&body)?;
    let pool = &app.tables.store.read;
    let row = sqlx::query("SELECT recovery FROM tables WHERE id = $1").bind(&table).fetch_optional(pool).await?;
    let kept: String = row.ok_or_else(no_table)?.try_get(0)?;
    if kept != hash(&token::recovered(&asked.code)) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "this is not the recovery code of this table"));
    }
    let all = members::of_table(pool, &table).await?;
    let master = all.into_iter().find(|member| member.role == Role::Master && !member.bot && !member.gone);
    let master = master.ok_or_else(no_table)?;
    let secret = seated(&app, &caller, &master.id).await?;
    let cookie = AppendHeaders(secret.map(|secret| set_cookie(&app, &secret)));
    Ok((cookie, Sent(master)).into_response())
}

/// Which link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inviting {
    /// `player` or `spectator`.
    role: Role,
}

/// The secret of a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Secret {
    pub(crate) token: String,
}

/// Make a new invite link, which ends the old one
#[utoipa::path(post, path = "/api/v1/tables/{table}/invites", tag = "tables", params(("table" = String, Path)),
    request_body = Inviting, responses((status = 201, body = Secret), TableProblems, Problems))]
async fn invite(
    State(app): State<Shared>,
    seat: Seat,
    Body(body): Body,
) -> Result<(StatusCode, Sent<Secret>), Problem> {
    seat.at_least(Role::Master)?;
    let asked: Inviting = read(&body)?;
    if asked.role == Role::Master {
        return Err(
            Problem::request("there is no link for game masters").hint("hand the table over to a member instead")
        );
    }
    let secret = token::secret()?;
    let mut change = app.tables.store.begin(&seat.table).await?;
    sqlx::query("UPDATE invites SET token = $3 WHERE table_id = $1 AND role = $2")
        .bind(&seat.table)
        .bind(asked.role.name())
        .bind(hash(&secret))
        .execute(&mut *change.tx)
        .await?;
    let event = Event::hidden("invite", crate::store::Audience::Master, &json!({ "role": asked.role }), None);
    app.tables.commit(&seat.table, change, &event).await?;
    Ok((StatusCode::CREATED, Sent(Secret { token: secret })))
}
