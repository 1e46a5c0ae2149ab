//! Rolls with their full record, which is made on demand.
//!
//! ```text
//! roll    the dice fall, are noted, and give the value                  flat code, or the machine
//! record  the same dice are rolled again, and everything is written down   the machine
//! ```
//!
//! A roll is determined by its faces, so making its record later needs no more randomness and gives the
//! same record as making it at once. A program without flat code is recorded at once: its machine would
//! have to run twice.

use crate::flat::{Code, RolledDie, Stacks};
use crate::machine::{Machine, Plan, Space};
use crate::scribe::Scribe;
use crate::source::{NoDice, Source};
use crate::trace::Rolled;
use std::borrow::Cow;
use tumble_core::{Diagnostic, Fault, Limits, Program, Span, Value};

/// A program ready to be rolled many times, each time with a full record.
#[derive(Debug)]
pub struct Roller<'p> {
    teller: Teller<'p>,
    code: Option<Cow<'p, Code>>,
    stacks: Stacks,
}

/// The machine with its scribe.
#[derive(Debug)]
struct Teller<'p> {
    plan: Plan<'p>,
    space: Space<'p>,
    limits: Limits,
    scribe: Scribe,
    /// The last record.
    rolled: Option<Rolled>,
}

/// A roll that has its value and dice; the full record is made on demand.
#[derive(Debug)]
pub struct LazyRoll<'r, 'p> {
    teller: &'r mut Teller<'p>,
    stacks: &'r mut Stacks,
    /// The code that rolled; without it the record is already there.
    code: Option<&'r Code>,
}

impl<'p> Roller<'p> {
    /// Prepares a program; the limits apply to each roll, and to the making of each record.
    pub fn new(program: &'p Program, limits: &Limits) -> Roller<'p> {
        let plan = Plan::new(program);
        let code = Code::new(&plan).map(Cow::Owned);
        Roller::of(plan, code, limits)
    }

    pub(crate) fn of(plan: Plan<'p>, code: Option<Cow<'p, Code>>, limits: &Limits) -> Roller<'p> {
        let (space, scribe) = (Space::default(), Scribe::default());
        Roller {
            teller: Teller { plan, space, limits: limits.clone(), scribe, rolled: None },
            code,
            stacks: Stacks::default(),
        }
    }

    /// Rolls it once. The next roll reuses the memory of this one.
    #[inline]
    pub fn roll<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<LazyRoll<'_, 'p>, Diagnostic> {
        let Roller { teller, code, stacks } = self;
        let mut code = code.as_deref();
        if code.is_none_or(|code| code.run(stacks, source, &teller.limits, true).is_err()) {
            code = None;
            teller.tell(&mut stacks.tape.again(source))?;
        }
        Ok(LazyRoll { teller, stacks, code })
    }
}

impl Teller<'_> {
    /// Rolls with every word.
    fn tell<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<(), Diagnostic> {
        let program = self.plan.program;
        let span = program.span(program.function(program.main()).body);
        self.scribe.begin(span, self.rolled.take());
        let mut machine = Machine::new(&self.plan, &mut self.space, source, &mut self.scribe, self.limits.clone());
        let value = machine.run()?;
        let mut budget = machine.budget;
        self.rolled = Some(self.scribe.finish(value, &mut budget).map_err(|fault| fault.at(span))?);
        Ok(())
    }
}

impl<'r> LazyRoll<'r, '_> {
    /// The result.
    #[inline]
    pub fn value(&self) -> Value {
        match (self.code, &self.teller.rolled) {
            (Some(code), _) => code.value(self.stacks),
            (None, Some(rolled)) => rolled.value.clone(),
            (None, None) => Value::NOTHING,
        }
    }

    /// Every die, in the order rolled. What happened to it is in the record.
    pub fn dice(&self) -> impl Iterator<Item = RolledDie<'_>> {
        (0..).map_while(|number| self.die(number))
    }

    /// The die with this number, from 0.
    pub fn die(&self, number: usize) -> Option<RolledDie<'_>> {
        if let Some(code) = self.code {
            return code.die(self.stacks, number);
        }
        let drawn = self.teller.rolled.as_ref()?.draws.get(number)?;
        let (path, shown) = (Cow::Borrowed(drawn.path.as_str()), drawn.shown.clone());
        Some(RolledDie { path, index: drawn.index, sides: drawn.sides, face: drawn.face, shown, span: drawn.span })
    }

    /// The full record: what happened to each die, and the tree. It fails if the record would be
    /// longer than the limits allow.
    pub fn record(self) -> Result<&'r Rolled, Diagnostic> {
        if self.code.is_some() {
            self.teller.tell(&mut self.stacks.tape.again(&mut NoDice))?;
        }
        self.teller.rolled.as_ref().ok_or_else(nothing)
    }
}

/// A roll that went well is there.
fn nothing() -> Diagnostic {
    Fault::runtime("nothing was rolled").at(Span::default())
}

/// Rolls a program once, with its full record.
pub fn roll(program: &Program, source: &mut dyn Source, limits: &Limits) -> Result<Rolled, Diagnostic> {
    // One roll is not worth the writing of flat code.
    let mut roller = Roller::of(Plan::new(program), None, limits);
    roller.teller.tell(source)?;
    roller.teller.rolled.ok_or_else(nothing)
}
