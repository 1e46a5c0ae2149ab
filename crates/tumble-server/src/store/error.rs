//! What the database says when it can't, for clients: no detail of it leaves the server.

use crate::problem::Problem;
use axum::http::StatusCode;
use sqlx::Error;
use std::time::Duration;

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
        // SQLite: 13 is a full disk, 5 and 6 a lock; PostgreSQL: 53100 is a full disk.
        match code.as_deref() {
            Some("13" | "53100") => full(),
            Some("10" | "778" | "1034" | "4874") => full(),
            Some("5" | "6" | "261" | "517" | "40001" | "40P01" | "55P03") => busy(),
            _ if matches!(error, Error::PoolTimedOut) => busy(),
            _ => {
                tracing::error!(kind = ?code, "database: {}", worded(&error));
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "the database did not answer")
            }
        }
    }
}

fn full() -> Problem {
    Problem::new(StatusCode::INSUFFICIENT_STORAGE, "limit", "the server's disk is full; nothing was changed")
        .retry(Duration::from_secs(60))
}

fn busy() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "the database is busy; try again in a moment")
        .retry(Duration::from_secs(1))
}

/// The error for the log, without values: a text of the database may quote what was stored.
fn worded(error: &Error) -> String {
    match error {
        Error::Database(inner) => format!("{:?}", inner.kind()),
        Error::Io(inner) => inner.kind().to_string(),
        Error::RowNotFound => "a row is missing".to_owned(),
        Error::ColumnNotFound(name) => format!("no column {name}"),
        _ => "unexpected".to_owned(),
    }
}
