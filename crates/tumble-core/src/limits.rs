//! One budget per evaluation, counted and never timed, so that an answer is the same on every machine.
//!
//! Each limit has a name, and exceeding it is a [`Fault`] that names it and offers a way out.

use crate::diagnostic::{Code, Fault};
use crate::remedy::{Limit, Remedy};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A way to stop an evaluation from outside. It never changes an answer: you get the same one, or none. Each of many
/// evaluations in one process can have its own.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Option<Arc<AtomicBool>>);

impl Interrupt {
    /// Stops soon after the flag is set.
    pub fn when(flag: &Arc<AtomicBool>) -> Interrupt {
        Interrupt(Some(Arc::clone(flag)))
    }

    fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl PartialEq for Interrupt {
    fn eq(&self, other: &Interrupt) -> bool {
        self.0.as_ref().map(Arc::as_ptr) == other.0.as_ref().map(Arc::as_ptr)
    }
}

impl Eq for Interrupt {}

/// Members that can be looked at for one step.
const LOOKS_PER_STEP: u64 = 8;

/// The most values inside one value.
const LARGEST_VALUE: u64 = 1_000_000;

/// An interrupt is looked at after this many steps.
const LOOK: u64 = 1 << 14;

/// How much one evaluation may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Dice rolled in one roll.
    pub draws: u64,
    /// Elementary steps of an evaluator.
    pub steps: u64,
    /// Depth of nested calls.
    pub depth: usize,
    /// Members of one collection.
    pub members: u64,
    /// Bytes of all numbers and outcomes held at once by the exact engine.
    pub bytes: u64,
    /// Tells an evaluation to stop.
    pub interrupt: Interrupt,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            draws: 1_000_000,
            steps: 50_000_000,
            depth: 10_000,
            members: 1_000_000,
            bytes: 512 << 20,
            interrupt: Interrupt(None),
        }
    }
}

impl Limits {
    /// Small limits, for tests with random expressions.
    pub fn small() -> Limits {
        Limits { draws: 2_000, steps: 200_000, depth: 200, members: 5_000, bytes: 4 << 20, interrupt: Interrupt(None) }
    }
}

/// What is left of the limits.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    draws: u64,
    steps: u64,
    /// More steps than this are looked into.
    look: u64,
}

impl Budget {
    /// A full budget.
    pub fn new(limits: Limits) -> Budget {
        let look = if limits.interrupt.0.is_none() { limits.steps } else { 0 };
        Budget { limits, draws: 0, steps: 0, look }
    }

    /// The limits it started from.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Steps used so far.
    pub fn used(&self) -> u64 {
        self.steps
    }

    /// Takes `n` steps.
    #[inline]
    pub fn step(&mut self, n: u64) -> Result<(), Fault> {
        self.steps = self.steps.saturating_add(n);
        if self.steps > self.look { self.beyond() } else { Ok(()) }
    }

    #[cold]
    fn beyond(&mut self) -> Result<(), Fault> {
        if self.steps > self.limits.steps {
            return Err(too_many_steps(self.limits.steps));
        }
        if self.limits.interrupt.is_set() {
            return Err(Fault::new(Code::Stopped, "stopped before there was an answer"));
        }
        self.look = self.limits.steps.min(self.steps.saturating_add(LOOK));
        Ok(())
    }

    /// Takes `n` dice.
    #[inline]
    pub fn draw(&mut self, n: u64) -> Result<(), Fault> {
        self.draws = self.draws.saturating_add(n);
        if self.draws > self.limits.draws { Err(too_many_draws(self.limits.draws)) } else { Ok(()) }
    }

    /// Checks that a collection of `n` members is allowed, and pays for it.
    #[inline]
    pub fn members(&mut self, n: u64) -> Result<(), Fault> {
        self.room(n)?;
        self.step(n)
    }

    /// Takes the steps for looking at `n` members, which is cheap.
    #[inline]
    pub fn look(&mut self, n: u64) -> Result<(), Fault> {
        self.step(n / LOOKS_PER_STEP)
    }

    /// Checks that a value made of so many others, all that is inside them counted, is allowed.
    pub fn whole(&self, parts: u64) -> Result<(), Fault> {
        if parts > LARGEST_VALUE {
            let message = format!("a value made of {} others is too large", grouped(parts));
            return Err(Fault::limit(format!("{message}; at most {} are allowed", grouped(LARGEST_VALUE))));
        }
        Ok(())
    }

    /// Checks that a collection of `n` members is allowed.
    #[inline]
    pub fn room(&self, n: u64) -> Result<(), Fault> {
        if n > self.limits.members { Err(too_many_members(n, self.limits.members)) } else { Ok(()) }
    }

    /// Checks that calls may be nested this deep.
    pub fn nest(&self, depth: usize) -> Result<(), Fault> {
        if depth > self.limits.depth {
            return Err(Fault::limit(format!(
                "function calls are nested more than {} deep",
                grouped(self.limits.depth as u64)
            ))
            .hint("check that the function stops calling itself")
            .remedy(Remedy::Raise(Limit::Depth, None)));
        }
        Ok(())
    }
}

#[cold]
fn too_many_members(n: u64, limit: u64) -> Fault {
    let (n, limit) = (grouped(n), grouped(limit));
    Fault::limit(format!("a collection of {n} members is too large; at most {limit} are allowed"))
        .hint("use fewer dice or a smaller range")
}

#[cold]
fn too_many_steps(limit: u64) -> Fault {
    Fault::limit(format!("this needs more than {} steps", grouped(limit)))
        .hint("ask for a smaller roll")
        .remedy(Remedy::Raise(Limit::Steps, None))
}

#[cold]
fn too_many_draws(limit: u64) -> Fault {
    Fault::limit(format!("this rolls more than {} dice", grouped(limit)))
        .hint("roll fewer dice")
        .remedy(Remedy::Raise(Limit::Dice, None))
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (n, text) in [(7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
    }

    #[test]
    fn a_used_up_budget_names_the_limit() {
        let mut budget = Budget::new(Limits { steps: 10, ..Limits::default() });
        assert!(budget.step(10).is_ok());
        assert_eq!(budget.step(1).unwrap_err().message, "this needs more than 10 steps");
    }

    #[test]
    fn an_interrupt_stops_within_a_few_steps_and_changes_nothing_before() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::new(Limits { interrupt: Interrupt::when(&flag), ..Limits::default() });
        assert!((0..3 * LOOK).all(|_| budget.step(1).is_ok()));
        flag.store(true, Ordering::Relaxed);
        let stopped = (0..=LOOK).find_map(|_| budget.step(1).err()).unwrap();
        assert_eq!(stopped.code, Code::Stopped);
        assert!(budget.step(1).is_err(), "it stays stopped");
        assert!(Budget::new(Limits::default()).step(3 * LOOK).is_ok(), "others go on");
    }
}
