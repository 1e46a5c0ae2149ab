//! Methods for collections in independent parts; each file opens with the plain meaning it speeds
//! up, the shape it accepts and its cost. `plain` is that meaning, `chain` walks loops.

mod automaton;
pub(crate) mod begin;
pub(crate) mod border;
pub(crate) mod chain;
pub(crate) mod compare;
pub(crate) mod dice;
pub(crate) mod difference;
pub(crate) mod empty;
pub(crate) mod extreme;
pub(crate) mod faces;
mod falling;
mod farthest;
pub(crate) mod folds;
pub(crate) mod keep;
mod kinds;
mod packed;
pub(crate) mod peel;
pub(crate) mod pick;
pub(crate) mod plain;
pub(crate) mod power;
mod product;
mod recur;
pub(crate) mod reduce;
pub(crate) mod solve;
mod split;
mod sums;
mod sweep;
pub(crate) mod tail;
