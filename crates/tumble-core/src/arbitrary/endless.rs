//! Dice that explode without end, and what people do with them afterwards.
//!
//! A made number has at least one such die inside, and every step on the way up changes it: by a row, by a choice, by
//! others beside it. The rest of it is made of plain dice, small numbers and more of the same.

use super::Maker;
use crate::prim::{self, Prim};
use crate::term::{Faces, FnId, Fork, Function, Keep, Slot, Term, TermId};
use crate::value::Value;
use std::sync::Arc;

const COMPARISONS: [&Prim; 6] =
    [&prim::EQUAL, &prim::UNEQUAL, &prim::LESS, &prim::MORE, &prim::AT_MOST, &prim::AT_LEAST];

impl Maker {
    /// A changed number, or a collection or pair of some.
    pub(super) fn changed_result(&mut self, size: u32) -> TermId {
        match self.below(18) {
            16 => self.told(size),
            17 => {
                let (one, other) = (self.changed(size / 2), self.other(size / 2));
                self.row(&prim::RESULTS, vec![one, other])
            }
            0 => self.changed_pool(size),
            1 => {
                let (one, other) = (self.changed(size / 2), self.other(size / 2));
                let pair = self.row(&prim::TUPLE, vec![one, other]);
                if self.below(3) > 0 { pair } else { self.field_of(pair) }
            }
            2 => {
                let pool = self.changed_pool(size);
                self.row(&prim::BAG, vec![pool])
            }
            3 => {
                let number = self.changed(size);
                self.endless_text(number)
            }
            4..=9 => self.changed_then_joined(),
            _ => self.changed(size),
        }
    }

    /// A field of a pair, perhaps with another number in it.
    fn field_of(&mut self, pair: TermId) -> TermId {
        let [place, which] = [(); 2].map(|()| self.pick(&[0, 1]));
        let (place, other) = (self.int(place), self.other(0));
        let pair = if self.below(2) == 0 { pair } else { self.row(&prim::WITH_FIELD, vec![place, pair, other]) };
        let which = self.int(which);
        self.row(&prim::FIELD, vec![which, pair])
    }

    /// What else can be made of a collection.
    fn told(&mut self, size: u32) -> TermId {
        let pool = self.changed_pool(size);
        match self.below(3) {
            0 => {
                let any = self.any_fold();
                let row = self.pick(&[&prim::DIGITS, any]);
                self.row(row, vec![pool])
            }
            1 => {
                let row = self.pick(&[&prim::GIVEN, &prim::SOME]);
                self.row(row, vec![pool])
            }
            _ => {
                let (from, number) = (self.int(1), self.changed(size.saturating_sub(1)));
                let range = self.row(&prim::RANGE, vec![from, number]);
                self.row(&prim::COLLECT, vec![pool, range])
            }
        }
    }

    /// The shortest way to go wrong: one die, of which small outcomes are changed, and then several of it.
    fn changed_then_joined(&mut self) -> TermId {
        let seed = self.state;
        let one = self.changed_once();
        let again = self.below(2) == 0;
        match self.below(4) {
            0 => {
                let (times, row) = (self.pick(&[2, 2, 3]), self.pick(&[&prim::SUM, &prim::SUM, &prim::COUNT]));
                let times = self.int(times);
                let list = self.add(Term::Repeat { times, body: one });
                let mut pool = self.row(&prim::GATHER, vec![list]);
                if self.below(2) == 0 {
                    pool = self.part_of(pool);
                }
                self.row(row, vec![pool])
            }
            kind => {
                let other = match again {
                    true => {
                        let now = std::mem::replace(&mut self.state, seed);
                        let twin = self.changed_once();
                        self.state = now;
                        twin
                    }
                    false if self.below(2) == 0 => self.changed_once(),
                    false => self.other(0),
                };
                if kind == 1 {
                    return self.row(&prim::SUB, vec![one, other]);
                }
                let pool = self.row(&prim::GATHER, vec![one, other]);
                self.best_of(pool)
            }
        }
    }

    /// One endless die with one change.
    fn changed_once(&mut self) -> TermId {
        match self.below(4) {
            0 => self.by_each_row(1),
            1 => self.chosen(1),
            2 => self.checked(1),
            _ => self.again(1),
        }
    }

    /// A number with an endless die in it.
    pub(super) fn changed(&mut self, size: u32) -> TermId {
        if size == 0 {
            return self.exploded();
        }
        match self.below(15) {
            14 => self.in_a_list(size),
            0 => self.by_a_row(size),
            1 => self.by_each_row(size),
            2 | 3 => self.with_another(size),
            4 => self.chosen(size),
            5 | 6 => self.again(size),
            7 => self.checked(size),
            8 | 9 => self.summed_up(size),
            10 | 11 => self.one_of_several(size),
            12 => self.used_twice(size),
            _ => self.compared(size),
        }
    }

    /// Anything to stand beside it.
    pub(super) fn other(&mut self, size: u32) -> TermId {
        match self.below(6) {
            0 => self.small(),
            1 | 2 => self.even_die(),
            3 => self.uneven_die(),
            _ => self.changed(size / 2),
        }
    }

    pub(super) fn small(&mut self) -> TermId {
        let n = self.pick(&[-2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 13]);
        self.int(n)
    }

    fn range(&mut self, lo: i64, hi: i64) -> TermId {
        let (lo, hi) = (self.int(lo), self.int(hi));
        self.add(Term::Draw { faces: Faces::Range { lo, hi } })
    }

    fn even_die(&mut self) -> TermId {
        let sides = self.pick(&[2, 3, 4, 6]);
        self.range(1, sides)
    }

    fn uneven_die(&mut self) -> TermId {
        let faces = vec![(Value::int(self.below(3) as i64), 1 + self.below(3)), (Value::int(4), 1), (Value::int(9), 1)];
        self.add(Term::Draw { faces: Faces::Weighted(Arc::new(faces)) })
    }
}

/// The dice themselves.
impl Maker {
    /// One endless die as a number.
    fn exploded(&mut self) -> TermId {
        match self.below(12) {
            0 => self.explosion(Keep::Last),
            1 => self.calls_itself(),
            2 => {
                let rolls = self.separate();
                self.row(&prim::COUNT, vec![rolls])
            }
            _ => {
                let rolls = self.separate();
                self.row(&prim::SUM, vec![rolls])
            }
        }
    }

    /// All rolls of one endless die.
    fn separate(&mut self) -> TermId {
        let rolls = self.explosion(Keep::All);
        self.row(&prim::GATHER, vec![rolls])
    }

    /// A die that is rolled until it shows something else than one face, or than the better half of them.
    fn explosion(&mut self, keep: Keep) -> TermId {
        let sides = self.pick(&[2, 2, 3, 4, 4, 6]);
        let (lo, hi) = self.pick(&[(1, sides), (1, sides), (1, sides), (1, sides), (0, sides - 1), (-sides, -1)]);
        let on = if sides >= 4 && self.below(4) == 0 { hi - sides / 2 + 1 } else { hi };
        let first = match self.below(8) {
            0 => Some(self.range(lo, hi + 2)),
            1 => Some(self.uneven_die()),
            2 => Some(self.range(lo + 1, hi + 1)),
            _ => None,
        };
        let body = match self.below(8) {
            0 if lo == 1 => {
                let faces = (lo..=hi).map(|n| (Value::int(n), if n == lo { 2 } else { 1 })).collect();
                self.add(Term::Draw { faces: Faces::Weighted(Arc::new(faces)) })
            }
            _ => self.range(lo, hi),
        };
        let slot = self.slot();
        let shown = self.add(Term::Var(slot));
        let (row, edge) = match self.below(6) {
            0 => (&prim::LESS, lo),
            1 => (&prim::UNEQUAL, hi),
            _ => (&prim::MORE, on),
        };
        // A die with two equal faces at the low end goes on for too long there.
        let (row, edge) = if row == &prim::LESS && sides < 3 { (&prim::MORE, hi) } else { (row, edge) };
        let stop = self.holds(row, edge, shown);
        self.add(Term::Until { slot, first, body, stop, most: None, keep })
    }

    /// Whether a row leaves the number in place, with another one beside it.
    fn holds(&mut self, row: &'static Prim, n: i64, shown: TermId) -> TermId {
        let (n, pool) = (self.int(n), self.row(&prim::GATHER, vec![shown]));
        let left = self.row(row, vec![n, pool]);
        self.row(&prim::SOME, vec![left])
    }

    /// A function that calls itself when its die shows the largest face, and adds that up.
    fn calls_itself(&mut self) -> TermId {
        let (scope, slots) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.slots, 2));
        let function = FnId(self.functions.len() as u32);
        let (name, slot) = (format!("f{}", function.0), Slot(1));
        self.functions.push(Function { name, params: vec![Slot(0)], slots: vec![], body: TermId(0) });
        let sides = self.pick(&[2, 3, 6]);
        let value = self.range(1, sides);
        let shown = self.add(Term::Var(slot));
        let test = self.holds(&prim::EQUAL, sides, shown);
        let (n, shown) = (self.add(Term::Var(Slot(0))), self.add(Term::Var(slot)));
        let more = self.add(Term::Call { function, args: vec![n] });
        let then = self.row(&prim::ADD, vec![shown, more]);
        let other = self.add(Term::Var(slot));
        let choice = self.add(Term::If { fork: Fork::Branch, test, then, other });
        let body = self.add(Term::Let { slots: vec![slot], value, body: choice });
        self.functions[function.index()].slots = vec!["n".into(), "die".into()];
        self.functions[function.index()].body = body;
        (self.scope, self.slots) = (scope, slots);
        let arg = self.int(0);
        self.add(Term::Call { function, args: vec![arg] })
    }
}

/// What is done with a number.
impl Maker {
    fn by_a_row(&mut self, size: u32) -> TermId {
        let number = self.changed(size - 1);
        if self.below(3) == 0 {
            let row = self.pick(&[&prim::NEG, &prim::ABS, &prim::SIGN, &prim::SQRT]);
            return self.row(row, vec![number]);
        }
        let rows = [
            (&prim::ADD, 3),
            (&prim::SUB, 3),
            (&prim::MUL, 3),
            (&prim::MUL, 0),
            (&prim::MUL, -2),
            (&prim::DIV, 2),
            (&prim::DIV, 3),
            (&prim::DIV, -2),
            (&prim::QUOT, 2),
            (&prim::QUOT, 3),
            (&prim::QUOT, -2),
            (&prim::OVER, 2),
            (&prim::OVER, -3),
            (&prim::DIV_UP, 2),
            (&prim::DIV_UP, 3),
            (&prim::MOD, 3),
            (&prim::MOD, -4),
            (&prim::REM, 3),
            (&prim::POW, 0),
            (&prim::POW, 1),
            (&prim::POW, 2),
        ];
        let (row, n) = self.pick(&rows);
        let n = self.int(n);
        let turned = self.below(5) == 0 && (row == &prim::SUB || row == &prim::MUL || row == &prim::ADD);
        self.row(row, if turned { vec![n, number] } else { vec![number, n] })
    }

    /// Rows that change a member by itself.
    fn by_each_row(&mut self, size: u32) -> TermId {
        let number = self.changed(size - 1);
        let (n, pool) = (self.pick(&[-2, 0, 1, 2, 2, 3, 4, 6]), self.row(&prim::GATHER, vec![number]));
        let row = self.pick(&[&prim::CAP, &prim::LIFT, &prim::LIFT, &prim::EACH_MOD]);
        let n = self.int(if row == &prim::EACH_MOD { n.max(2) } else { n });
        let pool = self.row(row, vec![n, pool]);
        self.row(&prim::ONLY, vec![pool])
    }

    fn with_another(&mut self, size: u32) -> TermId {
        let number = self.changed(size - 1);
        let other = if self.below(2) == 0 { self.other(0) } else { self.changed(size / 2) };
        let row = self.pick(&[&prim::ADD, &prim::SUB, &prim::SUB, &prim::MUL]);
        let args = if self.below(2) == 0 { vec![number, other] } else { vec![other, number] };
        self.row(row, args)
    }

    /// A truth about a plain die.
    fn toss(&mut self) -> TermId {
        let (sides, n) = (self.pick(&[2, 2, 3, 6]), 1 + self.below(2) as i64);
        let die = self.range(1, sides);
        let row = self.pick(&[&prim::EQUAL, &prim::UNEQUAL, &prim::AT_LEAST]);
        self.holds(row, n, die)
    }

    fn choice(&mut self, test: TermId, then: TermId, other: TermId) -> TermId {
        self.add(Term::If { fork: Fork::Branch, test, then, other })
    }

    /// Either it or something else.
    fn chosen(&mut self, size: u32) -> TermId {
        let (test, number) = (self.toss(), self.changed(size - 1));
        let other = self.other(size / 2);
        if self.below(2) == 0 { self.choice(test, number, other) } else { self.choice(test, other, number) }
    }

    /// Rolled again, or replaced, where it shows something small.
    fn again(&mut self, size: u32) -> TermId {
        let seed = self.state;
        let value = self.changed(size - 1);
        let after = self.state;
        let slot = self.slot();
        let shown = self.add(Term::Var(slot));
        let row = self.pick(&COMPARISONS);
        let n = self.pick(&[1, 1, 2, 2, 3, 5, 8]);
        let test = self.holds(row, n, shown);
        let then = match self.below(3) {
            0 => self.other(0),
            _ => {
                // The very same again: the same seed makes the same number.
                let now = std::mem::replace(&mut self.state, seed);
                let same = self.changed(size - 1);
                self.state = now ^ after.rotate_left(7);
                same
            }
        };
        let kept = self.add(Term::Var(slot));
        let body = if self.below(4) == 0 { self.choice(test, kept, then) } else { self.choice(test, then, kept) };
        self.add(Term::Let { slots: vec![slot], value, body })
    }

    /// It counts only if a check holds: `(d20 >= 11) * d8!`.
    fn checked(&mut self, size: u32) -> TermId {
        let (test, yes, no) = (self.toss(), self.int(1), self.int(0));
        let check = self.choice(test, yes, no);
        let number = self.changed(size - 1);
        let args = if self.below(2) == 0 { vec![check, number] } else { vec![number, check] };
        self.row(&prim::MUL, args)
    }

    /// One roll of it, used in two places.
    fn used_twice(&mut self, size: u32) -> TermId {
        let value = self.changed(size - 1);
        let slot = self.slot();
        let [one, two] = [(); 2].map(|()| self.add(Term::Var(slot)));
        let body = match self.below(4) {
            0 => self.row(&prim::ADD, vec![one, two]),
            1 => {
                let row = self.pick(&[&prim::SUB, &prim::MUL]);
                self.row(row, vec![one, two])
            }
            2 => {
                let other = self.other(0);
                let more = self.row(&prim::SUB, vec![one, other]);
                self.row(&prim::ADD, vec![more, two])
            }
            _ => {
                let other = self.other(0);
                let pool = self.row(&prim::GATHER, vec![one, other]);
                let best = self.best_of(pool);
                self.row(&prim::SUB, vec![best, two])
            }
        };
        self.add(Term::Let { slots: vec![slot], value, body })
    }

    /// A number that says whether a comparison holds.
    fn compared(&mut self, size: u32) -> TermId {
        let number = self.changed(size - 1);
        let (row, pool) = (self.pick(&COMPARISONS), self.row(&prim::GATHER, vec![number]));
        let other = if self.below(2) == 0 { self.small() } else { self.other(size / 2) };
        let left = self.row(row, vec![other, pool]);
        if self.below(2) == 0 {
            return self.row(&prim::COUNT, vec![left]);
        }
        let test = self.row(&prim::SOME, vec![left]);
        let (then, other) = (self.other(0), self.other(0));
        self.choice(test, then, other)
    }
}

/// What is done with several of them.
impl Maker {
    fn copies(&mut self, size: u32) -> TermId {
        let times = self.pick(&[1, 2, 2, 2, 3, 3]);
        let (times, body) = (self.int(times), self.changed(size));
        let list = self.add(Term::Repeat { times, body });
        self.row(&prim::GATHER, vec![list])
    }

    fn changed_pool(&mut self, size: u32) -> TermId {
        match self.below(10) {
            0 => self.separate(),
            1 => {
                let (one, other) = (self.separate(), self.other(0));
                self.row(&prim::GATHER, vec![one, other])
            }
            2 => {
                let list = self.explosion(Keep::All);
                let (two, pool) = (self.pick(&[1, 2]), self.row(&prim::GATHER, vec![list]));
                let (n, row) = (self.int(two), self.pick(&[&prim::CAP, &prim::LIFT, &prim::MORE, &prim::AT_MOST]));
                self.row(row, vec![n, pool])
            }
            3 | 4 => {
                let (one, other) = (self.changed(size.saturating_sub(1)), self.other(size / 2));
                self.row(&prim::GATHER, vec![one, other])
            }
            5 => {
                let copies = self.copies(size.saturating_sub(1));
                let other = self.other(0);
                self.row(&prim::GATHER, vec![copies, other])
            }
            6 => {
                let test = self.toss();
                let (then, other) = (self.separate(), self.other(0));
                let other = self.row(&prim::GATHER, vec![other]);
                let once = self.choice(test, then, other);
                let times = self.pick(&[1, 2, 3]);
                let times = self.int(times);
                let list = self.add(Term::Repeat { times, body: once });
                self.row(&prim::GATHER, vec![list])
            }
            _ => self.copies(size.saturating_sub(1)),
        }
    }

    /// A fold of a collection, perhaps of a part of it.
    fn summed_up(&mut self, size: u32) -> TermId {
        let mut pool = self.changed_pool(size);
        for _ in 0..self.below(3) {
            pool = self.part_of(pool);
        }
        let row = self.pick(&[&prim::SUM, &prim::SUM, &prim::SUM, &prim::COUNT]);
        self.row(row, vec![pool])
    }

    fn part_of(&mut self, pool: TermId) -> TermId {
        let n = self.pick(&[0, 1, 1, 1, 2, 2, 3]);
        match self.below(12) {
            0..=3 => {
                let row = self.pick(&[&prim::LARGEST, &prim::LEAST, &prim::BUT_LARGEST, &prim::BUT_LEAST]);
                let n = self.int(n);
                self.row(row, vec![n, pool])
            }
            4 | 5 => {
                let row = self.pick(&[&prim::DIFFERENT, &prim::MINIMAL, &prim::MAXIMAL, &prim::MEDIAN]);
                self.row(row, vec![pool])
            }
            6 | 7 => {
                let (row, n) = (self.pick(&[&prim::CAP, &prim::LIFT, &prim::EACH_MOD]), self.int(n + 1));
                self.row(row, vec![n, pool])
            }
            8 => {
                let known = self.add(Term::Lit(Value::ints(&[1, 2, 2, 5])));
                let row = self.pick(&[&prim::MINUS, &prim::WITHOUT, &prim::AMONG]);
                self.row(row, vec![pool, known])
            }
            9 => {
                let known = self.add(Term::Lit(Value::ints(&[1, 2])));
                self.row(&prim::TALLY, vec![known, pool])
            }
            _ => {
                let (row, n) = (self.pick(&COMPARISONS), self.int(n + 1));
                self.row(row, vec![n, pool])
            }
        }
    }

    fn best_of(&mut self, pool: TermId) -> TermId {
        let (row, one) = (self.pick(&[&prim::LARGEST, &prim::LEAST]), self.int(1));
        let best = self.row(row, vec![one, pool]);
        self.row(&prim::ONLY, vec![best])
    }

    /// The largest, the smallest or the middle one.
    fn one_of_several(&mut self, size: u32) -> TermId {
        let pool = match self.below(3) {
            0 => self.copies(size - 1),
            _ => {
                let mut args = vec![self.changed(size - 1)];
                for _ in 0..1 + self.below(2) {
                    args.push(self.other(size / 2));
                }
                self.row(&prim::GATHER, args)
            }
        };
        if self.below(4) > 0 {
            return self.best_of(pool);
        }
        let middle = self.row(&prim::MEDIAN, vec![pool]);
        self.row(&prim::ONLY, vec![middle])
    }
}
