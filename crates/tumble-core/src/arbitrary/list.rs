//! What scripts do with lists and texts: members by position, and values as they are written.

use super::{Maker, Sort};
use crate::prim;
use crate::term::TermId;

impl Maker {
    /// A position that may be outside.
    fn position(&mut self) -> TermId {
        let n = self.pick(&[0, 0, 0, 1, 2]);
        if self.below(8) == 0 { self.die() } else { self.int(n) }
    }

    /// One member of a list.
    pub(super) fn member_at(&mut self, size: u32) -> TermId {
        let (pool, at) = (self.term(Sort::Pool, size - 1), self.position());
        self.row(&prim::AT, vec![pool, at])
    }

    /// A list turned around, with another member, or written down.
    pub(super) fn by_position(&mut self, size: u32) -> TermId {
        match self.below(3) {
            0 => {
                let pool = self.term(Sort::Pool, size - 1);
                self.row(&prim::REVERSE, vec![pool])
            }
            1 => {
                let (pool, at, value) =
                    (self.term(Sort::Pool, size / 2), self.position(), self.term(Sort::Int, size / 2));
                self.row(&prim::WITH_AT, vec![pool, at, value])
            }
            _ => {
                let members = (0..1 + self.below(2)).map(|_| self.term(Sort::Int, size / 2)).collect();
                self.row(&prim::LIST, members)
            }
        }
    }

    /// Whether two values of one kind are equal.
    pub(super) fn alike(&mut self, size: u32) -> TermId {
        let sort = self.pick(&[Sort::Int, Sort::Pool, Sort::Pool, Sort::Text, Sort::Pair]);
        let args = vec![self.term(sort, size / 2), self.term(sort, size / 2)];
        self.row(&prim::ALIKE, args)
    }

    /// A text as a script makes it.
    pub(super) fn script_text(&mut self, size: u32) -> TermId {
        match self.below(3) {
            0 => {
                let sort = self.pick(&[Sort::Int, Sort::Pool, Sort::Truth]);
                let value = self.term(sort, size - 1);
                self.row(&prim::WRITTEN, vec![value])
            }
            1 => {
                let pool = self.term(Sort::Pool, size - 1);
                let (texts, at) = (self.row(&prim::WRITTEN_EACH, vec![pool]), self.position());
                self.row(&prim::AT, vec![texts, at])
            }
            _ => {
                let texts = (0..1 + self.below(3)).map(|_| self.term(Sort::Text, size / 3)).collect();
                self.row(&prim::JOIN, texts)
            }
        }
    }

    /// An endless number in a list, and out of it again.
    pub(super) fn in_a_list(&mut self, size: u32) -> TermId {
        let (number, other) = (self.changed(size - 1), self.other(size - 1));
        let mut list = self.row(&prim::LIST, vec![number, other]);
        match self.below(3) {
            0 => list = self.row(&prim::REVERSE, vec![list]),
            1 => {
                let (at, value) = (self.position(), self.small());
                list = self.row(&prim::WITH_AT, vec![list, at, value]);
            }
            _ => {}
        }
        let at = self.position();
        self.row(&prim::AT, vec![list, at])
    }

    /// An endless number as text.
    pub(super) fn endless_text(&mut self, number: TermId) -> TermId {
        match self.below(3) {
            0 => self.row(&prim::TEXT, vec![number]),
            1 => {
                let pool = self.row(&prim::GATHER, vec![number]);
                let (texts, at) = (self.row(&prim::WRITTEN_EACH, vec![pool]), self.int(0));
                self.row(&prim::AT, vec![texts, at])
            }
            _ => {
                let one = self.row(&prim::WRITTEN, vec![number]);
                let other = self.text(0);
                self.row(&prim::JOIN, vec![one, other])
            }
        }
    }
}
