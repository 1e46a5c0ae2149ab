//! Everything a walk can collect, found grade by grade.
//!
//! The product of the walk with a summary has a node for each state and each summary of what was collected on the way to
//! it. A step leads from node to node and adds to a grade, never less than 0. So the nodes of one grade, and the steps
//! between them that add nothing, are a finite absorbing chain ([`Flow`]) that passes its weight on to higher grades: it is
//! solved as soon as all lower grades are. Three gauges make everything of it:
//!
//! - *nothing* adds to the grade: all nodes are one linear system, for summaries that take finitely many values;
//! - the *size* of what is collected (a sum of positive numbers, a number of members): an outcome is complete when its
//!   size is passed, and what is left is "above" or "larger", with its exact mass;
//! - every *pass* adds one, for walks that end after so many or are cut there; otherwise until little is left, and then
//!   nothing is known of the rest.
//!
//! Weights are whole numbers over the denominator of their grade. A [`Listing`] that stopped can be continued to a finer
//! precision from where it is.

use crate::algo::walk::ended::Ended;
use crate::algo::walk::flow::{Equation, Flow, Places};
use crate::algo::walk::summary::Summary;
use crate::dist::{Dist, Pile};
use crate::fraction::lcm;
use crate::law::{Chain, End};
use crate::outcome::{self, Outcome, Stop};
use crate::weight::{bits, cost_of, cost_of_fraction};
use dashu_int::UBig;
use std::collections::BTreeMap;
use tumble_core::{Budget, Fault, Remedy};

/// More nodes than this of one grade are not solved.
const MOST_NODES: usize = 10_000;
/// No more outcomes than this are listed.
const MOST_LISTED: usize = 100_000;
/// Passes after which a walk without a grade is given up.
const MOST_PASSES: u64 = 100_000;

/// What adds to the grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gauge {
    Nothing,
    Size,
    Pass,
}

/// A state, and the summary of what was collected on the way to it.
type Node = (usize, Outcome);

/// Where a grade passes its weight on to: the end with a summary, or a node of a higher grade.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Exit {
    End(i64, Outcome),
    On(i64, Node),
}

/// Nodes of one grade with weights over one denominator.
struct Group {
    den: UBig,
    nodes: Vec<(Node, UBig)>,
}

/// What a walk has collected so far, and what is under way.
pub(crate) struct Listing<'s> {
    summary: &'s dyn Summary,
    gauge: Gauge,
    /// The walk with what is seen of each step, and what each step adds to the grade.
    walk: &'s Chain,
    grades: Vec<Vec<i64>>,
    under_way: BTreeMap<i64, Vec<Group>>,
    ended: Ended,
    /// The nodes of the grade that was solved last.
    nodes: usize,
}

impl<'s> Listing<'s> {
    /// At the start of a walk; none if it cannot be measured like that.
    pub(crate) fn new(walk: &'s Chain, summary: &'s dyn Summary, gauge: Gauge) -> Option<Listing<'s>> {
        let grade = |step: &crate::law::Step| match gauge {
            Gauge::Nothing => Some(0),
            Gauge::Pass => Some(i64::from(step.next.is_some())),
            Gauge::Size => summary.grade(&step.emit).filter(|more| step.next.is_none() || *more >= 0),
        };
        let grades = walk.states.iter().map(|steps| steps.iter().map(grade).collect()).collect::<Option<_>>()?;
        let start = Group { den: UBig::ONE, nodes: vec![((walk.start, summary.unit()), UBig::ONE)] };
        let under_way = BTreeMap::from([(0, vec![start])]);
        Some(Listing { summary, gauge, walk, grades, under_way, ended: Ended::new(), nodes: 0 })
    }

    /// Goes on until less than two to the minus `precision` is under way, or to the end of the walk. False if there are too
    /// many nodes of one grade.
    pub(crate) fn refine(&mut self, precision: u64, budget: &mut Budget) -> Result<bool, Stop> {
        // A long list stops early enough that something can still be done with it.
        let allowed = budget.used() + (budget.limits().steps - budget.used()) / 4;
        while let Some((&grade, _)) = self.under_way.first_key_value() {
            let open = self.gauge != Gauge::Nothing && self.walk.end == End::Open;
            let long = self.ended.weights.len() > MOST_LISTED || self.gauge == Gauge::Size && budget.used() > allowed;
            if open && (self.ended.little_left(precision) || long) || self.passes().is_some_and(|most| grade >= most) {
                break;
            }
            let groups = self.under_way.remove(&grade).unwrap_or_default();
            if !self.pass(grade, groups, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Up to which grade everything is listed, if not everything is, and the denominator of what is.
    pub(crate) fn listed_to(&self) -> Option<(i64, &UBig)> {
        let (next, _) = self.under_way.first_key_value().filter(|_| self.gauge == Gauge::Size)?;
        let ends = self.walk.states.iter().zip(&self.grades).flat_map(|(steps, grades)| steps.iter().zip(grades));
        let shortest = ends.filter(|(step, _)| step.next.is_none()).map(|(_, grade)| *grade).min();
        Some(((next - 1).saturating_add(shortest.unwrap_or(0)), &self.ended.den))
    }

    /// What was done, for those who want to know.
    pub(crate) fn words(&self) -> String {
        let outcomes = self.ended.weights.len();
        match self.gauge {
            Gauge::Nothing => format!("{} states, solved as a linear system", self.nodes),
            Gauge::Size => format!("{outcomes} outcomes, listed by size"),
            Gauge::Pass => format!("followed pass by pass to {outcomes} outcomes"),
        }
    }

    /// After how many passes the walk is left.
    fn passes(&self) -> Option<i64> {
        let most = match (self.gauge, self.walk.end) {
            (Gauge::Pass, End::After(most) | End::Cut(most)) => most,
            (Gauge::Pass, End::Open) => MOST_PASSES,
            _ => return None,
        };
        Some(i64::try_from(most).unwrap_or(i64::MAX))
    }

    /// Solves one grade.
    fn pass(&mut self, grade: i64, groups: Vec<Group>, budget: &mut Budget) -> Result<bool, Stop> {
        let mut nodes = Places::default();
        let (starts, den) = start(&mut nodes, groups);
        let Some(flow) = self.flow(grade, &mut nodes, bits(&den) + bits(&self.walk.den), budget)? else {
            return Ok(false);
        };
        self.nodes = flow.states.len();
        let shares = flow.solve_from(&starts, &den, budget)?;
        let scale = self.ended.over(&shares.den);
        if self.gauge == Gauge::Pass {
            budget.step(cost_of(bits(&self.ended.den)))?;
            self.holdable(budget)?;
        }
        let mut higher: BTreeMap<i64, Vec<(Node, UBig)>> = BTreeMap::new();
        for (exit, weight) in shares.items {
            match exit {
                Exit::End(grade, outcome) => self.ended.add((grade, outcome), weight * &scale, budget)?,
                Exit::On(grade, node) => higher.entry(grade).or_default().push((node, weight)),
            }
        }
        for (grade, nodes) in higher {
            self.under_way.entry(grade).or_default().push(Group { den: shares.den.clone(), nodes });
        }
        Ok(true)
    }

    /// The nodes of one grade that can be reached from these, with the steps out of them.
    fn flow(
        &self,
        grade: i64,
        nodes: &mut Places<Node>,
        long: u64,
        budget: &mut Budget,
    ) -> Result<Option<Flow<Exit>>, Stop> {
        // A listing by size is as dear as fractions: a longer one is more than can be worked with afterwards.
        let price = |size: u64| match self.gauge {
            Gauge::Nothing => 10 + 2 * size,
            Gauge::Pass => 2 + size,
            Gauge::Size => 18 + 2 * size + (4 * cost_of_fraction(long)).saturating_sub(cost_of(long)),
        };
        let (mut flow, most) = (Flow { states: vec![] }, nodes.all.len() + MOST_NODES);
        while let Some((state, so_far)) = nodes.all.get(flow.states.len()).cloned() {
            let mut equation =
                Equation { den: self.walk.den.clone(), mass: UBig::ONE, passed: vec![], results: vec![] };
            for (step, more) in self.walk.states[state].iter().zip(&self.grades[state]) {
                budget.step(price(outcome::size(&so_far)))?;
                let value = self.summary.join(&so_far, &step.emit, budget)?;
                let to = grade.saturating_add(*more);
                let exit = match step.next {
                    Some(next) if *more == 0 => {
                        equation.passed.push((nodes.of((next, value)), step.weight.clone()));
                        continue;
                    }
                    Some(next) => Exit::On(to, (next, value)),
                    None if self.gauge == Gauge::Size => Exit::End(to, value),
                    None => Exit::End(0, value),
                };
                equation.results.push((exit, step.weight.clone()));
            }
            if nodes.all.len() > most {
                return Ok(None);
            }
            flow.states.push(equation);
        }
        Ok(Some(flow))
    }

    /// Refuses numbers so long that all outcomes are too much to hold.
    fn holdable(&self, budget: &Budget) -> Result<(), Stop> {
        let one = 96 + bits(&self.ended.den) / 8;
        let too_much = one.saturating_mul(1 + self.ended.weights.len() as u64) > budget.limits().bytes / 4;
        if too_much { Err(too_long_for(self.walk.end).into()) } else { Ok(()) }
    }

    /// The distribution of the summary, with what is not listed as one outcome.
    pub(crate) fn dist(&self, budget: &mut Budget) -> Result<Dist, Stop> {
        let bound = self.listed_to().map(|(bound, _)| bound);
        let (mut pile, mut listed) = (Pile::default(), UBig::ZERO);
        for (outcome, weight) in self.ended.listed(bound, budget)? {
            listed += &weight;
            pile.add(outcome, &weight);
        }
        if let Some(bound) = bound {
            pile.add(self.summary.far(self.walk, bound), &(&self.ended.den - listed));
            return Ok(pile.over(self.ended.den.clone()).reduced());
        }
        for group in self.under_way.values().flatten() {
            let scale = &self.ended.den / &group.den;
            for ((_, so_far), weight) in &group.nodes {
                let left = match self.walk.end {
                    End::Open => Outcome::Unknown,
                    End::Cut(_) => Outcome::Cut,
                    End::After(_) => so_far.clone(),
                };
                pile.add(left, &(weight * &scale));
            }
        }
        Ok(pile.over(self.ended.den.clone()).reduced())
    }
}

/// The nodes of all groups, with weights over one denominator, which is the last.
fn start(nodes: &mut Places<Node>, groups: Vec<Group>) -> (Vec<(usize, UBig)>, UBig) {
    let den = groups.iter().fold(UBig::ONE, |den, group| lcm(&den, &group.den));
    let mut starts: Vec<(usize, UBig)> = Vec::new();
    for group in groups {
        let scale = &den / &group.den;
        for (node, weight) in group.nodes {
            let place = nodes.of(node);
            if place == starts.len() {
                starts.push((place, UBig::ZERO));
            }
            starts[place].1 += weight * &scale;
        }
    }
    (starts, den)
}

/// A loop with an end that is too far away for numbers of that length.
#[cold]
pub(crate) fn too_long(most: u64) -> Fault {
    Fault::limit(format!("a loop of up to {most} passes is too long to follow")).hint("remove its maximum, or lower it")
}

/// The same for one that ends like this: who cuts it can cut it earlier.
pub(crate) fn too_long_for(end: End) -> Fault {
    match end {
        End::Cut(most) => Fault { hint: None, ..too_long(most) }.remedy(Remedy::CutEarlier),
        End::After(most) => too_long(most),
        End::Open => too_long(MOST_PASSES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::walk::summary::Sum;
    use crate::law::Step;
    use tumble_core::Limits;

    /// A die that is rolled again on its highest face, and on its lowest without being counted.
    #[test]
    fn a_list_goes_on_from_where_it_stopped() {
        let step = |face: i64| {
            let next = [1, 6].contains(&face).then_some(0);
            Step { weight: UBig::ONE, emit: Outcome::int(if face == 1 { 0 } else { face }), next }
        };
        let walk = Chain { den: UBig::from(6u8), states: vec![(1..=6).map(step).collect()], start: 0, end: End::Open };
        let listed = |precisions: &[u64]| {
            let mut budget = Budget::new(Limits::default());
            let mut listing = Listing::new(&walk, &Sum, Gauge::Size).unwrap();
            precisions.iter().for_each(|bits| assert!(listing.refine(*bits, &mut budget).unwrap()));
            listing.dist(&mut budget).unwrap()
        };
        let (once, often) = (listed(&[256]), listed(&[16, 64, 256]));
        assert_eq!(once, often);
        assert!(once.items.len() > listed(&[64]).items.len());
        assert_eq!(once.items[0], (Outcome::int(2), &once.den / UBig::from(5u8)));
    }
}
