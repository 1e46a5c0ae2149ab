//! The meaning of a program when it is rolled: strict, from left to right.
//!
//! The machine keeps its own stacks, so that no program, however deep, makes it recurse:
//!
//! ```text
//! jobs     what is left to do, the next one last
//! values   what was computed and not yet used
//! env      the variables of all open calls, one frame after the other
//! rounds   the open loops
//! path     where the next draw stands
//! ```
//!
//! A term is evaluated by pushing the job that needs its parts and then the parts, last part first.

mod draw;
mod heights;
mod path;
mod plan;
mod play;
mod rounds;

use crate::play::Play;
use crate::source::Source;
use crate::trace::Step;
use crate::watch::{Applied, Level, Watch};
use heights::Heights;
pub(crate) use path::{HOLE, Path};
pub(crate) use plan::{Note, Plan};
use rounds::{Kind, Round};
use tumble_core::{
    Budget, Diagnostic, Event, Exit, Faces, Fault, FnId, Fork, Limits, Mark, Prim, Question, Shape, Slot, Term, TermId,
    Throw, Value, prim,
};

/// The stacks of a machine, to be used again by the next roll.
#[derive(Debug, Default)]
pub(crate) struct Space<'p> {
    jobs: Vec<Job<'p>>,
    values: Vec<Value>,
    env: Vec<Value>,
    rounds: Vec<Round<'p>>,
    calls: Vec<Frame>,
    groups: Vec<play::Group>,
    path: Path,
}

/// An open call.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Where the variables of its caller begin.
    base: usize,
    /// Where it began.
    start: Heights,
    /// How many groups of output were open.
    groups: usize,
}

/// Something to do for a term.
#[derive(Clone, Copy, Debug)]
struct Job<'p> {
    id: TermId,
    todo: Todo<'p>,
}

/// What is to be done; "given" is what lies on top of the values.
#[derive(Clone, Copy, Debug)]
enum Todo<'p> {
    /// Find its value.
    Eval,
    /// Apply a row to the arguments given.
    Apply(&'static Prim, usize),
    /// Bind the value given, or its fields, and go on with the body.
    Bind(&'p [Slot], TermId),
    /// Choose a branch by the truth given.
    Choose(Fork, TermId, TermId),
    /// Leave a branch.
    Join(Fork),
    /// Roll a die with the faces given.
    Draw(&'p Faces),
    /// Find the faces of as many plain dice as given.
    Dice(&'p Faces),
    /// Roll as many plain dice with such faces as given.
    DrawAll(&'p Faces, Option<u32>),
    /// Start to repeat as often as given.
    Times(TermId),
    /// Start to go over the collection given.
    Over,
    /// Go on looping with the state given.
    State,
    /// Begin the next pass of the innermost loop, or end it.
    Pass,
    /// Go on after the body of a pass.
    Body,
    /// Go on after the test of a pass.
    Test,
    /// Call a function with the arguments given.
    Enter(FnId),
    /// Return from a call.
    Leave,
    /// Leave something early with the value given.
    Exit(Exit),
    /// Ask what is given.
    Ask(Question),
    /// Show what is given.
    Emit(Event),
    /// Throw the dice given.
    Throw(Throw),
}

/// One roll in progress.
pub(crate) struct Machine<'m, 'p, S: ?Sized, W> {
    plan: &'m Plan<'p>,
    space: &'m mut Space<'p>,
    source: &'m mut S,
    watch: &'m mut W,
    pub(crate) budget: Budget,
    /// How many dice were rolled.
    drawn: u64,
    /// Where the variables of the innermost call begin.
    base: usize,
    /// What scripts need.
    play: Play<'m>,
    /// How much was told before the roll began.
    begun: Level,
}

impl<'m, 'p, S: Source + ?Sized, W: Watch> Machine<'m, 'p, S, W> {
    pub(crate) fn new(
        plan: &'m Plan<'p>,
        space: &'m mut Space<'p>,
        source: &'m mut S,
        watch: &'m mut W,
        limits: Limits,
    ) -> Self {
        let (play, begun) = (Play::default(), Level::default());
        Machine { plan, space, source, watch, budget: Budget::new(limits), drawn: 0, base: 0, play, begun }
    }

    /// The same with somebody who answers and reads texts.
    pub(crate) fn playing(self, play: Play<'m>) -> Self {
        Machine { play, ..self }
    }

    /// Rolls the program.
    pub(crate) fn run(&mut self) -> Result<Value, Diagnostic> {
        self.begin_roll();
        while self.next()? {}
        Ok(self.pop())
    }

    fn begin_roll(&mut self) {
        let program = self.plan.program;
        let main = program.function(program.main());
        let space = &mut *self.space;
        space.jobs.clear();
        space.values.clear();
        space.env.clear();
        space.rounds.clear();
        space.calls.clear();
        space.groups.clear();
        space.path.reset(W::TRACED || self.source.needs_path());
        space.env.resize(main.slots.len(), Value::NOTHING);
        self.begun = self.watch.level();
        self.eval(main.body);
    }

    /// Does the next job; false if there is none.
    #[inline]
    fn next(&mut self) -> Result<bool, Diagnostic> {
        let Some(job) = self.space.jobs.pop() else { return Ok(false) };
        self.step(job).map_err(|fault| fault.at(self.plan.program.span(job.id)))?;
        Ok(true)
    }

    fn step(&mut self, job: Job<'p>) -> Result<(), Fault> {
        let id = job.id;
        match job.todo {
            Todo::Eval => self.enter_term(id),
            Todo::Apply(prim, args) => self.apply(id, prim, args),
            Todo::Bind(slots, body) => {
                let value = self.pop();
                self.bind_all(slots, value)?;
                self.eval(body);
                Ok(())
            }
            Todo::Choose(fork, then, other) => self.choose(id, fork, then, other),
            Todo::Join(Fork::Branch) => {
                self.space.path.pop('i');
                Ok(())
            }
            Todo::Join(Fork::ShortCut) => {
                self.space.path.pop('o');
                Ok(())
            }
            Todo::Draw(faces) => self.draw(id, faces),
            Todo::Dice(faces) => self.dice(id, faces),
            Todo::DrawAll(faces, reasons) => self.draw_all(id, faces, reasons),
            Todo::Times(body) => self.times(id, body),
            Todo::Over => self.over(id),
            Todo::State => self.state(id),
            Todo::Pass => self.pass(id),
            Todo::Body => self.after_body(id),
            Todo::Test => self.after_test(id),
            Todo::Enter(function) => self.enter(id, function),
            Todo::Leave => self.leave(),
            Todo::Exit(Exit::Call) => self.leave_call(),
            Todo::Exit(Exit::Loop) => {
                self.leave_loop();
                Ok(())
            }
            Todo::Ask(question) => self.ask(id, question),
            Todo::Emit(event) => self.emit(id, event),
            Todo::Throw(throw) => self.throw(id, throw),
        }
    }

    /// The one flat match over the forms.
    fn enter_term(&mut self, id: TermId) -> Result<(), Fault> {
        self.budget.step(1)?;
        let program = self.plan.program;
        match program.term(id) {
            Term::Lit(value) => self.push(value.clone()),
            Term::Var(slot) => {
                let value = self.space.env[self.base + slot.index()].clone();
                if W::TRACED && self.plan.is_name(id) {
                    self.watch.named(&value, program.span(id));
                }
                self.push(value);
            }
            Term::Let { slots, value, body } => {
                self.todo(id, Todo::Bind(slots, *body));
                self.eval(*value);
            }
            Term::If { fork, test, then, other } => {
                if *fork == Fork::Branch {
                    self.open_path(id);
                }
                self.todo(id, Todo::Choose(*fork, *then, *other));
                self.eval(*test);
            }
            Term::Prim { prim, args } => {
                self.watch.open(|| Step::Row(prim.name), program.span(id));
                self.todo(id, Todo::Apply(prim, args.len()));
                self.eval_all(args);
            }
            Term::Draw { faces } => {
                self.todo(id, Todo::Draw(faces));
                self.eval_faces(faces);
            }
            Term::Repeat { times, body } => {
                let dice = self.plan.plain(id, *body).map(Todo::Dice);
                self.todo(id, dice.unwrap_or(Todo::Times(*body)));
                self.eval(*times);
            }
            Term::ForEach { slot, pool, body } => {
                self.open_loop(id, Kind::Each { slot: *slot, members: 0, body: *body });
                self.todo(id, Todo::Over);
                self.eval(*pool);
            }
            Term::Until { slot, first, body, stop, most, keep } => {
                let bodies = (first.unwrap_or(*body), *body);
                self.open_loop(id, Kind::Until { slot: *slot, bodies, stop: *stop, most: *most, keep: *keep });
                self.todo(id, Todo::Pass);
            }
            Term::Loop { slots, start, test, body } => {
                self.open_loop(id, Kind::Loop { slots, test: *test, body: *body });
                self.todo(id, Todo::State);
                self.eval(*start);
            }
            Term::Call { function, args } => {
                self.todo(id, Todo::Enter(*function));
                self.eval_all(args);
            }
            Term::Leave { exit, value } => {
                self.todo(id, Todo::Exit(*exit));
                self.eval(*value);
            }
            Term::Ask { question, args } => {
                self.todo(id, Todo::Ask(*question));
                self.eval_all(args);
            }
            Term::Emit { event, args } => {
                self.todo(id, Todo::Emit(*event));
                self.eval_all(args);
            }
            Term::Throw { throw, args } => {
                self.todo(id, Todo::Throw(*throw));
                self.eval_all(args);
            }
        }
        Ok(())
    }

    fn apply(&mut self, id: TermId, prim: &'static Prim, args: usize) -> Result<(), Fault> {
        let first = self.space.values.len() - args;
        let given = &self.space.values[first..];
        // The lists of scripts live long, and are looked at often.
        if W::PLAYS && !prim.counts && !matches!(prim.shape, Shape::Opaque) {
            self.budget.look(given.get(prim.over).map_or(0, Value::weight))?;
        }
        let mut result = (prim.apply)(given, &mut self.budget)?;
        if W::TRACED {
            let (span, looking) = (self.plan.program.span(id), self.plan.looking(id));
            let row = Applied { prim, span, looking, check: self.plan.check(id) };
            let mark = self.watch.applied(&row, given, &result, &mut self.budget)?;
            if mark != Mark::NONE {
                result.mark = mark;
            }
            self.watch.close(&result);
            if self.plan.is_name(id) {
                self.watch.named(&result, span);
            }
        }
        self.space.values.truncate(first);
        self.push(result);
        Ok(())
    }

    fn choose(&mut self, id: TermId, fork: Fork, then: TermId, other: TermId) -> Result<(), Fault> {
        let holds = truth(&self.pop())?;
        let branch = if holds { then } else { other };
        match fork {
            Fork::Branch => self.space.path.letter(if holds { 't' } else { 'f' }),
            Fork::ShortCut => {
                self.space.path.push();
                // A short cut that is taken gives a known truth: only the right side is a real term.
                if !matches!(self.plan.program.term(branch), Term::Lit(_)) {
                    self.space.path.letter('s');
                }
            }
        }
        self.todo(id, Todo::Join(fork));
        self.eval(branch);
        Ok(())
    }

    fn enter(&mut self, id: TermId, function: FnId) -> Result<(), Fault> {
        let program = self.plan.program;
        let callee = program.function(function);
        let here = self.heights();
        let start = Heights { values: here.values - callee.params.len(), ..here };
        self.budget.nest(here.calls + 1)?;
        self.budget.step(callee.slots.len() as u64)?;
        self.space.path.push();
        self.space.path.letter('c');
        self.watch.open(|| Step::Call(callee.name.clone()), program.span(id));
        let groups = self.space.groups.len();
        self.space.calls.push(Frame { base: self.base, start, groups });
        self.base = self.space.env.len();
        self.space.env.resize(self.base + callee.slots.len(), Value::NOTHING);
        for param in callee.params.iter().rev() {
            let value = self.pop();
            self.bind(*param, value);
        }
        self.todo(id, Todo::Leave);
        self.eval(callee.body);
        Ok(())
    }

    /// Returns from the innermost call with the value given.
    fn leave(&mut self) -> Result<(), Fault> {
        if let Some(frame) = self.space.calls.last().copied() {
            let value = self.pop();
            self.end_groups(frame.groups)?;
            self.cut_back(frame.start, 'e', value);
        }
        Ok(())
    }

    /// Pushes the path for a construct that evaluates a condition or a pool next.
    fn open_path(&mut self, id: TermId) {
        self.space.path.push();
        if self.plan.is_apart(id) {
            self.space.path.letter('q');
        }
    }

    fn todo(&mut self, id: TermId, todo: Todo<'p>) {
        self.space.jobs.push(Job { id, todo });
    }

    fn eval(&mut self, id: TermId) {
        self.todo(id, Todo::Eval);
    }

    fn eval_all(&mut self, ids: &[TermId]) {
        for id in ids.iter().rev() {
            self.eval(*id);
        }
    }

    fn push(&mut self, value: Value) {
        self.space.values.push(value);
    }

    fn pop(&mut self) -> Value {
        self.space.values.pop().unwrap_or(Value::NOTHING)
    }

    fn bind(&mut self, slot: Slot, value: Value) {
        self.space.env[self.base + slot.index()] = value;
    }

    /// One variable takes the whole value, several take a field each. A field without a die of its own came from the
    /// die of the whole.
    fn bind_all(&mut self, slots: &[Slot], value: Value) -> Result<(), Fault> {
        if let [slot] = slots {
            self.bind(*slot, value);
            return Ok(());
        }
        let fields = prim::fields(&value, slots.len())?;
        self.budget.step(fields.len() as u64)?;
        for (slot, field) in slots.iter().zip(fields) {
            let mark = if field.mark == Mark::NONE { value.mark } else { field.mark };
            self.bind(*slot, field.clone().marked(mark));
        }
        Ok(())
    }

    /// What these variables hold, as it was bound.
    fn bound(&self, slots: &[Slot]) -> Value {
        let value = |slot: &Slot| self.space.env[self.base + slot.index()].clone();
        if let [slot] = slots { value(slot) } else { Value::tuple(slots.iter().map(value).collect()) }
    }

    /// The construct opened last has the value on top.
    fn close(&mut self) {
        if let Some(value) = self.space.values.last() {
            self.watch.close(value);
        }
    }
}

fn truth(value: &Value) -> Result<bool, Fault> {
    value.as_bool().ok_or_else(|| Fault::wrong_type(format!("expected true or false, not {}", value.sort())))
}
