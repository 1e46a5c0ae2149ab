//! Numbers and truths.

use super::{Maker, Sort};
use crate::prim;
use crate::term::{Faces, Fork, Keep, Term, TermId};
use crate::value::Value;
use std::sync::Arc;

impl Maker {
    pub(super) fn number(&mut self, size: u32) -> TermId {
        if size == 0 {
            let n = self.below(5) as i64 - 1;
            return if self.below(2) == 0 { self.die() } else { self.int(n) };
        }
        if self.wide && self.below(3) == 0 {
            return self.wide_number(size);
        }
        if self.below(16) == 0 {
            return self.seldom(size);
        }
        match self.below(8) {
            0..=2 => {
                let pool = self.term(Sort::Pool, size - 1);
                self.fold(pool)
            }
            3 | 4 => {
                use prim::{ADD, DIV, DIV_UP, MOD, MUL, OVER, POW, QUOT, REM, SUB};
                let row =
                    self.pick(&[&ADD, &ADD, &SUB, &SUB, &MUL, &MUL, &DIV, &MOD, &QUOT, &REM, &DIV_UP, &POW, &OVER]);
                let args = vec![self.term(Sort::Int, size / 2), self.term(Sort::Int, size / 2)];
                self.row(row, args)
            }
            5 => {
                let row = self.pick(&[&prim::NEG, &prim::SIGN, &prim::ABS, &prim::SQRT]);
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

    /// Rows that few notations have.
    fn seldom(&mut self, size: u32) -> TermId {
        match self.below(9) {
            7 | 8 => self.member_at(size),
            0..=2 => self.half(size),
            3 | 4 => self.looked_up(Sort::Int, size),
            5 => {
                let pool = self.term(Sort::Pool, size - 1);
                self.row(&prim::DIGITS, vec![pool])
            }
            _ => self.failing(),
        }
    }

    pub(super) fn wide_number(&mut self, size: u32) -> TermId {
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
    pub(super) fn carried(&mut self, size: u32) -> TermId {
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
            maker.add(Term::Loop { slots: vec![slot], start, test, body })
        })
    }

    pub(super) fn die(&mut self) -> TermId {
        let sides = self.pick(&[2, 2, 3]);
        let (lo, hi) = (self.int(1), self.int(sides));
        self.add(Term::Draw { faces: Faces::Range { lo, hi } })
    }

    pub(super) fn fold(&mut self, pool: TermId) -> TermId {
        let any = self.any_fold();
        let row = self.pick(&[&prim::SUM, &prim::SUM, &prim::COUNT, any]);
        self.row(row, vec![pool])
    }

    pub(super) fn truth(&mut self, size: u32) -> TermId {
        if self.wide && size > 0 && self.below(4) == 0 {
            let (test, right) = (self.term(Sort::Truth, size / 2), self.term(Sort::Truth, size / 2));
            let both = self.below(2) == 0;
            let known = self.add(Term::Lit(Value::bool(!both)));
            let (then, other) = if both { (right, known) } else { (known, right) };
            return self.add(Term::If { fork: Fork::ShortCut, test, then, other });
        }
        if self.below(12) == 0 {
            return self.alike(size);
        }
        if self.below(12) == 0 {
            let sort = self.pick(&[Sort::Int, Sort::Int, Sort::Text]);
            let args = vec![self.term(sort, size / 2), self.term(sort, size / 2)];
            return self.row(&prim::SAME, args);
        }
        let pool = self.term(Sort::Pool, size);
        let row = self.pick(&[&prim::SOME, &prim::GIVEN]);
        self.row(row, vec![pool])
    }
}
