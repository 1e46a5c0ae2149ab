//! What the server promises: one binary, so that linking stays cheap.

mod bad_input;
mod client;
mod described;
mod limits;
mod pages;
mod vectors;
