//! Everything that is tested from outside, in one program.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test may fail loudly")]

mod json;
mod round;
mod script;
mod written;

mod alea;
mod deep;
mod errors;
mod lowering;
mod mash;
mod mistakes;
mod nice;
mod random;
mod shape;
mod spelling;
mod tabletop;
mod tabletop_trees;
mod vectors;
mod yadn;
