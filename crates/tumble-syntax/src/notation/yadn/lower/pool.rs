//! Operators on pools: what stays, what changes, and the number a pool comes to.

use super::super::mistake::Parsed;
use super::super::sort::{Bounds, Sort};
use super::super::syntax::{Infix, Reduce};
use super::{Lowering, Typed, typed};
use crate::kit::Compare;
use tumble_core::{Prim, Span, Term, TermId, Value, prim};

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
        if op == Infix::Botches {
            return self.botches(span, pool, right);
        }
        let number = self.number(right, sign)?;
        if op == Infix::SumSuccess {
            return Ok(self.sum_success(span, pool, number));
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

    /// `p nb y`: each member of at least y adds 1, each that equals 1 takes 1 away
    fn botches(&mut self, span: Span, pool: TermId, number: Typed) -> Parsed<Typed> {
        let term = if let Some(n) = number.known {
            let (least, most) = (self.kit.int(span, n), self.kit.int(span, n.max(2)));
            self.scores(span, pool, least, most)
        } else {
            let (rolled, least) = (self.kit.slot("pool"), self.kit.slot("least"));
            let number = self.number(number, "nb")?;
            let (members, two, y) = (self.kit.var(span, rolled), self.kit.int(span, 2), self.kit.var(span, least));
            let most = self.kit.prim(span, &prim::GATHER, vec![y]);
            let most = self.kit.prim(span, &prim::LIFT, vec![two, most]);
            let most = self.kit.prim(span, &prim::ONLY, vec![most]);
            let least_again = self.kit.var(span, least);
            let scores = self.scores(span, members, least_again, most);
            let inner = self.kit.bind(span, least, number, scores);
            self.kit.bind(span, rolled, pool, inner)
        };
        Ok(typed(span, term, Sort::NUMBER, Bounds::ALL))
    }

    /// The sum of what each member scores. A member above `most`, the larger of `least` and 2, scores what `most`
    /// does, so that exploding dice have only finitely many cases.
    fn scores(&mut self, span: Span, pool: TermId, least: TermId, most: TermId) -> TermId {
        let slot = self.kit.slot("member");
        let (for_good, for_bad, one) = (self.kit.var(span, slot), self.kit.var(span, slot), self.kit.int(span, 1));
        let good = self.kit.compare(span, Compare::AtMost, least, for_good);
        let good = self.kit.as_number(span, good);
        let bad = self.kit.compare(span, Compare::Equal, one, for_bad);
        let bad = self.kit.as_number(span, bad);
        let body = self.kit.prim(span, &prim::SUB, vec![good, bad]);
        let pool = self.kit.prim(span, &prim::CAP, vec![most, pool]);
        let each = self.kit.add(span, Term::ForEach { slot, pool, body });
        let scores = self.kit.prim(span, &prim::GATHER, vec![each]);
        self.kit.sum(span, scores)
    }

    /// `p ss y`
    fn sum_success(&mut self, span: Span, pool: TermId, number: TermId) -> Typed {
        let sum = self.kit.sum(span, pool);
        let test = self.kit.compare(span, Compare::AtLeast, sum, number);
        let [yes, no] = ["success", "failure"].map(|word| self.kit.lit(span, Value::text(word)));
        typed(span, self.kit.either(span, test, yes, no), Sort::TEXT, Bounds::ALL)
    }
}
