//! A roll made again: the same expression with the dice of last time, some of them rolled again or set by hand.
//!
//! What a script does for its options, a plain roll does for a player who may roll one die again. Dice that are known
//! keep their faces; what they newly lead to comes from the feed, then from the source.

use crate::prepared::Prepared;
use crate::script::{Dice, Edit, apply};
use tumble_core::{Diagnostic, Limits};
use tumble_roll::{Ledger, Rolled, Source};

/// What came of it.
#[derive(Debug)]
pub struct Replayed {
    /// The roll.
    pub rolled: Rolled,
    /// Every die that is known now.
    pub dice: Dice,
    /// How many values of the feed were used.
    pub fed: usize,
}

impl Prepared {
    /// Rolls with the dice of an earlier roll.
    pub fn replay<S: Source>(
        &self,
        dice: Dice,
        edits: &[Edit],
        feed: Vec<i64>,
        source: S,
        limits: &Limits,
    ) -> Result<Replayed, Diagnostic> {
        let mut ledger = Ledger::new(dice, feed, source);
        for edit in edits {
            apply(&mut ledger, edit)?;
        }
        let rolled = self.roll_from(&mut ledger, limits)?;
        let fed = ledger.fed();
        Ok(Replayed { rolled, dice: ledger.dice, fed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Dice, What, edit};
    use serde_json::json;
    use tumble_roll::Seeded;

    /// The value after some edits, each on top of the last.
    fn after(text: &str, edits: &[serde_json::Value]) -> Vec<i64> {
        let prepared: Prepared = text.parse().unwrap();
        let mut dice = Dice::default();
        let mut values = vec![];
        for edit_ in std::iter::once(None).chain(edits.iter().map(Some)) {
            let edits: Vec<Edit> = edit_.map(|json| edit(json).unwrap()).into_iter().collect();
            let feed = if values.is_empty() { vec![2, 3, 4] } else { vec![6, 5] };
            let done = prepared.replay(dice, &edits, feed, Seeded::new(1), &Limits::default()).unwrap();
            values.push(done.rolled.value.as_int().unwrap());
            dice = done.dice;
        }
        values
    }

    #[test]
    fn one_die_is_rolled_again_and_taken_back() {
        let one = |what: &str| json!({ "do": what, "path": "r", "die": "d6", "index": 0 });
        assert_eq!(after("3d6", &[one("reroll"), one("undo"), one("reroll")]), [9, 13, 9, 13]);
        let set = json!({ "do": "set", "path": "r", "die": "d6", "index": 1, "value": 1 });
        assert_eq!(after("3d6kh2", &[set]), [7, 6]);
        assert_eq!(edit(&one("undo")).unwrap().what, What::Undo);
    }
}
