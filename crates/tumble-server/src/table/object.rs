//! Objects: characters and monsters, made from the types of the script, owned, and visible to all or to owner and game
//! master.

use super::execution::Execution;
use super::role::{Role, Viewer, Visibility};
use super::script::Migration;
use super::seat::Seat;
use super::tables::read;
use super::view::{ChangeView, ObjectView};
use super::{script, token};
use crate::app::Shared;
use crate::body::Body;
use crate::place::Path;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Audience, Change, Event, now};
use axum::Json as Sent;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row};
use std::collections::BTreeMap;
use tumble::script::{Script, datum_from_json, datum_to_json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most objects of a table.
const MOST: i64 = 2000;

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(one, change, delete)).routes(routes!(restore))
}

impl ObjectView {
    fn from_row(row: &AnyRow) -> Result<ObjectView, sqlx::Error> {
        let text = |name: &str| row.try_get::<String, _>(name);
        let json = |text: String| serde_json::from_str(&text).unwrap_or_default();
        Ok(ObjectView {
            id: text("id")?,
            kind: text("type")?,
            owner: text("owner")?,
            visibility: Visibility::named(&text("visibility")?).unwrap_or(Visibility::Master),
            data: json(text("data")?),
            leftover: json(text("leftover")?),
            version: row.try_get("version")?,
            deleted: row.try_get::<i64, _>("deleted")? != 0,
        })
    }

    fn audience(&self) -> Audience {
        match (self.visibility, self.owner.is_empty()) {
            (Visibility::Everyone, _) => Audience::Everyone,
            (_, true) => Audience::Master,
            (_, false) => Audience::MasterAnd(self.owner.clone()),
        }
    }

    /// What happened to it; who could see it before learns at least that it is gone.
    fn event(&self, before: Option<&ObjectView>) -> Event {
        let gone = json!({ "gone": self.id });
        let outside = before.filter(|old| old.audience() != self.audience()).map(|_| &gone);
        Event::hidden("object", self.audience(), &json!({ "object": self }), outside)
    }

    fn may_change(&self, seat: &Seat) -> Result<(), Problem> {
        if self.owner == seat.member || seat.is_master() {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "this belongs to somebody else"))
    }
}

fn missing() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such object")
}

/// The objects of a table that somebody may see, in the order they were made.
pub(crate) async fn of_table(pool: &AnyPool, table: &str, viewer: &Viewer) -> Result<Vec<ObjectView>, Problem> {
    let rows = sqlx::query("SELECT * FROM objects WHERE table_id = $1 AND deleted = 0 ORDER BY created, id")
        .bind(table)
        .fetch_all(pool)
        .await?;
    let all: Vec<ObjectView> = rows.iter().map(ObjectView::from_row).collect::<Result<_, _>>()?;
    Ok(all.into_iter().filter(|object| object.audience().has(viewer)).collect())
}

/// An object that somebody may see; to others there is none.
async fn find(pool: &AnyPool, seat: &Seat, id: &str) -> Result<ObjectView, Problem> {
    let row = sqlx::query("SELECT * FROM objects WHERE table_id = $1 AND id = $2")
        .bind(&seat.table)
        .bind(id)
        .fetch_optional(pool)
        .await?;
    let object = ObjectView::from_row(&row.ok_or_else(missing)?)?;
    if object.audience().has(&seat.viewer()) { Ok(object) } else { Err(missing()) }
}

/// Whether somebody may see an object.
pub(crate) async fn is_visible(pool: &AnyPool, seat: &Seat, id: &str) -> Result<bool, Problem> {
    Ok(find(pool, seat, id).await.is_ok())
}

/// The numbers of a character, for an expression: nested ones too, and nothing else.
pub(crate) async fn values(app: &Shared, seat: &Seat, id: &str) -> Result<Map<String, Json>, Problem> {
    let object = find(&app.tables.store.read, seat, id).await?;
    match numbers(&object.data) {
        Some(Json::Object(fields)) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

fn numbers(data: &Json) -> Option<Json> {
    match data {
        Json::Number(_) => Some(data.clone()),
        Json::Object(fields) => {
            let fields = fields.iter().filter_map(|(name, value)| Some((name.clone(), numbers(value)?)));
            Some(Json::Object(fields.collect()))
        }
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Array(_) => None,
    }
}

/// Puts stored objects in the place of `{"$object":"ID"}`, and notes which were picked for what.
pub(crate) async fn snapshot(
    app: &Shared,
    seat: &Seat,
    args: &mut Json,
    picked: &mut BTreeMap<String, String>,
) -> Result<(), Problem> {
    let mut left: Vec<(String, &mut Json)> = vec![(String::new(), args)];
    while let Some((way, value)) = left.pop() {
        if let Some(id) = value.get("$object") {
            let id =
                id.as_str().ok_or_else(|| Problem::request(format!("`{way}.$object` must be the id of an object")))?;
            let object = find(&app.tables.store.read, seat, id).await?;
            picked.insert(way, object.id.clone());
            let mut data = object.data;
            if let Json::Object(fields) = &mut data {
                fields.insert("$id".into(), json!(object.id));
            }
            *value = data;
            continue;
        }
        match value {
            Json::Object(fields) => {
                // An identity comes from us alone: whoever is said to own something decides for it.
                fields.shift_remove("$id");
                let dot = if way.is_empty() { "" } else { "." };
                left.extend(fields.iter_mut().map(|(name, value)| (format!("{way}{dot}{name}"), value)));
            }
            Json::Array(items) => {
                left.extend(items.iter_mut().enumerate().map(|(at, value)| (format!("{way}[{at}]"), value)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Who may answer each option of an outcome: the owner of its object, or who started the roll if it has none.
pub(crate) async fn owners_of(
    pool: &AnyPool,
    table: &str,
    starter: &str,
    outcome: &Json,
) -> Result<BTreeMap<String, String>, Problem> {
    let mut owners = BTreeMap::new();
    for option in outcome.get("options").and_then(Json::as_array).into_iter().flatten() {
        let path = option.get("path").and_then(Json::as_str).unwrap_or_default();
        let owner = match option.get("owner_id").and_then(Json::as_str) {
            None => starter.to_owned(),
            Some(id) => {
                let row = sqlx::query("SELECT owner FROM objects WHERE table_id = $1 AND id = $2")
                    .bind(table)
                    .bind(id)
                    .fetch_optional(pool)
                    .await?;
                row.map(|row| row.try_get(0)).transpose()?.unwrap_or_default()
            }
        };
        owners.insert(path.to_owned(), owner);
    }
    Ok(owners)
}

/// A new object.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewObject {
    /// The name of its type in the script.
    #[serde(rename = "type")]
    kind: String,
    /// Its fields; those that are left out take their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    data: Map<String, Json>,
    /// The member it belongs to: yourself, unless the game master says otherwise; empty for the game master.
    owner: Option<String>,
    /// `everyone` by default, or `master`.
    #[serde(default)]
    visibility: Visibility,
}

/// Make a character, a monster or whatever else the script has a type for
#[utoipa::path(post, operation_id = "create_object", path = "/api/v1/tables/{table}/objects", tag = "objects", params(("table" = String, Path)),
    request_body = NewObject, responses((status = 201, body = ObjectView), TableProblems, Problems))]
async fn create(
    State(app): State<Shared>,
    seat: Seat,
    Body(body): Body<{ 256 << 10 }>,
) -> Result<(StatusCode, Sent<ObjectView>), Problem> {
    seat.at_least(Role::Player)?;
    let asked: NewObject = read(&body)?;
    let own = if seat.is_master() { String::new() } else { seat.member.clone() };
    let owner = asked.owner.unwrap_or(own);
    if owner != seat.member {
        seat.at_least(Role::Master)?;
    }
    visible(asked.visibility)?;
    let (_, text) = script::current(&app.tables.store.read, &seat.table).await?;
    let data = fitted(&Script::read(&text, false), &asked.kind, &Json::Object(asked.data))?;
    let object = ObjectView {
        id: token::name()?,
        kind: asked.kind,
        owner,
        visibility: asked.visibility,
        data,
        leftover: json!({}),
        version: 1,
        deleted: false,
    };
    let mut change = app.tables.store.begin(&seat.table).await?;
    is_member(&mut change, &seat.table, &object.owner).await?;
    insert(&mut change, &seat.table, &object).await?;
    app.tables.commit(&seat.table, change, &object.event(None)).await?;
    Ok((StatusCode::CREATED, Sent(object)))
}

fn visible(visibility: Visibility) -> Result<(), Problem> {
    match visibility {
        Visibility::Everyone | Visibility::Master => Ok(()),
        Visibility::Blind | Visibility::Own => {
            Err(Problem::request("an object is visible to `everyone` or to `master`"))
        }
    }
}

/// Data as the script's type has it.
fn fitted(script: &Script, kind: &str, data: &Json) -> Result<Json, Problem> {
    let read = script.tables().object(kind, &datum_from_json(data));
    let read = read.ok_or_else(|| Problem::request(format!("the script has no type `{kind}`")))?;
    let (datum, warnings) = read.map_err(|error| Problem::from(&error))?;
    // Whoever sends a field expects it to be kept.
    if let Some(warning) = warnings.first() {
        return Err(Problem::from(warning));
    }
    Ok(datum_to_json(&datum))
}

async fn is_member(change: &mut Change, table: &str, owner: &str) -> Result<(), Problem> {
    if owner.is_empty() {
        return Ok(());
    }
    let row = sqlx::query("SELECT 1 FROM members WHERE table_id = $1 AND id = $2 AND gone = 0")
        .bind(table)
        .bind(owner)
        .fetch_optional(&mut *change.tx)
        .await?;
    row.map(|_| ()).ok_or_else(|| Problem::request("`owner` is no member of this table"))
}

pub(crate) async fn insert(change: &mut Change, table: &str, object: &ObjectView) -> Result<(), Problem> {
    let row =
        sqlx::query("SELECT COUNT(*) FROM objects WHERE table_id = $1").bind(table).fetch_one(&mut *change.tx).await?;
    if row.try_get::<i64, _>(0)? >= MOST {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "limit",
            "this table has as many objects as it may",
        ));
    }
    let data = object.data.to_string();
    change.grow(data.len()).await?;
    sqlx::query(
        "INSERT INTO objects (id, table_id, type, owner, visibility, data, leftover, version, deleted, created)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 0, $8)",
    )
    .bind(&object.id)
    .bind(table)
    .bind(&object.kind)
    .bind(&object.owner)
    .bind(object.visibility.name())
    .bind(data)
    .bind(object.leftover.to_string())
    .bind(now())
    .execute(&mut *change.tx)
    .await?;
    Ok(())
}

/// An object
#[utoipa::path(get, operation_id = "object", path = "/api/v1/tables/{table}/objects/{object}", tag = "objects",
    params(("table" = String, Path), ("object" = String, Path)),
    responses((status = 200, body = ObjectView), TableProblems, Problems))]
async fn one(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
) -> Result<Sent<ObjectView>, Problem> {
    Ok(Sent(find(&app.tables.store.read, &seat, &id).await?))
}

/// What can be changed about an object.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectChange {
    /// All of its fields.
    #[schema(value_type = Option<Object>)]
    data: Option<Map<String, Json>>,
    /// For the game master.
    owner: Option<String>,
    visibility: Option<Visibility>,
    /// The version that you changed; if there is a newer one, nothing is written.
    version: i64,
}

/// Change an object
#[utoipa::path(put, operation_id = "change_object", path = "/api/v1/tables/{table}/objects/{object}", tag = "objects",
    params(("table" = String, Path), ("object" = String, Path)), request_body = ObjectChange,
    responses((status = 200, body = ObjectView), TableProblems, Problems))]
async fn change(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
    Body(body): Body<{ 256 << 10 }>,
) -> Result<Sent<ObjectView>, Problem> {
    let asked: ObjectChange = read(&body)?;
    let before = find(&app.tables.store.read, &seat, &id).await?;
    before.may_change(&seat)?;
    let mut object = before.clone();
    if let Some(data) = asked.data {
        let (_, text) = script::current(&app.tables.store.read, &seat.table).await?;
        object.data = fitted(&Script::read(&text, false), &object.kind, &Json::Object(data))?;
    }
    if let Some(owner) = asked.owner {
        seat.at_least(Role::Master)?;
        object.owner = owner;
    }
    if let Some(visibility) = asked.visibility {
        visible(visibility)?;
        object.visibility = visibility;
    }
    object.version = asked.version;
    let mut change = app.tables.store.begin(&seat.table).await?;
    is_member(&mut change, &seat.table, &object.owner).await?;
    write(&mut change, &mut object).await?;
    app.tables.commit(&seat.table, change, &object.event(Some(&before))).await?;
    Ok(Sent(object))
}

/// Writes it one version later.
async fn write(change: &mut Change, object: &mut ObjectView) -> Result<(), Problem> {
    let before = object.version;
    object.version += 1;
    let done = sqlx::query(
        "UPDATE objects SET owner = $3, visibility = $4, data = $5, leftover = $6, version = $7, deleted = $8
         WHERE id = $1 AND version = $2",
    )
    .bind(&object.id)
    .bind(before)
    .bind(&object.owner)
    .bind(object.visibility.name())
    .bind(object.data.to_string())
    .bind(object.leftover.to_string())
    .bind(object.version)
    .bind(if object.deleted { now() } else { 0 })
    .execute(&mut *change.tx)
    .await?;
    if done.rows_affected() == 1 {
        return Ok(());
    }
    Err(Problem::new(StatusCode::CONFLICT, "conflict", "it was changed meanwhile; look at it again first"))
}

/// Delete an object; it can be restored
#[utoipa::path(delete, operation_id = "delete_object", path = "/api/v1/tables/{table}/objects/{object}", tag = "objects",
    params(("table" = String, Path), ("object" = String, Path)),
    responses((status = 200, body = ObjectView), TableProblems, Problems))]
async fn delete(app: State<Shared>, id: Path<(String, String)>, seat: Seat) -> Result<Sent<ObjectView>, Problem> {
    set_deleted(app, id, seat, true).await
}

/// Restore a deleted object
#[utoipa::path(post, operation_id = "restore_object", path = "/api/v1/tables/{table}/objects/{object}/restore", tag = "objects",
    params(("table" = String, Path), ("object" = String, Path)),
    responses((status = 200, body = ObjectView), TableProblems, Problems))]
async fn restore(app: State<Shared>, id: Path<(String, String)>, seat: Seat) -> Result<Sent<ObjectView>, Problem> {
    set_deleted(app, id, seat, false).await
}

async fn set_deleted(
    State(app): State<Shared>,
    Path((_, id)): Path<(String, String)>,
    seat: Seat,
    deleted: bool,
) -> Result<Sent<ObjectView>, Problem> {
    let mut object = find(&app.tables.store.read, &seat, &id).await?;
    object.may_change(&seat)?;
    object.deleted = deleted;
    let mut change = app.tables.store.begin(&seat.table).await?;
    write(&mut change, &mut object).await?;
    app.tables.commit(&seat.table, change, &object.event(None)).await?;
    Ok(Sent(object))
}

/// Applies a change that a roll proposes.
pub(crate) async fn changed(change: &mut Change, seat: &Seat, proposed: &ChangeView) -> Result<ObjectView, Problem> {
    let conflict = |detail: &str| Problem::new(StatusCode::CONFLICT, "conflict", detail);
    let row = sqlx::query("SELECT * FROM objects WHERE table_id = $1 AND id = $2 AND deleted = 0")
        .bind(&seat.table)
        .bind(&proposed.object)
        .fetch_optional(&mut *change.tx)
        .await?;
    let mut object =
        ObjectView::from_row(&row.ok_or_else(|| conflict("there is no sheet that this could be applied to"))?)?;
    object.may_change(seat)?;
    let key = proposed.field.to_lowercase();
    let fields = object.data.as_object_mut().into_iter().flatten();
    let field = fields.into_iter().find(|(name, _)| name.to_lowercase() == key).map(|(_, value)| value);
    let value = field.ok_or_else(|| conflict("the sheet has no such field any more"))?;
    let sum = value.as_i64().and_then(|now| now.checked_add(proposed.amount));
    *value = json!(sum.ok_or_else(|| conflict("the number on the sheet can't be changed by that"))?);
    write(change, &mut object).await?;
    Ok(object)
}

/// A roll, one of whose changes was applied. What the sheet shows is asked for by those who may see it.
pub(crate) fn applied_event(execution: &Execution, object: &ObjectView) -> Event {
    let mut event = execution.event(false);
    if let Ok(Json::Object(mut inside)) = serde_json::from_str(&event.inside) {
        inside.insert("changed_object".into(), json!(object.id));
        event.inside = Json::Object(inside).to_string();
    }
    event
}

/// Takes all objects along to a new script. What a type has no field for any more is put aside, and comes back as soon
/// as there is one that it fits.
pub(crate) async fn migrate(change: &mut Change, table: &str, script: &Script) -> Result<Vec<Migration>, Problem> {
    let rows = sqlx::query("SELECT * FROM objects WHERE table_id = $1").bind(table).fetch_all(&mut *change.tx).await?;
    let mut all = vec![];
    for row in &rows {
        let before = ObjectView::from_row(row)?;
        let mut object = before.clone();
        let notes = moved(&mut object, script);
        if object.data != before.data || object.leftover != before.leftover {
            write(change, &mut object).await?;
        }
        if !notes.is_empty() {
            all.push(Migration { object: object.id, notes });
        }
    }
    Ok(all)
}

/// An object under a new script, and what of it did not fit.
fn moved(object: &mut ObjectView, script: &Script) -> Vec<String> {
    let given = |object: &ObjectView| {
        let mut all = object.leftover.as_object().cloned().unwrap_or_default();
        all.extend(object.data.as_object().cloned().unwrap_or_default());
        all
    };
    let (mut kept, mut aside, mut notes) = (given(object), Map::new(), vec![]);
    if script.tables().object(&object.kind, &datum_from_json(&json!({}))).is_none() {
        return vec![format!("the script has no type `{}` any more; its data stays as it is", object.kind)];
    }
    // One field after the other, so that one that does not fit takes no other with it.
    for (name, value) in std::mem::take(&mut kept) {
        let alone = Json::Object(Map::from_iter([(name.clone(), value.clone())]));
        match script.tables().object(&object.kind, &datum_from_json(&alone)) {
            Some(Ok((_, warnings))) if warnings.is_empty() => drop(kept.insert(name, value)),
            Some(Ok(_)) => {
                notes.push(format!("`{name}` has no field any more and was put aside"));
                aside.insert(name, value);
            }
            Some(Err(error)) => {
                notes.push(format!("{}; it was put aside", error.message));
                aside.insert(name, value);
            }
            None => {}
        }
    }
    if let Some(Ok((datum, _))) = script.tables().object(&object.kind, &datum_from_json(&Json::Object(kept))) {
        object.data = datum_to_json(&datum);
        object.leftover = Json::Object(aside);
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_put_aside_and_comes_back() {
        let mut object = ObjectView {
            id: String::new(),
            kind: "hero".to_owned(),
            owner: String::new(),
            visibility: Visibility::Everyone,
            data: json!({ "name": "Ann", "hp": 7, "bag": ["rope"] }),
            leftover: json!({}),
            version: 1,
            deleted: false,
        };
        let script = |text: &str| Script::read(text, false);
        let notes = moved(&mut object, &script("deftype hero { name: string, hp: int, bag: int, luck: int = 3 }"));
        assert_eq!(object.data, json!({ "name": "Ann", "hp": 7, "bag": 0, "luck": 3 }));
        assert_eq!(object.leftover, json!({ "bag": ["rope"] }));
        assert_eq!(notes.len(), 1, "{notes:?}");
        moved(&mut object, &script("deftype other { a: int }"));
        assert_eq!(object.leftover, json!({ "bag": ["rope"] }), "no type, no change");
        object.data = json!({ "name": "Ann", "hp": 7 });
        moved(&mut object, &script("deftype hero { name: string, bag: string list }"));
        assert_eq!(object.data, json!({ "name": "Ann", "bag": ["rope"] }));
        assert_eq!(object.leftover, json!({ "hp": 7 }));
    }

    #[test]
    fn values_of_a_character_are_its_numbers() {
        let data = json!({ "name": "Ann", "str": 3, "skill": { "stealth": 5, "note": "x" }, "bag": [1] });
        assert_eq!(numbers(&data), Some(json!({ "str": 3, "skill": { "stealth": 5 } })));
    }
}
