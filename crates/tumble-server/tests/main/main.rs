//! What the server promises: one binary, so that linking stays cheap.

#![allow(unreachable_pub, reason = "nothing outside of a test can reach it")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod bad_input;
mod book;
mod client;
mod described;
mod limits;
mod pages;
mod replay;
mod rights;
mod secrets;
mod tables;
mod vectors;
mod world;
