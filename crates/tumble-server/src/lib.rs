//! `tumble serve`: the page, the same answers over HTTP, and tables where a group plays together.
//!
//! ```text
//! connection ─▶ guard (host, client, headers, log) ─▶ route ─┬─▶ page, charts
//!                                                            └─▶ api ─▶ work (threads, limits) ─▶ tumble::batch
//! ```
//!
//! `listen` takes a connection. `guard` checks its Host, finds the client behind trusted proxies, adds headers and logs the
//! route. `rate` counts it, `body` reads it, and `work` runs it on a thread, with limits and an interrupt of its own, when
//! it is the turn of its client. Every error is a `problem`. `describe` has all routes and makes the OpenAPI document from
//! them. Nothing here knows what dice mean; that is all in the library.

mod config;
mod net;

mod listen;
mod log;
mod start;

mod admin;
mod api;
mod app;
mod body;
mod chart;
mod describe;
mod guard;
mod home;
mod link;
mod page;
mod place;
mod problem;
mod rate;
mod work;

pub(crate) mod store;
mod table;

pub use config::{Allowance, Config, PORT, TableConfig};
pub use describe::openapi;
pub use net::{Network, PublicUrl};
pub use start::{Running, run, start};
pub use store::admin as database;
