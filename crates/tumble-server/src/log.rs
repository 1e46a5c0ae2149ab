//! The log: lines for people on a terminal, JSON for programs otherwise. `TUMBLE_LOG=off` or `TUMBLE_LOG=warn` makes it
//! quieter.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts it; a second start in one process does nothing.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("TUMBLE_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match std::io::stderr().is_terminal() {
        true => lines.with_target(false).try_init(),
        false => lines.json().flatten_event(true).try_init(),
    };
    drop(started);
}
