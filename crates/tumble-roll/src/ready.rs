//! A program together with what can be known of it before it is rolled, found when it is first needed.

use crate::flat::Code;
use crate::machine::{Note, Plan};
use crate::roller::Roller;
use crate::sample::Sampler;
use std::borrow::Cow;
use std::sync::OnceLock;
use tumble_core::{Limits, Program};

/// A program prepared to be rolled repeatedly, from any number of threads.
#[derive(Clone, Debug)]
pub struct Ready {
    program: Program,
    known: OnceLock<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    notes: Vec<Note>,
    code: Option<Code>,
}

impl Ready {
    /// Prepares a program.
    pub fn new(program: Program) -> Ready {
        Ready { program, known: OnceLock::new() }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// For rolls with their full record; the limits apply to each roll.
    pub fn roller(&self, limits: &Limits) -> Roller<'_> {
        let (plan, code) = self.known();
        Roller::of(plan, code, limits)
    }

    /// For rolls of which only the value is needed; the limits apply to each roll.
    pub fn sampler(&self, limits: &Limits) -> Sampler<'_> {
        let (plan, code) = self.known();
        Sampler::of(plan, code, limits)
    }

    fn known(&self) -> (Plan<'_>, Option<Cow<'_, Code>>) {
        let known = self.known.get_or_init(|| {
            let plan = Plan::new(&self.program);
            let code = Code::new(&plan);
            Known { notes: plan.notes.into_owned(), code }
        });
        (Plan::with(&self.program, &known.notes), known.code.as_ref().map(Cow::Borrowed))
    }
}
