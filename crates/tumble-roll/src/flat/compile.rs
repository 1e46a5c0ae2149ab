//! From terms to flat code.
//!
//! Terms are entered in the order in which the machine enters them, and each costs a step that is
//! paid by the next instruction, so that a limit is never passed unseen before a die falls. A term
//! is told whether anybody sees the order of its members: where nobody does, nothing is sorted.

use super::dice::possible;
use super::tape::Sites;
use super::{Code, Drop, Kind, Op, Place, Sort, Step, Weighted};
use crate::machine::{Path, Plan};
use std::sync::Arc;
use tumble_core::{Data, Faces, Fork, Keep, Program, Slot, Term, TermId, Value};

/// Terms nested deeper than this are left to the machine, because this pass recurses.
const DEEPEST: usize = 48;

impl Code {
    /// The flat code of a program, if it has one.
    pub(crate) fn new(plan: &Plan<'_>) -> Option<Code> {
        let program = plan.program;
        let main = program.function(program.main());
        let (slots, gives) = (main.slots.len(), Kind::Number);
        let code = Code { steps: vec![], known: vec![], dice: vec![], sites: Sites::default(), slots, gives };
        let (kinds, path) = (vec![None; code.slots], Path::new());
        let mut writer = Writer { plan, program, code, kinds, path, owed: 0, label: 0, depth: 0 };
        let kind = writer.term(main.body, true)?;
        writer.label();
        writer.code.gives = kind;
        (kind != Kind::Pools).then_some(writer.code)
    }
}

pub(super) struct Writer<'w, 'p> {
    plan: &'w Plan<'p>,
    program: &'p Program,
    pub(super) code: Code,
    /// What the variables hold.
    kinds: Vec<Option<Kind>>,
    /// Where the next die stands, as in the machine.
    path: Path,
    /// Steps that the next instruction pays.
    pub(super) owed: u64,
    /// The last place that can be jumped to: instructions before it are finished.
    pub(super) label: usize,
    depth: usize,
}

impl<'p> Writer<'_, 'p> {
    pub(super) fn emit(&mut self, op: Op) -> usize {
        let cost = std::mem::take(&mut self.owed);
        if let Some(last) = self.waiting() {
            // Only its price was waiting.
            *last = Step { cost: last.cost + cost, op, ..*last };
        } else {
            self.code.steps.push(Step { cost, each: 0, op });
        }
        self.code.steps.len() - 1
    }

    /// The last instruction if it only pays, and nobody jumps behind it.
    fn waiting(&mut self) -> Option<&mut Step> {
        let is_open = self.code.steps.len() > self.label;
        self.code.steps.last_mut().filter(|last| is_open && matches!(last.op, Op::Pay))
    }

    /// Pays a step for each member of the collection given.
    pub(super) fn pay_each(&mut self) {
        self.emit(Op::Pay);
        if let Some(last) = self.code.steps.last_mut() {
            last.each += 1;
        }
    }

    /// A place to jump to.
    fn label(&mut self) -> usize {
        if self.owed > 0 {
            self.emit(Op::Pay);
        }
        self.label = self.code.steps.len();
        self.label
    }

    /// Sends a jump that was written before to here.
    fn land(&mut self, jump: usize) {
        let here = self.label();
        match &mut self.code.steps[jump].op {
            Op::Jump(to) | Op::Unless(to) | Op::Count(to) | Op::Next { end: to, .. } => *to = here,
            _ => {}
        }
    }

    pub(super) fn term(&mut self, id: TermId, seen: bool) -> Option<Kind> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        self.owed += 1;
        let kind = match self.program.term(id) {
            Term::Lit(value) => self.literal(value),
            Term::Var(slot) => {
                let kind = self.kinds[slot.index()]?;
                self.emit(Op::Load(place(*slot, kind)));
                Some(kind)
            }
            Term::Let { slots, value, body } => self.binding(slots, *value, *body, seen),
            Term::If { fork, test, then, other } => self.branch(id, *fork, [*test, *then, *other], seen),
            Term::Prim { prim, args } => self.row(prim, args, seen),
            Term::Draw { faces } => {
                let sort = self.faces(id, faces)?;
                let site = self.site(id, sort);
                self.emit(Op::Die(sort, site));
                Some(Kind::Number)
            }
            Term::Repeat { times, body } => match self.plan.plain(id, *body) {
                Some(faces) => self.dice(id, *times, faces),
                None => self.repeat(*times, *body, seen),
            },
            Term::ForEach { slot, pool, body } => self.each(id, *slot, [*pool, *body], seen),
            Term::Until { first: Some(_), .. } => None,
            Term::Until { slot, first: None, body, stop, most, keep } => {
                self.until(*slot, [*body, *stop], *most, *keep)
            }
            Term::Loop { slots, start, test, body } => match slots.as_slice() {
                [slot] => self.carry(id, *slot, [*start, *test, *body]),
                _ => None,
            },
            Term::Call { .. } | Term::Leave { .. } => None,
            Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => None,
        };
        self.depth -= 1;
        kind
    }

    pub(super) fn wants(&mut self, id: TermId, kind: Kind) -> Option<()> {
        (self.term(id, true)? == kind).then_some(())
    }

    /// A collection; whether it is sorted.
    pub(super) fn pool(&mut self, id: TermId, seen: bool) -> Option<bool> {
        match self.term(id, seen)? {
            Kind::Pool { sorted } => Some(sorted),
            _ => None,
        }
    }

    /// One variable; several take a tuple apart, which is left to the machine.
    fn binding(&mut self, slots: &[Slot], value: TermId, body: TermId, seen: bool) -> Option<Kind> {
        let [slot] = *slots else { return None };
        let kind = self.term(value, true)?;
        let place = self.bind(slot, kind);
        self.emit(Op::Store(place));
        self.term(body, seen)
    }

    fn bind(&mut self, slot: Slot, kind: Kind) -> Place {
        self.kinds[slot.index()] = Some(kind);
        place(slot, kind)
    }

    fn literal(&mut self, value: &Value) -> Option<Kind> {
        match &value.data {
            Data::Int(number) => {
                self.emit(Op::Number(*number));
                Some(Kind::Number)
            }
            Data::Bool(truth) => {
                self.emit(Op::Number(i64::from(*truth)));
                Some(Kind::Truth)
            }
            Data::Pool(members) => {
                let members: Vec<i64> = members.iter().map(Value::as_int).collect::<Option<_>>()?;
                let sorted = members.is_sorted();
                self.code.known.push(members);
                self.emit(Op::Known(self.code.known.len() - 1));
                Some(Kind::Pool { sorted })
            }
            Data::Nothing | Data::Ratio(_) | Data::Text(_) | Data::Tuple(_) | Data::List(_) | Data::Tag(_) => None,
        }
    }

    /// Notes where dice fall.
    fn site(&mut self, id: TermId, sort: Sort) -> usize {
        self.path.letter('r');
        let weighted = if let Sort::Weighted(die) = sort { Some(die) } else { None };
        self.code.sites.add(self.path.text(), self.program.span(id), weighted)
    }

    fn branch(&mut self, id: TermId, fork: Fork, [test, then, other]: [TermId; 3], seen: bool) -> Option<Kind> {
        if fork == Fork::Branch {
            self.open_path(id);
        }
        self.wants(test, Kind::Truth)?;
        let skip = self.emit(Op::Unless(0));
        if fork == Fork::ShortCut {
            self.path.push();
        }
        let tested = self.path.text().len();
        self.side(fork, then, 't');
        let first = self.term(then, seen)?;
        let jump = self.emit(Op::Jump(0));
        self.land(skip);
        self.path.back(tested);
        self.side(fork, other, 'f');
        let second = self.term(other, seen)?;
        self.land(jump);
        self.path.pop(if fork == Fork::Branch { 'i' } else { 'o' });
        either(first, second)
    }

    /// The letter of one side of a branch.
    fn side(&mut self, fork: Fork, side: TermId, letter: char) {
        match fork {
            Fork::Branch => self.path.letter(letter),
            Fork::ShortCut if matches!(self.program.term(side), Term::Lit(_)) => {}
            Fork::ShortCut => self.path.letter('s'),
        }
    }

    fn open_path(&mut self, id: TermId) {
        self.path.push();
        if self.plan.is_apart(id) {
            self.path.letter('q');
        }
    }

    /// Evaluates what a die shows, unless it is known.
    fn faces(&mut self, id: TermId, faces: &'p Faces) -> Option<Sort> {
        match faces {
            Faces::Range { lo, hi } => {
                if let (Some(lo), Some(hi)) = (self.known(*lo), self.known(*hi))
                    && possible(lo, hi)
                {
                    self.owed += 2;
                    return Some(Sort::Range { lo, hi });
                }
                self.wants(*lo, Kind::Number)?;
                self.wants(*hi, Kind::Number)?;
                Some(Sort::Given)
            }
            Faces::Weighted(faces) => {
                let shows = faces.iter().map(|(face, _)| face.as_int()).collect::<Option<_>>()?;
                let ends = self.plan.ends(id).into();
                self.code.dice.push(Weighted { shows, ends, faces: Arc::clone(faces) });
                Some(Sort::Weighted(self.code.dice.len() - 1))
            }
            Faces::Member { .. } | Faces::Members { .. } => None,
        }
    }

    pub(super) fn known(&self, id: TermId) -> Option<i64> {
        self.program.term(id).lit().and_then(Value::as_int)
    }

    fn dice(&mut self, id: TermId, times: TermId, faces: &'p Faces) -> Option<Kind> {
        if let Faces::Range { lo, hi } = faces
            && let (Some(count @ 1..), Some(lo), Some(hi)) = (self.known(times), self.known(*lo), self.known(*hi))
            && possible(lo, hi)
        {
            self.owed += 3;
            let site = self.site(id, Sort::Range { lo, hi });
            self.emit(Op::Throw { count: count as u64, lo, hi, site });
            return Some(Kind::List);
        }
        self.wants(times, Kind::Number)?;
        let none = self.emit(Op::Count(0));
        let sort = self.faces(id, faces)?;
        let site = self.site(id, sort);
        self.emit(Op::Dice(sort, site));
        self.land(none);
        Some(Kind::List)
    }

    fn repeat(&mut self, times: TermId, body: TermId, seen: bool) -> Option<Kind> {
        self.wants(times, Kind::Number)?;
        self.emit(Op::Times);
        self.path.push();
        let list = self.passes(body, None, seen);
        self.path.pop('L');
        list
    }

    fn each(&mut self, id: TermId, slot: Slot, [pool, body]: [TermId; 2], seen: bool) -> Option<Kind> {
        self.open_path(id);
        self.pool(pool, true)?;
        self.emit(Op::Over);
        self.bind(slot, Kind::Number);
        self.path.push();
        let list = self.passes(body, Some(slot.index()), seen);
        self.path.forget();
        self.path.pop('L');
        list
    }

    /// The passes of a loop with a known number of them.
    fn passes(&mut self, body: TermId, member: Option<usize>, seen: bool) -> Option<Kind> {
        let back = self.label();
        let next = self.emit(Op::Next { end: 0, member });
        self.path.any_pass();
        let kind = self.term(body, seen)?;
        let list = self.collect(kind)?;
        self.emit(Op::Jump(back));
        self.land(next);
        Some(list)
    }

    fn collect(&mut self, kind: Kind) -> Option<Kind> {
        let list = match kind {
            Kind::Number => Kind::List,
            Kind::Pool { .. } => Kind::Pools,
            Kind::Truth | Kind::List | Kind::Pools => return None,
        };
        self.emit(Op::Collect { number: kind == Kind::Number });
        Some(list)
    }

    fn until(&mut self, slot: Slot, [body, stop]: [TermId; 2], most: Option<u64>, keep: Keep) -> Option<Kind> {
        self.emit(Op::Until { listed: keep == Keep::All });
        self.path.push();
        let back = self.label();
        self.emit(Op::Pass);
        self.path.any_pass();
        let kind = self.term(body, true)?;
        let place = self.bind(slot, kind);
        self.emit(Op::Copy(place));
        let (gives, drops) = match (keep, place) {
            (Keep::All, _) => (self.collect(kind)?, None),
            (Keep::Last, Place::Number(_)) => (kind, Some(Drop::Number)),
            (Keep::Last, Place::Members(_)) => (kind, Some(Drop::Members)),
        };
        self.wants(stop, Kind::Truth)?;
        self.emit(Op::Again { most, back, drops });
        self.emit(Op::End);
        self.path.pop('L');
        Some(gives)
    }

    /// A loop with carried state; its members may come in any order after a pass. The paths of dice in its passes grow
    /// with every pass, so there may be none.
    fn carry(&mut self, id: TermId, slot: Slot, [start, test, body]: [TermId; 3]) -> Option<Kind> {
        self.open_path(id);
        let first = self.term(start, true)?;
        let sites = self.code.sites.len();
        let kind = either(first, Kind::Pool { sorted: false }).unwrap_or(first);
        let place = self.bind(slot, kind);
        self.emit(Op::Store(place));
        self.emit(Op::Loop);
        let back = self.label();
        self.emit(Op::Pass);
        self.wants(test, Kind::Truth)?;
        let leave = self.emit(Op::Unless(0));
        let again = self.term(body, true)?;
        either(kind, again)?;
        self.emit(Op::Store(place));
        self.emit(Op::Jump(back));
        self.land(leave);
        self.emit(Op::End);
        self.path.pop('L');
        self.emit(Op::Load(place));
        (self.code.sites.len() == sites).then_some(kind)
    }
}

fn place(slot: Slot, kind: Kind) -> Place {
    match kind {
        Kind::Number | Kind::Truth => Place::Number(slot.index()),
        Kind::Pool { .. } | Kind::List | Kind::Pools => Place::Members(slot.index()),
    }
}

/// What a term gives that gives one of two.
fn either(first: Kind, second: Kind) -> Option<Kind> {
    match (first, second) {
        (Kind::Pool { sorted: a }, Kind::Pool { sorted: b }) => Some(Kind::Pool { sorted: a && b }),
        _ => (first == second).then_some(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_core::{arbitrary, read};

    /// What agrees with the machine by never running proves nothing.
    #[test]
    fn many_random_programs_have_flat_code() {
        for make in [arbitrary::program, arbitrary::wide_program] {
            let flat = (0..1000).filter(|seed| Code::new(&Plan::new(&make(*seed))).is_some()).count();
            assert!(flat > 200, "only {flat} of 1000");
        }
    }

    #[test]
    fn what_everyone_writes_has_flat_code() {
        for text in ["sum(largest(3, bag(gather(repeat(4, draw(1..6))))))", "let x = draw(1..20) in add(x, 5)"] {
            assert!(Code::new(&Plan::new(&read::program(text))).is_some(), "{text}");
        }
    }
}
