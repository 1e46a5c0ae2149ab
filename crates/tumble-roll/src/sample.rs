//! Many rolls of one program, without paths and without a story.

use crate::flat::{Code, Stacks};
use crate::machine::{Machine, Plan, Space};
use crate::source::{Fast, Source};
use crate::watch::Nobody;
use std::borrow::Cow;
use tumble_core::{Diagnostic, Limits, Program, Value};

/// How a roll ends; a number is not worth a value.
pub(crate) enum Outcome {
    Number(i64),
    Value(Value),
}

/// A program prepared to be rolled many times, for its value only.
#[derive(Debug)]
pub struct Sampler<'p> {
    plan: Plan<'p>,
    space: Space<'p>,
    limits: Limits,
    /// A faster way to the same value, where there is one.
    code: Option<Cow<'p, Code>>,
    stacks: Stacks,
}

impl<'p> Sampler<'p> {
    /// Prepares a program; the limits apply to each roll.
    pub fn new(program: &'p Program, limits: &Limits) -> Sampler<'p> {
        let plan = Plan::new(program);
        let code = Code::new(&plan).map(Cow::Owned);
        Sampler::of(plan, code, limits)
    }

    pub(crate) fn of(plan: Plan<'p>, code: Option<Cow<'p, Code>>, limits: &Limits) -> Sampler<'p> {
        Sampler { plan, space: Space::default(), limits: limits.clone(), code, stacks: Stacks::default() }
    }

    /// Rolls it once.
    #[inline]
    pub fn sample<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<Value, Diagnostic> {
        match &self.code {
            Some(code) if code.run(&mut self.stacks, source, &self.limits, false).is_ok() => {
                Ok(code.value(&self.stacks))
            }
            // Without flat code no dice fell yet.
            _ => self.again(source),
        }
    }

    /// Rolls it once, for somebody who only counts.
    #[inline]
    pub(crate) fn outcome(&mut self, source: &mut Fast) -> Result<Outcome, Diagnostic> {
        if let Some(code) = &self.code
            && code.run(&mut self.stacks, source, &self.limits, false).is_ok()
        {
            let number = code.number(&self.stacks).map(Outcome::Number);
            return Ok(number.unwrap_or_else(|| Outcome::Value(code.value(&self.stacks))));
        }
        self.again(source).map(Outcome::Value)
    }

    /// The machine takes over from flat code, with the dice that fell.
    #[cold]
    fn again<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<Value, Diagnostic> {
        let mut source = self.stacks.tape.again(source);
        Machine::new(&self.plan, &mut self.space, &mut source, &mut Nobody, self.limits.clone()).run()
    }
}

/// Rolls a program once, for its value only.
pub fn sample<S: Source>(program: &Program, source: &mut S, limits: &Limits) -> Result<Value, Diagnostic> {
    // One roll is not worth the writing of flat code.
    Sampler::of(Plan::new(program), None, limits).sample(source)
}
