//! Rows that look at each face by itself, of a roll that nothing else can be watched of (`watch`).
//!
//! ```text
//! count(different(minus(x, different(x))))
//! ⇒  count(gather(each(i in different(x), different(minus(equal(i, x), different(equal(i, x)))))))
//! ```
//!
//! What such rows keep of a face follows from how many members show it, so what they keep of all is the union of what they
//! keep of each face. Written so it is a stream over the faces (`streams`), which needs no list of the roll.

use super::{Form, Plan, others};
use crate::map::HashMap;
use tumble_core::prim::{self, Order, Prim, Shape};
use tumble_core::{Slot, Term, TermId};

impl Plan {
    /// Writes what folds of a function make of the faces of its rolls as streams; whether there were any.
    pub(super) fn put_faces(&mut self, function: usize) -> bool {
        let inside = self.reachable(self.functions[function].body);
        let rolled = inside.iter().filter_map(|id| self.named(*id)).filter(|(_, value)| !self.pure[value.index()]);
        let again: HashMap<Slot, bool> = rolled.map(|(slot, _)| (slot, self.is_gone_through(slot, &inside))).collect();
        let mut found = false;
        for id in inside {
            let Form::Core(Term::Prim { prim, args }) = self.form(id) else { continue };
            let (Shape::Fold(_), Order::Blind, &[tree]) = (prim.shape, prim.order, &args[..]) else { continue };
            let Some((slot, uses)) = self.by_face(tree) else { continue };
            // A single chain of rows is watched, if other looks let it.
            if again.get(&slot).is_some_and(|again| *again || uses.len() > 1) {
                self.go_through_faces(function, (id, prim, tree), slot, &uses);
                found = true;
            }
        }
        found
    }

    /// Whether a variable is gone through member by member, or face by face.
    fn is_gone_through(&self, slot: Slot, inside: &[TermId]) -> bool {
        inside.iter().any(|id| {
            let Form::Core(term) = self.form(*id) else { return false };
            let each = matches!(term, Term::ForEach { .. }) || term.row().is_some_and(|(row, _)| row.tallies);
            each && self.free[id.index()].contains(&slot)
        })
    }

    /// The variable, and where it is used, if a term is made of it by rows that look at each face by itself, one of them at
    /// how many show it.
    fn by_face(&self, tree: TermId) -> Option<(Slot, Vec<TermId>)> {
        let known = |arg: &TermId| matches!(self.form(*arg), Form::Core(Term::Lit(_)));
        let (mut uses, mut open, mut counts, mut slots) = (vec![], vec![tree], false, vec![]);
        while let Some(id) = open.pop() {
            if let Form::Core(Term::Var(slot)) = self.form(id) {
                uses.push(id);
                slots.push(*slot);
                continue;
            }
            let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return None };
            let second = match prim.shape {
                Shape::Filter | Shape::Forget => None,
                Shape::Scan(scan) if scan.alone => {
                    counts = true;
                    scan.against.map(|place| args[place]).filter(|arg| !known(arg))
                }
                Shape::Scan(_) | Shape::Map { .. } | Shape::Fold(_) | Shape::Union | Shape::Opaque => return None,
            };
            if !others(prim, args).all(|arg| known(&arg) || Some(arg) == second) {
                return None;
            }
            open.extend([args[prim.over]].into_iter().chain(second));
        }
        slots.dedup();
        let [slot] = slots[..] else { return None };
        counts.then_some((slot, uses))
    }

    fn go_through_faces(
        &mut self,
        function: usize,
        (id, fold, tree): (TermId, &'static Prim, TermId),
        slot: Slot,
        uses: &[TermId],
    ) {
        let face = self.slot(function);
        let variable = |slot: Slot| Form::Core(Term::Var(slot));
        let whole = self.add(variable(slot), id);
        for place in uses {
            let (number, all) = (self.add(variable(face), *place), self.add(variable(slot), *place));
            self.forms[place.index()] = Form::Core(Term::Prim { prim: &prim::EQUAL, args: vec![number, all] });
        }
        let pool = self.add(Form::Core(Term::Prim { prim: &prim::DIFFERENT, args: vec![whole] }), id);
        let each = self.add(Form::Core(Term::ForEach { slot: face, pool, body: tree }), id);
        let all = self.add(Form::Core(Term::Prim { prim: &prim::GATHER, args: vec![each] }), id);
        self.forms[id.index()] = Form::Core(Term::Prim { prim: fold, args: vec![all] });
    }
}
