//! The exact engine on programs in the spelling of the core: answers, statistics, loops, limits, and
//! every method against all others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod limits;
mod methods;
mod promises;
mod rounding;
mod stats;
