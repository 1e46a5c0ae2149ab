//! The exact distribution of what a script returns, and what each of its options is worth.
//!
//! Every shared call is a graph of its own, found once for its arguments; graphs that wait for others lie on a stack. The
//! chance that an option is met is the mass of a run that ends where it is met. What it is worth is the distribution
//! with all its questions answered in one way and in another.

use super::Play;
use super::answers::{Answering, Group, Met};
use super::graph::{Graph, Progress, Target, possible};
use super::machine::Machine;
use super::reach;
use super::request::{Kind, Request, Ways};
use crate::algo::walk::flow::Flow;
use crate::dist::{Dist, Pile};
use crate::fraction::Fraction;
use crate::machine::answered;
use crate::odds::Odds;
use crate::outcome::{Outcome, Stop};
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Budget, Code, Diagnostic, Fault, Question, Span, Value};

/// Calls that wait for others; if there are more, it may go on like that without end.
const MOST_WAITING: usize = 300;
/// At most so many answers of one option are compared.
const MOST_ANSWERS: usize = 50;

/// The odds of a script.
#[derive(Clone, Debug)]
pub struct ScriptOdds {
    /// The distribution of its result.
    pub odds: Odds,
    /// The options that can come up, in the order in which they were met.
    pub options: Vec<OptionOdds>,
    /// The prompts of answers for which there was no question.
    pub unheard: Vec<String>,
    /// How it was found.
    pub effort: Effort,
}

/// An option, how likely it is to come up, and what each answer leads to.
#[derive(Clone, Debug)]
pub struct OptionOdds {
    /// Whose it is, and what about.
    pub group: Group,
    /// What is asked for.
    pub question: Question,
    /// The probability that it comes up at least once; none if that takes more than is allowed.
    pub met: Option<Fraction>,
    /// The distribution with all its questions answered so.
    pub answers: Vec<(Value, Odds)>,
    /// How many answers there are in all.
    pub of: u64,
    /// Why some answers are missing: they take more than is allowed, or go wrong.
    pub refused: Option<Diagnostic>,
}

/// What was done to find an answer.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Situations that were told apart.
    pub states: usize,
    /// How often one was reached that was known already.
    pub merged: u64,
    /// Calls whose distribution was found once for all.
    pub shared: usize,
    /// Operations of the program, and those of them that only feed output.
    pub operations: (usize, usize),
    /// The variable with the most different values, and how many.
    pub costliest: Option<(String, usize)>,
    /// Steps taken.
    pub steps: u64,
}

/// The odds of a script; with what its options are worth, if that is wanted.
pub(super) fn odds(play: &Play<'_>, worth: bool) -> Result<ScriptOdds, Diagnostic> {
    let mut solver = Solver::new(play, Answering::new(play.program, play.say, None))?;
    let dist = solver.whole()?;
    let met = std::mem::take(&mut solver.machine.answering.since);
    let effort = solver.effort();
    let mut options = vec![];
    if worth {
        // What the options are worth may cost as much again as the odds.
        solver.machine.budget = Budget::new(play.limits.clone());
        for number in met {
            options.push(solver.option(number)?);
        }
    }
    let unheard = solver.machine.answering.unheard().map(|say| say.prompt.clone()).collect();
    Ok(ScriptOdds { odds: answer(dist, solver.span)?, options, unheard, effort })
}

/// Finds distributions of one program.
pub(super) struct Solver<'a> {
    pub(super) machine: Machine<'a>,
    pub(super) span: Span,
    pub(super) main: usize,
    effort: Effort,
    /// Whether a call was found to need itself, or more and more others.
    circle: bool,
}

impl<'a> Solver<'a> {
    pub(super) fn new(play: &Play<'a>, answering: Answering<'a>) -> Result<Solver<'a>, Diagnostic> {
        let program = play.program;
        let budget = Budget::new(play.limits.clone());
        let mut machine = Machine::new(
            program,
            play.reader,
            answering,
            play.paths(false),
            budget,
            (play.without, play.seen_at_once),
        )?;
        machine.field = play.field;
        let span = program.span(program.function(program.main()).body);
        Ok(Solver { machine, span, main: program.main().index(), effort: Effort::default(), circle: false })
    }

    fn effort(&self) -> Effort {
        let mut operations = (0, 0);
        for routine in &self.machine.routines {
            operations.0 += routine.ops.len();
            operations.1 += routine.sliced;
        }
        Effort { operations, steps: self.machine.budget.used(), ..self.effort.clone() }
    }

    /// The distribution of the whole program with the answers as they are.
    pub(super) fn whole(&mut self) -> Result<Dist, Diagnostic> {
        self.machine.answering.since.clear();
        let root = self.machine.paths.root();
        let found = match self.call(self.main, vec![], root.clone()) {
            Err(_) if self.straighten()? => self.call(self.main, vec![], root),
            found => found,
        };
        let ways = found?;
        Ok(Dist { den: ways.den.clone(), items: ways.items.clone() })
    }

    /// How likely an option is to be met, and what its answers lead to.
    fn option(&mut self, number: usize) -> Result<OptionOdds, Diagnostic> {
        let Met { group, question, answers } = self.machine.answering.met[number].clone();
        let (values, of) = some_answers(&answers);
        let mut option = OptionOdds { group, question, met: None, answers: vec![], of, refused: None };
        match self.compared(number, values, &mut option) {
            Ok(()) => Ok(option),
            Err(found) if found.code != Code::Mistake => Ok(OptionOdds { refused: Some(found), ..option }),
            Err(found) => Err(found),
        }
    }

    fn compared(&mut self, number: usize, values: Vec<Value>, option: &mut OptionOdds) -> Result<(), Diagnostic> {
        self.machine.answering.ends_at = Some(number);
        let ended = self.again(number);
        self.machine.answering.ends_at = None;
        let ended = ended?;
        let met = ended.items.iter().filter(|(outcome, _)| *outcome == Outcome::Cut).map(|(_, weight)| weight).sum();
        option.met = Some(Fraction::part(&met, &ended.den));
        for value in values {
            self.machine.answering.forced = Some((number, value.clone()));
            let own = self.again(number);
            self.machine.answering.forced = None;
            option.answers.push((value, answer(own?, self.span)?));
        }
        Ok(())
    }

    /// The distribution of the whole program, where an option is answered in another way than before.
    fn again(&mut self, option: usize) -> Result<Dist, Diagnostic> {
        self.machine.forget(option);
        let found = self.machine.prepare().and_then(|()| self.whole());
        self.machine.forget(option);
        found
    }

    /// Whether a call needed itself: then such calls are made a part of their callers, and all is begun again.
    pub(super) fn straighten(&mut self) -> Result<bool, Diagnostic> {
        if !std::mem::take(&mut self.circle) {
            return Ok(false);
        }
        self.machine.inlines_circles = true;
        self.machine.answering.since.clear();
        self.machine.prepare().map(|()| true)
    }

    /// The distribution of a call; calls inside it are found on the way.
    pub(super) fn call(&mut self, function: usize, args: Vec<Outcome>, path: Outcome) -> Result<Rc<Ways>, Diagnostic> {
        let mut tasks = vec![self.begin(Request::Call { function, args, path })?];
        loop {
            let Some(task) = tasks.last_mut() else {
                return Err(Fault::mistake("internal error: no call is left").at(self.span));
            };
            match task.graph.advance(&mut self.machine)? {
                Progress::More => {}
                Progress::Needs(request) => {
                    if tasks.len() > MOST_WAITING || tasks.iter().any(|task| task.request == request) {
                        self.circle = true;
                        return Err(Fault::limit("a call waits for itself").at(self.span));
                    }
                    tasks.push(self.begin(request)?);
                }
                Progress::Done => {
                    let Some(task) = tasks.pop() else { continue };
                    let (request, ways) = self.end(task)?;
                    if tasks.is_empty() {
                        return Ok(ways);
                    }
                    self.machine.remember(request, ways);
                }
            }
        }
    }

    fn begin(&mut self, request: Request) -> Result<Task, Diagnostic> {
        let met = std::mem::take(&mut self.machine.answering.since);
        let Request::Call { function, args, path } = &request else {
            return Err(Fault::mistake("internal error: this is no call").at(self.span));
        };
        let start = self.machine.enter(*function, args.clone(), path)?;
        let graph = Graph::new(&mut self.machine, start)?;
        Ok(Task { request, graph, met })
    }

    fn end(&mut self, task: Task) -> Result<(Request, Rc<Ways>), Diagnostic> {
        let Task { request, graph, met } = task;
        let effort = &mut self.effort;
        effort.states += graph.points.len();
        effort.merged += graph.merged;
        effort.shared += 1;
        if let Some(found) = graph.costliest(&self.machine)
            && effort.costliest.as_ref().is_none_or(|(_, most)| found.1 > *most)
        {
            effort.costliest = Some(found);
        }
        let dist = self.solved(graph)?;
        // What was met inside is met outside too.
        let inside = std::mem::replace(&mut self.machine.answering.since, met);
        self.machine.answering.met_inside(&inside);
        self.machine.inside = inside;
        Ok((request, Rc::new(dist.into())))
    }

    fn solved(&mut self, graph: Graph) -> Result<Dist, Diagnostic> {
        if let Target::End(outcome) = &graph.first {
            return Ok(Dist::one(outcome.clone()));
        }
        let machine = &mut self.machine;
        let states = graph.equations(|point| reach::beyond(machine, point));
        let solved = Flow { states }.solve_from(&[(0, UBig::ONE)], &UBig::ONE, &mut self.machine.budget);
        let shares = solved.map_err(|stop| match stop {
            Stop::Fault(fault) => fault.at(self.span),
            Stop::Unsolvable | Stop::Need(_) => {
                Fault::mistake("internal error: a script has no solution").at(self.span)
            }
        })?;
        if shares.items.iter().map(|(_, weight)| weight).sum::<UBig>() != shares.den {
            return Err(
                Fault::mistake("internal error: the probabilities of a script do not add up to 1").at(self.span)
            );
        }
        let mut pile = Pile::default();
        shares.items.into_iter().for_each(|(outcome, weight)| pile.add(outcome, &weight));
        Ok(pile.over(shares.den).reduced())
    }
}

/// A call that is being found, and what was met before it.
struct Task {
    request: Request,
    graph: Graph,
    met: Vec<usize>,
}

/// The first of the possible answers, and how many there are.
fn some_answers(kind: &Kind) -> (Vec<Value>, u64) {
    let most = MOST_ANSWERS as i64;
    match kind {
        Kind::Option => (vec![Value::bool(false), Value::bool(true)], 2),
        Kind::Choice(count) => ((0..(*count as i64).min(most)).map(Value::int).collect(), *count as u64),
        Kind::Number { low, high } => {
            let count = high.saturating_sub(*low).saturating_add(1);
            ((*low..=*high).take(MOST_ANSWERS).map(Value::int).collect(), count as u64)
        }
        Kind::Select(count) => {
            let sets = possible(&Kind::Select((*count).min(6))).unwrap_or_default();
            let of = 1u64.checked_shl(*count as u32).unwrap_or(u64::MAX);
            (sets.into_iter().take(MOST_ANSWERS).collect(), of)
        }
    }
}

/// The answer, if it can be right, with what a reader must know of it.
pub(super) fn answer(dist: Dist, span: Span) -> Result<Odds, Diagnostic> {
    answered(dist).map_err(|fault| fault.at(span))
}
