//! Dice of an expression that are kept or dropped together, and count where they are.
//!
//! ```text
//! {2d4 * 3d6}k2     let p = largest(2, collect(pairs(2d4, 0), pairs(3d6, 1))) in
//!                   let a = sum(firsts(having(0, p))) in let b = sum(firsts(having(1, p))) in a * b
//! ```
//!
//! Of dice that show the same, those that come first are the lower ones.

use super::super::syntax::{Arg, Expr, Infix, Keep, Modifier, NodeId};
use super::{Lowering, Typed};
use crate::build::{self, all, bind, each, one, sum, two};
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Slot, Span, TermId, prim};

impl Lowering<'_> {
    pub(super) fn kept_within(&mut self, span: Span, inside: NodeId, modifiers: &[(Modifier, Span)]) -> Parsed<Typed> {
        let terms = self.dice_inside(inside);
        let pairs = (0..).zip(&terms).map(|(tag, term)| self.tagged(*term, tag)).collect::<Parsed<Vec<TermId>>>()?;
        let mut pool = self.kit.put(span, one(&prim::BAG, all(&prim::COLLECT, pairs)));
        for (modifier, at) in modifiers {
            let (row, n) = match modifier {
                Modifier::Keep(Keep::High, Arg::Number(n)) => (&prim::LARGEST, n),
                Modifier::Keep(Keep::Low, Arg::Number(n)) => (&prim::LEAST, n),
                Modifier::Keep(Keep::ButHigh, Arg::Number(n)) => (&prim::BUT_LARGEST, n),
                Modifier::Keep(Keep::ButLow, Arg::Number(n)) => (&prim::BUT_LEAST, n),
                Modifier::Sort(_) => continue,
                _ => return Mistake::new(*at, "dice of an expression can only be kept or dropped").fail(),
            };
            pool = self.kit.put(span, two(row, build::at(*at, *n), pool));
        }
        let kept = self.kit.slot("dice");
        let slots: Vec<Slot> = terms.iter().map(|_| self.kit.slot("total")).collect();
        let known = self.rolled.len();
        self.rolled.extend(terms.iter().copied().zip(slots.iter().copied()));
        let body = self.number_of(inside);
        self.rolled.truncate(known);
        let mut body = body?;
        for (tag, slot) in (0..).zip(slots) {
            let total = sum(one(&prim::FIRSTS, two(&prim::HAVING, tag, kept)));
            body = self.kit.put(span, bind(slot, total, body));
        }
        Ok(self.typed(span, bind(kept, pool, body)))
    }

    /// The variable with the total of these dice.
    pub(super) fn rolled_before(&self, id: NodeId) -> Option<Slot> {
        self.rolled.iter().rev().find(|(known, _)| *known == id).map(|(_, slot)| *slot)
    }

    /// Each die with the number of its term.
    fn tagged(&mut self, term: NodeId, tag: i64) -> Parsed<TermId> {
        let tree = self.tree;
        let span = tree.nodes.own(term);
        let pool = match tree.nodes.expr(term) {
            Expr::Infix(_, left, right) => {
                let pools = [*left, *right].map(|side| self.tagged(side, tag));
                let pools = pools.into_iter().collect::<Parsed<Vec<TermId>>>()?;
                return Ok(self.kit.put(span, all(&prim::COLLECT, pools)));
            }
            Expr::Dice(dice) => self.members(span, dice)?,
            _ => return self.number_of(term),
        };
        let slot = self.kit.slot("die");
        Ok(self.kit.put(span, each(slot, pool, two(&prim::TUPLE, slot, tag))))
    }

    fn is_sum_of_dice(&self, mut id: NodeId) -> bool {
        loop {
            match self.tree.nodes.expr(id) {
                Expr::Infix(Infix::Plus, left, right) if matches!(self.tree.nodes.expr(*right), Expr::Dice(_)) => {
                    id = *left;
                }
                expr => return matches!(expr, Expr::Dice(_)),
            }
        }
    }

    /// The dice terms of an expression in the order written, but for those that are the number of others.
    fn dice_inside(&self, inside: NodeId) -> Vec<NodeId> {
        let (mut found, mut todo) = (Vec::new(), vec![inside]);
        while let Some(id) = todo.pop() {
            match self.tree.nodes.expr(id) {
                Expr::Dice(_) => found.push(id),
                // Which of two terms that are added a die belongs to changes nothing.
                Expr::Infix(Infix::Plus, ..) if self.is_sum_of_dice(id) => found.push(id),
                Expr::Label(inner, _) | Expr::Prefix(_, inner) => todo.push(*inner),
                Expr::Infix(_, left, right) => todo.extend([*right, *left]),
                Expr::Call(_, args) => todo.extend(args.iter().rev()),
                _ => {}
            }
        }
        found
    }
}
