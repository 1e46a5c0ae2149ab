//! Best play: the value of a program when every question is answered knowing all that was evaluated before it.
//!
//! ```text
//! value(end)      = what the result is worth
//! value(chance)   = Σ p · value(next)
//! value(question) = max value(next), or min where the owner plays against the others
//! ```
//!
//! A decision inside a call depends on what the caller does with the result, so the states are those of the whole rest of
//! the program (`graph`). They are solved backward, one strongly connected component after the other (Bellman's
//! equation; a circle of chance is a linear system). A circle with a decision in it is refused.

use super::Play;
use super::answers::{Answering, Free};
use super::goal::{Best, Goal, Sides, Worth};
use super::graph::{Graph, Node, Progress, Target};
use super::known::{self, Knowledge};
use super::odds::Solver;
use super::request::Request;
use crate::algo::walk::flow::Equation;
use crate::algo::walk::graph::components;
use crate::algo::walk::linear;
use crate::dist::Dist;
use crate::fraction::{Fraction, lcm};
use crate::map::HashMap;
use crate::outcome::{Outcome, Stop};
use crate::weight::{bits, cost_of_fraction};
use dashu_int::{IBig, UBig};
use tumble_core::{Code, Diagnostic, Fault, Span, Value};

/// The value of best play, with at most so many decisions.
pub(super) fn best(play: &Play<'_>, goal: &Goal, sides: &Sides, most: usize) -> Result<Best, Diagnostic> {
    let free = Some(Free { fixed: &sides.fixed });
    let mut solver = Solver::new(play, Answering::new(play.program, play.say, free))?;
    let graph = match solver.situations() {
        Err(_) if solver.straighten()? => solver.situations(),
        found => found,
    }?;
    let mut values = Values::new(&graph, goal, sides, &mut solver);
    let value = values.solve()?;
    let (count, met) = (values.decisions(), values.met);
    let all_default = defaults(play, goal)?;
    let decisions = known::decisions(play, &mut solver, &graph, &Knowledge { worth: &met, sides, goal, most })?;
    Ok(Best { value: value.0, unresolved: value.1, all_default, decisions, of: count, states: graph.points.len() })
}

/// The goal with every question at its default.
fn defaults(play: &Play<'_>, goal: &Goal) -> Result<Option<Fraction>, Diagnostic> {
    let none = std::collections::HashMap::new();
    let play = Play { answers: &none, say: &[], ..play.clone() };
    let mut solver = Solver::new(&play, Answering::new(play.program, &[], None))?;
    let dist = solver.whole()?;
    let span = solver.span;
    let value = reached(goal, &dist).map_err(|fault| fault.at(span))?;
    Ok(Some(value.0).filter(|_| value.1.is_zero()))
}

/// What a distribution is worth, and how much of it is not known.
fn reached(goal: &Goal, dist: &Dist) -> Result<Worth, Fault> {
    let (mut sum, mut lost) = (Fraction::zero(), UBig::ZERO);
    for (outcome, weight) in &dist.items {
        match goal.worth(outcome)? {
            Some(worth) => sum = &sum + &(&worth * &Fraction::part(weight, &dist.den)),
            None => lost += weight,
        }
    }
    Ok((sum, Fraction::part(&lost, &dist.den)))
}

impl Solver<'_> {
    /// All situations of the whole program, with free decisions.
    pub(super) fn situations(&mut self) -> Result<Graph, Diagnostic> {
        let root = self.machine.paths.root();
        let start = self.machine.enter(self.main, vec![], &root)?;
        let mut graph = Graph::new(&mut self.machine, start)?;
        loop {
            match graph.advance(&mut self.machine)? {
                Progress::More => {}
                Progress::Done => return Ok(graph),
                Progress::Needs(Request::Call { function, args, path }) => {
                    let request = Request::Call { function, args: args.clone(), path: path.clone() };
                    let ways = self.call(function, args, path)?;
                    self.machine.remember(request, ways);
                }
                Progress::Needs(_) => {
                    return Err(Fault::mistake("internal error: only a call can be waited for").at(self.span));
                }
            }
        }
    }
}

/// The values of all situations.
struct Values<'g, 's, 'a> {
    graph: &'g Graph,
    goal: &'g Goal,
    sides: &'g Sides,
    solver: &'s mut Solver<'a>,
    met: Vec<Worth>,
}

impl<'g, 's, 'a> Values<'g, 's, 'a> {
    fn new(graph: &'g Graph, goal: &'g Goal, sides: &'g Sides, solver: &'s mut Solver<'a>) -> Self {
        let met = vec![(Fraction::zero(), Fraction::one()); graph.points.len()];
        Values { graph, goal, sides, solver, met }
    }

    fn decisions(&self) -> usize {
        self.graph.nodes.iter().filter(|node| matches!(node, Node::Decide { .. })).count()
    }

    fn solve(&mut self) -> Result<Worth, Diagnostic> {
        let graph = self.graph;
        let next = |from: usize| targets(&graph.nodes[from]).into_iter();
        for component in components(graph.points.len(), next).into_iter().rev() {
            let leads_back = |from: usize| targets(&graph.nodes[from]).contains(&from);
            match component.as_slice() {
                [one] if !leads_back(*one) => {
                    let value = self.value(*one).map_err(|stop| self.stopped(*one, stop))?;
                    self.met[*one] = value;
                }
                circle => self.circle(circle)?,
            }
        }
        let span = self.solver.span;
        match &graph.first {
            Target::Point(first) => Ok(self.met[*first].clone()),
            Target::End(outcome) => self.end(outcome).map_err(|fault| fault.at(span)),
        }
    }

    fn stopped(&self, place: usize, stop: Stop) -> Diagnostic {
        let span = self.span(place);
        match stop {
            Stop::Fault(fault) => fault.at(span),
            Stop::Unsolvable | Stop::Need(_) => Fault::mistake("internal error: best play has no solution").at(span),
        }
    }

    fn span(&self, place: usize) -> Span {
        let point = &self.graph.points[place];
        self.solver.machine.routines[point.function].spans[point.at]
    }

    fn end(&self, outcome: &Outcome) -> Result<Worth, Fault> {
        Ok(match self.goal.worth(outcome)? {
            Some(worth) => (worth, Fraction::zero()),
            None => (Fraction::zero(), Fraction::one()),
        })
    }

    fn target(&self, target: &Target) -> Result<Worth, Fault> {
        match target {
            Target::Point(place) => Ok(self.met[*place].clone()),
            Target::End(outcome) => self.end(outcome),
        }
    }

    fn value(&mut self, place: usize) -> Result<Worth, Stop> {
        match &self.graph.nodes[place] {
            // It was not followed any further.
            Node::Open => Ok((Fraction::zero(), Fraction::one())),
            Node::Chance(equation) => self.mean(equation),
            Node::Decide { group, answers } => {
                let owner = &self.solver.machine.answering.met[*group].group.owner;
                let against = self.sides.minimise.contains(owner);
                let mut found = Vec::with_capacity(answers.len());
                for (_, target) in answers {
                    found.push(self.target(target)?);
                }
                self.solver.machine.budget.step(4 * answers.len() as u64)?;
                let best = if against { found.into_iter().min() } else { found.into_iter().rev().max() };
                best.ok_or_else(|| Stop::mistake("a question without answers"))
            }
        }
    }

    /// The mean over all ways, over one denominator.
    fn mean(&mut self, equation: &Equation<Outcome>) -> Result<Worth, Stop> {
        let mut parts: Vec<(Worth, &UBig)> = vec![];
        for (to, weight) in &equation.passed {
            parts.push((self.met[*to].clone(), weight));
        }
        for (outcome, weight) in &equation.results {
            parts.push((self.end(outcome)?, weight));
        }
        let (mut value, mut lost) = (Sum::default(), Sum::default());
        for ((worth, open), weight) in &parts {
            self.solver.machine.budget.step(2 + cost_of_fraction(bits(&value.den)))?;
            value.add(worth, weight);
            lost.add(open, weight);
        }
        Ok((value.over(&equation.den), lost.over(&equation.den)))
    }

    /// Situations that lead back to each other: chance alone can be solved.
    fn circle(&mut self, circle: &[usize]) -> Result<(), Diagnostic> {
        let (mut edges, mut values, mut open) = (vec![], vec![], vec![]);
        let own: HashMap<usize, usize> = circle.iter().enumerate().map(|(at, place)| (*place, at)).collect();
        for place in circle {
            let Node::Chance(equation) = &self.graph.nodes[*place] else {
                let words = "a decision here can lead back to the same situation, so best play may never end";
                let fault = Fault::new(Code::Endless, words);
                return Err(fault
                    .hint("let something count down, such as the tries that are left")
                    .at(self.span(*place)));
            };
            let (inner, outer): (Vec<_>, Vec<_>) = equation.passed.iter().partition(|(to, _)| own.contains_key(to));
            let share = |weight: &UBig| Fraction::part(weight, &equation.den);
            edges.push(inner.iter().map(|(to, weight)| (own[to], share(weight))).collect());
            let rest = Equation {
                den: equation.den.clone(),
                mass: UBig::ONE,
                passed: outer.into_iter().cloned().collect(),
                results: equation.results.clone(),
            };
            let (value, lost) = self.mean(&rest).map_err(|stop| self.stopped(*place, stop))?;
            values.push(value);
            open.push(lost);
        }
        let budget = &mut self.solver.machine.budget;
        let solved = linear::values(&edges, &values, budget).and_then(|values| {
            Ok(values.into_iter().zip(linear::values(&edges, &open, budget)?).collect::<Vec<Worth>>())
        });
        let solved = solved.map_err(|stop| self.stopped(circle[0], stop))?;
        circle.iter().zip(solved).for_each(|(place, worth)| self.met[*place] = worth);
        Ok(())
    }
}

/// A sum of fractions over one denominator.
struct Sum {
    num: IBig,
    den: UBig,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { num: IBig::ZERO, den: UBig::ONE }
    }
}

impl Sum {
    fn add(&mut self, value: &Fraction, weight: &UBig) {
        if value.is_zero() {
            return;
        }
        if self.den != *value.denominator() {
            let shared = lcm(&self.den, value.denominator());
            self.num *= IBig::from(&shared / &self.den);
            self.den = shared;
        }
        let scale = &self.den / value.denominator();
        self.num += value.numerator() * IBig::from(weight * scale);
    }

    fn over(self, den: &UBig) -> Fraction {
        Fraction::new(self.num, self.den * den)
    }
}

/// The points that can follow.
pub(super) fn targets(node: &Node) -> Vec<usize> {
    match node {
        Node::Open => vec![],
        Node::Chance(equation) => equation.passed.iter().map(|(to, _)| *to).collect(),
        Node::Decide { answers, .. } => {
            let point = |(_, target): &(Value, Target)| if let Target::Point(to) = target { Some(*to) } else { None };
            answers.iter().filter_map(point).collect()
        }
    }
}
