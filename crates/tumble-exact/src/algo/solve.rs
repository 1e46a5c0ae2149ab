//! Linear systems of walks: how often each state of an absorbing walk is visited.
//!
//! States are taken component by component in the order of the walk. A state that can only return to
//! itself is visited `in / (1 − back)` times; a larger component is eliminated state by state, which
//! adds and multiplies only, so nothing cancels. A component that cannot be left is endless.

use crate::fraction::Fraction;
use crate::map::{HashMap, HashSet};
use crate::outcome::Stop;
use crate::weight::{bits, cost_of_fraction};
use std::collections::{BTreeMap, BTreeSet};
use tumble_core::{Budget, Code, Fault};

/// Edges out of a state: where to, and with which chance; what is missing to one ends the walk.
pub(crate) type Edges = Vec<(usize, Fraction)>;

/// The expected visits to each state, from these starts.
pub(crate) fn visits(edges: &[Edges], start: Vec<Fraction>, budget: &mut Budget) -> Result<Vec<Fraction>, Stop> {
    let mut inflow = start;
    for component in components(edges) {
        let members: HashSet<usize> = component.iter().copied().collect();
        let inside = inner_visits(edges, &component, &inflow, budget)?;
        for (state, count) in component.iter().zip(inside) {
            for (to, chance) in &edges[*state] {
                budget.step(1)?;
                if !members.contains(to) {
                    inflow[*to] = &inflow[*to] + &(&count * chance);
                }
            }
            inflow[*state] = count;
        }
    }
    Ok(inflow)
}

/// The visits inside one component, given what flows into it. Only chances that are there are touched,
/// so a walk along a line costs as much as it is long.
fn inner_visits(
    edges: &[Edges],
    component: &[usize],
    inflow: &[Fraction],
    budget: &mut Budget,
) -> Result<Vec<Fraction>, Stop> {
    let size = component.len();
    let mut into: Vec<Fraction> = component.iter().map(|state| inflow[*state].clone()).collect();
    if into.iter().all(Fraction::is_zero) {
        return Ok(into);
    }
    let places: HashMap<usize, usize> = component.iter().enumerate().map(|(place, state)| (*state, place)).collect();
    let mut chances = Chances { rows: vec![BTreeMap::new(); size], columns: vec![BTreeSet::new(); size] };
    for (row, state) in component.iter().enumerate() {
        for (to, share) in &edges[*state] {
            budget.step(2)?;
            if let Some(column) = places.get(to) {
                chances.add(row, *column, share);
            }
        }
    }
    let mut stay = Vec::with_capacity(size);
    for k in 0..size {
        let leave = chances.rows[k].get(&k).map_or_else(Fraction::one, |back| &Fraction::one() - back);
        if leave.is_zero() {
            return Err(Stop::Fault(endless()));
        }
        let factor = &Fraction::one() / &leave;
        let later: Vec<(usize, Fraction)> =
            chances.rows[k].range(k + 1..).map(|(j, chance)| (*j, &factor * chance)).collect();
        let rows: Vec<usize> = chances.columns[k].range(k + 1..).copied().collect();
        for (j, through) in &later {
            into[*j] = &into[*j] + &(&into[k] * through);
            for &row in &rows {
                let long = bits(through.denominator()) + bits(chances.rows[row][&k].denominator());
                budget.step(2 + cost_of_fraction(long))?;
                let more = &chances.rows[row][&k] * through;
                chances.add(row, *j, &more);
            }
        }
        stay.push(factor);
    }
    let mut visits = vec![Fraction::zero(); size];
    for k in (0..size).rev() {
        let rows = chances.columns[k].range(k + 1..);
        let later = rows.fold(into[k].clone(), |sum, i| &sum + &(&visits[*i] * &chances.rows[*i][&k]));
        visits[k] = &stay[k] * &later;
    }
    Ok(visits)
}

/// Chances from place to place, those that are there by row, and their rows by column.
struct Chances {
    rows: Vec<BTreeMap<usize, Fraction>>,
    columns: Vec<BTreeSet<usize>>,
}

impl Chances {
    fn add(&mut self, row: usize, column: usize, share: &Fraction) {
        let chance = self.rows[row].entry(column).or_insert_with(Fraction::zero);
        *chance = &*chance + share;
        self.columns[column].insert(row);
    }
}

/// Solves `x = known + chance·x` for values that belong to states, such as means.
pub(crate) fn values(edges: &[Edges], known: &[Fraction], budget: &mut Budget) -> Result<Vec<Fraction>, Stop> {
    let mut result = Vec::with_capacity(known.len());
    for start in 0..known.len() {
        let mut from = vec![Fraction::zero(); known.len()];
        from[start] = Fraction::one();
        let seen = visits(edges, from, budget)?;
        result.push(seen.iter().zip(known).fold(Fraction::zero(), |sum, (count, value)| &sum + &(count * value)));
    }
    Ok(result)
}

/// The fault of a walk that cannot end.
pub(crate) fn endless() -> Fault {
    Fault::new(Code::Endless, "this roll can never stop").hint("make sure that every path through the loop can end it")
}

/// The strongly connected components in the order of the walk (Tarjan, with its own stack).
fn components(edges: &[Edges]) -> Vec<Vec<usize>> {
    let mut search = Search { edges, index: vec![None; edges.len()], low: vec![0; edges.len()], ..Search::default() };
    for state in 0..edges.len() {
        if search.index[state].is_none() {
            search.from(state);
        }
    }
    search.found.reverse();
    search.found
}

#[derive(Default)]
struct Search<'a> {
    edges: &'a [Edges],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    next: usize,
    open: Vec<usize>,
    on_stack: HashSet<usize>,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        let mut work = vec![(start, 0)];
        while let Some((state, edge)) = work.pop() {
            if edge == 0 {
                self.index[state] = Some(self.next);
                self.low[state] = self.next;
                self.next += 1;
                self.open.push(state);
                self.on_stack.insert(state);
            }
            match self.edges[state].get(edge) {
                Some((to, _)) => {
                    work.push((state, edge + 1));
                    match self.index[*to] {
                        None => work.push((*to, 0)),
                        Some(index) if self.on_stack.contains(to) => self.low[state] = self.low[state].min(index),
                        Some(_) => {}
                    }
                }
                None => self.close(state, work.last().map(|(parent, _)| *parent)),
            }
        }
    }

    fn close(&mut self, state: usize, parent: Option<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[state]);
        }
        if Some(self.low[state]) != self.index[state] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.on_stack.remove(&member);
            component.push(member);
            if member == state {
                break;
            }
        }
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_core::Limits;

    fn f(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    /// A gambler at 1 of 3 with a fair coin: visits to 1 and 2 before 0 or 3.
    #[test]
    fn a_small_walk() {
        let edges = vec![vec![(1, f("1/2"))], vec![(0, f("1/2"))]];
        let start = vec![f("1"), f("0")];
        let counts = visits(&edges, start, &mut Budget::new(Limits::default())).unwrap();
        assert_eq!(counts, [f("4/3"), f("2/3")]);
    }

    #[test]
    fn a_component_without_exit_is_endless() {
        let edges = vec![vec![(1, f("1"))], vec![(0, f("1"))]];
        let start = vec![f("1"), f("0")];
        assert!(matches!(visits(&edges, start, &mut Budget::new(Limits::default())), Err(Stop::Fault(_))));
    }

    #[test]
    fn order_of_components_is_the_order_of_the_walk() {
        let edges = vec![vec![(1, f("1/2")), (2, f("1/2"))], vec![(2, f("1"))], vec![]];
        let start = vec![f("1"), f("0"), f("0")];
        let counts = visits(&edges, start, &mut Budget::new(Limits::default())).unwrap();
        assert_eq!(counts, [f("1"), f("1/2"), f("1")]);
    }
}
