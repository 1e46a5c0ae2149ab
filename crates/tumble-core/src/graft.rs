//! Terms of one draft as a part of another.
//!
//! ```text
//! append   all terms of another draft behind those that are here, with their places in a larger text
//! rebind   other numbers for the variables of one function, as a part of which its terms now stand
//! copy     a term of a program with all inside it
//! sorted   a program whose result is in order
//! ```

use crate::check::{Program, check};
use crate::diagnostic::{Diagnostic, Span};
use crate::prim::{self, Prim};
use crate::term::{Draft, Faces, FnId, Function, Slot, Term, TermId};
use crate::value::Value;
use std::collections::HashMap;

/// Where appended terms are found.
#[derive(Clone, Copy, Debug)]
pub struct Moved(u32);

impl Moved {
    /// The number that a term of the other draft has now.
    pub fn id(self, id: TermId) -> TermId {
        TermId(id.0.saturating_add(self.0))
    }
}

impl Draft {
    /// Adds all terms of another draft. Their places are moved by `offset`, because its text stands there in a larger
    /// one, and the functions they call have other numbers.
    pub fn append(&mut self, other: Draft, offset: usize, function: impl Fn(FnId) -> FnId) -> Moved {
        let moved = Moved(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.reserve(other.nodes.len());
        for mut node in other.nodes {
            node.span = Span::new(node.span.start + offset, node.span.end + offset);
            node.term.ids_mut(|id| *id = moved.id(*id));
            if let Term::Call { function: called, .. } = &mut node.term {
                *called = function(*called);
            }
            self.nodes.push(node);
        }
        moved
    }

    /// Gives the variables of a term, and of all inside it, other numbers.
    pub fn rebind(&mut self, root: TermId, slot: impl Fn(Slot) -> Slot) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if let Some(node) = self.nodes.get_mut(id.index()) {
                node.term.slots_mut(|own| *own = slot(*own));
                node.term.children(|child| open.push(child));
            }
        }
    }
}

impl Draft {
    /// Adds a copy of a term of a program and of all inside it. `leaf` says what stands in the place of a variable that is
    /// bound outside it, or of a part; bound variables get new numbers from `slot`.
    pub fn copy(
        &mut self,
        program: &Program,
        root: TermId,
        function: impl Fn(FnId) -> FnId,
        mut slot: impl FnMut(Slot) -> Slot,
        mut leaf: impl FnMut(&mut Draft, TermId, &Term) -> Option<TermId>,
    ) -> TermId {
        let mut open = vec![(root, false)];
        let mut copies: HashMap<TermId, TermId> = HashMap::new();
        while let Some((id, ready)) = open.pop() {
            let node = program.node(id);
            if !ready {
                if let Some(copy) = leaf(self, id, &node.term) {
                    copies.insert(id, copy);
                    continue;
                }
                open.push((id, true));
                node.term.children(|child| open.push((child, false)));
                continue;
            }
            let mut term = node.term.clone();
            term.ids_mut(|child| *child = copies.get(child).copied().unwrap_or(*child));
            term.slots_mut(|own| *own = slot(*own));
            if let Term::Call { function: called, .. } = &mut term {
                *called = function(*called);
            }
            let copy = self.add(node.span, term);
            copies.insert(id, copy);
        }
        copies[&root]
    }
}

impl Program {
    /// The same program with the members of its result in ascending order.
    pub fn sorted(&self) -> Result<Program, Vec<Diagnostic>> {
        self.within(&prim::BAG)
    }

    /// The same program with a row of one argument around its result.
    fn within(&self, row: &'static Prim) -> Result<Program, Vec<Diagnostic>> {
        let mut draft = Draft { nodes: self.nodes().to_vec() };
        let mut functions = self.functions().to_vec();
        let main = &mut functions[self.main().index()];
        main.body = draft.prim(self.span(main.body), row, vec![main.body]);
        check(draft, functions, self.main())
    }
}

/// The total of so many dice with so many sides, as a program of its own.
pub fn plain_program(count: u64, sides: i64) -> Result<Program, Vec<Diagnostic>> {
    let (mut draft, span) = (Draft::new(), Span::default());
    let [lo, hi] = [1, sides].map(|n| draft.lit(span, Value::int(n)));
    let times = draft.lit(span, Value::int(i64::try_from(count).unwrap_or(i64::MAX)));
    let body = draft.add(span, Term::Draw { faces: Faces::Range { lo, hi } });
    let dice = draft.add(span, Term::Repeat { times, body });
    let pool = draft.prim(span, &prim::GATHER, vec![dice]);
    let body = draft.prim(span, &prim::SUM, vec![pool]);
    check(draft, vec![Function { name: "dice".into(), params: vec![], slots: vec![], body }], FnId(0))
}

impl Term {
    /// Visits the numbers of the terms directly inside this one.
    fn ids_mut(&mut self, mut visit: impl FnMut(&mut TermId)) {
        match self {
            Term::Lit(_) | Term::Var(_) => {}
            Term::Let { value, body, .. } => [value, body].into_iter().for_each(visit),
            Term::If { test, then, other, .. } => [test, then, other].into_iter().for_each(visit),
            Term::Prim { args, .. } | Term::Call { args, .. } => args.iter_mut().for_each(visit),
            Term::Ask { args, .. } | Term::Emit { args, .. } | Term::Throw { args, .. } => {
                args.iter_mut().for_each(visit);
            }
            Term::Leave { value, .. } => visit(value),
            Term::Draw { faces } => match faces {
                Faces::Range { lo, hi } => [lo, hi].into_iter().for_each(visit),
                Faces::Weighted(_) => {}
                Faces::Member { pool } => visit(pool),
                Faces::Members { pool, count } => [pool, count].into_iter().for_each(visit),
            },
            Term::Repeat { times, body } => [times, body].into_iter().for_each(visit),
            Term::ForEach { pool, body, .. } => [pool, body].into_iter().for_each(visit),
            Term::Until { first, body, stop, .. } => first.iter_mut().chain([body, stop]).for_each(visit),
            Term::Loop { start, test, body, .. } => [start, test, body].into_iter().for_each(visit),
        }
    }

    /// Visits the variables that this form reads or binds.
    fn slots_mut(&mut self, mut visit: impl FnMut(&mut Slot)) {
        match self {
            Term::Var(slot) | Term::ForEach { slot, .. } | Term::Until { slot, .. } => visit(slot),
            Term::Let { slots, .. } | Term::Loop { slots, .. } => slots.iter_mut().for_each(visit),
            Term::Lit(_) | Term::If { .. } | Term::Prim { .. } | Term::Draw { .. } => {}
            Term::Repeat { .. } | Term::Call { .. } | Term::Leave { .. } => {}
            Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {}
        }
    }
}

#[cfg(all(test, feature = "arbitrary"))]
mod tests {
    use super::*;
    use crate::{arbitrary, print};

    /// The program behind `before` unused terms and as many variables, its functions behind one that nobody calls.
    fn moved(program: &Program, before: u32) -> Result<Program, Vec<Diagnostic>> {
        let mut draft = Draft::new();
        let unused = draft.lit(Span::default(), Value::NOTHING);
        (0..before).for_each(|_| _ = draft.lit(Span::default(), Value::NOTHING));
        let other = Draft { nodes: program.nodes().to_vec() };
        let next = |function: FnId| FnId(function.0 + 1);
        let moved = draft.append(other, 5, next);
        let mut functions = program.functions().to_vec();
        for function in &mut functions {
            function.body = moved.id(function.body);
        }
        let main = &mut functions[program.main().index()];
        draft.rebind(main.body, |slot| Slot(slot.0 + before));
        main.slots = (0..before).map(|n| format!("before{n}")).chain(main.slots.clone()).collect();
        let first = Function { name: "first".into(), params: vec![], slots: vec![], body: unused };
        functions.insert(0, first);
        check(draft, functions, next(program.main()))
    }

    #[test]
    fn a_moved_program_is_the_same() {
        for seed in 0..500 {
            for make in [arbitrary::program as fn(u64) -> Program, arbitrary::wide_program] {
                let program = make(seed);
                let other = moved(&program, 3).unwrap();
                assert_eq!(print(&other), format!("first() = nothing\n{}", print(&program)), "seed {seed}");
                let (body, main) = (program.function(program.main()).body, other.function(other.main()).body);
                assert_eq!(other.span(main).start, program.span(body).start + 5);
            }
        }
    }
}
