//! Operators on pools: what stays, what changes, and the number a pool comes to.

use super::super::operator::{Does, Infix, Reduce};
use super::super::sort::Sort;
use super::{Lowering, Typed, told, typed};
use crate::build::{Number, as_number, bind, compare, count, each, either, gather, one, sum, those, two};
use crate::mistake::Parsed;
use tumble_core::prim::Interval;
use tumble_core::{Compare, Prim, Span, TermId, Value, prim};

impl Lowering<'_> {
    /// `C p`, `N p`, `S p`
    pub(super) fn reduce(&mut self, span: Span, reduce: &Reduce, value: Typed) -> Parsed<Typed> {
        if !value.sort.may_be(reduce.takes) {
            return self.no_pool(value, reduce.sign);
        }
        let pool = self.term(value);
        Ok(self.prim(span, (reduce.core, Sort::NUMBER), vec![pool], &[value.pool()]))
    }

    /// `p pa y` and so on: a pool on the left, a number on the right.
    pub(super) fn pool_operator(&mut self, span: Span, op: &Infix, left: Typed, right: Typed) -> Parsed<Typed> {
        let sign = op.sign;
        if !left.sort.may_be(Sort::POOL.or(Sort::MIXED)) {
            return self.no_pool(left, sign);
        }
        let pool = self.numbers(op, left);
        if op.does == Does::Botches {
            return self.botches(span, pool, right, left.ranked);
        }
        let number = self.number(right, sign)?;
        let (Does::Pool(row) | Does::Count(row)) = op.does else { return Ok(self.sum_success(span, pool, number)) };
        let kept = self.ordered(span, row, pool, number, right.known.is_some());
        if op.does == Does::Count(row) {
            return Ok(self.prim(span, (&prim::COUNT, Sort::NUMBER), vec![kept], &[left.pool()]));
        }
        let ranked = left.ranked || ranks(op);
        let bounds = told(row, &[right.number(), left.pool()]);
        Ok(Typed { ranked, ..typed(span, kept, Sort::POOL, bounds) })
    }

    /// The rows that compare members with each other do not ask what they are, so the roll is made to.
    fn numbers(&mut self, op: &Infix, pool: Typed) -> TermId {
        let term = self.term(pool);
        if pool.sort.is_only(Sort::POOL) || !ranks(op) {
            return term;
        }
        self.kit.put(pool.span, two(&prim::CAP, i64::MAX, term))
    }

    /// A row that takes the number first; what is written first is still rolled first.
    fn ordered(&mut self, span: Span, row: &'static Prim, pool: TermId, number: TermId, known: bool) -> TermId {
        if known {
            return self.kit.put(span, two(row, number, pool));
        }
        let slot = self.kit.slot("pool");
        self.kit.put(span, bind(slot, pool, two(row, number, slot)))
    }

    /// `p nb y`: members of at least y, less those that equal 1
    fn botches(&mut self, span: Span, pool: TermId, number: Typed, ranked: bool) -> Parsed<Typed> {
        let count = if ranked { Self::counts } else { Self::scores };
        let term = if let Some(n) = number.known {
            count(self, span, pool, Number::Known(n))
        } else {
            let (rolled, least) = (self.kit.slot("pool"), self.kit.slot("least"));
            let number = self.number(number, "nb")?;
            let members = self.kit.put(span, rolled);
            let counted = count(self, span, members, Number::Rolled(least));
            self.kit.put(span, bind(rolled, pool, bind(least, number, counted)))
        };
        Ok(typed(span, term, Sort::NUMBER, Interval::ALL))
    }

    /// Two counts of the same pool: the way for members that depend on each other.
    fn counts(&mut self, span: Span, pool: TermId, least: Number) -> TermId {
        let slot = self.kit.slot("pool");
        let good = count(those(Compare::AtLeast, least, slot));
        let bad = count(those(Compare::Equal, 1, slot));
        self.kit.put(span, bind(slot, pool, two(&prim::SUB, good, bad)))
    }

    /// The sum of what each member scores: the way for members that do not. A member above the larger of `least` and 2
    /// scores what that number does, so that exploding dice have only finitely many cases.
    fn scores(&mut self, span: Span, pool: TermId, least: Number) -> TermId {
        let slot = self.kit.slot("member");
        let most = match least {
            Number::Known(n) => self.kit.put(span, n.max(2)),
            least => self.kit.put(span, one(&prim::ONLY, two(&prim::LIFT, 2, gather(least)))),
        };
        let good = as_number(compare(Compare::AtMost, least, slot));
        let bad = as_number(compare(Compare::Equal, 1, slot));
        let scores = each(slot, two(&prim::CAP, most, pool), two(&prim::SUB, good, bad));
        self.kit.put(span, sum(gather(scores)))
    }

    /// `p ss y`
    fn sum_success(&mut self, span: Span, pool: TermId, number: TermId) -> Typed {
        let [yes, no] = ["success", "failure"].map(Value::text);
        let word = either(compare(Compare::AtLeast, sum(pool), number), yes, no);
        typed(span, self.kit.put(span, word), Sort::TEXT, Interval::ALL)
    }
}

/// Whether it keeps the highest or lowest members.
fn ranks(op: &Infix) -> bool {
    [Does::Pool(&prim::LARGEST), Does::Pool(&prim::LEAST)].contains(&op.does)
}
