//! The operations of register code, one after the other, up to the next choice.

use super::code::{Letter, Op, Reg, Routine};
use super::machine::Machine;
use super::request::{Chosen, Next, Part, Request, Unseen, Wrong};
use crate::outcome::{self, Outcome, Stop};
use tumble_core::play::{no_group, style};
use tumble_core::{Data, Event, Fault, Value, chance, prim};

/// Where an operation leads.
enum Went {
    On,
    To(usize),
    Ends(Outcome),
}

impl Machine<'_> {
    pub(super) fn run_in(
        &mut self,
        routine: &Routine,
        function: usize,
        at: &mut usize,
        below: Option<u32>,
    ) -> Result<Next, Wrong> {
        loop {
            self.budget.step(1)?;
            if !self.unseen_dice.is_empty()
                && let Some(reg) = self.must_see(routine, *at, below)
                && let Outcome::Unseen(number) = self.regs[reg]
            {
                return Ok(Next::Choice(Request::Unseen { number, reg }));
            }
            let op = &routine.ops[*at];
            let went = match op {
                Op::Jump(to) => Went::To(*to),
                Op::Branch { test, then, other } => match self.truth(*test)? {
                    Some(holds) => Went::To(if holds { *then } else { *other }),
                    None => Went::Ends(self.undecided((function, *at), below)),
                },
                Op::Return { from } => return Ok(Next::Return(self.regs[*from].clone())),
                Op::Members { .. } | Op::Next { .. } | Op::Down { .. } => self.turn(op)?,
                Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => {
                    self.compute(routine, op)?
                }
                Op::Push { .. } | Op::Count { .. } | Op::Letter { .. } | Op::Emit { .. } => {
                    self.compute(routine, op)?
                }
                Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } | Op::Ask { .. } | Op::Call { .. } => {
                    match (self.choose(op, routine)?, op.chooses()) {
                        (Chosen::Known(value), Some(to)) => self.regs[to] = value,
                        (Chosen::Known(_), None) => {}
                        (Chosen::Next(next), _) => return Ok(next),
                    }
                    Went::On
                }
            };
            match went {
                Went::On => *at += 1,
                Went::To(to) => *at = to,
                Went::Ends(outcome) => return Ok(Next::End(outcome)),
            }
        }
    }

    /// An operation that writes registers.
    fn compute(&mut self, routine: &Routine, op: &Op) -> Result<Went, Wrong> {
        match op {
            Op::Set { to, value } => self.regs[*to] = Outcome::Known(value.clone()),
            Op::Copy { to, from } => self.write(routine, *to, self.regs[*from].clone()),
            Op::Row { to, row, args } => {
                let value = self.apply(row, args)?;
                if value.is_lost() {
                    return Ok(Went::Ends(value));
                }
                self.write(routine, *to, value);
            }
            Op::Fields { to, from } => {
                let Some(fields) = self.fields(*from, to.len())? else { return Ok(Went::Ends(Outcome::Unknown)) };
                to.iter().zip(fields).for_each(|(to, field)| self.regs[*to] = Outcome::Known(field));
            }
            Op::Tuple { to, from } => {
                let fields: Option<Vec<Value>> = from.iter().map(|reg| self.regs[*reg].known().cloned()).collect();
                let Some(fields) = fields else { return Ok(Went::Ends(Outcome::Unknown)) };
                self.regs[*to] = Outcome::Known(Value::tuple(fields));
            }
            Op::Push { list, from } => {
                let Some(longer) = self.pushed(*list, *from)? else { return Ok(Went::Ends(Outcome::Unknown)) };
                self.regs[*list] = longer;
            }
            Op::Count { to, from } => {
                let Some(count) = self.regs[*from].known() else { return Ok(Went::Ends(Outcome::Unknown)) };
                let count = chance::times(count)?;
                self.budget.members(count)?;
                self.regs[*to] = Outcome::int(count as i64);
            }
            Op::Letter { to, from, letter } => self.letter(*to, *from, *letter),
            Op::Emit { event, args, groups } => self.show(*event, args, *groups)?,
            Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } | Op::Members { .. } | Op::Next { .. } => {}
            Op::Down { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } => {}
            Op::Ask { .. } | Op::Call { .. } => {}
        }
        Ok(Went::On)
    }

    /// An operation that goes over members, or counts down.
    fn turn(&mut self, op: &Op) -> Result<Went, Wrong> {
        match op {
            Op::Members { to, from, made, .. } => {
                if let (Outcome::Unseen(pool), Some(made)) = (&self.regs[*from], made) {
                    self.regs[made.list] = self.made_unseen(made, *pool);
                    return Ok(Went::To(made.done));
                }
                let Some(pool) = self.regs[*from].known() else { return Ok(Went::Ends(Outcome::Unknown)) };
                chance::members(pool)?;
                self.regs[*to] = self.regs[*from].clone();
            }
            Op::Next { to, rest, done } => match self.next_member(*rest) {
                Some(member) => self.regs[*to] = Outcome::Known(member),
                None => return Ok(Went::To(*done)),
            },
            Op::Down { left, done } => match self.regs[*left].as_int() {
                Some(n @ 1..) => self.regs[*left] = Outcome::int(n - 1),
                _ => return Ok(Went::To(*done)),
            },
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => {}
            Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } | Op::Push { .. } | Op::Count { .. } => {}
            Op::Letter { .. } | Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } => {}
            Op::Ask { .. } | Op::Call { .. } => {}
        }
        Ok(Went::On)
    }

    /// A number that is not listed keeps its law only where it is looked at once.
    pub(super) fn write(&mut self, routine: &Routine, to: Reg, value: Outcome) {
        self.regs[to] = if routine.shared[to] { value.without_law() } else { value };
    }

    pub(super) fn apply(&mut self, row: &'static prim::Prim, args: &[Reg]) -> Result<Outcome, Stop> {
        self.args.clear();
        for arg in args {
            match &self.regs[*arg] {
                Outcome::Known(value) => self.args.push(value.clone()),
                _ if args.iter().any(|arg| matches!(self.regs[*arg], Outcome::Unseen(_))) => {
                    let part = |arg: &Reg| match &self.regs[*arg] {
                        Outcome::Known(value) => Some(Part::Known(value.clone())),
                        Outcome::Unseen(number) => Some(Part::Unseen(*number)),
                        _ => None,
                    };
                    let parts: Option<Vec<Part>> = args.iter().map(part).collect();
                    return Ok(parts.map_or(Outcome::Unknown, |parts| self.unseen(Unseen::Row(row, parts))));
                }
                _ => {
                    let args: Vec<Outcome> = args.iter().map(|arg| self.regs[*arg].clone()).collect();
                    return outcome::apply(row, &args, &mut self.budget);
                }
            }
        }
        Ok(Outcome::Known((row.apply)(&self.args, &mut self.budget)?))
    }

    fn fields(&self, from: Reg, width: usize) -> Result<Option<Vec<Value>>, Fault> {
        match self.regs[from].known() {
            Some(value) => prim::fields(value, width).map(|fields| Some(fields.to_vec())),
            None => Ok(None),
        }
    }

    fn truth(&self, reg: Reg) -> Result<Option<bool>, Fault> {
        match &self.regs[reg] {
            Outcome::Known(value) => match value.as_bool() {
                Some(holds) => Ok(Some(holds)),
                None => Err(Fault::wrong_type(format!("expected true or false, not {}", value.sort()))),
            },
            _ => Ok(None),
        }
    }

    fn next_member(&mut self, rest: Reg) -> Option<Value> {
        let value = self.regs[rest].known()?;
        let (first, others) = value.as_pool()?.split_first()?;
        let (first, others) = (first.clone(), Value::pool(others.to_vec()));
        self.regs[rest] = Outcome::Known(others);
        Some(first)
    }

    fn pushed(&mut self, list: Reg, from: Reg) -> Result<Option<Outcome>, Fault> {
        let (Some(items), Some(item)) = (self.regs[list].known(), self.regs[from].known()) else { return Ok(None) };
        let Data::List(items) = &items.data else { return Ok(None) };
        let mut items = items.to_vec();
        items.push(item.clone());
        self.budget.members(items.len() as u64)?;
        self.budget.step(items.len() as u64 / 8)?;
        Ok(Some(Outcome::Known(Value::list(items))))
    }

    fn letter(&mut self, to: Reg, from: Reg, letter: Letter) {
        self.regs[to] = match letter {
            Letter::Plain(letter) => self.paths.step(&self.regs[from], letter),
            Letter::Pass(number) => {
                let pass = self.regs[number].as_int().unwrap_or(0) + 1;
                self.regs[number] = Outcome::int(pass);
                self.paths.pass(&self.regs[from], pass)
            }
        };
    }

    /// What output can fail of.
    fn show(&mut self, event: Event, args: &[Reg], groups: Option<Reg>) -> Result<(), Fault> {
        if let (Event::Line, Some(of)) = (event, args.first().and_then(|reg| self.regs[*reg].known())) {
            style(of)?;
        }
        let Some(groups) = groups else { return Ok(()) };
        const STARTED: i64 = 0;
        const BLOCK: i64 = 1;
        let open = self.regs[groups].known().and_then(Value::as_pool).unwrap_or(&[]);
        let mut open: Vec<i64> = open.iter().filter_map(Value::as_int).collect();
        match event {
            Event::Line | Event::Change => {}
            Event::Open => open.push(STARTED),
            Event::Enter => open.push(BLOCK),
            Event::Close if open.last() == Some(&STARTED) => _ = open.pop(),
            Event::Close => return Err(no_group()),
            Event::Exit => open.truncate(open.iter().rposition(|group| *group == BLOCK).unwrap_or(0)),
        }
        self.regs[groups] = Outcome::Known(Value::ints(&open));
        Ok(())
    }
}
