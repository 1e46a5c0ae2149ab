//! What the caller may choose.

use crate::method::Method;
use crate::probe::Probe;
use tumble_core::Limits;

/// How to compute.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it may cost.
    pub limits: Limits,
    /// Cut loops after this many rolls and recursion after this many nested calls; without it, loops
    /// are solved.
    pub iterations: Option<u64>,
    /// Methods that must not be used; for tests, and to check an answer.
    pub without: Vec<&'static Method>,
    /// Whether to explain how the answer was found.
    pub explain: bool,
    /// Check every answer of a method modulo this prime.
    pub probe: Option<Probe>,
}
