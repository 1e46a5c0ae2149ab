//! A pure or certain term as straight code for a machine with a stack.
//!
//! ```text
//! lit, var        push a value
//! row n           the top n values become the row's result
//! bind x … end    the top value becomes the variable x
//! fork … jump …   the top value, a truth, chooses where to go on
//! call f n        the top n values are the arguments of a function without chance
//! ```
//!
//! Its meaning is that of the terms; it is there because a body is often computed for thousands of
//! outcomes.

use super::{Control, Form, Plan};
use crate::outcome::Outcome;
use tumble_core::prim::{self, Prim};
use tumble_core::{FnId, Slot, Term, TermId};

/// The code of one such term.
pub(crate) struct Code {
    pub(crate) ops: Vec<(Op, TermId)>,
    /// Whether it binds variables.
    pub(crate) binds: bool,
}

/// One step.
pub(crate) enum Op {
    Lit(Outcome),
    Var(Slot),
    Several(Vec<Slot>),
    Row(&'static Prim, usize),
    /// A value that is lost loses what follows, up to `end`. Several variables take a field each.
    Bind {
        slots: Vec<Slot>,
        linear: bool,
        used: bool,
        end: usize,
    },
    /// Goes on here if the truth holds, else at `other`; what cannot be told stands for both, at `end`.
    Fork {
        other: usize,
        end: usize,
    },
    Jump(usize),
    Call(FnId, usize),
    /// A term that is no straight code.
    Never,
}

/// What is left to translate; places that are not known yet are filled in when they are.
enum Left {
    Term(TermId),
    Op(Op, TermId),
    Bind(TermId),
    Fork(TermId),
    Branch(TermId, usize),
    EndBind(usize),
    EndFork(usize),
}

impl Code {
    pub(super) fn of(plan: &Plan, root: TermId) -> Code {
        Code::with(plan, root, &[])
    }

    /// The same, with variables in place of some terms.
    pub(super) fn with(plan: &Plan, root: TermId, replaced: &[(TermId, Slot)]) -> Code {
        let mut code = Code { ops: vec![], binds: false };
        let mut left = vec![Left::Term(root)];
        while let Some(next) = left.pop() {
            let here = code.ops.len();
            match next {
                Left::Term(id) => match replaced.iter().find(|(own, _)| *own == id) {
                    Some((_, by)) => code.ops.push((Op::Var(*by), id)),
                    None => code.term(plan, id, &mut left),
                },
                Left::Op(op, id) => code.ops.push((op, id)),
                Left::Bind(id) => {
                    let (slots, body) = match plan.form(id).control() {
                        Control::Bind { slots, body, .. } => (slots.to_vec(), body),
                        Control::Ahead { slot, body, .. } => (vec![slot], body),
                        Control::Choose { .. } | Control::Call { .. } => continue,
                        Control::Joint | Control::Loop | Control::None => continue,
                    };
                    let used = slots.iter().any(|slot| plan.free[body.index()].contains(slot));
                    code.binds = true;
                    let linear = plan.linear[id.index()];
                    code.ops.push((Op::Bind { slots, linear, used, end: 0 }, id));
                    left.extend([Left::EndBind(here), Left::Term(body)]);
                }
                Left::EndBind(at) => {
                    if let Op::Bind { end, .. } = &mut code.ops[at].0 {
                        *end = here;
                    }
                }
                Left::Fork(id) => {
                    let Form::Core(Term::If { then, .. }) = plan.form(id) else { continue };
                    code.ops.push((Op::Fork { other: 0, end: 0 }, id));
                    left.extend([Left::Branch(id, here), Left::Term(*then)]);
                }
                Left::Branch(id, fork) => {
                    let Form::Core(Term::If { other, .. }) = plan.form(id) else { continue };
                    code.ops.push((Op::Jump(0), id));
                    if let Op::Fork { other, .. } = &mut code.ops[fork].0 {
                        *other = here + 1;
                    }
                    left.extend([Left::EndFork(fork), Left::Term(*other)]);
                }
                Left::EndFork(fork) => {
                    let Op::Fork { other, end } = &mut code.ops[fork].0 else { continue };
                    *end = here;
                    let jump = *other - 1;
                    code.ops[jump].0 = Op::Jump(here);
                }
            }
        }
        code
    }

    fn term(&mut self, plan: &Plan, id: TermId, left: &mut Vec<Left>) {
        match plan.form(id) {
            Form::Core(Term::Lit(value)) => self.ops.push((Op::Lit(Outcome::Known(value.clone())), id)),
            Form::Core(Term::Var(slot)) => self.ops.push((Op::Var(*slot), id)),
            Form::Several(slots) => self.ops.push((Op::Several(slots.clone()), id)),
            Form::Core(Term::Prim { prim, args }) => {
                left.push(Left::Op(Op::Row(prim, args.len()), id));
                left.extend(args.iter().rev().map(|arg| Left::Term(*arg)));
            }
            Form::Core(Term::Let { value, .. }) | Form::Ahead { value, .. } => {
                left.extend([Left::Bind(id), Left::Term(*value)])
            }
            Form::Core(Term::If { test, .. }) => left.extend([Left::Fork(id), Left::Term(*test)]),
            Form::Total(terms) => {
                for (minus, term) in terms.iter().skip(1).rev() {
                    let row = if *minus { &prim::SUB } else { &prim::ADD };
                    left.extend([Left::Op(Op::Row(row, 2), id), Left::Term(*term)]);
                }
                left.extend(terms.first().map(|(_, first)| Left::Term(*first)));
            }
            Form::Core(Term::Call { function, args }) => {
                left.push(Left::Op(Op::Call(*function, args.len()), id));
                left.extend(args.iter().rev().map(|arg| Left::Term(*arg)));
            }
            // No other form is certain.
            Form::Core(Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. })
            | Form::Core(Term::Loop { .. })
            | Form::Core(Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. })
            | Form::Watch(_)
            | Form::Joint { .. } => self.ops.push((Op::Never, id)),
        }
    }
}
