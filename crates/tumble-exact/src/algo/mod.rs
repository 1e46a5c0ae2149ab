//! Methods for collections in independent parts, and their table; each file opens with the plain meaning it speeds
//! up, the shape it accepts and its cost. `plain` is that meaning, `walk` solves loops.

pub(crate) mod across;
mod automaton;
pub(crate) mod compare;
pub(crate) mod empty;
pub(crate) mod extreme;
pub(crate) mod faces;
pub(crate) mod folds;
pub(crate) mod joined;
pub(crate) mod keep;
mod kinds;
pub(crate) mod pick;
pub(crate) mod plain;
pub(crate) mod power;
mod product;
pub(crate) mod reduce;
pub(crate) mod shown;
pub(crate) mod span;
mod sweep;
pub(crate) mod threshold;
pub(crate) mod union;
pub(crate) mod walk;

pub(crate) use walk as chain;
pub(crate) use walk::build as begin;
pub(crate) use walk::linear as solve;

use crate::method::{CONDITIONING, FORGETTING, Method, PEELING, REWRITING};

/// All methods that can be left out, in the order in which they are tried where prices don't decide.
pub static METHODS: [&Method; 16] = [
    &power::METHOD,
    &empty::METHOD,
    &extreme::METHOD,
    &keep::METHOD,
    &span::METHOD,
    &faces::METHOD,
    &shown::METHOD,
    &folds::METHOD,
    &threshold::METHOD,
    &reduce::METHOD,
    &pick::METHOD,
    &compare::METHOD,
    &REWRITING,
    &FORGETTING,
    &PEELING,
    &CONDITIONING,
];
