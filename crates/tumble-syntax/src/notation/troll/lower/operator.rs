//! The operators: which row of the core each one is, and what kind it gives.

use super::super::kind::Kind;
use super::super::operator::{Between, Does, Infix, Joins, Of, Prefix};
use super::super::syntax::NodeId;
use super::{Lowering, Typed};
use crate::build::{all, at, die, either, field, fork, one, repeat, two};
use tumble_core::{Faces, Fork, Prim, Span, Term, TermId, Value, prim};

impl Lowering<'_> {
    /// Applies a prefix operator.
    pub(super) fn prefix(&mut self, span: Span, op: &Prefix, operand: Typed) -> Typed {
        match op.does {
            Does::Row(Of::Number, row) => {
                let number = self.number(operand);
                self.typed(span, Kind::Num, one(row, number))
            }
            Does::Row(Of::Pool, row) => self.of_pool(span, row, operand, Kind::Num),
            Does::Row(Of::Members, row) => self.of_pool(span, row, operand, Kind::Coll),
            Does::Row(Of::Member, row) => {
                let one = self.of_pool(span, row, operand, Kind::Coll);
                Typed { term: self.number(one), kind: Kind::Num, span }
            }
            Does::Row(Of::End, row) => {
                let pool = self.canonical(operand);
                self.typed(span, Kind::Coll, two(row, 1, pool))
            }
            Does::Die(lowest) => self.die(span, lowest, operand),
            Does::Choose => {
                let pool = self.collection(operand);
                self.typed(span, Kind::Num, Term::Draw { faces: Faces::Member { pool } })
            }
            Does::Field(number) => self.typed(span, Kind::Any, field(number, operand.term)),
            Does::Not => self.not(span, operand),
            Does::Text => Typed { term: self.text_of(operand), kind: Kind::Text, span },
        }
    }

    /// Applies an infix operator; its right side may be evaluated several times, or not at all.
    pub(super) fn infix(&mut self, span: Span, op: &Infix, left: Typed, right: NodeId) -> Typed {
        match op.joins {
            Joins::Repeat => self.repeated(span, left, |lowering| lowering.expr(right)),
            Joins::Dice(lowest) => self.repeated(span, left, |lowering| {
                let sides = lowering.expr(right);
                lowering.die(span, lowest, sides)
            }),
            Joins::Layers => {
                let times = self.number(left);
                let body = self.perhaps(|lowering| lowering.expr(right));
                let body = self.text_of(body);
                self.typed(span, Kind::Text, one(&prim::LAYERS, repeat(times, body)))
            }
            Joins::And => {
                let right = self.perhaps(|lowering| lowering.expr(right));
                self.and(span, left, right)
            }
            Joins::Pick => {
                let count = self.expr(right);
                self.pick(span, left, count)
            }
            Joins::Row(..) | Joins::Union => {
                let right = self.expr(right);
                self.combine(span, op, left, right)
            }
        }
    }

    /// Applies an infix operator to two values; the ones without a row of their own are unions.
    pub(super) fn combine(&mut self, span: Span, op: &Infix, left: Typed, right: Typed) -> Typed {
        let Joins::Row(shape, row) = op.joins else { return self.union(span, vec![left.term, right.term]) };
        let ([left, right], kind) = match shape {
            Between::Numbers => ([self.number(left), self.number(right)], Kind::Num),
            Between::Ends => ([self.number(left), self.number(right)], Kind::Coll),
            Between::Filter => ([self.number(left), self.canonical(right)], Kind::Coll),
            Between::Pools => ([self.canonical(left), self.canonical(right)], Kind::Coll),
            Between::Texts => ([self.text_of(left), self.text_of(right)], Kind::Text),
        };
        self.typed(span, kind, two(row, left, right))
    }

    /// All members of all parts, sorted.
    pub(super) fn union(&mut self, span: Span, parts: Vec<TermId>) -> Typed {
        self.typed(span, Kind::Coll, one(&prim::BAG, all(&prim::GATHER, parts)))
    }

    /// `m # a`: the union of m independent evaluations.
    fn repeated(&mut self, span: Span, times: Typed, body: impl FnOnce(&mut Self) -> Typed) -> Typed {
        let times = self.number(times);
        let body = self.perhaps(body).term;
        let list = self.put(span, repeat(times, body));
        self.union(span, vec![list])
    }

    fn die(&mut self, span: Span, from: i64, sides: Typed) -> Typed {
        let hi = self.number(sides);
        self.typed(span, Kind::Num, die(from, hi))
    }

    fn of_pool(&mut self, span: Span, row: &'static Prim, operand: Typed, kind: Kind) -> Typed {
        let pool = self.canonical(operand);
        self.typed(span, kind, one(row, pool))
    }

    fn pick(&mut self, span: Span, pool: Typed, count: Typed) -> Typed {
        let faces = Faces::Members { pool: self.collection(pool), count: self.number(count) };
        self.typed(span, Kind::Coll, one(&prim::BAG, Term::Draw { faces }))
    }

    /// `!a`
    fn not(&mut self, span: Span, operand: Typed) -> Typed {
        let test = self.test(operand);
        self.typed(span, Kind::Coll, either(test, Value::ints(&[]), Value::ints(&[1])))
    }

    /// `a & b`: any value counts as true but an empty collection.
    fn and(&mut self, span: Span, left: Typed, right: Typed) -> Typed {
        let test = at(left.span, one(&prim::GIVEN, left.term));
        let then = self.canonical(right);
        self.typed(span, right.kind.join(Kind::Coll), fork(Fork::ShortCut, test, then, Value::ints(&[])))
    }
}
