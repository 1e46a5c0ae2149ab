//! One roll, with its story: values, faults, paths, traces, sources and the tally of all rolls.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bulk;
mod deep;
mod faults;
mod flat;
mod paths;
mod plays;
mod replay;
mod rolls;
mod shown;
mod sources;
mod stopped;
mod tally;
mod traces;
mod values;
