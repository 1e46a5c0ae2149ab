//! Recursion over the members of a collection, one after the other from one end.

use super::{Maker, Sort};
use crate::prim::{self, Prim};
use crate::term::{FnId, Fork, Function, Slot, Term, TermId};

impl Maker {
    /// Everything that takes a collection apart.
    pub(super) fn peeled(&mut self, size: u32) -> TermId {
        match self.below(3) {
            0 => self.taking_apart(size),
            1 => self.peeling_loop(size),
            _ => self.peeling_call(size),
        }
    }

    /// Some dice, or some of two kinds.
    fn some_dice(&mut self, size: u32) -> TermId {
        let dice = self.repeated(size / 2);
        if self.below(3) > 0 {
            return dice;
        }
        let other = self.die();
        self.row(&prim::GATHER, vec![dice, other])
    }

    /// The member at one end of a variable.
    fn end(&mut self, best: &'static Prim, pool: Slot) -> TermId {
        let (one, pool) = (self.int(1), self.add(Term::Var(pool)));
        self.row(best, vec![one, pool])
    }

    /// A variable without the member at one end, in one of its spellings.
    fn rest(&mut self, best: &'static Prim, pool: Slot, member: Option<Slot>) -> TermId {
        if self.below(3) == 0 {
            let but = if *best == prim::LARGEST { &prim::BUT_LARGEST } else { &prim::BUT_LEAST };
            return self.end(but, pool);
        }
        let gone = match member {
            Some(member) => {
                let member = self.add(Term::Var(member));
                self.row(&prim::GATHER, vec![member])
            }
            None => self.end(best, pool),
        };
        let whole = self.add(Term::Var(pool));
        self.row(&prim::MINUS, vec![whole, gone])
    }

    /// What a member does to a number: in any order the same, or not, or seldom anything.
    fn step(&mut self, member: TermId, so_far: TermId, size: u32) -> TermId {
        match self.below(8) {
            0 => {
                let three = self.int(3);
                let higher = self.row(&prim::MUL, vec![so_far, three]);
                self.row(&prim::ADD, vec![higher, member])
            }
            1 => self.term(Sort::Int, size / 3),
            2 => self.stepping_call(member, so_far),
            3 => {
                let pool = self.row(&prim::GATHER, vec![member, so_far]);
                let (one, best) = (self.int(1), self.pick(&[&prim::LARGEST, &prim::LEAST]));
                let best = self.row(best, vec![one, pool]);
                self.row(&prim::ONLY, vec![best])
            }
            _ => {
                let row = self.pick(&[&prim::ADD, &prim::ADD, &prim::SUB, &prim::MUL]);
                self.row(row, vec![member, so_far])
            }
        }
    }

    /// A function of a member and a number, which may fail.
    fn stepping_call(&mut self, member: TermId, so_far: TermId) -> TermId {
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 2));
        let [a, b] = [0, 1].map(|slot| self.add(Term::Var(Slot(slot))));
        let row = self.pick(&[&prim::ADD, &prim::MUL, &prim::MOD]);
        let body = self.row(row, vec![a, b]);
        let function = FnId(self.functions.len() as u32);
        let (name, params) = (format!("f{}", function.0), vec![Slot(0), Slot(1)]);
        self.functions.push(Function { name, params, slots: vec!["a".into(), "b".into()], body });
        (self.scope, self.slots) = (scope, slots);
        self.add(Term::Call { function, args: vec![member, so_far] })
    }

    /// `loop (p, a) while some(p): let m = only(largest(1, p)) in (minus(p, gather(m)), step)`
    fn peeling_loop(&mut self, size: u32) -> TermId {
        let (dice, start) = (self.some_dice(size), self.term(Sort::Int, size / 3));
        let start = self.row(&prim::TUPLE, vec![dice, start]);
        let best = self.pick(&[&prim::LARGEST, &prim::LEAST]);
        let done = self.binding_all(&[Sort::Pool, Sort::Int], |maker, slots| {
            let pool = maker.add(Term::Var(slots[0]));
            let test = maker.row(&prim::SOME, vec![pool]);
            let end = maker.end(best, slots[0]);
            let value = maker.row(&prim::ONLY, vec![end]);
            let body = maker.binding(Sort::Int, |maker, member| {
                let rest = maker.rest(best, slots[0], Some(member));
                let [shown, so_far] = [member, slots[1]].map(|slot| maker.add(Term::Var(slot)));
                let next = maker.step(shown, so_far, size);
                let body = maker.row(&prim::TUPLE, vec![rest, next]);
                maker.add(Term::Let { slots: vec![member], value, body })
            });
            maker.add(Term::Loop { slots, start, test, body })
        });
        let number = self.int(1);
        self.row(&prim::FIELD, vec![number, done])
    }

    /// `f(p, a) = if some(p) then f(minus(p, largest(1, p)), step) else a`
    fn peeling_call(&mut self, size: u32) -> TermId {
        let args = vec![self.some_dice(size), self.term(Sort::Int, size / 3)];
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 2));
        let function = FnId(self.functions.len() as u32);
        let (name, params) = (format!("f{}", function.0), vec![Slot(0), Slot(1)]);
        self.functions.push(Function { name, params, slots: vec![], body: TermId(0) });
        let best = self.pick(&[&prim::LARGEST, &prim::LEAST]);
        let (rest, end) = (self.rest(best, Slot(0), None), self.end(best, Slot(0)));
        let (member, so_far) = (self.row(&prim::ONLY, vec![end]), self.add(Term::Var(Slot(1))));
        let next = self.step(member, so_far, 0);
        let again = self.add(Term::Call { function, args: vec![rest, next] });
        let (pool, end) = (self.add(Term::Var(Slot(0))), self.add(Term::Var(Slot(1))));
        let body = if self.below(2) == 0 {
            let test = self.row(&prim::SOME, vec![pool]);
            self.add(Term::If { fork: Fork::Branch, test, then: again, other: end })
        } else {
            let (none, count) = (self.int(0), self.row(&prim::COUNT, vec![pool]));
            let count = self.row(&prim::GATHER, vec![count]);
            let equal = self.row(&prim::EQUAL, vec![none, count]);
            let test = self.row(&prim::SOME, vec![equal]);
            self.add(Term::If { fork: Fork::Branch, test, then: end, other: again })
        };
        let names = (0..self.slots).map(|i| format!("n{i}")).collect();
        self.functions[function.index()].slots = names;
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        self.add(Term::Call { function, args })
    }

    /// A call of a function that takes one member after the other away from a collection.
    fn taking_apart(&mut self, size: u32) -> TermId {
        let arg = self.repeated(size / 2);
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 2));
        let function = FnId(self.functions.len() as u32);
        let name = format!("f{}", function.0);
        self.functions.push(Function { name, params: vec![Slot(0)], slots: vec![], body: TermId(0) });
        let best = self.pick(&[&prim::LARGEST, &prim::LEAST]);
        let end = |maker: &mut Maker| {
            let (one, pool) = (maker.int(1), maker.add(Term::Var(Slot(0))));
            maker.row(best, vec![one, pool])
        };
        let (whole, gone) = (self.add(Term::Var(Slot(0))), end(self));
        let rest = self.row(&prim::MINUS, vec![whole, gone]);
        let value = self.add(Term::Call { function, args: vec![rest] });
        let (result, first) = (self.add(Term::Var(Slot(1))), end(self));
        let first = self.row(&prim::ONLY, vec![first]);
        let row = self.pick(&[&prim::ADD, &prim::SUB, &prim::MUL]);
        let body = self.row(row, vec![first, result]);
        let then = self.add(Term::Let { slots: vec![Slot(1)], value, body });
        let (pool, other) = (self.add(Term::Var(Slot(0))), self.int(1));
        let test = self.row(&prim::SOME, vec![pool]);
        let body = self.add(Term::If { fork: Fork::Branch, test, then, other });
        self.functions[function.index()].slots = vec!["pool".into(), "rest".into()];
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        self.add(Term::Call { function, args: vec![arg] })
    }
}
