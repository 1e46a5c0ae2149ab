//! Sums and counts of one collection that are only used in one linear combination, such as `(count 8<=x) - (count 1=x)`.
//!
//! ```text
//! Σ cᵢ · fᵢ(A ∪ B) + k  =  Σ cᵢ · fᵢ(A)  +  Σ cᵢ · fᵢ(B)  +  k
//! ```
//!
//! So the combination is one sum over the members, and its distribution that of one generating function. Which rows are
//! linear, and how, is what they [tell](tumble_core::prim::Prim::tell).

use super::{Form, Plan, Total, Watched};
use crate::question::Goal;
use std::collections::BTreeMap;
use tumble_core::prim::{Extent, Interval, Merge, Prim, Shape, Told};
use tumble_core::{Slot, Term, TermId, Value};

/// A constant, and multiples of variables; or the collection of just that number.
#[derive(Clone, Default)]
struct Sum {
    parts: BTreeMap<Slot, i64>,
    constant: i64,
    pooled: bool,
}

impl Sum {
    fn extent(&self) -> Extent {
        match (self.parts.is_empty(), self.pooled) {
            (true, false) => Extent::Known(Value::int(self.constant)),
            (true, true) => Extent::Known(Value::ints(&[self.constant])),
            (false, false) => Extent::Number(Interval::ALL),
            (false, true) => Extent::Pool { members: Some(Interval::ALL), least: 1, most: Some(1) },
        }
    }

    /// What a row makes of such numbers, if that is one.
    fn of(row: &Prim, args: &[Sum]) -> Option<Sum> {
        let extents: Vec<Extent> = args.iter().map(Sum::extent).collect();
        let (parts, constant, pooled) = match (row.tell)(&extents) {
            Told::Linear { parts, constant, pooled } => (parts, constant, pooled),
            Told::Within(Extent::Known(value)) => (vec![], value.as_int()?, false),
            Told::Within(_) | Told::Part { .. } | Told::Steps { .. } => return None,
        };
        let mut sum = Sum { parts: BTreeMap::new(), constant, pooled };
        for (place, by) in parts {
            let arg = args.get(place)?;
            sum.constant = arg.constant.checked_mul(by).and_then(|more| sum.constant.checked_add(more))?;
            for (slot, factor) in &arg.parts {
                let all = sum.parts.entry(*slot).or_insert(0);
                *all = factor.checked_mul(by).and_then(|more| all.checked_add(more))?;
            }
        }
        Some(sum)
    }
}

impl Plan {
    /// Finds the combinations in all watched bindings.
    pub(super) fn put_linear(&mut self) {
        let parents = self.parents();
        for function in 0..self.functions.len() {
            for id in self.reachable(self.functions[function].body) {
                let Form::Watch(watch) = self.form(id) else { continue };
                let Some((root, sum)) = self.combination(&watch.chains, watch.body, &parents) else { continue };
                let of = |chain: &Watched| sum.parts.get(&chain.slot).copied();
                let Some(factors) = watch.chains.iter().map(of).collect() else { continue };
                let slot = self.slot(function);
                let form = std::mem::replace(&mut self.forms[root.index()], Form::Core(Term::Var(slot)));
                let tree = self.add(form, root);
                if let Form::Watch(watch) = &mut self.forms[id.index()] {
                    watch.total = Some(Total { slot, factors, constant: sum.constant, tree });
                }
            }
        }
    }

    /// The only place where these chains are used, if it combines several of them.
    fn combination(&self, chains: &[Watched], body: TermId, parents: &[Option<TermId>]) -> Option<(TermId, Sum)> {
        if chains.len() < 2 || !chains.iter().all(adds_up) {
            return None;
        }
        let slots: Vec<Slot> = chains.iter().map(|chain| chain.slot).collect();
        let uses = |root: TermId| self.reachable(root).into_iter().filter(|id| self.is_one_of(*id, &slots)).count();
        let first = self.reachable(body).into_iter().find(|id| self.is_one_of(*id, &slots))?;
        let mut best = None;
        let mut here = first;
        while let Some(parent) = parents[here.index()].filter(|_| here != body)
            && let Some(sum) = self.sum(parent, &slots)
        {
            here = parent;
            best = if sum.pooled { best } else { Some((parent, sum)) };
        }
        best.filter(|(root, _)| uses(*root) == uses(body))
    }

    fn is_one_of(&self, id: TermId, slots: &[Slot]) -> bool {
        matches!(self.form(id), Form::Core(Term::Var(slot)) if slots.contains(slot))
    }

    /// A term as a linear combination of variables.
    fn sum(&self, root: TermId, slots: &[Slot]) -> Option<Sum> {
        enum Left {
            Term(TermId),
            Row(&'static Prim, usize),
        }
        let (mut left, mut found) = (vec![Left::Term(root)], Vec::<Sum>::new());
        while let Some(next) = left.pop() {
            let id = match next {
                Left::Term(id) => id,
                Left::Row(row, width) => {
                    let args = found.split_off(found.len().checked_sub(width)?);
                    found.push(Sum::of(row, &args)?);
                    continue;
                }
            };
            let Form::Core(term) = self.form(id) else { return None };
            match term {
                Term::Lit(value) => found.push(Sum { constant: value.as_int()?, ..Sum::default() }),
                Term::Var(slot) if slots.contains(slot) => {
                    found.push(Sum { parts: BTreeMap::from([(*slot, 1)]), ..Sum::default() });
                }
                Term::Prim { prim, args } => {
                    left.push(Left::Row(prim, args.len()));
                    left.extend(args.iter().rev().map(|arg| Left::Term(*arg)));
                }
                Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Draw { .. } | Term::Call { .. } => {
                    return None;
                }
                Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } | Term::Loop { .. } => return None,
                Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => return None,
            }
        }
        found.pop()
    }
}

/// Whether a chain looks at every member by itself and adds up.
fn adds_up(chain: &Watched) -> bool {
    let each = |(row, _): &(&'static Prim, _)| matches!(row.shape, Shape::Filter | Shape::Forget | Shape::Map { .. });
    matches!(chain.goal, Goal::Fold(Prim { shape: Shape::Fold(Merge::Add), .. })) && chain.rows.iter().all(each)
}
