//! Linear systems of absorbing Markov chains, over any ring that has `1 / (1 − x)`.
//!
//! With P the weights from state to state, [`visits`] solves `v = start + v·P` (how often each state is visited) and
//! [`values`] solves `x = known + P·x` (what follows from each state). States are taken component by component in the
//! order of the walk. Inside a component `1 − P` is brought to triangular factors, state by state, which adds and
//! multiplies only, so nothing cancels; only weights that are there are touched, so a walk along a line costs as much as it
//! is long. A component that cannot be left is endless.

use crate::algo::walk::graph::components;
use crate::fraction::Fraction;
use crate::map::{HashMap, HashSet};
use crate::outcome::Stop;
use crate::weight::{bits, cost_of_fraction};
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::{Budget, Code, Fault};

/// A commutative ring, as far as it is needed.
pub(crate) trait Ring: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
}

/// What the weights of a system are.
pub(crate) trait Closed: Ring {
    /// `1 / (1 − self)`, the sum of all its powers; none if that is not defined.
    fn closure(&self) -> Option<Self>;
    /// How many bits it takes.
    fn long(&self) -> u64;
}

impl Ring for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }
    fn one() -> Fraction {
        Fraction::one()
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn add(&mut self, other: &Fraction) {
        *self = &*self + other;
    }
    fn times(&self, other: &Fraction) -> Fraction {
        self * other
    }
}

impl Closed for Fraction {
    fn closure(&self) -> Option<Fraction> {
        let leave = &Fraction::one() - self;
        (!leave.is_zero()).then(|| &Fraction::one() / &leave)
    }
    fn long(&self) -> u64 {
        bits(self.denominator())
    }
}

/// Edges out of a state: where to, and with which weight; what is missing to one ends the walk.
pub(crate) type Edges<K = Fraction> = Vec<(usize, K)>;

/// The expected visits to each state, from these starts.
pub(crate) fn visits<K: Closed>(edges: &[Edges<K>], start: Vec<K>, budget: &mut Budget) -> Result<Vec<K>, Stop> {
    let mut inflow = start;
    for component in in_order(edges) {
        if component.iter().all(|state| inflow[*state].is_zero()) {
            continue;
        }
        let members: HashSet<usize> = component.iter().copied().collect();
        let into = component.iter().map(|state| inflow[*state].clone()).collect();
        let inside = Factors::of(edges, &component, budget)?.visits(into);
        for (state, count) in component.iter().zip(inside) {
            for (to, chance) in &edges[*state] {
                budget.step(1)?;
                if !members.contains(to) {
                    inflow[*to].add(&count.times(chance));
                }
            }
            inflow[*state] = count;
        }
    }
    Ok(inflow)
}

/// What follows from each state, where each adds what is known of it whenever it is visited: one backward pass.
pub(crate) fn values<K: Closed>(edges: &[Edges<K>], known: &[K], budget: &mut Budget) -> Result<Vec<K>, Stop> {
    let mut values = known.to_vec();
    for component in in_order(edges).iter().rev() {
        let members: HashSet<usize> = component.iter().copied().collect();
        let mut own = Vec::with_capacity(component.len());
        for state in component {
            budget.step(edges[*state].len() as u64)?;
            let mut value = known[*state].clone();
            let later = edges[*state].iter().filter(|(to, _)| !members.contains(to));
            later.for_each(|(to, chance)| value.add(&chance.times(&values[*to])));
            own.push(value);
        }
        let found = Factors::of(edges, component, budget)?.values(own);
        component.iter().zip(found).for_each(|(state, value)| values[*state] = value);
    }
    Ok(values)
}

/// `1 − P` of one component as triangular factors: the weights from place to place when the earlier of both was
/// eliminated, by row, their rows by column, and how often each place is visited on its own.
struct Factors<K> {
    rows: Vec<BTreeMap<usize, K>>,
    columns: Vec<BTreeSet<usize>>,
    stay: Vec<K>,
}

impl<K: Closed> Factors<K> {
    fn of(edges: &[Edges<K>], component: &[usize], budget: &mut Budget) -> Result<Factors<K>, Stop> {
        let size = component.len();
        let places: HashMap<usize, usize> =
            component.iter().enumerate().map(|(place, state)| (*state, place)).collect();
        let mut all =
            Factors { rows: vec![BTreeMap::new(); size], columns: vec![BTreeSet::new(); size], stay: Vec::new() };
        for (row, state) in component.iter().enumerate() {
            for (to, share) in &edges[*state] {
                budget.step(2)?;
                if let Some(column) = places.get(to) {
                    all.add(row, *column, share);
                }
            }
        }
        for k in 0..size {
            all.eliminate(k, budget)?;
        }
        Ok(all)
    }

    fn eliminate(&mut self, k: usize, budget: &mut Budget) -> Result<(), Stop> {
        let stay = match self.rows[k].get(&k) {
            Some(back) => back.closure().ok_or_else(endless)?,
            None => K::one(),
        };
        let later: Vec<(usize, K)> = self.rows[k].range(k + 1..).map(|(j, chance)| (*j, stay.times(chance))).collect();
        let rows: Vec<usize> = self.columns[k].range(k + 1..).copied().collect();
        for (j, through) in &later {
            for &row in &rows {
                budget.step(2 + cost_of_fraction(through.long() + self.rows[row][&k].long()))?;
                let more = self.rows[row][&k].times(through);
                self.add(row, *j, &more);
            }
        }
        self.stay.push(stay);
        Ok(())
    }

    fn add(&mut self, row: usize, column: usize, share: &K) {
        self.rows[row].entry(column).or_insert_with(K::zero).add(share);
        self.columns[column].insert(row);
    }

    /// The visits to each place, given what flows into it.
    fn visits(&self, mut into: Vec<K>) -> Vec<K> {
        for k in 0..into.len() {
            let here = self.stay[k].times(&into[k]);
            for (j, chance) in self.rows[k].range(k + 1..) {
                into[*j].add(&here.times(chance));
            }
        }
        for k in (0..into.len()).rev() {
            let mut sum = into[k].clone();
            self.columns[k].range(k + 1..).for_each(|i| sum.add(&into[*i].times(&self.rows[*i][&k])));
            into[k] = self.stay[k].times(&sum);
        }
        into
    }

    /// What follows from each place, given what each adds.
    fn values(&self, mut known: Vec<K>) -> Vec<K> {
        for k in 0..known.len() {
            let here = self.stay[k].times(&known[k]);
            for i in self.columns[k].range(k + 1..) {
                known[*i].add(&self.rows[*i][&k].times(&here));
            }
        }
        for k in (0..known.len()).rev() {
            let mut sum = known[k].clone();
            self.rows[k].range(k + 1..).for_each(|(j, chance)| sum.add(&chance.times(&known[*j])));
            known[k] = self.stay[k].times(&sum);
        }
        known
    }
}

/// The components in the order of the walk.
fn in_order<K>(edges: &[Edges<K>]) -> Vec<Vec<usize>> {
    components(edges.len(), |state| edges[state].iter().map(|(to, _)| *to))
}

/// The fault of a walk that cannot end.
pub(crate) fn endless() -> Fault {
    Fault::new(Code::Endless, "this roll can never stop").hint("make sure that every path through the loop can end it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_core::Limits;

    fn f(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    fn budget() -> Budget {
        Budget::new(Limits::default())
    }

    /// A gambler at 1 of 3 with a fair coin: visits to 1 and 2 before 0 or 3, and the probability to reach 3.
    #[test]
    fn a_small_walk() {
        let edges = vec![vec![(1, f("1/2"))], vec![(0, f("1/2"))]];
        let counts = visits(&edges, vec![f("1"), f("0")], &mut budget()).unwrap();
        assert_eq!(counts, [f("4/3"), f("2/3")]);
        assert_eq!(values(&edges, &[f("0"), f("1/2")], &mut budget()).unwrap(), [f("1/3"), f("2/3")]);
    }

    #[test]
    fn a_component_without_exit_is_endless() {
        let edges = vec![vec![(1, f("1"))], vec![(0, f("1"))]];
        assert!(matches!(visits(&edges, vec![f("1"), f("0")], &mut budget()), Err(Stop::Fault(_))));
    }

    #[test]
    fn order_of_components_is_the_order_of_the_walk() {
        let edges = vec![vec![(1, f("1/2")), (2, f("1/2"))], vec![(2, f("1"))], vec![]];
        let counts = visits(&edges, vec![f("1"), f("0"), f("0")], &mut budget()).unwrap();
        assert_eq!(counts, [f("1"), f("1/2"), f("1")]);
    }

    /// Forward and backward are two ways to the same number: `start · (1 − P)⁻¹ · known`.
    #[test]
    fn forward_and_backward_agree() {
        let mut seed = 1u64;
        let mut next = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % most
        };
        for size in [1usize, 2, 3, 5, 8] {
            let edge = |to: u64, n: u64| (to as usize, Fraction::ratio(n as i64, 30));
            let edges: Vec<Edges> =
                (0..size).map(|_| (0..3).map(|_| edge(next(size as u64), next(10))).collect()).collect();
            let known: Vec<Fraction> = (0..size).map(|_| Fraction::whole(next(20) as i64)).collect();
            let values = values(&edges, &known, &mut budget()).unwrap();
            for (start, value) in values.iter().enumerate() {
                let from = (0..size).map(|state| Fraction::whole(i64::from(state == start))).collect();
                let seen = visits(&edges, from, &mut budget()).unwrap();
                let sum = seen.iter().zip(&known).fold(Fraction::zero(), |sum, (n, value)| &sum + &(n * value));
                assert_eq!(sum, *value, "{size} states from {start}");
            }
        }
    }
}
