//! The union of two collections, also where they are not listed.

use crate::outcome::{self, Outcome, Stop};
use tumble_core::sort;
use tumble_core::{Budget, Value};

/// The members of both, sorted; lists stay lists.
pub(crate) fn join(a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    use Outcome::{Cut, Failed, Hole, Known, Larger, Unknown};
    Ok(match (a, b) {
        (Known(a), Known(b)) => Known(joined(a, b, budget)?),
        (Hole { .. }, _) | (_, Hole { .. }) => return Err(Stop::Unsolvable),
        (Failed(failure), _) | (_, Failed(failure)) => return Err(Stop::Fault(tumble_core::Fault::clone(&failure.0))),
        (Cut, _) | (_, Cut) => Cut,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Larger(a), Larger(b)) => Larger(a + b + 1),
        (Larger(n), other) | (other, Larger(n)) => Larger(n + length(other)),
        (Known(value), far) | (far, Known(value)) if length(&Known(value.clone())) == 0 => far.clone(),
        _ => Unknown,
    })
}

/// One list after the other.
pub(crate) fn append(a: &Outcome, b: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
    let (Some(left), Some(right)) = (a.known().and_then(outcome::chunk), b.known().and_then(outcome::chunk)) else {
        return join(a, b, budget);
    };
    budget.members((left.len() + right.len()) as u64)?;
    Ok(Outcome::Known(Value::list(left.iter().chain(right).cloned().collect())))
}

fn length(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Known(value) => outcome::chunk(value).map_or(0, |items| items.len() as u64),
        _ => 1,
    }
}

fn joined(a: &Value, b: &Value, budget: &mut Budget) -> Result<Value, Stop> {
    let (Some(left), Some(right)) = (outcome::chunk(a), outcome::chunk(b)) else {
        return Err(Stop::mistake("a union of what is no collection"));
    };
    budget.members((left.len() + right.len()) as u64)?;
    let mut members = Vec::with_capacity(left.len() + right.len());
    members.extend_from_slice(left);
    members.extend_from_slice(right);
    sort::sort(&mut members);
    // The empty collection that everything starts from takes the sort of what is added to it.
    let sort = if left.is_empty() { b } else { a };
    Ok(match sort.data {
        tumble_core::Data::List(_) => Value::list(members),
        _ => Value::pool(members),
    })
}
