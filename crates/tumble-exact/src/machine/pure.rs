//! Terms without chance, as straight code: one outcome for one setting of the variables.

use super::values::{beyond, fields};
use super::{Env, Machine};
use crate::outcome::{self, Failure, Outcome, Stop};
use crate::prepare::{Code, Op, Quick};
use std::rc::Rc;
use tumble_core::prim::{Prim, Sort};
use tumble_core::{Budget, Code as Kind, Compare, Data, Fault, FnId, Slot, TermId, Value};

/// Calls without chance that are nested deeper are walked through.
const MOST_CALLS: u64 = 100;

/// More calls inside one term are memoised by the walk.
const MOST_CALLS_IN_ALL: u64 = 1_000;

/// The values under way, kept between runs so that nothing is allocated anew.
#[derive(Default)]
pub(super) struct Stack {
    values: Vec<Cell>,
    arguments: Vec<Value>,
    /// How many calls there were in this run.
    calls: u64,
}

/// An outcome; the small ones by themselves.
enum Cell {
    Int(i64),
    Truth(bool),
    /// A collection of one number.
    One(i64),
    Other(Outcome),
}

impl Cell {
    fn of(outcome: &Outcome) -> Cell {
        match outcome {
            Outcome::Known(Value { data: Data::Int(n), .. }) => Cell::Int(*n),
            Outcome::Known(Value { data: Data::Bool(truth), .. }) => Cell::Truth(*truth),
            Outcome::Known(value) => match value.as_pool() {
                Some([one]) => one.as_int().map_or_else(|| Cell::Other(outcome.clone()), Cell::One),
                _ => Cell::Other(outcome.clone()),
            },
            other => Cell::Other(other.clone()),
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            Cell::Int(n) => Outcome::int(n),
            Cell::Truth(truth) => Outcome::Known(Value::bool(truth)),
            Cell::One(n) => Outcome::Known(Value::ints(&[n])),
            Cell::Other(outcome) => outcome,
        }
    }
}

/// A row on small values; none if it must be done by itself.
fn quickly(quick: Quick, args: &[Cell]) -> Option<Cell> {
    Some(match (quick, args) {
        (Quick::Add, [Cell::Int(a), Cell::Int(b)]) => Cell::Int(a.checked_add(*b)?),
        (Quick::Sub, [Cell::Int(a), Cell::Int(b)]) => Cell::Int(a.checked_sub(*b)?),
        (Quick::Only | Quick::Sum, [Cell::One(n)]) | (Quick::Only, [Cell::Int(n)]) => Cell::Int(*n),
        (Quick::Gather, [Cell::Int(n)]) | (Quick::Gather | Quick::Same, [Cell::One(n)]) => Cell::One(*n),
        (Quick::Keep, [Cell::Int(1..), Cell::One(n)]) => Cell::One(*n),
        (Quick::Count, [Cell::One(_)]) => Cell::Int(1),
        (Quick::Any, [Cell::One(_)]) => Cell::Truth(true),
        _ => return None,
    })
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

    /// The outcome of code of one's own.
    pub(super) fn computed_by(&mut self, code: &Code, slots: &mut Slots) -> Result<Outcome, Stop> {
        self.run_code(code, Bound::All(slots))
    }

    /// The outcome of a pure term that is computed before it is needed: an error waits.
    pub(super) fn guarded(&mut self, term: TermId, env: &Env) -> Result<Outcome, Stop> {
        let computed = self.computed(term, env);
        self.put_off(computed)
    }

    /// An error becomes a value that fails when it is used; a limit is reached at once.
    pub(super) fn put_off(&mut self, computed: Result<Outcome, Stop>) -> Result<Outcome, Stop> {
        match computed {
            Err(Stop::Fault(fault)) if !matches!(fault.code, Kind::Limit | Kind::Stopped) => {
                self.blamed = None;
                Ok(Outcome::Failed(Failure(Rc::new(fault))))
            }
            other => other,
        }
    }

    fn run_code(&mut self, code: &Code, slots: Bound<'_>) -> Result<Outcome, Stop> {
        self.stack.values.clear();
        self.stack.calls = 0;
        self.run_inside(code, slots, 0)
    }

    /// The same, inside so many calls.
    fn run_inside(&mut self, code: &Code, mut slots: Bound<'_>, calls: u64) -> Result<Outcome, Stop> {
        let mut next = 0;
        self.desk.budget.step(2 * code.ops.len() as u64)?;
        while let Some((op, term)) = code.ops.get(next) {
            if let Op::Call(function, count) = op {
                let outcome = self.called_for_certain(*function, *count, calls)?;
                self.stack.values.push(Cell::of(&outcome));
                next += 1;
                continue;
            }
            match self.stack.step(op, &mut slots, &mut self.desk.budget) {
                Ok(to) => next = to.unwrap_or(next + 1),
                Err(stop) => {
                    self.blamed = Some(*term);
                    return Err(stop);
                }
            }
        }
        Ok(self.stack.pop())
    }

    /// A function without chance, of the top values.
    fn called_for_certain(&mut self, function: FnId, count: usize, calls: u64) -> Result<Outcome, Stop> {
        self.stack.calls += 1;
        if calls >= MOST_CALLS || self.stack.calls > MOST_CALLS_IN_ALL {
            return Err(Stop::Unsolvable);
        }
        let routine = &self.plan.functions[function.index()];
        let mut slots = vec![None; routine.slots];
        let at = self.stack.values.len().saturating_sub(count);
        for (param, cell) in routine.params.iter().zip(self.stack.values.drain(at..)) {
            slots[param.index()] = Some(cell.outcome());
        }
        let code = self.plan.code(routine.body);
        self.run_inside(&code, Bound::All(&mut slots), calls + 1)
    }
}

/// Variables that the code may bind, or that it only reads.
enum Bound<'a> {
    All(&'a mut Slots),
    Fixed(&'a Slots),
}

impl Bound<'_> {
    fn get(&self, slot: Slot) -> Result<&Outcome, Stop> {
        let slots: &Slots = match self {
            Bound::All(slots) => slots,
            Bound::Fixed(slots) => slots,
        };
        match &slots[slot.index()] {
            Some(Outcome::Failed(failure)) => Err(Stop::Fault(Fault::clone(&failure.0))),
            Some(outcome) => Ok(outcome),
            None => Ok(&Outcome::Unknown),
        }
    }

    fn set(&mut self, slot: Slot, outcome: Outcome) {
        if let Bound::All(slots) = self {
            slots[slot.index()] = Some(outcome);
        }
    }
}

impl Stack {
    fn pop(&mut self) -> Outcome {
        self.values.pop().map_or(Outcome::Unknown, Cell::outcome)
    }

    /// A row on the top values.
    fn row(&mut self, row: &Prim, count: usize, quick: Quick, budget: &mut Budget) -> Result<(), Stop> {
        let at = self.values.len().saturating_sub(count);
        if let Some(cell) = quickly(quick, &self.values[at..]) {
            self.values.truncate(at);
            self.values.push(cell);
            return Ok(());
        }
        let unknown = |cell: &Cell| matches!(cell, Cell::Other(outcome) if outcome.known().is_none());
        let outcome = if self.values[at..].iter().any(unknown) {
            let args: Vec<Outcome> = self.values.drain(at..).map(Cell::outcome).collect();
            outcome::apply(row, &args, budget)?
        } else {
            self.arguments.clear();
            for cell in self.values.drain(at..) {
                if let Outcome::Known(value) = cell.outcome() {
                    self.arguments.push(value);
                }
            }
            Outcome::Known((row.apply)(&self.arguments, budget)?)
        };
        self.values.push(Cell::of(&outcome));
        Ok(())
    }

    /// A fold of a comparison, without the collection in between where all is known.
    fn compared(&mut self, by: Compare, fold: &Prim, budget: &mut Budget) -> Result<Cell, Stop> {
        let at = self.values.len().saturating_sub(2);
        let truth = fold.gives == Sort::Bool;
        let counted = |count: i64| if truth { Cell::Truth(count > 0) } else { Cell::Int(count) };
        let stays = |n: i64, x: i64| i64::from(by.holds(n, x));
        let count = match &self.values[at..] {
            [Cell::Int(n), Cell::One(x)] => Some(stays(*n, *x)),
            [Cell::Int(n), Cell::Other(pool)] => pool.known().and_then(Value::as_pool).and_then(|members| {
                members.iter().try_fold(0, |count, member| Some(count + stays(*n, member.as_int()?)))
            }),
            _ => None,
        };
        if let Some(count) = count {
            self.values.truncate(at);
            return Ok(counted(count));
        }
        let (pool, number) = (self.pop(), self.pop());
        let left = outcome::apply(by.row(), &[number, pool], budget)?;
        Ok(Cell::of(&outcome::apply(fold, &[left], budget)?))
    }

    /// One step; where to go on, if not with the next.
    fn step(&mut self, op: &Op, slots: &mut Bound<'_>, budget: &mut Budget) -> Result<Option<usize>, Stop> {
        match op {
            Op::Lit(outcome) => self.values.push(Cell::of(outcome)),
            Op::Var(slot) => self.values.push(Cell::of(slots.get(*slot)?)),
            Op::Several(seen) => {
                // Here an error goes on waiting.
                let value = |slot: &Slot| match slots.get(*slot) {
                    Err(Stop::Fault(fault)) => Ok(Outcome::Failed(Failure(Rc::new(fault)))),
                    other => other.cloned(),
                };
                self.values.push(match seen.as_slice() {
                    [one] => Cell::of(&value(one)?),
                    _ => Cell::Other(Outcome::Several(seen.iter().map(value).collect::<Result<Rc<[_]>, Stop>>()?)),
                });
            }
            Op::Row(row, count, quick) => self.row(row, *count, *quick, budget)?,
            Op::Compared(by, fold) => {
                let cell = self.compared(*by, fold, budget)?;
                self.values.push(cell);
            }
            Op::Bind { slots: bound, linear, used, end } => {
                let value = self.pop();
                if !used && matches!(value, Outcome::Hole { .. }) {
                    return Err(Stop::Unsolvable);
                }
                match fields(value, bound.len())? {
                    Err(lost) => {
                        self.values.push(Cell::Other(lost));
                        return Ok(Some(*end));
                    }
                    Ok(fields) => {
                        for (slot, value) in bound.iter().zip(fields) {
                            slots.set(*slot, if *linear { value } else { value.without_law() });
                        }
                    }
                }
            }
            Op::Fork { other, end } => match self.values.pop() {
                Some(Cell::Truth(true)) => {}
                Some(Cell::Truth(false)) => return Ok(Some(*other)),
                cell => match cell.map_or(Outcome::Unknown, Cell::outcome) {
                    Outcome::Known(value) => {
                        let message = format!("expected true or false, not {}", value.sort());
                        return Err(Fault::wrong_type(message).into());
                    }
                    unsure => {
                        self.values.push(Cell::Other(beyond(&[unsure])?));
                        return Ok(Some(*end));
                    }
                },
            },
            Op::Jump(to) => return Ok(Some(*to)),
            Op::Call(..) => return Err(Stop::mistake("a call among the steps of one function")),
        }
        Ok(None)
    }
}
