//! Methods for collections in independent parts; each file opens with the plain meaning it speeds
//! up, the shape it accepts and its cost. `plain` is that meaning, `walk` solves loops.

pub(crate) mod compare;
pub(crate) mod dice;
pub(crate) mod difference;
pub(crate) mod extreme;
pub(crate) mod eye;
mod falling;
mod farthest;
pub(crate) mod joined;
pub(crate) mod keep;
pub(crate) mod multiset;
pub(crate) mod occupancy;
mod packed;
pub(crate) mod pick;
pub(crate) mod plain;
pub(crate) mod power;
mod recur;
pub(crate) mod sweep;
pub(crate) mod table;
pub(crate) mod tail;
pub(crate) mod threshold;
pub(crate) mod walk;

pub(crate) use walk as chain;
pub(crate) use walk::build as begin;
pub(crate) use walk::linear as solve;
