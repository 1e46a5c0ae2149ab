//! Dice that count together by the rule of a game, beside what each of them counts.
//!
//! ```text
//! 4d10 f1 t8 c    let p = … in least(count(10 = p), count(1 = p)) + count(8 <= p) - count(1 >= p)
//! ```

use super::super::syntax::{Modifier, Together};
use super::Lowering;
use super::dice::{Number, Throw};
use super::expr::best;
use crate::build::{Build, bind, count, sum, those, two};
use crate::mistake::Parsed;
use tumble_core::{Compare, Slot, Span, TermId, prim};

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
