//! Many rolls of one program, without paths and without a story.

use crate::bulk::Outcome;
use crate::flat::{Code, Stacks};
use crate::machine::{Machine, Plan, Space};
use crate::source::{Fast, Source};
use crate::watch::Nobody;
use tumble_core::{Diagnostic, Limits, Program, Value};

/// A program made ready to be rolled many times.
#[derive(Debug)]
pub struct Sampler<'p> {
    plan: Plan<'p>,
    space: Space<'p>,
    limits: Limits,
    /// A faster way to the same value, where there is one.
    code: Option<Code<'p>>,
    stacks: Stacks,
}

impl<'p> Sampler<'p> {
    /// Makes a program ready; each roll has these limits.
    pub fn new(program: &'p Program, limits: &Limits) -> Sampler<'p> {
        let plan = Plan::new(program);
        let code = Code::new(&plan);
        Sampler { code, ..Sampler::plain(plan, limits) }
    }

    /// The machine only.
    fn plain(plan: Plan<'p>, limits: &Limits) -> Sampler<'p> {
        Sampler { plan, space: Space::default(), limits: *limits, code: None, stacks: Stacks::default() }
    }

    /// Rolls it once.
    #[inline]
    pub fn sample<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<Value, Diagnostic> {
        if let Some(code) = &self.code
            && !source.needs_path()
        {
            return match code.run(&mut self.stacks, source, &self.limits) {
                Ok(()) => Ok(code.value(&self.stacks)),
                Err(_) => self.again(source),
            };
        }
        Machine::new(&self.plan, &mut self.space, source, &mut Nobody, self.limits).run()
    }

    /// Rolls it once, for somebody who only counts.
    #[inline]
    pub(crate) fn outcome(&mut self, source: &mut Fast) -> Result<Outcome, Diagnostic> {
        if let Some(code) = &self.code
            && code.run(&mut self.stacks, source, &self.limits).is_ok()
        {
            let number = code.number(&self.stacks).map(Outcome::Number);
            return Ok(number.unwrap_or_else(|| Outcome::Value(code.value(&self.stacks))));
        }
        // Without flat code no dice fell yet.
        self.again(source).map(Outcome::Value)
    }

    /// The machine takes over from flat code, with the dice that fell.
    #[cold]
    fn again<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<Value, Diagnostic> {
        let mut source = self.stacks.again(source);
        Machine::new(&self.plan, &mut self.space, &mut source, &mut Nobody, self.limits).run()
    }
}

/// Rolls a program once, for its value only.
pub fn sample<S: Source>(program: &Program, source: &mut S, limits: &Limits) -> Result<Value, Diagnostic> {
    // One roll is not worth the writing of flat code.
    Sampler::plain(Plan::new(program), limits).sample(source)
}
