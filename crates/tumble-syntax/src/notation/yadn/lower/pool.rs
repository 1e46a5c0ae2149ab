//! Operators on pools: what stays, what changes, and the number a pool comes to.

use super::super::mistake::Parsed;
use super::super::sort::{Bounds, Sort};
use super::super::syntax::{Infix, Reduce};
use super::{Lowering, Typed, typed};
use crate::kit::Compare;
use tumble_core::{Prim, Span, TermId, Value, prim};

impl Lowering<'_> {
    /// `C p`, `N p`, `S p`
    pub(super) fn reduce(&mut self, span: Span, reduce: Reduce, value: Typed) -> Parsed<Typed> {
        let (row, members) = match reduce {
            Reduce::Count => (&prim::COUNT, Sort::pools()),
            Reduce::Sum => (&prim::SUM, Sort::POOL.or(Sort::MIXED)),
            Reduce::Digits => (&prim::DIGITS, Sort::POOL.or(Sort::MIXED)),
        };
        if !value.sort.may_be(members) {
            return self.no_pool(value, reduce.sign());
        }
        let grows = reduce == Reduce::Count || value.bounds.lo >= 0;
        let bounds = if grows { Bounds::COUNT } else { Bounds::ALL };
        let pool = self.term(value);
        Ok(self.prim(span, row, vec![pool], Sort::NUMBER, bounds))
    }

    /// `p pa y` and so on: a pool on the left, a number on the right.
    pub(super) fn pool_operator(&mut self, span: Span, op: Infix, left: Typed, right: Typed) -> Parsed<Typed> {
        let sign = op.row().sign;
        if !left.sort.may_be(Sort::POOL.or(Sort::MIXED)) {
            return self.no_pool(left, sign);
        }
        let pool = self.numbers(op, left);
        let number = self.number(right, sign)?;
        match op {
            Infix::Botches => return Ok(self.botches(span, pool, number)),
            Infix::SumSuccess => return Ok(self.sum_success(span, pool, number)),
            _ => {}
        }
        let (row, bounds) = match op {
            Infix::Above | Infix::Successes => (&prim::AT_MOST, left.bounds),
            Infix::Below => (&prim::AT_LEAST, left.bounds),
            Infix::Cap => (&prim::CAP, left.bounds.least(right.bounds)),
            Infix::Floor => (&prim::LIFT, left.bounds.most(right.bounds)),
            Infix::High => (&prim::LARGEST, left.bounds),
            Infix::Low => (&prim::LEAST, left.bounds),
            Infix::EachModulo if right.bounds.lo > 0 => (&prim::EACH_MOD, Bounds::new(0, right.bounds.hi - 1)),
            Infix::EachModulo => (&prim::EACH_MOD, Bounds::ALL),
            _ => (&prim::UNEQUAL, left.bounds),
        };
        let kept = self.ordered(span, row, pool, number, right.known.is_some());
        if op == Infix::Successes {
            return Ok(self.prim(span, &prim::COUNT, vec![kept], Sort::NUMBER, Bounds::COUNT));
        }
        Ok(typed(span, kept, Sort::POOL, bounds))
    }

    /// The rows that compare members with each other do not ask what they are, so the roll is made to.
    fn numbers(&mut self, op: Infix, pool: Typed) -> TermId {
        let term = self.term(pool);
        if pool.sort.is_only(Sort::POOL) || !matches!(op, Infix::High | Infix::Low) {
            return term;
        }
        let most = self.kit.int(pool.span, i64::MAX);
        self.kit.prim(pool.span, &prim::CAP, vec![most, term])
    }

    /// A row that takes the number first; what is written first is still rolled first.
    fn ordered(&mut self, span: Span, row: &'static Prim, pool: TermId, number: TermId, known: bool) -> TermId {
        if known {
            return self.kit.prim(span, row, vec![number, pool]);
        }
        let slot = self.kit.slot("pool");
        let bound = self.kit.var(span, slot);
        let kept = self.kit.prim(span, row, vec![number, bound]);
        self.kit.bind(span, slot, pool, kept)
    }

    /// `p nb y`: members of at least y, less those that equal 1
    fn botches(&mut self, span: Span, pool: TermId, number: TermId) -> Typed {
        let slot = self.kit.slot("pool");
        let (one, for_good, for_bad) = (self.kit.int(span, 1), self.kit.var(span, slot), self.kit.var(span, slot));
        let good = self.kit.prim(span, &prim::AT_MOST, vec![number, for_good]);
        let bad = self.kit.prim(span, &prim::EQUAL, vec![one, for_bad]);
        let (good, bad) = (self.kit.prim(span, &prim::COUNT, vec![good]), self.kit.prim(span, &prim::COUNT, vec![bad]));
        let less = self.kit.prim(span, &prim::SUB, vec![good, bad]);
        typed(span, self.kit.bind(span, slot, pool, less), Sort::NUMBER, Bounds::ALL)
    }

    /// `p ss y`
    fn sum_success(&mut self, span: Span, pool: TermId, number: TermId) -> Typed {
        let sum = self.kit.sum(span, pool);
        let test = self.kit.compare(span, Compare::AtLeast, sum, number);
        let [yes, no] = ["success", "failure"].map(|word| self.kit.lit(span, Value::text(word)));
        typed(span, self.kit.either(span, test, yes, no), Sort::TEXT, Bounds::ALL)
    }
}
