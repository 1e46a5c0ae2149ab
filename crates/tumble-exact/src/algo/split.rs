//! One part of a collection, as `border` needs it: the members at its end, and what it is worth.
//!
//! Meaning: the joint distribution of `largest(k, A)` (or `least`) and of the worth of all of A, which
//! adds up over unions. A loop without end is walked with the members at the end as part of its state,
//! which are finitely many, so what is left to collect is one number: it is listed by size, with mass,
//! mean and mean square for all of it from linear systems.

use crate::algo::border::{ByNear, Question};
use crate::algo::sums::{Means, Series, Sums};
use crate::algo::{chain, reduce, solve};
use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::law::{Chain, End, Source, Step};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use crate::plan::Desk;
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::prim;
use tumble_core::{Budget, Value};

/// More states than this are not walked.
const MOST_STATES: usize = 200;

/// What one part gives.
pub(crate) struct Split {
    pub(crate) den: UBig,
    /// The members at the end, from the end inwards, the worth of all members, and the weight.
    items: Vec<(Vec<Value>, i64, UBig)>,
    /// Every worth up to this is listed; none if all are.
    pub(crate) complete: Option<i64>,
    means: ByNear<Means>,
}

/// What a part gives; none if that cannot be told.
pub(crate) fn of(desk: &mut Desk<'_>, question: &Question, source: &Source) -> Result<Option<Split>, Stop> {
    let (dist, means) = match source {
        Source::Each(dist) => match each(question, dist, &mut desk.budget)? {
            Some(dist) => (dist, vec![]),
            None => return Ok(None),
        },
        Source::Chain(walk) => match walked(desk, question, walk)? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let mut split = Split { den: dist.den, items: vec![], complete: None, means };
    for (outcome, weight) in dist.items {
        match (&outcome, pair(&outcome)) {
            (Outcome::Above { bound, .. }, _) => split.complete = Some(*bound),
            (_, Some((near, worth))) => match members(question, &near) {
                Some(near) => split.items.push((near, worth, weight)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        }
    }
    Ok(Some(split))
}

/// The pairs of a part that is listed.
fn each(question: &Question, dist: &Dist, budget: &mut Budget) -> Result<Option<Dist>, Stop> {
    let mut told = true;
    let pairs = dist.map(budget, |pool, budget| with_worth(question, pool, &mut told, budget))?;
    Ok(told.then_some(pairs))
}

/// The pairs of a loop, and the moments if it has no end.
fn walked(desk: &mut Desk<'_>, question: &Question, walk: &Chain) -> Result<Option<(Dist, ByNear<Means>)>, Stop> {
    let pairs = match walk.end {
        End::Cut(_) => return Ok(None),
        _ if !question.drops => {
            let near = chain::reduced(desk, walk, &question.near)?;
            near.map(&mut desk.budget, |near, _| Ok(paired(near, 0)))?
        }
        End::After(_) => {
            let mut told = true;
            let each = &mut |emit: &Outcome, budget: &mut Budget| with_worth(question, emit, &mut told, budget);
            let walk = walk.map(&mut desk.budget, each)?;
            if !told {
                return Ok(None);
            }
            let none = paired(&Outcome::Known(Value::ints(&[])), 0);
            chain::joined(desk, &walk, none, &mut |a, b, budget| both(question, a, b, budget))?
        }
        End::Open => {
            let Some(walk) = remembering(question, walk, &mut desk.budget)? else { return Ok(None) };
            let far = |bound: i64| Outcome::Above { bound, pooled: false, moments: None };
            let listed = chain::sized(desk, &walk, Outcome::int(0), &mut onwards, &worth, &far)?;
            let Some(pairs) = listed else { return Ok(None) };
            let means = means(question, &walk, &mut desk.budget)?;
            return Ok(Some((pairs, means)));
        }
    };
    Ok(Some((pairs, vec![])))
}

impl Split {
    /// The members at the ends.
    pub(crate) fn taken(&self) -> impl Iterator<Item = &Value> {
        let more = self.means.iter().flat_map(|(near, _)| near);
        self.items.iter().flat_map(|(near, _, _)| near).chain(more)
    }

    /// The smallest and the largest worth that is listed.
    pub(crate) fn range(&self) -> Option<(i64, i64)> {
        let worths = || self.items.iter().map(|(_, worth, _)| *worth);
        Some((worths().min()?, worths().max()?))
    }

    /// What all but the members at the end are worth.
    pub(crate) fn rests(&self, faces: &BTreeMap<Value, i64>) -> impl Iterator<Item = i64> {
        let near = |near: &[Value]| near.iter().filter_map(|face| faces.get(face)).sum::<i64>();
        self.items.iter().map(move |(faces, worth, _)| worth - near(faces))
    }

    /// The worth by the members at the end.
    pub(crate) fn series(&self) -> ByNear<Series> {
        self.gathered(|(_, worth, weight)| Series::single(*worth, weight.clone()))
    }

    /// The moments of the worth by the members at the end.
    pub(crate) fn moments(&self) -> ByNear<Means> {
        if self.complete.is_some() {
            return self.means.clone();
        }
        let mass = |weight: &UBig| Fraction::part(weight, &self.den);
        self.gathered(|(_, worth, weight)| Means::one().scaled(&mass(weight)).moved(*worth))
    }

    fn gathered<S: Sums>(&self, of: impl Fn(&(Vec<Value>, i64, UBig)) -> S) -> ByNear<S> {
        let mut all: BTreeMap<&Vec<Value>, S> = BTreeMap::new();
        for item in &self.items {
            match all.get_mut(&item.0) {
                Some(sums) => sums.add(&of(item)),
                None => drop(all.insert(&item.0, of(item))),
            }
        }
        all.into_iter().map(|(near, sums)| (near.clone(), sums)).collect()
    }
}

/// The members of a known collection from the end inwards.
fn members(question: &Question, pool: &Outcome) -> Option<Vec<Value>> {
    let mut members = outcome::chunk(pool.known()?)?.to_vec();
    members.sort();
    if *question.near.row == prim::LARGEST {
        members.reverse();
    }
    Some(members)
}

/// A collection and a number as one outcome.
fn paired(near: &Outcome, worth: i64) -> Outcome {
    match near {
        Outcome::Known(near) => Outcome::Known(Value::tuple(vec![near.clone(), Value::int(worth)])),
        other => other.clone(),
    }
}

fn pair(outcome: &Outcome) -> Option<(Outcome, i64)> {
    let tumble_core::Data::Tuple(items) = &outcome.known()?.data else { return None };
    let [near, worth] = &items[..] else { return None };
    Some((Outcome::Known(near.clone()), worth.as_int()?))
}

/// The number of a step, which stands alone or in a pair.
fn worth(outcome: &Outcome) -> Option<i64> {
    outcome.as_int().or_else(|| pair(outcome).map(|(_, worth)| worth))
}

/// The number so far, with the number of a step added.
fn onwards(so_far: &Outcome, emit: &Outcome, _: &mut Budget) -> Result<Outcome, Stop> {
    let total = so_far.as_int().unwrap_or(0).saturating_add(worth(emit).unwrap_or(0));
    Ok(pair(emit).map_or(Outcome::int(total), |(near, _)| paired(&near, total)))
}

/// Two pairs together.
fn both(question: &Question, a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    let (Some((a, x)), Some((b, y))) = (pair(a), pair(b)) else { return Ok(Outcome::Unknown) };
    Ok(paired(&reduce::join(&question.near, &a, &b, budget)?, x.saturating_add(y)))
}

/// A collection as a pair; `told` becomes false if it has no worth.
fn with_worth(question: &Question, pool: &Outcome, told: &mut bool, budget: &mut Budget) -> Result<Outcome, Stop> {
    let worth = if question.drops { question.worth(pool, budget) } else { Some(0) };
    *told &= worth.is_some() && pool.known().is_some();
    if !*told {
        return Ok(Outcome::Unknown);
    }
    Ok(paired(&reduce::apply(&question.near, pool, budget)?, worth.unwrap_or(0)))
}

/// The walk with the members at the end as part of its state; it collects numbers, and at the end a pair.
fn remembering(question: &Question, walk: &Chain, budget: &mut Budget) -> Result<Option<Chain>, Stop> {
    let none = Outcome::Known(Value::ints(&[]));
    let mut places: HashMap<(usize, Outcome), usize> = HashMap::from_iter([((walk.start, none.clone()), 0)]);
    let mut nodes = vec![(walk.start, none)];
    let mut states: Vec<Vec<Step>> = Vec::new();
    while states.len() < nodes.len() {
        let (state, so_far) = nodes[states.len()].clone();
        let mut steps = Vec::with_capacity(walk.states[state].len());
        for step in &walk.states[state] {
            budget.step(20 + 2 * outcome::size(&so_far))?;
            if step.emit.known().is_none() {
                return Ok(None);
            }
            let Some(worth) = question.worth(&step.emit, budget) else { return Ok(None) };
            let near = reduce::join(&question.near, &so_far, &step.emit, budget)?;
            let (emit, next) = match step.next {
                None => (paired(&near, worth), None),
                Some(next) => {
                    let place = places.entry((next, near.clone())).or_insert_with(|| {
                        nodes.push((next, near));
                        nodes.len() - 1
                    });
                    (Outcome::int(worth), Some(*place))
                }
            };
            steps.push(Step { weight: step.weight.clone(), emit, next });
        }
        if nodes.len() > MOST_STATES {
            return Ok(None);
        }
        states.push(steps);
    }
    Ok(Some(Chain { den: walk.den.clone(), states, start: 0, end: End::Open }))
}

/// Mass, mean and mean square at the ends, by the members at the end: the numbers so far at all visits
/// to a state are those at the states before, with one step added.
fn means(question: &Question, walk: &Chain, budget: &mut Budget) -> Result<ByNear<Means>, Stop> {
    let edges = chain::edges_of(walk);
    let mut start = vec![Fraction::zero(); walk.states.len()];
    start[walk.start] = Fraction::one();
    let masses = solve::visits(&edges, start, budget)?;
    let mut visits: Vec<Means> = masses.into_iter().map(|mass| Means { mass, ..Means::zero() }).collect();
    for power in 1..=2 {
        let mut inflow = vec![Fraction::zero(); walk.states.len()];
        for (steps, here) in walk.states.iter().zip(&visits) {
            for step in steps {
                let Some(next) = step.next else { continue };
                budget.step(20)?;
                let after = here.clone().moved(worth(&step.emit).unwrap_or(0));
                let more = if power == 1 { &after.mean - &here.mean } else { &after.square - &here.square };
                inflow[next] = &inflow[next] + &(&more * &Fraction::part(&step.weight, &walk.den));
            }
        }
        for (here, found) in visits.iter_mut().zip(solve::visits(&edges, inflow, budget)?) {
            *(if power == 1 { &mut here.mean } else { &mut here.square }) = found;
        }
    }
    let mut ends: BTreeMap<Vec<Value>, Means> = BTreeMap::new();
    for (steps, here) in walk.states.iter().zip(&visits) {
        for step in steps.iter().filter(|step| step.next.is_none()) {
            let Some((near, worth)) = pair(&step.emit) else { continue };
            let share = here.clone().moved(worth).scaled(&Fraction::part(&step.weight, &walk.den));
            let near = members(question, &near).unwrap_or_default();
            ends.entry(near).or_insert_with(Means::zero).add(&share);
        }
    }
    Ok(ends.into_iter().collect())
}
