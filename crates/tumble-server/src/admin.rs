//! The health of the server, on an address of its own: `/healthz`, `/readyz`, `/metrics`.

use crate::app::Shared;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

/// The routes.
pub(crate) fn router(app: Shared) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(app)
}

async fn ready(State(app): State<Shared>) -> impl IntoResponse {
    let ending = *app.ending.borrow();
    match !ending && app.tables.store.is_well().await {
        true => (StatusCode::OK, "ready\n"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
    }
}

async fn metrics(State(app): State<Shared>) -> impl IntoResponse {
    let (waiting, running) = app.work.load();
    metrics::gauge!("tumble_evaluations_waiting").set(waiting as f64);
    metrics::gauge!("tumble_evaluations_running").set(running as f64);
    let (tables, streams) = app.tables.hubs.load();
    metrics::gauge!("tumble_tables_open").set(tables as f64);
    metrics::gauge!("tumble_streams").set(streams as f64);
    app.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render())
}
