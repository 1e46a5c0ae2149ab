//! Which dice are in the numbers that are shown: found by following marks from the numbers to the dice.
//!
//! ```text
//! used       a number that is shown, or decides something, came from it
//! judged     what it was judged to be is in such a number: a success
//! looked     it only answered a question
//! removed    a selection or a choice left it out
//! ```
//!
//! A die is out if it is neither used nor judged, and was removed or never looked at.

use super::Scribe;
use crate::watch::Question;
use tumble_core::{Budget, Fault, Value};

/// What happened to a die so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate {
    /// A number that is shown, or decides something, came from it.
    pub(super) used: bool,
    /// Only what it was judged to be is in such a number.
    pub(super) judged: bool,
    /// A question was about it.
    pub(super) looked: bool,
    /// A selection or a choice left it out.
    pub(super) removed: bool,
    /// The number of the last comparison in which it stayed.
    pub(super) stayed: u64,
}

impl Fate {
    /// Whether it is in no number that is shown: something left it out, or nothing ever asked for it.
    pub(super) fn is_out(self) -> bool {
        !self.used && !self.judged && (self.removed || !self.looked)
    }
}

impl Scribe {
    pub(super) fn use_all(&mut self, value: &Value, budget: &mut Budget) -> Result<(), Fault> {
        let fates = &mut self.fates;
        self.kin.each_die(value, budget, |die, judged| {
            if let Some(fate) = fates.get_mut(die) {
                fate.used |= !judged;
                fate.judged |= judged;
            }
        })
    }

    /// A question was asked about values. What is written is about the number that a single value is. Other questions
    /// do not need the dice for what they count; what a loop asks about its own value does not need them at all.
    pub(super) fn look(&mut self, question: Question, values: &[Value], budget: &mut Budget) -> Result<(), Fault> {
        let own = self.topics.last().cloned();
        let round = self.stay(own.as_slice(), budget)?;
        for value in values {
            if question == Question::Written && value.as_pool().is_none_or(|members| members.len() == 1) {
                self.use_all(value, budget)?;
                continue;
            }
            let fates = &mut self.fates;
            self.kin.each_die(value, budget, |die, _| {
                if let Some(fate) = fates.get_mut(die) {
                    fate.looked |= fate.stayed != round;
                }
            })?;
        }
        Ok(())
    }

    /// The dice that a number is the count of; of a total the last one.
    pub(super) fn dice_counted(&mut self, number: &Value, budget: &mut Budget) -> Result<Option<Vec<usize>>, Fault> {
        let Some(members) = self.kin.counted(number) else { return Ok(None) };
        let mut dice = Vec::new();
        for member in members {
            let mut last = 0;
            self.kin.each_die(&Value::NOTHING.marked(member), budget, |die, _| last = last.max(die))?;
            dice.push(last);
        }
        dice.sort_unstable();
        Ok(Some(dice))
    }

    /// Numbers the dice that are in these values, and answers with the number.
    pub(super) fn stay(&mut self, values: &[Value], budget: &mut Budget) -> Result<u64, Fault> {
        self.round += 1;
        let (fates, round) = (&mut self.fates, self.round);
        for value in values {
            self.kin.each_die(value, budget, |die, _| {
                if let Some(fate) = fates.get_mut(die) {
                    fate.stayed = round;
                }
            })?;
        }
        Ok(round)
    }

    /// Notes the dice that are in `before` and not in `after`.
    pub(super) fn compare(&mut self, before: &Value, after: &[Value], budget: &mut Budget) -> Result<(), Fault> {
        let round = self.stay(after, budget)?;
        let fates = &mut self.fates;
        self.kin.each_die(before, budget, |die, _| {
            if let Some(fate) = fates.get_mut(die) {
                fate.removed |= fate.stayed != round;
            }
        })
    }
}
