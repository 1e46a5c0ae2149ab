//! The evaluator: from terms to laws, with its own stack.
//!
//! Every form asks for the laws of some terms ([`Job`]s) and goes on when it has them all
//! ([`Then`]); the asking is a [`Frame`] on a heap-allocated stack, so no program can overflow the
//! native one. The meaning of each form is in `forms` and `ways`, of rows on laws in `rows`, of
//! repetition in `loops`, of functions in `calls` and `tails`; terms without chance are straight code
//! in `pure`.

mod around;
mod arrive;
mod calls;
mod condition;
mod flow;
mod fold;
mod forget;
mod forms;
mod loops;
mod ordered;
mod peel;
mod pools;
mod pure;
mod rows;
mod state;
mod stream;
mod totals;
mod values;
mod walk;

#[cfg(test)]
mod complete_tests;

use crate::dist::Dist;
use crate::explain::Record;
use crate::law::Law;
use crate::map::{HashMap, HashSet};
use crate::method::{Desk, REWRITING};
use crate::odds::{Odds, small_enough};
use crate::options::Options;
use crate::outcome::{self, Outcome, Stop};
use crate::prepare::{Form, Plan};
use crate::rounding::{Rounded, Rounding};
use crate::weight::bits;
use calls::Calls;
use dashu_int::UBig;
use std::rc::Rc;
use tumble_core::{Budget, Code, Diagnostic, Fault, FnId, Limit, Program, Remedy, Span, TermId};

/// Loops are first listed down to this share, as a power of two, and further if that is not enough.
const FIRST_PRECISION: u64 = 64;
const LAST_PRECISION: u64 = 1024;
/// Nested calls tried when recursion can only be listed call by call.
const DEPTHS: [u64; 7] = [4, 8, 16, 48, 160, 500, 1600];

/// The exact distribution of a program's result.
pub(crate) fn odds(program: &Program, options: &Options) -> Result<Odds, Diagnostic> {
    let plan = Plan::new(program, !options.without.contains(&&REWRITING));
    let mut work = Work::new(options);
    let mut odds = match options.iterations {
        Some(most) => cut_off(&plan, options, &mut work, most)?,
        None => something(&plan, open_ended(&plan, options, &mut work)?)?,
    };
    odds.explain(work.record.finish(work.budget.used(), options.limits.steps));
    Ok(odds)
}

/// The distribution of a program that is a part of something larger, which pays for it.
pub(crate) fn distribution(program: &Program, budget: &mut Budget) -> Result<Dist, Diagnostic> {
    let (plan, options) = (Plan::new(program, true), Options { limits: budget.limits().clone(), ..Options::default() });
    let mut work = Work { budget: budget.clone(), ..Work::new(&options) };
    let found = Machine::run(&plan, &options, &mut work, FIRST_PRECISION, None);
    *budget = work.budget;
    Ok(found?)
}

/// An answer in which nothing is listed is none.
fn something(plan: &Plan, odds: Odds) -> Result<Odds, Diagnostic> {
    if !odds.is_empty() {
        return Ok(odds);
    }
    let span = plan.spans[plan.functions[plan.main.index()].body.index()];
    let fault = Fault::limit("no outcome could be found within the limits")
        .hint("make sure that every loop can stop")
        .remedy(Remedy::Raise(Limit::Steps, None));
    Err(Stopped { fault, span, unsolvable: false }.into())
}

/// What all tries of one question share: the budget, and the record of what was done.
struct Work {
    budget: Budget,
    record: Record,
    rounding: Option<Rounding>,
}

impl Work {
    fn new(options: &Options) -> Work {
        Work { budget: Budget::new(options.limits.clone()), record: Record::new(options.explain), rounding: None }
    }
}

/// The distribution with sums of very many dice in floating point; none if that helps too little.
pub(crate) fn rounded(program: &Program, options: &Options) -> Result<Option<Rounded>, Diagnostic> {
    let plan = Plan::new(program, !options.without.contains(&&REWRITING));
    let mut work = Work { rounding: Some(Rounding::new(program)), ..Work::new(options) };
    let dist = Machine::run(&plan, options, &mut work, FIRST_PRECISION, None)?;
    Ok(work.rounding.and_then(|rounding| rounding.finish(&dist)))
}

/// Loops and calls cut where the asker wants it.
fn cut_off(plan: &Plan, options: &Options, work: &mut Work, most: u64) -> Result<Odds, Diagnostic> {
    let cut = Some(Depth { most, beyond: Outcome::Cut });
    let dist = Machine::run(plan, options, work, FIRST_PRECISION, cut)?;
    let cut = dist.items.iter().any(|(outcome, _)| *outcome == Outcome::Cut);
    let note = cut
        .then(|| format!("cut after {most} rolls per loop and {most} nested calls, as asked; the rest is not listed"));
    answer(plan, dist, note.into_iter().collect())
}

/// Loops solved; more precisely if too much would stay unlisted.
fn open_ended(plan: &Plan, options: &Options, work: &mut Work) -> Result<Odds, Diagnostic> {
    let mut precision = FIRST_PRECISION;
    let mut best: Option<Odds> = None;
    loop {
        let dist = match Machine::run(plan, options, work, precision, None) {
            Ok(dist) => dist,
            Err(stopped) if stopped.unsolvable => return call_by_call(plan, options, work, stopped),
            Err(stopped) => match best {
                Some(odds) if stopped.fault.code == Code::Limit => return Ok(warned(odds)),
                _ => return Err(stopped.into()),
            },
        };
        let odds = answer(plan, dist, vec![])?;
        let costly = work.budget.used() > options.limits.steps / 16;
        if !odds.exact() || odds.is_small() || precision >= LAST_PRECISION || costly {
            return Ok(warned(odds));
        }
        best = Some(odds);
        precision *= 2;
    }
}

/// Recursion that the solver has no method for, listed to ever deeper nesting; `why` it has none.
fn call_by_call(plan: &Plan, options: &Options, work: &mut Work, why: Stopped) -> Result<Odds, Diagnostic> {
    let mut best: Option<Dist> = None;
    for most in DEPTHS {
        let depth = Some(Depth { most, beyond: Outcome::Unknown });
        match Machine::run(plan, options, work, FIRST_PRECISION, depth) {
            Ok(dist) => {
                let left = dist.items.iter().find(|(outcome, _)| *outcome == Outcome::Unknown);
                let enough = left.is_none_or(|(_, weight)| small_enough(weight, &dist.den));
                best = Some(dist);
                if enough {
                    break;
                }
            }
            Err(stopped) if stopped.fault.code == Code::Limit => match best {
                Some(dist) if dist.certain() != Some(&Outcome::Unknown) => {
                    return answer(plan, dist, vec![]).map(warned);
                }
                _ => return Err(stopped.into()),
            },
            Err(stopped) => return Err(stopped.into()),
        }
    }
    match best.filter(|dist| dist.certain() != Some(&Outcome::Unknown)) {
        Some(dist) => answer(plan, dist, vec![]).map(warned),
        None => Err(why.into()),
    }
}

/// The answer, if it can be right.
fn answer(plan: &Plan, dist: Dist, notes: Vec<String>) -> Result<Odds, Diagnostic> {
    let whole = plan.spans[plan.functions[plan.main.index()].body.index()];
    Odds::new(dist, notes).map_err(|fault| fault.at(whole))
}

/// The answer to a question that was put together elsewhere, with what a reader must know of it.
pub(crate) fn answered(dist: Dist) -> Result<Odds, Fault> {
    Odds::new(dist, vec![]).map(warned)
}

/// Says what a reader must know of an answer with a rest.
fn warned(mut odds: Odds) -> Odds {
    if !odds.exact() {
        odds.warn("the listed probabilities are lower bounds; unlisted rolls may add to them");
    }
    if odds.cut_short() {
        odds.warn(crate::odds::CUT_SHORT);
    }
    if odds.mean().is_none() && !odds.unresolved().is_zero() {
        odds.warn(crate::odds::NO_MEAN);
    }
    odds
}

/// How deep calls may nest, and what a deeper one gives.
#[derive(Clone)]
struct Depth {
    most: u64,
    beyond: Outcome,
}

/// The values of the variables in scope.
type Slots = Vec<Option<Outcome>>;
type Env = Rc<Slots>;
type Values = [Option<Outcome>];

/// A law that is wanted.
enum Job {
    /// Of a term.
    Eval(TermId, Env),
    /// Of a term that is no control flow, as the last thing a state does.
    Plain(TermId, Env),
    /// Of a call with these arguments.
    Enter(FnId, Vec<Outcome>),
}

/// A form that waits for laws.
struct Frame {
    term: TermId,
    jobs: std::vec::IntoIter<Job>,
    given: Vec<Rc<Law>>,
    then: Then,
    /// Where to remember the result.
    memo: Option<Key>,
}

/// A term with what it can see.
type Key = (TermId, Vec<Outcome>, u64);

/// What to do with the laws a form has asked for.
enum Then {
    /// Apply a row to its arguments.
    Apply,
    /// Go on from the current state of a walk.
    Step(Box<state::Walk>),
    /// Draw from faces.
    Draw,
    /// Repeat so many times.
    Times(Env),
    /// The body to repeat is known.
    Copies(loops::Counts),
    /// One evaluation per member.
    Each(Env),
    /// The bodies for these members are known.
    Bodies(Rc<Law>, Vec<tumble_core::Value>),
    /// One pass of a loop until something holds.
    Pass(Env, Option<Box<loops::Split>>),
    /// Whether each outcome of the pass stops the loop.
    Stops(Env, Option<Box<loops::Split>>, Rc<Dist>),
    /// Call with these arguments.
    Arguments,
    /// The body of the call with this number.
    Return(usize),
    /// Mix laws with these weights, and these outcomes with theirs.
    Mix(Mixture),
}

/// Weights for laws that are still to come, and for outcomes that are not.
struct Mixture {
    den: UBig,
    weights: Vec<UBig>,
    others: Vec<(Outcome, UBig)>,
}

/// What a form does next.
enum Next {
    Done(Rc<Law>),
    More(Vec<Job>, Then),
}

/// Why a run stopped, and where.
struct Stopped {
    fault: Fault,
    span: Span,
    unsolvable: bool,
}

impl From<Stopped> for Diagnostic {
    fn from(stopped: Stopped) -> Diagnostic {
        let error = stopped.fault.at(stopped.span);
        if error.code == Code::Limit { error.remedy(Remedy::Approximate) } else { error }
    }
}

struct Machine<'a> {
    plan: &'a Plan,
    desk: Desk<'a>,
    frames: Vec<Frame>,
    memo: HashMap<Key, Rc<Law>>,
    memo_size: u64,
    /// How many walks there were, and whose states are gone through now.
    walks: u32,
    /// How many pools were read to know what they lead to.
    readings: u32,
    at: u32,
    asked: forget::Memory,
    lists: stream::Lists,
    calls: Calls,
    depth: Option<Depth>,
    stack: pure::Stack,
    /// The term inside straight code that has failed.
    blamed: Option<TermId>,
    /// Peelings that have to be walked through.
    unpeeled: HashSet<TermId>,
    /// Work around calls that lead back to where they were.
    as_equations: HashSet<TermId>,
    /// What chains show of collections, by binding, collection and arguments.
    shown: HashMap<forms::Shown, Rc<values::Combinations>>,
}

impl<'a> Machine<'a> {
    /// One try. All tries share one budget.
    fn run(
        plan: &'a Plan,
        options: &'a Options,
        work: &mut Work,
        precision: u64,
        depth: Option<Depth>,
    ) -> Result<Dist, Stopped> {
        let (record, rounding) = (std::mem::take(&mut work.record), work.rounding.take());
        let desk = Desk {
            budget: work.budget.clone(),
            without: &options.without,
            iterations: options.iterations,
            probe: options.probe,
            precision,
            record,
            rounding,
        };
        let mut machine = Machine {
            plan,
            desk,
            frames: vec![],
            memo: HashMap::default(),
            memo_size: 0,
            walks: 0,
            readings: 0,
            at: 0,
            asked: forget::Memory::default(),
            lists: stream::Lists::default(),
            calls: Calls::default(),
            depth,
            stack: pure::Stack::default(),
            blamed: None,
            unpeeled: HashSet::default(),
            as_equations: HashSet::default(),
            shown: HashMap::default(),
        };
        let routine = &plan.functions[plan.main.index()];
        let env = Rc::new(vec![None; routine.slots]);
        let law = machine.drive(routine.body, env);
        machine.desk.work_on(routine.body, plan.spans[routine.body.index()]);
        // Nobody else may hold the law now, so that a long table is not copied.
        machine.memo.clear();
        let dist = law.and_then(|law| {
            let dist = machine.desk.settle_owned(law);
            dist.map_err(|stop| machine.stopped(stop, routine.body))
        });
        let Desk { budget, record, rounding, .. } = machine.desk;
        *work = Work { budget, record, rounding };
        dist
    }

    fn stopped(&self, stop: Stop, term: TermId) -> Stopped {
        let span = self.plan.spans[self.blamed.unwrap_or(term).index()];
        match stop {
            Stop::Fault(fault) => Stopped { fault, span, unsolvable: false },
            Stop::Unsolvable => {
                let none = || Fault::limit("there is no exact method for this recursion");
                Stopped { fault: self.calls.too_deep.clone().unwrap_or_else(none), span, unsolvable: true }
            }
            Stop::Need(_) => {
                let fault = Fault::mistake("internal error: nobody can reveal a hidden pool");
                Stopped { fault, span, unsolvable: false }
            }
        }
    }

    /// Evaluates a term to the end.
    fn drive(&mut self, term: TermId, env: Env) -> Result<Rc<Law>, Stopped> {
        let jobs = vec![Job::Eval(term, env)].into_iter();
        let whole = Then::Mix(Mixture { den: UBig::ONE, weights: vec![UBig::ONE], others: vec![] });
        self.frames.push(Frame { term, jobs, given: vec![], then: whole, memo: None });
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(Rc::new(Law::one(Outcome::Unknown))) };
            let at = frame.term;
            let done = match frame.jobs.next() {
                Some(job) => self.start(job).map(|()| None),
                None => self.finish().map_err(|stop| (stop, at)),
            };
            match done {
                Ok(Some(law)) => return Ok(law),
                Ok(None) => {}
                Err((Stop::Need(need), at)) => self.back_to(&need).map_err(|stop| self.stopped(stop, at))?,
                Err((stop, at)) => return Err(self.stopped(stop, at)),
            }
        }
    }

    /// Gives up what was under way for the state whose pool must be revealed first, and reveals it there.
    fn back_to(&mut self, need: &outcome::Need) -> Result<(), Stop> {
        self.blamed = None;
        let mut need = need.clone();
        while let Some(frame) = self.frames.pop() {
            match frame.then {
                Then::Step(walk) if walk.owns(&need) => match self.revealed(walk, &need) {
                    Ok(next) => return self.go_on(frame.term, next, frame.memo).map(|_| ()),
                    Err(Stop::Need(others)) => need = others,
                    Err(stop) => return Err(stop),
                },
                Then::Return(call) => self.calls.abandon(call),
                _ => {}
            }
        }
        Err(Stop::Need(need))
    }

    /// Begins a job: its law at once, or a new frame.
    fn start(&mut self, job: Job) -> Result<(), (Stop, TermId)> {
        match job {
            Job::Eval(term, env) => self.eval(term, env).map_err(|stop| (stop, term)),
            Job::Plain(term, env) => {
                if let Some(law) = self.leaf(term, &env).map_err(|stop| (stop, term))? {
                    self.deliver(Rc::new(law));
                    return Ok(());
                }
                let (jobs, then) = self.open(term, &env);
                self.frames.push(Frame { term, jobs: jobs.into_iter(), given: vec![], then, memo: None });
                Ok(())
            }
            Job::Enter(function, args) => {
                let at = self.frames.last().map_or(self.plan.functions[function.index()].body, |frame| frame.term);
                self.enter(function, args).map_err(|stop| (stop, at))
            }
        }
    }

    /// The law of a term: at once, or in a new frame.
    fn eval(&mut self, term: TermId, env: Env) -> Result<(), Stop> {
        self.desk.budget.step(2)?;
        if let Some(law) = self.leaf(term, &env)? {
            self.deliver(Rc::new(law));
            return Ok(());
        }
        let shares = self.shares(term, &env);
        if !shares && self.is_pure_in(term, &env) {
            let outcome = self.computed(term, &env)?;
            self.deliver(Rc::new(Law::one(outcome)));
            return Ok(());
        }
        let seen =
            self.plan.free[term.index()].iter().map(|slot| env[slot.index()].clone().unwrap_or(Outcome::Unknown));
        let left = self.depth.as_ref().map_or(0, |depth| depth.most.saturating_sub(self.calls.nested()));
        let key = (term, seen.collect::<Vec<_>>(), left);
        self.desk.budget.step(10 + key.1.iter().map(outcome::size).sum::<u64>() / 4)?;
        if let Some(law) = self.memo.get(&key) {
            let law = law.clone();
            self.deliver(law);
            return Ok(());
        }
        if shares || self.plan.form(term).is_control() || self.streamed(term, &env).is_some() {
            let next = self.walk_from(term, env)?;
            return self.go_on(term, next, Some(key)).map(|_| ());
        }
        let (jobs, then) = self.open(term, &env);
        self.frames.push(Frame { term, jobs: jobs.into_iter(), given: vec![], then, memo: Some(key) });
        Ok(())
    }

    /// Goes on with the top frame, which has all its laws; the last frame's law is the answer.
    fn finish(&mut self) -> Result<Option<Rc<Law>>, Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        self.desk.work_on(frame.term, self.plan.spans[frame.term.index()]);
        let since = self.desk.record.mark(self.desk.budget.used());
        let next = self.resume(frame.term, frame.then, frame.given)?;
        let form = self.plan.form(frame.term);
        let method = matches!(form, Form::Watch(_)).then_some(REWRITING.name);
        self.desk.record.beside(since, self.desk.budget.used(), method, form.words());
        self.go_on(frame.term, next, frame.memo)
    }

    /// Delivers a law, or asks for more; the law of the last frame is the answer.
    fn go_on(&mut self, term: TermId, next: Next, memo: Option<Key>) -> Result<Option<Rc<Law>>, Stop> {
        let law = match next {
            Next::More(jobs, then) => {
                self.frames.push(Frame { term, jobs: jobs.into_iter(), given: vec![], then, memo });
                return Ok(None);
            }
            Next::Done(law) => law,
        };
        if let Some(key) = memo {
            self.remember(key, &law);
        }
        if self.frames.is_empty() {
            return Ok(Some(law));
        }
        self.deliver(law);
        Ok(None)
    }

    fn deliver(&mut self, law: Rc<Law>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.given.push(law);
        }
    }

    /// Remembers what is final, and forgets everything when that becomes too much.
    fn remember(&mut self, key: Key, law: &Rc<Law>) {
        if law.has_holes() {
            return;
        }
        let size = |(outcome, weight): &(Outcome, UBig)| outcome::size(outcome) * 24 + bits(weight) / 8 + 64;
        self.memo_size += 200 + law.known.iter().map(size).sum::<u64>();
        if self.memo_size > self.desk.budget.limits().bytes / 4 {
            self.memo.clear();
            self.memo_size = 0;
        }
        self.memo.insert(key, law.clone());
    }
}
