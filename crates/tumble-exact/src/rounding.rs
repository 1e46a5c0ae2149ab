//! Where rounding is allowed, and what it has cost.
//!
//! A rounded answer goes on through the exact engine as weights over a power of two, with what is
//! missing to one as an outcome of which nothing is known. That is sound where the answer is used at
//! most once on each way through the program: not in the body of a loop and not in a function. Then
//! a probability p of the result satisfies
//!
//! ```text
//! p̂ / (1 + e)  <=  p  <=  p̂ / (1 − e) + d      e, d: errors and dropped mass of all rounded answers
//! ```
//!
//! or, with `r = e / (1 − e)`, `p̂ − r·p̂ <= p <= p̂ + r·p̂ + d`. At the far ends d is the larger part of it.

use crate::dist::Dist;
use crate::fraction::Fraction;
use crate::outcome::Outcome;
use tumble_core::{Program, Term, TermId, Value};

/// A distribution in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded {
    /// The outcomes in ascending order: probability, and the bounds of the true one.
    pub outcomes: Vec<(Value, f64, (f64, f64))>,
    /// The relative error of a probability is at most this …
    pub relative: f64,
    /// … and in addition it may be too small by this, the probability that was dropped.
    pub dropped: f64,
}

/// Half the distance from 1 to the next number, with a little room.
pub(crate) const UNIT: f64 = 1.2e-16;
/// An answer with more than this unlisted says too little.
const MOST_UNLISTED: f64 = 1e-6;

/// What rounding has cost so far, and where it is allowed.
pub(crate) struct Rounding {
    once: Vec<bool>,
    now: bool,
    /// Whether more than rounding may leave something unlisted.
    open: bool,
    relative: f64,
    dropped: f64,
}

impl Rounding {
    /// Nothing rounded yet.
    pub(crate) fn new(program: &Program) -> Rounding {
        let open = |term: &Term| matches!(term, Term::Until { most: None, .. } | Term::Loop { .. });
        let open = program.nodes().iter().any(|node| open(&node.term));
        Rounding { once: evaluated_once(program), now: false, open, relative: 0.0, dropped: 0.0 }
    }

    /// The term that is worked on.
    pub(crate) fn at(&mut self, term: TermId) {
        // Terms that were made by rewriting stand anywhere.
        self.now = self.once.get(term.index()).copied().unwrap_or(false);
    }

    /// A sum was rounded, with this relative error, and this much of it was dropped.
    pub(crate) fn rounded(&mut self, relative: f64, dropped: f64) {
        self.relative = (1.0 + self.relative) * (1.0 + relative) - 1.0;
        self.dropped += dropped * 1.01;
    }

    /// Whether the term that is worked on may be rounded.
    pub(crate) fn is_allowed(&self) -> bool {
        self.now
    }

    /// The distribution in floating point; none if too little of it can be told that way.
    pub(crate) fn finish(&self, dist: &Dist) -> Option<Rounded> {
        let error = self.relative + 8.0 * UNIT;
        let relative = error / (1.0 - error);
        let (mut listed, mut unlisted) = (Vec::with_capacity(dist.items.len()), 0.0);
        for (outcome, weight) in &dist.items {
            let near = Fraction::part(weight, &dist.den).to_f64();
            match outcome {
                Outcome::Known(value) => listed.push((value.clone(), near)),
                _ => unlisted += near,
            }
        }
        let dropped = self.dropped + if self.open { unlisted * (1.0 + relative) } else { 0.0 };
        let bounded = |(value, near): (Value, f64)| {
            (value, near, (near * (1.0 - relative), (near * (1.0 + relative) + dropped).min(1.0)))
        };
        let outcomes: Vec<_> = listed.into_iter().map(bounded).collect();
        (relative < 0.01 && unlisted < MOST_UNLISTED && !outcomes.is_empty()).then_some(Rounded {
            outcomes,
            relative,
            dropped,
        })
    }
}

/// Terms that each way through the program meets at most once, and that repeat nothing themselves.
fn evaluated_once(program: &Program) -> Vec<bool> {
    let mut once = vec![false; program.nodes().len()];
    if program.functions().len() > 1 {
        return once;
    }
    let mut open = vec![program.function(program.main()).body];
    while let Some(id) = open.pop() {
        match program.term(id) {
            Term::Repeat { times, .. } => open.push(*times),
            Term::ForEach { pool, .. } => open.push(*pool),
            Term::Loop { start, .. } => open.push(*start),
            Term::Until { .. } | Term::Call { .. } => {}
            Term::Leave { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {}
            term @ (Term::Lit(_)
            | Term::Var(_)
            | Term::Let { .. }
            | Term::If { .. }
            | Term::Prim { .. }
            | Term::Draw { .. }) => {
                once[id.index()] = true;
                term.children(|child| open.push(child));
            }
        }
    }
    once
}
