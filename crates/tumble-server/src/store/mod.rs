//! The store: one SQL text for SQLite and PostgreSQL.
//!
//! ```text
//! Store::begin(table) ─▶ Change (a transaction that has taken the number of its event) ─▶ commit(Event)
//! ```
//!
//! Every transaction that writes to a table of players begins by taking the number of its event from the table's own row.
//! That is the lock of the row in PostgreSQL and the lock of the file in SQLite, so such transactions happen one after
//! the other; each writes exactly one event, and the numbers have no gaps.
//!
//! In SQLite one connection writes and the others read: with several writers the slowest commit takes ten times as long.

pub mod admin;
mod change;
mod error;
mod file;

pub(crate) use change::{Audience, Change, Event, no_table};
pub(crate) use file::Held;

use crate::problem::Problem;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::Migrator;
use sqlx::{AnyPool, Executor};
use std::io;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// What SQLite needs to be told on every connection: an acknowledged commit is on disk.
const PRAGMAS: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;";

/// A connection that is not there after so long is an error.
const PATIENCE: Duration = Duration::from_secs(5);

/// The database.
#[derive(Debug)]
pub(crate) struct Store {
    /// Readers, and who writes; with PostgreSQL the same.
    pub(crate) read: AnyPool,
    write: AnyPool,
    /// A file of SQLite belongs to one server at a time.
    _held: Option<Held>,
}

impl Store {
    /// Opens a database, makes it if it is not there, and brings it up to date.
    pub(crate) async fn open(place: &str) -> io::Result<Store> {
        sqlx::any::install_default_drivers();
        let (read, write, held) = if is_postgres(place) {
            let pool = pool(place, 8, false).await?;
            (pool.clone(), pool, None)
        } else {
            let held = Held::take(file::path(place))?;
            let url = file::url(place);
            (pool(&url, 4, true).await?, pool(&url, 1, true).await?, Some(held))
        };
        MIGRATIONS.run(&write).await.map_err(io::Error::other)?;
        Ok(Store { read, write, _held: held })
    }

    /// A transaction on a table of players; none if there is no such table.
    pub(crate) async fn begin(&self, table: &str) -> Result<Change, Problem> {
        Change::begin(&self.write, table).await
    }

    /// Where a new table is written.
    pub(crate) fn writer(&self) -> &AnyPool {
        &self.write
    }

    /// Whether it answers.
    pub(crate) async fn is_well(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.read).await.is_ok()
    }
}

/// Whether a place is a server and not a file.
pub(crate) fn is_postgres(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

async fn pool(url: &str, most: u32, sqlite: bool) -> io::Result<AnyPool> {
    let options = AnyConnectOptions::from_str(url).map_err(io::Error::other)?;
    let pool =
        AnyPoolOptions::new().max_connections(most).acquire_timeout(PATIENCE).after_connect(move |connection, _| {
            Box::pin(async move {
                if sqlite {
                    connection.execute(PRAGMAS).await?;
                }
                Ok(())
            })
        });
    pool.connect_with(options).await.map_err(io::Error::other)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
