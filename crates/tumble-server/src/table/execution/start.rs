//! A new execution: an expression, or a roll of the script.

use super::model::{Execution, Subject, add_seed, next_seed};
use super::play::{Play, Played, merged, prepared};
use crate::app::Shared;
use crate::body::Body;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::{Change, Event, now};
use crate::table::key::{Key, Keyed};
use crate::table::role::{Role, Visibility};
use crate::table::seat::Seat;
use crate::table::tables::{self, SEEDS_AHEAD, read};
use crate::table::view::{ExecutionView, Kind, Shown};
use crate::table::{object, script};
use crate::work::Refused;
use axum::Json as Sent;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// How often a roll is evaluated again because another server took its number.
const TRIES: usize = 5;

/// An expression to roll.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRoll {
    /// The expression.
    #[schema(example = "1d20 + 5")]
    text: String,
    /// Its notation; `tabletop` by default.
    notation: Option<String>,
    /// What it is for.
    label: Option<String>,
    /// Values for its names.
    #[serde(default)]
    vars: BTreeMap<String, i64>,
    /// A character whose numbers are values too: `@str` is its field `str`.
    object: Option<String>,
    #[serde(default)]
    visibility: Visibility,
    /// The dice that you rolled by hand, in order.
    #[serde(default)]
    dice: Vec<i64>,
}

/// A roll of the script.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRun {
    /// The roll, by its name or title.
    entry: String,
    /// Its arguments; `{"$object":"ID"}` stands for a stored object.
    #[serde(default)]
    #[schema(value_type = Object)]
    args: Map<String, Json>,
    label: Option<String>,
    #[serde(default)]
    visibility: Visibility,
    /// The first dice, rolled by hand.
    #[serde(default)]
    dice: Vec<i64>,
}

/// Roll any expression
#[utoipa::path(post, operation_id = "roll_at_table", path = "/api/v1/tables/{table}/rolls", tag = "rolls at a table",
    params(("table" = String, Path), ("Idempotency-Key" = String, Header)), request_body = NewRoll,
    responses((status = 201, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn roll(
    State(app): State<Shared>,
    seat: Seat,
    key: Key,
    Body(body): Body,
) -> Result<(StatusCode, Sent<Json>), Problem> {
    seat.at_least(Role::Player)?;
    let asked: NewRoll = read(&body)?;
    let keyed = Keyed::new(&seat, &key, "roll", &body);
    let mut vars = match &asked.object {
        Some(id) => object::values(&app, &seat, id).await?,
        None => Map::new(),
    };
    vars.extend(asked.vars.iter().map(|(name, value)| (name.clone(), json!(value))));
    let subject = Subject {
        kind: Kind::Roll,
        label: labelled(asked.label)?,
        text: asked.text,
        notation: asked.notation.unwrap_or_else(|| tumble::everyday().name.to_owned()),
        vars: Json::Object(vars),
        given: asked.vars,
        script: 0,
        entry: String::new(),
        args: Json::Null,
        picked: BTreeMap::new(),
    };
    // A mistake in the expression costs nobody a turn.
    prepared(&subject)?;
    let new = New { subject, visibility: asked.visibility, feed: asked.dice, script: String::new() };
    begin(&app, &seat, &keyed, new).await
}

/// Roll a roll of the script
#[utoipa::path(post, path = "/api/v1/tables/{table}/runs", tag = "rolls at a table",
    params(("table" = String, Path), ("Idempotency-Key" = String, Header)), request_body = NewRun,
    responses((status = 201, body = ExecutionView), TableProblems, Problems))]
pub(crate) async fn run(
    State(app): State<Shared>,
    seat: Seat,
    key: Key,
    Body(body): Body<{ 256 << 10 }>,
) -> Result<(StatusCode, Sent<Json>), Problem> {
    seat.at_least(Role::Player)?;
    let asked: NewRun = read(&body)?;
    let keyed = Keyed::new(&seat, &key, "run", &body);
    let (number, text) = script::current(&app.tables.store.read, &seat.table).await?;
    let mut picked = BTreeMap::new();
    let mut args = Json::Object(asked.args);
    object::snapshot(&app, &seat, &mut args, &mut picked).await?;
    let subject = Subject {
        kind: Kind::Script,
        label: labelled(asked.label)?,
        text: String::new(),
        notation: String::new(),
        vars: Json::Null,
        given: BTreeMap::new(),
        script: number,
        entry: asked.entry,
        args,
        picked,
    };
    let new = New { subject, visibility: asked.visibility, feed: asked.dice, script: text };
    begin(&app, &seat, &keyed, new).await
}

fn labelled(label: Option<String>) -> Result<Option<String>, Problem> {
    label.filter(|label| !label.trim().is_empty()).map(|label| tables::named("`label`", &label)).transpose()
}

/// What is to be rolled.
struct New {
    subject: Subject,
    visibility: Visibility,
    feed: Vec<i64>,
    script: String,
}

async fn begin(app: &Shared, seat: &Seat, keyed: &Keyed, new: New) -> Result<(StatusCode, Sent<Json>), Problem> {
    let tables = &app.tables;
    let settings = tables::find(&tables.store.read, &seat.table).await?.view.settings;
    if !new.feed.is_empty() && !settings.typed_dice && !seat.is_master() {
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", "this table allows no dice that are typed in"));
    }
    let _turn = tables.turn(&seat.table).await;
    for _ in 0..TRIES {
        if let Some(answer) = keyed.before(&tables.store.read).await? {
            return Ok((StatusCode::CREATED, Sent(answer)));
        }
        let (number, seed) = next_seed(&tables.store.read, &seat.table).await?;
        let play = new.play(&seed, &keyed.key);
        let played = tables.work.run(seat.member.clone(), move |limits| play.play(limits)).await??;
        let execution = new.execution(app, seat, number, &seed, keyed, played).await?;
        let answer = json!(execution.view(&seat.viewer()));
        let mut change = tables.store.begin(&seat.table).await?;
        if !taken(&mut change, &seat.table, number).await? || !keyed.keep(&mut change, &answer).await? {
            // Another server was quicker.
            continue;
        }
        execution.insert(&mut change).await?;
        add_seed(&mut change.tx, &seat.table, number + SEEDS_AHEAD).await?;
        let event: Event = execution.event(true);
        tables.commit(&seat.table, change, &event).await?;
        metrics::counter!("tumble_executions_total").increment(1);
        return Ok((StatusCode::CREATED, Sent(answer)));
    }
    Err(Problem::from(Refused::Full))
}

/// Takes the number of an execution; false if it is taken.
async fn taken(change: &mut Change, table: &str, number: i64) -> Result<bool, Problem> {
    let done = sqlx::query("UPDATE tables SET last_execution = $2 WHERE id = $1 AND last_execution = $2 - 1")
        .bind(table)
        .bind(number)
        .execute(&mut *change.tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

impl New {
    fn play(&self, seed: &str, nonce: &str) -> Play {
        Play {
            subject: self.subject.clone(),
            script: self.script.clone(),
            seed: seed.to_owned(),
            nonce: nonce.to_owned(),
            dice: Json::Null,
            answers: BTreeMap::new(),
            asked: Default::default(),
            edits: vec![],
            feed: self.feed.clone(),
        }
    }

    async fn execution(
        &self,
        app: &Shared,
        seat: &Seat,
        number: i64,
        seed: &str,
        keyed: &Keyed,
        played: Played,
    ) -> Result<Execution, Problem> {
        let at = now();
        let owners = object::owners_of(&app.tables.store.read, &seat.table, &seat.member, &played.outcome).await?;
        let roll = self.subject.kind == Kind::Roll;
        let shown = Shown {
            kind: self.subject.kind,
            label: self.subject.label.clone(),
            title: played.title,
            text: roll.then(|| self.subject.text.clone()),
            notation: roll.then(|| self.subject.notation.clone()),
            // The numbers of a character may be nobody else's business.
            vars: self.subject.given.clone(),
            script: (!roll).then_some(self.subject.script),
            entry: (!roll).then(|| self.subject.entry.clone()),
            picked: self.subject.picked.clone(),
            typed: played.fed,
            outcome: played.outcome,
            before: None,
            edited: vec![],
            owners,
            answers: BTreeMap::new(),
            changes: merged(played.changes, &[]),
        };
        Ok(Execution {
            table: seat.table.clone(),
            number,
            member: seat.member.clone(),
            visibility: self.visibility,
            closed: false,
            subject: self.subject.clone(),
            seed: seed.to_owned(),
            nonce: keyed.key.clone(),
            dice: played.dice,
            answers: BTreeMap::new(),
            applied: vec![],
            fed: played.fed,
            shown,
            version: 1,
            created: at,
            updated: at,
        })
    }
}
