//! Decisions as a person would tell them: where, what was seen that matters, and what each answer is worth.
//!
//! The engine has no paths. To tell the path and the full prompt of a decision, the way that led to it is walked once
//! more, with every choice given, by a machine that writes down every letter.

use super::Play;
use super::answers::{Answering, Free};
use super::goal::{Decision, Goal, Sides, Worth};
use super::graph::{Graph, Node, Target, is_name};
use super::machine::{Machine, Stopped};
use super::odds::Solver;
use super::request::Point;
use crate::fraction::Fraction;
use crate::map::{HashMap, HashSet};
use crate::outcome::Outcome;
use std::rc::Rc;
use tumble_core::sort;
use tumble_core::{Budget, Diagnostic, Fault, Value};

/// What is known of all situations.
pub(super) struct Knowledge<'a> {
    pub(super) worth: &'a [Worth],
    pub(super) sides: &'a Sides,
    pub(super) goal: &'a Goal,
    /// At most so many decisions are told.
    pub(super) most: usize,
}

/// The decisions that are met first.
pub(super) fn decisions(
    play: &Play<'_>,
    solver: &mut Solver<'_>,
    graph: &Graph,
    knowledge: &Knowledge<'_>,
) -> Result<Vec<Decision>, Diagnostic> {
    let met = in_order(graph);
    if met.is_empty() || knowledge.most == 0 {
        return Ok(vec![]);
    }
    let variables = Variables::of(&solver.machine, graph, &met);
    let free = Some(Free { fixed: &knowledge.sides.fixed });
    let answering = Answering::new(play.program, play.say, free).reading();
    let budget = Budget::new(play.limits.clone());
    let mut teller = Machine::new(
        play.program,
        play.reader,
        answering,
        play.paths(true),
        budget,
        (play.without, play.seen_at_once),
    )?;
    teller.field = play.field;
    let main = play.program.main().index();
    let mut told = vec![];
    for place in met.into_iter().take(knowledge.most) {
        let (path, prompt) = walked(solver, graph, &mut teller, main, place)?;
        let Node::Decide { group, answers } = &graph.nodes[place] else { continue };
        let (group, span) = (solver.machine.answering.met[*group].group.clone(), solver.span);
        let mut found: Vec<(Value, Fraction)> = vec![];
        for (answer, target) in answers {
            let worth = match target {
                Target::Point(next) => Some(knowledge.worth[*next].0.clone()),
                Target::End(outcome) => knowledge.goal.worth(outcome).map_err(|fault| fault.at(span))?,
            };
            found.push((answer.clone(), worth.unwrap_or_else(Fraction::zero)));
        }
        let best = choice(&found, knowledge.sides.minimise.contains(&group.owner));
        let known = variables.told(&solver.machine, &graph.points[place]);
        let point = &graph.points[place];
        let prompt = prompt.unwrap_or_else(|| group.form.clone());
        told.push(Decision { path, prompt, group, place: place_of(point), known, answers: found, best });
    }
    Ok(told)
}

/// A function of the program, and where in it.
type Place = (usize, usize);

fn place_of(point: &Point) -> Place {
    (point.function, point.at)
}

/// The first of the best answers.
fn choice(answers: &[(Value, Fraction)], against: bool) -> usize {
    let mut best = 0;
    for (at, (_, value)) in answers.iter().enumerate() {
        let better = if against { *value < answers[best].1 } else { *value > answers[best].1 };
        if better {
            best = at;
        }
    }
    best
}

/// The decisions, those that take the fewest steps to reach first; at one place in the order of what is known there.
fn in_order(graph: &Graph) -> Vec<usize> {
    let mut depth = vec![0usize; graph.points.len()];
    for place in 0..graph.points.len() {
        // A point is numbered after the one it was first reached from.
        depth[place] = graph.from[place].map_or(0, |(before, _)| depth[before] + 1);
    }
    let decides = |place: &usize| matches!(graph.nodes[*place], Node::Decide { .. });
    let mut met: Vec<usize> = (0..graph.points.len()).filter(decides).collect();
    let place = |at: &usize| (graph.points[*at].function, graph.points[*at].at);
    let mut first: HashMap<(usize, usize), usize> = HashMap::default();
    for at in &met {
        let least = first.entry(place(at)).or_insert(usize::MAX);
        *least = depth[*at].min(*least);
    }
    sort::by(&mut met, |a, b| {
        let order = |at: &usize| (first[&place(at)], place(at), depth[*at]);
        order(a).cmp(&order(b)).then_with(|| graph.points[*a].live.cmp(&graph.points[*b].live)).then(a.cmp(b))
    });
    met
}

/// The path of a decision, and its prompt.
fn walked(
    solver: &mut Solver<'_>,
    graph: &Graph,
    teller: &mut Machine<'_>,
    main: usize,
    place: usize,
) -> Result<(String, Option<String>), Diagnostic> {
    let mut choices = vec![];
    let mut at = place;
    while let Some((before, way)) = graph.from[at] {
        choices.push(chosen(solver, graph, before, way));
        at = before;
    }
    let root = teller.paths.root();
    let mut here = teller.enter(main, vec![], &root)?;
    while let (Stopped::Choice(point), Some(choice)) = (&here, choices.pop()) {
        let point = point.clone();
        here = teller.go_on(&point, choice)?;
    }
    let Some((path, prompt)) = teller.asked.take() else {
        return Err(Fault::mistake("internal error: a decision was not found again").at(solver.span));
    };
    Ok((teller.paths.text(&path), prompt))
}

/// What was chosen on a way out of a point.
fn chosen(solver: &mut Solver<'_>, graph: &Graph, place: usize, way: usize) -> Outcome {
    let known = match &graph.nodes[place] {
        Node::Decide { answers, .. } => answers.get(way).map(|(answer, _)| Outcome::Known(answer.clone())),
        Node::Chance(_) | Node::Open => {
            let ways = solver.machine.remembered(&graph.points[place].request);
            ways.and_then(|ways| ways.items.get(way).map(|(value, _)| value.clone()))
        }
    };
    known.unwrap_or(Outcome::Known(Value::NOTHING))
}

/// A variable that is looked at: in which call, counted from the innermost, and its register.
type Variable = (usize, usize);

/// The variables whose values differ from one decision to another at the same place.
struct Variables(HashMap<Place, Vec<Variable>>);

impl Variables {
    fn of(machine: &Machine<'_>, graph: &Graph, met: &[usize]) -> Variables {
        let mut seen: HashMap<Place, HashMap<Variable, HashSet<Outcome>>> = HashMap::default();
        for place in met {
            let point: &Rc<Point> = &graph.points[*place];
            let own = seen.entry(place_of(point)).or_default();
            machine.each_variable(point, |depth, reg, _, value| {
                own.entry((depth, reg)).or_default().insert(value.clone());
            });
        }
        let differ = |all: HashMap<Variable, HashSet<Outcome>>| {
            let mut differ: Vec<Variable> =
                all.into_iter().filter(|(_, values)| values.len() > 1).map(|(variable, _)| variable).collect();
            differ.sort_unstable();
            differ
        };
        Variables(seen.into_iter().map(|(place, all)| (place, differ(all))).collect())
    }

    fn told(&self, machine: &Machine<'_>, point: &Point) -> Vec<(String, Value)> {
        let mut told: Vec<(String, Value)> = vec![];
        let Some(differ) = self.0.get(&place_of(point)) else { return told };
        machine.each_variable(point, |depth, reg, name, value| {
            if let (true, Some(value)) = (differ.contains(&(depth, reg)), value.known())
                && !told.iter().any(|(other, _)| other == name)
            {
                told.push((name.to_owned(), value.clone()));
            }
        });
        told
    }
}

impl Machine<'_> {
    /// Visits the variables with names that are needed after a point, from the innermost call outward.
    fn each_variable<'m>(&'m self, point: &'m Point, mut visit: impl FnMut(usize, usize, &'m str, &'m Outcome)) {
        let mut here = Some((point.function, point.at, &*point.live, point.below));
        let mut seen = point.sees();
        let mut depth = 0;
        while let Some((function, at, live, below)) = here {
            let routine = &self.routines[function];
            for (reg, value) in routine.kept(at, seen.take()).zip(live.iter()) {
                if let Some(name) = routine.names.get(reg).filter(|name| is_name(name)) {
                    visit(depth, reg, name, value);
                }
            }
            depth += 1;
            here = below.map(|below| self.frame(below));
        }
    }
}
