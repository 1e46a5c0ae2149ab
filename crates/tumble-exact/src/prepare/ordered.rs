//! Pools whose members are only compared with one another, taken by their places in the order.
//!
//! ```text
//! function match(a, b) = if 0 = count b then 0 else
//!   if (max a) > (max b) then 1 + call match(a -- (max a), b -- (max b)) else call match(a, b -- (max b))
//! ```
//!
//! What such a term gives stays the same if the members show something else, as long as each member of a pool, by its
//! place, compares with each member of the other pools as before, and the order in its own pool stays. A term **follows** a
//! pool if it is the members at some places of it, or what those leave; it **sees the order** if it looks at pools
//! only by how many members follow, and by how many of one that follow compare with one that follows another pool.

use super::{Form, Plan, others};
use crate::question::Goal;
use tumble_core::prim::{Compare, Flat, OnEmpty, Prim, Shape};
use tumble_core::{FnId, Slot, Term, TermId, Value};

/// Terms inside one another that are looked into.
const MOST_INSIDE: usize = 100;

/// The functions that are looked into, with the variables whose pools they take.
type Inside = Vec<(FnId, Vec<Slot>)>;

impl Plan {
    /// Whether a term sees nothing but the order of some pools.
    pub(crate) fn sees_order(&self, root: TermId, pools: &[Slot]) -> bool {
        let key = (root, pools.to_vec());
        if let Some(known) = self.known_orders.borrow().get(&key) {
            return *known;
        }
        let sees = self.orders(root, pools, &mut vec![], 0);
        self.known_orders.borrow_mut().insert(key, sees);
        sees
    }

    /// The same for members that are made one after the other, and what comes after them.
    pub(crate) fn stream_sees_order(&self, stream: &super::Stream, pools: &[Slot]) -> bool {
        let key = (stream.each, pools.to_vec());
        if let Some(known) = self.known_orders.borrow().get(&key) {
            return *known;
        }
        let counts = |chain: &super::Watched| {
            let plain = chain.rows.iter().all(|(row, _)| matches!(row.shape, Shape::Forget));
            plain && matches!(chain.goal, Goal::Fold(row) if row.counts)
        };
        let counted = stream.chains.iter().all(counts);
        let blind = |term: TermId| !self.asks(term, pools);
        let sees = stream.chains.iter().flat_map(super::Watched::arguments).all(blind)
            && stream.then.is_none_or(|then| self.orders(then, pools, &mut vec![], 0))
            && (self.orders(stream.body, pools, &mut vec![], 0) || (counted && self.are_members(stream.body, pools)));
        self.known_orders.borrow_mut().insert(key, sees);
        sees
    }

    fn asks(&self, id: TermId, pools: &[Slot]) -> bool {
        self.free[id.index()].iter().any(|slot| pools.contains(slot))
    }

    fn orders(&self, id: TermId, pools: &[Slot], inside: &mut Inside, depth: usize) -> bool {
        if !self.asks(id, pools) {
            return true;
        }
        if depth > MOST_INSIDE {
            return false;
        }
        let mut all = |ids: &[TermId]| ids.iter().all(|id| self.orders(*id, pools, inside, depth + 1));
        match self.form(id) {
            Form::Core(Term::Prim { prim, args }) => {
                let rest = || others(prim, args).all(|arg| !self.asks(arg, pools));
                (prim.counts && rest() && self.are_members(args[prim.over], pools)) || all(args)
            }
            Form::Core(Term::If { test, then, other, .. }) => all(&[*test, *then, *other]),
            Form::Core(Term::Let { value, body, .. }) | Form::Ahead { value, body, .. } => all(&[*value, *body]),
            Form::Core(Term::ForEach { pool, body, .. }) => all(&[*pool, *body]),
            Form::Core(Term::Call { function, args }) => self.called_in_order(*function, args, pools, inside, depth),
            Form::Total(terms) => all(&terms.iter().map(|(_, term)| *term).collect::<Vec<_>>()),
            Form::Core(
                Term::Lit(_)
                | Term::Var(_)
                | Term::Draw { .. }
                | Term::Repeat { .. }
                | Term::Until { .. }
                | Term::Loop { .. }
                | Term::Leave { .. }
                | Term::Ask { .. }
                | Term::Emit { .. }
                | Term::Throw { .. },
            )
            | Form::Watch(_)
            | Form::Joint { .. }
            | Form::Several(_) => false,
        }
    }

    /// A call that takes what follows some pools, each at most once.
    fn called_in_order(
        &self,
        function: FnId,
        args: &[TermId],
        pools: &[Slot],
        inside: &mut Inside,
        depth: usize,
    ) -> bool {
        let routine = &self.functions[function.index()];
        let (mut taken, mut moved) = (vec![], vec![]);
        for (param, arg) in routine.params.iter().zip(args) {
            match self.follows(*arg, pools) {
                Some(slot) if taken.contains(&slot) => return false,
                Some(slot) => {
                    taken.push(slot);
                    moved.push(*param);
                }
                None if self.orders(*arg, pools, inside, depth + 1) => {}
                None => return false,
            }
        }
        let here = (function, moved);
        if inside.contains(&here) {
            return true;
        }
        inside.push(here.clone());
        self.orders(routine.body, &here.1, inside, depth + 1)
    }

    /// Whether only how many members a term gives depends on the pools, and that on nothing but their order.
    fn are_members(&self, id: TermId, pools: &[Slot]) -> bool {
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return self.follows(id, pools).is_some() };
        let compared = Compare::of(prim).is_some().then(|| {
            let [number, members] = args[..] else { return false };
            let (Some(one), Some(other)) = (self.follows_alone(number, pools), self.follows(members, pools)) else {
                return false;
            };
            one != other
        });
        compared.unwrap_or_else(|| self.follows(id, pools).is_some())
    }

    /// The pool that a term follows.
    fn follows(&self, id: TermId, pools: &[Slot]) -> Option<Slot> {
        let mut here = id;
        while let Form::Core(Term::Prim { prim, args }) = self.form(here) {
            let fits = match prim.shape {
                Shape::Forget => true,
                Shape::Scan(scan) => match scan.against {
                    Some(second) => self.takes_own(args[prim.over], args[second], pools),
                    None => scan.size.is_some() && others(prim, args).all(|arg| !self.asks(arg, pools)),
                },
                Shape::Filter | Shape::Map { .. } | Shape::Fold(_) | Shape::Union | Shape::Opaque => false,
            };
            if !fits {
                return None;
            }
            here = args[prim.over];
        }
        let Form::Core(Term::Var(slot)) = self.form(here) else { return None };
        pools.contains(slot).then_some(*slot)
    }

    /// Whether what is taken away from a pool are members at some places of it.
    fn takes_own(&self, from: TermId, taken: TermId, pools: &[Slot]) -> bool {
        let Form::Core(Term::Var(slot)) = self.form(from) else { return false };
        let places = |(row, args): &super::looks::Look| others(row, args).all(|arg| !self.asks(arg, pools));
        pools.contains(slot) && self.ranks_on(taken, *slot).is_some_and(|rows| rows.iter().all(places))
    }

    /// The pool that a number follows: its only member at some place.
    fn follows_alone(&self, id: TermId, pools: &[Slot]) -> Option<Slot> {
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return None };
        let passes = matches!(prim.flat, Some(Flat::Fold(fold)) if fold.passes) && prim.on_empty == OnEmpty::Fails;
        let [members] = args[..] else { return None };
        let Form::Core(Term::Prim { prim: row, args }) = self.form(members) else { return None };
        (passes && self.keeps_one(row, args)).then(|| self.follows(members, pools)).flatten()
    }

    /// Whether a row keeps one member of many.
    fn keeps_one(&self, row: &Prim, args: &[TermId]) -> bool {
        let Shape::Scan(scan) = row.shape else { return false };
        let literal = |(i, arg): (usize, &TermId)| {
            if i == row.over {
                return Some(Value::NOTHING);
            }
            let Form::Core(Term::Lit(value)) = self.form(*arg) else { return None };
            Some(value.clone())
        };
        let args: Option<Vec<Value>> = args.iter().enumerate().map(literal).collect();
        scan.size.zip(args).is_some_and(|(size, args)| size(&args, u64::MAX >> 1) == 1)
    }
}
