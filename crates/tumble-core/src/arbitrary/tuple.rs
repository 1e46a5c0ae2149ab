//! Values of several parts: tuples and the variables that take them apart, collections of pairs, and results beside
//! each other.

use super::{Maker, Sort};
use crate::prim;
use crate::term::{Fork, Term, TermId};
use crate::value::Value;

impl Maker {
    pub(super) fn pair(&mut self, size: u32) -> TermId {
        let [left, right] = [(); 2].map(|()| {
            let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Pool, Sort::Pool, Sort::Text]);
            self.term(sort, size / 2)
        });
        self.row(&prim::TUPLE, vec![left, right])
    }

    /// One half of a pair, by a number that may be wrong.
    pub(super) fn half(&mut self, size: u32) -> TermId {
        let pair = self.pair_of_numbers(size);
        let n = self.below(2) as i64;
        let number = if self.below(8) == 0 { self.term(Sort::Int, 0) } else { self.int(n) };
        self.row(&prim::FIELD, vec![number, pair])
    }

    /// Two or three values together; seldom one more than that.
    fn together(&mut self, sorts: &[Sort], size: u32) -> TermId {
        if size > 0 && self.below(5) == 0 {
            let (test, then) = (self.term(Sort::Truth, size / 2), self.together(sorts, size / 2));
            let other = self.together(sorts, size / 2);
            return self.add(Term::If { fork: Fork::Branch, test, then, other });
        }
        let mut args: Vec<TermId> = sorts.iter().map(|sort| self.term(*sort, size / 2)).collect();
        if self.below(40) == 0 {
            args.push(self.int(0));
        }
        let tuple = self.row(&prim::TUPLE, args);
        if self.below(4) > 0 {
            return tuple;
        }
        let place = self.below(sorts.len() as u64);
        let (number, value) = (self.int(place as i64), self.term(sorts[place as usize], size / 2));
        self.row(&prim::WITH_FIELD, vec![number, tuple, value])
    }

    /// `let (x, y) = … in …`
    pub(super) fn taken_apart(&mut self, sort: Sort, size: u32) -> TermId {
        let sorts: Vec<Sort> = (0..2 + self.below(2)).map(|_| self.sort_of_half()).collect();
        let value = self.together(&sorts, size / 2);
        self.binding_all(&sorts, |maker, slots| {
            let body = maker.term(sort, size);
            maker.add(Term::Let { slots, value, body })
        })
    }

    /// A loop of two passes at most that counts up and carries something else along.
    pub(super) fn carried_along(&mut self, sort: Sort, size: u32) -> TermId {
        let (n, value) = (1 + self.below(3) as i64, self.term(sort, size / 2));
        let from = self.int(n);
        let start = self.row(&prim::TUPLE, vec![from, value]);
        let done = self.binding_all(&[Sort::Int, sort], |maker, slots| {
            let (three, n) = (maker.int(3), maker.add(Term::Var(slots[0])));
            let pool = maker.row(&prim::GATHER, vec![n]);
            let below = maker.row(&prim::MORE, vec![three, pool]);
            let test = maker.row(&prim::SOME, vec![below]);
            let (n, one) = (maker.add(Term::Var(slots[0])), maker.int(1));
            let next = maker.row(&prim::ADD, vec![n, one]);
            let value = maker.term(sort, size / 2);
            let body = maker.row(&prim::TUPLE, vec![next, value]);
            maker.add(Term::Loop { slots, start, test, body })
        });
        if self.below(2) == 0 {
            let number = self.int(1);
            return self.row(&prim::FIELD, vec![number, done]);
        }
        self.binding_all(&[Sort::Int, sort], |maker, slots| {
            let body = maker.term(sort, size / 2);
            maker.add(Term::Let { slots, value: done, body })
        })
    }

    fn pair_of_numbers(&mut self, size: u32) -> TermId {
        let (left, right) = (self.term(Sort::Int, size / 2), self.term(Sort::Int, size / 3));
        self.row(&prim::TUPLE, vec![left, right])
    }

    pub(super) fn pairs(&mut self, size: u32) -> TermId {
        let collected = match self.below(3) {
            0 => {
                let args = (0..1 + self.below(2)).map(|_| self.pair_of_numbers(size / 2)).collect();
                self.row(&prim::COLLECT, args)
            }
            1 => {
                let times = self.pick(&[0, 1, 2, 3]);
                let (times, body) = (self.int(times), self.pair_of_numbers(size / 2));
                let list = self.add(Term::Repeat { times, body });
                self.row(&prim::COLLECT, vec![list])
            }
            _ => {
                let [one, two] = [(2, 0), (1, 1)].map(|(a, b)| Value::tuple(vec![Value::int(a), Value::int(b)]));
                self.add(Term::Lit(Value::pool(vec![one.clone(), two, one])))
            }
        };
        if self.below(2) == 0 {
            return self.maybe_bag(collected);
        }
        let n = self.below(3) as i64;
        let n = self.int(n);
        self.row(&prim::HAVING, vec![n, collected])
    }

    /// A value, or each of a collection, by a table that may have nothing for it.
    pub(super) fn looked_up(&mut self, sort: Sort, size: u32) -> TermId {
        let [name, table] = [Value::text("squares"), squares()].map(|value| self.add(Term::Lit(value)));
        let value = self.term(sort, size - 1);
        self.row(&prim::LOOK_UP, vec![name, table, value])
    }

    pub(super) fn results(&mut self, size: u32) -> TermId {
        let args = (0..1 + self.below(2)).map(|_| {
            let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Pool, Sort::Text, Sort::Pair]);
            self.term(sort, size / 2)
        });
        let args = args.collect();
        self.row(&prim::RESULTS, args)
    }

    /// Stops if it is ever reached.
    pub(super) fn failing(&mut self) -> TermId {
        let words = ["runtime", "", "this was made to fail", ""].map(|word| self.add(Term::Lit(Value::text(word))));
        self.row(&prim::FAIL, words.to_vec())
    }
}

fn squares() -> Value {
    Value::pool((-2..7).map(|n| Value::tuple(vec![Value::int(n), Value::int(n * n)])).collect())
}
