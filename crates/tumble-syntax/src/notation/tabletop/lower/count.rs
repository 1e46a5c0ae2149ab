//! Dice that are counted: successes less failures, even and odd dice, faces that match.
//!
//! ```text
//! 5d10cs>=8cf=1   sum(gather(foreach d in … do gather(if d >= 8 then 1 else 0, if d = 1 then -1 else 0)))
//! 4d6mt3          sum(gather(foreach f in 1..6 do if count(f = …) >= 3 then 1 else 0))
//! ```

use super::super::syntax::{Deduct, Modifier, Parity, Test};
use super::Lowering;
use super::dice::{Die, Number, Throw};
use crate::mistake::{Mistake, Parsed};
use tumble_core::{Slot, Span, Term, TermId, prim};

impl Lowering<'_> {
    /// How many faces are shown by at least so many dice.
    fn matching(&mut self, throw: &mut Throw, alike: i64, test: Option<&Test>) -> Parsed<TermId> {
        let (span, message) = (throw.span, "matching dice need a plain number of sides");
        let Die::Range(Number::Known(low), Number::Known(high)) = throw.die else {
            return Mistake::new(span, message).fail();
        };
        let number = test.map(|test| self.argument(throw, &test.arg)).transpose()?;
        let (pool, dice, face) = (self.pool(throw), self.kit.slot("dice"), self.kit.slot("face"));
        let (one, all) = (self.kit.var(span, face), self.kit.var(span, dice));
        let same = self.kit.prim(span, &prim::EQUAL, vec![one, all]);
        let (times, shown) = (self.kit.prim(span, &prim::COUNT, vec![same]), self.kit.slot("times"));
        let (count, alike) = (self.kit.var(span, shown), self.kit.int(span, alike));
        let mut holds = self.kit.compare(span, tumble_core::Compare::AtLeast, count, alike);
        if let (Some(test), Some(number)) = (test, number) {
            let right = self.holds(span, face, test.by, number);
            holds = self.kit.and(span, right, holds);
        }
        // The 1 is made from the count, so that a roll shows which dice match.
        let (count, none) = (self.kit.var(span, shown), self.kit.int(span, 0));
        let one = self.kit.prim(span, &prim::SIGN, vec![count]);
        let score = self.kit.either(span, holds, one, none);
        let score = self.kit.bind(span, shown, times, score);
        let (low, high) = (self.kit.int(span, low), self.kit.int(span, high));
        let faces = self.kit.prim(span, &prim::RANGE, vec![low, high]);
        let each = self.kit.add(span, Term::ForEach { slot: face, pool: faces, body: score });
        let each = self.kit.prim(span, &prim::GATHER, vec![each]);
        let sum = self.kit.sum(span, each);
        let pool = self.kit.prim(span, &prim::BAG, vec![pool]);
        Ok(self.kit.bind(span, dice, pool, sum))
    }

    /// Successes less failures.
    pub(super) fn counted(&mut self, throw: &mut Throw, counts: &[&Modifier]) -> Parsed<TermId> {
        let span = throw.span;
        if let [Modifier::Successes(test, weights)] = counts
            && weights.is_empty()
        {
            let number = self.argument(throw, &test.arg)?;
            let pool = self.pool(throw);
            let number = self.read(span, number);
            let found = self.kit.prim(span, test.by.flipped().row(), vec![number, pool]);
            return Ok(self.kit.prim(span, &prim::COUNT, vec![found]));
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
            scores.push(self.kit.var(span, slot));
        }
        let mut body = self.kit.prim(span, &prim::GATHER, scores);
        for count in deducted.into_iter().rev() {
            body = self.deducted(throw, slot, count, body)?;
        }
        let pool = self.pool(throw);
        let each = self.kit.add(span, Term::ForEach { slot, pool, body });
        let all = self.kit.prim(span, &prim::GATHER, vec![each]);
        Ok(self.kit.sum(span, all))
    }

    /// What a die in a variable counts.
    pub(super) fn score(&mut self, throw: &mut Throw, slot: Slot, count: &Modifier) -> Parsed<TermId> {
        let span = throw.span;
        let (test, weights, worth) = match count {
            Modifier::Successes(test, weights) => (test, weights.as_slice(), 1),
            Modifier::Failures(test) => (test, &[][..], -1),
            Modifier::Parity(parity) => return Ok(self.even_or_odd(span, slot, *parity)),
            _ => return Ok(self.kit.int(span, 0)),
        };
        let number = self.argument(throw, &test.arg)?;
        let holds = self.holds(span, slot, test.by, number);
        let (yes, no) = (self.kit.int(span, worth), self.kit.int(span, 0));
        let mut score = self.kit.either(span, holds, yes, no);
        for (test, worth) in weights.iter().rev() {
            let number = self.argument(throw, &test.arg)?;
            let shows = self.holds(span, slot, test.by, number);
            let worth = self.kit.int(span, *worth);
            score = self.kit.either(span, shows, worth, score);
        }
        Ok(score)
    }

    /// What a die in a variable counts if it is taken away, else what it counts anyway.
    fn deducted(&mut self, throw: &mut Throw, slot: Slot, count: &Modifier, other: TermId) -> Parsed<TermId> {
        let Modifier::Deduct(deduct, test) = count else { return Ok(other) };
        let (span, number) = (throw.span, self.argument(throw, &test.arg)?);
        let holds = self.holds(span, slot, test.by, number);
        let less = match deduct {
            Deduct::One => {
                let one = self.kit.int(span, -1);
                self.kit.prim(span, &prim::GATHER, vec![one])
            }
            Deduct::Face => {
                let die = self.kit.var(span, slot);
                self.opposite(span, die)
            }
        };
        Ok(self.kit.either(span, holds, less, other))
    }

    /// 1 for a die that is even, or odd.
    fn even_or_odd(&mut self, span: Span, slot: Slot, parity: Parity) -> TermId {
        let (die, two) = (self.kit.var(span, slot), self.kit.int(span, 2));
        let rest = self.kit.prim(span, &prim::MOD, vec![die, two]);
        let wanted = self.kit.int(span, i64::from(parity == Parity::Odd));
        let holds = self.kit.compare(span, tumble_core::Compare::Equal, wanted, rest);
        self.kit.as_number(span, holds)
    }
}
