//! Many rolls of one program, without paths and without a story.

use crate::machine::{Machine, Plan, Space};
use crate::source::Source;
use crate::watch::Nobody;
use tumble_core::{Diagnostic, Limits, Program, Value};

/// A program made ready to be rolled many times.
#[derive(Debug)]
pub struct Sampler<'p> {
    plan: Plan<'p>,
    space: Space<'p>,
    limits: Limits,
}

impl<'p> Sampler<'p> {
    /// Makes a program ready; each roll has these limits.
    pub fn new(program: &'p Program, limits: &Limits) -> Sampler<'p> {
        Sampler { plan: Plan::new(program), space: Space::default(), limits: *limits }
    }

    /// Rolls it once.
    pub fn sample<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<Value, Diagnostic> {
        Machine::new(&self.plan, &mut self.space, source, &mut Nobody, self.limits).run()
    }
}

/// Rolls a program once, for its value only.
pub fn sample<S: Source>(program: &Program, source: &mut S, limits: &Limits) -> Result<Value, Diagnostic> {
    Sampler::new(program, limits).sample(source)
}
