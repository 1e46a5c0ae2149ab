//! Long sums of independent numbers: equal terms together, each kind by one power.
//!
//! Meaning: the terms added from left to right. That is also what is done where a term is not a plain
//! number, or where a sum on the way could be too large for one.

use super::Machine;
use crate::algo::power;
use crate::dist::Dist;
use crate::law::{Bunch, Law, Part, Source};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use std::rc::Rc;
use tumble_core::{Budget, TermId, prim};

/// No sum on the way may reach this.
const MOST: i64 = 1 << 62;

/// Equal terms: whether they are taken away, what they can be, and how many there are.
type Kind = (bool, Rc<Dist>, u64);

impl Machine<'_> {
    /// The law of a total.
    pub(super) fn total(&mut self, signs: &[(bool, TermId)], laws: &[Rc<Law>]) -> Result<Law, Stop> {
        let terms = signs.iter().map(|(minus, _)| *minus).zip(laws);
        if let Some(kinds) = self.kinds(terms.clone())? {
            return self.added(kinds);
        }
        let mut sum: Option<Rc<Law>> = None;
        for (minus, law) in terms {
            let row = if minus { &prim::SUB } else { &prim::ADD };
            sum = Some(match sum {
                Some(sum) => Rc::new(self.pointwise(row, &[sum, law.clone()])?),
                None => law.clone(),
            });
        }
        Ok(sum.map_or_else(|| Law::one(Outcome::int(0)), |sum| Law::clone(&sum)))
    }

    /// Terms that differ, with how often they are added; none if they are not all plain small numbers.
    fn kinds<'l>(&mut self, terms: impl Iterator<Item = (bool, &'l Rc<Law>)>) -> Result<Option<Vec<Kind>>, Stop> {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut places: HashMap<(bool, Rc<Dist>), usize> = HashMap::default();
        let mut reach = 0i64;
        if !self.desk.allows(&power::METHOD) {
            return Ok(None);
        }
        for (minus, law) in terms {
            let dist = self.desk.settle(law)?;
            self.desk.budget.step(2 + dist.items.len() as u64)?;
            for (outcome, _) in &dist.items {
                let Some(n) = outcome.as_int() else { return Ok(None) };
                let far = n.checked_abs().and_then(|n| reach.checked_add(n));
                if far.is_none_or(|far| far >= MOST) {
                    return Ok(None);
                }
            }
            let far = dist.items.iter().filter_map(|(outcome, _)| outcome.as_int()).map(i64::abs).max();
            reach += far.unwrap_or(0);
            let next = kinds.len();
            let place = *places.entry((minus, dist.clone())).or_insert(next);
            match kinds.get_mut(place) {
                Some((_, _, times)) => *times += 1,
                None => kinds.push((minus, dist, 1)),
            }
        }
        Ok(Some(kinds))
    }

    /// The sum of all kinds, which is that of a collection in parts.
    fn added(&mut self, kinds: Vec<Kind>) -> Result<Law, Stop> {
        let mut parts = Vec::with_capacity(kinds.len());
        for (minus, each, times) in kinds {
            let alone = |outcome: &Outcome, budget: &mut Budget| {
                let number = if minus {
                    outcome::apply(&prim::NEG, std::slice::from_ref(outcome), budget)?
                } else {
                    outcome.clone()
                };
                outcome::apply(&prim::GATHER, &[number], budget)
            };
            let each = each.map(&mut self.desk.budget, alone)?;
            parts.push(Part { times, source: Source::Each(Rc::new(each)) });
        }
        Ok(self.desk.fold(&Bunch::pool(parts), &prim::SUM)?.into())
    }
}
