//! What registers can hold, found without rolling: abstract interpretation with the interval semantics of the rows.
//!
//! Every register has one [`Extent`], the set of all values it may ever hold, and every operation may be reached or not.
//! Both only grow, a register that keeps growing is widened, so it ends. It serves three masters: branches that cannot be
//! taken are cut off, operations that cannot fail may be sliced away, and of a state that was not followed any further
//! it is known which results it can have.

use super::code::{About, Dice, Op, Reg, Routine};
use super::machine::Machine;
use super::request::{Request, Ways};
use crate::algo::walk::graph::components;
use crate::map::HashMap;
use crate::outcome;
use std::rc::Rc;
use tumble_core::prim::{Extent, Fails, Interval, Told};
use tumble_core::{Data, Question, Throw, Value};

/// After so many changes a bound that still moves is given up, and then everything is.
const WIDEN: u8 = 4;
const GIVE_UP: u8 = 12;

/// What is known of all registers.
pub(super) struct Bounds {
    routines: Vec<Rc<Routine>>,
    extents: Vec<Vec<Option<Extent>>>,
    changes: Vec<Vec<u8>>,
    /// The operations that read each register.
    readers: Vec<Vec<Vec<usize>>>,
    reached: Vec<Vec<bool>>,
    results: Vec<Option<Extent>>,
    todo: Vec<(usize, usize)>,
}

impl Bounds {
    fn new(routines: &[Rc<Routine>]) -> Bounds {
        let readers = |routine: &Rc<Routine>| {
            let mut readers = vec![vec![]; routine.regs];
            routine.ops.iter().enumerate().for_each(|(at, op)| op.reads(|reg| readers[reg].push(at)));
            readers
        };
        Bounds {
            routines: routines.to_vec(),
            extents: routines.iter().map(|routine| vec![None; routine.regs]).collect(),
            changes: routines.iter().map(|routine| vec![0; routine.regs]).collect(),
            readers: routines.iter().map(readers).collect(),
            reached: routines.iter().map(|routine| vec![false; routine.ops.len()]).collect(),
            results: vec![None; routines.len()],
            todo: vec![],
        }
    }

    /// Of a whole program.
    pub(super) fn of_program(machine: &mut Machine<'_>, main: usize) -> Bounds {
        let mut bounds = Bounds::new(&machine.routines);
        bounds.reach(main, 0);
        bounds.settle(machine);
        bounds
    }

    /// The results of a function that are possible from here on.
    pub(super) fn from_here(
        machine: &mut Machine<'_>,
        (function, at): (usize, usize),
        here: &[(Reg, Extent)],
    ) -> Extent {
        let mut bounds = Bounds::new(&machine.routines);
        here.iter().for_each(|(reg, value)| bounds.write(function, *reg, value.clone()));
        bounds.reach(function, at);
        bounds.settle(machine);
        bounds.results[function].take().unwrap_or(Extent::Any)
    }

    pub(super) fn is_reached(&self, function: usize, at: usize) -> bool {
        self.reached[function][at]
    }

    pub(super) fn known(&self, function: usize, reg: Reg) -> Option<&Value> {
        match &self.extents[function][reg] {
            Some(Extent::Known(value)) => Some(value),
            _ => None,
        }
    }

    fn settle(&mut self, machine: &mut Machine<'_>) {
        while let Some((function, at)) = self.todo.pop() {
            let routine = Rc::clone(&self.routines[function]);
            self.visit(machine, function, at, &routine.ops[at]);
        }
    }

    fn reach(&mut self, function: usize, at: usize) {
        if !std::mem::replace(&mut self.reached[function][at], true) {
            self.todo.push((function, at));
        }
    }

    fn get(&self, function: usize, reg: Reg) -> Extent {
        self.extents[function][reg].clone().unwrap_or(Extent::Any)
    }

    fn write(&mut self, function: usize, reg: Reg, value: Extent) {
        let old = self.extents[function][reg].clone();
        let changes = &mut self.changes[function][reg];
        let new = match &old {
            None => value,
            Some(old) => match joined(old, &value) {
                same if same == *old => return,
                _ if *changes >= GIVE_UP => Extent::Any,
                more if *changes >= WIDEN => widened(old, more),
                more => more,
            },
        };
        *changes = changes.saturating_add(1);
        self.extents[function][reg] = Some(new);
        for at in &self.readers[function][reg] {
            if self.reached[function][*at] {
                self.todo.push((function, *at));
            }
        }
    }

    fn visit(&mut self, machine: &mut Machine<'_>, function: usize, at: usize, op: &Op) {
        let get = |reg: &Reg| self.get(function, *reg);
        match op {
            Op::Set { to, value } => self.write(function, *to, Extent::Known(value.clone())),
            Op::Copy { to, from } => self.write(function, *to, get(from)),
            Op::Members { to, from, made, .. } => {
                let members = get(from);
                // Where the list is made at once, nothing is known of it.
                made.iter().for_each(|made| self.write(function, made.list, Extent::Any));
                self.write(function, *to, members);
            }
            Op::Row { to, row, args } => {
                let args: Vec<Extent> = args.iter().map(get).collect();
                let value = applied(row, &args, machine);
                self.write(function, *to, value);
            }
            Op::Fields { to, from } => {
                let fields = known_fields(&get(from), to.len());
                to.iter().enumerate().for_each(|(place, to)| self.write(function, *to, fields[place].clone()));
            }
            Op::Tuple { to, .. } | Op::Push { list: to, .. } | Op::Letter { to, .. } => {
                self.write(function, *to, Extent::Any);
            }
            Op::Branch { test, then, other } => {
                let test = match get(test) {
                    Extent::Known(value) => value.as_bool(),
                    _ => None,
                };
                if test != Some(false) {
                    self.reach(function, *then);
                }
                if test != Some(true) {
                    self.reach(function, *other);
                }
                return;
            }
            Op::Return { from } => return self.give(function, get(from)),
            Op::Next { to, rest, done } => {
                let (member, fewer) = (member_of(&get(rest)), some_of(&get(rest)));
                self.write(function, *to, member);
                self.write(function, *rest, fewer);
                self.reach(function, *done);
            }
            Op::Count { to, .. } => self.write(function, *to, Extent::Number(Interval { lo: Some(0), hi: None })),
            Op::Down { left, done } => {
                self.write(function, *left, Extent::Number(Interval { lo: Some(-1), hi: None }));
                self.reach(function, *done);
            }
            Op::Emit { groups, .. } => groups.iter().for_each(|reg| self.write(function, *reg, Extent::Any)),
            Op::Draw { to, faces, .. } => {
                let value = self.faces(function, faces);
                self.write(function, *to, value);
            }
            Op::Dice { to, .. } => self.write(function, *to, Extent::Any),
            Op::Throw { to, throw, args, .. } => {
                let args: Vec<Extent> = args.iter().map(get).collect();
                self.write(function, *to, thrown(machine, *throw, &args));
            }
            Op::Ask { to, question, about, args, .. } => {
                let value = self.asked(machine, function, *question, about, args);
                self.write(function, *to, value);
            }
            Op::Call { to, function: callee, args, .. } => {
                let callee = callee.index();
                let params = self.routines[callee].params.clone();
                for (param, arg) in params.iter().zip(args) {
                    let value = self.get(function, *arg);
                    self.write(callee, *param, value);
                }
                self.reach(callee, 0);
                // It goes on when the function returns.
                let Some(result) = self.results[callee].clone() else { return };
                self.write(function, *to, result);
            }
            Op::Jump(_) => {}
        }
        let (targets, on) = op.next();
        targets.into_iter().chain(on.then_some(at + 1)).for_each(|to| self.reach(function, to));
    }

    /// A function can have this result: all its calls go on with it.
    fn give(&mut self, function: usize, value: Extent) {
        let new = match &self.results[function] {
            None => value,
            Some(old) => match joined(old, &value) {
                same if same == *old => return,
                // A result that keeps growing grows through a register, which is widened.
                more => more,
            },
        };
        self.results[function] = Some(new);
        for (caller, at) in self.calls(function) {
            self.todo.push((caller, at));
        }
    }

    fn calls(&self, callee: usize) -> Vec<(usize, usize)> {
        let mut calls = vec![];
        for (function, routine) in self.routines.iter().enumerate() {
            for (at, op) in routine.ops.iter().enumerate() {
                let here = matches!(op, Op::Call { function, .. } if function.index() == callee);
                if here && self.reached[function][at] {
                    calls.push((function, at));
                }
            }
        }
        calls
    }

    fn faces(&self, function: usize, faces: &Dice) -> Extent {
        match faces {
            Dice::Range { lo, hi } => {
                let (lo, hi) = (self.get(function, *lo).number(), self.get(function, *hi).number());
                let end =
                    |interval: Option<Interval>, low: bool| interval.and_then(|all| if low { all.lo } else { all.hi });
                Extent::Number(Interval { lo: end(lo, true), hi: end(hi, false) })
            }
            Dice::Weighted(faces) => {
                let numbers: Option<Vec<i64>> = faces.iter().map(|(value, _)| value.as_int()).collect();
                numbers.map_or(Extent::Any, |numbers| Extent::Number(Interval::of(numbers)))
            }
            Dice::Member { pool } => member_of(&self.get(function, *pool)),
            Dice::Members { .. } => Extent::Any,
        }
    }

    /// The answer to a question, where it is the same each time.
    fn asked(&self, machine: &Machine<'_>, function: usize, question: Question, about: &About, args: &[Reg]) -> Extent {
        let any = match question {
            Question::Choice => Extent::Number(Interval { lo: Some(0), hi: None }),
            Question::Option | Question::Number | Question::Select => Extent::Any,
        };
        let given: Option<Vec<Value>> = args.iter().map(|reg| self.known(function, *reg).cloned()).collect();
        let words = |reg: Reg| self.known(function, reg).map(|value| value.as_text().map(ToString::to_string));
        let (Some(given), Some(owner)) = (given, words(about.owner)) else { return any };
        let Some(prompt) = about.prompt.map_or(Some(None), words) else { return any };
        let all: Vec<Value> = std::iter::repeat_n(Value::NOTHING, 3).chain(given).collect();
        let Ok(answers) = question.answers(&all) else { return any };
        match machine.answering.always(owner, about.form.as_deref(), prompt.as_deref(), &answers) {
            Some(value) if !machine.paths.hold_answers() => Extent::Known(value),
            _ => any,
        }
    }

    /// The rows that cannot fail: what they give has two ends, or moves away from where it begins by a bounded amount
    /// each time, so that no program is long enough for it to become too large.
    pub(super) fn is_safe(&self, function: usize, op: &Op, steady: &[bool]) -> bool {
        let Op::Row { to, row, .. } = op else { return false };
        let bounded = |interval: Interval| interval.lo.is_some() && interval.hi.is_some();
        let small = self.extents[function][*to].as_ref().and_then(Extent::number).is_some_and(bounded);
        match row.fails {
            Fails::Never => true,
            Fails::Overflow => small || steady[*to],
            Fails::Maybe => false,
        }
    }

    /// The registers of a function that only move by steps of a bounded size: counters and running totals. They are the
    /// strongly connected components of the register graph in which every row is linear with factor 1 or −1 in the one
    /// argument that belongs to it.
    pub(super) fn steady(&self, function: usize) -> Vec<bool> {
        let routine = &self.routines[function];
        let mut feeds: Vec<Vec<Reg>> = vec![vec![]; routine.regs];
        let mut writers: Vec<Vec<usize>> = vec![vec![]; routine.regs];
        for (at, op) in routine.ops.iter().enumerate().filter(|(at, _)| self.reached[function][*at]) {
            op.writes(|to| {
                writers[to].push(at);
                op.reads(|from| feeds[from].push(to));
            });
        }
        let mut steady = vec![false; routine.regs];
        for component in components(routine.regs, |reg| feeds[reg].iter().copied()) {
            let inside: HashMap<Reg, ()> = component.iter().map(|reg| (*reg, ())).collect();
            let calm = |reg: &Reg| {
                writers[*reg]
                    .iter()
                    .all(|at| self.moves_little(function, &routine.ops[*at], &|reg| inside.contains_key(&reg)))
            };
            if component.iter().all(calm) {
                component.iter().for_each(|reg| steady[*reg] = true);
            }
        }
        steady
    }

    /// Whether an operation only hands on a number of a circle, or moves it by something small.
    fn moves_little(&self, function: usize, op: &Op, inside: &dyn Fn(Reg) -> bool) -> bool {
        const SMALL: i64 = 1 << 32;
        let small = |extent: &Extent| {
            let ends = extent.number().and_then(|number| number.lo.zip(number.hi));
            ends.is_some_and(|(lo, hi)| -SMALL < lo && hi < SMALL)
        };
        match op {
            Op::Copy { .. } => true,
            Op::Set { value, .. } => small(&Extent::Known(value.clone())),
            Op::Row { row, args, .. } => {
                let mut own = args.iter().enumerate().filter(|(_, arg)| inside(**arg));
                let (Some((place, _)), None) = (own.next(), own.next()) else { return false };
                let open = |(at, arg): (usize, &Reg)| {
                    if at == place { Extent::Number(Interval::ALL) } else { self.get(function, *arg) }
                };
                let extents: Vec<Extent> = args.iter().enumerate().map(open).collect();
                let Told::Linear { parts, constant, pooled: false } = (row.tell)(&extents) else { return false };
                let fits = |(at, by): &(usize, i64)| {
                    if *at == place { by.abs() == 1 } else { by.abs() < 1000 && small(&extents[*at]) }
                };
                parts.iter().any(|(at, _)| *at == place) && parts.iter().all(fits) && constant.abs() < SMALL
            }
            Op::Fields { .. } | Op::Tuple { .. } | Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } => false,
            Op::Members { .. } | Op::Next { .. } | Op::Push { .. } | Op::Count { .. } | Op::Down { .. } => false,
            Op::Letter { .. } | Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } => false,
            Op::Throw { .. } | Op::Ask { .. } | Op::Call { .. } => false,
        }
    }
}

/// What a row makes of sets of values.
fn applied(row: &'static tumble_core::Prim, args: &[Extent], machine: &mut Machine<'_>) -> Extent {
    let known = |extent: &Extent| if let Extent::Known(value) = extent { Some(value.clone()) } else { None };
    match args.iter().map(known).collect::<Option<Vec<Value>>>() {
        // What fails is found when it is run.
        Some(values) => (row.apply)(&values, &mut machine.budget).map_or(Extent::Any, Extent::Known),
        None => match (row.tell)(args).extent(args) {
            Extent::Number(interval) => {
                interval.single().map_or(Extent::Number(interval), |n| Extent::Known(Value::int(n)))
            }
            other => other,
        },
    }
}

/// What dice can come to.
fn thrown(machine: &mut Machine<'_>, throw: Throw, args: &[Extent]) -> Extent {
    match (throw, args) {
        (Throw::Total, [Extent::Known(text)]) => {
            let text = text.as_text().map_or_else(String::new, ToString::to_string);
            let request = Request::Text { text, dice: false, sorted: false };
            // A text that is thrown has to be known anyway; one that is wrong is found when it is run.
            let Ok(ways) = machine.ways(&request) else { return Extent::Any };
            extent_of(&ways)
        }
        (Throw::Plain, [count, sides]) => {
            let (count, sides) = (count.number().and_then(|n| n.hi), sides.number().and_then(|n| n.hi));
            let hi = count.zip(sides).and_then(|(count, sides)| count.checked_mul(sides));
            Extent::Number(Interval { lo: Some(0), hi })
        }
        _ => Extent::Any,
    }
}

/// All that can be chosen.
pub(super) fn extent_of(ways: &Ways) -> Extent {
    let parts = ways.items.iter().map(|(outcome, _)| outcome::extent(outcome));
    parts.reduce(|a, b| joined(&a, &b)).unwrap_or(Extent::Any)
}

fn known_fields(of: &Extent, width: usize) -> Vec<Extent> {
    match of {
        Extent::Known(value) => match &value.data {
            Data::Tuple(items) if items.len() == width => items.iter().cloned().map(Extent::Known).collect(),
            _ => vec![Extent::Any; width],
        },
        _ => vec![Extent::Any; width],
    }
}

/// A member of a collection.
fn member_of(pool: &Extent) -> Extent {
    match pool.members() {
        Some((Some(members), ..)) => Extent::Number(members),
        _ => Extent::Any,
    }
}

/// Some of the members of a collection.
fn some_of(pool: &Extent) -> Extent {
    match pool.members() {
        Some((members, _, most)) => Extent::Pool { members, least: 0, most },
        None => Extent::Any,
    }
}

/// The values of both.
fn joined(a: &Extent, b: &Extent) -> Extent {
    if a == b {
        return a.clone();
    }
    if let (Some(x), Some(y)) = (plain_number(a), plain_number(b)) {
        return Extent::Number(x.hull(y));
    }
    match (plain_pool(a), plain_pool(b)) {
        (Some((x, few, many)), Some((y, least, most))) => Extent::Pool {
            members: x.zip(y).map(|(x, y)| x.hull(y)),
            least: few.min(least),
            most: many.zip(most).map(|(a, b)| a.max(b)),
        },
        _ => Extent::Any,
    }
}

fn plain_number(of: &Extent) -> Option<Interval> {
    match of {
        Extent::Known(value) => value.as_int().map(Interval::one),
        Extent::Number(interval) => Some(*interval),
        Extent::Pool { .. } | Extent::Any => None,
    }
}

fn plain_pool(of: &Extent) -> Option<(Option<Interval>, u64, Option<u64>)> {
    match of {
        Extent::Known(value) if value.as_pool().is_some() => of.members(),
        Extent::Pool { members, least, most } => Some((*members, *least, *most)),
        Extent::Known(_) | Extent::Number(_) | Extent::Any => None,
    }
}

/// What grows is taken to grow without end.
fn widened(old: &Extent, new: Extent) -> Extent {
    match (plain_number(old), plain_number(&new)) {
        (Some(was), Some(is)) => {
            Extent::Number(Interval { lo: is.lo.filter(|_| is.lo == was.lo), hi: is.hi.filter(|_| is.hi == was.hi) })
        }
        _ => Extent::Any,
    }
}
