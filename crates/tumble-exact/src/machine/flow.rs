//! The steps out of a state, on their way into an equation of the absorbing Markov chain (`algo/walk/flow.rs`).
//!
//! States stand for different masses, because hidden pools are among their variables: the numbers of the chain are
//! relative to those masses, so that what stays hidden stays out of them.

use crate::algo::walk::flow::Equation;
use crate::fraction::lcm;
use crate::law::Law;
use crate::outcome::Outcome;
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Where a state ends.
#[derive(Clone, Debug)]
pub(super) enum Exit {
    Known(Outcome),
    /// A law is only equal to itself.
    Law(Rc<Law>),
}

impl PartialEq for Exit {
    fn eq(&self, other: &Exit) -> bool {
        match (self, other) {
            (Exit::Known(a), Exit::Known(b)) => a == b,
            (Exit::Law(a), Exit::Law(b)) => Rc::ptr_eq(a, b),
            (Exit::Known(_) | Exit::Law(_), _) => false,
        }
    }
}

impl Eq for Exit {}

impl Hash for Exit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Exit::Known(outcome) => outcome.hash(state),
            Exit::Law(law) => Rc::as_ptr(law).hash(state),
        }
    }
}

/// The edges out of one state, on their way into an equation.
pub(super) struct Leaving {
    den: UBig,
    /// Where to, the weight, and the mass of where it leads.
    edges: Vec<(usize, UBig, UBig)>,
    /// The mass of the state itself.
    own: UBig,
    results: Vec<(Exit, UBig)>,
}

impl Leaving {
    /// Edges of a state with this mass, over a denominator.
    pub(super) fn new(den: UBig, own: UBig) -> Leaving {
        Leaving { den, edges: vec![], own, results: vec![] }
    }

    /// An edge to a state with this mass.
    pub(super) fn to(&mut self, state: usize, weight: UBig, mass: UBig) {
        match self.edges.iter_mut().rev().take(4).find(|(to, ..)| *to == state) {
            Some((_, sum, _)) => *sum += weight,
            None => self.edges.push((state, weight, mass)),
        }
    }

    /// A result.
    pub(super) fn ends(&mut self, exit: Exit, weight: UBig) {
        self.results.push((exit, weight));
    }

    /// The equation: weights relative to the masses.
    pub(super) fn equation(self) -> Equation<Exit> {
        let Leaving { mut den, edges, own, results } = self;
        if own.is_one() && edges.iter().all(|(.., mass)| mass.is_one()) {
            return Equation { den, passed: edges.into_iter().map(|(to, weight, _)| (to, weight)).collect(), results };
        }
        let shared = edges.iter().fold(UBig::ONE, |shared, (.., mass)| lcm(&shared, mass));
        let edge = |(to, weight, mass): (usize, UBig, UBig)| (to, weight * &own * (&shared / mass));
        let mut passed: Vec<(usize, UBig)> = edges.into_iter().map(edge).collect();
        let scale = &own * &shared;
        let mut results: Vec<(Exit, UBig)> =
            results.into_iter().map(|(exit, weight)| (exit, weight * &scale)).collect();
        den *= shared;
        let weights = passed.iter().map(|(_, weight)| weight).chain(results.iter().map(|(_, weight)| weight));
        let common = weights.fold(den.clone(), |common, weight| common.gcd(weight));
        if !common.is_one() {
            den /= &common;
            passed.iter_mut().for_each(|(_, weight)| *weight /= &common);
            results.iter_mut().for_each(|(_, weight)| *weight /= &common);
        }
        Equation { den, passed, results }
    }
}
