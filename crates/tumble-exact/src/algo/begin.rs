//! A walk that begins with a choice.
//!
//! Meaning: `if c then {x, …loop…} else {x}` for every outcome of a first roll is one walk: its first step collects
//! what was rolled and ends, or goes on to the loop. As one walk it can be summed, kept and counted without
//! listing; as a mixture it could not.

use crate::fraction::lcm;
use crate::law::{Bunch, Chain, End, Law, Part, Source, Step};
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Budget, Data, Value};

/// More steps than this are not joined.
const MOST_STEPS: usize = 10_000;

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
    let size = |(_, chain, _): &(Outcome, &Rc<Chain>, &UBig)| chain.states.iter().map(Vec::len).sum::<usize>();
    if law.known.len() + parts.iter().map(size).sum::<usize>() > MOST_STEPS {
        return Ok(None);
    }
    let den = parts.iter().fold(law.den.clone(), |den, (_, chain, _)| lcm(&den, &chain.den));
    let scale = &den / &law.den;
    let ended =
        |(outcome, weight): &(Outcome, UBig)| Step { weight: weight * &scale, emit: listed(outcome), next: None };
    let mut states = vec![law.known.iter().map(ended).collect::<Vec<Step>>()];
    for (emit, chain, weight) in parts {
        let first = states.len();
        let scale_inside = &den / &chain.den;
        states[0].push(Step { weight: weight * &scale, emit, next: Some(first + chain.start) });
        budget.step(chain.states.iter().map(|steps| steps.len() as u64).sum())?;
        states.extend(chain.states.iter().map(|steps| {
            let moved = |step: &Step| Step {
                weight: &step.weight * &scale_inside,
                emit: step.emit.clone(),
                next: step.next.map(|next| first + next),
            };
            steps.iter().map(moved).collect::<Vec<Step>>()
        }));
    }
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
                    emit = crate::algo::plain::join(&emit, only, budget)?;
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
