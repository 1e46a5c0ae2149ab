//! Dice that count together by the rule of a game, beside what each of them counts.
//!
//! ```text
//! 4d10 f1 t8 c    let p = … in least(count(10 = p), count(1 = p)) + count(8 <= p) - count(1 >= p)
//! ```

use super::super::syntax::{Modifier, Together};
use super::Lowering;
use super::dice::{Number, Throw};
use crate::mistake::Parsed;
use tumble_core::{Slot, Span, TermId, prim};

impl Lowering<'_> {
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
            let found = self.found_in(span, dice, by, number);
            result = self.kit.prim(span, row, vec![result, found]);
        }
        Ok(self.kit.bind(span, dice, pool, result))
    }

    /// How many dice in a variable compare like this with a number.
    pub(super) fn found_in(&mut self, span: Span, dice: Slot, by: tumble_core::Compare, number: Number) -> TermId {
        let (number, all) = (self.read(span, number), self.kit.var(span, dice));
        let found = self.kit.prim(span, by.flipped().row(), vec![number, all]);
        self.kit.prim(span, &prim::COUNT, vec![found])
    }

    /// The smallest or the largest of several numbers.
    fn extreme(&mut self, span: Span, row: &'static prim::Prim, items: Vec<TermId>) -> TermId {
        let (one, all) = (self.kit.int(span, 1), self.kit.prim(span, &prim::GATHER, items));
        let found = self.kit.prim(span, row, vec![one, all]);
        self.kit.sum(span, found)
    }

    /// What dice in a variable are worth together.
    fn worth(&mut self, span: Span, dice: Slot, what: Together) -> TermId {
        let shown =
            |this: &mut Self, face: i64| this.found_in(span, dice, tumble_core::Compare::Equal, Number::Known(face));
        match what {
            Together::TensForOnes => {
                let pair = vec![shown(self, 10), shown(self, 1)];
                self.extreme(span, &prim::LEAST, pair)
            }
            Together::PairsOfTens => {
                let (tens, two, twice) = (shown(self, 10), self.kit.int(span, 2), self.kit.int(span, 2));
                let pairs = self.kit.prim(span, &prim::DIV, vec![tens, two]);
                self.kit.prim(span, &prim::MUL, vec![pairs, twice])
            }
            Together::ExtraSixes => {
                let (sixes, one, zero) = (shown(self, 6), self.kit.int(span, 1), self.kit.int(span, 0));
                let more = self.kit.prim(span, &prim::SUB, vec![sixes, one]);
                let more = self.extreme(span, &prim::LARGEST, vec![zero, more]);
                let (one, all) = (self.kit.int(span, 1), self.kit.var(span, dice));
                let high = self.kit.prim(span, &prim::LARGEST, vec![one, all]);
                let high = self.kit.sum(span, high);
                self.kit.prim(span, &prim::ADD, vec![high, more])
            }
        }
    }
}
