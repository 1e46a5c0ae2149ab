//! From the terms of a function to its register code.
//!
//! Every term is told where its value goes, so a tuple that is taken apart at once is never made: the variables that a
//! loop carries, or that hold after a branch, are registers of their own. Terms are compiled by a list of jobs, so that
//! no program, however deep, makes the compiler recurse.
//!
//! Where paths are followed (Hilton's rules, as in rolling), a construct saves the path in a register when it begins and
//! goes on from there with its letter when it ends, however it is left.

use super::code::{About, At, Dice, Free, Letter, Made, Op, Reg, Routine};
use std::sync::Arc;
use tumble_core::play::style;
use tumble_core::prim::Sort;
use tumble_core::{Event, Exit, Faces, Fork, Function, Keep, Program, Question, Slot, Span, Term, TermId, Value};

/// What code is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct For {
    /// Whether somebody asks about paths.
    pub(super) paths: bool,
    /// Whether somebody reads the prompts of questions, and not only their forms.
    pub(super) prompts: bool,
    /// Whether dice may stay unseen.
    pub(super) unseen: bool,
}

/// The code of one function.
pub(super) fn compile(program: &Program, function: &Function, made_for: For) -> Routine {
    let mut compiler = Compiler {
        program,
        made_for,
        jobs: vec![],
        next: vec![],
        labels: vec![],
        around: vec![],
        regs: function.slots.len(),
        path: None,
        groups: None,
        routine: Routine::default(),
    };
    compiler.path = made_for.paths.then(|| compiler.reg());
    if compiler.closes_groups(function.body) {
        let groups = compiler.reg();
        compiler.groups = Some(groups);
        compiler.emit(Span::default(), Op::Set { to: groups, value: Value::ints(&[]) });
    }
    let result = compiler.reg();
    compiler.jobs.push(Job::Term(function.body, Dest::One(result), None));
    compiler.run();
    compiler.emit(program.span(function.body), Op::Return { from: result });
    compiler.finish(function)
}

/// Where a value goes.
#[derive(Clone, Debug)]
enum Dest {
    /// To one register.
    One(Reg),
    /// Its fields to one each.
    Several(Vec<Reg>),
}

/// Something to compile.
enum Job {
    /// A term, where its value goes, and the loop around it.
    Term(TermId, Dest, Option<usize>),
    Op(Span, Op),
    Label(At),
}

/// A loop that can be left from inside.
struct Around {
    dest: Dest,
    exit: At,
}

struct Compiler<'p> {
    program: &'p Program,
    made_for: For,
    jobs: Vec<Job>,
    /// Jobs that are being planned, the first one first.
    next: Vec<Job>,
    labels: Vec<At>,
    around: Vec<Around>,
    regs: usize,
    path: Option<Reg>,
    groups: Option<Reg>,
    routine: Routine,
}

impl Compiler<'_> {
    fn run(&mut self) {
        while let Some(job) = self.jobs.pop() {
            match job {
                Job::Op(span, op) => self.emit(span, op),
                Job::Label(label) => self.labels[label] = self.routine.ops.len(),
                Job::Term(id, dest, around) => {
                    self.term(id, dest, around);
                    self.jobs.extend(self.next.drain(..).rev());
                }
            }
        }
    }

    fn finish(mut self, function: &Function) -> Routine {
        let labels = self.labels;
        self.routine.ops.iter_mut().for_each(|op| op.targets(|at| *at = labels[*at]));
        let params = function.params.iter().map(|slot| slot.index()).collect();
        let safe = vec![false; self.routine.ops.len()];
        Routine { params, safe, path: self.path, regs: self.regs, names: function.slots.clone(), ..self.routine }
    }

    fn emit(&mut self, span: Span, op: Op) {
        self.routine.ops.push(op);
        self.routine.spans.push(span);
    }

    fn reg(&mut self) -> Reg {
        self.regs += 1;
        self.regs - 1
    }

    fn label(&mut self) -> At {
        self.labels.push(0);
        self.labels.len() - 1
    }

    fn then(&mut self, span: Span, op: Op) {
        self.next.push(Job::Op(span, op));
    }

    fn here(&mut self, label: At) {
        self.next.push(Job::Label(label));
    }

    fn eval(&mut self, id: TermId, dest: Dest, around: Option<usize>) {
        self.next.push(Job::Term(id, dest, around));
    }

    /// The register in which a part is found when it is needed.
    fn part(&mut self, id: TermId, around: Option<usize>) -> Reg {
        if let Term::Var(slot) = self.program.term(id) {
            return slot.index();
        }
        let to = self.reg();
        self.eval(id, Dest::One(to), around);
        to
    }

    fn parts(&mut self, ids: &[TermId], around: Option<usize>) -> Vec<Reg> {
        ids.iter().map(|id| self.part(*id, around)).collect()
    }

    /// One register for a value; if it goes to several, it is taken apart by what `give` returns.
    fn whole(&mut self, dest: &Dest) -> (Reg, Option<Vec<Reg>>) {
        match dest {
            Dest::One(to) => (*to, None),
            Dest::Several(to) => (self.reg(), Some(to.clone())),
        }
    }

    fn apart(&mut self, span: Span, from: Reg, to: Option<Vec<Reg>>) {
        if let Some(to) = to {
            self.then(span, Op::Fields { to, from });
        }
    }

    /// The one flat match over the forms.
    fn term(&mut self, id: TermId, dest: Dest, around: Option<usize>) {
        let (program, span) = (self.program, self.program.span(id));
        match program.term(id) {
            Term::Let { slots, value, body } => {
                self.eval(*value, registers(slots), around);
                self.eval(*body, dest, around);
            }
            Term::If { fork, test, then, other } => self.branch(id, *fork, (*test, *then, *other), &dest, around),
            Term::Prim { prim, args } => match &dest {
                Dest::Several(to)
                    if prim.gives == Sort::Tuple && prim.takes == [Sort::Rest] && to.len() == args.len() =>
                {
                    let fields = args.iter().zip(to);
                    fields.for_each(|(arg, to)| self.eval(*arg, Dest::One(*to), around));
                }
                dest => {
                    let args = self.parts(args, around);
                    let (to, fields) = self.whole(dest);
                    self.then(span, Op::Row { to, row: prim, args });
                    self.apart(span, to, fields);
                }
            },
            Term::Loop { slots, start, test, body } => {
                self.repeat_while(id, slots, (*start, *test, *body), dest, around)
            }
            Term::Leave { exit: Exit::Call, value } => {
                let from = self.part(*value, around);
                self.then(span, Op::Return { from });
            }
            Term::Leave { exit: Exit::Loop, value } => {
                if let Some(open) = around.map(|at| &self.around[at]) {
                    let (dest, exit) = (open.dest.clone(), open.exit);
                    self.eval(*value, dest, around);
                    self.then(span, Op::Jump(exit));
                }
            }
            Term::Lit(_) | Term::Var(_) | Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } => {
                self.single(id, &dest, around);
            }
            Term::Until { .. } | Term::Call { .. } | Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => {
                self.single(id, &dest, around);
            }
        }
    }

    /// A form that makes one value.
    fn single(&mut self, id: TermId, dest: &Dest, around: Option<usize>) {
        let (program, span) = (self.program, self.program.span(id));
        let (to, fields) = self.whole(dest);
        match program.term(id) {
            Term::Lit(value) => self.then(span, Op::Set { to, value: value.clone() }),
            Term::Var(slot) => self.then(span, Op::Copy { to, from: slot.index() }),
            Term::Draw { faces } => {
                let faces = self.faces(faces, around);
                self.letter(span, 'r');
                self.then(span, Op::Draw { to, faces, path: self.path });
            }
            Term::Repeat { times, body } => self.repeat(span, (*times, *body), to, around),
            Term::ForEach { slot, pool, body } => self.each(id, *slot, (*pool, *body), to, around),
            Term::Until { slot, first, body, stop, most, keep } => {
                let rounds =
                    Rounds { slot: slot.index(), first: *first, body: *body, stop: *stop, most: *most, keep: *keep };
                self.until(span, &rounds, to, around);
            }
            Term::Call { function, args } => {
                let args = self.parts(args, around);
                let saved = self.save(span);
                self.letter(span, 'c');
                self.then(span, Op::Call { to, function: *function, args, path: self.path });
                self.restore(span, saved, 'e');
            }
            Term::Ask { question, args } => self.ask(span, *question, args, to, around),
            Term::Emit { event, args } => self.show(span, *event, args, to, around),
            Term::Throw { throw, args } => {
                let args = self.parts(args, around);
                self.letter(span, 'r');
                self.then(span, Op::Throw { to, throw: *throw, args, path: self.path });
            }
            Term::Let { .. } | Term::If { .. } | Term::Prim { .. } | Term::Loop { .. } | Term::Leave { .. } => {}
        }
        self.apart(span, to, fields);
    }

    fn letter(&mut self, span: Span, letter: char) {
        if let Some(path) = self.path {
            self.then(span, Op::Letter { to: path, from: path, letter: Letter::Plain(letter) });
        }
    }

    /// The path as it is now.
    fn save(&mut self, span: Span) -> Option<Reg> {
        let path = self.path?;
        let to = self.reg();
        self.then(span, Op::Copy { to, from: path });
        Some(to)
    }

    fn restore(&mut self, span: Span, saved: Option<Reg>, letter: char) {
        if let (Some(to), Some(from)) = (self.path, saved) {
            self.then(span, Op::Letter { to, from, letter: Letter::Plain(letter) });
        }
    }

    /// Begins a form that evaluates a condition or a pool next.
    fn open(&mut self, id: TermId) -> Option<Reg> {
        let span = self.program.span(id);
        let saved = self.save(span);
        if self.path.is_some() && self.program.stands_apart(id) {
            self.letter(span, 'q');
        }
        saved
    }

    fn branch(
        &mut self,
        id: TermId,
        fork: Fork,
        (test, then, other): (TermId, TermId, TermId),
        dest: &Dest,
        around: Option<usize>,
    ) {
        let span = self.program.span(id);
        let (yes, no, end) = (self.label(), self.label(), self.label());
        let before = if fork == Fork::Branch { self.open(id) } else { None };
        let test = self.part(test, around);
        let saved = before.or_else(|| self.save(span));
        self.then(span, Op::Branch { test, then: yes, other: no });
        for (label, branch, letter) in [(yes, then, 't'), (no, other, 'f')] {
            self.here(label);
            match fork {
                Fork::Branch => self.letter(span, letter),
                // A short cut that is taken gives a known truth: only the right side is a real term.
                Fork::ShortCut if matches!(self.program.term(branch), Term::Lit(_)) => {}
                Fork::ShortCut => self.letter(span, 's'),
            }
            self.eval(branch, dest.clone(), around);
            self.then(span, Op::Jump(end));
        }
        self.here(end);
        self.restore(span, saved, if fork == Fork::Branch { 'i' } else { 'o' });
    }

    fn faces(&mut self, faces: &Faces, around: Option<usize>) -> Dice {
        match faces {
            Faces::Range { lo, hi } => Dice::Range { lo: self.part(*lo, around), hi: self.part(*hi, around) },
            Faces::Weighted(faces) => Dice::Weighted(Arc::clone(faces)),
            Faces::Member { pool } => Dice::Member { pool: self.part(*pool, around) },
            Faces::Members { pool, count } => {
                Dice::Members { pool: self.part(*pool, around), count: self.part(*count, around) }
            }
        }
    }

    /// A pass from the saved path on; its number is kept only where paths are followed.
    fn pass(&mut self, span: Span, saved: Option<Reg>, number: Option<Reg>) {
        if let (Some(to), Some(from), Some(number)) = (self.path, saved, number) {
            self.then(span, Op::Letter { to, from, letter: Letter::Pass(number) });
        }
    }

    /// A counter of passes, if paths are followed.
    fn passes(&mut self, span: Span) -> Option<Reg> {
        self.path?;
        let to = self.reg();
        self.then(span, Op::Set { to, value: Value::int(0) });
        Some(to)
    }

    fn empty(&mut self, span: Span) -> Reg {
        let list = self.reg();
        self.then(span, Op::Set { to: list, value: Value::list(vec![]) });
        list
    }

    fn repeat(&mut self, span: Span, (times, body): (TermId, TermId), to: Reg, around: Option<usize>) {
        let (again, done) = (self.label(), self.label());
        let (times, left) = (self.part(times, around), self.reg());
        self.then(span, Op::Count { to: left, from: times });
        if let (true, Term::Draw { faces }) = (self.program.rolls_at_once(body), self.program.term(body)) {
            // The faces are looked at only if there is a die.
            let (count, none) = (self.reg(), self.label());
            self.then(span, Op::Copy { to: count, from: left });
            self.then(span, Op::Down { left, done: none });
            let faces = self.faces(faces, around);
            self.letter(span, 'r');
            self.then(span, Op::Dice { to, count, faces, path: self.path });
            self.then(span, Op::Jump(done));
            self.here(none);
            self.letter(span, 'r');
            self.then(span, Op::Set { to, value: Value::list(vec![]) });
            return self.here(done);
        }
        let saved = self.save(span);
        let (list, number) = (self.empty(span), self.passes(span));
        self.here(again);
        self.then(span, Op::Down { left, done });
        self.pass(span, saved, number);
        let item = self.reg();
        self.eval(body, Dest::One(item), around);
        self.then(span, Op::Push { list, from: item });
        self.then(span, Op::Jump(again));
        self.here(done);
        self.then(span, Op::Copy { to, from: list });
        self.restore(span, saved, 'L');
    }

    fn each(&mut self, id: TermId, slot: Slot, (pool, body): (TermId, TermId), to: Reg, around: Option<usize>) {
        let span = self.program.span(id);
        let (again, done) = (self.label(), self.label());
        let saved = self.open(id);
        let (pool, rest) = (self.part(pool, around), self.reg());
        let inner = self.save(span);
        let (list, number) = (self.empty(span), self.passes(span));
        let into = self.is_pure(body).then_some(list);
        let made = into.filter(|_| self.made_for.unseen && self.path.is_none()).map(|list| {
            let free = self.free(body, slot);
            Made { term: id, free, list, done }
        });
        self.then(span, Op::Members { to: rest, from: pool, into, made });
        self.here(again);
        self.then(span, Op::Next { to: slot.index(), rest, done });
        self.pass(span, inner, number);
        let item = self.reg();
        self.eval(body, Dest::One(item), around);
        self.then(span, Op::Push { list, from: item });
        self.then(span, Op::Jump(again));
        self.here(done);
        self.then(span, Op::Copy { to, from: list });
        self.restore(span, saved, 'L');
    }

    fn until(&mut self, span: Span, rounds: &Rounds, to: Reg, around: Option<usize>) {
        let (again, test, done) = (self.label(), self.label(), self.label());
        let saved = self.save(span);
        let list = (rounds.keep == Keep::All).then(|| self.empty(span));
        let number = self.passes(span);
        let left = rounds.most.map(|most| {
            let (left, most) = (self.reg(), i64::try_from(most).unwrap_or(i64::MAX));
            // One pass is made in any case.
            self.then(span, Op::Set { to: left, value: Value::int(most.saturating_sub(1)) });
            left
        });
        if let Some(first) = rounds.first {
            self.pass(span, saved, number);
            self.eval(first, Dest::One(rounds.slot), around);
            self.then(span, Op::Jump(test));
        }
        self.here(again);
        self.pass(span, saved, number);
        self.eval(rounds.body, Dest::One(rounds.slot), around);
        self.here(test);
        if let Some(list) = list {
            self.then(span, Op::Push { list, from: rounds.slot });
        }
        let (stop, on) = (self.part(rounds.stop, around), self.label());
        self.then(span, Op::Branch { test: stop, then: done, other: on });
        self.here(on);
        if let Some(left) = left {
            self.then(span, Op::Down { left, done });
        }
        self.then(span, Op::Jump(again));
        self.here(done);
        self.then(span, Op::Copy { to, from: list.unwrap_or(rounds.slot) });
        self.restore(span, saved, 'L');
    }

    fn repeat_while(
        &mut self,
        id: TermId,
        slots: &[Slot],
        (start, test, body): (TermId, TermId, TermId),
        dest: Dest,
        around: Option<usize>,
    ) {
        let span = self.program.span(id);
        let (head, inside, end, exit) = (self.label(), self.label(), self.label(), self.label());
        let saved = self.open(id);
        let carried: Vec<Reg> = slots.iter().map(|slot| slot.index()).collect();
        self.eval(start, registers(slots), around);
        self.around.push(Around { dest: dest.clone(), exit });
        let own = Some(self.around.len() - 1);
        self.here(head);
        let test = self.part(test, own);
        self.then(span, Op::Branch { test, then: inside, other: end });
        self.here(inside);
        self.letter(span, 'w');
        // The next state is made of the last one, so it is complete before any of it is replaced.
        let next: Vec<Reg> = carried.iter().map(|_| self.reg()).collect();
        let whole = if let [one] = next.as_slice() { Dest::One(*one) } else { Dest::Several(next.clone()) };
        self.eval(body, whole, own);
        next.iter().zip(&carried).for_each(|(from, to)| self.then(span, Op::Copy { to: *to, from: *from }));
        self.then(span, Op::Jump(head));
        self.here(end);
        match (&dest, carried.as_slice()) {
            (Dest::One(to), [from]) => self.then(span, Op::Copy { to: *to, from: *from }),
            (Dest::One(to), from) => self.then(span, Op::Tuple { to: *to, from: from.to_vec() }),
            (Dest::Several(to), from) if to.len() == from.len() && from.len() > 1 => {
                to.iter().zip(from).for_each(|(to, from)| self.then(span, Op::Copy { to: *to, from: *from }));
            }
            (Dest::Several(to), from) => {
                let whole = self.reg();
                match from {
                    [from] => self.then(span, Op::Copy { to: whole, from: *from }),
                    from => self.then(span, Op::Tuple { to: whole, from: from.to_vec() }),
                }
                self.then(span, Op::Fields { to: to.clone(), from: whole });
            }
        }
        self.here(exit);
        self.restore(span, saved, 'L');
    }

    fn ask(&mut self, span: Span, question: Question, args: &[TermId], to: Reg, around: Option<usize>) {
        let form = args.last().and_then(|form| self.program.term(*form).lit()).and_then(Value::as_text);
        let form: Option<Arc<str>> = form.map(|text| Arc::from(text.to_string()));
        let regs = self.parts(args, around);
        self.letter(span, 'u');
        if let [owner, _, prompt, others @ .., _] = regs.as_slice() {
            let read = form.is_none() || self.made_for.prompts;
            let about = About { owner: *owner, prompt: read.then_some(*prompt), form };
            self.then(span, Op::Ask { to, question, about, args: others.to_vec(), path: self.path });
        }
    }

    fn show(&mut self, span: Span, event: Event, args: &[TermId], to: Reg, around: Option<usize>) {
        let regs = self.parts(args, around);
        let known = |id: &TermId| self.program.term(*id).lit().is_some_and(|value| style(value).is_ok());
        let checked = match event {
            Event::Line if !args.get(1).is_some_and(known) => regs.get(1).map(|style| vec![*style]),
            Event::Line | Event::Change => None,
            Event::Open | Event::Close | Event::Enter | Event::Exit => self.groups.map(|_| vec![]),
        };
        if let Some(args) = checked {
            let groups = self.groups.filter(|_| event != Event::Line);
            self.then(span, Op::Emit { event, args, groups });
        }
        self.then(span, Op::Set { to, value: Value::NOTHING });
    }

    /// The variables that a term looks at and that are bound outside it, but for one.
    fn free(&self, body: TermId, but: Slot) -> Vec<(Slot, Free)> {
        let (mut free, mut bound, mut open) = (vec![], vec![but], vec![body]);
        while let Some(id) = open.pop() {
            let term = self.program.term(id);
            if let Term::Var(slot) = term
                && !free.contains(slot)
            {
                free.push(*slot);
            }
            term.parts(|child, role| {
                bound.extend(role.sees);
                open.push(child);
            });
        }
        free.into_iter().filter(|slot| !bound.contains(slot)).map(|slot| (slot, Free::Reg(slot.index()))).collect()
    }

    /// Whether a term only computes: nothing is drawn, asked or left.
    fn is_pure(&self, body: TermId) -> bool {
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            let term = self.program.term(id);
            match term {
                Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => {}
                Term::ForEach { .. } => {}
                Term::Draw { .. } | Term::Repeat { .. } | Term::Until { .. } | Term::Loop { .. } => return false,
                Term::Call { .. } | Term::Leave { .. } | Term::Ask { .. } => return false,
                Term::Emit { .. } | Term::Throw { .. } => return false,
            }
            term.children(|child| open.push(child));
        }
        true
    }

    /// Whether a function ends groups of output that it may not have begun.
    fn closes_groups(&self, body: TermId) -> bool {
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            let term = self.program.term(id);
            if matches!(term, Term::Emit { event: Event::Close, .. }) {
                return true;
            }
            term.children(|child| open.push(child));
        }
        false
    }
}

/// An `Until`.
struct Rounds {
    slot: Reg,
    first: Option<TermId>,
    body: TermId,
    stop: TermId,
    most: Option<u64>,
    keep: Keep,
}

fn registers(slots: &[Slot]) -> Dest {
    match slots {
        [slot] => Dest::One(slot.index()),
        slots => Dest::Several(slots.iter().map(|slot| slot.index()).collect()),
    }
}
