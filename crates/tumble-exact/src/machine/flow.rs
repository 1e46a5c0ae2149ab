//! An absorbing Markov chain: where the weight that starts in state 0 ends up.
//!
//! Every state passes its weight on to other states and to results, by whole weights over a denominator of its own.
//! Without a cycle the weights are found forward in whole numbers, each state over the least denominator that all ways
//! to it have in common; with one, how often each state is visited is the solution of a sparse linear system.
//!
//! The weights out of a state need not add up to its denominator: states may stand for different masses (hidden pools),
//! and only the ways around a cycle and the ways to a result must add up.

use crate::algo::solve::{self, Edges};
use crate::fraction::{Fraction, lcm};
use crate::outcome::Stop;
use crate::weight::{bits, cost_of};
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use tumble_core::Budget;

/// More bits than this are not worth one denominator for all.
const MOST_BITS: u64 = 1 << 16;

/// Where the weight of a state goes, over a denominator.
pub(super) struct Equation {
    pub(super) den: UBig,
    pub(super) passed: Vec<(usize, UBig)>,
}

/// How often each state is visited: a weight over a denominator.
pub(super) struct Visits {
    pub(super) weights: Vec<UBig>,
    pub(super) dens: Vec<UBig>,
}

/// How often each state is visited from state 0.
pub(super) fn visits(out: &[Equation], budget: &mut Budget) -> Result<Visits, Stop> {
    match in_order(out) {
        Some(order) => match forward(out, &order, budget)? {
            Some(visits) => Ok(visits),
            None => solved(out, budget),
        },
        None => solved(out, budget),
    }
}

/// The states so that weight only flows forward; none if some lead back.
fn in_order(out: &[Equation]) -> Option<Vec<usize>> {
    let mut before = vec![0; out.len()];
    out.iter().flat_map(|state| &state.passed).for_each(|(to, _)| before[*to] += 1);
    let mut order: Vec<usize> = (0..out.len()).filter(|state| before[*state] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for (to, _) in &out[order[at]].passed {
            before[*to] -= 1;
            if before[*to] == 0 {
                order.push(*to);
            }
        }
        at += 1;
    }
    (order.len() == out.len()).then_some(order)
}

fn forward(out: &[Equation], order: &[usize], budget: &mut Budget) -> Result<Option<Visits>, Stop> {
    let mut dens = vec![UBig::ONE; out.len()];
    for &from in order {
        let after = &dens[from] * &out[from].den;
        for (to, _) in &out[from].passed {
            budget.step(1 + cost_of(bits(&after)) / 4)?;
            if dens[*to] != after {
                dens[*to] = lcm(&dens[*to], &after);
            }
        }
        if bits(&after) > MOST_BITS {
            return Ok(None);
        }
    }
    let mut weights = vec![UBig::ZERO; out.len()];
    weights[0] = UBig::ONE;
    for &from in order {
        let after = &dens[from] * &out[from].den;
        let weight = weights[from].clone();
        for (to, w) in &out[from].passed {
            budget.step(1 + cost_of(bits(&dens[*to])) / 2)?;
            match dens[*to] == after {
                true => weights[*to] += &weight * w,
                false => weights[*to] += &weight * w * (&dens[*to] / &after),
            }
        }
    }
    Ok(Some(Visits { weights, dens }))
}

/// By a linear system.
fn solved(out: &[Equation], budget: &mut Budget) -> Result<Visits, Stop> {
    let edges = |state: &Equation| -> Edges {
        state.passed.iter().map(|(to, weight)| (*to, Fraction::part(weight, &state.den))).collect()
    };
    let edges: Vec<Edges> = out.iter().map(edges).collect();
    let mut start = vec![Fraction::zero(); edges.len()];
    start[0] = Fraction::one();
    let found = solve::visits(&edges, start, budget)?;
    let weight = |count: &Fraction| UBig::try_from(count.numerator().clone()).unwrap_or(UBig::ZERO);
    Ok(Visits {
        weights: found.iter().map(weight).collect(),
        dens: found.iter().map(|count| count.denominator().clone()).collect(),
    })
}

/// The edges out of one state, on their way into an equation.
pub(super) struct Leaving {
    den: UBig,
    /// Where to, the weight, and the mass of where it leads.
    edges: Vec<(usize, UBig, UBig)>,
    /// The mass of the state itself.
    own: UBig,
}

impl Leaving {
    /// Edges of a state with this mass, over a denominator.
    pub(super) fn new(den: UBig, own: UBig) -> Leaving {
        Leaving { den, edges: vec![], own }
    }

    /// An edge to a state with this mass.
    pub(super) fn to(&mut self, state: usize, weight: UBig, mass: UBig) {
        match self.edges.iter_mut().rev().take(4).find(|(to, ..)| *to == state) {
            Some((_, sum, _)) => *sum += weight,
            None => self.edges.push((state, weight, mass)),
        }
    }

    /// The equation: weights relative to the masses, so that what stays hidden stays out of the numbers.
    pub(super) fn equation(self) -> Equation {
        if self.own.is_one() && self.edges.iter().all(|(.., mass)| mass.is_one()) {
            let passed = self.edges.into_iter().map(|(to, weight, _)| (to, weight)).collect();
            return Equation { den: self.den, passed };
        }
        let shared = self.edges.iter().fold(UBig::ONE, |shared, (.., mass)| lcm(&shared, mass));
        let edge = |(to, weight, mass): (usize, UBig, UBig)| (to, weight * &self.own * (&shared / mass));
        let mut passed: Vec<(usize, UBig)> = self.edges.into_iter().map(edge).collect();
        let mut den = self.den * shared;
        let common = passed.iter().fold(den.clone(), |common, (_, weight)| common.gcd(weight));
        if !common.is_one() {
            den /= &common;
            passed.iter_mut().for_each(|(_, weight)| *weight /= &common);
        }
        Equation { den, passed }
    }
}
