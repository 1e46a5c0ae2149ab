//! Loops: Repeat, ForEach, Until and Loop share one life.
//!
//! ```text
//! Repeat     count   push   (w body)*                    pop   L
//! ForEach    push    pool   push   (w body)*             pop   pop   L
//! Until      push    (w body stop)+                      pop   L
//! Loop       push    start   test   (w body test)*       pop   L
//! ```
//!
//! A count is evaluated before the push, a pool, a start and a test after it. The passes of a
//! `ForEach` start after the letters of its pool, so that a loop in the pool cannot have their paths. It begins before
//! its pool, which lies below its results. Passes have numbers, but for those of `Loop`: there the letters of all passes
//! follow each other, as in a script's `while`.
//! `Until` makes at least one pass and asks `stop` after each, the last allowed one included.

use super::heights::Heights;
use super::{Machine, Todo, truth};
use crate::source::Source;
use crate::trace::Step;
use crate::watch::Watch;
use tumble_core::{Budget, Code, Data, Fault, Keep, Slot, TermId, Value, chance};

/// Values are compared and dropped by recursion, so lists inside lists have a limit.
const DEEPEST_LIST: usize = 64;

/// An open loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<'p> {
    kind: Kind<'p>,
    /// The number of the current pass, from 1.
    pass: u64,
    /// Where it began.
    start: Heights,
    /// Where the results of its passes begin among the values.
    results: usize,
    /// The dice before this pass, and after its body.
    before: u64,
    after: u64,
    /// The last die of the pass before.
    from: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'p> {
    Repeat {
        times: u64,
        body: TermId,
        /// The list of dice that are the reason, one for each pass.
        dice: Option<usize>,
    },
    Each {
        slot: Slot,
        members: u64,
        body: TermId,
    },
    /// What is rolled in the first pass, and in all others.
    Until {
        slot: Slot,
        bodies: (TermId, TermId),
        stop: TermId,
        most: Option<u64>,
        keep: Keep,
    },
    Loop {
        slots: &'p [Slot],
        test: TermId,
        body: TermId,
    },
}

#[cfg(test)]
impl Round<'_> {
    pub(super) fn start(&self) -> Heights {
        self.start
    }
}

impl<'p, S: Source + ?Sized, W: Watch> Machine<'_, 'p, S, W> {
    /// The number of passes is given.
    pub(super) fn times(&mut self, id: TermId, body: TermId) -> Result<(), Fault> {
        let count = self.pop();
        let times = self.repetitions(&count)?;
        let dice = self.watch.counts(&count, &mut self.budget)?;
        self.budget.members(times)?;
        self.open_loop(id, Kind::Repeat { times, body, dice });
        self.todo(id, Todo::Pass);
        Ok(())
    }

    /// The collection to go over is given; it stays below the results.
    pub(super) fn over(&mut self, id: TermId) -> Result<(), Fault> {
        let pool = self.pop();
        let count = chance::members(&pool)?.len() as u64;
        self.budget.members(count)?;
        self.push(pool);
        self.space.path.push();
        if let Some(round) = self.space.rounds.last_mut()
            && let Kind::Each { members, .. } = &mut round.kind
        {
            (*members, round.results) = (count, self.space.values.len());
        }
        self.todo(id, Todo::Pass);
        Ok(())
    }

    /// The state of a `Loop` is given, its first one or the next.
    pub(super) fn state(&mut self, id: TermId) -> Result<(), Fault> {
        let state = self.pop();
        let Some(Round { kind: Kind::Loop { slots, test, .. }, .. }) = self.space.rounds.last().copied() else {
            return Ok(());
        };
        self.bind_all(slots, state)?;
        self.budget.step(1)?;
        if W::TRACED {
            self.watch.about(&self.bound(slots));
        }
        self.todo(id, Todo::Test);
        self.eval(test);
        Ok(())
    }

    /// A pass of a `Loop` begins.
    fn turn(&mut self, id: TermId, body: TermId) {
        let drawn = self.drawn;
        let Some(round) = self.space.rounds.last_mut() else { return };
        round.pass += 1;
        round.before = drawn;
        let pass = round.pass;
        self.space.path.letter('w');
        self.watch.open(|| Step::Pass(pass), self.plan.program.span(id));
        self.todo(id, Todo::Body);
        self.eval(body);
    }

    /// Leaves the innermost `Loop` with the state given.
    pub(super) fn leave_loop(&mut self) {
        let state = self.pop();
        let open = self.space.rounds.iter().rev().find(|round| matches!(round.kind, Kind::Loop { .. }));
        if let Some(start) = open.map(|round| round.start) {
            self.cut_back(start, 'L', state);
        }
    }

    /// Begins a loop; its passes come later.
    pub(super) fn open_loop(&mut self, id: TermId, kind: Kind<'p>) {
        let (start, drawn) = (self.heights(), self.drawn);
        self.open_path(id);
        self.watch.open(|| Step::Loop, self.plan.program.span(id));
        let results = start.values;
        self.space.rounds.push(Round { kind, pass: 0, start, results, before: drawn, after: drawn, from: None });
    }

    /// Begins the next pass of the innermost loop, or ends the loop.
    pub(super) fn pass(&mut self, id: TermId) -> Result<(), Fault> {
        let drawn = self.drawn;
        let Some(round) = self.space.rounds.last_mut() else { return Ok(()) };
        if let Kind::Repeat { times: passes, .. } | Kind::Each { members: passes, .. } = round.kind
            && round.pass == passes
        {
            return self.end(true);
        }
        round.pass += 1;
        round.before = drawn;
        let Round { kind, pass, results, .. } = *round;
        self.budget.step(1)?;
        self.space.path.pass(pass);
        self.watch.open(|| Step::Pass(pass), self.plan.program.span(id));
        match kind {
            Kind::Each { slot, .. } => {
                let members = self.space.values[results - 1].as_pool().unwrap_or(&[]);
                let member = members[pass as usize - 1].clone();
                self.watch.about(&member);
                self.bind(slot, member);
            }
            Kind::Until { keep: Keep::All, .. } if pass > self.budget.limits().members => self.budget.members(pass)?,
            _ => {}
        }
        match kind {
            Kind::Repeat { body, .. } | Kind::Each { body, .. } => {
                self.todo(id, Todo::Body);
                self.eval(body);
            }
            Kind::Until { bodies: (first, other), .. } => {
                self.todo(id, Todo::Body);
                self.eval(if pass == 1 { first } else { other });
            }
            // Its passes begin where its test holds.
            Kind::Loop { .. } => {}
        }
        Ok(())
    }

    /// The value of the body is given.
    pub(super) fn after_body(&mut self, id: TermId) -> Result<(), Fault> {
        let drawn = self.drawn;
        let Some(round) = self.space.rounds.last_mut() else { return Ok(()) };
        round.after = drawn;
        let Round { kind, pass, before, from, .. } = *round;
        match kind {
            Kind::Repeat { dice, .. } => {
                if let Some(list) = dice {
                    self.watch.counted(list, pass - 1, before..drawn);
                }
                self.close();
                self.todo(id, Todo::Pass);
            }
            Kind::Each { slot, .. } => {
                if let (true, Some(result)) = (W::TRACED, self.space.values.last_mut()) {
                    self.watch.answered();
                    let member = &self.space.env[self.base + slot.index()];
                    self.watch.judged(member, result, &mut self.budget)?;
                }
                self.close();
                self.todo(id, Todo::Pass);
            }
            Kind::Until { slot, stop, keep, .. } => {
                if let Some(from) = from {
                    self.watch.follow(before..drawn, from, keep);
                }
                let value = self.space.values.last().cloned().unwrap_or(Value::NOTHING);
                self.watch.about(&value);
                self.bind(slot, value);
                self.todo(id, Todo::Test);
                self.eval(stop);
            }
            Kind::Loop { .. } => {
                self.close();
                self.todo(id, Todo::State);
            }
        }
        Ok(())
    }

    /// The truth of `stop` or `while` is given.
    pub(super) fn after_test(&mut self, id: TermId) -> Result<(), Fault> {
        let holds = truth(&self.pop())?;
        self.watch.answered();
        let Some(round) = self.space.rounds.last() else { return Ok(()) };
        match round.kind {
            Kind::Until { most, keep, .. } => {
                let done = holds || most.is_some_and(|most| round.pass >= most);
                self.close();
                if done { self.end(keep == Keep::All) } else { self.again(id, most, keep) }
            }
            Kind::Loop { body, .. } if holds => {
                self.turn(id, body);
                Ok(())
            }
            Kind::Loop { slots, .. } => {
                self.push(self.bound(slots));
                self.end(false)
            }
            Kind::Repeat { .. } | Kind::Each { .. } => Ok(()),
        }
    }

    /// Another pass of an `Until`. A pass without any draw gives the same value and the same answer
    /// each time, unless it was the first of its own; such a first pass hands on a die that fell before.
    fn again(&mut self, id: TermId, most: Option<u64>, keep: Keep) -> Result<(), Fault> {
        let drawn = self.drawn;
        let Some(round) = self.space.rounds.last_mut() else { return Ok(()) };
        let own_first = matches!(round.kind, Kind::Until { bodies, .. } if bodies.0 != bodies.1) && round.pass == 1;
        if most.is_none() && round.before == drawn && !own_first {
            let words = "this loop can never stop: nothing in it changes from one pass to the next";
            return Err(Fault::new(Code::Endless, words));
        }
        if let (true, Some(value)) = (W::TRACED, self.space.values.last()) {
            round.from = self.watch.led(value, round.before..round.after, keep, &mut self.budget)?;
        }
        if keep == Keep::Last {
            self.pop();
        }
        self.todo(id, Todo::Pass);
        Ok(())
    }

    /// Ends the innermost loop; its results become a list, or the value on top is the result.
    fn end(&mut self, listed: bool) -> Result<(), Fault> {
        let Some(Round { start, results, .. }) = self.space.rounds.last().copied() else { return Ok(()) };
        let value = if listed {
            let results: Vec<Value> = self.space.values.drain(results..).collect();
            shallow(&results, DEEPEST_LIST, &mut self.budget)?;
            Value::list(results)
        } else {
            self.pop()
        };
        self.cut_back(start, 'L', value);
        Ok(())
    }
}

/// Refuses lists that are nested too deep; looking into a list inside is paid for.
fn shallow(items: &[Value], left: usize, budget: &mut Budget) -> Result<(), Fault> {
    for item in items {
        if let Data::List(inner) | Data::Tuple(inner) = &item.data {
            if left <= 1 {
                return Err(Fault::limit(format!("lists are nested more than {DEEPEST_LIST} deep")));
            }
            budget.step(inner.len() as u64)?;
            shallow(inner, left - 1, budget)?;
        }
    }
    Ok(())
}
