//! The forms of an expression, one function each.

use super::super::kind::Kind;
use super::super::operator::Joins;
use super::super::syntax::{Expr, Extreme, Loop, NodeId, Stop};
use super::{Binding, Lowering, Typed};
use crate::build::{bind, each, either, fork, two};
use std::sync::Arc;
use tumble_core::{Faces, Fork, Keep, Prim, Ratio, Span, Term, TermId, Value, prim};

impl<'a> Lowering<'a> {
    /// Lowers an expression. A chain of infix operators grows to the left without a limit, so it is
    /// walked in a loop; a union groups to the right and is taken apart as one.
    pub(super) fn expr(&mut self, id: NodeId) -> Typed {
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Infix(op, left, right) = *self.tree.nodes.expr(first)
            && op.joins != Joins::Union
        {
            chain.push((self.span(first), op, right));
            first = left;
        }
        let mut left = self.operand(first);
        for (span, op, right) in chain.into_iter().rev() {
            left = self.infix(span, op, left, right);
        }
        left
    }

    fn operand(&mut self, id: NodeId) -> Typed {
        let tree = self.tree;
        let span = self.span(id);
        match tree.nodes.expr(id) {
            Expr::Number(n) => self.typed(span, Kind::Num, *n),
            Expr::Name(name) => self.name(span, name),
            Expr::Text(inside) => self.text(span, inside),
            Expr::Chance(digits) => self.chance(span, digits),
            Expr::Group(members) => self.group(span, members),
            Expr::Pair(first, second) => self.pair(span, *first, *second),
            Expr::Prefix(op, operand) => {
                let operand = self.expr(*operand);
                self.prefix(span, op, operand)
            }
            // Only unions are left by the loop above.
            Expr::Infix(_, left, right) => self.group(span, &[*left, *right]),
            Expr::Extreme(which, count, pool) => self.extreme(span, *which, *count, *pool),
            Expr::Default(name, other) => match self.lookup(name) {
                Some(binding) => self.bound(span, binding),
                None => self.expr(*other),
            },
            Expr::Let(name, value, body) => self.binding(span, name, *value, *body),
            Expr::If(test, then, other) => self.condition(span, *test, *then, *other),
            Expr::ForEach(name, pool, body) => self.for_each(span, name, *pool, *body),
            Expr::Loop(which, name, body, stop, test) => self.repeat(span, *which, name, *body, (*stop, *test)),
            Expr::Call(name, args) => self.call(span, name, args),
        }
    }

    fn name(&mut self, span: Span, name: &'a str) -> Typed {
        match self.lookup(name) {
            Some(binding) => self.bound(span, binding),
            None => self.unknown_variable(span, name),
        }
    }

    fn bound(&mut self, span: Span, binding: Binding) -> Typed {
        self.typed(span, binding.kind, binding.slot)
    }

    /// `"a|>b"`: the pieces, joined from the right.
    fn text(&mut self, span: Span, inside: &str) -> Typed {
        let (mut pieces, mut joints, mut rest) = (Vec::new(), Vec::new(), inside);
        while let Some((piece, joint, after)) = next_piece(rest) {
            pieces.push(piece);
            joints.push(joint);
            rest = after;
        }
        let mut term = self.put(span, Value::text(rest));
        for (piece, joint) in pieces.into_iter().zip(joints).rev() {
            term = self.put(span, two(joint, Value::text(piece), term));
        }
        Typed { term, kind: Kind::Text, span }
    }

    /// `?0.25`
    fn chance(&mut self, span: Span, digits: &str) -> Typed {
        let over: i128 = digits.parse().unwrap_or(0);
        let under = digits.bytes().fold(1i128, |power, _| power.saturating_mul(10));
        let Some(chance) = Ratio::new(over, under).filter(|chance| chance.numerator() > 0) else {
            return self.typed(span, Kind::Coll, Value::ints(&[]));
        };
        let [over, under] = [chance.numerator(), chance.denominator()].map(i64::unsigned_abs);
        let faces = vec![(Value::ints(&[1]), over), (Value::ints(&[]), under - over)];
        self.typed(span, Kind::Coll, Term::Draw { faces: Faces::Weighted(Arc::new(faces)) })
    }

    /// `{a, b}`; `{a}` is `a`, whatever that is.
    fn group(&mut self, span: Span, members: &[NodeId]) -> Typed {
        match members {
            [] => self.typed(span, Kind::Coll, Value::ints(&[])),
            [one] => Typed { span, ..self.expr(*one) },
            _ => {
                let mut terms = Vec::new();
                members.iter().for_each(|member| self.members(*member, &mut terms));
                self.union(span, terms)
            }
        }
    }

    /// The parts of a union; a union in a union is taken apart.
    fn members(&mut self, id: NodeId, terms: &mut Vec<TermId>) {
        let tree = self.tree;
        match tree.nodes.expr(id) {
            Expr::Group(members) if members.len() > 1 => {
                members.iter().for_each(|member| self.members(*member, terms));
            }
            Expr::Infix(op, left, right) if op.joins == Joins::Union => {
                self.members(*left, terms);
                self.members(*right, terms);
            }
            _ => terms.push(self.expr(id).term),
        }
    }

    fn pair(&mut self, span: Span, first: NodeId, second: NodeId) -> Typed {
        let (first, second) = (self.expr(first), self.expr(second));
        let pair = two(&prim::TUPLE, self.canonical(first), self.canonical(second));
        self.typed(span, Kind::Pair, pair)
    }

    fn extreme(&mut self, span: Span, which: Extreme, count: NodeId, pool: NodeId) -> Typed {
        let (count, pool) = (self.expr(count), self.expr(pool));
        let row = match which {
            Extreme::Least => &prim::LEAST,
            Extreme::Largest => &prim::LARGEST,
        };
        let kept = two(row, self.number(count), self.canonical(pool));
        self.typed(span, Kind::Coll, kept)
    }

    /// `x := a; b`
    fn binding(&mut self, span: Span, name: &'a str, value: NodeId, body: NodeId) -> Typed {
        let value = self.expr(value);
        let slot = self.slot(name);
        let body = self.with(name, Binding { slot, kind: value.kind }, |lowering| lowering.expr(body));
        self.typed(span, body.kind, bind(slot, value.term, body.term))
    }

    fn condition(&mut self, span: Span, test: NodeId, then: NodeId, other: NodeId) -> Typed {
        let test = self.expr(test);
        let test = self.test(test);
        let (then, other) = self.perhaps(|lowering| (lowering.expr(then), lowering.expr(other)));
        let kind = then.kind.join(other.kind);
        let (then, other) = (self.fit(then, kind), self.fit(other, kind));
        self.typed(span, kind, either(test, then, other))
    }

    /// `foreach x in a do b`
    fn for_each(&mut self, span: Span, name: &'a str, pool: NodeId, body: NodeId) -> Typed {
        let pool = self.expr(pool);
        let pool = self.collection(pool);
        let slot = self.slot(name);
        let member = Binding { slot, kind: Kind::Num };
        let body = self.perhaps(|lowering| lowering.with(name, member, |lowering| lowering.expr(body)));
        let list = self.put(span, each(slot, pool, body.term));
        self.union(span, vec![list])
    }

    /// `repeat x := a until c`. A text or pair is an error in the pass that rolls it.
    fn repeat(&mut self, span: Span, which: Loop, name: &'a str, body: NodeId, (stop, test): (Stop, NodeId)) -> Typed {
        let body = self.expr(body);
        let (body, kind) = match body.kind {
            Kind::Num => (body.term, Kind::Num),
            _ => (self.collection(body), Kind::Coll),
        };
        let slot = self.slot(name);
        let test = self.with(name, Binding { slot, kind }, |lowering| lowering.expr(test));
        let stop = self.stop(stop, test);
        let keep = if which == Loop::Repeat { Keep::Last } else { Keep::All };
        let term = self.put(span, Term::Until { slot, first: None, body, stop, most: None, keep });
        match which {
            Loop::Repeat => Typed { term, kind, span },
            Loop::Accumulate => self.union(span, vec![term]),
        }
    }

    fn stop(&mut self, stop: Stop, typed: Typed) -> TermId {
        let test = self.test(typed);
        if stop == Stop::Until { test } else { self.put(typed.span, fork(Fork::ShortCut, test, false, true)) }
    }
}

/// The operators that may stand inside quotes.
const JOINTS: &[(&str, &Prim)] =
    &[("||", &prim::BESIDE), ("|>", &prim::STACK_LEFT), ("<|", &prim::STACK_RIGHT), ("<>", &prim::STACK_CENTRE)];

/// What stands before the first operator inside quotes, the operator, and the rest.
fn next_piece(text: &str) -> Option<(&str, &'static Prim, &str)> {
    let at = text.as_bytes().windows(2).position(|two| JOINTS.iter().any(|(sign, _)| sign.as_bytes() == two))?;
    let (_, joint) = JOINTS.iter().find(|(sign, _)| text[at..].starts_with(sign))?;
    Some((&text[..at], joint, &text[at + 2..]))
}
