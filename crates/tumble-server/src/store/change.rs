//! One change of a table: a transaction with exactly one event.

use super::now;
use crate::problem::Problem;
use crate::table::role::{Role, Viewer};
use axum::http::StatusCode;
use serde_json::Value as Json;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyPool, Row, Transaction};

/// The most that is stored for one table, in bytes.
const MOST_BYTES: i64 = 50 << 20;

/// Who gets the inside of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Everyone,
    /// The game master and this member.
    MasterAnd(String),
    Master,
    Only(String),
}

impl Audience {
    /// Whether somebody is in it.
    pub(crate) fn has(&self, viewer: &Viewer) -> bool {
        let master = viewer.role == Role::Master;
        match self {
            Audience::Everyone => true,
            Audience::MasterAnd(member) => master || *member == viewer.member,
            Audience::Master => master,
            Audience::Only(member) => *member == viewer.member,
        }
    }

    fn written(&self) -> String {
        match self {
            Audience::Everyone => "everyone".to_owned(),
            Audience::MasterAnd(member) => format!("master+{member}"),
            Audience::Master => "master".to_owned(),
            Audience::Only(member) => format!("only+{member}"),
        }
    }

    /// Reads what was written; whatever nobody knows is for nobody.
    fn read(text: &str) -> Audience {
        match text.split_once('+') {
            None if text == "everyone" => Audience::Everyone,
            None if text == "master" => Audience::Master,
            Some(("master", member)) => Audience::MasterAnd(member.to_owned()),
            Some((_, member)) => Audience::Only(member.to_owned()),
            None => Audience::Only(String::new()),
        }
    }
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) audience: Audience,
    /// What the audience gets.
    pub(crate) inside: String,
    /// What the others get; nothing if it is empty.
    pub(crate) outside: String,
}

impl Event {
    /// The same for everybody.
    pub(crate) fn public(kind: &str, data: &Json) -> Event {
        Event::hidden(kind, Audience::Everyone, data, None)
    }

    /// One whose inside is not for everybody.
    pub(crate) fn hidden(kind: &str, audience: Audience, inside: &Json, outside: Option<&Json>) -> Event {
        Event {
            id: 0,
            kind: kind.to_owned(),
            audience,
            inside: of_kind(kind, inside),
            outside: outside.map(|outside| of_kind(kind, outside)).unwrap_or_default(),
        }
    }

    /// What somebody gets of it.
    pub(crate) fn seen_by(&self, viewer: &Viewer) -> &str {
        if self.audience.has(viewer) { &self.inside } else { &self.outside }
    }

    pub(crate) fn from_row(row: &AnyRow) -> Result<Event, sqlx::Error> {
        Ok(Event {
            id: row.try_get("id")?,
            kind: row.try_get("kind")?,
            audience: Audience::read(row.try_get("audience")?),
            inside: row.try_get("inside")?,
            outside: row.try_get("outside")?,
        })
    }
}

/// The data of an event, with its kind.
fn of_kind(kind: &str, data: &Json) -> String {
    let first = [("kind".to_owned(), Json::from(kind))];
    let rest = data.as_object().cloned().unwrap_or_default();
    Json::Object(first.into_iter().chain(rest).collect()).to_string()
}

/// A transaction that has taken the number of its event.
pub(crate) struct Change {
    pub(crate) tx: Transaction<'static, Any>,
    table: String,
    event: i64,
    bytes: i64,
}

impl Change {
    pub(super) async fn begin(pool: &AnyPool, table: &str) -> Result<Change, Problem> {
        let mut tx = pool.begin().await?;
        let row =
            sqlx::query("UPDATE tables SET last_event = last_event + 1 WHERE id = $1 RETURNING last_event, bytes")
                .bind(table)
                .fetch_optional(&mut *tx)
                .await?;
        let row = row.ok_or_else(no_table)?;
        Ok(Change { tx, table: table.to_owned(), event: row.try_get(0)?, bytes: row.try_get(1)? })
    }

    /// Refuses what would make the table too large; what is removed never does.
    pub(crate) fn room(&self, more: usize) -> Result<(), Problem> {
        if self.bytes.saturating_add(i64::try_from(more).unwrap_or(i64::MAX)) <= MOST_BYTES {
            return Ok(());
        }
        let detail = format!("this table holds {} MB, which is all it may", MOST_BYTES >> 20);
        Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", detail).hint("export it and start a new one"))
    }

    /// Takes room for what is stored besides the event.
    pub(crate) async fn grow(&mut self, more: usize) -> Result<(), Problem> {
        self.room(more)?;
        let more = i64::try_from(more).unwrap_or(i64::MAX);
        self.bytes = self.bytes.saturating_add(more);
        sqlx::query("UPDATE tables SET bytes = bytes + $2 WHERE id = $1")
            .bind(&self.table)
            .bind(more)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    /// Writes the event and makes everything lasting. Gives the number of the event.
    pub(crate) async fn commit(mut self, event: &Event) -> Result<i64, Problem> {
        let (at, size) = (now(), event.inside.len() + event.outside.len());
        self.room(size)?;
        sqlx::query(
            "INSERT INTO events (table_id, id, kind, audience, inside, outside, created)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&self.table)
        .bind(self.event)
        .bind(&event.kind)
        .bind(event.audience.written())
        .bind(&event.inside)
        .bind(&event.outside)
        .bind(at)
        .execute(&mut *self.tx)
        .await?;
        sqlx::query("UPDATE tables SET touched = $2, bytes = bytes + $3 WHERE id = $1")
            .bind(&self.table)
            .bind(at)
            .bind(i64::try_from(size).unwrap_or(i64::MAX))
            .execute(&mut *self.tx)
            .await?;
        self.tx.commit().await?;
        Ok(self.event)
    }
}

/// The answer for a table that is not there, and for one that somebody has no seat at.
pub(crate) fn no_table() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such table, or you have no seat at it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audiences_are_read_as_written() {
        let all = [
            Audience::Everyone,
            Audience::MasterAnd("m1".to_owned()),
            Audience::Master,
            Audience::Only("m1".to_owned()),
        ];
        for audience in all {
            assert_eq!(Audience::read(&audience.written()), audience);
        }
        assert_eq!(Audience::read("rubbish"), Audience::Only(String::new()), "nobody");
    }
}
