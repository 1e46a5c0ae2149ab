//! The log: lines for people on a terminal, JSON for programs otherwise.
//!
//! Only what this crate says is written, and it names routes and never paths, queries or bodies: there may be tokens and
//! secrets in them. `TUMBLE_LOG` sets the level: `off`, `error`, `warn`, `info` (the default) or `debug`.

use std::io::{self, IsTerminal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts it; a second start in one process does nothing.
pub(crate) fn start() -> io::Result<()> {
    let level = match std::env::var("TUMBLE_LOG") {
        Ok(name) => name.parse().map_err(|_| unknown(&name))?,
        Err(_) => LevelFilter::INFO,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let registry = tracing_subscriber::registry().with(Targets::new().with_target(env!("CARGO_CRATE_NAME"), level));
    let started = match io::stderr().is_terminal() {
        true => registry.with(lines.with_target(false)).try_init(),
        false => registry.with(lines.json().flatten_event(true)).try_init(),
    };
    drop(started);
    // The message of a panic may quote an expression; the place is enough to find it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "this is a bug in Tumble; please report it");
    }));
    Ok(())
}

fn unknown(name: &str) -> io::Error {
    let message = format!("TUMBLE_LOG must be off, error, warn, info or debug, not `{name}`");
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
