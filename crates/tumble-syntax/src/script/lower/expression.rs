//! Expressions.

use super::super::syntax::{Expr, Infix, Name, NodeId};
use super::super::types::{Meaning, Type};
use super::Lowering;
use tumble_core::{Compare, Fork, Span, Term, TermId, Value, prim};

impl Lowering<'_> {
    pub(super) fn expr(&mut self, node: NodeId) -> TermId {
        let (tree, span) = (self.tree, self.span(node));
        match tree.nodes.expr(node) {
            Expr::Int(n) => self.lit(span, Value::int(*n)),
            Expr::Text(text) => self.lit(span, Value::text(text)),
            Expr::Truth(truth) => self.lit(span, Value::bool(*truth)),
            Expr::Unread => self.lit(span, Value::NOTHING),
            Expr::Name(_) => self.name(node),
            Expr::List(items) => self.list(node, items),
            Expr::Made { item, name, list, test } => self.made(node, *item, name, *list, *test),
            Expr::Record { name, fields } => self.record(span, name, fields),
            Expr::Call { args, .. } => self.call(node, args),
            Expr::Field { of, .. } => self.field(node, *of),
            Expr::Index { of, at } => {
                let (of, at) = (self.expr(*of), self.expr(*at));
                self.row(span, &prim::AT, vec![of, at])
            }
            Expr::Not(inside) => {
                let inside = self.expr(*inside);
                let no = self.lit(span, Value::bool(false));
                self.row(span, &prim::SAME, vec![inside, no])
            }
            Expr::Minus(inside) => {
                let inside = self.expr(*inside);
                self.row(span, &prim::NEG, vec![inside])
            }
            Expr::Chain { first, rest } => self.chain(span, *first, rest),
            Expr::Choice { test, then, other } => {
                let [test, then, other] = [*test, *then, *other].map(|node| self.expr(node));
                self.add(span, Term::If { fork: Fork::Branch, test, then, other })
            }
        }
    }

    #[inline(never)]
    fn name(&mut self, node: NodeId) -> TermId {
        let span = self.span(node);
        match &self.known.meanings[node.index()] {
            Some(Meaning::Variable(var)) => match self.here.vars.get(*var).copied().flatten() {
                Some(slot) => self.var(span, slot),
                None => self.lit(span, Value::NOTHING),
            },
            Some(Meaning::Constant(number)) => self.lit(span, self.tables.consts[*number].value.clone()),
            Some(Meaning::DiceText(text)) => self.lit(span, Value::text(text)),
            _ => self.lit(span, Value::NOTHING),
        }
    }

    #[inline(never)]
    fn field(&mut self, node: NodeId, of: NodeId) -> TermId {
        let span = self.span(node);
        match self.known.meanings[node.index()] {
            Some(Meaning::Member(of, member)) => self.lit(span, self.tables.member_value(of, member)),
            Some(Meaning::Field(at)) => {
                let number = self.lit(span, Value::int(at as i64));
                let of = self.expr(of);
                self.row(span, &prim::FIELD, vec![number, of])
            }
            _ => self.lit(span, Value::NOTHING),
        }
    }

    /// Numbers are gathered, so that the engine sees a pool of them; other values are listed as they are.
    #[inline(never)]
    fn list(&mut self, node: NodeId, items: &[NodeId]) -> TermId {
        let span = self.span(node);
        let row = if self.holds_numbers(node) { &prim::GATHER } else { &prim::LIST };
        let items = items.iter().map(|item| self.expr(*item)).collect();
        self.row(span, row, items)
    }

    fn holds_numbers(&self, node: NodeId) -> bool {
        matches!(self.kind(node), Type::List(member) if **member == Type::Int)
    }

    #[inline(never)]
    fn made(&mut self, node: NodeId, item: NodeId, name: &Name, list: NodeId, test: Option<NodeId>) -> TermId {
        let span = self.span(node);
        let numbers = self.holds_numbers(node);
        let pool = self.expr(list);
        let slot = self.slot(&name.text);
        let var = self.here.occurrences.variable(name);
        let before = var.and_then(|var| self.here.vars[var].replace(slot));
        let test = test.map(|test| self.expr(test));
        let item = self.expr(item);
        let row = if numbers { &prim::GATHER } else { &prim::LIST };
        let body = match test {
            None if numbers => item,
            None => self.row(span, row, vec![item]),
            Some(test) => {
                let (then, other) = (self.row(span, row, vec![item]), self.row(span, row, vec![]));
                self.add(span, Term::If { fork: Fork::Branch, test, then, other })
            }
        };
        if let Some(var) = var {
            self.here.vars[var] = before;
        }
        let each = self.add(span, Term::ForEach { slot, pool, body });
        self.row(span, if numbers { &prim::GATHER } else { &prim::COLLECT }, vec![each])
    }

    /// The fields in the order of the type; they are evaluated in the order in which they are written.
    #[inline(never)]
    fn record(&mut self, span: Span, name: &Name, fields: &[(Name, NodeId)]) -> TermId {
        let Some(record) = self.tables.record(&name.key) else { return self.lit(span, Value::NOTHING) };
        let declared = &self.tables.records[record].fields;
        let places: Vec<usize> =
            fields.iter().map(|(field, _)| self.tables.field(record, &field.key).unwrap_or(0)).collect();
        let mut values: Vec<Option<TermId>> = vec![None; declared.len()];
        let mut bound = Vec::new();
        let in_order = places.is_sorted();
        for ((_, node), place) in fields.iter().zip(places) {
            let value = self.expr(*node);
            values[place] = Some(match in_order {
                true => value,
                false => {
                    let (slot, span) = (self.slot("field"), self.span(*node));
                    bound.push((span, slot, value));
                    self.var(span, slot)
                }
            });
        }
        let mut all: Vec<TermId> = Vec::with_capacity(values.len() + 1);
        for (value, field) in values.into_iter().zip(declared) {
            all.push(match value {
                Some(value) => value,
                None => self.lit(span, field.default.clone()),
            });
        }
        all.push(self.lit(span, tumble_core::Data::Tag(tumble_core::Tag::default()).into()));
        let mut term = self.row(span, &prim::TUPLE, all);
        for (span, slot, value) in bound.into_iter().rev() {
            term = self.add(span, Term::Let { slots: vec![slot], value, body: term });
        }
        term
    }

    /// Operators of one level from left to right; texts that are joined are joined at once.
    #[inline(never)]
    fn chain(&mut self, span: Span, first: NodeId, rest: &[(Infix, NodeId)]) -> TermId {
        let mut left = (self.expr(first), self.kind(first).clone());
        let mut at = 0;
        while let Some((infix, right)) = rest.get(at) {
            if *infix == Infix::Plus && (left.1.is_text() || self.kind(*right).is_text()) {
                return self.joined(span, left, &rest[at..]);
            }
            left = self.infix(span, *infix, left, *right);
            at += 1;
        }
        left.0
    }

    /// A text with everything that is added to it.
    #[inline(never)]
    fn joined(&mut self, span: Span, left: (TermId, Type), rest: &[(Infix, NodeId)]) -> TermId {
        let mut parts = vec![self.as_text(span, left.0, &left.1)];
        for (_, node) in rest {
            parts.push(self.text(*node));
        }
        self.row(span, &prim::JOIN, parts)
    }

    /// An expression as text.
    pub(super) fn text(&mut self, node: NodeId) -> TermId {
        let term = self.expr(node);
        self.as_text(self.span(node), term, self.kind(node))
    }

    fn as_text(&mut self, span: Span, term: TermId, kind: &Type) -> TermId {
        if kind.is_text() { term } else { self.row(span, &prim::WRITTEN, vec![term]) }
    }

    /// `left infix right`, with its type.
    pub(super) fn infix(&mut self, span: Span, infix: Infix, left: (TermId, Type), right: NodeId) -> (TermId, Type) {
        let (a, kind) = left;
        let other = self.kind(right).clone();
        if infix == Infix::Plus && (kind.is_text() || other.is_text()) {
            let a = self.as_text(span, a, &kind);
            let b = self.text(right);
            return (self.row(span, &prim::JOIN, vec![a, b]), Type::Text);
        }
        let b = self.expr(right);
        let row = match infix {
            Infix::Or | Infix::And => return (self.short_cut(span, infix, a, b), Type::Bool),
            Infix::Compare(by) => return (self.comparison(span, by, (a, &kind), (b, &other)), Type::Bool),
            Infix::Plus if matches!(kind, Type::List(_) | Type::Empty) => {
                let joined = kind.join(other).unwrap_or(Type::Unknown);
                let numbers = matches!(&joined, Type::List(member) if **member == Type::Int);
                return (self.row(span, if numbers { &prim::GATHER } else { &prim::COLLECT }, vec![a, b]), joined);
            }
            Infix::Plus => &prim::ADD,
            Infix::Minus => &prim::SUB,
            Infix::Times => &prim::MUL,
            // Numbers of scripts are whole; their grammar has no other division.
            Infix::Over | Infix::Exact => &prim::QUOT,
            Infix::Modulo => &prim::REM,
        };
        (self.row(span, row, vec![a, b]), Type::Int)
    }

    #[inline(never)]
    fn short_cut(&mut self, span: Span, infix: Infix, test: TermId, right: TermId) -> TermId {
        let known = self.lit(span, Value::bool(infix == Infix::Or));
        let (then, other) = if infix == Infix::And { (right, known) } else { (known, right) };
        self.add(span, Term::If { fork: Fork::ShortCut, test, then, other })
    }

    #[inline(never)]
    fn comparison(
        &mut self,
        span: Span,
        by: Compare,
        (a, one): (TermId, &Type),
        (b, other): (TermId, &Type),
    ) -> TermId {
        match by {
            Compare::Equal | Compare::Unequal if *one == Type::Int && *other == Type::Int => {}
            Compare::Equal => return self.row(span, &prim::ALIKE, vec![a, b]),
            Compare::Unequal => {
                let same = self.row(span, &prim::ALIKE, vec![a, b]);
                let no = self.lit(span, Value::bool(false));
                return self.row(span, &prim::SAME, vec![same, no]);
            }
            Compare::Less | Compare::AtMost | Compare::AtLeast | Compare::More => {}
        }
        let [a, b] = [(a, one), (b, other)].map(|(term, kind)| match kind {
            // A member of an enumeration is ordered by its number.
            Type::Enum(_) => {
                let number = self.lit(span, Value::int(0));
                self.row(span, &prim::FIELD, vec![number, term])
            }
            _ => term,
        });
        self.compared(span, by, a, b)
    }

    /// Two numbers compared; a known one stands outside the collection.
    pub(super) fn compared(&mut self, span: Span, by: Compare, a: TermId, b: TermId) -> TermId {
        let known = matches!(self.draft.node(b).term, Term::Lit(_));
        let (by, a, b) = if known { (by.flipped(), b, a) } else { (by, a, b) };
        let pool = self.row(span, &prim::GATHER, vec![b]);
        let left = self.row(span, by.row(), vec![a, pool]);
        self.row(span, &prim::SOME, vec![left])
    }
}
