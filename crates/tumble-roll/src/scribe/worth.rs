//! What a die counts as where that is not its face: changed by a row that replaces members one by one, or judged
//! alone, as successes and failures are.
//!
//! ```text
//! lift(10, [1])                               the die that shows 1 counts as 10
//! firsts([(2, 3)])                            the die that shows 3 counts as 2
//! each(x in dice, if x > 7 then 1 else 0)     each die has a score
//! ```

use crate::kin::one_die;
use crate::trace::{DieState, Drawn};
use tumble_core::{Budget, Data, Fault, Mark, Value};

/// Members looked at that cost as much as one step.
const MEMBERS_PER_STEP: u64 = 8;

/// Notes the dice whose member is another number after a row than before. Of a pair the last part tells what the
/// die shows.
pub(super) fn changed(draws: &mut [Drawn], before: &Value, after: &Value, budget: &mut Budget) -> Result<(), Fault> {
    let (Some(before), Some(after)) = (before.as_pool(), after.as_pool()) else { return Ok(()) };
    budget.step(1 + after.len() as u64 / MEMBERS_PER_STEP)?;
    for (before, after) in before.iter().zip(after) {
        let shown = match &before.data {
            Data::Tuple(parts) => parts.last().and_then(Value::as_int),
            _ => before.as_int(),
        };
        let drawn = one_die(after.mark).and_then(|die| draws.get_mut(die));
        let (Some(shown), Some(number), Some(drawn)) = (shown, after.as_int(), drawn) else { continue };
        let face = drawn.shown.as_int();
        if drawn.became.or(face) == Some(shown) && shown != number {
            drawn.became = Some(number).filter(|number| face != Some(*number));
        }
    }
    Ok(())
}

/// The sum of plain numbers that do not stand for dice.
pub(super) fn score(result: &Value, budget: &mut Budget) -> Result<Option<i64>, Fault> {
    let plain = |value: &Value| value.as_int().filter(|_| value.mark == Mark::NONE);
    match &result.data {
        Data::Pool(items) => {
            budget.step(1 + items.len() as u64 / MEMBERS_PER_STEP)?;
            Ok(items.iter().try_fold(0i64, |sum, item| sum.checked_add(plain(item)?)))
        }
        _ => Ok(plain(result)),
    }
}

/// Notes the score of dice that were judged together; a score of nothing is that of each, any other is told once.
pub(super) fn scored(draws: &mut [Drawn], dice: &[usize], score: i64) {
    let last = dice.iter().max();
    for die in dice.iter().filter(|die| score == 0 || Some(*die) == last) {
        if let Some(drawn) = draws.get_mut(*die) {
            drawn.score = Some(drawn.score.unwrap_or(0).saturating_add(score));
        }
    }
}

/// At the end of a roll: a die that is used for itself has no score, and one that has needs no other number.
pub(super) fn settle(drawn: &mut Drawn, used: bool) {
    if used || matches!(drawn.state, DieState::Dropped | DieState::Rerolled) {
        drawn.score = None;
    }
    if drawn.score.is_some() {
        drawn.became = None;
    }
}
