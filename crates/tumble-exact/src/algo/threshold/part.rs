//! One part of a collection, as a threshold needs it: the members at its end, and what it is worth.
//!
//! Meaning: the joint distribution of the k members at the end of A and of the worth of all of A, which adds up over
//! unions: a summary, graded by the worth. A loop without end is listed by it, with mass, mean and mean square by the
//! members at the end, which are finitely many, from a linear system.

use super::kept::Kept;
use super::series::{Series, Sums};
use crate::algo::walk::moments::{self, Means};
use crate::algo::walk::{self, summary::Summary};
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::{Chain, End, Source};
use crate::method::Desk;
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::{Budget, Data, Value};

/// A part by the members at its end, which come from the end inwards.
pub(super) type ByNear<S> = Vec<(Vec<Value>, S)>;

/// What one part gives.
pub(super) struct Split {
    pub(super) den: UBig,
    /// The members at the end, the worth of all members, and the weight.
    items: Vec<(Vec<Value>, i64, UBig)>,
    /// Every worth up to this is listed; none if all are.
    pub(super) complete: Option<i64>,
    means: ByNear<Means>,
}

/// What a part gives; none if that is not known.
pub(super) fn of(desk: &mut Desk<'_>, question: &Kept, source: &Source) -> Result<Option<Split>, Stop> {
    let near = Near { question, worth: question.drops };
    let (dist, means) = match source {
        Source::Each(dist) => (dist.map(&mut desk.budget, |pool, budget| near.seen(pool, budget))?, vec![]),
        Source::Chain(walk) => match walked(desk, &near, walk)? {
            Some(found) => found,
            None => return Ok(None),
        },
        Source::Deck(_) => return Ok(None),
    };
    let mut split = Split { den: dist.den, items: vec![], complete: None, means };
    for (outcome, weight) in dist.items {
        match (&outcome, pair(&outcome)) {
            (Outcome::Above { bound, .. }, _) => split.complete = Some(*bound),
            (_, Some((near, worth))) => split.items.push((near.to_vec(), worth, weight)),
            _ => return Ok(None),
        }
    }
    Ok(Some(split))
}

/// The pairs of a loop, and the moments if it has no end and all of it is worth something.
fn walked(desk: &mut Desk<'_>, near: &Near<'_>, walk: &Chain) -> Result<Option<(Dist, ByNear<Means>)>, Stop> {
    let seen = walk.map(&mut desk.budget, &mut |emit, budget| near.seen(emit, budget))?;
    let mut steps = seen.states.iter().flatten();
    if matches!(walk.end, End::Cut(_)) || !steps.all(|step| pair(&step.emit).is_some()) {
        return Ok(None);
    }
    if !near.worth || walk.end != End::Open {
        return Ok(Some((walk::solve_seen(desk, &seen, near, None)?, vec![])));
    }
    let shrinks = |step: &crate::law::Step| step.next.is_some() && pair(&step.emit).is_some_and(|(_, n)| n < 0);
    let (finite, number) = (Near { worth: false, ..*near }, |emit: &Outcome| pair(emit).map(|(_, worth)| worth));
    let means = moments::by_summary(&seen, &finite, &number, &mut desk.budget)?;
    let Some(means) = means.filter(|_| !seen.states.iter().flatten().any(shrinks)) else { return Ok(None) };
    let means = means.into_iter().filter_map(|(value, means)| Some((pair(&value)?.0.to_vec(), means)));
    Ok(Some((walk::solve_seen(desk, &seen, near, None)?, means.collect())))
}

impl Split {
    /// The members at the ends.
    pub(super) fn taken(&self) -> impl Iterator<Item = &Value> {
        let more = self.means.iter().flat_map(|(near, _)| near);
        self.items.iter().flat_map(|(near, _, _)| near).chain(more)
    }

    /// The smallest and the largest worth that is listed.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        let worths = || self.items.iter().map(|(_, worth, _)| *worth);
        Some((worths().min()?, worths().max()?))
    }

    /// What all but the members at the end are worth.
    pub(super) fn rests(&self, faces: &BTreeMap<Value, i64>) -> impl Iterator<Item = i64> {
        let near = |near: &[Value]| near.iter().filter_map(|face| faces.get(face)).sum::<i64>();
        self.items.iter().map(move |(faces, worth, _)| worth - near(faces))
    }

    /// The worth by the members at the end, as far as it is wanted.
    pub(super) fn series(&self, most: Option<i64>) -> ByNear<Series> {
        self.gathered(|(_, worth, weight)| Series::single(*worth, weight.clone(), most))
    }

    /// The moments of the worth by the members at the end.
    pub(super) fn moments(&self) -> ByNear<Means> {
        if self.complete.is_some() {
            return self.means.clone();
        }
        self.gathered(|(_, worth, weight)| Means::of(*worth, Fraction::part(weight, &self.den)))
    }

    fn gathered<S: Sums>(&self, of: impl Fn(&(Vec<Value>, i64, UBig)) -> S) -> ByNear<S> {
        let mut all: BTreeMap<&Vec<Value>, S> = BTreeMap::new();
        for item in &self.items {
            all.entry(&item.0).or_insert_with(S::zero).add(&of(item));
        }
        all.into_iter().map(|(near, sums)| (near.clone(), sums)).collect()
    }
}

/// The members at the end, and the worth of all if that is asked for.
struct Near<'q> {
    question: &'q Kept,
    worth: bool,
}

/// Members and a number as one outcome.
fn paired(near: Vec<Value>, worth: i64) -> Outcome {
    Outcome::Known(Value::tuple(vec![Value::pool(near), Value::int(worth)]))
}

fn pair(outcome: &Outcome) -> Option<(&[Value], i64)> {
    let Data::Tuple(items) = &outcome.known()?.data else { return None };
    let [near, worth] = &items[..] else { return None };
    Some((near.as_pool()?, worth.as_int()?))
}

impl Summary for Near<'_> {
    fn unit(&self) -> Outcome {
        paired(vec![], 0)
    }
    fn seen(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let worth = if self.worth { self.question.worth(pool, budget) } else { Some(0) };
        let pair = self.question.near(pool).zip(worth);
        Ok(pair.map_or(Outcome::Unknown, |(near, worth)| paired(near, worth)))
    }
    fn join(&self, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let (Some((a, x)), Some((b, y))) = (pair(a), pair(b)) else { return Ok(Outcome::Unknown) };
        budget.members((a.len() + b.len()) as u64)?;
        let worth = if self.worth { x.saturating_add(y) } else { 0 };
        Ok(paired(self.question.nearest([a, b].concat()), worth))
    }
    fn grade(&self, seen: &Outcome) -> Option<i64> {
        pair(seen).map(|(_, worth)| worth).filter(|_| self.worth)
    }
    fn far(&self, _: &Chain, bound: i64) -> Outcome {
        Outcome::Above { bound, pooled: false, far: None }
    }
}
