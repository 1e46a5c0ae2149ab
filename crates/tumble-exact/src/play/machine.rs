//! Runs register code from one choice to the next.
//!
//! A [`Point`] is a state of the walk: the place of a choice, the registers that are needed after it, the open calls, and
//! what there is to choose from. [`Machine::go_on`] takes a choice and runs to the next point or to the end, without
//! chance. Nothing is ever run twice from the same point with the same choice.

use super::Without;
use super::answers::Answering;
use super::code::{Op, Reg, Routine};
use super::compile::{For, compile};
use super::paths::Paths;
use super::request::{Call, Mode, Next, Point, Request, Unseen, Ways, Wrong};
use crate::map::HashMap;
use crate::outcome::{self, Outcome};
use std::rc::Rc;
use tumble_core::prim::Extent;
use tumble_core::sort;
use tumble_core::{Budget, Data, Diagnostic, Fault, Program, Reader, Span, Value};

/// Calls may be nested so deep.
const MOST_CALLS: usize = 1000;
/// An open call: what its caller needs when it returns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    function: usize,
    at: usize,
    live: Box<[Outcome]>,
    below: Option<u32>,
    depth: usize,
}

/// Where a run comes to.
pub(super) enum Stopped {
    /// To a choice.
    Choice(Point),
    /// To the end.
    End(Outcome),
}

/// Everything that runs share.
pub(super) struct Machine<'a> {
    pub(super) routines: Vec<Rc<Routine>>,
    pub(super) modes: Vec<Mode>,
    pub(super) budget: Budget,
    pub(super) reader: &'a dyn Reader,
    pub(super) answering: Answering<'a>,
    pub(super) paths: Paths,
    pub(super) laws: HashMap<Request, Rc<Ways>>,
    pub(super) calls: HashMap<Request, Call>,
    /// The options met inside the call that was found last.
    pub(super) inside: Vec<usize>,
    /// The path and the prompt of the question that was met last, if somebody wants to tell them.
    pub(super) asked: Option<(Outcome, Option<String>)>,
    /// The program, and what becomes of dice that nobody has looked at.
    pub(super) program: &'a Program,
    pub(super) unseen_dice: Vec<Rc<Unseen>>,
    pub(super) unseen_numbers: HashMap<Unseen, u32>,
    pub(super) depths: Vec<usize>,
    /// The results of calls without chance.
    pub(super) results: HashMap<(usize, Vec<Outcome>), Outcome>,
    pub(super) nested: usize,
    pub(super) made_for: For,
    /// The functions as they were written.
    pub(super) written: Vec<Rc<Routine>>,
    pub(super) main: usize,
    pub(super) without: Without,
    pub(super) seen_at_once: usize,
    /// Whether functions that lead back to themselves are parts of whoever calls them.
    pub(super) inlines_circles: bool,
    /// Which field of the result is asked for.
    pub(super) field: Option<usize>,
    pub(super) whole: Span,
    pub(super) frames: Vec<Frame>,
    pub(super) numbers: HashMap<Frame, u32>,
    /// The registers of the function that runs.
    pub(super) regs: Vec<Outcome>,
    pub(super) args: Vec<Value>,
    /// The functions of dice texts that were made part of the program.
    pub(super) texts: HashMap<(String, bool), usize>,
    /// The bytes that all states hold, about.
    pub(super) held: u64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        reader: &'a dyn Reader,
        answering: Answering<'a>,
        paths: Paths,
        budget: Budget,
        (without, seen_at_once): (Without, usize),
    ) -> Result<Machine<'a>, Diagnostic> {
        let unseen = !paths.are_followed() && answering.free.is_none();
        let made_for = For { paths: paths.are_followed(), prompts: answering.reads_prompts(), unseen };
        let mut machine = Machine {
            routines: vec![],
            modes: vec![],
            budget,
            reader,
            answering,
            paths,
            laws: HashMap::default(),
            calls: HashMap::default(),
            inside: vec![],
            asked: None,
            program,
            unseen_dice: vec![],
            unseen_numbers: HashMap::default(),
            depths: vec![],
            results: HashMap::default(),
            nested: 0,
            made_for,
            written: vec![],
            main: 0,
            field: None,
            without,
            seen_at_once,
            inlines_circles: false,
            whole: Span::default(),
            frames: vec![],
            numbers: HashMap::default(),
            regs: vec![],
            args: vec![],
            texts: HashMap::default(),
            held: 0,
        };
        machine.whole = program.span(program.function(program.main()).body);
        machine.main = program.main().index();
        let functions = program.functions().iter();
        machine.written = functions.map(|function| Rc::new(compile(program, function, made_for))).collect();
        machine.prepare()?;
        Ok(machine)
    }
    /// Runs a function from its beginning.
    pub(super) fn enter(&mut self, function: usize, args: Vec<Outcome>, path: &Outcome) -> Result<Stopped, Diagnostic> {
        self.begin(function, args, path.clone());
        self.run(function, 0, None)
    }

    pub(super) fn begin(&mut self, function: usize, args: Vec<Outcome>, path: Outcome) {
        let routine = Rc::clone(&self.routines[function]);
        if self.regs.len() < routine.regs {
            self.regs.resize(routine.regs, Outcome::Unknown);
        }
        for (param, arg) in routine.params.iter().zip(args) {
            self.regs[*param] = arg;
        }
        if let Some(reg) = routine.path {
            self.regs[reg] = path;
        }
    }

    /// Goes on from a point with what was chosen there.
    pub(super) fn go_on(&mut self, point: &Point, chosen: Outcome) -> Result<Stopped, Diagnostic> {
        if chosen.is_lost() {
            return Ok(Stopped::End(chosen));
        }
        let routine = Rc::clone(&self.routines[point.function]);
        if let Some(reg) = point.sees() {
            self.restore(&routine, point.at, Some(reg), &point.live);
            self.regs[reg] = if routine.shared[reg] { chosen.without_law() } else { chosen };
            return self.run(point.function, point.at, point.below);
        }
        self.restore(&routine, point.at, None, &point.live);
        if let Some(to) = routine.ops[point.at].chooses() {
            self.regs[to] = if routine.shared[to] { chosen.without_law() } else { chosen };
        }
        self.run(point.function, point.at + 1, point.below)
    }

    pub(super) fn restore(&mut self, routine: &Routine, at: usize, seen: Option<Reg>, live: &[Outcome]) {
        if self.regs.len() < routine.regs {
            self.regs.resize(routine.regs, Outcome::Unknown);
        }
        for (reg, value) in routine.kept(at, seen).zip(live) {
            self.regs[reg] = value.clone();
        }
    }

    /// What the registers hold that are kept at a point.
    pub(super) fn kept(&self, routine: &Routine, at: usize, seen: Option<Reg>) -> Box<[Outcome]> {
        let value = |reg: Reg| {
            let value = &self.regs[reg];
            if routine.unordered[reg] { sorted(value) } else { value.clone() }
        };
        routine.kept(at, seen).map(value).collect()
    }

    /// Runs until something is to be chosen, or to the end.
    pub(super) fn run(
        &mut self,
        mut function: usize,
        mut at: usize,
        mut below: Option<u32>,
    ) -> Result<Stopped, Diagnostic> {
        loop {
            let routine = Rc::clone(&self.routines[function]);
            match self.run_in(&routine, function, &mut at, below) {
                Ok(Next::Choice(request)) => {
                    let seen = if let Request::Unseen { reg, .. } = request { Some(reg) } else { None };
                    let live = self.kept(&routine, at, seen);
                    return Ok(Stopped::Choice(Point { function, at, live, below, request }));
                }
                Ok(Next::End(outcome)) => return Ok(Stopped::End(outcome)),
                Ok(Next::Call(callee, args, path)) => {
                    let span = routine.spans[at];
                    below = self.open(&routine, function, at, below).map_err(|fault| fault.at(span))?;
                    self.begin(callee, args, path);
                    (function, at) = (callee, 0);
                }
                Ok(Next::Return(value)) => {
                    let Some(number) = below else { return Ok(Stopped::End(self.result(function, value))) };
                    let frame = self.frames[number as usize].clone();
                    let caller = Rc::clone(&self.routines[frame.function]);
                    self.restore(&caller, frame.at, None, &frame.live);
                    if let Some(to) = caller.ops[frame.at].chooses() {
                        self.regs[to] = if caller.shared[to] { value.without_law() } else { value };
                    }
                    (function, at, below) = (frame.function, frame.at + 1, frame.below);
                }
                Err(Wrong::Here(fault)) => return Err(fault.at(routine.spans[at])),
                Err(Wrong::Inside(found)) => return Err(*found),
            }
        }
    }

    /// The result of a function, or of the whole program the field of it that is asked for.
    fn result(&self, function: usize, value: Outcome) -> Outcome {
        let field = self.field.filter(|_| function == self.main);
        let (Some(field), Some(whole)) = (field, value.known()) else { return value };
        match &whole.data {
            Data::Tuple(fields) => fields.get(field).map_or(Outcome::Unknown, |field| Outcome::Known(field.clone())),
            _ => value,
        }
    }

    /// The registers that are needed after a choice, and what they hold.
    pub(super) fn held_at(
        &self,
        function: usize,
        at: usize,
        seen: Option<Reg>,
        live: &[Outcome],
    ) -> Vec<(Reg, Extent)> {
        self.routines[function].kept(at, seen).zip(live.iter().map(outcome::extent)).collect()
    }

    /// The registers that are needed at a branch of the function that runs, and what they hold.
    pub(super) fn held_before(&self, function: usize, at: usize) -> Vec<(Reg, Extent)> {
        self.routines[function].live[at].iter().map(|reg| (*reg, outcome::extent(&self.regs[*reg]))).collect()
    }

    /// An open call: its function, its place, what it holds, and the one below it.
    pub(super) fn open_call(&self, number: u32) -> (usize, usize, Vec<(Reg, Extent)>, Option<u32>) {
        let Frame { function, at, live, below, .. } = &self.frames[number as usize];
        (*function, *at, self.held_at(*function, *at, None, live), *below)
    }

    /// An open call: its function, its place, what it needs, and the one below it.
    pub(super) fn frame(&self, number: u32) -> (usize, usize, &[Outcome], Option<u32>) {
        let Frame { function, at, live, below, .. } = &self.frames[number as usize];
        (*function, *at, live, *below)
    }

    /// Keeps what the caller needs; a call whose result is the caller's own result needs nothing.
    pub(super) fn open(
        &mut self,
        routine: &Routine,
        function: usize,
        at: usize,
        below: Option<u32>,
    ) -> Result<Option<u32>, Fault> {
        if returns(routine, at) && !(function == self.main && self.field.is_some()) {
            return Ok(below);
        }
        let depth = below.map_or(1, |below| self.frames[below as usize].depth + 1);
        if depth > MOST_CALLS.min(self.budget.limits().depth) {
            return Err(Fault::limit(format!("more than {MOST_CALLS} calls are open at once")));
        }
        let frame = Frame { function, at, live: self.kept(routine, at, None), below, depth };
        if let Some(number) = self.numbers.get(&frame) {
            return Ok(Some(*number));
        }
        let number = self.frames.len() as u32;
        self.held += 100 + frame.live.iter().map(|value| 40 + 24 * outcome::size(value)).sum::<u64>();
        self.frames.push(frame.clone());
        self.numbers.insert(frame, number);
        Ok(Some(number))
    }
}

/// Whether a function does nothing after a call but to return its result.
fn returns(routine: &Routine, call: usize) -> bool {
    let Some(mut result) = routine.ops[call].chooses() else { return false };
    let mut at = call + 1;
    for _ in 0..routine.ops.len() {
        match &routine.ops[at] {
            Op::Jump(to) => at = *to,
            Op::Copy { to, from } if *from == result => (result, at) = (*to, at + 1),
            Op::Return { from } => return *from == result,
            _ => return false,
        }
    }
    false
}

/// The members in order, if it is a collection.
fn sorted(value: &Outcome) -> Outcome {
    match value.known().map(|value| &value.data) {
        Some(Data::Pool(members)) if !members.is_sorted() => {
            let mut members = members.to_vec();
            sort::sort(&mut members);
            Outcome::Known(Value::pool(members))
        }
        Some(Data::List(items)) if !items.is_sorted() => {
            let mut items = items.to_vec();
            sort::sort(&mut items);
            Outcome::Known(Value::list(items))
        }
        _ => value.clone(),
    }
}
