//! Dice that are counted: successes less failures, even and odd dice, faces that match.
//!
//! ```text
//! 5d10cs>=8cf=1   sum(gather(foreach d in … do gather(if d >= 8 then 1 else 0, if d = 1 then -1 else 0)))
//! 4d10 f1 t8 c    let p = … in least(count(10 = p), count(1 = p)) + count(8 <= p) - count(1 >= p)
//! 4d6mt3          sum(gather(foreach f in 1..6 do if count(f = …) >= 3 then 1 else 0))
//! ```

use super::super::syntax::{Deduct, Modifier, Test, Together};
use super::Lowering;
use super::dice::{Die, Number, Throw, compares};
use super::expr::best;
use crate::build::{Build, all, and, as_number, bind, compare, count, each, either, gather, one, sum, those, two};
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Compare, Slot, Span, TermId, prim};

impl Lowering<'_> {
    /// How many faces are shown by at least so many dice.
    fn matching(&mut self, throw: &mut Throw, alike: i64, test: Option<&Test>) -> Parsed<TermId> {
        let (span, message) = (throw.span, "matching dice need a plain number of sides");
        let Die::Range(Number::Known(low), Number::Known(high)) = throw.die else {
            return Mistake::new(span, message).fail();
        };
        let number = test.map(|test| self.argument(throw, &test.arg)).transpose()?;
        let (pool, dice, face) = (self.pool(throw), self.kit.slot("dice"), self.kit.slot("face"));
        let shown = self.kit.slot("times");
        let mut holds = self.kit.put(span, compare(Compare::AtLeast, shown, alike));
        if let (Some(test), Some(number)) = (test, number) {
            holds = self.kit.put(span, and(compares(face, test.by, number), holds));
        }
        // The 1 is made from the count, so that a roll shows which dice match.
        let score = bind(shown, count(two(&prim::EQUAL, face, dice)), either(holds, one(&prim::SIGN, shown), 0));
        let scores = each(face, two(&prim::RANGE, low, high), score);
        Ok(self.kit.put(span, bind(dice, one(&prim::BAG, pool), sum(gather(scores)))))
    }

    /// Successes less failures.
    pub(super) fn counted(&mut self, throw: &mut Throw, counts: &[&Modifier]) -> Parsed<TermId> {
        let span = throw.span;
        if let [Modifier::Successes(test, weights)] = counts
            && weights.is_empty()
        {
            let number = self.argument(throw, &test.arg)?;
            let pool = self.pool(throw);
            return Ok(self.kit.put(span, count(those(test.by, number, pool))));
        }
        if let [Modifier::Matches(alike, test)] = counts {
            return self.matching(throw, *alike, test.as_ref());
        }
        let together = counts.iter().find_map(|count| match count {
            Modifier::Together(what) => Some(*what),
            _ => None,
        });
        if let Some(what) = together {
            return self.together(throw, counts, what);
        }
        let slot = self.kit.slot("die");
        let deducts = |count: &&Modifier| matches!(count, Modifier::Deduct(..));
        let (deducted, counts): (Vec<&Modifier>, Vec<&Modifier>) = counts.iter().copied().partition(deducts);
        let mut scores = Vec::new();
        for count in &counts {
            scores.push(self.score(throw, slot, count)?);
        }
        if counts.is_empty() {
            scores.push(self.kit.put(span, slot));
        }
        let mut body = self.kit.put(span, all(&prim::GATHER, scores));
        for count in deducted.into_iter().rev() {
            body = self.deducted(throw, slot, count, body)?;
        }
        let pool = self.pool(throw);
        Ok(self.kit.put(span, sum(gather(each(slot, pool, body)))))
    }

    /// What a die in a variable counts.
    pub(super) fn score(&mut self, throw: &mut Throw, slot: Slot, count: &Modifier) -> Parsed<TermId> {
        let span = throw.span;
        let (test, weights, worth) = match count {
            Modifier::Successes(test, weights) => (test, weights.as_slice(), 1),
            Modifier::Failures(test) => (test, &[][..], -1),
            Modifier::Parity(even) => {
                let odd = i64::from(!*even);
                return Ok(self.kit.put(span, as_number(compare(Compare::Equal, odd, two(&prim::MOD, slot, 2)))));
            }
            _ => return Ok(self.kit.put(span, 0)),
        };
        let number = self.argument(throw, &test.arg)?;
        let mut score = self.kit.put(span, either(compares(slot, test.by, number), worth, 0));
        for (test, worth) in weights.iter().rev() {
            let number = self.argument(throw, &test.arg)?;
            score = self.kit.put(span, either(compares(slot, test.by, number), *worth, score));
        }
        Ok(score)
    }

    /// What a die in a variable counts if it is taken away, else what it counts anyway.
    fn deducted(&mut self, throw: &mut Throw, slot: Slot, count: &Modifier, other: TermId) -> Parsed<TermId> {
        let Modifier::Deduct(deduct, test) = count else { return Ok(other) };
        let (span, number) = (throw.span, self.argument(throw, &test.arg)?);
        let less = match deduct {
            Deduct::One => self.kit.put(span, gather(-1)),
            Deduct::Face => self.opposite(span, slot),
        };
        Ok(self.kit.put(span, either(compares(slot, test.by, number), less, other)))
    }

    /// Dice that are counted one by one and together.
    pub(super) fn together(&mut self, throw: &mut Throw, counts: &[&Modifier], what: Together) -> Parsed<TermId> {
        let span = throw.span;
        let mut tests = Vec::new();
        for count in counts {
            match count {
                Modifier::Successes(test, _) => tests.push((test.by, self.argument(throw, &test.arg)?, &prim::ADD)),
                Modifier::Failures(test) => tests.push((test.by, self.argument(throw, &test.arg)?, &prim::SUB)),
                _ => {}
            }
        }
        let (pool, dice) = (self.pool(throw), self.kit.slot("dice"));
        let mut result = self.worth(span, dice, what);
        for (by, number, row) in tests {
            result = self.kit.put(span, two(row, result, found(dice, by, number)));
        }
        Ok(self.kit.put(span, bind(dice, pool, result)))
    }

    /// What dice in a variable are worth together.
    fn worth(&mut self, span: Span, dice: Slot, what: Together) -> TermId {
        let shown = |face: i64| found(dice, Compare::Equal, Number::Known(face));
        match what {
            Together::TensForOnes => {
                let pair = vec![self.kit.put(span, shown(10)), self.kit.put(span, shown(1))];
                self.kit.put(span, best(&prim::LEAST, pair))
            }
            Together::PairsOfTens => self.kit.put(span, two(&prim::MUL, two(&prim::DIV, shown(10), 2), 2)),
            Together::ExtraSixes => {
                let more = vec![self.kit.put(span, 0), self.kit.put(span, two(&prim::SUB, shown(6), 1))];
                let high = sum(two(&prim::LARGEST, 1, dice));
                self.kit.put(span, two(&prim::ADD, high, best(&prim::LARGEST, more)))
            }
        }
    }
}

/// How many dice in a variable compare like this with a number.
pub(super) fn found(dice: Slot, by: Compare, number: Number) -> impl Build {
    count(those(by, number, dice))
}
