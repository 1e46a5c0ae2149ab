//! Operators on pools: what stays, what changes, and the number a pool comes to.

use super::super::mistake::Parsed;
use super::super::sort::Sort;
use super::super::syntax::{Infix, Reduce};
use super::dice::Part;
use super::{Lowering, Typed, told, typed};
use tumble_core::prim::Interval;
use tumble_core::{Compare, Prim, Span, Term, TermId, Value, prim};

impl Lowering<'_> {
    /// `C p`, `N p`, `S p`
    pub(super) fn reduce(&mut self, span: Span, reduce: Reduce, value: Typed) -> Parsed<Typed> {
        let row = reduce.row();
        if !value.sort.may_be(row.takes) {
            return self.no_pool(value, row.sign);
        }
        let pool = self.term(value);
        Ok(self.prim(span, (row.core, Sort::NUMBER), vec![pool], &[value.pool()]))
    }

    /// `p pa y` and so on: a pool on the left, a number on the right.
    pub(super) fn pool_operator(&mut self, span: Span, op: Infix, left: Typed, right: Typed) -> Parsed<Typed> {
        let sign = op.row().sign;
        if !left.sort.may_be(Sort::POOL.or(Sort::MIXED)) {
            return self.no_pool(left, sign);
        }
        let pool = self.numbers(op, left);
        if op == Infix::Botches {
            return self.botches(span, pool, right, left.ranked);
        }
        let number = self.number(right, sign)?;
        if op == Infix::SumSuccess {
            return Ok(self.sum_success(span, pool, number));
        }
        let row = op.row().core.unwrap_or(&prim::UNEQUAL);
        let kept = self.ordered(span, row, pool, number, right.known.is_some());
        if op == Infix::Successes {
            return Ok(self.prim(span, (&prim::COUNT, Sort::NUMBER), vec![kept], &[left.pool()]));
        }
        let ranked = left.ranked || matches!(op, Infix::High | Infix::Low);
        let bounds = told(row, &[right.number(), left.pool()]);
        Ok(Typed { ranked, ..typed(span, kept, Sort::POOL, bounds) })
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
    fn botches(&mut self, span: Span, pool: TermId, number: Typed, ranked: bool) -> Parsed<Typed> {
        let count = if ranked { Self::counts } else { Self::scores };
        let term = if let Some(n) = number.known {
            count(self, span, pool, Part::Known(n))
        } else {
            let (rolled, least) = (self.kit.slot("pool"), self.kit.slot("least"));
            let number = self.number(number, "nb")?;
            let members = self.kit.var(span, rolled);
            let counted = count(self, span, members, Part::Bound(least));
            let inner = self.kit.bind(span, least, number, counted);
            self.kit.bind(span, rolled, pool, inner)
        };
        Ok(typed(span, term, Sort::NUMBER, Interval::ALL))
    }

    /// Two counts of the same pool: the way for members that depend on each other.
    fn counts(&mut self, span: Span, pool: TermId, least: Part) -> TermId {
        let slot = self.kit.slot("pool");
        let (least, for_good) = (self.again(span, least), self.kit.var(span, slot));
        let (one, for_bad) = (self.kit.int(span, 1), self.kit.var(span, slot));
        let good = self.kit.prim(span, &prim::AT_MOST, vec![least, for_good]);
        let bad = self.kit.prim(span, &prim::EQUAL, vec![one, for_bad]);
        let [good, bad] = [good, bad].map(|members| self.kit.prim(span, &prim::COUNT, vec![members]));
        let less = self.kit.prim(span, &prim::SUB, vec![good, bad]);
        self.kit.bind(span, slot, pool, less)
    }

    /// The sum of what each member scores: the way for members that do not. A member above the larger of `least` and 2
    /// scores what that number does, so that exploding dice have only finitely many cases.
    fn scores(&mut self, span: Span, pool: TermId, least: Part) -> TermId {
        let slot = self.kit.slot("member");
        let most = self.at_least_two(span, least);
        let (least, for_good) = (self.again(span, least), self.kit.var(span, slot));
        let good = self.kit.compare(span, Compare::AtMost, least, for_good);
        let good = self.kit.as_number(span, good);
        let (one, for_bad) = (self.kit.int(span, 1), self.kit.var(span, slot));
        let bad = self.kit.compare(span, Compare::Equal, one, for_bad);
        let bad = self.kit.as_number(span, bad);
        let body = self.kit.prim(span, &prim::SUB, vec![good, bad]);
        let pool = self.kit.prim(span, &prim::CAP, vec![most, pool]);
        let each = self.kit.add(span, Term::ForEach { slot, pool, body });
        let scores = self.kit.prim(span, &prim::GATHER, vec![each]);
        self.kit.sum(span, scores)
    }

    fn at_least_two(&mut self, span: Span, part: Part) -> TermId {
        if let Part::Known(n) = part {
            return self.kit.int(span, n.max(2));
        }
        let (two, number) = (self.kit.int(span, 2), self.again(span, part));
        let pool = self.kit.prim(span, &prim::GATHER, vec![number]);
        let lifted = self.kit.prim(span, &prim::LIFT, vec![two, pool]);
        self.kit.prim(span, &prim::ONLY, vec![lifted])
    }

    /// `p ss y`
    fn sum_success(&mut self, span: Span, pool: TermId, number: TermId) -> Typed {
        let sum = self.kit.sum(span, pool);
        let test = self.kit.compare(span, Compare::AtLeast, sum, number);
        let [yes, no] = ["success", "failure"].map(|word| self.kit.lit(span, Value::text(word)));
        typed(span, self.kit.either(span, test, yes, no), Sort::TEXT, Interval::ALL)
    }
}
