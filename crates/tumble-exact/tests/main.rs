//! The exact engine on programs in the spelling of the core: answers, statistics, loops, limits, and
//! every method against all others.

mod answers;
mod limits;
mod methods;
mod stats;
