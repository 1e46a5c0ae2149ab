//! Runs register code from one choice to the next.
//!
//! A [`Point`] is a state of the walk: the place of a choice, the registers that are needed after it, the open calls, and
//! what there is to choose from. [`Machine::go_on`] takes a choice and runs to the next point or to the end, without
//! chance. Nothing is ever run twice from the same point with the same choice.

use super::Without;
use super::answers::{Answering, Given, Group};
use super::bounds::Bounds;
use super::code::{About, Dice, Letter, Op, Reg, Routine};
use super::compile::{For, compile};
use super::facts;
use super::modes::Call;
use super::paths::Paths;
use super::reach;
use super::unseen::{Part, Unseen};
use super::ways::{Faces, Request, Ways};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use std::rc::Rc;
use tumble_core::play::{dice_again, no_group, plain_dice, quoted, style};
use tumble_core::prim::Extent;
use tumble_core::{
    Answers, Budget, Data, Diagnostic, Event, Fault, Program, Question, Reader, Span, Throw, Value, chance, prim,
};

/// Calls may be nested so deep.
const MOST_CALLS: usize = 1000;
/// Calls without chance inside each other that are computed aside.
const MOST_NESTED: usize = 16;

/// What is done with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Its code is run as a part of the caller's: it calls itself, decides something, or is short.
    Inline,
    /// It has no chance: its result is computed once for the same arguments.
    Pure,
    /// The distribution of its result is found once for the same arguments.
    Shared,
}

/// A state of the walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub(super) function: usize,
    pub(super) at: usize,
    pub(super) live: Box<[Outcome]>,
    /// The calls that are open, by number.
    pub(super) below: Option<u32>,
    pub(super) request: Request,
}

impl Point {
    /// The register that has to be seen here, if that is what is chosen.
    pub(super) fn sees(&self) -> Option<Reg> {
        if let Request::Unseen { reg, .. } = self.request { Some(reg) } else { None }
    }
}

/// An open call: what its caller needs when it returns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
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
    results: HashMap<(usize, Vec<Outcome>), Outcome>,
    pub(super) nested: usize,
    made_for: For,
    /// The functions as they were written.
    written: Vec<Rc<Routine>>,
    pub(super) main: usize,
    pub(super) without: Without,
    pub(super) seen_at_once: usize,
    /// Whether functions that lead back to themselves are parts of whoever calls them.
    pub(super) inlines_circles: bool,
    /// Which field of the result is asked for.
    pub(super) field: Option<usize>,
    whole: Span,
    frames: Vec<Frame>,
    numbers: HashMap<Frame, u32>,
    /// The registers of the function that runs.
    pub(super) regs: Vec<Outcome>,
    args: Vec<Value>,
    /// The functions of dice texts that were made part of the program.
    texts: HashMap<(String, bool), usize>,
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

    /// Makes the program ready for the answers as they are now: what they rule out is cut off, and what then only feeds
    /// output is sliced away.
    pub(super) fn prepare(&mut self) -> Result<(), Diagnostic> {
        self.routines = self.written.clone();
        self.texts.clear();
        let size: usize = self.written.iter().map(|routine| routine.ops.len()).sum();
        self.budget.step(size as u64 * 8).map_err(|fault| fault.at(self.whole))?;
        let mut routines: Vec<Routine> = self.written.iter().map(|routine| Routine::clone(routine)).collect();
        if !self.without.slicing {
            let bounds = Bounds::of_program(self, self.main);
            routines.iter_mut().enumerate().for_each(|(at, routine)| facts::prune(routine, at, &bounds));
        }
        self.routines = ready(routines, self.main, self.without.slicing).map_err(|fault| fault.at(self.whole))?;
        self.find_modes();
        // Calls that are open belong to the code as it was.
        self.frames.clear();
        self.numbers.clear();
        Ok(())
    }

    /// Runs a function from its beginning.
    pub(super) fn enter(&mut self, function: usize, args: Vec<Outcome>, path: &Outcome) -> Result<Stopped, Diagnostic> {
        self.begin(function, args, path.clone());
        self.run(function, 0, None)
    }

    fn begin(&mut self, function: usize, args: Vec<Outcome>, path: Outcome) {
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

    fn restore(&mut self, routine: &Routine, at: usize, seen: Option<Reg>, live: &[Outcome]) {
        if self.regs.len() < routine.regs {
            self.regs.resize(routine.regs, Outcome::Unknown);
        }
        for (reg, value) in routine.kept(at, seen).zip(live) {
            self.regs[reg] = value.clone();
        }
    }

    /// What the registers hold that are kept at a point.
    fn kept(&self, routine: &Routine, at: usize, seen: Option<Reg>) -> Box<[Outcome]> {
        let value = |reg: Reg| {
            let value = &self.regs[reg];
            if routine.unordered[reg] { sorted(value) } else { value.clone() }
        };
        routine.kept(at, seen).map(value).collect()
    }

    /// Runs until something is to be chosen, or to the end.
    fn run(&mut self, mut function: usize, mut at: usize, mut below: Option<u32>) -> Result<Stopped, Diagnostic> {
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
    fn open(
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

    fn run_in(
        &mut self,
        routine: &Routine,
        function: usize,
        at: &mut usize,
        below: Option<u32>,
    ) -> Result<Next, Wrong> {
        loop {
            self.budget.step(1)?;
            if !self.unseen_dice.is_empty()
                && let Some(reg) = self.must_see(routine, *at, below)
                && let Outcome::Unseen(number) = self.regs[reg]
            {
                return Ok(Next::Choice(Request::Unseen { number, reg }));
            }
            match &routine.ops[*at] {
                Op::Set { to, value } => self.regs[*to] = Outcome::Known(value.clone()),
                Op::Copy { to, from } => self.copy(routine, *to, *from),
                Op::Row { to, row, args } => {
                    let value = self.apply(row, args)?;
                    if value.is_lost() {
                        return Ok(Next::End(value));
                    }
                    self.write(routine, *to, value);
                }
                Op::Fields { to, from } => match self.fields(*from, to.len())? {
                    Some(fields) => {
                        to.iter().zip(fields).for_each(|(to, field)| self.regs[*to] = Outcome::Known(field))
                    }
                    None => return Ok(Next::End(Outcome::Unknown)),
                },
                Op::Tuple { to, from } => {
                    let value = self.apply(&prim::TUPLE, from)?;
                    self.write(routine, *to, value);
                }
                Op::Jump(to) => {
                    *at = *to;
                    continue;
                }
                Op::Branch { test, then, other } => match self.truth(*test)? {
                    Some(holds) => {
                        *at = if holds { *then } else { *other };
                        continue;
                    }
                    None => return Ok(Next::End(reach::undecided(self, (function, *at), below))),
                },
                Op::Return { from } => return Ok(Next::Return(self.regs[*from].clone())),
                Op::Members { to, from, made, .. } => {
                    if let (Outcome::Unseen(pool), Some(made)) = (&self.regs[*from], made) {
                        self.regs[made.list] = self.made_unseen(made, *pool);
                        *at = made.done;
                        continue;
                    }
                    let Some(pool) = self.regs[*from].known() else { return Ok(Next::End(Outcome::Unknown)) };
                    chance::members(pool)?;
                    self.regs[*to] = self.regs[*from].clone();
                }
                Op::Next { to, rest, done } => match self.next_member(*rest) {
                    Some(member) => self.regs[*to] = Outcome::Known(member),
                    None => {
                        *at = *done;
                        continue;
                    }
                },
                Op::Push { list, from } => match self.pushed(*list, *from)? {
                    Some(longer) => self.regs[*list] = longer,
                    None => return Ok(Next::End(Outcome::Unknown)),
                },
                Op::Count { to, from } => match self.regs[*from].known() {
                    Some(count) => {
                        let count = chance::times(count)?;
                        self.budget.members(count)?;
                        self.regs[*to] = Outcome::int(count as i64);
                    }
                    None => return Ok(Next::End(Outcome::Unknown)),
                },
                Op::Down { left, done } => match self.regs[*left].as_int() {
                    Some(n @ 1..) => self.regs[*left] = Outcome::int(n - 1),
                    _ => {
                        *at = *done;
                        continue;
                    }
                },
                Op::Letter { to, from, letter } => self.letter(*to, *from, *letter),
                Op::Emit { event, args, groups } => self.show(*event, args, *groups)?,
                Op::Draw { .. } | Op::Dice { .. } | Op::Throw { .. } | Op::Ask { .. } | Op::Call { .. } => {
                    match self.choose(&routine.ops[*at], routine)? {
                        Chosen::Known(value) => {
                            if let Some(to) = routine.ops[*at].chooses() {
                                self.regs[to] = value;
                            }
                        }
                        Chosen::Next(next) => return Ok(next),
                    }
                }
            }
            *at += 1;
        }
    }

    fn copy(&mut self, routine: &Routine, to: Reg, from: Reg) {
        let value = self.regs[from].clone();
        self.write(routine, to, value);
    }

    /// A number that is not listed keeps its law only where it is looked at once.
    fn write(&mut self, routine: &Routine, to: Reg, value: Outcome) {
        self.regs[to] = if routine.shared[to] { value.without_law() } else { value };
    }

    fn apply(&mut self, row: &'static prim::Prim, args: &[Reg]) -> Result<Outcome, Stop> {
        self.args.clear();
        for arg in args {
            match &self.regs[*arg] {
                Outcome::Known(value) => self.args.push(value.clone()),
                _ if args.iter().any(|arg| matches!(self.regs[*arg], Outcome::Unseen(_))) => {
                    let part = |arg: &Reg| match &self.regs[*arg] {
                        Outcome::Known(value) => Some(Part::Known(value.clone())),
                        Outcome::Unseen(number) => Some(Part::Unseen(*number)),
                        _ => None,
                    };
                    let parts: Option<Vec<Part>> = args.iter().map(part).collect();
                    return Ok(parts.map_or(Outcome::Unknown, |parts| self.unseen(Unseen::Row(row, parts))));
                }
                _ => {
                    let args: Vec<Outcome> = args.iter().map(|arg| self.regs[*arg].clone()).collect();
                    return outcome::apply(row, &args, &mut self.budget);
                }
            }
        }
        Ok(Outcome::Known((row.apply)(&self.args, &mut self.budget)?))
    }

    fn fields(&self, from: Reg, width: usize) -> Result<Option<Vec<Value>>, Fault> {
        match self.regs[from].known() {
            Some(value) => prim::fields(value, width).map(|fields| Some(fields.to_vec())),
            None => Ok(None),
        }
    }

    fn truth(&self, reg: Reg) -> Result<Option<bool>, Fault> {
        match &self.regs[reg] {
            Outcome::Known(value) => match value.as_bool() {
                Some(holds) => Ok(Some(holds)),
                None => Err(Fault::wrong_type(format!("expected true or false, not {}", value.sort()))),
            },
            _ => Ok(None),
        }
    }

    fn next_member(&mut self, rest: Reg) -> Option<Value> {
        let value = self.regs[rest].known()?;
        let (first, others) = value.as_pool()?.split_first()?;
        let (first, others) = (first.clone(), Value::pool(others.to_vec()));
        self.regs[rest] = Outcome::Known(others);
        Some(first)
    }

    fn pushed(&mut self, list: Reg, from: Reg) -> Result<Option<Outcome>, Fault> {
        let (Some(items), Some(item)) = (self.regs[list].known(), self.regs[from].known()) else { return Ok(None) };
        let Data::List(items) = &items.data else { return Ok(None) };
        let mut items = items.to_vec();
        items.push(item.clone());
        self.budget.members(items.len() as u64)?;
        self.budget.step(items.len() as u64 / 8)?;
        Ok(Some(Outcome::Known(Value::list(items))))
    }

    fn letter(&mut self, to: Reg, from: Reg, letter: Letter) {
        self.regs[to] = match letter {
            Letter::Plain(letter) => self.paths.step(&self.regs[from], letter),
            Letter::Pass(number) => {
                let pass = self.regs[number].as_int().unwrap_or(0) + 1;
                self.regs[number] = Outcome::int(pass);
                self.paths.pass(&self.regs[from], pass)
            }
        };
    }

    /// What output can fail of.
    fn show(&mut self, event: Event, args: &[Reg], groups: Option<Reg>) -> Result<(), Fault> {
        if let (Event::Line, Some(of)) = (event, args.first().and_then(|reg| self.regs[*reg].known())) {
            style(of)?;
        }
        let Some(groups) = groups else { return Ok(()) };
        const STARTED: i64 = 0;
        const BLOCK: i64 = 1;
        let open = self.regs[groups].known().and_then(Value::as_pool).unwrap_or(&[]);
        let mut open: Vec<i64> = open.iter().filter_map(Value::as_int).collect();
        match event {
            Event::Line | Event::Change => {}
            Event::Open => open.push(STARTED),
            Event::Enter => open.push(BLOCK),
            Event::Close if open.last() == Some(&STARTED) => _ = open.pop(),
            Event::Close => return Err(no_group()),
            Event::Exit => open.truncate(open.iter().rposition(|group| *group == BLOCK).unwrap_or(0)),
        }
        self.regs[groups] = Outcome::Known(Value::ints(&open));
        Ok(())
    }

    /// An operation that may have to be chosen for.
    fn choose(&mut self, op: &Op, routine: &Routine) -> Result<Chosen, Wrong> {
        let request = match op {
            Op::Draw { faces, path, .. } => {
                self.faces(faces)?.map(|faces| Request::Draw { faces, path: self.path(*path) })
            }
            Op::Dice { count, faces, path, .. } => {
                let count = self.regs[*count].as_int().and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                self.faces(faces)?.map(|faces| Request::Dice { count, faces, path: self.path(*path) })
            }
            Op::Throw { to, throw, args, path } => return self.throw(*throw, args, *path, routine.unordered[*to]),
            Op::Ask { question, about, args, path, .. } => return self.ask(*question, about, args, *path),
            Op::Call { function, args, path, .. } => {
                let args: Vec<Outcome> = args.iter().map(|arg| self.regs[*arg].clone()).collect();
                let (callee, path) = (function.index(), self.path(*path));
                if args.iter().any(|arg| matches!(arg, Outcome::Unseen(_))) {
                    return Ok(Chosen::Next(Next::Call(callee, args, path)));
                }
                return match self.modes.get(callee).copied().unwrap_or(Mode::Inline) {
                    Mode::Pure if self.nested < MOST_NESTED => self.computed(callee, args),
                    Mode::Inline | Mode::Pure => Ok(Chosen::Next(Next::Call(callee, args, path))),
                    Mode::Shared => Ok(Chosen::Next(Next::Choice(Request::Call { function: callee, args, path }))),
                };
            }
            Op::Set { .. } | Op::Copy { .. } | Op::Row { .. } | Op::Fields { .. } | Op::Tuple { .. } => None,
            Op::Jump(_) | Op::Branch { .. } | Op::Return { .. } | Op::Members { .. } | Op::Next { .. } => None,
            Op::Push { .. } | Op::Count { .. } | Op::Down { .. } | Op::Letter { .. } | Op::Emit { .. } => None,
        };
        Ok(Chosen::Next(request.map_or(Next::End(Outcome::Unknown), Next::Choice)))
    }

    /// The result of a call without chance, from memory if there were the same arguments before.
    fn computed(&mut self, function: usize, args: Vec<Outcome>) -> Result<Chosen, Wrong> {
        let key = (function, args);
        self.budget.step(4 + key.1.iter().map(outcome::size).sum::<u64>() / 4)?;
        if let Some(result) = self.results.get(&key) {
            return Ok(Chosen::Known(result.clone()));
        }
        let regs = std::mem::take(&mut self.regs);
        self.nested += 1;
        let ended = self.enter(function, key.1.clone(), &Outcome::Known(Value::NOTHING));
        self.nested -= 1;
        self.regs = regs;
        match ended {
            Ok(Stopped::End(result)) => {
                self.held += 150 + 24 * (outcome::size(&result) + key.1.iter().map(outcome::size).sum::<u64>());
                self.results.insert(key, result.clone());
                Ok(if result.is_lost() { Chosen::Next(Next::End(result)) } else { Chosen::Known(result) })
            }
            Ok(Stopped::Choice(_)) => Err(Fault::mistake("internal error: a call without chance has a choice").into()),
            Err(found) => Err(Wrong::Inside(Box::new(found))),
        }
    }

    fn path(&self, path: Option<Reg>) -> Outcome {
        path.map_or(Outcome::Known(Value::NOTHING), |reg| self.regs[reg].clone())
    }

    /// The faces of dice; none if they are not known.
    fn faces(&self, faces: &Dice) -> Result<Option<Faces>, Fault> {
        let known = |reg: &Reg| self.regs[*reg].known();
        Ok(match faces {
            Dice::Range { lo, hi } => match (known(lo), known(hi)) {
                (Some(lo), Some(hi)) => {
                    chance::faces(lo, hi)?;
                    lo.as_int().zip(hi.as_int()).map(|(lo, hi)| Faces::Range(lo, hi))
                }
                _ => None,
            },
            Dice::Weighted(faces) => Some(Faces::Weighted(faces.iter().cloned().collect())),
            Dice::Member { pool } => match known(pool) {
                Some(pool) => Some(Faces::Member(chance::some_members(pool)?.to_vec())),
                None => None,
            },
            Dice::Members { pool, count } => match (known(pool), known(count)) {
                (Some(pool), Some(count)) => {
                    let members = chance::members(pool)?;
                    Some(Faces::Members(members.to_vec(), chance::picks(count, members.len())?))
                }
                _ => None,
            },
        })
    }

    fn throw(&mut self, throw: Throw, args: &[Reg], path: Option<Reg>, sorted: bool) -> Result<Chosen, Wrong> {
        let known: Option<Vec<Value>> = args.iter().map(|arg| self.regs[*arg].known().cloned()).collect();
        let (Some(args), path) = (known, self.path(path)) else { return Ok(Chosen::Next(Next::End(Outcome::Unknown))) };
        let request = match throw {
            Throw::Total | Throw::Dice => {
                let text = args[0].as_text().map_or_else(String::new, ToString::to_string);
                if self.paths.knows_dice(&path) {
                    let callee = self.text_as_function(&text, throw)?;
                    let inside = self.paths.inside(&path);
                    return Ok(Chosen::Next(Next::Call(callee, vec![], inside)));
                }
                let dice = throw == Throw::Dice;
                let request = Request::Text { text: text.clone(), dice, sorted: sorted && dice };
                if self.made_for.unseen && self.nested == 0 && self.stays_unseen(&request) {
                    return Ok(Chosen::Known(self.unseen(Unseen::Thrown(text))));
                }
                request
            }
            Throw::Plain => {
                let (count, sides) = plain_dice(&args)?;
                Request::Plain { count, sides, path: self.narrow(path) }
            }
            Throw::Again => {
                let (members, places, sides) = dice_again(&args)?;
                let mut kept: Vec<Option<Value>> = members.iter().cloned().map(Some).collect();
                places.iter().for_each(|place| kept[*place] = None);
                if places.is_empty() {
                    return Ok(Chosen::Known(Outcome::Known(args[0].clone())));
                }
                let path = self.narrow(path);
                let sorted = sorted && path.as_int().is_none();
                if sorted {
                    kept.sort();
                }
                Request::Again { kept, sides, sorted, path }
            }
        };
        Ok(Chosen::Next(Next::Choice(request)))
    }

    /// A path only matters to dice where some are known.
    fn narrow(&self, path: Outcome) -> Outcome {
        if self.paths.knows_dice(&path) { path } else { Outcome::Known(Value::NOTHING) }
    }

    /// The code of a text some of whose dice are known.
    fn text_as_function(&mut self, text: &str, throw: Throw) -> Result<usize, Fault> {
        let key = (text.to_owned(), throw == Throw::Dice);
        if let Some(function) = self.texts.get(&key) {
            return Ok(*function);
        }
        let program = self.reader.read(text, throw).map_err(|found| quoted(text, found))?;
        let first = self.routines.len();
        self.budget.step(program.nodes().len() as u64 * 4)?;
        let functions = program.functions().iter();
        let mut routines: Vec<Routine> =
            functions.map(|function| compile(&program, function, For { unseen: false, ..self.made_for })).collect();
        routines.iter_mut().for_each(|routine| routine.call_from(first));
        let routines = ready(routines, program.main().index(), self.without.slicing)?;
        self.modes.resize(first, Mode::Inline);
        self.modes.extend(routines.iter().map(|_| Mode::Inline));
        self.routines.extend(routines);
        let function = first + program.main().index();
        self.texts.insert(key, function);
        Ok(function)
    }

    fn ask(&mut self, question: Question, about: &About, args: &[Reg], path: Option<Reg>) -> Result<Chosen, Wrong> {
        let mut given = vec![Value::NOTHING; 3];
        for arg in args {
            match self.regs[*arg].known() {
                Some(value) => given.push(value.clone()),
                None => return Ok(Chosen::Next(Next::End(Outcome::Unknown))),
            }
        }
        let answers = question.answers(&given)?;
        let words = |reg: Reg| self.regs[reg].known().and_then(Value::as_text).map(ToString::to_string);
        let (owner, prompt) = (words(about.owner), about.prompt.and_then(words));
        let form = about.form.as_deref().map(str::to_owned).or_else(|| prompt.clone()).unwrap_or_default();
        let path = self.path(path);
        let by_path = self.paths.answer_at(&path).cloned();
        let group = Group { owner, form };
        self.asked = Some((path, prompt.clone()));
        let number = self.answering.meet(&group, question, &answers);
        Ok(match self.answering.given(number, &group, prompt.as_deref(), by_path) {
            Given::Answer(answer) => {
                let value = answer.and_then(|answer| answers.fit(&answer)).unwrap_or_else(|| answers.default());
                Chosen::Known(Outcome::Known(value))
            }
            Given::Met => Chosen::Next(Next::End(Outcome::Cut)),
            Given::Free => Chosen::Next(Next::Choice(Request::Ask { group: number, answers: Kind::of(&answers) })),
        })
    }
}

/// What can be answered, without the words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Option,
    Choice(usize),
    Number { low: i64, high: i64 },
    Select(usize),
}

impl Kind {
    /// What can be answered to this question or to another one of the same option.
    pub(super) fn widen(&mut self, other: &Kind) {
        *self = match (&*self, other) {
            (Kind::Choice(a), Kind::Choice(b)) => Kind::Choice(*a.max(b)),
            (Kind::Select(a), Kind::Select(b)) => Kind::Select(*a.max(b)),
            (Kind::Number { low, high }, Kind::Number { low: least, high: most }) => {
                Kind::Number { low: *low.min(least), high: *high.max(most) }
            }
            _ => return,
        };
    }

    pub(super) fn of(answers: &Answers) -> Kind {
        match answers {
            Answers::Option => Kind::Option,
            Answers::Choice(texts) => Kind::Choice(texts.len()),
            Answers::Number { low, high, .. } => Kind::Number { low: *low, high: *high },
            Answers::Select(texts) => Kind::Select(texts.len()),
        }
    }
}

/// What went wrong: at this place, or in a call inside it.
enum Wrong {
    Here(Fault),
    Inside(Box<Diagnostic>),
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::Here(fault)
    }
}

impl From<Stop> for Wrong {
    fn from(stop: Stop) -> Wrong {
        match stop {
            Stop::Fault(fault) => Wrong::Here(fault),
            Stop::Unsolvable | Stop::Need(_) => Wrong::Here(Fault::mistake("internal error: a script stopped")),
        }
    }
}

/// What code comes to.
enum Next {
    Choice(Request),
    Call(usize, Vec<Outcome>, Outcome),
    Return(Outcome),
    End(Outcome),
}

/// What becomes of a choice.
enum Chosen {
    /// There is only one way.
    Known(Outcome),
    Next(Next),
}

/// Code with all that is known of it.
fn ready(mut routines: Vec<Routine>, main: usize, all: bool) -> Result<Vec<Rc<Routine>>, Fault> {
    routines.iter_mut().try_for_each(|routine| facts::slice(routine, all))?;
    facts::find_order(&mut routines, main);
    Ok(routines.into_iter().map(Rc::new).collect())
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
            members.sort();
            Outcome::Known(Value::pool(members))
        }
        Some(Data::List(items)) if !items.is_sorted() => {
            let mut items = items.to_vec();
            items.sort();
            Outcome::Known(Value::list(items))
        }
        _ => value.clone(),
    }
}
