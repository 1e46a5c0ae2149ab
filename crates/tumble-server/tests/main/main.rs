//! What the server promises: one binary, so that linking stays cheap.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod bad_input;
mod book;
mod client;
mod described;
mod evening;
mod limits;
mod pages;
mod replay;
mod rights;
mod secrets;
mod tables;
mod vectors;
mod world;
