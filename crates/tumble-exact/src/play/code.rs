//! Register code: what a program does, one step after the other, so that a state of the walk is a place in it and the
//! registers that are still needed.
//!
//! ```text
//! Set, Copy, Row, Fields       values
//! Jump, Branch, Return         control
//! Members, Next, Push          collections that grow and shrink member by member
//! Count, Down                  how often something is still repeated
//! Letter                       the path of the next die, where somebody asks about paths
//! Emit                         what output can fail of
//! Draw, Dice, Throw, Ask, Call choices: here a state of the walk ends
//! ```
//!
//! Variables of a function are its first registers. A path is a register too (see [`paths`](super::paths)).

use std::sync::Arc;
use tumble_core::{Event, FnId, Prim, Question, Slot, Span, TermId, Throw, Value};

/// A register of a function.
pub(super) type Reg = usize;

/// A place among the operations of a function; while it is being made, the number of a label.
pub(super) type At = usize;

/// One operation.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// A register takes a known value.
    Set { to: Reg, value: Value },
    /// A register takes the value of another.
    Copy { to: Reg, from: Reg },
    /// A register takes what a row makes of others.
    Row { to: Reg, row: &'static Prim, args: Vec<Reg> },
    /// Registers take the fields of a tuple.
    Fields { to: Vec<Reg>, from: Reg },
    /// A register takes a tuple.
    Tuple { to: Reg, from: Vec<Reg> },
    /// Go on elsewhere.
    Jump(At),
    /// Go on in one of two places, as a truth says.
    Branch { test: Reg, then: At, other: At },
    /// The function has this value.
    Return { from: Reg },
    /// A register takes the members of a collection, which are then gone over. If what is done with each does not depend
    /// on the others, all that can be seen of their order is the order of the results in this list.
    Members { to: Reg, from: Reg, into: Option<Reg>, made: Option<Made> },
    /// The next member, or go on elsewhere if there is none.
    Next { to: Reg, rest: Reg, done: At },
    /// A list with one more member.
    Push { list: Reg, from: Reg },
    /// A register takes a number of repetitions.
    Count { to: Reg, from: Reg },
    /// One repetition less, or go on elsewhere if none is left.
    Down { left: Reg, done: At },
    /// A path with one more letter.
    Letter { to: Reg, from: Reg, letter: Letter },
    /// What output needs to be right: the style of a line, an open group to close.
    Emit { event: Event, args: Vec<Reg>, groups: Option<Reg> },
    /// One draw.
    Draw { to: Reg, faces: Dice, path: Option<Reg> },
    /// So many dice at once, as a list.
    Dice { to: Reg, count: Reg, faces: Dice, path: Option<Reg> },
    /// Dice thrown by their text, or plain.
    Throw { to: Reg, throw: Throw, args: Vec<Reg>, path: Option<Reg> },
    /// A player's decision. What it is about is read only where it has no form, or where somebody asks for it.
    Ask { to: Reg, question: Question, about: About, args: Vec<Reg>, path: Option<Reg> },
    /// A function of the program.
    Call { to: Reg, function: FnId, args: Vec<Reg>, path: Option<Reg> },
}

/// A list that is made member by member without chance: its term, the variables that it looks at, where the list goes, and
/// where the program goes on when it is made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) term: TermId,
    pub(super) free: Vec<(Slot, Free)>,
    pub(super) list: Reg,
    pub(super) done: At,
}

/// What a variable holds: a register, or what is always the same.
#[derive(Clone, Debug)]
pub(super) enum Free {
    Reg(Reg),
    Always(Value),
}

/// Whose decision it is, and about what.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) owner: Reg,
    pub(super) prompt: Option<Reg>,
    /// The fixed parts of the prompt; if there are none, its form is the prompt itself.
    pub(super) form: Option<Arc<str>>,
}

/// What follows in a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Letter {
    /// One letter.
    Plain(char),
    /// `w` and the number of the pass, which this register counts.
    Pass(Reg),
}

/// What dice are drawn from.
#[derive(Clone, Debug)]
pub(super) enum Dice {
    Range { lo: Reg, hi: Reg },
    Weighted(Arc<Vec<(Value, u64)>>),
    Member { pool: Reg },
    Members { pool: Reg, count: Reg },
}

/// A function as code.
#[derive(Clone, Debug, Default)]
pub(super) struct Routine {
    pub(super) ops: Vec<Op>,
    pub(super) spans: Vec<Span>,
    pub(super) params: Vec<Reg>,
    /// The register of the path it is called at, if paths are followed.
    pub(super) path: Option<Reg>,
    pub(super) regs: usize,
    /// The names of the variables, by register.
    pub(super) names: Vec<String>,
    /// Which operations are known not to fail.
    pub(super) safe: Vec<bool>,
    /// What is needed after each choice, and before each branch, in ascending order.
    pub(super) live: Vec<Vec<Reg>>,
    /// The registers that each operation reads and nothing reads afterwards, and those that are needed before it; nothing
    /// if the function is too long to remember that.
    pub(super) dies: Vec<Vec<Reg>>,
    pub(super) before: Vec<Vec<Reg>>,
    /// Registers whose members nothing sees in order.
    pub(super) unordered: Vec<bool>,
    /// Registers that are read more than once.
    pub(super) shared: Vec<bool>,
    /// How many operations only feed output.
    pub(super) sliced: usize,
}

impl Routine {
    /// The registers that a point keeps: those needed after a choice, but for the one it is for; or those needed before an
    /// operation that has to see one of them.
    pub(super) fn kept(&self, at: At, seen: Option<Reg>) -> impl Iterator<Item = Reg> + '_ {
        let (regs, but) = match seen {
            Some(reg) => (&self.before[at], Some(reg)),
            None => (&self.live[at], self.ops[at].chooses()),
        };
        regs.iter().copied().filter(move |reg| Some(*reg) != but)
    }

    /// The functions it calls have numbers from here on.
    pub(super) fn call_from(&mut self, first: usize) {
        for op in &mut self.ops {
            if let Op::Call { function, .. } = op {
                function.0 += first as u32;
            }
        }
    }
}

impl Op {
    /// The registers it reads.
    pub(super) fn reads(&self, mut visit: impl FnMut(Reg)) {
        match self {
            Op::Set { .. } | Op::Jump(_) => {}
            Op::Copy { from, .. } | Op::Fields { from, .. } | Op::Return { from } => visit(*from),
            Op::Count { from, .. } => visit(*from),
            Op::Members { from, made, .. } => {
                visit(*from);
                for (_, free) in made.iter().flat_map(|made| &made.free) {
                    if let Free::Reg(reg) = free {
                        visit(*reg);
                    }
                }
            }
            Op::Row { args, .. } => args.iter().for_each(|arg| visit(*arg)),
            Op::Tuple { from, .. } => from.iter().for_each(|from| visit(*from)),
            Op::Branch { test, .. } => visit(*test),
            Op::Next { rest, .. } => visit(*rest),
            Op::Push { list, from } => [list, from].into_iter().for_each(|reg| visit(*reg)),
            Op::Down { left, .. } => visit(*left),
            Op::Letter { from, letter, .. } => {
                visit(*from);
                if let Letter::Pass(number) = letter {
                    visit(*number);
                }
            }
            Op::Emit { args, groups, .. } => args.iter().chain(groups).for_each(|reg| visit(*reg)),
            Op::Draw { faces, path, .. } => {
                faces.reads(&mut visit);
                path.iter().for_each(|path| visit(*path));
            }
            Op::Dice { count, faces, path, .. } => {
                faces.reads(&mut visit);
                path.iter().chain([count]).for_each(|reg| visit(*reg));
            }
            Op::Throw { args, path, .. } | Op::Call { args, path, .. } => {
                args.iter().chain(path).for_each(|reg| visit(*reg));
            }
            Op::Ask { about, args, path, .. } => {
                [about.owner].iter().chain(&about.prompt).chain(args).chain(path).for_each(|reg| visit(*reg));
            }
        }
    }

    /// The registers it writes.
    pub(super) fn writes(&self, mut visit: impl FnMut(Reg)) {
        match self {
            Op::Set { to, .. } | Op::Copy { to, .. } | Op::Row { to, .. } | Op::Tuple { to, .. } => visit(*to),
            Op::Members { to, .. } | Op::Count { to, .. } => visit(*to),
            Op::Letter { to, letter, .. } => {
                visit(*to);
                if let Letter::Pass(number) = letter {
                    visit(*number);
                }
            }
            Op::Draw { to, .. } | Op::Dice { to, .. } | Op::Throw { to, .. } => visit(*to),
            Op::Ask { to, .. } | Op::Call { to, .. } => visit(*to),
            Op::Fields { to, .. } => to.iter().for_each(|to| visit(*to)),
            Op::Next { to, rest, .. } => [to, rest].into_iter().for_each(|reg| visit(*reg)),
            Op::Push { list, .. } => visit(*list),
            Op::Down { left, .. } => visit(*left),
            Op::Emit { groups, .. } => groups.iter().for_each(|reg| visit(*reg)),
            Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } => {}
        }
    }

    /// Where it may go on, besides the next operation; and whether that is one of them.
    pub(super) fn next(&self) -> (Vec<At>, bool) {
        match self {
            Op::Jump(to) => (vec![*to], false),
            Op::Branch { then, other, .. } => (vec![*then, *other], false),
            Op::Return { .. } => (vec![], false),
            Op::Next { done, .. } | Op::Down { done, .. } => (vec![*done], true),
            Op::Members { made, .. } => (made.iter().map(|made| made.done).collect(), true),
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => (vec![], true),
            Op::Push { .. } | Op::Count { .. } | Op::Letter { .. } => (vec![], true),
            Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } => (vec![], true),
            Op::Ask { .. } | Op::Call { .. } => (vec![], true),
        }
    }

    /// The places it may go to, to be changed.
    pub(super) fn targets(&mut self, mut visit: impl FnMut(&mut At)) {
        match self {
            Op::Jump(to) => visit(to),
            Op::Branch { then, other, .. } => [then, other].into_iter().for_each(visit),
            Op::Next { done, .. } | Op::Down { done, .. } => visit(done),
            Op::Members { made, .. } => made.iter_mut().for_each(|made| visit(&mut made.done)),
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => {}
            Op::Push { .. } | Op::Count { .. } | Op::Letter { .. } | Op::Return { .. } => {}
            Op::Emit { .. } | Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } => {}
            Op::Ask { .. } | Op::Call { .. } => {}
        }
    }

    /// The register that takes what is chosen, if a state of the walk ends here.
    pub(super) fn chooses(&self) -> Option<Reg> {
        match self {
            Op::Draw { to, .. } | Op::Dice { to, .. } | Op::Throw { to, .. } => Some(*to),
            Op::Ask { to, .. } | Op::Call { to, .. } => Some(*to),
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => None,
            Op::Members { .. } | Op::Push { .. } | Op::Count { .. } | Op::Letter { .. } | Op::Return { .. } => None,
            Op::Emit { .. } | Op::Next { .. } | Op::Down { .. } | Op::Jump(_) | Op::Branch { .. } => None,
        }
    }
}

impl Dice {
    pub(super) fn reads(&self, mut visit: impl FnMut(Reg)) {
        match self {
            Dice::Range { lo, hi } => [lo, hi].into_iter().for_each(|reg| visit(*reg)),
            Dice::Weighted(_) => {}
            Dice::Member { pool } => visit(*pool),
            Dice::Members { pool, count } => [pool, count].into_iter().for_each(|reg| visit(*reg)),
        }
    }
}
