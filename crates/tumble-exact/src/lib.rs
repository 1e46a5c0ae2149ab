//! From a program to its exact distribution.
//!
//! **The law**: the answer equals the weighted tally of every possible roll. The plain meaning is
//! enumeration; `algo` holds faster methods for collections in independent parts, each under the
//! meaning it speeds up, and `plan` chooses among them. Taking a method away changes only speed:
//! [`Options::without`] does that, and a test compares every method with the rest.
//!
//! This is the only crate that names big integers.

mod fraction;
mod limbs;
mod listing;
mod lowest;
mod map;
mod odds;
mod weight;

mod dist;
mod hidden;
mod law;
mod moments;
mod outcome;
mod tailed;

mod algo;
mod cost;
mod explain;
mod plan;
mod prepare;
mod probe;
mod round;
mod words;

mod machine;

#[cfg(test)]
mod unlisted_tests;

pub use explain::{Cost, Explanation, Line};
pub use fraction::Fraction;
pub use odds::{CUT_SHORT, NO_MEAN, Odds, Side, number};
pub use plan::Method;
pub use probe::Probe;
pub use round::Rounded;

use tumble_core::{Diagnostic, Limits, Program};

/// How to compute.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it may cost.
    pub limits: Limits,
    /// Cut loops after this many rolls and recursion after this many nested calls; without it, loops
    /// are solved.
    pub iterations: Option<u64>,
    /// Methods that must not be used; for tests, and to check an answer.
    pub without: Vec<Method>,
    /// Whether to explain how the answer was found.
    pub explain: bool,
    /// Check every answer of a method modulo this prime.
    pub probe: Option<Probe>,
}

/// The exact distribution of a program's result.
pub fn odds(program: &Program, options: &Options) -> Result<Odds, Diagnostic> {
    machine::odds(program, options)
}

/// The distribution with sums of very many dice in floating point, each probability with bounds; none
/// if that is no help for this program.
pub fn rounded(program: &Program, options: &Options) -> Result<Option<Rounded>, Diagnostic> {
    machine::rounded(program, options)
}
