//! What is asked: which members are taken from an end or left out, and what each of the others is worth.

use crate::law::Stage;
use crate::outcome::{self, Outcome};
use crate::question::{Goal, View};
use tumble_core::prim::{Merge, Rank, Shape};
use tumble_core::sort;
use tumble_core::{Budget, Value};

/// More members than this are not taken from an end.
const MOST_TAKEN: usize = 12;

pub(super) struct Kept {
    /// How many members are taken, and whether from the top.
    pub(super) count: usize,
    pub(super) top: bool,
    /// Whether those members are left out.
    pub(super) drops: bool,
    /// What is done with the members that stay.
    rest: View,
}

impl Kept {
    pub(super) fn of(view: &View) -> Option<Kept> {
        let Goal::Fold(row) = view.goal else { return None };
        let (first, rest) = view.stages.split_first()?;
        let each = |stage: &Stage| matches!(stage.row.shape, Shape::Filter | Shape::Map { .. } | Shape::Forget);
        if !matches!(row.shape, Shape::Fold(Merge::Add)) || !rest.iter().all(each) {
            return None;
        }
        let (count, top, drops) = taken(first)?;
        Some(Kept { count, top, drops, rest: View { stages: rest.to_vec(), goal: view.goal.clone() } })
    }

    /// What a collection adds if all of it stays; none if that is no number.
    pub(super) fn worth(&self, pool: &Outcome, budget: &mut Budget) -> Option<i64> {
        let worth = self.rest.apply(pool, budget).ok()?.as_int()?;
        (worth.unsigned_abs() < 1 << 31).then_some(worth)
    }

    /// The members at the end, from the end inwards; none if they are not known.
    pub(super) fn near(&self, pool: &Outcome) -> Option<Vec<Value>> {
        Some(self.nearest(outcome::chunk(pool.known()?)?.to_vec()))
    }

    /// The same of these members.
    pub(super) fn nearest(&self, mut members: Vec<Value>) -> Vec<Value> {
        sort::sort(&mut members);
        if self.top {
            members.reverse();
        }
        members.truncate(self.count);
        members
    }
}

/// How many members a row takes from an end, whether from the top, and whether it leaves them out; none if it does
/// something else, as is seen from how many members stay of each rank.
fn taken(stage: &Stage) -> Option<(usize, bool, bool)> {
    let Shape::Scan(scan) = stage.row.shape else { return None };
    let count = usize::try_from(stage.args.first()?.as_int()?).ok().filter(|n| (1..=MOST_TAKEN).contains(n))?;
    let (most, taken) = (count as u64, 0..count as u64 + 2);
    let ranks = || {
        let here = taken.clone().flat_map(|below| taken.clone().map(move |here| (below, here)));
        here.flat_map(|(below, here)| taken.clone().map(move |above| Rank { below, here, above }))
    };
    let fits = |top: bool, drops: bool| {
        ranks().all(|rank| {
            let near = most.saturating_sub(if top { rank.above } else { rank.below }).min(rank.here);
            let stay = if drops { rank.here - near } else { near };
            (scan.stay)(&stage.args, &Value::NOTHING, rank) == stay
        })
    };
    let ends = [(true, false), (false, false), (true, true), (false, true)];
    ends.into_iter().find(|(top, drops)| fits(*top, *drops)).map(|(top, drops)| (count, top, drops))
}
