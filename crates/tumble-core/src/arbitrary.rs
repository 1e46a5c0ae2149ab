//! Random programs, for everyone's property tests.
//!
//! A program is made of small dice and small numbers, so that every roll of it can be listed, and of
//! every form and almost every row. It is well typed where types matter, so that most programs give
//! values; some give errors, and those must agree too. The same seed gives the same program.

use crate::check::{Program, check};
use crate::diagnostic::Span;
use crate::prim::{self, Prim};
use crate::term::{Draft, Faces, FnId, Fork, Function, Keep, Slot, Term, TermId};
use crate::value::Value;
use std::sync::Arc;

/// A random program whose loops all end after few passes.
pub fn program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    let size = 2 + maker.below(7) as u32;
    let sort = maker.sort();
    let body = maker.term(sort, size);
    maker.finish(body)
}

/// A random program like [`program`], but its loops end only by themselves.
pub fn open_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.open_loops = true;
    let pool = maker.term(Sort::Pool, 3);
    let body = maker.loop_over(pool);
    let summary = maker.fold(body);
    maker.finish(summary)
}

/// A random program like [`program`] that also has loops with carried state, dice of any size, choices and
/// short cuts, and gives every term a place of its own. Not all its rolls can be listed.
pub fn wide_program(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.wide = true;
    let size = 3 + maker.below(8) as u32;
    let sort = maker.sort();
    let body = maker.term(sort, size);
    maker.finish(body)
}

/// What a term gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Int,
    Pool,
    Truth,
    Pair,
}

struct Maker {
    state: u64,
    draft: Draft,
    /// The variables in scope.
    scope: Vec<(Slot, Sort)>,
    slots: usize,
    /// Functions made so far, each of one number.
    functions: Vec<Function>,
    open_loops: bool,
    wide: bool,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        Maker { state, draft: Draft::new(), scope: vec![], slots: 0, functions: vec![], open_loops: false, wide: false }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn sort(&mut self) -> Sort {
        self.pick(&[Sort::Int, Sort::Int, Sort::Pool, Sort::Pool, Sort::Pair])
    }

    fn finish(mut self, body: TermId) -> Program {
        let names = (0..self.slots).map(|i| format!("x{i}")).collect();
        self.functions.push(Function { name: "roll".into(), params: vec![], slots: names, body });
        let main = FnId(self.functions.len() as u32 - 1);
        match check(self.draft, self.functions, main) {
            Ok(program) => program,
            Err(found) => unreachable!("a made program is right: {found:?}"),
        }
    }

    fn add(&mut self, term: Term) -> TermId {
        let place = if self.wide { self.draft.len() } else { 0 };
        self.draft.add(Span::new(place, place + usize::from(self.wide)), term)
    }

    fn row(&mut self, prim: &'static Prim, args: Vec<TermId>) -> TermId {
        self.add(Term::Prim { prim, args })
    }

    fn int(&mut self, n: i64) -> TermId {
        self.add(Term::Lit(Value::int(n)))
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot(self.slots as u32 - 1)
    }

    /// A term of this sort made of about `size` others.
    fn term(&mut self, sort: Sort, size: u32) -> TermId {
        if size > 0 && self.below(6) == 0 {
            return self.common(sort, size - 1);
        }
        let wanted: Vec<Slot> = self.scope.iter().filter(|(_, s)| *s == sort).map(|(slot, _)| *slot).collect();
        if !wanted.is_empty() && self.below(3) == 0 {
            let slot = self.pick(&wanted);
            return self.add(Term::Var(slot));
        }
        match sort {
            Sort::Int => self.number(size),
            Sort::Pool => self.pool(size),
            Sort::Truth => self.truth(size),
            Sort::Pair => {
                let (a, b) = (self.sort_of_half(), self.sort_of_half());
                let (left, right) = (self.term(a, size / 2), self.term(b, size / 2));
                self.row(&prim::PAIR, vec![left, right])
            }
        }
    }

    fn sort_of_half(&mut self) -> Sort {
        self.pick(&[Sort::Int, Sort::Pool])
    }

    /// The forms that can give anything.
    fn common(&mut self, sort: Sort, size: u32) -> TermId {
        match self.below(3) {
            0 => {
                let (test, then, other) =
                    (self.term(Sort::Truth, size / 2), self.term(sort, size / 2), self.term(sort, size / 2));
                let fork = self.pick(&[Fork::Branch, Fork::ShortCut]);
                self.add(Term::If { fork, test, then, other })
            }
            1 if sort == Sort::Int && self.below(2) == 0 => self.taking_apart(size),
            1 if sort == Sort::Int => self.call(size),
            _ => {
                let bound = self.pick(&[Sort::Int, Sort::Pool, Sort::Pool]);
                let value = self.term(bound, size / 2);
                self.binding(bound, |maker, slot| {
                    let body = maker.term(sort, size);
                    maker.add(Term::Let { slot, value, body })
                })
            }
        }
    }

    fn binding(&mut self, sort: Sort, body: impl FnOnce(&mut Maker, Slot) -> TermId) -> TermId {
        let slot = self.slot();
        self.scope.push((slot, sort));
        let term = body(self, slot);
        self.scope.pop();
        term
    }

    fn number(&mut self, size: u32) -> TermId {
        if size == 0 {
            let n = self.below(5) as i64 - 1;
            return if self.below(2) == 0 { self.die() } else { self.int(n) };
        }
        if self.wide && self.below(3) == 0 {
            return self.wide_number(size);
        }
        match self.below(8) {
            0..=2 => {
                let pool = self.term(Sort::Pool, size - 1);
                self.fold(pool)
            }
            3 | 4 => {
                let row = self.pick(&[&prim::ADD, &prim::SUB, &prim::MUL, &prim::DIV, &prim::MOD]);
                let args = vec![self.term(Sort::Int, size / 2), self.term(Sort::Int, size / 2)];
                self.row(row, args)
            }
            5 => {
                let row = self.pick(&[&prim::NEG, &prim::SIGN]);
                let arg = self.term(Sort::Int, size - 1);
                self.row(row, vec![arg])
            }
            6 => {
                let pool = self.term(Sort::Pool, size - 1);
                let (one, best) = (self.int(1), self.pick(&[&prim::LARGEST, &prim::LEAST]));
                let best = self.row(best, vec![one, pool]);
                self.row(&prim::ONLY, vec![best])
            }
            _ => self.die(),
        }
    }

    fn wide_number(&mut self, size: u32) -> TermId {
        match self.below(5) {
            0 => {
                let n = self.below(2) as i64;
                let (lo, hi) = (self.int(n), self.term(Sort::Int, size / 2));
                self.add(Term::Draw { faces: Faces::Range { lo, hi } })
            }
            1 => {
                let faces = vec![(Value::int(1), 2), (Value::int(3), 1 + self.below(4))];
                self.add(Term::Draw { faces: Faces::Weighted(Arc::new(faces)) })
            }
            2 => {
                let pool = self.term(Sort::Pool, size - 1);
                self.add(Term::Draw { faces: Faces::Member { pool } })
            }
            3 => {
                let first = (self.below(3) == 0).then(|| self.term(Sort::Int, size / 3));
                let (body, most) = (self.term(Sort::Int, size / 2), Some(1 + self.below(3)));
                self.binding(Sort::Int, |maker, slot| {
                    let stop = maker.term(Sort::Truth, size / 2);
                    maker.add(Term::Until { slot, first, body, stop, most, keep: Keep::Last })
                })
            }
            _ => self.carried(size),
        }
    }

    /// A loop that goes up by one or more while its state is below three.
    fn carried(&mut self, size: u32) -> TermId {
        let start = self.term(Sort::Int, size / 3);
        self.binding(Sort::Int, |maker, slot| {
            let (three, state) = (maker.int(3), maker.add(Term::Var(slot)));
            let pool = maker.row(&prim::GATHER, vec![state]);
            let below = maker.row(&prim::MORE, vec![three, pool]);
            let test = maker.row(&prim::SOME, vec![below]);
            let (one, other) = (maker.int(1), maker.term(Sort::Int, size / 3));
            let pool = maker.row(&prim::GATHER, vec![one, other]);
            let (single, state) = (maker.int(1), maker.add(Term::Var(slot)));
            let most = maker.row(&prim::LARGEST, vec![single, pool]);
            let step = maker.row(&prim::ONLY, vec![most]);
            let body = maker.row(&prim::ADD, vec![state, step]);
            maker.add(Term::Loop { slot, start, test, body })
        })
    }

    fn die(&mut self) -> TermId {
        let sides = self.pick(&[2, 2, 3]);
        let (lo, hi) = (self.int(1), self.int(sides));
        self.add(Term::Draw { faces: Faces::Range { lo, hi } })
    }

    fn fold(&mut self, pool: TermId) -> TermId {
        let row = self.pick(&[&prim::SUM, &prim::COUNT]);
        self.row(row, vec![pool])
    }

    fn truth(&mut self, size: u32) -> TermId {
        if self.wide && size > 0 && self.below(4) == 0 {
            let (test, right) = (self.term(Sort::Truth, size / 2), self.term(Sort::Truth, size / 2));
            let both = self.below(2) == 0;
            let known = self.add(Term::Lit(Value::bool(!both)));
            let (then, other) = if both { (right, known) } else { (known, right) };
            return self.add(Term::If { fork: Fork::ShortCut, test, then, other });
        }
        let pool = self.term(Sort::Pool, size);
        let row = self.pick(&[&prim::SOME, &prim::GIVEN]);
        self.row(row, vec![pool])
    }

    fn pool(&mut self, size: u32) -> TermId {
        if size == 0 {
            let members: Vec<i64> = (0..self.below(3)).map(|_| self.below(4) as i64).collect();
            return self.add(Term::Lit(Value::ints(&members)));
        }
        match self.below(11) {
            0 | 1 => self.repeated(size),
            2 => {
                let args = (0..1 + self.below(2))
                    .map(|_| {
                        let sort = self.sort_of_half();
                        self.term(sort, size / 2)
                    })
                    .collect();
                let joined = self.row(&prim::GATHER, args);
                self.maybe_bag(joined)
            }
            3 | 4 => {
                let rows = [
                    &prim::EQUAL,
                    &prim::UNEQUAL,
                    &prim::LESS,
                    &prim::MORE,
                    &prim::AT_MOST,
                    &prim::AT_LEAST,
                    &prim::LEAST,
                    &prim::LARGEST,
                    &prim::BUT_LEAST,
                    &prim::BUT_LARGEST,
                ];
                let row = self.pick(&rows);
                let args = vec![self.term(Sort::Int, size / 3), self.term(Sort::Pool, size - 1)];
                self.row(row, args)
            }
            5 => {
                let row = self.pick(&[&prim::MINIMAL, &prim::MAXIMAL, &prim::DIFFERENT, &prim::MEDIAN, &prim::BAG]);
                let pool = self.term(Sort::Pool, size - 1);
                self.row(row, vec![pool])
            }
            6 => {
                let row = self.pick(&[&prim::MINUS, &prim::WITHOUT, &prim::AMONG]);
                let args = vec![self.term(Sort::Pool, size / 2), self.term(Sort::Pool, size / 2)];
                self.row(row, args)
            }
            7 => self.for_each(size),
            9 => self.idiom(size),
            8 => {
                let body = self.term(Sort::Pool, size / 2);
                self.loop_over(body)
            }
            _ => self.drawn(size),
        }
    }

    fn maybe_bag(&mut self, pool: TermId) -> TermId {
        if self.below(3) == 0 { pool } else { self.row(&prim::BAG, vec![pool]) }
    }

    fn repeated(&mut self, size: u32) -> TermId {
        let count = self.pick(&[0, 1, 2, 2, 3]);
        let times = if self.below(5) == 0 { self.term(Sort::Int, 0) } else { self.int(count) };
        let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Pool]);
        let body = if self.below(2) == 0 { self.die() } else { self.term(sort, size / 2) };
        let list = self.add(Term::Repeat { times, body });
        let pool = self.row(&prim::GATHER, vec![list]);
        self.maybe_bag(pool)
    }

    fn for_each(&mut self, size: u32) -> TermId {
        let pool = self.term(Sort::Pool, size / 2);
        let sort = self.sort_of_half();
        let list = self.binding(Sort::Int, |maker, slot| {
            let body = maker.term(sort, size / 2);
            maker.add(Term::ForEach { slot, pool, body })
        });
        let pool = self.row(&prim::GATHER, vec![list]);
        self.maybe_bag(pool)
    }

    /// What people write of a collection that has a name.
    fn idiom(&mut self, size: u32) -> TermId {
        let named: Vec<Slot> = self.scope.iter().filter(|(_, s)| *s == Sort::Pool).map(|(slot, _)| *slot).collect();
        if named.is_empty() {
            let value = self.repeated(size / 2);
            return self.binding(Sort::Pool, |maker, slot| {
                let body = maker.term(Sort::Pool, size);
                maker.add(Term::Let { slot, value, body })
            });
        }
        let slot = self.pick(&named);
        let best = self.pick(&[&prim::LARGEST, &prim::LEAST]);
        match self.below(3) {
            0 => {
                let list = self.add(Term::Lit(Value::ints(&[1, 2, 2])));
                let counts = self.binding(Sort::Int, |maker, i| {
                    let (i_term, x) = (maker.add(Term::Var(i)), maker.add(Term::Var(slot)));
                    let same = maker.row(&prim::EQUAL, vec![i_term, x]);
                    let body = maker.row(&prim::COUNT, vec![same]);
                    maker.add(Term::ForEach { slot: i, pool: list, body })
                });
                let counts = self.row(&prim::GATHER, vec![counts]);
                self.maybe_bag(counts)
            }
            1 => {
                let (n, x, whole) = (self.int(1), self.add(Term::Var(slot)), self.add(Term::Var(slot)));
                let gone = self.row(best, vec![n, x]);
                self.row(&prim::MINUS, vec![whole, gone])
            }
            _ => {
                let (n, x, whole) = (self.int(1), self.add(Term::Var(slot)), self.add(Term::Var(slot)));
                let end = self.row(best, vec![n, x]);
                let number = self.row(&prim::ONLY, vec![end]);
                self.row(&prim::EQUAL, vec![number, whole])
            }
        }
    }

    fn loop_over(&mut self, body: TermId) -> TermId {
        let most = (!self.open_loops).then(|| 1 + self.below(2));
        let keep = self.pick(&[Keep::Last, Keep::All]);
        let first = (self.below(3) == 0).then(|| self.pool(2));
        let result = self.binding(Sort::Pool, |maker, slot| {
            let stop = maker.term(Sort::Truth, 2);
            maker.add(Term::Until { slot, first, body, stop, most, keep })
        });
        match keep {
            Keep::Last => result,
            Keep::All => {
                let pool = self.row(&prim::GATHER, vec![result]);
                self.maybe_bag(pool)
            }
        }
    }

    fn drawn(&mut self, size: u32) -> TermId {
        if self.below(2) == 0 {
            let faces = vec![(Value::ints(&[]), 1), (Value::ints(&[1]), 1 + self.below(2)), (Value::ints(&[2, 2]), 1)];
            return self.add(Term::Draw { faces: Faces::Weighted(Arc::new(faces)) });
        }
        let (pool, count) = (self.term(Sort::Pool, size - 1), self.term(Sort::Int, 0));
        self.add(Term::Draw { faces: Faces::Members { pool, count } })
    }

    /// A call of a function that counts down.
    fn call(&mut self, size: u32) -> TermId {
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 1));
        self.scope.push((Slot(0), Sort::Int));
        // The place is taken first: the step may call functions of its own.
        let function = FnId(self.functions.len() as u32);
        let name = format!("f{}", function.0);
        self.functions.push(Function { name, params: vec![Slot(0)], slots: vec![], body: TermId(0) });
        let step = self.term(Sort::Int, size / 3);
        let passes_on = self.below(2) == 0;
        let n = self.add(Term::Var(Slot(0)));
        let by = if passes_on { self.die() } else { self.int(1) };
        let less = self.row(&prim::SUB, vec![n, by]);
        let inner = self.add(Term::Call { function, args: vec![less] });
        // Either the call is the last thing done, or its result is added to.
        let (go_on, end) = match passes_on {
            true => (inner, step),
            false => (self.row(&prim::ADD, vec![step, inner]), self.int(0)),
        };
        let (zero, n) = (self.int(0), self.add(Term::Var(Slot(0))));
        let pool = self.row(&prim::GATHER, vec![n]);
        let more = self.row(&prim::LESS, vec![zero, pool]);
        let test = self.row(&prim::SOME, vec![more]);
        let body = self.add(Term::If { fork: Fork::Branch, test, then: go_on, other: end });
        let names = (0..self.slots).map(|i| format!("n{i}")).collect();
        self.functions[function.index()].slots = names;
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        let count = self.below(3) as i64;
        let arg = self.int(count);
        self.add(Term::Call { function, args: vec![arg] })
    }
}

impl Maker {
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
        let then = self.add(Term::Let { slot: Slot(1), value, body });
        let (pool, other) = (self.add(Term::Var(Slot(0))), self.int(1));
        let test = self.row(&prim::SOME, vec![pool]);
        let body = self.add(Term::If { fork: Fork::Branch, test, then, other });
        self.functions[function.index()].slots = vec!["pool".into(), "rest".into()];
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        self.add(Term::Call { function, args: vec![arg] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_makes_a_program() {
        for seed in 0..2_000 {
            assert!(!program(seed).nodes().is_empty());
            assert!(!open_program(seed).nodes().is_empty());
            assert!(!wide_program(seed).nodes().is_empty());
        }
    }
}
