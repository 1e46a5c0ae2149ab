//! `/events`: everything that happens at a table, as it happens (server-sent events).
//!
//! An event has its number, so a client that was away resumes by the last one it has. What a member may not see moves the
//! number without showing anything.

use super::hub::{self, Hubs, Listener};
use super::role::Viewer;
use super::seat::Seat;
use crate::app::Shared;
use crate::link::pairs;
use crate::problem::{Problem, Problems, TableProblems};
use crate::store::Event;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A line is sent at least this often, so that nobody in between gives up.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(crate) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(events))
}

/// Everything that happens, as it happens
///
/// Server-sent events. Each has an `id`; send the last one as `Last-Event-ID`, or as `after`, to resume. The data is an
/// object with `kind`, such as `execution`, `member`, `object`, `saved`, `script`, `table` or `presence`.
#[utoipa::path(get, path = "/api/v1/tables/{table}/events", tag = "tables",
    params(("table" = String, Path), ("after" = Option<i64>, Query, description = "The number of the last event that is known")),
    responses((status = 200, body = String, content_type = "text/event-stream"),
        TableProblems, Problems))]
async fn events(
    State(app): State<Shared>,
    seat: Seat,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let header = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let query = query.unwrap_or_default();
    let asked = header.or_else(|| pairs(&query).find(|(name, _)| name == "after").map(|(_, value)| value));
    let last = match asked {
        Some(text) => text.parse().map_err(|_| Problem::request("`after` must be the number of an event"))?,
        None => i64::MAX,
    };
    let listener = Hubs::listen(&app, &seat.table, &seat.member).await?;
    let stream = Sse::new(follow(app, seat, listener, last)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let mut response = stream.into_response();
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response.headers_mut().insert(axum::http::header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Where a stream is.
struct Follower {
    app: Shared,
    seat: Seat,
    listener: Listener,
    /// The last event that was sent; everything, for who only wants news.
    last: i64,
    /// Events that were missed and are on their way.
    missed: VecDeque<Event>,
    caught_up: bool,
    greeted: bool,
}

fn follow(
    app: Shared,
    seat: Seat,
    listener: Listener,
    last: i64,
) -> impl Stream<Item = Result<axum::response::sse::Event, Infallible>> + Send {
    let caught_up = last == i64::MAX;
    let last = if caught_up { 0 } else { last };
    let start = Follower { app, seat, listener, last, missed: VecDeque::new(), caught_up, greeted: false };
    stream::unfold(start, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok(event), follower))
    })
}

impl Follower {
    /// What is sent next; nothing at the end of the stream.
    async fn next(&mut self) -> Option<axum::response::sse::Event> {
        if !self.greeted {
            // The head of the answer leaves with the first line, so there is one at once.
            self.greeted = true;
            return Some(axum::response::sse::Event::default().comment("welcome").retry(Duration::from_secs(2)));
        }
        if !self.caught_up
            && let Some(event) = self.next_missed().await?
        {
            return self.sent(&event);
        }
        let mut ending = self.app.ending.clone();
        loop {
            let event = tokio::select! {
                event = self.listener.events.recv() => event,
                _ = ending.wait_for(|ending| *ending) => return None,
            };
            match event {
                Ok(event) if event.id <= self.last => {}
                Ok(event) => return self.sent(&event),
                // Too slow, or over: the client comes back and catches up.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return None,
            }
        }
    }

    /// The next event that was missed; none inside if there is no more.
    async fn next_missed(&mut self) -> Option<Option<Event>> {
        if self.missed.is_empty() {
            self.missed = hub::after(&self.app.tables.store.read, &self.seat.table, self.last).await.ok()?.into();
        }
        let next = self.missed.pop_front();
        self.caught_up = next.is_none();
        Some(next)
    }

    /// An event as this member may see it now; the stream ends when they have left.
    fn sent(&mut self, event: &Event) -> Option<axum::response::sse::Event> {
        self.last = event.id;
        let role = self.listener.hub.role(&self.seat.member)?;
        let viewer = Viewer { member: self.seat.member.clone(), role };
        let sent = axum::response::sse::Event::default().id(event.id.to_string());
        match event.seen_by(&viewer) {
            "" => Some(sent),
            data => Some(sent.data(data)),
        }
    }
}
