//! Values of several parts: pairs, collections of pairs, and results beside each other.

use super::{Maker, Sort};
use crate::prim;
use crate::term::{Term, TermId};
use crate::value::Value;

impl Maker {
    pub(super) fn pair(&mut self, size: u32) -> TermId {
        let [left, right] = [(); 2].map(|()| {
            let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Pool, Sort::Pool, Sort::Text]);
            self.term(sort, size / 2)
        });
        self.row(&prim::PAIR, vec![left, right])
    }

    /// One half of a pair, which may be of the wrong sort.
    pub(super) fn half(&mut self, size: u32) -> TermId {
        let pair = self.pair_of_numbers(size);
        let row = self.pick(&[&prim::FIRST, &prim::SECOND]);
        self.row(row, vec![pair])
    }

    fn pair_of_numbers(&mut self, size: u32) -> TermId {
        let (left, right) = (self.term(Sort::Int, size / 2), self.term(Sort::Int, size / 3));
        self.row(&prim::PAIR, vec![left, right])
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
