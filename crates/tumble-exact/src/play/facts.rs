//! What is known of register code before it runs: which registers are needed later, and whose order anything sees.
//!
//! Both are dataflow analyses. A register is needed if an operation with an effect reads it, or one whose own result is
//! needed (so a variable that only feeds itself and output is not: *faint variables*); the least solution is found by
//! going back from every reader. A collection's order is seen unless every reader is blind to it; the greatest solution
//! is found by taking back what turns out wrong, over all functions at once.

use super::bounds::Bounds;
use super::code::{Dice, Free, Op, Reg, Routine};
use tumble_core::prim::{Fails, Order, Shape};
use tumble_core::{Fault, Throw, Value};

/// The largest table of registers by operations.
const MOST_BITS: usize = 1 << 30;
/// Up to this size it is remembered what each operation needs.
const MOST_REMEMBERED: usize = 1 << 20;

/// Cuts off branches that cannot be taken, and writes down what is always the same.
pub(super) fn prune(routine: &mut Routine, function: usize, bounds: &Bounds) {
    let steady = bounds.steady(function);
    for at in 0..routine.ops.len() {
        let op = &routine.ops[at];
        let safe = bounds.is_safe(function, op, &steady);
        routine.safe[at] = safe;
        let changed = match op {
            // Nobody comes here.
            _ if !bounds.is_reached(function, at) => Some(Op::Jump(at)),
            Op::Branch { test, then, other } => {
                let known = bounds.known(function, *test).and_then(Value::as_bool);
                known.map(|holds| Op::Jump(if holds { *then } else { *other }))
            }
            Op::Row { to, .. } if safe => {
                bounds.known(function, *to).map(|value| Op::Set { to: *to, value: value.clone() })
            }
            _ => None,
        };
        if let Some(changed) = changed {
            routine.ops[at] = changed;
        }
        // What is always the same is not kept in a register.
        if let Op::Members { made: Some(made), .. } = &mut routine.ops[at] {
            for (_, free) in &mut made.free {
                if let Free::Reg(reg) = free
                    && let Some(value) = bounds.known(function, *reg)
                {
                    *free = Free::Always(value.clone());
                }
            }
        }
    }
}

/// Finds what is needed after each operation, and drops operations that nobody needs, unless all are wanted.
pub(super) fn slice(routine: &mut Routine, all: bool) -> Result<(), Fault> {
    let (ops, regs) = (routine.ops.len(), routine.regs);
    if ops.saturating_mul(regs) > MOST_BITS {
        return Err(Fault::limit(format!("a function with {ops} operations on {regs} values is too long for odds")));
    }
    let mut needs = Needs {
        before: predecessors(routine),
        live: vec![0u64; (ops * regs).div_ceil(64)],
        active: vec![false; ops],
        open: vec![],
        routine,
    };
    for at in 0..ops {
        if all || has_effect(&needs.routine.ops[at], needs.routine.safe[at]) {
            needs.activate(at);
        }
    }
    needs.settle();
    let (live, active) = (needs.live, needs.active);
    let is_live = |at: usize, reg: Reg| live[(at * regs + reg) / 64] >> ((at * regs + reg) % 64) & 1 == 1;
    routine.live = vec![vec![]; ops];
    for (at, active) in active.into_iter().enumerate() {
        if !active {
            routine.ops[at] = Op::Jump(at + 1);
            routine.sliced += 1;
        }
        if let Some(to) = routine.ops[at].chooses() {
            routine.live[at] = (0..regs).filter(|reg| is_live(at + 1, *reg)).collect();
            // Whether the choice itself is needed is told by whether it is in the list.
            debug_assert!(to < regs);
        } else if matches!(routine.ops[at], Op::Branch { .. }) {
            routine.live[at] = (0..regs).filter(|reg| is_live(at, *reg)).collect();
        }
    }
    if ops * regs <= MOST_REMEMBERED {
        for at in 0..ops {
            let (targets, on) = routine.ops[at].next();
            let next: Vec<usize> = targets.into_iter().chain(on.then_some(at + 1)).collect();
            let mut dies = vec![];
            routine.ops[at].reads(|reg| dies.push(reg));
            dies.retain(|reg| !next.iter().any(|to| is_live(*to, *reg)));
            routine.dies.push(dies);
            routine.before.push((0..regs).filter(|reg| is_live(at, *reg)).collect());
        }
    }
    routine.shared = shared(routine);
    Ok(())
}

struct Needs<'r> {
    routine: &'r mut Routine,
    before: Vec<Vec<usize>>,
    /// Whether a register is needed before an operation.
    live: Vec<u64>,
    active: Vec<bool>,
    open: Vec<(usize, Reg)>,
}

impl Needs<'_> {
    fn activate(&mut self, at: usize) {
        if std::mem::replace(&mut self.active[at], true) {
            return;
        }
        let mut reads = vec![];
        self.routine.ops[at].reads(|reg| reads.push(reg));
        reads.into_iter().for_each(|reg| self.need(at, reg));
    }

    fn need(&mut self, at: usize, reg: Reg) {
        let bit = at * self.routine.regs + reg;
        let word = &mut self.live[bit / 64];
        if *word >> (bit % 64) & 1 == 0 {
            *word |= 1 << (bit % 64);
            self.open.push((at, reg));
        }
    }

    fn settle(&mut self) {
        while let Some((at, reg)) = self.open.pop() {
            for place in 0..self.before[at].len() {
                let earlier = self.before[at][place];
                let mut written = false;
                self.routine.ops[earlier].writes(|to| written |= to == reg);
                if written { self.activate(earlier) } else { self.need(earlier, reg) }
            }
        }
    }
}

fn predecessors(routine: &Routine) -> Vec<Vec<usize>> {
    let mut before = vec![vec![]; routine.ops.len()];
    for (at, op) in routine.ops.iter().enumerate() {
        let (targets, on) = op.next();
        for to in targets.into_iter().chain(on.then_some(at + 1)) {
            before[to].push(at);
        }
    }
    before
}

/// Whether an operation does more than to write registers: it chooses, decides where to go on, or may fail.
fn has_effect(op: &Op, safe: bool) -> bool {
    match op {
        Op::Set { .. } | Op::Copy { .. } | Op::Tuple { .. } | Op::Push { .. } | Op::Letter { .. } => false,
        Op::Row { row, .. } => row.fails != Fails::Never && !safe,
        Op::Fields { .. } | Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } => true,
        Op::Members { .. } | Op::Next { .. } | Op::Count { .. } | Op::Down { .. } | Op::Emit { .. } => true,
        Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } | Op::Ask { .. } | Op::Call { .. } => true,
    }
}

/// Registers that may be read more than once after they are written: in a loop nobody counts.
fn shared(routine: &Routine) -> Vec<bool> {
    let jumps_back = |(at, op): (usize, &Op)| op.next().0.iter().any(|to| *to <= at);
    if routine.ops.iter().enumerate().any(jumps_back) {
        return vec![true; routine.regs];
    }
    let mut reads = vec![0u32; routine.regs];
    routine.ops.iter().for_each(|op| op.reads(|reg| reads[reg] += 1));
    reads.into_iter().map(|count| count > 1).collect()
}

/// Finds the registers whose members nothing sees in order, in all functions together. The result of `main` is seen.
pub(super) fn find_order(routines: &mut [Routine], main: usize) {
    let mut blind = Blindness {
        regs: routines.iter().map(|routine| vec![true; routine.regs]).collect(),
        results: (0..routines.len()).map(|at| at != main).collect(),
        changed: true,
    };
    while std::mem::replace(&mut blind.changed, false) {
        for (at, routine) in routines.iter().enumerate() {
            routine.ops.iter().for_each(|op| blind.read(at, op, routines));
        }
    }
    for (routine, unordered) in routines.iter_mut().zip(blind.regs) {
        routine.unordered = unordered;
    }
}

struct Blindness {
    regs: Vec<Vec<bool>>,
    /// Whether no caller sees the order of a function's result.
    results: Vec<bool>,
    changed: bool,
}

impl Blindness {
    /// The order of a register is seen, unless its reader is blind.
    fn seen(&mut self, function: usize, reg: Reg, blind: bool) {
        if !blind && self.regs[function][reg] {
            self.regs[function][reg] = false;
            self.changed = true;
        }
    }

    fn read(&mut self, at: usize, op: &Op, routines: &[Routine]) {
        match op {
            Op::Copy { to, from } => self.seen(at, *from, self.regs[at][*to]),
            Op::Row { to, row, args } => {
                let own = self.regs[at][*to];
                for (place, arg) in args.iter().enumerate() {
                    let blind = match (row.shape, row.order) {
                        (Shape::Union, _) => own,
                        (_, Order::Blind) => place == row.over,
                        (_, Order::Carries) => own && place == row.over,
                        (_, Order::Sees) => false,
                    };
                    self.seen(at, *arg, blind);
                }
            }
            Op::Members { to, from, into, .. } => {
                let blind = into.is_some_and(|list| self.regs[at][list]) && self.regs[at][*to];
                self.seen(at, *from, blind);
            }
            Op::Next { rest, .. } => self.seen(at, *rest, true),
            Op::Push { list, from } => self.seen(at, *from, self.regs[at][*list]),
            Op::Return { from } => self.seen(at, *from, self.results[at]),
            Op::Draw { faces: Dice::Member { pool }, path: None, .. } => self.seen(at, *pool, true),
            Op::Call { to, function, args, .. } => {
                let callee = function.index();
                if self.results[callee] && !self.regs[at][*to] {
                    self.results[callee] = false;
                    self.changed = true;
                }
                for (arg, param) in args.iter().zip(&routines[callee].params) {
                    let blind = self.regs[callee][*param];
                    self.seen(at, *arg, blind);
                }
            }
            // New dice take the places of others: where they stand is seen through positions only.
            Op::Throw { throw: Throw::Total | Throw::Dice | Throw::Plain | Throw::Again, args, .. } => {
                args.iter().for_each(|arg| self.seen(at, *arg, false));
            }
            Op::Set { .. } | Op::Jump(_) => {}
            Op::Fields { .. } | Op::Tuple { .. } | Op::Branch { .. } | Op::Count { .. } | Op::Down { .. } => {
                op.reads(|reg| self.seen(at, reg, false));
            }
            Op::Letter { .. } | Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Ask { .. } => {
                op.reads(|reg| self.seen(at, reg, false));
            }
        }
    }
}
