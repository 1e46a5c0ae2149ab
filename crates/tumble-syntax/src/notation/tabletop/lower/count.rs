//! Dice that are counted: successes less failures, even and odd dice, faces that match.
//!
//! ```text
//! 5d10cs>=8cf=1   sum(gather(foreach d in … do gather(if d >= 8 then 1 else 0, if d = 1 then -1 else 0)))
//! 4d6mt3          sum(gather(foreach f in 1..6 do if count(f = …) >= 3 then 1 else 0))
//! ```

use super::super::syntax::{Deduct, Modifier, Test};
use super::Lowering;
use super::dice::{Die, Number, Throw, compares};
use crate::build::{all, and, as_number, bind, compare, count, each, either, gather, one, sum, those, two};
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Compare, Slot, TermId, prim};

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
}
