//! Walks put together: one after the other, and after a choice.
//!
//! Several walks in a row are one walk, so that one list of what they collect is cut short and not many. And
//! `if c then {x, …loop…} else {x}` for every outcome of a first roll is one walk: its first step collects what was rolled
//! and ends, or goes on to the loop. As one walk it can be summed, kept and counted without listing; as a mixture it could
//! not.

use crate::algo::union;
use crate::fraction::lcm;
use crate::law::{Bunch, Chain, End, Law, Part, Source, Step};
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Budget, Data, Value};

/// More steps than this are not joined.
const MOST_STEPS: usize = 10_000;

/// So many walks, each beginning where the one before it ends; a walk that is cut counts its steps by itself, so only open
/// ones can be joined.
pub(crate) fn in_a_row(walk: &Chain, times: u64) -> Chain {
    let mut states = vec![];
    let last = embedded(&mut states, walk, &UBig::ONE, None);
    let start = (1..times).fold(last, |after, _| embedded(&mut states, walk, &UBig::ONE, Some(after)));
    Chain { den: walk.den.clone(), states, start, end: walk.end }
}

/// Puts a walk among others, whose end leads to `after`, with all weights times `scale`; where it starts.
fn embedded(states: &mut Vec<Vec<Step>>, walk: &Chain, scale: &UBig, after: Option<usize>) -> usize {
    let first = states.len();
    let moved = |step: &Step| Step {
        weight: &step.weight * scale,
        emit: step.emit.clone(),
        next: step.next.map(|next| first + next).or(after),
    };
    states.extend(walk.states.iter().map(|steps| steps.iter().map(moved).collect::<Vec<Step>>()));
    first + walk.start
}

/// The law as one walk, if every choice is a known collection, or known collections and one open walk.
pub(crate) fn walk(law: &Law, budget: &mut Budget) -> Result<Option<Chain>, Stop> {
    let plain = |(outcome, _): &(Outcome, UBig)| {
        matches!(outcome.known().map(|value| &value.data), Some(Data::Int(_) | Data::Pool(_)))
    };
    if law.lazy.is_empty() || !law.known.iter().all(plain) {
        return Ok(None);
    }
    let mut parts = Vec::with_capacity(law.lazy.len());
    for (bunch, weight) in &law.lazy {
        let Some((emit, chain)) = head(bunch, budget)? else { return Ok(None) };
        parts.push((emit, chain, weight));
    }
    let steps = parts.iter().flat_map(|(_, chain, _)| &chain.states).map(Vec::len).sum::<usize>();
    if law.known.len() + steps > MOST_STEPS {
        return Ok(None);
    }
    budget.step(steps as u64)?;
    let den = parts.iter().fold(law.den.clone(), |den, (_, chain, _)| lcm(&den, &chain.den));
    let scale = &den / &law.den;
    let known = law.known.iter().map(|(outcome, weight)| (listed(outcome), weight, None));
    let mut first: Vec<Step> = known.map(|(emit, weight, next)| Step { weight: weight * &scale, emit, next }).collect();
    let mut states = vec![vec![]];
    for (emit, chain, weight) in parts {
        let start = embedded(&mut states, chain, &(&den / &chain.den), None);
        first.push(Step { weight: weight * &scale, emit, next: Some(start) });
    }
    states[0] = first;
    Ok(Some(Chain { den, states, start: 0, end: End::Open }))
}

/// What is certain in a bunch, and its only walk.
fn head<'b>(bunch: &'b Bunch, budget: &mut Budget) -> Result<Option<(Outcome, &'b Rc<Chain>)>, Stop> {
    if !bunch.stages.is_empty() || bunch.list {
        return Ok(None);
    }
    let (mut emit, mut walk) = (Outcome::Known(Value::ints(&[])), None);
    for Part { times, source } in &bunch.parts {
        match source {
            Source::Chain(chain) if *times == 1 && chain.end == End::Open && walk.is_none() => walk = Some(chain),
            Source::Each(dist) if *times <= 100 => {
                let [(only, _)] = dist.items.as_slice() else { return Ok(None) };
                for _ in 0..*times {
                    emit = union::join(&emit, only, budget)?;
                }
            }
            _ => return Ok(None),
        }
    }
    Ok(walk.filter(|_| emit.known().is_some()).map(|walk| (emit, walk)))
}

/// A number is a collection of one.
fn listed(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Known(value) if value.as_pool().is_none() => Outcome::Known(Value::pool(vec![value.clone()])),
        other => other.clone(),
    }
}
