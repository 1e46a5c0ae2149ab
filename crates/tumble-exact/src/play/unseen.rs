//! Dice that were thrown and are not looked at yet.
//!
//! `length([x for (x : dice("30d10")) if (x >= 8)])` has 31 outcomes, the 30 dice have hundreds of millions. So where the
//! dice of a text are many and nothing sees their order, they stay unseen: what is done with them is written down as a
//! term, as long as each is used once, and only when something has to be known is the distribution of that term asked
//! for, as a roll like any other. Where players decide freely nothing stays unseen, because they see all dice.

use super::code::{Free, Made, Op, Reg, Routine};
use super::machine::Machine;
use super::request::{Mode, Part, Request, Unseen, Ways};
use crate::outcome::Outcome;
use std::rc::Rc;
use tumble_core::{
    Code, Diagnostic, Draft, Fault, FnId, Function, Program, Slot, Span, Term, TermId, Throw, Value, check,
};

/// Terms are looked at before they are deeper than this.
const DEEPEST: usize = 40;

impl Machine<'_> {
    /// Whether the dice of a request had better stay unseen.
    pub(super) fn stays_unseen(&mut self, request: &Request) -> bool {
        let Request::Text { dice: true, sorted: true, .. } = request else { return false };
        match self.ways(request) {
            Ok(ways) => ways.items.len() > self.seen_at_once,
            Err(fault) => fault.code == Code::Limit,
        }
    }

    /// The number of what becomes of unseen dice.
    pub(super) fn unseen(&mut self, what: Unseen) -> Outcome {
        let depth = match &what {
            Unseen::Thrown(_) => 1,
            Unseen::Row(_, parts) => 1 + parts.iter().map(|part| self.depth_of(part)).max().unwrap_or(0),
            Unseen::Each { pool, .. } => 1 + self.depths[*pool as usize],
        };
        if let Some(number) = self.unseen_numbers.get(&what) {
            return Outcome::Unseen(*number);
        }
        let number = self.unseen_dice.len() as u32;
        self.held += 300;
        self.unseen_dice.push(Rc::new(what.clone()));
        self.depths.push(depth);
        self.unseen_numbers.insert(what, number);
        Outcome::Unseen(number)
    }

    fn depth_of(&self, part: &Part) -> usize {
        if let Part::Unseen(number) = part { self.depths[*number as usize] } else { 0 }
    }

    /// The register that must be looked at before an operation; none if it can go on without.
    pub(super) fn must_see(&self, routine: &Routine, at: usize, below: Option<u32>) -> Option<Reg> {
        let op = &routine.ops[at];
        let mut found: Vec<Reg> = vec![];
        op.reads(|reg| {
            if matches!(self.regs[reg], Outcome::Unseen(_)) {
                found.push(reg);
            }
        });
        let first = *found.first()?;
        let deep = |reg: &Reg| matches!(self.regs[*reg], Outcome::Unseen(n) if self.depths[n as usize] >= DEEPEST);
        // A register that is read again, or twice, is one and the same die each time.
        let again = |(place, reg): (usize, &Reg)| !routine.dies[at].contains(reg) || found[..place].contains(reg);
        if found.iter().any(deep) || found.iter().enumerate().any(again) {
            return Some(first);
        }
        let goes_on = match op {
            Op::Copy { .. } | Op::Row { .. } => true,
            Op::Return { .. } => below.is_some(),
            Op::Members { made, .. } => made.as_ref().is_some_and(|made| self.knows(made)),
            Op::Call { function, .. } => self.modes.get(function.index()) != Some(&Mode::Pure) || self.nested == 0,
            Op::Set { .. } | Op::Fields { .. } | Op::Tuple { .. } | Op::Jump(_) | Op::Branch { .. } => false,
            Op::Next { .. } | Op::Push { .. } | Op::Count { .. } | Op::Down { .. } | Op::Letter { .. } => false,
            Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } | Op::Ask { .. } => false,
        };
        if goes_on { None } else { Some(first) }
    }

    /// Whether all variables that the body of a made list looks at are known.
    fn knows(&self, made: &Made) -> bool {
        made.free.iter().all(|(_, free)| self.held_by(free).is_some())
    }

    fn held_by<'m>(&'m self, free: &'m Free) -> Option<&'m Value> {
        match free {
            Free::Reg(reg) => self.regs[*reg].known(),
            Free::Always(value) => Some(value),
        }
    }

    /// A list made of members that nobody has seen.
    pub(super) fn made_unseen(&mut self, made: &Made, pool: u32) -> Outcome {
        let held = made.free.iter().filter_map(|(slot, free)| Some((*slot, self.held_by(free)?.clone()))).collect();
        self.unseen(Unseen::Each { term: made.term, pool, held })
    }

    /// The distribution of what becomes of unseen dice.
    pub(super) fn seen(&mut self, number: u32) -> Result<Ways, Fault> {
        let program = self.as_program(number)?;
        crate::machine::distribution(&program, &mut self.budget).map(Ways::from).map_err(|found| {
            let Diagnostic { code, kind, message, hint, remedies, .. } = found;
            Fault { code, kind, message, hint, remedies }
        })
    }

    fn as_program(&mut self, number: u32) -> Result<Program, Fault> {
        let mut builder = Builder { draft: Draft::new(), functions: vec![], slots: 0 };
        let body = builder.term(self, number)?;
        let slots = (0..builder.slots).map(|n| format!("x{n}")).collect();
        builder.functions.push(Function { name: "dice".into(), params: vec![], slots, body });
        let main = FnId(builder.functions.len() as u32 - 1);
        check(builder.draft, builder.functions, main).map_err(|found| {
            let words = found.into_iter().next().map_or_else(String::new, |found| found.message);
            Fault::mistake(format!("internal error: {words}"))
        })
    }
}

/// Writes unseen dice as a program of their own.
struct Builder {
    draft: Draft,
    functions: Vec<Function>,
    slots: u32,
}

impl Builder {
    fn term(&mut self, machine: &Machine<'_>, number: u32) -> Result<TermId, Fault> {
        match &*machine.unseen_dice[number as usize] {
            Unseen::Thrown(text) => {
                let read = machine.reader.read(text, Throw::Dice);
                let program = read.map_err(|found| tumble_core::play::quoted(text, found))?;
                let first = self.functions.len() as u32;
                let main = program.main().index();
                for (at, function) in program.functions().iter().enumerate().filter(|(at, _)| *at != main) {
                    let to = move |own: FnId| FnId(first + own.0 - u32::from(own.index() > main));
                    let body = self.draft.copy(&program, function.body, to, |slot| slot, |_, _, _| None);
                    debug_assert_eq!(to(FnId(at as u32)).index(), self.functions.len());
                    self.functions.push(Function { body, ..function.clone() });
                }
                let to = move |own: FnId| FnId(first + own.0 - u32::from(own.index() > main));
                let by = self.slots;
                self.slots += program.function(program.main()).slots.len() as u32;
                let body = program.function(program.main()).body;
                Ok(self.draft.copy(&program, body, to, |slot| Slot(slot.0 + by), |_, _, _| None))
            }
            Unseen::Row(row, parts) => {
                let mut args = vec![];
                for part in parts {
                    args.push(match part {
                        Part::Known(value) => self.draft.lit(Span::default(), value.clone()),
                        Part::Unseen(number) => self.term(machine, *number)?,
                    });
                }
                Ok(self.draft.prim(Span::default(), row, args))
            }
            Unseen::Each { term, pool, held } => {
                let members = self.term(machine, *pool)?;
                let program = machine.program;
                let Term::ForEach { pool, .. } = program.term(*term) else {
                    return Err(Fault::mistake("internal error: this makes no list"));
                };
                let by = self.slots;
                self.slots += program.functions().iter().map(|function| function.slots.len()).max().unwrap_or(0) as u32;
                let leaf = |draft: &mut Draft, id: TermId, term: &Term| match term {
                    _ if id == *pool => Some(members),
                    Term::Var(slot) => {
                        let (_, value) = held.iter().find(|(own, _)| own == slot)?;
                        Some(draft.lit(program.span(id), value.clone()))
                    }
                    Term::Lit(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } | Term::Draw { .. } => None,
                    Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } => None,
                    Term::Call { .. } | Term::Leave { .. } | Term::Ask { .. } => None,
                    Term::Emit { .. } | Term::Throw { .. } => None,
                };
                Ok(self.draft.copy(program, *term, |own| own, |slot| Slot(slot.0 + by), leaf))
            }
        }
    }
}
