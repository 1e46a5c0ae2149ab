//! Dice: how many, with how many sides, and what becomes of them.
//!
//! The number of sides is found once for all dice of a term. A negative number of dice that come to a number gives
//! the negative of what as many dice give, so that `-1d6` is the negative of `1d6`; a pool of them is a mistake. What the
//! bounds of the two numbers rule out is not checked by the roll.

use super::super::operator::Total;
use super::super::sort::Sort;
use super::{Lowering, Typed, typed};
use crate::build::{self, Build, Number, bind, compare, die, either, gather, one, sum, times, two};
use crate::mistake::{Mistake, Parsed, fail};
use tumble_core::prim::Interval;
use tumble_core::{Code, Compare, Keep, Slot, Span, Term, TermId, prim};

const ENDLESS: &str = "a die with one side would explode forever";

/// What becomes of dice, and whether they explode.
type Rolled = (Total, bool);

impl Lowering<'_> {
    /// `x dp y`, `x d y` and so on
    pub(super) fn dice(
        &mut self,
        span: Span,
        (sign, op, explodes): (&str, Total, bool),
        x: Typed,
        y: Typed,
    ) -> Parsed<Typed> {
        if explodes && y.bounds.single() == Some(1) {
            return fail(Mistake::coded(Code::Endless, span, ENDLESS));
        }
        let mut bindings = Vec::new();
        let times = self.part(x, sign, &mut bindings)?;
        let sides = self.part(y, sign, &mut bindings)?;
        let op = (op, explodes);
        let mut term = self.signed(span, op, (times, x.bounds), sides);
        if explodes && !y.bounds.apart(Interval::one(1)) {
            term = self.unless_endless(span, sides, term);
        }
        let term = self.kit.after(span, bindings, term);
        let bounds = rolled_bounds(op, x.bounds, y.bounds);
        let sort = if op.0 == Total::Pool { Sort::POOL } else { Sort::NUMBER };
        Ok(typed(span, term, sort, bounds))
    }

    /// A number written out stays what it is; any other is found once.
    fn part(&mut self, value: Typed, sign: &str, bindings: &mut Vec<(Slot, TermId)>) -> Parsed<Number> {
        if let Some(known) = value.known {
            return Ok(Number::Known(known));
        }
        let term = self.number(value, sign)?;
        let slot = self.kit.slot("n");
        bindings.push((slot, term));
        Ok(Number::Rolled(slot))
    }

    /// The dice, whatever the sign of their number is.
    fn signed(&mut self, span: Span, op: Rolled, (times, bounds): (Number, Interval), sides: Number) -> TermId {
        let least = i64::from(!matches!(op.0, Total::Pool | Total::Sum));
        let pool = op.0 == Total::Pool;
        if let Number::Known(n) = times {
            return match n {
                _ if n < 0 && pool => self.too_few(span, op.0),
                _ if n < 0 => {
                    let dice = self.rolled(span, op, Number::Known(n.saturating_neg()), sides, false);
                    self.kit.put(span, one(&prim::NEG, dice))
                }
                _ if n < least => self.too_few(span, op.0),
                _ => self.rolled(span, op, times, sides, false),
            };
        }
        let mut term = self.rolled(span, op, times, sides, false);
        if !bounds.from(least) {
            let other = self.too_few(span, op.0);
            term = self.kit.put(span, either(compare(Compare::AtLeast, times, least), term, other));
        }
        if !bounds.from(0) && !pool {
            let dice = self.rolled(span, op, times, sides, true);
            term = self.kit.put(span, either(compare(Compare::Less, times, 0), one(&prim::NEG, dice), term));
        }
        term
    }

    /// `times` dice, or as many as the negative of that.
    fn rolled(&mut self, span: Span, op: Rolled, times: Number, sides: Number, negative: bool) -> TermId {
        if let (Number::Known(n), (Total::Wild, _)) = (times, op) {
            return self.wild(span, n - 1, sides);
        }
        let count = if negative { self.kit.put(span, one(&prim::NEG, times)) } else { self.kit.put(span, times) };
        if op.0 == Total::Wild {
            self.wild(span, two(&prim::SUB, count, 1), sides)
        } else {
            self.pooled(span, op, count, sides)
        }
    }

    /// A pool of dice, and what the operator makes of it.
    fn pooled(&mut self, span: Span, (op, explodes): Rolled, count: TermId, sides: Number) -> TermId {
        let die = if explodes { self.exploding_die(span, sides) } else { self.kit.put(span, die(1, sides)) };
        let pool = self.kit.put(span, times(count, die));
        match op {
            Total::Sum => self.kit.put(span, sum(pool)),
            Total::Digits => self.kit.put(span, one(&prim::DIGITS, two(&prim::EACH_MOD, 10, pool))),
            Total::Highest => self.kit.put(span, one(&prim::ONLY, two(&prim::LARGEST, 1, pool))),
            Total::Lowest => self.kit.put(span, one(&prim::ONLY, two(&prim::LEAST, 1, pool))),
            Total::Pool | Total::Wild => pool,
        }
    }

    /// A die that explodes and `others` plain ones: nothing if the first shows a 1. How it explodes is used only once,
    /// so that the mean of the total is known.
    fn wild(&mut self, span: Span, others: impl Build, sides: Number) -> TermId {
        let [wild, more, rest] = ["wild", "more", "others"].map(|name| self.kit.slot(name));
        let exploding = self.exploding_die(span, sides);
        let total = two(&prim::ADD, two(&prim::ADD, wild, more), rest);
        let term = either(compare(Compare::Equal, wild, 1), 0, total);
        let term = bind(rest, sum(times(others, die(1, sides))), term);
        let again = either(compare(Compare::Equal, wild, sides), exploding, 0);
        self.kit.put(span, bind(wild, die(1, sides), bind(more, again, term)))
    }

    /// The total of a die that is rolled again whenever it shows its highest face.
    fn exploding_die(&mut self, span: Span, sides: Number) -> TermId {
        let slot = self.kit.slot("face");
        let (body, stop) = (self.kit.put(span, die(1, sides)), compare(Compare::Unequal, slot, sides));
        let stop = self.kit.put(span, stop);
        let rolls = Term::Until { slot, first: None, body, stop, most: None, keep: Keep::All };
        self.kit.put(span, sum(gather(rolls)))
    }

    fn unless_endless(&mut self, span: Span, sides: Number, term: TermId) -> TermId {
        let stop = build::fail(Code::Endless, "", ENDLESS, "");
        self.kit.put(span, either(compare(Compare::Equal, sides, 1), stop, term))
    }

    /// Not enough dice for what is asked of them.
    fn too_few(&mut self, span: Span, op: Total) -> TermId {
        let message = match op {
            Total::Digits => "there are no dice to join the digits of",
            Total::Highest => "there are no dice to take the highest of",
            Total::Lowest => "there are no dice to take the lowest of",
            Total::Wild => "a roll with a wild die needs at least one die",
            Total::Pool | Total::Sum => "a pool can't have a negative number of dice",
        };
        self.kit.put(span, build::fail(Code::Runtime, "", message, ""))
    }
}

/// What dice can come to; of a pool, each of them.
fn rolled_bounds(op: Rolled, x: Interval, y: Interval) -> Interval {
    let above = |lo: i64| Interval { lo: Some(lo), hi: None };
    let sides = Interval { hi: y.hi.map(|hi| hi.max(1)), ..above(1) };
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    let total = |each: Interval| each.summed(x.lo.map_or(0, count), x.hi.map(count));
    match op {
        (Total::Pool, false) => sides,
        (Total::Pool, true) => above(1),
        _ if !x.from(0) => Interval::ALL,
        (Total::Highest | Total::Lowest, _) => sides,
        (Total::Sum, false) => total(sides),
        (Total::Sum, true) => total(above(1)),
        (Total::Digits | Total::Wild, _) => above(0),
    }
}
