//! Collections.

use super::{Maker, Sort};
use crate::prim;
use crate::term::{Faces, Keep, Slot, Term, TermId};
use crate::value::Value;
use std::sync::Arc;

impl Maker {
    pub(super) fn pool(&mut self, size: u32) -> TermId {
        if size == 0 {
            let members: Vec<i64> = (0..self.below(3)).map(|_| self.below(4) as i64).collect();
            return self.add(Term::Lit(Value::ints(&members)));
        }
        match self.below(15) {
            14 => self.by_position(size),
            11 => self.each_changed(size),
            12 => self.counted_off(size),
            0 | 1 => self.repeated(size),
            2 => {
                let args = (0..1 + self.below(2))
                    .map(|_| {
                        let sort = self.sort_of_half();
                        self.term(sort, size / 2)
                    })
                    .collect();
                let row = self.pick(&[&prim::GATHER, &prim::GATHER, &prim::COLLECT]);
                let joined = self.row(row, args);
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
                let any = self.any_row(&[prim::Sort::Pool], prim::Sort::Pool);
                let row = self.pick(&[&prim::MEDIAN, &prim::BAG, any, any, any]);
                let pool = self.term(Sort::Pool, size - 1);
                self.row(row, vec![pool])
            }
            6 => {
                let row = self.any_row(&[prim::Sort::Pool, prim::Sort::Pool], prim::Sort::Pool);
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

    /// Rows that change members one by one.
    fn each_changed(&mut self, size: u32) -> TermId {
        match self.below(8) {
            0 => self.looked_up(Sort::Pool, size),
            1 => {
                let pairs = self.term(Sort::Pairs, size - 1);
                self.row(&prim::FIRSTS, vec![pairs])
            }
            _ => {
                let row = self.pick(&[&prim::CAP, &prim::LIFT, &prim::EACH_MOD]);
                let args = vec![self.term(Sort::Int, size / 3), self.term(Sort::Pool, size - 1)];
                self.row(row, args)
            }
        }
    }

    /// Rows that make a collection of numbers.
    fn counted_off(&mut self, size: u32) -> TermId {
        if self.below(2) == 0 {
            let args = vec![self.term(Sort::Int, size / 3), self.term(Sort::Int, size / 3)];
            return self.row(&prim::RANGE, args);
        }
        let (known, pool) = (self.add(Term::Lit(Value::ints(&[1, 2]))), self.term(Sort::Pool, size - 1));
        self.row(&prim::TALLY, vec![known, pool])
    }

    pub(super) fn maybe_bag(&mut self, pool: TermId) -> TermId {
        if self.below(3) == 0 { pool } else { self.row(&prim::BAG, vec![pool]) }
    }

    pub(super) fn repeated(&mut self, size: u32) -> TermId {
        let count = self.pick(&[0, 1, 2, 2, 3]);
        let times = if self.below(5) == 0 { self.term(Sort::Int, 0) } else { self.int(count) };
        let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Pool]);
        let body = if self.below(2) == 0 { self.die() } else { self.term(sort, size / 2) };
        let list = self.add(Term::Repeat { times, body });
        let pool = self.row(&prim::GATHER, vec![list]);
        self.maybe_bag(pool)
    }

    /// A roll together with itself, or with a part of itself.
    fn with_itself(&mut self, slot: Slot) -> TermId {
        let [one, other] = [(); 2].map(|()| {
            let whole = self.add(Term::Var(slot));
            if self.below(2) == 0 {
                return whole;
            }
            let row = self.pick(&[&prim::LARGEST, &prim::LEAST, &prim::LESS, &prim::AT_LEAST]);
            let n = self.pick(&[1, 1, 2]);
            let n = self.int(n);
            self.row(row, vec![n, whole])
        });
        let joined = self.row(&prim::GATHER, vec![one, other]);
        self.row(&prim::BAG, vec![joined])
    }

    pub(super) fn for_each(&mut self, size: u32) -> TermId {
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
    pub(super) fn idiom(&mut self, size: u32) -> TermId {
        let named: Vec<Slot> = self.scope.iter().filter(|(_, s)| *s == Sort::Pool).map(|(slot, _)| *slot).collect();
        if named.is_empty() {
            let value = self.repeated(size / 2);
            return self.binding(Sort::Pool, |maker, slot| {
                let body = maker.term(Sort::Pool, size);
                maker.add(Term::Let { slots: vec![slot], value, body })
            });
        }
        let slot = self.pick(&named);
        let best = self.pick(&[&prim::LARGEST, &prim::LEAST]);
        match self.below(4) {
            3 => self.with_itself(slot),
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

    pub(super) fn loop_over(&mut self, body: TermId) -> TermId {
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

    pub(super) fn drawn(&mut self, size: u32) -> TermId {
        if self.below(2) == 0 {
            let faces = vec![(Value::ints(&[]), 1), (Value::ints(&[1]), 1 + self.below(2)), (Value::ints(&[2, 2]), 1)];
            return self.add(Term::Draw { faces: Faces::Weighted(Arc::new(faces)) });
        }
        let (pool, count) = (self.term(Sort::Pool, size - 1), self.term(Sort::Int, 0));
        self.add(Term::Draw { faces: Faces::Members { pool, count } })
    }
}
