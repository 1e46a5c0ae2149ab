//! What is known of each term before anything is computed.

use super::{Form, Plan, Watched};
use crate::map::HashSet;
use crate::question::Goal;
use std::cell::OnceCell;
use tumble_core::prim::{Order, Shape, Sort};
use tumble_core::sort;
use tumble_core::{Slot, Term, TermId, Times};

impl Plan {
    /// Finds all facts anew.
    pub(super) fn find_facts(&mut self) {
        let order = self.inside_out();
        self.free = self.free_slots(&order);
        self.pure = self.purity(&order, &[]);
        self.find_shared(&order);
        self.blind = self.blindness(&order);
        self.linear = vec![false; self.forms.len()];
        for &id in &order {
            self.linear[id.index()] = self.is_linear(id);
        }
        self.codes = (0..self.forms.len()).map(|_| OnceCell::new()).collect();
    }

    /// All terms, each after the terms inside it.
    fn inside_out(&self) -> Vec<TermId> {
        let mut order = Vec::with_capacity(self.forms.len());
        for routine in &self.functions {
            order.extend(self.reachable(routine.body));
        }
        order.reverse();
        order
    }

    fn free_slots(&self, order: &[TermId]) -> Vec<Vec<Slot>> {
        let mut free: Vec<Vec<Slot>> = vec![vec![]; self.forms.len()];
        for &id in order {
            let mut slots: Vec<Slot> = Vec::new();
            match self.form(id) {
                Form::Core(Term::Var(slot)) => slots.push(*slot),
                Form::Several(seen) => slots.extend(seen),
                form => {
                    let (bound, inner) = form.binds();
                    form.children(|child| {
                        let hidden = |slot: &&Slot| inner.contains(&child) && bound.contains(slot);
                        slots.extend(free[child.index()].iter().filter(|slot| !hidden(slot)));
                    });
                }
            }
            sort::sort(&mut slots);
            slots.dedup();
            free[id.index()] = slots;
        }
        free
    }

    /// What several of the terms inside a term look at, or one of them again and again.
    fn find_shared(&mut self, order: &[TermId]) {
        self.shared = vec![vec![]; self.forms.len()];
        self.looped = vec![vec![]; self.forms.len()];
        for &id in order {
            let mut once: Vec<Slot> = Vec::new();
            let mut shared: Vec<Slot> = Vec::new();
            let mut see = |child: &TermId, again: bool| {
                for slot in &self.free[child.index()] {
                    if again || once.contains(slot) { shared.push(*slot) } else { once.push(*slot) }
                }
            };
            match self.form(id) {
                Form::Core(Term::If { test, then, other, .. }) => {
                    // Only one of the branches is taken.
                    see(test, false);
                    let branches = [then, other].map(|branch| &self.free[branch.index()]);
                    let both: HashSet<Slot> = branches.into_iter().flatten().copied().collect();
                    shared.extend(both.into_iter().filter(|slot| once.contains(slot)));
                }
                Form::Core(term) => term.parts(|child, role| see(&child, role.times == Times::Again)),
                form => form.children(|child| see(&child, false)),
            }
            if let Form::Core(Term::Loop { slots, test, body, .. }) = self.form(id) {
                let inside = [test, body].into_iter().flat_map(|child| self.free[child.index()].iter());
                let mut looped: Vec<Slot> = inside.chain(slots).copied().collect();
                sort::sort(&mut looped);
                looped.dedup();
                self.looped[id.index()] = looped;
            }
            sort::sort(&mut shared);
            shared.dedup();
            self.shared[id.index()] = shared;
        }
        self.passes = vec![vec![]; self.forms.len()];
        for &id in order {
            let passes = |slot: &&Slot| match self.form(id) {
                Form::Core(Term::Let { value, body, .. }) => {
                    self.calls_with(*value, **slot) == 1 && self.calls_know(*value, *body, **slot)
                }
                form => !form.is_control() && self.calls_with(id, **slot) == 1,
            };
            let passed: Vec<Slot> = self.shared[id.index()].iter().filter(passes).copied().collect();
            self.passes[id.index()] = passed;
        }
    }

    /// Whether the only call in a value knows from its arguments every number that what follows asks a variable for: then
    /// nothing follows from what is still hidden.
    fn calls_know(&self, value: TermId, body: TermId, slot: Slot) -> bool {
        let number = |id: &TermId| {
            let row = if let Form::Core(term) = self.form(*id) { term.row() } else { None };
            row.is_some_and(|(row, _)| !matches!(row.gives, Sort::Pool | Sort::List | Sort::Tuple))
                && self.pure[id.index()]
        };
        let Some(call) = self.reachable(value).into_iter().find(|id| {
            matches!(self.form(*id), Form::Core(Term::Call { .. })) && self.free[id.index()].contains(&slot)
        }) else {
            return false;
        };
        // Only what is computed whatever happens is known.
        let mut known = Vec::new();
        let mut open = Vec::new();
        self.form(call).children(|arg| open.push(arg));
        while let Some(id) = open.pop() {
            if let Form::Core(Term::Prim { args, .. }) = self.form(id) {
                open.extend(args);
                known.extend(number(&id).then_some(id));
            }
        }
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            if !self.free[id.index()].contains(&slot) || known.iter().any(|other| self.alike(id, *other)) {
                continue;
            }
            if matches!(self.form(id), Form::Core(Term::Var(_)) | Form::Several(_)) {
                return false;
            }
            self.form(id).children(|child| open.push(child));
        }
        true
    }

    /// Whether two terms are the same rows of the same variables and values.
    fn alike(&self, a: TermId, b: TermId) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            match (self.form(a), self.form(b)) {
                (Form::Core(Term::Var(x)), Form::Core(Term::Var(y))) if x == y => {}
                (Form::Core(Term::Lit(x)), Form::Core(Term::Lit(y))) if x == y => {}
                (Form::Core(Term::Prim { prim: x, args: a }), Form::Core(Term::Prim { prim: y, args: b }))
                    if x == y && a.len() == b.len() =>
                {
                    open.extend(a.iter().copied().zip(b.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    /// How many calls inside a term take arguments made of a variable; two if one of them may do it again and again.
    fn calls_with(&self, id: TermId, slot: Slot) -> usize {
        let mut calls = 0;
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !self.free[id.index()].contains(&slot) {
                continue;
            }
            match self.form(id) {
                Form::Core(Term::Call { .. }) => calls += 1,
                Form::Core(Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. }) => {
                    let called = |id: &TermId| matches!(self.form(*id), Form::Core(Term::Call { .. }));
                    calls += 2 * usize::from(self.reachable(id).iter().any(called));
                    continue;
                }
                _ => {}
            }
            self.form(id).children(|child| open.push(child));
        }
        calls
    }

    /// Terms without chance and loops, whose calls are of functions that are so too: all of which that cannot be told is
    /// struck out until nothing changes.
    pub(super) fn certainty(&self) -> Vec<bool> {
        let order = self.inside_out();
        let mut functions = vec![true; self.functions.len()];
        loop {
            let certain = self.purity(&order, &functions);
            let bodies = self.functions.iter().map(|function| function.body.index());
            let after: Vec<bool> = bodies.map(|body| certain[body]).collect();
            if after == functions {
                return certain;
            }
            functions = after;
        }
    }

    /// Terms without chance and loops, and without calls but of these functions. Code for what waits with its errors is
    /// only for those who go another way if there are any.
    fn purity(&self, order: &[TermId], functions: &[bool]) -> Vec<bool> {
        let mut pure = vec![false; self.forms.len()];
        for &id in order {
            let own = match self.form(id) {
                Form::Core(term) => match term {
                    Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => true,
                    Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } => false,
                    Term::Until { .. } | Term::Loop { .. } => false,
                    Term::Call { function, .. } => functions.get(function.index()).copied().unwrap_or(false),
                    Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => false,
                },
                Form::Several(_) | Form::Total(_) => true,
                Form::Ahead { .. } => !functions.is_empty(),
                Form::Watch(_) | Form::Joint { .. } => false,
            };
            let mut all = own;
            self.form(id).children(|child| all &= pure[child.index()]);
            pure[id.index()] = all;
        }
        pure
    }

    /// Whether the variables of a binding are each looked at once at most, and not in a repetition.
    fn is_linear(&self, id: TermId) -> bool {
        let binds = matches!(self.form(id), Form::Core(Term::Let { .. }) | Form::Watch(_) | Form::Joint { .. });
        let (slots, children) = self.form(id).binds();
        if !binds || slots.is_empty() {
            return false;
        }
        let mut uses = 0;
        let mut open = children;
        while let Some(id) = open.pop() {
            match self.form(id) {
                Form::Core(Term::Var(slot)) => uses += usize::from(slots.contains(slot)),
                Form::Several(seen) => uses += seen.iter().filter(|slot| slots.contains(slot)).count(),
                Form::Core(Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. })
                    if slots.iter().any(|slot| self.free[id.index()].contains(slot)) =>
                {
                    return false;
                }
                form => form.children(|child| open.push(child)),
            }
        }
        uses <= 1
    }

    /// From the outside in: what a parent cannot see, its children need not keep.
    fn blindness(&self, order: &[TermId]) -> Vec<bool> {
        let mut blind = vec![false; self.forms.len()];
        for &id in order.iter().rev() {
            let own = blind[id.index()];
            let term = match self.form(id) {
                Form::Core(term) => term,
                Form::Watch(watch) => {
                    let folds = |chain: &Watched| matches!(chain.goal, Goal::Fold(row) if row.order == Order::Blind);
                    blind[watch.source.index()] = watch.chains.iter().all(|chain| folds(chain) || sorts(chain));
                    blind[watch.body.index()] = own;
                    continue;
                }
                Form::Ahead { body, .. } | Form::Joint { body, .. } => {
                    blind[body.index()] = own;
                    continue;
                }
                Form::Several(_) | Form::Total(_) => continue,
            };
            match term {
                Term::Prim { prim, args } => {
                    for (i, arg) in args.iter().enumerate() {
                        blind[arg.index()] = match (prim.shape, prim.order) {
                            (Shape::Union, _) => own,
                            (_, Order::Blind) => i == prim.over,
                            (_, Order::Carries) => own && i == prim.over,
                            (_, Order::Sees) => false,
                        };
                    }
                }
                Term::Let { body, .. } | Term::Repeat { body, .. } => blind[body.index()] = own,
                Term::ForEach { pool, body, .. } => {
                    blind[body.index()] = own;
                    blind[pool.index()] = own;
                }
                Term::If { then, other, .. } => {
                    blind[then.index()] = own;
                    blind[other.index()] = own;
                }
                Term::Lit(_) | Term::Var(_) | Term::Draw { .. } => {}
                Term::Until { .. } | Term::Loop { .. } | Term::Call { .. } => {}
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {}
            }
        }
        blind
    }

    /// The variables that a term needs, as a set.
    pub(super) fn needs(&self, id: TermId) -> HashSet<Slot> {
        self.free[id.index()].iter().copied().collect()
    }
}

/// Whether a chain sorts what it shows.
fn sorts(chain: &Watched) -> bool {
    chain.rows.iter().any(|(row, _)| matches!(row.shape, Shape::Forget))
}
