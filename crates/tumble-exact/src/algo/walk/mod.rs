//! Walks: absorbing Markov chains, and what they collect.

pub(crate) mod flow;
pub(crate) mod linear;
