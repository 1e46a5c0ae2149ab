//! Methods for collections in independent parts; each file opens with the plain meaning it speeds
//! up, the shape it accepts and its cost. `plain` is that meaning, `walk` solves loops.

pub(crate) mod across;
mod automaton;
pub(crate) mod compare;
pub(crate) mod dice;
pub(crate) mod extreme;
pub(crate) mod faces;
pub(crate) mod joined;
pub(crate) mod keep;
mod kinds;
pub(crate) mod packed;
pub(crate) mod pick;
pub(crate) mod plain;
pub(crate) mod power;
mod product;
pub(crate) mod recur;
mod sweep;
pub(crate) mod threshold;
pub(crate) mod walk;

pub(crate) use walk as chain;
pub(crate) use walk::build as begin;
pub(crate) use walk::linear as solve;
