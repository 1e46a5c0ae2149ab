//! Terms without chance, as straight code: one outcome for one setting of the variables.

use super::forms::beyond;
use super::{Env, Machine};
use crate::algo::compare;
use crate::outcome::{self, Failure, Outcome, Stop};
use crate::prepare::{Code, Op};
use std::rc::Rc;
use tumble_core::prim::{Prim, Sort};
use tumble_core::{Budget, Code as Kind, Fault, Slot, TermId, Value};

/// The values under way, kept between runs so that nothing is allocated anew.
#[derive(Default)]
pub(super) struct Stack {
    values: Vec<Outcome>,
    arguments: Vec<Value>,
}

/// The variables of a run.
type Slots = [Option<Outcome>];

impl Machine<'_> {
    /// The outcome of a pure term.
    pub(super) fn computed(&mut self, term: TermId, env: &Env) -> Result<Outcome, Stop> {
        let code = self.plan.code(term);
        if code.binds {
            let mut slots = Vec::clone(env);
            return self.run_code(&code, Bound::All(&mut slots));
        }
        self.run_code(&code, Bound::Fixed(env))
    }

    /// The outcome of a pure term, with variables that the code may bind.
    pub(super) fn computed_in(&mut self, term: TermId, slots: &mut Slots) -> Result<Outcome, Stop> {
        let code = self.plan.code(term);
        self.run_code(&code, Bound::All(slots))
    }

    /// The outcome of a pure term that is computed before it is needed: an error waits.
    pub(super) fn guarded(&mut self, term: TermId, env: &Env) -> Result<Outcome, Stop> {
        match self.computed(term, env) {
            Err(Stop::Fault(fault)) if fault.code != Kind::Limit => {
                self.blamed = None;
                Ok(Outcome::Failed(Failure(Rc::new(fault))))
            }
            other => other,
        }
    }

    /// The same, with variables that the code may bind.
    pub(super) fn guarded_in(&mut self, term: TermId, slots: &mut Slots) -> Result<Outcome, Stop> {
        match self.computed_in(term, slots) {
            Err(Stop::Fault(fault)) if fault.code != Kind::Limit => {
                self.blamed = None;
                Ok(Outcome::Failed(Failure(Rc::new(fault))))
            }
            other => other,
        }
    }

    fn run_code(&mut self, code: &Code, mut slots: Bound<'_>) -> Result<Outcome, Stop> {
        let mut next = 0;
        let (stack, budget) = (&mut self.stack, &mut self.desk.budget);
        stack.values.clear();
        budget.step(2 * code.ops.len() as u64)?;
        while let Some((op, term)) = code.ops.get(next) {
            match stack.step(op, &mut slots, budget) {
                Ok(to) => next = to.unwrap_or(next + 1),
                Err(stop) => {
                    self.blamed = Some(*term);
                    return Err(stop);
                }
            }
        }
        Ok(stack.values.pop().unwrap_or(Outcome::Unknown))
    }
}

/// Variables that the code may bind, or that it only reads.
enum Bound<'a> {
    All(&'a mut Slots),
    Fixed(&'a Slots),
}

impl Bound<'_> {
    fn get(&self, slot: Slot) -> Result<Outcome, Stop> {
        let slots: &Slots = match self {
            Bound::All(slots) => slots,
            Bound::Fixed(slots) => slots,
        };
        match &slots[slot.index()] {
            Some(Outcome::Failed(failure)) => Err(Stop::Fault(Fault::clone(&failure.0))),
            Some(outcome) => Ok(outcome.clone()),
            None => Ok(Outcome::Unknown),
        }
    }

    fn set(&mut self, slot: Slot, outcome: Outcome) {
        if let Bound::All(slots) = self {
            slots[slot.index()] = Some(outcome);
        }
    }
}

impl Stack {
    /// A fold of a comparison, without the collection in between where all is known.
    fn compared(&mut self, row: &Prim, fold: &Prim, budget: &mut Budget) -> Result<Outcome, Stop> {
        let pool = self.values.pop().unwrap_or(Outcome::Unknown);
        let number = self.values.pop().unwrap_or(Outcome::Unknown);
        let members = pool.known().and_then(Value::as_pool);
        if let (Some(n), Some(members), Some(holds)) = (number.as_int(), members, compare::holds(row)) {
            let stays = |x: i64| i64::from(holds[(n.cmp(&x) as i8 + 1) as usize]);
            let count = members.iter().try_fold(0, |count, member| Some(count + stays(member.as_int()?)));
            if let Some(count) = count {
                let truth = fold.gives == Sort::Bool;
                return Ok(Outcome::Known(if truth { Value::bool(count > 0) } else { Value::int(count) }));
            }
        }
        let left = outcome::apply(row, &[number, pool], budget)?;
        outcome::apply(fold, &[left], budget)
    }

    /// One step; where to go on, if not with the next.
    fn step(&mut self, op: &Op, slots: &mut Bound<'_>, budget: &mut Budget) -> Result<Option<usize>, Stop> {
        match op {
            Op::Lit(outcome) => self.values.push(outcome.clone()),
            Op::Var(slot) => self.values.push(slots.get(*slot)?),
            Op::Several(seen) => {
                // Here an error goes on waiting.
                let value = |slot: &Slot| match slots.get(*slot) {
                    Err(Stop::Fault(fault)) => Ok(Outcome::Failed(Failure(Rc::new(fault)))),
                    other => other,
                };
                let values = seen.iter().map(value).collect::<Result<Rc<[Outcome]>, Stop>>()?;
                self.values.push(Outcome::Several(values));
            }
            Op::Row(row, count) => {
                let at = self.values.len().saturating_sub(*count);
                let outcome = if self.values[at..].iter().all(|arg| matches!(arg, Outcome::Known(_))) {
                    self.arguments.clear();
                    for arg in self.values.drain(at..) {
                        if let Outcome::Known(value) = arg {
                            self.arguments.push(value);
                        }
                    }
                    Outcome::Known((row.apply)(&self.arguments, budget)?)
                } else {
                    let outcome = outcome::apply(row, &self.values[at..], budget)?;
                    self.values.truncate(at);
                    outcome
                };
                self.values.push(outcome);
            }
            Op::Compared(row, fold) => {
                let outcome = self.compared(row, fold, budget)?;
                self.values.push(outcome);
            }
            Op::Bind { slot, linear, used, end } => {
                let value = self.values.pop().unwrap_or(Outcome::Unknown);
                if value.is_lost() {
                    self.values.push(value);
                    return Ok(Some(*end));
                }
                if !used && matches!(value, Outcome::Hole { .. }) {
                    return Err(Stop::Unsolvable);
                }
                slots.set(*slot, if *linear { value } else { value.without_moments() });
            }
            Op::Fork { other, end } => match self.values.pop().unwrap_or(Outcome::Unknown) {
                Outcome::Known(value) => match value.as_bool() {
                    Some(true) => {}
                    Some(false) => return Ok(Some(*other)),
                    None => {
                        let message = format!("a truth is needed here, not {}", value.sort());
                        return Err(Fault::wrong_type(message).into());
                    }
                },
                unsure => {
                    self.values.push(beyond(&[unsure])?);
                    return Ok(Some(*end));
                }
            },
            Op::Jump(to) => return Ok(Some(*to)),
        }
        Ok(None)
    }
}
