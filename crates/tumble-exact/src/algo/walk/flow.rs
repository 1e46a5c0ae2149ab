//! Plain control flow: an absorbing Markov chain whose states pass their weight on to others and to results.
//!
//! Every state is an equation `state = Σ weight · state + Σ weight · result` over a denominator of its own. The weight of
//! the starts flows along them to the results: in whole numbers if no state leads back to an earlier one (a state that
//! leads back to itself only makes its denominator smaller), else by a sparse linear system, component by component.
//!
//! A state may stand for many cases that nobody has told apart, its mass. What leaves it is one way for each of them:
//! `den · mass = Σ weight · mass of the state it leads to + Σ weight`, in whole numbers.

use crate::algo::walk::graph::components;
use crate::algo::walk::linear::{self, Edges, endless};
use crate::fraction::{Fraction, lcm, reduce};
use crate::map::HashMap;
use crate::outcome::Stop;
use crate::weight::{bits, cost_of, cost_of_fraction};
use dashu_int::UBig;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use tumble_core::Budget;

/// More bits than this are not worth one denominator for all.
const MOST_BITS: u64 = 1 << 16;

/// Equations for states, named by their places.
#[derive(Clone, Debug)]
pub(crate) struct Flow<R> {
    pub(crate) states: Vec<Equation<R>>,
}

/// Where the weight of a state goes; together with the masses of where it goes, all weights are `den` times its own mass.
#[derive(Clone, Debug)]
pub(crate) struct Equation<R> {
    pub(crate) den: UBig,
    pub(crate) mass: UBig,
    pub(crate) passed: Vec<(usize, UBig)>,
    pub(crate) results: Vec<(R, UBig)>,
}

/// Results with whole weights, each once and in the order they were met, and the sum of the weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shares<R> {
    pub(crate) items: Vec<(R, UBig)>,
    pub(crate) den: UBig,
}

/// Numbers for the states, which are met on the way.
pub(crate) struct Places<N> {
    pub(crate) all: Vec<N>,
    places: HashMap<N, usize>,
}

impl<N> Default for Places<N> {
    fn default() -> Places<N> {
        Places { all: vec![], places: HashMap::default() }
    }
}

impl<N: Clone + Eq + Hash> Places<N> {
    /// The number of a state, a new one if it was not met before.
    pub(crate) fn of(&mut self, state: N) -> usize {
        let next = self.all.len();
        match self.places.entry(state) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                self.all.push(place.key().clone());
                *place.insert(next)
            }
        }
    }
}

impl<R> Equation<R> {
    /// How much comes back to the state itself.
    fn back(&self, own: usize) -> UBig {
        self.passed.iter().filter(|(to, _)| *to == own).map(|(_, weight)| weight).sum()
    }
}

impl<R: Clone + Eq + Hash> Flow<R> {
    /// The results of a walk that starts in these states, with weights that add up to `den`.
    pub(crate) fn solve_from(
        &self,
        starts: &[(usize, UBig)],
        den: &UBig,
        budget: &mut Budget,
    ) -> Result<Shares<R>, Stop> {
        let components = components(self.states.len(), |from| self.states[from].passed.iter().map(|(to, _)| *to));
        if components.len() == self.states.len()
            && let Some(shares) = self.straight(&components.concat(), starts, den, budget)?
        {
            return Ok(shares);
        }
        self.solved(starts, den, budget)
    }

    /// Each state's expected value if a result is worth this, from all states in one backward pass.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the worth of options in scripts"))]
    pub(crate) fn values(&self, worth: impl Fn(&R) -> Fraction, budget: &mut Budget) -> Result<Vec<Fraction>, Stop> {
        let known = |state: &Equation<R>| {
            let results = state.results.iter();
            results.fold(Fraction::zero(), |sum, (result, weight)| {
                &sum + &(&Fraction::part(weight, &(&state.den * &state.mass)) * &worth(result))
            })
        };
        let known: Vec<Fraction> = self.states.iter().map(known).collect();
        linear::values(&self.edges(), &known, budget)
    }

    /// How many steps a walk takes from each state, its last one included.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the worth of options in scripts"))]
    pub(crate) fn mean_steps(&self, budget: &mut Budget) -> Result<Vec<Fraction>, Stop> {
        linear::values(&self.edges(), &vec![Fraction::one(); self.states.len()], budget)
    }

    fn edges(&self) -> Vec<Edges> {
        let edges = |state: &Equation<R>| {
            let den = &state.den * &state.mass;
            let share = |(to, weight): &(usize, UBig)| (*to, Fraction::part(&(weight * &self.states[*to].mass), &den));
            state.passed.iter().map(share).collect()
        };
        self.states.iter().map(edges).collect()
    }

    /// Weights in whole numbers. A state is as far out as the longest way to it; those at one distance share a
    /// denominator. None if it becomes too long.
    fn straight(
        &self,
        order: &[usize],
        starts: &[(usize, UBig)],
        den: &UBig,
        budget: &mut Budget,
    ) -> Result<Option<Shares<R>>, Stop> {
        let mut rank = vec![0usize; self.states.len()];
        for &from in order {
            self.states[from].passed.iter().filter(|(to, _)| *to != from).for_each(|(to, _)| {
                rank[*to] = rank[*to].max(rank[from] + 1);
            });
        }
        let leave: Vec<UBig> =
            self.states.iter().enumerate().map(|(own, state)| &state.den - state.back(own)).collect();
        let Some((each, dens)) = denominators(&rank, &leave, den) else { return Ok(None) };
        let (last, size) = (dens.len() - 1, |state: &Equation<R>| (state.passed.len() + state.results.len()) as u64);
        let edges: u64 = self.states.iter().map(size).sum();
        budget.step(edges.saturating_mul(2 + cost_of(bits(&dens[last]))))?;
        let mut weights = vec![UBig::ZERO; self.states.len()];
        starts.iter().for_each(|(state, weight)| weights[*state] += weight * (&dens[rank[*state]] / den));
        let mut found = Vec::new();
        for &from in order {
            let weight = std::mem::take(&mut weights[from]);
            if weight.is_zero() {
                continue;
            }
            if leave[from].is_zero() {
                return Err(endless().into());
            }
            let next = rank[from] + 1;
            let weight = weight * (&each[rank[from]] / &leave[from]);
            for (to, w) in self.states[from].passed.iter().filter(|(to, _)| *to != from) {
                let far = rank[*to];
                weights[*to] += if far == next { &weight * w } else { &weight * w * (&dens[far] / &dens[next]) };
            }
            let weight = weight * (&dens[last] / &dens[next]);
            found.extend(self.states[from].results.iter().map(|(result, w)| (result.clone(), &weight * w)));
        }
        // The starts of one walk have the same mass.
        let whole = starts.first().map_or(UBig::ONE, |(state, _)| &dens[last] * &self.states[*state].mass);
        Ok(Some(Shares::of(found.into_iter(), whole)))
    }

    /// Weights by a linear system.
    fn solved(&self, starts: &[(usize, UBig)], den: &UBig, budget: &mut Budget) -> Result<Shares<R>, Stop> {
        let mut start = vec![Fraction::zero(); self.states.len()];
        starts.iter().for_each(|(state, weight)| start[*state] = &start[*state] + &Fraction::part(weight, den));
        let visits = linear::visits(&self.edges(), start, budget)?;
        let ends = || visits.iter().zip(&self.states).filter(|(n, state)| !n.is_zero() && !state.results.is_empty());
        let mut all = UBig::ONE;
        for (count, state) in ends() {
            budget.step(2 * cost_of_fraction(bits(&all)) + 10 * state.results.len() as u64)?;
            all = lcm(&all, &(count.denominator() * &state.den * &state.mass));
        }
        let found = ends().flat_map(|(count, state)| {
            let count = count.positive() * (&all / (count.denominator() * &state.den * &state.mass));
            state.results.iter().map(move |(result, w)| (result.clone(), &count * w))
        });
        Ok(Shares::of(found, all.clone()).reduced())
    }
}

impl<R: Clone + Eq + Hash> Shares<R> {
    /// Results that may be there several times, with weights that add up to `den`.
    fn of(results: impl Iterator<Item = (R, UBig)>, den: UBig) -> Shares<R> {
        let (mut places, mut weights) = (Places::default(), Vec::<UBig>::new());
        for (result, weight) in results {
            let place = places.of(result);
            match weights.get_mut(place) {
                Some(sum) => *sum += weight,
                None => weights.push(weight),
            }
        }
        Shares { items: places.all.into_iter().zip(weights).collect(), den }
    }

    /// The same over the smallest denominator.
    pub(crate) fn reduced(mut self) -> Shares<R> {
        reduce(self.den.clone(), &mut self.den, &mut self.items);
        self
    }
}

/// What each distance adds to the denominator, and the denominators of all distances, the last being that of the
/// results; none if they become too long.
fn denominators(rank: &[usize], leave: &[UBig], den: &UBig) -> Option<(Vec<UBig>, Vec<UBig>)> {
    let mut each = vec![UBig::ONE; rank.iter().max().map_or(0, |rank| rank + 1)];
    let leave = rank.iter().zip(leave).filter(|(_, leave)| !leave.is_zero());
    leave.for_each(|(rank, leave)| each[*rank] = lcm(&each[*rank], leave));
    if each.iter().map(bits).sum::<u64>() > MOST_BITS {
        return None;
    }
    let mut dens = vec![den.clone()];
    each.iter().enumerate().for_each(|(rank, each)| dens.push(&dens[rank] * each));
    Some((each, dens))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_core::Limits;

    type State = (u64, &'static [(usize, u64)], &'static [(char, u64)]);

    fn flow(states: &[State]) -> Flow<char> {
        let big = |n: &u64| UBig::from(*n);
        let state = |(den, passed, results): &State| Equation {
            den: big(den),
            mass: UBig::ONE,
            passed: passed.iter().map(|(to, weight)| (*to, big(weight))).collect(),
            results: results.iter().map(|(result, weight)| (*result, big(weight))).collect(),
        };
        Flow { states: states.iter().map(state).collect() }
    }

    fn check(states: &[State], expected: &[(char, i64, u64)]) {
        let (flow, mut budget) = (flow(states), Budget::new(Limits::default()));
        let found = flow.solve_from(&[(0, UBig::ONE)], &UBig::ONE, &mut budget).unwrap();
        let solved = flow.solved(&[(0, UBig::ONE)], &UBig::ONE, &mut budget).unwrap();
        for (result, num, den) in expected {
            for shares in [&found, &solved] {
                let (_, weight) = shares.items.iter().find(|(own, _)| own == result).unwrap();
                assert_eq!(Fraction::part(weight, &shares.den), Fraction::ratio(*num, *den), "{result}");
            }
            let values = flow.values(|own| Fraction::whole(i64::from(own == result)), &mut budget).unwrap();
            assert_eq!(values[0], Fraction::ratio(*num, *den), "{result}, backward");
        }
        assert_eq!(found.items.len(), expected.len());
        assert_eq!(found.items.iter().map(|(_, weight)| weight).sum::<UBig>(), found.den);
    }

    #[test]
    fn straight_lines_and_shortcuts() {
        check(
            &[(6, &[(1, 2), (2, 1)], &[('a', 3)]), (4, &[(2, 1)], &[('b', 3)]), (2, &[], &[('a', 1), ('b', 1)])],
            &[('a', 5, 8), ('b', 3, 8)],
        );
    }

    #[test]
    fn a_state_that_leads_back_to_itself() {
        check(&[(6, &[(0, 2), (1, 1)], &[('a', 3)]), (3, &[(1, 1)], &[('b', 2)])], &[('a', 3, 4), ('b', 1, 4)]);
    }

    #[test]
    fn circles() {
        check(&[(2, &[(1, 1)], &[('a', 1)]), (3, &[(0, 1)], &[('b', 2)])], &[('a', 3, 5), ('b', 2, 5)]);
    }

    #[test]
    fn steps_until_a_six() {
        let found = flow(&[(6, &[(0, 5)], &[('a', 1)])]).mean_steps(&mut Budget::new(Limits::default()));
        assert_eq!(found.unwrap(), [Fraction::whole(6)]);
    }

    #[test]
    fn what_cannot_end_is_refused() {
        let states: &[State] = &[(2, &[(1, 1)], &[('a', 1)]), (1, &[(1, 1)], &[])];
        assert!(flow(states).solve_from(&[(0, UBig::ONE)], &UBig::ONE, &mut Budget::new(Limits::default())).is_err());
    }
}
