//! What the server promises: one binary, so that linking stays cheap.

#![allow(unreachable_pub, reason = "nothing outside of a test can reach it")]

mod bad_input;
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
