//! Rolls with their stories, the stories told on demand.
//!
//! ```text
//! roll    the dice fall, are noted, and give the value                  flat code, or the machine
//! tell    the same dice fall again, and every word is written down      the machine
//! ```
//!
//! A roll is determined by its faces, so telling its story later needs no more chance and gives the
//! same story as telling it at once. A program without flat code is told at once: its machine would
//! have to run twice.

use crate::flat::{Code, RolledDie, Stacks};
use crate::machine::{Machine, Plan, Space};
use crate::scribe::Scribe;
use crate::source::{NoDice, Source};
use crate::trace::Rolled;
use std::borrow::Cow;
use tumble_core::{Diagnostic, Fault, Limits, Program, Span, Value};

/// A program made ready to be rolled many times, each time with its story.
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
    /// The last story.
    rolled: Option<Rolled>,
}

/// A roll: its dice lie on the table. Its story is told when somebody asks.
#[derive(Debug)]
pub struct LazyRoll<'r, 'p> {
    teller: &'r mut Teller<'p>,
    stacks: &'r mut Stacks,
    /// The code that rolled; without it the story is told already.
    code: Option<&'r Code>,
}

impl<'p> Roller<'p> {
    /// Makes a program ready; each roll has these limits, and so has the telling of each story.
    pub fn new(program: &'p Program, limits: &Limits) -> Roller<'p> {
        let plan = Plan::new(program);
        let code = Code::new(&plan).map(Cow::Owned);
        Roller::of(plan, code, limits)
    }

    pub(crate) fn of(plan: Plan<'p>, code: Option<Cow<'p, Code>>, limits: &Limits) -> Roller<'p> {
        let (space, scribe) = (Space::default(), Scribe::default());
        Roller {
            teller: Teller { plan, space, limits: *limits, scribe, rolled: None },
            code,
            stacks: Stacks::default(),
        }
    }

    /// Rolls it once. The next roll takes the room of this one.
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
        let mut machine = Machine::new(&self.plan, &mut self.space, source, &mut self.scribe, self.limits);
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

    /// Every die, in the order it fell. What became of it is part of the story.
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

    /// The whole story: what became of each die, and the tree. An error is that the story would be
    /// longer than the limits allow.
    pub fn tell(self) -> Result<&'r Rolled, Diagnostic> {
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

/// Rolls a program once, with its story.
pub fn roll(program: &Program, source: &mut dyn Source, limits: &Limits) -> Result<Rolled, Diagnostic> {
    // One roll is not worth the writing of flat code.
    let mut roller = Roller::of(Plan::new(program), None, limits);
    roller.teller.tell(source)?;
    roller.teller.rolled.ok_or_else(nothing)
}
