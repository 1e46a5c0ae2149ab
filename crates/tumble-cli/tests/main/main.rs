//! The real program: the examples people read, golden texts, batch, hostile input.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod batch;
mod commands;
mod console;
mod hostile;
#[cfg(feature = "server")]
mod kill;
mod options;
mod pictures;
mod quotes;
#[cfg(feature = "server")]
mod serve;
mod tool;
#[path = "../../../tumble/tests/main/vectors.rs"]
mod vectors;
