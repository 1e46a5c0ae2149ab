//! Tables: a group plays together.
//!
//! ```text
//! request ─▶ Seat (who, which role) ─▶ evaluate on a worker ─▶ Change (one transaction, one event) ─▶ Hub ─▶ streams
//! ```
//!
//! Everything that happens at a table is an event with a number. A page reads the table once and follows its events from
//! there; what somebody may not see is left out on the server.

pub(crate) mod role;
pub(crate) mod seat;
pub(crate) mod token;

mod execution;
mod history;
mod hub;
pub(crate) mod keep;
mod key;
mod live;
mod members;
mod object;
mod pack;
mod saved;
mod script;
pub(crate) mod tables;
mod view;

pub(crate) use view::TableEvent;

use crate::app::Shared;
use crate::config::{Config, TableConfig};
use crate::net::Client;
use crate::problem::Problem;
use crate::rate::Rate;
use crate::store::{Change, Event, Store};
use crate::work::Work;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tumble::Limits;
use utoipa_axum::router::OpenApiRouter;

/// Everything that tables need.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) store: Store,
    pub(crate) hubs: hub::Hubs,
    /// Rolls at tables have workers of their own.
    pub(crate) work: Work<String>,
    /// Requests of a member, joins and new tables of an address.
    pub(crate) rate: Rate<String>,
    joins: Rate<Client>,
    creations: Rate<Client>,
    locks: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    pub(crate) config: TableConfig,
}

impl Tables {
    pub(crate) async fn open(config: &Config) -> io::Result<Tables> {
        let store = Store::open(&config.tables.database).await?;
        let members = &config.tables.members;
        let limits = Limits { steps: members.steps, bytes: members.memory, ..Limits::default() };
        Ok(Tables {
            store,
            hubs: hub::Hubs::default(),
            work: Work::start("table", members.workers, limits)?,
            rate: Rate::per_second(members.per_second),
            joins: Rate::within(config.tables.joins_per_minute, Duration::from_secs(60)),
            creations: Rate::within(config.tables.new_per_hour, Duration::from_secs(3600)),
            locks: Mutex::default(),
            config: config.tables.clone(),
        })
    }

    /// What is evaluated for a table happens one after the other, so that two rolls never take the same number. Between
    /// several servers the store decides, and who comes second evaluates again.
    pub(crate) async fn turn(&self, table: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(locks.entry(table.to_owned()).or_default())
        };
        lock.lock_owned().await
    }

    /// Makes a change lasting and tells everybody who listens.
    pub(crate) async fn commit(&self, table: &str, change: Change, event: &Event) -> Result<i64, Problem> {
        let id = change.commit(event).await?;
        self.hubs.wake(table);
        Ok(id)
    }
}

/// The routes.
pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .merge(tables::router())
        .merge(members::router())
        .merge(execution::router())
        .merge(script::router())
        .merge(object::router())
        .merge(saved::router())
        .merge(pack::router())
        .merge(history::router())
        .merge(live::router())
}
