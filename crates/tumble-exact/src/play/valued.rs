//! The situations of a program, built once and valued again and again: what a result is worth may change from one time to
//! the next, as the worth of a turn's dice does with every box of a score card that is filled.
//!
//! Values are floating-point numbers, summed in the order of the situations. With m terms at most in a sum, d sums at most
//! one after the other and no value above v, an answer is off by at most `d · (m + 2) · 2^-53 · v`.

use super::Play;
use super::answers::{Answering, Free};
use super::best::targets;
use super::goal::Sides;
use super::graph::{Node, Target};
use super::odds::Solver;
use crate::algo::walk::graph::components;
use crate::fraction::Fraction;
use crate::map::HashMap;
use crate::outcome::Outcome;
use tumble_core::{Diagnostic, Fault, Value};

/// Situations that can be valued.
#[derive(Clone, Debug)]
pub struct Situations {
    results: Vec<Value>,
    /// Each after all that can follow it.
    steps: Vec<Step>,
    first: u32,
    /// The most terms in one sum, and the most sums one after the other.
    terms: (usize, usize),
}

/// What becomes of a situation. Numbers below that of the results are results, the others are steps.
#[derive(Clone, Debug)]
enum Step {
    Chance(Vec<(u32, f64)>),
    Best(Vec<u32>),
    Worst(Vec<u32>),
}

pub(super) fn situations(play: &Play<'_>, sides: &Sides) -> Result<Situations, Diagnostic> {
    let free = Some(Free { fixed: &sides.fixed });
    let mut solver = Solver::new(play, Answering::new(play.program, play.say, free))?;
    let graph = solver.situations()?;
    let wrong = |words: &str| Fault::limit(words).at(solver.span);
    let (mut results, mut numbers) = (vec![], HashMap::<Value, u32>::default());
    let mut number = |outcome: &Outcome| -> Result<u32, Diagnostic> {
        let value = outcome.known().ok_or_else(|| wrong("this script has no end that could be valued"))?;
        Ok(*numbers.entry(value.clone()).or_insert_with(|| {
            results.push(value.clone());
            results.len() as u32 - 1
        }))
    };
    // The results come first, so that the numbers of steps are known only when all are.
    let order = components(graph.points.len(), |from| targets(&graph.nodes[from]).into_iter());
    let mut place = vec![0u32; graph.points.len()];
    let mut steps = vec![];
    for component in order.iter().rev() {
        let [one] = component.as_slice() else { return Err(wrong("situations that come again can't be valued")) };
        place[*one] = steps.len() as u32;
        let go = |target: &Target, number: &mut dyn FnMut(&Outcome) -> Result<u32, Diagnostic>| match target {
            Target::Point(to) => Ok(Go::Step(place[*to])),
            Target::End(outcome) => number(outcome).map(Go::Result),
        };
        steps.push(match &graph.nodes[*one] {
            Node::Open => return Err(wrong("this script has no end that could be valued")),
            Node::Chance(equation) => {
                let share = |weight| Fraction::part(weight, &equation.den).to_f64();
                let passed = equation.passed.iter().map(|(to, weight)| (Go::Step(place[*to]), share(weight)));
                let mut ways: Vec<(Go, f64)> = passed.collect();
                for (outcome, weight) in &equation.results {
                    ways.push((Go::Result(number(outcome)?), share(weight)));
                }
                Made::Chance(ways)
            }
            Node::Decide { group, answers } => {
                let against = sides.minimise.contains(&solver.machine.answering.met[*group].group.owner);
                let mut ways = vec![];
                for (_, target) in answers {
                    let way = go(target, &mut number)?;
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
                Made::Choice(against, ways)
            }
        });
    }
    let first = match &graph.first {
        Target::Point(at) => Go::Step(place[*at]),
        Target::End(outcome) => Go::Result(number(outcome)?),
    };
    let count = results.len() as u32;
    let terms = sizes(&steps);
    let steps = steps.into_iter().map(|made| made.step(count)).collect();
    Ok(Situations { results, steps, first: first.number(count), terms })
}

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Go {
    Step(u32),
    Result(u32),
}

impl Go {
    fn number(self, results: u32) -> u32 {
        match self {
            Go::Step(at) => results + at,
            Go::Result(at) => at,
        }
    }
}

/// A step while it is made.
enum Made {
    Chance(Vec<(Go, f64)>),
    Choice(bool, Vec<Go>),
}

impl Made {
    fn step(self, results: u32) -> Step {
        match self {
            Made::Chance(ways) => Step::Chance(ways.into_iter().map(|(go, p)| (go.number(results), p)).collect()),
            Made::Choice(against, ways) => {
                let ways = ways.into_iter().map(|go| go.number(results)).collect();
                if against { Step::Worst(ways) } else { Step::Best(ways) }
            }
        }
    }
}

/// The most terms in one sum, and the most sums one after the other.
fn sizes(steps: &[Made]) -> (usize, usize) {
    let (mut most, mut depth) = (0, vec![0usize; steps.len()]);
    for (at, step) in steps.iter().enumerate() {
        let after = |go: &Go| if let Go::Step(to) = go { depth[*to as usize] } else { 0 };
        depth[at] = match step {
            Made::Chance(ways) => {
                most = most.max(ways.len());
                1 + ways.iter().map(|(go, _)| after(go)).max().unwrap_or(0)
            }
            Made::Choice(_, ways) => ways.iter().map(after).max().unwrap_or(0),
        };
    }
    (most, depth.into_iter().max().unwrap_or(0))
}

impl Situations {
    /// The different results, in the order in which they are valued.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// How many situations there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none: the result is certain.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The value of best play, if the results are worth this, in their order. `room` is used again from time to time.
    pub fn value(&self, worth: &[f64], room: &mut Vec<f64>) -> f64 {
        room.clear();
        room.extend_from_slice(worth);
        for step in &self.steps {
            let value = match step {
                Step::Chance(ways) => ways.iter().map(|(to, p)| p * room[*to as usize]).sum(),
                Step::Best(ways) => ways.iter().map(|to| room[*to as usize]).fold(f64::NEG_INFINITY, f64::max),
                Step::Worst(ways) => ways.iter().map(|to| room[*to as usize]).fold(f64::INFINITY, f64::min),
            };
            room.push(value);
        }
        room[self.first as usize]
    }

    /// By how much a value can be off at most, if no result is worth more than this, up or down.
    pub fn error(&self, most: f64) -> f64 {
        let (terms, sums) = self.terms;
        sums as f64 * (terms as f64 + 2.0) * f64::EPSILON / 2.0 * most
    }
}
