//! Terms without chance, as straight code: one outcome for one setting of the variables.

use super::state::owned;
use super::values::{beyond, fields};
use super::{Env, Machine, Values};
use crate::hidden::Hidden;
use crate::outcome::{self, Failure, Outcome, Stop};
use crate::prepare::{Code, Op};
use std::borrow::Cow;
use std::rc::Rc;
use tumble_core::prim::{Change, Flat, Ordered, Prim, Shape, Sort};
use tumble_core::{Budget, Code as Kind, Data, Fault, FnId, Slot, TermId, Value};

/// Calls without chance that are nested deeper are walked through.
const MOST_CALLS: u64 = 100;

/// More calls inside one term are memoised by the walk.
const MOST_CALLS_IN_ALL: u64 = 1_000;

/// Collections of numbers with more members are not copied to the stack.
const MOST_MEMBERS: usize = 64;

/// The values under way, kept between runs so that nothing is allocated anew.
#[derive(Default)]
pub(super) struct Stack {
    values: Vec<Cell>,
    /// The members of all collections of numbers, one after the other.
    members: Vec<i64>,
    arguments: Vec<Value>,
    outcomes: Vec<Outcome>,
    /// How many calls there were in this run.
    calls: u64,
}

/// An outcome; what rows have a meaning for on plain numbers by itself.
enum Cell {
    Int(i64),
    Truth(bool),
    /// A collection of the numbers from this place on; whether they ascend.
    Ints(usize, bool),
    Other(Outcome),
}

/// The variables of a run.
type Slots = [Option<Outcome>];

impl Machine<'_> {
    /// The outcome of a pure term.
    pub(super) fn computed(&mut self, term: TermId, env: &Values) -> Result<Outcome, Stop> {
        let code = self.plan.code(term);
        if code.binds {
            let mut slots = env.to_vec();
            return self.run_code(&code, Bound::All(&mut slots));
        }
        self.run_code(&code, Bound::Fixed(env))
    }

    /// The same, with pools that are lent.
    pub(super) fn computed_of(&mut self, term: TermId, env: &Values, lends: &Lends<'_>) -> Result<Outcome, Stop> {
        let code = self.plan.code(term);
        if !code.binds {
            return self.run_code(&code, Bound::Lent(env, lends));
        }
        let mut slots = env.to_vec();
        for slot in &self.plan.free[term.index()] {
            if let Some(Outcome::Pool(pool)) = &mut slots[slot.index()] {
                lends.lend(*slot, pool);
            }
        }
        self.run_code(&code, Bound::All(&mut slots))
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
    pub(super) fn guarded(&mut self, term: TermId, env: &Values) -> Result<Outcome, Stop> {
        let computed = self.computed(term, env);
        self.put_off(computed)
    }

    /// The same, where all pools belong to the current state.
    pub(super) fn guarded_here(&mut self, term: TermId, env: &Values) -> Result<Outcome, Stop> {
        let computed = self.computed_of(term, env, &Lends::All(self.at));
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
        self.stack.members.clear();
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
                self.stack.push(&outcome);
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
        for (param, value) in routine.params.iter().zip(self.stack.drain(at)) {
            slots[param.index()] = Some(value);
        }
        let code = self.plan.code(routine.body);
        self.run_inside(&code, Bound::All(&mut slots), calls + 1)
    }
}

/// Variables that the code may bind, or that it only reads.
enum Bound<'a> {
    All(&'a mut Slots),
    Fixed(&'a Slots),
    Lent(&'a Slots, &'a Lends<'a>),
}

/// The pools that a walk lends, and its number.
pub(super) enum Lends<'a> {
    All(u32),
    /// Those of some variables, and which of them one call takes over.
    Some {
        at: u32,
        slots: Cow<'a, [Slot]>,
        passes: &'a [Slot],
    },
}

impl Lends<'_> {
    /// Whether the pool of a variable is among them.
    pub(super) fn has(&self, slot: Slot) -> bool {
        match self {
            Lends::All(_) => true,
            Lends::Some { slots, .. } => slots.contains(&slot),
        }
    }

    /// The variables with those of them lent that are used.
    pub(super) fn to(&self, env: &Env, used: &[Slot]) -> Env {
        if !used.iter().any(|slot| owned(env, slot) && self.has(*slot)) {
            return env.clone();
        }
        let mut slots = Vec::clone(env);
        for slot in used {
            if let Some(Outcome::Pool(pool)) = &mut slots[slot.index()] {
                self.lend(*slot, pool);
            }
        }
        Rc::new(slots)
    }

    /// The pool of a variable, lent if it is one of those and belongs to nobody else.
    pub(super) fn lend(&self, slot: Slot, pool: &mut Hidden) {
        if !pool.shared.is_empty() {
            return;
        }
        match self {
            Lends::All(at) => *pool = pool.lent_by((*at, slot)),
            Lends::Some { at, slots, passes } if slots.contains(&slot) => {
                *pool = pool.lent_by((*at, slot));
                pool.passes = passes.contains(&slot);
            }
            Lends::Some { .. } => {}
        }
    }
}

impl Bound<'_> {
    fn get(&self, slot: Slot) -> Result<&Outcome, Stop> {
        let slots: &Slots = match self {
            Bound::All(slots) => slots,
            Bound::Fixed(slots) | Bound::Lent(slots, _) => slots,
        };
        match &slots[slot.index()] {
            Some(Outcome::Failed(failure)) => Err(Stop::Fault(Fault::clone(&failure.0))),
            Some(outcome) => Ok(outcome),
            None => Err(Stop::mistake("a variable without a value")),
        }
    }

    /// The value of a variable; a pool as it is lent.
    fn value(&self, slot: Slot) -> Result<Outcome, Stop> {
        let mut value = self.get(slot)?.clone();
        if let (Bound::Lent(_, lends), Outcome::Pool(pool)) = (self, &mut value) {
            lends.lend(slot, pool);
        }
        Ok(value)
    }

    fn set(&mut self, slot: Slot, outcome: Outcome) {
        if let Bound::All(slots) = self {
            slots[slot.index()] = Some(outcome);
        }
    }
}

impl Stack {
    fn pop(&mut self) -> Outcome {
        self.values.pop().map_or(Outcome::Unknown, |cell| self.outcome(cell))
    }

    /// The outcome of the cell that was on top.
    fn outcome(&mut self, cell: Cell) -> Outcome {
        match cell {
            Cell::Int(n) => Outcome::int(n),
            Cell::Truth(truth) => Outcome::Known(Value::bool(truth)),
            Cell::Ints(from, _) => {
                let value = Value::ints(&self.members[from..]);
                self.members.truncate(from);
                Outcome::Known(value)
            }
            Cell::Other(outcome) => outcome,
        }
    }

    fn push(&mut self, outcome: &Outcome) {
        let cell = match outcome {
            Outcome::Known(Value { data: Data::Int(n), .. }) => Cell::Int(*n),
            Outcome::Known(Value { data: Data::Bool(truth), .. }) => Cell::Truth(*truth),
            Outcome::Known(Value { data: Data::Pool(members), .. }) if members.len() <= MOST_MEMBERS => {
                let from = self.members.len();
                self.members.extend(members.iter().map_while(Value::as_int));
                if self.members.len() - from == members.len() {
                    let ascends = self.members[from..].is_sorted();
                    self.values.push(Cell::Ints(from, ascends));
                    return;
                }
                self.members.truncate(from);
                Cell::Other(outcome.clone())
            }
            other => Cell::Other(other.clone()),
        };
        self.values.push(cell);
    }

    /// The top values from a place on, in order.
    fn drain(&mut self, at: usize) -> Vec<Outcome> {
        let mut all: Vec<Outcome> = (at..self.values.len()).map(|_| self.pop()).collect();
        all.reverse();
        all
    }

    /// A row on the top values.
    fn row(&mut self, row: &Prim, count: usize, budget: &mut Budget) -> Result<(), Stop> {
        let at = self.values.len().saturating_sub(count);
        if let Some(cell) = row.flat.and_then(|flat| self.flat(row, flat, at, budget)) {
            self.values.truncate(at);
            self.values.push(cell);
            return Ok(());
        }
        let mut outcomes = std::mem::take(&mut self.outcomes);
        outcomes.extend((at..self.values.len()).map(|_| self.pop()));
        outcomes.reverse();
        let outcome = if outcomes.iter().any(|outcome| outcome.known().is_none()) {
            outcome::apply(row, &outcomes, budget)?
        } else {
            self.arguments.clear();
            self.arguments.extend(outcomes.iter().filter_map(|outcome| outcome.known().cloned()));
            Outcome::Known((row.apply)(&self.arguments, budget)?)
        };
        outcomes.clear();
        self.outcomes = outcomes;
        self.push(&outcome);
        Ok(())
    }

    /// A row by its meaning on plain numbers; none if it must be done by itself, with the values as they were.
    fn flat(&mut self, row: &Prim, flat: Flat, at: usize, budget: &mut Budget) -> Option<Cell> {
        let single = |n: i64| if row.gives == Sort::Bool { Cell::Truth(n != 0) } else { Cell::Int(n) };
        match (flat, &self.values[at..]) {
            (Flat::One(f), [Cell::Int(n)]) => f(*n).map(single),
            (Flat::Two(f), [Cell::Int(a), Cell::Int(b)]) => f(*a, *b).map(single),
            (Flat::List(f), [Cell::Int(a), Cell::Int(b)]) => {
                let from = self.members.len();
                f(*a, *b, &mut self.members, budget).ok()?;
                Some(Cell::Ints(from, true))
            }
            (Flat::Fold(fold), [Cell::Int(n)]) => (fold.passes && row.gives == Sort::Int).then_some(Cell::Int(*n)),
            (Flat::Fold(fold), [Cell::Truth(t)]) => (fold.passes && row.gives == Sort::Bool).then_some(Cell::Truth(*t)),
            (Flat::Fold(fold), [Cell::Ints(from, _)]) => {
                let folded = (fold.of)(&self.members[*from..])?;
                self.members.truncate(*from);
                Some(single(folded))
            }
            (Flat::Change(change), [Cell::Ints(from, ascends)]) => {
                let (from, ascends) = (*from, *ascends);
                self.changed(row, change, (0, from, ascends), budget)
            }
            (Flat::Change(change), [Cell::Int(n), Cell::Ints(from, ascends)]) => {
                let (n, from, ascends) = (*n, *from, *ascends);
                self.changed(row, change, (n, from, ascends), budget)
            }
            (Flat::Against(against), [Cell::Ints(from, ascends), Cell::Ints(second, _)]) => {
                let (members, others) = self.members[*from..].split_at_mut(*second - *from);
                let left = against(members, others, budget).ok()?;
                self.members.truncate(*from + left);
                Some(Cell::Ints(*from, *ascends))
            }
            (Flat::Join, _) => self.joined(at, budget),
            _ => None,
        }
    }

    /// A collection that a row changes in place.
    fn changed(
        &mut self,
        row: &Prim,
        change: Change,
        (number, from, ascends): (i64, usize, bool),
        budget: &mut Budget,
    ) -> Option<Cell> {
        let ordered = if ascends { Ordered::Ascending } else { Ordered::Seen };
        let left = change(number, &mut self.members[from..], ordered, budget).ok()?;
        self.members.truncate(from + left);
        let ascends = match row.shape {
            Shape::Forget => true,
            Shape::Filter | Shape::Scan(_) | Shape::Map { monotone: true } => ascends,
            _ => false,
        };
        Some(Cell::Ints(from, ascends || left < 2))
    }

    /// Numbers and collections of them as one collection.
    fn joined(&mut self, at: usize, budget: &mut Budget) -> Option<Cell> {
        let mut first = None;
        for cell in &self.values[at..] {
            match cell {
                Cell::Int(_) => {}
                Cell::Ints(from, _) => first = first.or(Some(*from)),
                Cell::Truth(_) | Cell::Other(_) => return None,
            }
        }
        let from = first.unwrap_or(self.members.len());
        let mut end = self.members.len();
        // From the last on, each is moved to the end, then all to the beginning.
        let all = end - from + self.values[at..].iter().filter(|cell| matches!(cell, Cell::Int(_))).count();
        budget.members(all as u64).ok()?;
        let top = self.members.len();
        for cell in self.values[at..].iter().rev() {
            match cell {
                Cell::Int(n) => self.members.push(*n),
                Cell::Ints(start, _) => {
                    for place in (*start..end).rev() {
                        self.members.push(self.members[place]);
                    }
                    end = *start;
                }
                Cell::Truth(_) | Cell::Other(_) => return None,
            }
        }
        self.members[top..].reverse();
        self.members.drain(from..top);
        Some(Cell::Ints(from, self.members[from..].is_sorted()))
    }

    /// One step; where to go on, if not with the next.
    fn step(&mut self, op: &Op, slots: &mut Bound<'_>, budget: &mut Budget) -> Result<Option<usize>, Stop> {
        match op {
            Op::Lit(outcome) => self.push(outcome),
            Op::Var(slot) => match slots.get(*slot)? {
                Outcome::Pool(_) => self.values.push(Cell::Other(slots.value(*slot)?)),
                outcome => self.push(outcome),
            },
            Op::Several(seen) => {
                // Here an error goes on waiting.
                let value = |slot: &Slot| match slots.get(*slot) {
                    Err(Stop::Fault(fault)) => Ok(Outcome::Failed(Failure(Rc::new(fault)))),
                    _ => slots.value(*slot),
                };
                match seen.as_slice() {
                    [one] => self.push(&value(one)?),
                    _ => {
                        let values = seen.iter().map(value).collect::<Result<Rc<[_]>, Stop>>()?;
                        self.values.push(Cell::Other(Outcome::Several(values)));
                    }
                }
            }
            Op::Row(row, count) => self.row(row, *count, budget)?,
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
                cell => match cell.map_or(Outcome::Unknown, |cell| self.outcome(cell)) {
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
            Op::Never => return Err(Stop::mistake("straight code for what is none")),
        }
        Ok(None)
    }
}
