//! An execution in the store, and what of it anybody may see.

use crate::page::hex;
use crate::problem::Problem;
use crate::store::{Audience, Change, Event, now};
use crate::table::role::{Viewer, Visibility};
use crate::table::token::random;
use crate::table::view::{AnswerView, ChangeView, ExecutionView, Kind, Shown};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyPool, Row, Transaction};
use std::collections::BTreeMap;

/// What is run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) label: Option<String>,
    /// The expression, its notation, and all values that it was rolled with.
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) notation: String,
    #[serde(default)]
    pub(crate) vars: Json,
    /// Those of them that were given with the roll.
    #[serde(default)]
    pub(crate) given: BTreeMap<String, i64>,
    /// The version of the script, the roll, its arguments, and the objects that were picked for them.
    #[serde(default)]
    pub(crate) script: i64,
    #[serde(default)]
    pub(crate) entry: String,
    #[serde(default)]
    pub(crate) args: Json,
    #[serde(default)]
    pub(crate) picked: BTreeMap<String, String>,
}

/// An execution.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) table: String,
    pub(crate) number: i64,
    pub(crate) member: String,
    pub(crate) visibility: Visibility,
    pub(crate) closed: bool,
    pub(crate) subject: Subject,
    pub(crate) seed: String,
    pub(crate) nonce: String,
    pub(crate) dice: Json,
    pub(crate) answers: BTreeMap<String, AnswerView>,
    /// Changes of objects that were applied.
    pub(crate) applied: Vec<ChangeView>,
    /// How many dice were typed in.
    pub(crate) fed: u64,
    pub(crate) shown: Shown,
    pub(crate) version: i64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

impl Execution {
    fn from_row(row: &AnyRow) -> Result<Execution, Problem> {
        let text = |name: &str| row.try_get::<String, _>(name);
        let shown: Shown = stored(&text("shown")?)?;
        Ok(Execution {
            table: text("table_id")?,
            number: row.try_get("number")?,
            member: text("member_id")?,
            visibility: Visibility::named(&text("visibility")?).unwrap_or(Visibility::Blind),
            closed: text("state")? == "closed",
            subject: stored(&text("subject")?)?,
            seed: text("seed")?,
            nonce: text("nonce")?,
            dice: stored(&text("dice")?)?,
            answers: stored(&text("answers")?)?,
            applied: stored(&text("changes")?)?,
            fed: row.try_get::<i64, _>("typed")?.unsigned_abs(),
            shown,
            version: row.try_get("version")?,
            created: row.try_get("created")?,
            updated: row.try_get("updated")?,
        })
    }

    /// Who may see its inside.
    pub(crate) fn audience(&self) -> Audience {
        match self.visibility {
            Visibility::Everyone => Audience::Everyone,
            Visibility::Master => Audience::MasterAnd(self.member.clone()),
            Visibility::Blind => Audience::Master,
            Visibility::Own => Audience::Only(self.member.clone()),
        }
    }

    /// Whether no die at this path fell in the last run: it is only remembered.
    pub(crate) fn forgot(&self, path: &str) -> bool {
        let remembered = self.shown.outcome.get("remembered").and_then(Json::as_array);
        remembered.is_some_and(|paths| paths.iter().any(|one| one.as_str() == Some(path)))
    }

    /// What somebody may see of it.
    pub(crate) fn view(&self, viewer: &Viewer) -> ExecutionView {
        self.seen(self.audience().has(viewer))
    }

    fn seen(&self, inside: bool) -> ExecutionView {
        ExecutionView {
            number: self.number,
            member: self.member.clone(),
            visibility: self.visibility,
            closed: self.closed,
            version: if inside { self.version } else { 0 },
            created: self.created,
            // When a hidden roll changed would tell that somebody answered something.
            updated: if inside { self.updated } else { self.created },
            hidden: !inside,
            shown: inside.then(|| self.shown.clone()),
        }
    }

    /// What happened, for everybody as they may see it. A change of a hidden roll is nothing to the others.
    pub(crate) fn event(&self, public: bool) -> Event {
        let inside = json!({ "execution": self.seen(true) });
        let outside = json!({ "execution": self.seen(false) });
        Event::hidden("execution", self.audience(), &inside, public.then_some(&outside))
    }

    /// Writes it for the first time.
    pub(crate) async fn insert(&self, change: &mut Change) -> Result<(), Problem> {
        let (subject, shown, dice) =
            (json!(self.subject).to_string(), json!(self.shown).to_string(), self.dice.to_string());
        change.grow(subject.len() + shown.len() + dice.len()).await?;
        sqlx::query(
            "INSERT INTO executions (table_id, number, kind, member_id, visibility, state, subject, seed, nonce, dice,
             answers, typed, changes, shown, version, created, updated)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        )
        .bind(&self.table)
        .bind(self.number)
        .bind(match self.subject.kind {
            Kind::Roll => "roll",
            Kind::Script => "script",
        })
        .bind(&self.member)
        .bind(self.visibility.name())
        .bind(self.state())
        .bind(subject)
        .bind(&self.seed)
        .bind(&self.nonce)
        .bind(dice)
        .bind(json!(self.answers).to_string())
        .bind(i64::try_from(self.fed).unwrap_or(i64::MAX))
        .bind(json!(self.applied).to_string())
        .bind(shown)
        .bind(self.version)
        .bind(self.created)
        .bind(self.updated)
        .execute(&mut *change.tx)
        .await?;
        Ok(())
    }

    fn state(&self) -> &'static str {
        if self.closed { "closed" } else { "open" }
    }

    /// Writes it one version later; false if somebody else has done so meanwhile.
    pub(crate) async fn update(&mut self, change: &mut Change) -> Result<bool, Problem> {
        let before = self.version;
        self.version += 1;
        self.updated = now();
        let (shown, dice) = (json!(self.shown).to_string(), self.dice.to_string());
        let done = sqlx::query(
            "UPDATE executions SET visibility = $4, state = $5, dice = $6, answers = $7, changes = $8, shown = $9,
             version = $10, updated = $11, typed = $12 WHERE table_id = $1 AND number = $2 AND version = $3",
        )
        .bind(&self.table)
        .bind(self.number)
        .bind(before)
        .bind(self.visibility.name())
        .bind(self.state())
        .bind(dice)
        .bind(json!(self.answers).to_string())
        .bind(json!(self.applied).to_string())
        .bind(shown)
        .bind(self.version)
        .bind(self.updated)
        .bind(i64::try_from(self.fed).unwrap_or(i64::MAX))
        .execute(&mut *change.tx)
        .await?;
        Ok(done.rows_affected() == 1)
    }
}

/// What the store holds, as its type; a row that can't be read is a bug and not somebody's mistake.
fn stored<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|_| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "a stored roll can't be read; please report this bug")
    })
}

/// An execution by its number.
pub(crate) async fn find(pool: &AnyPool, table: &str, number: i64) -> Result<Execution, Problem> {
    let row = sqlx::query("SELECT * FROM executions WHERE table_id = $1 AND number = $2")
        .bind(table)
        .bind(number)
        .fetch_optional(pool)
        .await?;
    let missing = || Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no roll with this number");
    Execution::from_row(&row.ok_or_else(missing)?)
}

/// The latest executions before one, newest first.
pub(crate) async fn latest_of(
    pool: &AnyPool,
    table: &str,
    before: Option<i64>,
    most: i64,
) -> Result<Vec<Execution>, Problem> {
    let rows =
        sqlx::query("SELECT * FROM executions WHERE table_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3")
            .bind(table)
            .bind(before.unwrap_or(i64::MAX))
            .bind(most)
            .fetch_all(pool)
            .await?;
    rows.iter().map(Execution::from_row).collect()
}

/// The same, as somebody may see them.
pub(crate) async fn latest(
    pool: &AnyPool,
    table: &str,
    viewer: &Viewer,
    before: Option<i64>,
    most: i64,
) -> Result<Vec<ExecutionView>, Problem> {
    Ok(latest_of(pool, table, before, most).await?.iter().map(|one| one.view(viewer)).collect())
}

/// Makes the seed of an execution that is to come.
pub(crate) async fn add_seed(tx: &mut Transaction<'static, Any>, table: &str, number: i64) -> Result<(), Problem> {
    let seed = random::<32>()?;
    sqlx::query("INSERT INTO seeds (table_id, number, seed, hash) VALUES ($1, $2, $3, $4)")
        .bind(table)
        .bind(number)
        .bind(hex(&seed))
        .bind(hex(&Sha256::digest(seed)))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The seed of the next execution, with its number.
pub(crate) async fn next_seed(pool: &AnyPool, table: &str) -> Result<(i64, String), Problem> {
    let row = sqlx::query(
        "SELECT s.number, s.seed FROM seeds s JOIN tables t ON t.id = s.table_id
         WHERE t.id = $1 AND s.number = t.last_execution + 1",
    )
    .bind(table)
    .fetch_optional(pool)
    .await?;
    let row = row.ok_or_else(crate::store::no_table)?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}
