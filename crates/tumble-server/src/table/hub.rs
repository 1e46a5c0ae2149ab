//! Live events: one reader per table and server fetches what is new and hands it to everybody who listens.
//!
//! ```text
//! commit ─▶ wake ─▶ reader (one query) ─▶ broadcast ─▶ every stream of the table
//! ```
//!
//! A stream asks the store only to catch up. One that is too slow is cut off, and its client resumes by the number of the
//! last event it has.

use super::role::Role;
use crate::app::Shared;
use crate::problem::Problem;
use crate::store::Event;
use axum::http::StatusCode;
use serde_json::Value as Json;
use sqlx::{AnyPool, Row};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// How many events a slow stream may be behind.
const BEHIND: usize = 256;

/// The most streams of one member.
const STREAMS: usize = 4;

/// How many events are fetched at once.
pub(crate) const PAGE: i64 = 200;

/// The tables that somebody listens to.
#[derive(Debug, Default)]
pub(crate) struct Hubs {
    open: Mutex<HashMap<String, Arc<Hub>>>,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Hub {
    events: broadcast::Sender<Arc<Event>>,
    news: Notify,
    now: Mutex<Now>,
}

/// Who is there.
#[derive(Debug, Default)]
struct Now {
    /// The members and what they are; who has left is not among them.
    roles: HashMap<String, Role>,
    /// How many streams each has open.
    streams: HashMap<String, usize>,
    /// What presence was last made known.
    told: Vec<String>,
}

impl Hub {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a member is now; none if they have left.
    pub(crate) fn role(&self, member: &str) -> Option<Role> {
        self.now().roles.get(member).copied()
    }

    /// Who has the table open.
    pub(crate) fn online(&self) -> Vec<String> {
        let mut online: Vec<String> = self.now().streams.keys().cloned().collect();
        online.sort();
        online
    }

    /// A member joins, leaves or becomes something else.
    fn learn(&self, event: &Event) {
        if event.kind != "member" && event.kind != "table" {
            return;
        }
        let Ok(data) = serde_json::from_str::<Json>(&event.inside) else { return };
        let members = data.get("members").and_then(Json::as_array).into_iter().flatten().chain(data.get("member"));
        for member in members {
            let id = member.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
            let role = member.get("role").and_then(Json::as_str).and_then(Role::named);
            match (role, member.get("gone").and_then(Json::as_bool)) {
                (Some(role), Some(false)) => drop(self.now().roles.insert(id, role)),
                _ => drop(self.now().roles.remove(&id)),
            }
        }
    }
}

/// A stream's place at a hub; it is given back when the stream ends.
pub(crate) struct Listener {
    pub(crate) hub: Arc<Hub>,
    pub(crate) events: broadcast::Receiver<Arc<Event>>,
    member: String,
    table: String,
    app: Shared,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut hubs = self.app.tables.hubs.open();
        let mut now = self.hub.now();
        if let Some(open) = now.streams.get_mut(&self.member) {
            *open -= 1;
            if *open == 0 {
                now.streams.remove(&self.member);
            }
        }
        if now.streams.is_empty() {
            // Its reader ends with it.
            if hubs.get(&self.table).is_some_and(|known| Arc::ptr_eq(known, &self.hub)) {
                hubs.remove(&self.table);
            }
        }
        drop(now);
        drop(hubs);
        self.hub.news.notify_one();
    }
}

impl Hubs {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<Hub>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is news at a table.
    pub(crate) fn wake(&self, table: &str) {
        if let Some(hub) = self.open().get(table) {
            hub.news.notify_one();
        }
    }

    /// Who has a table open.
    pub(crate) fn online(&self, table: &str) -> Vec<String> {
        self.open().get(table).map(|hub| hub.online()).unwrap_or_default()
    }

    /// A table is gone: everybody who listens is sent away.
    pub(crate) fn close(&self, table: &str) {
        if let Some(hub) = self.open().remove(table) {
            hub.now().roles.clear();
            let end = Event::public("table", &serde_json::json!({ "deleted": true }));
            let _ = hub.events.send(Arc::new(Event { id: i64::MAX, ..end }));
            hub.news.notify_one();
        }
    }

    /// How many tables are open, and how many streams.
    pub(crate) fn load(&self) -> (usize, usize) {
        let open = self.open();
        let streams = open.values().map(|hub| hub.now().streams.values().sum::<usize>()).sum();
        (open.len(), streams)
    }

    /// Begins to listen.
    pub(crate) async fn listen(app: &Shared, table: &str, member: &str) -> Result<Listener, Problem> {
        if !app.tables.hubs.open().contains_key(table) {
            Hubs::start(app, table).await?;
        }
        let hubs = app.tables.hubs.open();
        // The last listener may have left at this very moment.
        let hub = hubs.get(table).cloned().ok_or_else(|| Problem::from(crate::work::Refused::Full))?;
        let mut now = hub.now();
        let open = now.streams.entry(member.to_owned()).or_default();
        if *open >= STREAMS {
            let detail = "this table is open in too many windows; close one";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate", detail).retry(Duration::from_secs(30)));
        }
        *open += 1;
        let events = hub.events.subscribe();
        drop(now);
        drop(hubs);
        hub.news.notify_one();
        Ok(Listener { hub, events, member: member.to_owned(), table: table.to_owned(), app: Arc::clone(app) })
    }

    /// A hub with its reader; it stays as long as it has listeners.
    async fn start(app: &Shared, table: &str) -> Result<(), Problem> {
        let pool = &app.tables.store.read;
        let last: i64 =
            match sqlx::query("SELECT last_event FROM tables WHERE id = $1").bind(table).fetch_optional(pool).await? {
                Some(row) => row.try_get(0)?,
                None => return Err(crate::store::no_table()),
            };
        let rows = sqlx::query("SELECT id, role FROM members WHERE table_id = $1 AND gone = 0")
            .bind(table)
            .fetch_all(pool)
            .await?;
        let mut roles = HashMap::new();
        for row in rows {
            let role: String = row.try_get("role")?;
            roles.insert(row.try_get("id")?, Role::named(&role).unwrap_or(Role::Spectator));
        }
        let (events, _) = broadcast::channel(BEHIND);
        let hub = Arc::new(Hub { events, news: Notify::new(), now: Mutex::new(Now { roles, ..Now::default() }) });
        // Somebody else may have started it meanwhile.
        let mut open = app.tables.hubs.open();
        if !open.contains_key(table) {
            open.insert(table.to_owned(), Arc::clone(&hub));
            tokio::spawn(read(Arc::clone(app), hub, table.to_owned(), last));
        }
        Ok(())
    }
}

/// The reader of a table; it ends when nobody listens any more, or when the server does.
async fn read(app: Shared, hub: Arc<Hub>, table: String, mut last: i64) {
    let mut ending = app.ending.clone();
    let mut presence = tokio::time::interval(PRESENCE);
    presence.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let tick = tokio::select! {
            _ = hub.news.notified() => false,
            _ = presence.tick() => true,
            _ = ending.wait_for(|ending| *ending) => return,
        };
        if tick {
            tell_presence(&app, &hub, &table).await;
        }
        if app.tables.hubs.open().get(&table).is_none_or(|known| !Arc::ptr_eq(known, &hub)) {
            return;
        }
        loop {
            let Ok(found) = after(&app.tables.store.read, &table, last).await else {
                // The store has a problem; whoever listens comes back later.
                tokio::time::sleep(Duration::from_millis(500)).await;
                hub.news.notify_one();
                break;
            };
            let full = found.len() as i64 == PAGE;
            for event in found {
                last = event.id;
                hub.learn(&event);
                // Nobody may be listening at this moment.
                let _ = hub.events.send(Arc::new(event));
            }
            if !full {
                break;
            }
        }
    }
}

/// Presence is made known at most this often.
const PRESENCE: Duration = Duration::from_secs(20);

async fn tell_presence(app: &Shared, hub: &Hub, table: &str) {
    let online = hub.online();
    if hub.now().told == online {
        return;
    }
    let event = Event::public("presence", &serde_json::json!({ "online": online }));
    let Ok(change) = app.tables.store.begin(table).await else { return };
    if change.commit(&event).await.is_ok() {
        hub.now().told = online;
        hub.news.notify_one();
    }
}

/// The events after one, in order.
pub(crate) async fn after(pool: &AnyPool, table: &str, last: i64) -> Result<Vec<Event>, Problem> {
    let rows = sqlx::query(
        "SELECT id, kind, audience, inside, outside FROM events WHERE table_id = $1 AND id > $2 ORDER BY id LIMIT $3",
    )
    .bind(table)
    .bind(last)
    .bind(PAGE)
    .fetch_all(pool)
    .await?;
    Ok(rows.iter().map(Event::from_row).collect::<Result<_, _>>()?)
}
