//! Dice: how many, with how many sides, and what becomes of them.
//!
//! The number of sides is found once for all dice of a term. A negative number of dice that come to a number gives
//! the negative of what as many dice give, so that `-1d6` is the negative of `1d6`; a pool of them is a mistake. What the
//! bounds of the two numbers rule out is not checked by the roll.

use super::super::mistake::{Mistake, Parsed, fail};
use super::super::operator::DICE_LEVEL;
use super::super::sort::Sort;
use super::super::syntax::Infix;
use super::{Lowering, Typed, typed};
use tumble_core::prim::Interval;
use tumble_core::{Code, Compare, Faces, Keep, Slot, Span, Term, TermId, prim};

/// A number that may be needed several times.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Known(i64),
    Bound(Slot),
}

const ENDLESS: &str = "a die with one side would explode forever";

impl Lowering<'_> {
    /// `x dp y`, `x d y` and so on
    pub(super) fn dice(&mut self, span: Span, op: Infix, x: Typed, y: Typed) -> Parsed<Typed> {
        let sign = op.row().sign;
        if op.explodes() && y.bounds.single() == Some(1) {
            return fail(Mistake::coded(Code::Endless, span, ENDLESS));
        }
        let mut bindings = Vec::new();
        let times = self.part(x, sign, &mut bindings)?;
        let sides = self.part(y, sign, &mut bindings)?;
        let mut term = self.signed(span, op, (times, x.bounds), sides);
        if op.explodes() && !y.bounds.apart(Interval::one(1)) {
            term = self.unless_endless(span, sides, term);
        }
        for (slot, value) in bindings.into_iter().rev() {
            term = self.kit.bind(span, slot, value, term);
        }
        let bounds = rolled_bounds(op, x.bounds, y.bounds);
        let sort = if op.row().level == DICE_LEVEL { Sort::NUMBER } else { Sort::POOL };
        Ok(typed(span, term, sort, bounds))
    }

    /// A number written out stays what it is; any other is found once.
    fn part(&mut self, value: Typed, sign: &str, bindings: &mut Vec<(Slot, TermId)>) -> Parsed<Part> {
        if let Some(known) = value.known {
            return Ok(Part::Known(known));
        }
        let term = self.number(value, sign)?;
        let slot = self.kit.slot("n");
        bindings.push((slot, term));
        Ok(Part::Bound(slot))
    }

    pub(super) fn again(&mut self, span: Span, part: Part) -> TermId {
        match part {
            Part::Known(n) => self.kit.int(span, n),
            Part::Bound(slot) => self.kit.var(span, slot),
        }
    }

    /// The dice, whatever the sign of their number is.
    fn signed(&mut self, span: Span, op: Infix, (times, bounds): (Part, Interval), sides: Part) -> TermId {
        let least = i64::from(!matches!(op, Infix::Pool | Infix::ExplodingPool | Infix::Dice | Infix::Exploding));
        let pool = op.row().level != DICE_LEVEL;
        if let Part::Known(n) = times {
            return match n {
                _ if n < 0 && pool => self.too_few(span, op),
                _ if n < 0 => {
                    let dice = self.rolled(span, op, Part::Known(n.saturating_neg()), sides, false);
                    self.kit.prim(span, &prim::NEG, vec![dice])
                }
                _ if n < least => self.too_few(span, op),
                _ => self.rolled(span, op, times, sides, false),
            };
        }
        let mut term = self.rolled(span, op, times, sides, false);
        if !bounds.from(least) {
            let (n, least) = (self.again(span, times), self.kit.int(span, least));
            let test = self.kit.compare(span, Compare::AtLeast, n, least);
            let other = self.too_few(span, op);
            term = self.kit.either(span, test, term, other);
        }
        if !bounds.from(0) && !pool {
            let (n, zero) = (self.again(span, times), self.kit.int(span, 0));
            let test = self.kit.compare(span, Compare::Less, n, zero);
            let dice = self.rolled(span, op, times, sides, true);
            let negative = self.kit.prim(span, &prim::NEG, vec![dice]);
            term = self.kit.either(span, test, negative, term);
        }
        term
    }

    /// `times` dice, or as many as the negative of that.
    fn rolled(&mut self, span: Span, op: Infix, times: Part, sides: Part, negative: bool) -> TermId {
        if let (Part::Known(n), Infix::Wild) = (times, op) {
            let others = self.kit.int(span, n - 1);
            return self.wild(span, others, sides);
        }
        let mut count = self.again(span, times);
        if negative {
            count = self.kit.prim(span, &prim::NEG, vec![count]);
        }
        if op != Infix::Wild {
            return self.pooled(span, op, count, sides);
        }
        let one = self.kit.int(span, 1);
        let others = self.kit.prim(span, &prim::SUB, vec![count, one]);
        self.wild(span, others, sides)
    }

    /// A pool of dice, and what the operator makes of it.
    fn pooled(&mut self, span: Span, op: Infix, times: TermId, sides: Part) -> TermId {
        let die = if op.explodes() { self.exploding_die(span, sides) } else { self.die(span, sides) };
        let pool = self.kit.times(span, times, die);
        match op {
            Infix::Dice | Infix::Exploding => self.kit.sum(span, pool),
            Infix::Concat => {
                let ten = self.kit.int(span, 10);
                let last = self.kit.prim(span, &prim::EACH_MOD, vec![ten, pool]);
                self.kit.prim(span, &prim::DIGITS, vec![last])
            }
            Infix::Highest | Infix::Lowest => {
                let row = if op == Infix::Highest { &prim::LARGEST } else { &prim::LEAST };
                let one = self.kit.int(span, 1);
                let best = self.kit.prim(span, row, vec![one, pool]);
                self.kit.prim(span, &prim::ONLY, vec![best])
            }
            _ => pool,
        }
    }

    /// A die that explodes and `others` plain ones: nothing if the first shows a 1. How it explodes is used only once,
    /// so that the mean of the total is known.
    fn wild(&mut self, span: Span, others: TermId, sides: Part) -> TermId {
        let [wild, more, rest] = ["wild", "more", "others"].map(|name| self.kit.slot(name));
        let (first, again, die) = (self.die(span, sides), self.exploding_die(span, sides), self.die(span, sides));
        let (seen, highest) = (self.kit.var(span, wild), self.again(span, sides));
        let explodes = self.kit.compare(span, Compare::Equal, seen, highest);
        let none = self.kit.int(span, 0);
        let again = self.kit.either(span, explodes, again, none);
        let pool = self.kit.times(span, others, die);
        let others = self.kit.sum(span, pool);
        let (seen, one, zero) = (self.kit.var(span, wild), self.kit.int(span, 1), self.kit.int(span, 0));
        let botched = self.kit.compare(span, Compare::Equal, seen, one);
        let [wild_die, exploded, plain] = [wild, more, rest].map(|slot| self.kit.var(span, slot));
        let total = self.kit.prim(span, &prim::ADD, vec![wild_die, exploded]);
        let total = self.kit.prim(span, &prim::ADD, vec![total, plain]);
        let mut term = self.kit.either(span, botched, zero, total);
        for (slot, value) in [(rest, others), (more, again), (wild, first)] {
            term = self.kit.bind(span, slot, value, term);
        }
        term
    }

    fn die(&mut self, span: Span, sides: Part) -> TermId {
        let (lo, hi) = (self.kit.int(span, 1), self.again(span, sides));
        self.kit.add(span, Term::Draw { faces: Faces::Range { lo, hi } })
    }

    /// The total of a die that is rolled again whenever it shows its highest face.
    fn exploding_die(&mut self, span: Span, sides: Part) -> TermId {
        let slot = self.kit.slot("face");
        let body = self.die(span, sides);
        let (face, highest) = (self.kit.var(span, slot), self.again(span, sides));
        let stop = self.kit.compare(span, Compare::Unequal, face, highest);
        let rolls = Term::Until { slot, first: None, body, stop, most: None, keep: Keep::All };
        let list = self.kit.add(span, rolls);
        let pool = self.kit.prim(span, &prim::GATHER, vec![list]);
        self.kit.sum(span, pool)
    }

    fn unless_endless(&mut self, span: Span, sides: Part, term: TermId) -> TermId {
        let (n, one) = (self.again(span, sides), self.kit.int(span, 1));
        let test = self.kit.compare(span, Compare::Equal, n, one);
        let stop = self.kit.fail(span, Code::Endless, "", ENDLESS, "");
        self.kit.either(span, test, stop, term)
    }

    /// Not enough dice for what is asked of them.
    fn too_few(&mut self, span: Span, op: Infix) -> TermId {
        let message = match op {
            Infix::Concat => "there are no dice to join the digits of",
            Infix::Highest => "there are no dice to take the highest of",
            Infix::Lowest => "there are no dice to take the lowest of",
            Infix::Wild => "a roll with a wild die needs at least one die",
            _ => "a pool can't have a negative number of dice",
        };
        self.kit.fail(span, Code::Runtime, "", message, "")
    }
}

/// What dice can come to; of a pool, each of them.
fn rolled_bounds(op: Infix, x: Interval, y: Interval) -> Interval {
    let above = |lo: i64| Interval { lo: Some(lo), hi: None };
    let sides = Interval { hi: y.hi.map(|hi| hi.max(1)), ..above(1) };
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    let total = |each: Interval| each.summed(x.lo.map_or(0, count), x.hi.map(count));
    match op {
        Infix::Pool => sides,
        Infix::ExplodingPool => above(1),
        _ if !x.from(0) => Interval::ALL,
        Infix::Highest | Infix::Lowest => sides,
        Infix::Dice => total(sides),
        Infix::Exploding => total(above(1)),
        Infix::Concat | Infix::Wild => above(0),
        _ => Interval::ALL,
    }
}
