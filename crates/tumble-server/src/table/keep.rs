//! Housekeeping: what is too old is forgotten, once an hour.

use super::{key, tables};
use crate::app::Shared;
use crate::problem::Problem;
use crate::store::now;
use sqlx::Row;
use std::time::Duration;
use tokio::sync::watch;

/// How often.
const EVERY: Duration = Duration::from_secs(3600);

/// A day, in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

/// Keeps the house until the server ends.
pub(crate) async fn house(app: Shared, mut ending: watch::Receiver<bool>) {
    let mut clock = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            _ = clock.tick() => {}
            _ = ending.wait_for(|ending| *ending) => return,
        }
        if once(&app).await.is_err() {
            tracing::warn!("housekeeping did not finish; it is tried again in an hour");
        }
    }
}

async fn once(app: &Shared) -> Result<(), Problem> {
    let store = &app.tables.store;
    key::forget_old(store.writer()).await?;
    let Some(days) = app.tables.config.expire_idle else { return Ok(()) };
    let rows = sqlx::query("SELECT id FROM tables WHERE touched < $1")
        .bind(now() - i64::from(days) * DAY)
        .fetch_all(&store.read)
        .await?;
    for row in rows {
        let table: String = row.try_get(0)?;
        tables::erase(store.writer(), &table).await?;
        app.tables.hubs.close(&table);
        tracing::info!("an idle table was deleted");
    }
    Ok(())
}
