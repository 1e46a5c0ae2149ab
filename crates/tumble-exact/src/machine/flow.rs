//! The steps out of a state, on their way into an equation of the absorbing Markov chain (`algo/walk/flow.rs`).
//!
//! A state stands for as many cases as the hidden pools among its variables have ways. The weight of an edge is in how many
//! ways each case that it leads to comes about, so that what stays hidden stays out of the numbers.

use crate::algo::walk::flow::Equation;
use crate::law::Law;
use crate::outcome::Outcome;
use dashu_int::UBig;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Where a state ends.
#[derive(Clone, Debug)]
pub(super) enum Exit {
    Known(Outcome),
    /// A law is only equal to itself.
    Law(Rc<Law>),
}

impl Exit {
    pub(super) fn law(&self) -> Option<&Rc<Law>> {
        if let Exit::Law(law) = self { Some(law) } else { None }
    }
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
    pub(super) den: UBig,
    /// How many cases the state itself stands for.
    pub(super) own: UBig,
    /// Where to, in how many ways, and with which work around what comes of it.
    pub(super) edges: Vec<(usize, UBig, usize)>,
    pub(super) results: Vec<(Exit, UBig)>,
}

impl Leaving {
    /// Edges of a state that stands for so many cases, over a denominator.
    pub(super) fn new(den: UBig, own: UBig) -> Leaving {
        Leaving { den, edges: vec![], own, results: vec![] }
    }

    /// An edge to another state, by so many ways for each of its cases.
    pub(super) fn to(&mut self, state: usize, ways: UBig, work: usize) {
        match self.edges.iter_mut().rev().take(4).find(|(to, _, other)| (*to, *other) == (state, work)) {
            Some((_, sum, _)) => *sum += ways,
            None => self.edges.push((state, ways, work)),
        }
    }

    /// A result, in so many cases.
    pub(super) fn ends(&mut self, exit: Exit, cases: UBig) {
        self.results.push((exit, cases));
    }

    /// A result, in a share of all cases.
    pub(super) fn shares(&mut self, exit: Exit, share: UBig) {
        let cases = if self.own.is_one() { share } else { share * &self.own };
        self.ends(exit, cases);
    }

    pub(super) fn equation(self) -> Equation<Exit> {
        let Leaving { den, own, edges, results } = self;
        Equation { den, mass: own, passed: edges.into_iter().map(|(to, ways, _)| (to, ways)).collect(), results }
    }
}
