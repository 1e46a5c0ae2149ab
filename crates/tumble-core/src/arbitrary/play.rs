//! What scripts do: leave early, ask, show, and throw dice.

use super::{Maker, Sort};
use crate::play::{Event, Exit, Question, Throw};
use crate::prim;
use crate::term::{Fork, Term, TermId};
use crate::value::Value;

impl Maker {
    /// A term of this sort that plays.
    pub(super) fn played(&mut self, sort: Sort, size: u32) -> TermId {
        match (self.below(6), sort) {
            (0, _) => {
                let (test, value) = (self.term(Sort::Truth, size / 2), self.term(sort, size / 2));
                let other = self.term(sort, size / 2);
                let then = self.add(Term::Leave { exit: Exit::Call, value });
                self.add(Term::If { fork: Fork::Branch, test, then, other })
            }
            (1, _) => {
                let [text, style] = [self.term(Sort::Text, size / 3), self.word("")];
                let value = self.add(Term::Emit { event: Event::Line, args: vec![text, style] });
                let (slot, body) = (self.slot(), self.term(sort, size));
                self.add(Term::Let { slots: vec![slot], value, body })
            }
            (2, Sort::Int) => self.number_asked(),
            (3, Sort::Int) => {
                let (count, sides) = (self.below(3) as i64, 1 + self.below(3) as i64);
                let args = vec![self.int(count), self.int(sides)];
                self.add(Term::Throw { throw: Throw::Plain, args })
            }
            (2 | 3, Sort::Pool) => self.thrown_again(size),
            (4, Sort::Int | Sort::Pool) => self.left_loop(sort, size),
            _ => {
                let (test, then, other) = (self.asked(), self.term(sort, size / 2), self.term(sort, size / 2));
                self.add(Term::If { fork: Fork::Branch, test, then, other })
            }
        }
    }

    fn word(&mut self, word: &str) -> TermId {
        self.add(Term::Lit(Value::text(word)))
    }

    fn nothing(&mut self) -> TermId {
        self.add(Term::Lit(Value::NOTHING))
    }

    /// A yes or no, which is no unless somebody answers.
    fn asked(&mut self) -> TermId {
        let args = vec![self.nothing(), self.nothing(), self.word("?"), self.nothing()];
        self.add(Term::Ask { question: Question::Option, args })
    }

    /// A number, which is its default; sometimes there is none that could be answered.
    fn number_asked(&mut self) -> TermId {
        let mut args = vec![self.nothing(), self.nothing(), self.word("?")];
        let (low, high) = (self.int(0), self.term(Sort::Int, 1));
        args.extend([low, high, self.int(1), self.nothing()]);
        self.add(Term::Ask { question: Question::Number, args })
    }

    /// A collection in which the first member is thrown again, if there is one.
    fn thrown_again(&mut self, size: u32) -> TermId {
        let value = self.term(Sort::Pool, size / 2);
        self.binding(Sort::Pool, |maker, slot| {
            let [all, some] = [0, 1].map(|_| maker.add(Term::Var(slot)));
            let (one, none) = (maker.int(0), maker.add(Term::Lit(Value::ints(&[]))));
            let first = maker.row(&prim::GATHER, vec![one]);
            let test = maker.row(&prim::SOME, vec![some]);
            let places = maker.add(Term::If { fork: Fork::Branch, test, then: first, other: none });
            let sides = maker.int(2);
            let body = maker.add(Term::Throw { throw: Throw::Again, args: vec![all, places, sides] });
            maker.add(Term::Let { slots: vec![slot], value, body })
        })
    }

    /// A loop that counts and may be left before its end.
    fn left_loop(&mut self, sort: Sort, size: u32) -> TermId {
        let (from, value) = (self.int(2), self.term(sort, size / 3));
        let start = self.row(&prim::TUPLE, vec![from, value]);
        let done = self.binding_all(&[Sort::Int, sort], |maker, slots| {
            let (three, n) = (maker.int(0), maker.add(Term::Var(slots[0])));
            let pool = maker.row(&prim::GATHER, vec![n]);
            let above = maker.row(&prim::LESS, vec![three, pool]);
            let test = maker.row(&prim::SOME, vec![above]);
            let (leave, state) = (maker.term(Sort::Truth, size / 3), maker.term(sort, size / 3));
            let n = maker.add(Term::Var(slots[0]));
            let value = maker.row(&prim::TUPLE, vec![n, state]);
            let then = maker.add(Term::Leave { exit: Exit::Loop, value });
            let (n, one) = (maker.add(Term::Var(slots[0])), maker.int(1));
            let (less, value) = (maker.row(&prim::SUB, vec![n, one]), maker.term(sort, size / 3));
            let other = maker.row(&prim::TUPLE, vec![less, value]);
            let body = maker.add(Term::If { fork: Fork::Branch, test: leave, then, other });
            maker.add(Term::Loop { slots, start, test, body })
        });
        let number = self.int(1);
        self.row(&prim::FIELD, vec![number, done])
    }
}
